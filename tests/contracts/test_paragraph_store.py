"""What `rostrum_core.ports.ParagraphStore` says, sentence by sentence, of every adapter."""

import dataclasses
from itertools import permutations
from math import log

import numpy as np
import pytest

from rostrum_core.errors import ArchiveBusy, DocumentRefused, NoSuchGeneration, Overtaken, StoreError
from rostrum_core.ports import Query
from rostrum_core.types import DocumentInfo, Filter, Mark

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}
NOTHING = Query("", "", None)
NAMES = [
    "é",
    "e\u0301",
    "日本/東京",
    "a/b",
    "a%2Fb",
    'it\'s "quoted"',
    "A",
    "a",
    "..",
    " ",
    "a:b?c#d&e=f",
    "💬",
]


def idf(texts: int, having: int) -> float:
    return log(1 + (texts - having + 0.5) / (having + 0.5))


def weight(count: int, length: int, average: float) -> float:
    return count / (count + 1.2 * (1 - 0.75 + 0.75 * length / average))


def texts(candidates):
    return sorted(candidate.paragraph.text for candidate in candidates)


def scores(candidates):
    return {candidate.paragraph.text: candidate.scores for candidate in candidates}


def names(generations):
    return [generation.name for generation in generations]


# Reading


@pytest.mark.parametrize(
    "read",
    [
        lambda store: store.search(NOTHING),
        lambda store: store.get("a"),
        lambda store: list(store.documents()),
        lambda store: store.count(),
        lambda store: store.document_frequency(["word"]),
    ],
    ids=["search", "get", "documents", "count", "document_frequency"],
)
def test_reading_where_nothing_is_published_is_an_error(store, entry, read):
    with pytest.raises(StoreError):
        read(store)
    name = store.begin(**HASHES).name
    store.add(name, [entry("a", ["word"])])
    with pytest.raises(StoreError):
        read(store)


def test_an_empty_archive_answers_with_nothing(store, publish):
    publish(store)
    vector = np.eye(8, dtype=np.float32)[0]
    assert store.count() == (0, 0)
    assert list(store.documents()) == []
    assert store.get("a") is None
    assert store.document_frequency(["word"]) == [0]
    for every in (False, True):
        assert list(store.search(Query("word", "word", vector, every=every))) == []


def test_a_document_without_paragraphs_is_kept(store, entry, publish):
    empty = entry("b", [], title="Nothing was said")
    publish(store, entry("a", ["seven"]), empty, entry("c", ["years"]))
    assert store.count() == (3, 2)
    assert store.get("b") == (empty.document, ())
    assert texts(store.search(Query("seven years", "", None))) == ["seven", "years"]


def test_a_document_comes_back_as_it_was_added(store, entry, publish):
    plain = entry("a", ["four score", "and seven"], title="Address", speaker="Abe", spoken_on="1863-11-19")
    marked = dataclasses.replace(
        plain.document,
        source="library",
        url="https://example.org/?a=b&c",
        collection="war",
        language="en",
        marks=(Mark("stage", "(Applause.)", 10), Mark("time", "00:01", 0)),
        breaks=((0, 10), (11, 20)),
    )
    details = {"speaker": "MR. LINCOLN", "start_s": 723.5, "end_s": None}
    spoken = tuple(dataclasses.replace(paragraph, **details) for paragraph in plain.paragraphs)
    publish(store, dataclasses.replace(plain, document=marked, paragraphs=spoken))
    assert store.get("a") == (marked, spoken)
    assert store.get("b") is None
    found = store.search(Query("score", "", None))[0]
    assert found.paragraph == spoken[0]
    for name in ("ids", "starts", "ends"):
        want = getattr(plain.encodings[0].tokens, name)
        np.testing.assert_array_equal(getattr(found.tokens, name), want, strict=True)


def test_documents_are_listed_in_the_order_of_their_ids(store, entry, publish):
    known = {"speaker": "Ann", "spoken_on": "2001-02-03", "source": "s", "url": "u"}
    publish(
        store,
        entry("b", ["x"]),
        entry("a", ["x", "y"], title="T", collection="c", language="en", **known),
        entry("c", []),
    )
    first = DocumentInfo("a", "T", collection="c", language="en", paragraphs=2, speakers=("Ann",), **known)
    assert list(store.documents()) == [first, DocumentInfo("b", "", paragraphs=1), DocumentInfo("c", "")]
    assert [info.id for info in store.documents(["c", "unknown", "a", "c"])] == ["a", "c"]
    assert list(store.documents([])) == []


def test_documents_are_listed_after_an_id_whether_it_is_there_or_not(store, entry, publish):
    publish(store, *[entry(name, ["x"]) for name in ("b", "a", "d", "é", "💬")])
    follow = {"": "abdé💬", "0": "abdé💬", "a": "bdé💬", "c": "dé💬", "d": "é💬", "é": "💬", "💬": ""}
    for after, expected in follow.items():
        assert "".join(each.id for each in store.documents(after=after)) == expected
        assert "".join(each.id for each in store.documents(["é", "a", "c"], after=after)) == "".join(
            each for each in expected if each in "aé"
        )
    assert list(store.documents(after="\ud800"))[-1].id == "💬"


def test_an_id_may_be_any_text(store, entry, publish):
    publish(store, *[entry(name, [f"spoken {number}"]) for number, name in enumerate(NAMES)])
    assert [info.id for info in store.documents()] == sorted(NAMES)
    for number, name in enumerate(NAMES):
        assert store.get(name)[0].id == name
        chosen = Filter(documents=(name,))
        assert texts(store.search(Query("spoken", "", None, chosen))) == [f"spoken {number}"]
    publish(store, delete=NAMES[1:])
    assert [info.id for info in store.documents()] == NAMES[:1]


def test_texts_may_hold_any_characters(store, entry, publish):
    said = ["“Quoted” – 日本 \U0001f4ac", "nul \x00 inside", "line\nand\ttab", " \\ \" ' % "]
    publish(store, entry("a", said, title="\x00 'title'"))
    assert [paragraph.text for paragraph in store.get("a")[1]] == said


