import pytest

from embedded.store import EmbeddedStore
from jobs.search.job import search_words
from jobs.search.terms import match_terms, read_terms
from rostrum_core.errors import BadInput
from rostrum_core.types import Answer, DocumentInfo, Paragraph, Recommendation

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}


def recommendation(rank: int, text: str, **about: str) -> Recommendation:
    info = DocumentInfo(f"d{rank}", f"Title {rank}", speakers=(about.get("speaker", "Ann Roe"),), **about)
    paragraph = Paragraph(f"p{rank}", info.id, 0, text, 0, len(text))
    return Recommendation(rank, paragraph, info, (), {})


@pytest.fixture
def archive(tmp_path, entry, publish) -> EmbeddedStore:
    store = EmbeddedStore(tmp_path / "archive")
    publish(
        store, entry("a", ["the moon is hard to reach"], title="Address at Gettysburg", speaker="Ann Roe")
    )
    return store


def search(archive, query: str, *texts: tuple[str, dict[str, str]], **options):
    several = tuple(recommendation(rank, text, **about) for rank, (text, about) in enumerate(texts, 1))
    return search_words(query, lambda depth: Answer(several, len(several)), archive, **options)


def ids(page) -> list[str]:
    return [hit.document.id for hit in page.hits]


@pytest.mark.parametrize(
    ("text", "query", "marked"),
    [
        ("The fathers of our nation.", "father nation", ["fathers", "nation"]),
        ("We do not fear fear itself.", '"fear itself"', ["fear itself"]),
        ("Don’t tear it down; don't!", "don't", ["Don’t", "don't"]),
        ("𝒜 moon, a 𝒜moon", "moon", ["moon"]),
        ("To be or not to be, he said", "to be or not to be", ["To be or not to be"]),
        ("fear itself", '"fear itself" fear', ["fear itself"]),
        ("Nothing here", "moon", []),
        ("<b>moon</b>", "b", ["b", "b"]),
        ("A café, a cafe", "cafe\u0301", ["café"]),
        ("An old résumé factory", '"old re\u0301sume\u0301"', ["old résumé"]),
        ("A café, a cafe", "cafe", ["cafe"]),
        ("A soft word", "so\u00adft", ["soft"]),
        ("देन और दुनिया", "देन", ["देन"]),
        ("दुनिया में नमस्ते", "देन", []),
        ("हम सब मिलकर चलें", '"सब मिलकर"', ["सब मिलकर"]),
        ("नमस्ते, दुनिया", "नमस्ते", ["नमस्ते"]),
    ],
)
def test_words_are_marked_by_stem_and_phrases_word_by_word(text, query, marked) -> None:
    assert [text[start:end] for start, end in match_terms(text, read_terms(query)).ranges] == marked


def test_paragraphs_with_all_words_are_the_results_and_keep_their_order(archive) -> None:
    page = search(archive, "moon hard", ("moon", {}), ("hard moon", {}), ("a moon is hard", {}), ("hard", {}))
    assert (ids(page), page.matching, page.total) == (["d2", "d3"], "all", 2)
    assert page.unknown == ()


def test_without_a_paragraph_with_all_words_those_with_most_of_them_come_first(archive) -> None:
    page = search(archive, "moon hard xyzzy", ("moon", {}), ("hard moon", {}), ("sun", {}))
    assert (ids(page), page.matching) == (["d2", "d1"], "some")
    assert [word.word for word in page.unknown] == ["xyzzy"]


def test_without_any_word_the_nearest_in_meaning_are_shown_and_close_words_suggested(archive) -> None:
    page = search(archive, "Getysburg", ("sun", {}), ("star", {}))
    assert (ids(page), page.matching) == (["d1", "d2"], "nearest")
    assert [(word.word, word.suggestions) for word in page.unknown] == [("Getysburg", ("Gettysburg",))]


def test_a_phrase_must_stand_as_it_was_typed(archive) -> None:
    page = search(archive, '"hard moon"', ("moon hard", {}), ("the hard moon", {}))
    assert (ids(page), page.matching) == (["d2"], "all")


def test_results_are_ordered_by_date_and_those_without_one_come_last(archive) -> None:
    texts = [
        ("moon", {"spoken_on": "1962"}),
        ("moon", {}),
        ("moon", {"spoken_on": "1863-11-19"}),
        ("moon", {"spoken_on": "2001-01-20"}),
    ]
    assert ids(search(archive, "moon", *texts, order="newest")) == ["d4", "d1", "d3", "d2"]
    assert ids(search(archive, "moon", *texts, order="oldest")) == ["d3", "d1", "d4", "d2"]
    page = search(archive, "moon", *texts, order="oldest", offset=1, limit=2)
    assert ([hit.rank for hit in page.hits], ids(page), page.total) == ([2, 3], ["d1", "d4"], 4)


def test_facets_count_the_paragraphs_of_all_results(archive) -> None:
    page = search(
        archive,
        "moon",
        ("moon", {"speaker": "Ann Roe", "spoken_on": "1962", "collection": "c"}),
        ("moon", {"speaker": "Bo Li", "spoken_on": "1962-03-01"}),
        ("sun", {"speaker": "Bo Li"}),
        ("moon", {"speaker": "Bo Li", "language": "en"}),
        limit=1,
    )
    assert [(facet.value, facet.paragraphs) for facet in page.facets.speakers] == [
        ("Bo Li", 2),
        ("Ann Roe", 1),
    ]
    assert [(facet.value, facet.paragraphs) for facet in page.facets.years] == [("1962", 2)]
    assert [facet.value for facet in (*page.facets.collections, *page.facets.languages)] == ["c", "en"]


@pytest.mark.parametrize("query", ["", " ", "...", '""'])
def test_a_search_without_a_word_is_bad_input(archive, query) -> None:
    with pytest.raises(BadInput):
        search(archive, query)


@pytest.mark.parametrize(("last", "is_cut"), [("the moon", True), ("the sun", False)])
def test_more_may_be_there_only_if_the_last_candidates_still_have_the_words(archive, last, is_cut) -> None:
    texts = [("the moon", {})] * 10 + [("the sun", {})] * 980 + [(last, {})] * 10
    page = search(archive, "moon", *texts)
    assert page.is_cut == is_cut


@pytest.mark.parametrize(
    ("query", "texts", "is_cut"),
    [
        ("it is", 1000, True),
        ('"it is"', 1000, True),
        ("it is", 999, False),
        ('moon "it is"', 1000, False),
    ],
)
def test_more_may_be_there_if_only_stop_words_are_looked_for(archive, query, texts, is_cut) -> None:
    page = search(archive, query, ("it is the moon", {}), *[("the sun", {})] * (texts - 1))
    assert (page.total, page.is_cut) == (1, is_cut)