def test_document_frequency_counts_the_paragraphs_of_analysed_words(store, entry, publish):
    publish(
        store, entry("a", ["The nations ran, nation by nation", "running"]), entry("b", ["a NATION", "it is"])
    )
    words = ["nation", "Nations", "run", "the", "is", "unspoken", "", "nation"]
    assert store.document_frequency(words) == [2, 2, 1, 0, 0, 0, 0, 2]
    assert store.document_frequency([]) == []


def test_words_of_39_letters_of_three_bytes_are_counted(store, entry, publish):
    word = "\u10d0\u10d1\u10d2" * 13
    publish(store, entry("a", [f"It is {word}."]))
    assert store.document_frequency([word]) == [1]


# The scores of a search


def test_lexical_scores_are_bm25_over_all_paragraphs(store, entry, publish):
    publish(
        store,
        entry("a", ["Four score and seven years", "seven nations"]),
        entry("b", ["a new nation", "hope"]),
    )
    found = scores(store.search(Query("The seven nations!", "", None)))
    # After stop words: 4, 2, 2 and 1 terms, 9/4 on average; each term is in two of the four paragraphs.
    average, rare = 9 / 4, idf(4, 2)
    assert found["Four score and seven years"]["lexical"] == pytest.approx(
        rare * weight(1, 4, average), rel=1e-5
    )
    assert found["seven nations"]["lexical"] == pytest.approx(2 * rare * weight(1, 2, average), rel=1e-5)
    assert found["a new nation"]["lexical"] == pytest.approx(rare * weight(1, 2, average), rel=1e-5)
    assert "hope" not in found


def test_a_term_counts_by_its_frequency_in_the_paragraph_and_as_often_as_it_is_asked(store, entry, publish):
    publish(store, entry("a", ["seven seven seven years", "years"]))
    want = idf(2, 1) * weight(3, 4, 5 / 2)
    for query, times in (("seven", 1), ("seven Seven sevens", 3)):
        [found] = store.search(Query(query, "", None))
        assert found.scores["lexical"] == pytest.approx(times * want, rel=1e-5)


def test_only_the_rarest_words_are_matched_if_a_query_says_so(store, entry, publish):
    publish(
        store, entry("a", ["seven nations", "seven years", "seven"]), entry("b", ["years of hope", "silence"])
    )
    words = "the seven zyxgu years hope nations"  # in 0, 3, 0, 2, 1 and 1 of the paragraphs
    everything = scores(store.search(Query(words, "", None)))
    assert sorted(everything) == ["seven", "seven nations", "seven years", "years of hope"]
    found = scores(store.search(Query(words, "", None, rarest=2)))
    assert sorted(found) == ["seven nations", "years of hope"]
    alone = scores(store.search(Query("hope nations", "", None)))
    assert {text: row["lexical"] for text, row in found.items()} == {
        text: row["lexical"] for text, row in alone.items()
    }
    three = scores(store.search(Query(words, "silence", None, rarest=3)))  # and within the best document
    assert sorted(three) == ["seven nations", "seven years", "years of hope"]
    with_every = scores(store.search(Query(words, "", None, rarest=2, every=True)))
    assert {text: row["lexical"] for text, row in with_every.items()} == {
        "seven nations": found["seven nations"]["lexical"],
        "seven years": None,
        "seven": None,
        "years of hope": found["years of hope"]["lexical"],
        "silence": None,
    }
    assert not len(store.search(Query("the zyxgu", "", None, rarest=2)))


def test_document_scores_are_bm25_over_title_speaker_and_text(store, entry, publish):
    publish(
        store,
        entry("a", ["four score", "seven years"], title="Gettysburg Address", speaker="Lincoln"),
        entry("b", ["hope"], title="Years of hope", speaker="Lincoln"),
        entry("c", ["silence"]),
    )
    every = Query("", "Lincoln, Gettysburg, years", None, every=True)
    found = scores(store.search(every))
    # 7, 4 ("year hope lincoln hope") and 1 terms.
    average = 12 / 3
    first = (idf(3, 2) + idf(3, 1) + idf(3, 2)) * weight(1, 7, average)
    second = 2 * idf(3, 2) * weight(1, 4, average)
    assert (
        found["four score"]["document"] == found["seven years"]["document"] == pytest.approx(first, rel=1e-5)
    )
    assert found["hope"]["document"] == pytest.approx(second, rel=1e-5)
    assert found["silence"]["document"] is None


def test_paragraphs_that_share_runs_of_words_are_candidates(store, entry, publish):
    publish(
        store, entry("a", ["to be or not to be", "that is the question"]), entry("b", ["or it is not to be"])
    )
    assert not len(store.search(Query("", "", None)))
    found = store.search(Query("", "", None, wording="to be or not to be"))
    assert "to be or not to be" in [candidate.paragraph.text for candidate in found]
    assert "that is the question" not in [candidate.paragraph.text for candidate in found]
    only_b = store.search(Query("", "", None, Filter(documents=("b",)), wording="to be or not to be"))
    assert {candidate.paragraph.document_id for candidate in only_b} <= {"b"}


def test_speakers_and_days_of_documents_come_along(store, entry, publish):
    publish(store, entry("a", ["seven"], speaker="Ann Roe", spoken_on="2001-02-03"), entry("b", ["seven"]))
    found = store.search(Query("seven", "", None))
    assert list(found.speakers) == ["Ann Roe", None]
    assert list(found.spoken_on) == ["2001-02-03", None]


def test_the_speaker_of_a_document_is_not_one_of_its_turns(store, entry, publish):
    turns = ("Ann Roe", "Zoe Chair", "Bob Doe")
    publish(store, entry("a", ["seven", "eight", "nine"], speaker="Zoe Chair", turns=turns))
    assert list(store.search(Query("seven", "", None)).speakers) == ["Zoe Chair"]


def test_dense_scores_are_inner_products(store, entry, encoding, publish):
    said = [f"paragraph {number}" for number in range(20)]
    publish(store, entry("a", said[:11]), entry("b", said[11:]))
    vector = encoding("the query").vector
    want = {text: float(encoding(text).vector @ vector) for text in said}
    found = scores(store.search(Query("", "", vector, depth=5)))
    assert sorted(found) == sorted(sorted(want, key=want.__getitem__)[-5:])
    for text, score in found.items():
        assert score["dense"] == pytest.approx(want[text], abs=1e-6)
        assert (score["lexical"], score["document"]) == (None, None)


def test_a_score_is_missing_only_where_its_stage_was_skipped_or_nothing_matched(
    store, entry, encoding, publish
):
    publish(store, entry("a", ["seven years", "hope"]), entry("b", ["silence"]))
    vector = encoding("the query").vector
    found = scores(store.search(Query("seven", "hope", vector)))
    assert sorted(found) == ["hope", "seven years", "silence"]
    assert None not in (
        found["seven years"]["lexical"],
        found["seven years"]["document"],
        found["hope"]["document"],
    )
    assert found["hope"]["lexical"] is None
    assert found["silence"]["lexical"] is None
    assert found["silence"]["document"] is None
    assert None not in [score["dense"] for score in found.values()]
    assert [score.get("dense") for score in scores(store.search(Query("seven", "hope", None))).values()] == [
        None
    ]
    assert scores(store.search(Query("seven", "", vector)))["seven years"]["document"] is None
    assert scores(store.search(Query("", "seven", vector)))["seven years"]["lexical"] is None


def test_a_candidate_has_all_its_scores_whichever_stage_found_it(store, entry, encoding, publish):
    said = [f"seven {'more ' * number}words" for number in range(12)]
    publish(store, entry("a", said))
    vector = encoding("the query").vector
    every = scores(store.search(Query("seven", "words", vector, every=True)))
    some = scores(store.search(Query("seven", "words", vector, depth=2)))
    assert len(every) == 12
    assert 2 <= len(some) <= 4
    assert some == {text: every[text] for text in some}


def test_scores_depend_on_the_content_alone(place, entry, encoding, publish, tmp_path):
    entries = [entry(name, [f"seven {name}", "the same words"], title=name) for name in ("a", "b", "c")]
    query = Query("seven words", "a b words", encoding("the query").vector)
    store, answers = place.open(), []
    for order in permutations(entries):
        publish(store, *order, fresh=True)
        answers.append(scores_by_place(store.search(query)))
    publish(store, entry("d", ["seven seven words"]), entry("b", ["others"]))
    publish(store, entries[1], delete=["d"])
    answers.append(scores_by_place(store.search(query)))
    assert len(answers[0]) == 6
    assert all(answer == answers[0] for answer in answers)


def scores_by_place(candidates):
    return {(each.paragraph.document_id, each.paragraph.ordinal): each.scores for each in candidates}


# Which paragraphs are candidates


def test_a_candidate_tells_when_its_document_was_spoken(store, entry, publish):
    dated = entry("a", ["seven", "seven years"], spoken_on="1863-11-19")
    publish(store, dated, entry("b", ["seven"]), entry("c", ["seven"], spoken_on="0999-01-02"))
    for every in (False, True):
        found = store.search(Query("seven", "", None, every=every))
        days = {(each.paragraph.document_id, each.paragraph.ordinal): each.spoken_on for each in found}
        assert days == {
            ("a", 0): "1863-11-19",
            ("a", 1): "1863-11-19",
            ("b", 0): None,
            ("c", 0): "0999-01-02",
        }


def test_no_candidate_comes_twice(store, entry, encoding, publish):
    publish(store, *[entry(name, ["seven years", "seven nations", "hope"]) for name in "abc"])
    found = store.search(Query("seven hope", "years", encoding("seven years").vector))
    assert len(found) == 9
    assert len({candidate.paragraph.id for candidate in found}) == 9


def test_depth_is_how_many_paragraphs_a_stage_contributes(store, entry, encoding, publish):
    publish(store, entry("a", ["seven", "seven years", "seven years long", "hope"]))
    for depth in range(4):
        assert (
            texts(store.search(Query("seven", "", None, depth=depth)))
            == [
                "seven",
                "seven years",
                "seven years long",
            ][:depth]
        )
        assert len(store.search(Query("", "", encoding("query").vector, depth=depth))) == depth


def test_the_best_documents_contribute_paragraphs_of_their_own(store, entry, publish):
    publish(
        store,
        entry("a", ["seven", "seven"], title="elsewhere"),
        entry("b", ["seven and much more beside it", "hope"], title="Gettysburg"),
        entry(
            "c", ["seven and even more, said in many other words"], title="Gettysburg, or so they said it was"
        ),
    )
    query = Query("seven", "Gettysburg", None, depth=1, documents=1)
    assert texts(store.search(dataclasses.replace(query, document_text=""))) == ["seven"]
    assert texts(store.search(dataclasses.replace(query, documents=0))) == ["seven"]
    assert texts(store.search(query)) == ["seven", "seven and much more beside it"]


def test_the_best_documents_contribute_their_nearest_paragraphs(store, entry, encoding, publish):
    publish(store, entry("a", ["target", "x"]), entry("b", ["near", "far"], title="Gettysburg"))
    vector = encoding("target").vector
    ours = {text: float(encoding(text).vector @ vector) for text in ("near", "far")}
    found = texts(store.search(Query("", "Gettysburg", vector, depth=1)))
    assert found == sorted(["target", max(ours, key=ours.__getitem__)])


def test_with_every_each_paragraph_that_passes_is_a_candidate(store, entry, publish):
    publish(store, entry("a", ["seven", "years", "hope"]), entry("b", ["silence"]))
    chosen = Query("seven", "", None, Filter(documents=("a",)), depth=1, every=True)
    found = scores(store.search(chosen))
    assert sorted(found) == ["hope", "seven", "years"]
    assert [found[text]["lexical"] is None for text in ("seven", "years", "hope")] == [False, True, True]
    assert texts(store.search(Query("", "", None, every=True))) == ["hope", "seven", "silence", "years"]
    assert list(store.search(NOTHING)) == []


@pytest.mark.parametrize(
    "text",
    [
        '"',
        "seven AND",
        "(seven",
        "field:seven OR +years -hope",
        "seven~2 ye*rs [a TO b]",
        "\\",
        "\x00 \U0001f4ac",
        "^",
    ],
)
def test_a_query_is_free_text(store, entry, publish, text):
    publish(store, entry("a", ["seven years", "hope"]))
    assert len(store.search(Query(text, text, None))) == ("seven" in text) + ("hope" in text)


# Filters


def filled(store, entry, publish):
    publish(
        store,
        entry("a", ["seven a"], speaker="Ann Élan", spoken_on="1999-12-31", collection="x", language="en"),
        entry("b", ["seven b"], speaker="BOB", spoken_on="2000-01-01", collection="X", language="de"),
        entry("c", ["seven c"], speaker="bob", spoken_on="2000-01-02", collection="y", language="en"),
        entry("d", ["seven d"]),
    )


@pytest.mark.parametrize(
    ("filter", "passing"),
    [
        (Filter(), "abcd"),
        (Filter(documents=("b", "d", "unknown")), "bd"),
        (Filter(documents=("unknown",)), ""),
        (Filter(speakers=("Bob",)), "bc"),
        (Filter(speakers=("ann éLAN", "nobody")), "a"),
        (Filter(speakers=("Ann",)), "a"),
        (Filter(speakers=("ELAN, Ann",)), "a"),
        (Filter(speakers=("An",)), ""),
        (Filter(speakers=("-",)), ""),
        (Filter(collections=("x",)), "a"),
        (Filter(collections=("x", "y")), "ac"),
        (Filter(languages=("en",)), "ac"),
        (Filter(since="2000-01-01"), "bc"),
        (Filter(until="2000-01-01"), "ab"),
        (Filter(since="2000-01-01", until="2000-01-01"), "b"),
        (Filter(since="2000-01-02", until="2000-01-01"), ""),
        (Filter(speakers=("bob",), languages=("en",), since="1999-01-01"), "c"),
    ],
)
def test_only_what_passes_the_filter_is_found(store, entry, encoding, publish, filter, passing):
    filled(store, entry, publish)
    vector = encoding("the query").vector
    want = [f"seven {name}" for name in passing]
    for query in (
        Query("seven", "", None, filter),
        Query("", "", vector, filter),
        Query("seven", "seven", vector, filter),
        Query("seven", "seven", None, filter, depth=1, documents=4, every=True),
    ):
        assert texts(store.search(query)) == want


@pytest.mark.parametrize(
    "filter",
    [Filter(documents=("unknown",)), Filter(since="2030-01-01"), Filter(speakers=("nobody",))],
    ids=["documents", "since", "speakers"],
)
def test_a_filter_passes_nothing(store, entry, encoding, publish, filter):
    filled(store, entry, publish)
    vector = encoding("the query").vector
    for query in (
        Query("", "", vector, filter),
        Query("seven", "seven", vector, filter),
        Query("seven", "seven", vector, filter, every=True),
        Query("seven", "seven", vector, filter, wording="seven a seven b"),
    ):
        found = store.search(query)
        assert (len(found), list(found), list(found.documents)) == (0, [], [])


@pytest.mark.parametrize(
    ("limits", "passing"),
    [
        ({}, "abcde"),
        ({"since": "2021-03-01"}, "ab"),
        ({"since": "2021-01-01"}, "abcd"),
        ({"until": "2021-03-31"}, "abd"),
        ({"until": "2021-12-31"}, "abcd"),
        ({"since": "2021-01-01", "until": "2021-03-30"}, "ad"),
    ],
)
def test_a_month_or_a_year_passes_where_all_its_days_do(store, entry, publish, limits, passing):
    dates = {"a": "2021-03-04", "b": "2021-03", "c": "2021", "d": "2021-01-01"}
    entries = [entry(name, [f"seven {name}"], spoken_on=date) for name, date in dates.items()]
    publish(store, *entries, entry("e", ["seven e"]))
    found = store.search(Query("seven", "", None, Filter(**limits)))
    assert texts(found) == [f"seven {name}" for name in passing]
    said = {each.paragraph.document_id: each.spoken_on for each in found}
    assert said == {name: dates.get(name) for name in passing}
    assert {info.id: info.spoken_on for info in store.documents()} == {**dates, "e": None}


def test_a_speaker_is_whoever_holds_the_floor(store, entry, encoding, publish):
    said = ["seven one", "seven two", "seven three", "seven four"]
    debate = entry("a", said, speaker="Ann Roe", turns=(None, "SENATOR KENNEDY", "", "Ann Roe"))
    publish(store, debate, entry("b", ["seven five"], speaker="John F. Kennedy"), entry("c", ["seven six"]))
    assert [info.speakers for info in store.documents()] == [
        ("Ann Roe", "SENATOR KENNEDY"),
        ("John F. Kennedy",),
        (),
    ]
    vector = encoding("the query").vector
    for names, want in {
        ("Kennedy",): ["seven five", "seven two"],
        ("John Kennedy",): ["seven five"],
        ("roe", "senator"): ["seven four", "seven one", "seven two"],
    }.items():
        chosen = Filter(speakers=names)
        for query in (
            Query("seven", "", None, chosen),
            Query("", "", vector, chosen),
            Query("seven", "seven Roe Kennedy", vector, chosen, documents=3),
            Query("", "", None, chosen, every=True),
        ):
            assert texts(store.search(query)) == want


def test_an_office_that_is_certainly_the_speaker_is_found_by_name(store, entry, publish):
    turns = ("THE PRESIDENT", "Q", "THE VICE PRESIDENT")
    publish(
        store,
        entry("a", ["seven a", "b", "c"], title="Remarks by President Roe", speaker="Ann Roe", turns=turns),
    )
    assert [info.speakers for info in store.documents()] == [("Ann Roe", "Q", "THE VICE PRESIDENT")]
    assert texts(store.search(Query("", "", None, Filter(speakers=("roe",)), every=True))) == ["seven a"]
    assert texts(store.search(Query("", "", None, Filter(speakers=("president",)), every=True))) == ["c"]


def test_the_best_documents_contribute_the_turns_of_the_filter_only(store, entry, publish):
    said = ["seven and more words", "others entirely", "seven"]
    publish(store, entry("a", said, title="Gettysburg", turns=("ANN", "BOB", "BOB")))
    query = Query("seven", "Gettysburg", None, Filter(speakers=("bob",)), depth=1)
    assert texts(store.search(query)) == ["seven"]


def test_depth_counts_what_passes_the_filter(store, entry, encoding, publish):
    publish(
        store, entry("a", ["seven"] * 10), entry("b", ["seven and more words", "and others"], language="en")
    )
    chosen = Filter(languages=("en",))
    assert texts(store.search(Query("seven", "", None, chosen, depth=1))) == ["seven and more words"]
    assert len(store.search(Query("", "", encoding("seven").vector, chosen, depth=1))) == 1
    assert texts(store.search(Query("seven", "seven", None, chosen, depth=1, documents=1))) == [
        "seven and more words"
    ]


def test_a_filter_changes_no_score(store, entry, publish):
    filled(store, entry, publish)
    free = scores(store.search(Query("seven b", "seven b", None)))
    kept = scores(store.search(Query("seven b", "seven b", None, Filter(speakers=("bob",)))))
    assert kept == {text: free[text] for text in ("seven b", "seven c")}


# Writing


def test_a_generation_begins_as_a_copy_of_the_published_one(store, entry, publish):
    first = entry("a", ["seven"])
    publish(store, first)
    begun = store.begin(**HASHES)
    assert (begun.state, begun.published, begun.documents, begun.paragraphs) == ("building", False, 1, 1)
    assert (begun.encoder, begun.tokenizer) == ("encoder-1", "tokenizer-1")
    assert store.content_hashes(begun.name) == {"a": first.content_hash}


def test_a_fresh_generation_begins_empty(store, entry, publish):
    publish(store, entry("a", ["seven"]))
    begun = store.begin(**HASHES, fresh=True)
    assert (begun.documents, begun.paragraphs, store.content_hashes(begun.name)) == (0, 0, {})
    store.add(begun.name, [entry("b", ["years"])])
    store.publish(begun.name)
    assert [info.id for info in store.documents()] == ["b"]


def test_an_interrupted_generation_is_taken_up_again(place, entry, publish):
    killed = place.open()
    publish(killed, entry("a", ["seven"]))
    begun = killed.begin(**HASHES)
    killed.add(begun.name, [entry("b", ["years"])])
    place.abandon(killed)
    store = place.open()
    assert store.count() == (1, 1)
    again = store.begin(**HASHES)
    assert (again.name, again.created_at, again.documents) == (begun.name, begun.created_at, 2)
    assert sorted(store.content_hashes(again.name)) == ["a", "b"]
    store.publish(again.name)
    assert store.count() == (2, 2)


def test_one_store_may_take_up_what_it_began(store, entry):
    name = store.begin(**HASHES).name
    store.add(name, [entry("a", ["seven"])])
    assert store.begin(**HASHES).name == name
    assert list(store.content_hashes(name)) == ["a"]


@pytest.mark.parametrize(("fresh", "left"), [(False, ["a"]), (True, [])])
def test_an_interrupted_generation_is_gone_where_nobody_resumes_it(place, entry, publish, fresh, left):
    killed = place.open()
    publish(killed, entry("a", ["seven"]))
    killed.add(killed.begin(**HASHES, fresh=fresh).name, [entry("b", ["years"])])
    place.abandon(killed)
    store = place.open()
    begun = store.begin(**HASHES, fresh=fresh, resume=False)
    assert sorted(store.content_hashes(begun.name)) == left
    assert [each.published for each in store.generations()] == [True, False]
    store.publish(begun.name)
    assert store.count() == (len(left), len(left))


@pytest.mark.parametrize("foreign", [{**HASHES, "encoder": "2"}, {**HASHES, "tokenizer": "2"}])
def test_an_interrupted_generation_of_other_models_is_not_taken_up(place, entry, foreign):
    killed = place.open()
    killed.add(killed.begin(**HASHES).name, [entry("a", ["seven"])])
    place.abandon(killed)
    store = place.open()
    begun = store.begin(**foreign)
    assert (begun.documents, begun.encoder, begun.tokenizer) == (0, foreign["encoder"], foreign["tokenizer"])
    assert len(store.generations()) == 1


def test_an_interrupted_fresh_generation_is_not_mistaken_for_a_copy(place, entry, publish):
    killed = place.open()
    publish(killed, entry("a", ["seven"]))
    killed.add(killed.begin(**HASHES, fresh=True).name, [entry("b", ["years"])])
    place.abandon(killed)
    store = place.open()
    assert list(store.content_hashes(store.begin(**HASHES).name)) == ["a"]


def test_vectors_of_other_models_are_not_copied(store, entry, publish):
    publish(store, entry("a", ["seven"]))
    with pytest.raises(StoreError):
        store.begin(encoder="encoder-2", tokenizer="tokenizer-1")
    assert store.begin(encoder="encoder-2", tokenizer="tokenizer-1", fresh=True).documents == 0


def test_a_second_writer_is_refused(place, entry):
    first, second = place.open(), place.open()
    name = first.begin(**HASHES).name
    with pytest.raises(ArchiveBusy):
        second.begin(**HASHES)
    with pytest.raises(StoreError):
        second.add(name, [entry("a", ["seven"])])
    with pytest.raises(StoreError):
        second.publish(name)
    first.add(name, [entry("b", ["years"])])
    first.publish(name)
    assert second.count() == (1, 1)
    assert second.begin(**HASHES).documents == 1


@pytest.mark.parametrize("act", ["add", "delete", "publish"])
def test_writing_to_what_was_not_begun_is_an_error(store, entry, publish, act):
    name = publish(store, entry("a", ["seven"]))
    for wrong in (name, "unknown"):
        with pytest.raises(StoreError):
            store.publish(wrong) if act == "publish" else getattr(store, act)(wrong, [])
    with pytest.raises(StoreError):
        store.content_hashes("unknown")


def test_a_document_replaces_the_one_of_its_id(store, entry, publish):
    publish(store, entry("a", ["seven", "years", "hope"]), entry("b", ["others"]))
    changed = entry("a", ["seven", "nations"], title="Changed")
    publish(store, changed)
    assert store.count() == (2, 3)
    assert store.get("a") == (changed.document, changed.paragraphs)
    assert texts(store.search(Query("", "", None, every=True))) == ["nations", "others", "seven"]
    assert store.document_frequency(["hope", "nations", "seven"]) == [0, 1, 1]


def test_the_last_of_several_documents_of_one_id_is_kept(store, entry, publish):
    publish(store, entry("a", ["seven"]), entry("a", ["years", "hope"]))
    assert store.count() == (1, 2)
    assert texts(store.search(Query("", "", None, every=True))) == ["hope", "years"]


def test_adding_again_changes_nothing(store, entry, publish):
    same = [entry("a", ["seven", "years"]), entry("b", ["hope"])]
    publish(store, *same)
    before = store.search(Query("seven", "seven", None))
    publish(store, *same)
    assert store.count() == (2, 3)
    assert scores_by_place(store.search(Query("seven", "seven", None))) == scores_by_place(before)


def test_all_entries_or_none_are_added(store, entry):
    name = store.begin(**HASHES).name
    store.add(name, [entry("a", ["seven"])])

    def interrupted():
        yield entry("a", ["changed"])
        yield entry("b", ["years"])
        raise InterruptedError

    with pytest.raises((InterruptedError, StoreError)):
        store.add(name, interrupted())
    good, bad = entry("c", ["hope"]), entry("d", ["one", "two"])
    with pytest.raises(StoreError):
        store.add(name, [good, dataclasses.replace(bad, encodings=bad.encodings[:1])])
    assert store.content_hashes(name) == {"a": entry("a", ["seven"]).content_hash}
    store.publish(name)
    assert texts(store.search(Query("", "", None, every=True))) == ["seven"]


def test_an_entry_that_contradicts_itself_is_refused(store, entry):
    name = store.begin(**HASHES).name
    good = entry("a", ["seven", "years"])
    wide = dataclasses.replace(good.encodings[0], vector=np.ones(9, np.float32))
    blank = dataclasses.replace(good.encodings[0], vector=np.full(8, np.nan, np.float32))
    for bad in (
        dataclasses.replace(good, paragraphs=good.paragraphs[::-1]),
        dataclasses.replace(good, paragraphs=entry("b", ["seven", "years"]).paragraphs),
        dataclasses.replace(good, encodings=(wide, good.encodings[1])),
        dataclasses.replace(good, encodings=(blank, good.encodings[1])),
        entry("a", ["seven"], spoken_on="in the spring"),
    ):
        with pytest.raises(StoreError):
            store.add(name, [bad])
    assert store.content_hashes(name) == {}


def test_a_document_with_an_invalid_date_is_named(store, entry):
    name = store.begin(**HASHES).name
    with pytest.raises(DocumentRefused, match="'2021-02-30' is not a date") as caught:
        store.add(name, [entry("a", ["seven"]), entry("b", ["eight"], spoken_on="2021-02-30")])
    assert caught.value.document_id == "b"
    assert store.content_hashes(name) == {}


def test_a_vector_of_another_width_finds_nothing_but_an_error(store, entry, publish):
    publish(store, entry("a", ["seven"]))
    for every in (False, True):
        with pytest.raises(StoreError):
            store.search(Query("seven", "", np.ones(9, np.float32), every=every))


def test_deleted_documents_are_gone_and_unknown_ones_no_error(store, entry, publish):
    publish(store, entry("a", ["seven"]), entry("b", ["seven years"]))
    name = store.begin(**HASHES).name
    store.delete(name, ["a", "unknown", "a"])
    store.delete(name, [])
    assert list(store.content_hashes(name)) == ["b"]
    assert store.count() == (2, 2)
    store.publish(name)
    assert (store.count(), store.get("a"), store.document_frequency(["seven"])) == ((1, 1), None, [1])
    assert texts(store.search(Query("seven", "", None))) == ["seven years"]


# Encodings


def test_encodings_are_given_for_equal_texts_only(store, entry, encoding, publish):
    publish(store, entry("a", ["seven", "years"]))
    name = store.begin(**HASHES).name
    store.add(name, [entry("b", ["hope"])])
    asked = [entry("x", [text]).paragraphs[0].hash_text() for text in ("seven", "hope", "seven ", "unknown")]
    found = store.encodings(name, [*asked, asked[0], "no hash"])
    assert sorted(found) == sorted(asked[:2])
    for digest, text in zip(asked, ("seven", "hope"), strict=False):
        want = encoding(text)
        np.testing.assert_array_equal(found[digest].vector, want.vector, strict=True)
        for field in ("ids", "starts", "ends"):
            np.testing.assert_array_equal(
                getattr(found[digest].tokens, field), getattr(want.tokens, field), strict=True
            )
    assert store.encodings(name, []) == {}


def test_a_fresh_generation_may_reuse_encodings_of_the_published_one(store, entry, publish):
    publish(store, entry("a", ["seven"]))
    digest = entry("a", ["seven"]).paragraphs[0].hash_text()
    assert list(store.encodings(store.begin(**HASHES, fresh=True).name, [digest])) == [digest]


@pytest.mark.parametrize("foreign", [{**HASHES, "encoder": "2"}, {**HASHES, "tokenizer": "2"}])
def test_encodings_of_other_models_are_not_given(store, entry, publish, foreign):
    publish(store, entry("a", ["seven"]))
    digest = entry("a", ["seven"]).paragraphs[0].hash_text()
    assert store.encodings(store.begin(**foreign, fresh=True).name, [digest]) == {}


# The life of a generation


def test_readers_see_a_generation_when_it_is_published_and_not_before(place, entry, publish):
    reader, writer = place.open(), place.open()
    publish(writer, entry("a", ["seven"]))
    assert reader.count() == (1, 1)
    name = writer.begin(**HASHES).name
    writer.add(name, [entry("b", ["seven years"])])
    writer.delete(name, ["a"])
    for store in (reader, writer):
        assert [info.id for info in store.documents()] == ["a"]
        assert texts(store.search(Query("seven", "", None))) == ["seven"]
    writer.publish(name)
    for store in (reader, writer):
        assert [info.id for info in store.documents()] == ["b"]
        assert texts(store.search(Query("seven", "", None))) == ["seven years"]


def test_publishing_releases_the_lock(place, entry, publish):
    publish(place.open(), entry("a", ["seven"]))
    publish(place.open(), entry("b", ["years"]))
    assert place.open().count() == (2, 2)


def test_what_is_published_is_told_with_what_it_holds(place, entry, publish):
    writer, reader = place.open(), place.open()
    assert reader.published() is None
    first = publish(writer, entry("a", ["seven", "years"]))
    writer.begin(**HASHES)
    published = reader.published()
    assert (published.name, published.published, published.documents, published.paragraphs) == (
        first,
        True,
        1,
        2,
    )
    assert published in reader.generations()


def test_generations_are_listed_with_what_they_hold(place, entry, publish):
    store = place.open()
    assert store.generations() == []
    first = publish(store, entry("a", ["seven", "years"]))
    second = publish(store, entry("b", ["hope"]))
    third = store.begin(**HASHES).name
    store.add(third, [entry("c", ["silence"])])
    for each in (store, place.open()):
        assert [
            (found.name, found.state, found.published, found.documents, found.paragraphs)
            for found in each.generations()
        ] == [(first, "ready", False, 1, 2), (second, "ready", True, 2, 3), (third, "building", False, 3, 4)]
    assert {found.encoder for found in store.generations()} == {"encoder-1"}


def test_content_hashes_are_told_of_ready_generations_too(store, entry, publish):
    first = publish(store, entry("a", ["seven"]))
    publish(store, entry("b", ["years"]))
    assert list(store.content_hashes(first)) == ["a"]


def test_rollback_publishes_the_generation_before(place, entry, publish):
    store = place.open()
    first, second, third = (publish(store, entry(name, ["seven"])) for name in "abc")
    back = store.rollback()
    assert (back.name, back.state, back.published, back.documents) == (second, "ready", True, 2)
    assert store.count() == place.open().count() == (2, 2)
    assert store.rollback().name == first
    with pytest.raises(StoreError):
        store.rollback()
    assert store.count() == (1, 1)
    assert [found.published for found in store.generations()] == [True, False, False]
    fourth = publish(store, entry("d", ["years"]))
    assert names(store.generations()) == [first, second, third, fourth]
    assert [info.id for info in store.documents()] == ["a", "d"]


def test_rollback_goes_back_to_what_the_published_generation_began_from(place, entry, publish):
    store = place.open()
    first = publish(store, entry("a", ["good"]))
    withdrawn = publish(store, entry("a", ["bad"]))
    store.rollback()
    third = publish(store, entry("b", ["years"]))
    assert store.rollback().name == first
    store.rollback(third)
    publish(store, entry("c", ["hope"]))
    assert store.prune(3) == [first]
    assert store.rollback().name == third
    with pytest.raises(NoSuchGeneration):
        store.rollback()
    assert withdrawn in names(store.generations())
    assert [each.name for each in store.generations() if each.published] == [third]


def test_an_empty_name_is_the_name_of_no_generation(store, entry, publish):
    first, second = (publish(store, entry(name, ["seven"])) for name in "ab")
    for use in (store.rollback, store.view):
        with pytest.raises(NoSuchGeneration, match="there is no generation ''"):
            use("")
    assert store.published().name == second != first


@pytest.fixture
def withhold(store, entry):
    """Completes a generation that is not published."""

    def withhold(name, *, fresh=False):
        withheld = store.begin(**HASHES, fresh=fresh).name
        store.add(withheld, [entry(name, ["withheld"])])
        store.complete(withheld)
        store.close()
        return withheld

    return withhold


def test_rollback_of_a_fresh_generation_goes_to_the_one_that_readers_saw(
    place, store, entry, publish, withhold
):
    first, second = publish(store, entry("a", ["one"])), publish(store, entry("b", ["two"]))
    withheld = [withhold("c"), withhold("d")]
    fresh = publish(store, entry("e", ["five"]), fresh=True)
    assert store.prune(3) == [first]  # and not the one that a rollback goes to
    assert names(store.generations()) == [second, *withheld, fresh]
    after = publish(store, entry("f", ["six"]))
    assert place.open().rollback().name == fresh
    assert place.open().rollback().name == second
    assert [info.id for info in place.open().documents()] == ["a", "b"]
    assert names(store.generations()) == [second, *withheld, fresh, after]


def test_rollback_of_a_withheld_fresh_generation_goes_to_the_one_that_readers_saw(
    store, entry, publish, withhold
):
    first = publish(store, entry("a", ["one"]))
    withhold("b")
    fresh = withhold("c", fresh=True)
    assert store.rollback(fresh).name == fresh
    assert store.rollback().name == first
    with pytest.raises(NoSuchGeneration):
        store.rollback()
    assert store.published().name == first


def test_what_a_rollback_goes_to_is_not_removed(store, entry, publish):
    first, *bad = (publish(store, entry(name, ["seven"])) for name in "abc")
    store.rollback()
    store.rollback()
    publish(store, entry("d", ["years"]))
    assert store.prune(3) == []
    assert store.prune(2) == [bad[0]]
    assert store.rollback().name == first


def test_a_generation_is_not_published_over_a_rollback(place, entry, publish):
    store = place.open()
    first, second = (publish(store, entry(name, ["seven"])) for name in "ab")
    third = store.begin(**HASHES).name
    store.add(third, [entry("c", ["years"])])
    assert place.open().rollback().name == first
    with pytest.raises(Overtaken, match=f"{second}.*not published any more"):
        store.publish(third)
    store.close()
    assert place.open().count() == (1, 1)
    publish(store, entry("c", ["years"]))
    assert [info.id for info in place.open().documents()] == ["a", "c"]
    assert store.rollback().name == first


def test_rollback_publishes_the_ready_generation_that_is_named(place, entry, publish):
    store = place.open()
    first, second, third = (publish(store, entry(name, ["seven"])) for name in "abc")
    assert store.rollback(first).name == first
    assert place.open().count() == (1, 1)
    assert store.rollback(third).documents == 3
    assert store.rollback(third).published
    unfinished = store.begin(**HASHES).name
    for wrong in (unfinished, "000099", "../000001", "unknown", ""):
        with pytest.raises(StoreError):
            place.open().rollback(wrong)
    assert [found.published for found in store.generations()] == [False, False, True, False]
    assert place.open().count() == (3, 3)
    assert texts(place.open().search(Query("seven", "", None))) == ["seven"] * 3
    assert names(store.generations()) == [first, second, third, unfinished]


def test_rollback_without_an_earlier_generation_is_an_error(store, entry, publish):
    with pytest.raises(StoreError):
        store.rollback()
    publish(store, entry("a", ["seven"]))
    with pytest.raises(StoreError):
        store.rollback()
    assert store.count() == (1, 1)


def test_rollback_does_not_wait_for_a_writer(place, entry, publish):
    store = place.open()
    first, _ = (publish(store, entry(name, ["seven"])) for name in "ab")
    store.begin(**HASHES)
    assert place.open().rollback().name == first
    assert store.count() == (1, 1)


def test_a_complete_generation_is_read_by_a_view_and_by_no_reader(place, entry, publish):
    writer, reader = place.open(), place.open()
    first = publish(writer, entry("a", ["moon"]))
    name = writer.begin(**HASHES).name
    writer.add(name, [entry("b", ["sun and moon"])])
    writer.complete(name)

    view = writer.view(name)

    assert (view.published().name, view.published().state, view.count()) == (name, "ready", (2, 2))
    assert texts(view.search(Query("moon", "", None))) == ["moon", "sun and moon"]
    assert (reader.published().name, reader.count()) == (first, (1, 1))
    with pytest.raises(ArchiveBusy):
        place.open().begin(**HASHES)
    writer.publish(name)
    assert (reader.published().name, reader.count()) == (name, (2, 2))
    assert place.open().view(first).count() == (1, 1)


def test_a_complete_generation_that_is_not_published_stays_ready(place, entry, publish):
    store = place.open()
    first = publish(store, entry("a", ["moon"]))
    name = store.begin(**HASHES).name
    store.add(name, [entry("b", ["sun"])])
    store.complete(name)
    store.close()

    assert [(each.name, each.state, each.published) for each in store.generations()] == [
        (first, "ready", True),
        (name, "ready", False),
    ]
    third = publish(store, entry("c", ["star"]))
    assert third > name
    assert [info.id for info in store.documents()] == ["a", "c"]
    assert store.rollback(name).name == name
    assert [info.id for info in store.documents()] == ["a", "b"]


def test_nothing_is_written_to_a_complete_generation_or_through_a_view(store, entry, publish):
    first = publish(store, entry("a", ["moon"]))
    name = store.begin(**HASHES).name
    store.add(name, [entry("b", ["sun"])])
    store.complete(name)

    with pytest.raises(StoreError):
        store.add(name, [entry("c", ["star"])])
    with pytest.raises(StoreError):
        store.view(first).begin(**HASHES)
    with pytest.raises(NoSuchGeneration):
        store.view("999999")


def test_a_complete_generation_is_not_published_over_a_rollback(place, entry, publish):
    store = place.open()
    first, second = publish(store, entry("a", ["moon"])), publish(store, entry("b", ["sun"]))
    name = store.begin(**HASHES).name
    store.add(name, [entry("c", ["star"])])
    store.complete(name)
    place.open().rollback(first)

    with pytest.raises(Overtaken):
        store.publish(name)
    assert store.published().name == first != second


def test_prune_keeps_the_newest_ready_generations(store, entry, publish):
    assert store.prune(1) == []
    first, second, third = (publish(store, entry(name, ["seven"])) for name in "abc")
    fourth = store.begin(**HASHES).name
    assert store.prune(3) == []
    assert store.prune(2) == [first]
    assert names(store.generations()) == [second, third, fourth]
    store.add(fourth, [entry("d", ["years"])])
    store.publish(fourth)
    assert store.prune(1) == [second, third]
    assert store.count() == (4, 4)


def test_prune_never_removes_the_published_generation(store, entry, publish):
    first, second, third = (publish(store, entry(name, ["seven"])) for name in "abc")
    store.rollback()
    store.rollback()
    assert store.prune(1) == [second]
    assert store.prune(0) == [third]
    assert names(store.generations()) == [first]
    assert store.count() == (1, 1)


def test_a_generation_published_after_all_was_pruned_is_seen(place, entry, publish):
    reader, writer = place.open(), place.open()
    publish(writer, entry("a", ["seven"]))
    publish(writer, entry("b", ["years"]))
    assert reader.count() == (2, 2)
    writer.rollback()
    writer.prune(0)
    publish(writer, entry("c", ["hope"]), entry("d", ["silence"]))
    assert [info.id for info in reader.documents()] == ["a", "c", "d"]


def test_a_closed_store_lets_others_write_and_can_be_used_again(store, place, entry, publish):
    store.begin(encoder="e", tokenizer="t")
    store.close()
    other = place.open()
    other.begin(encoder="e", tokenizer="t")
    other.close()
    publish(store, entry("a", ["seven"]))
    assert store.count() == (1, 1)
