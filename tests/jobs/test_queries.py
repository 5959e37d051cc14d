"""A draft becomes queries of the words that say most."""

import pytest

from embedded.lexical import LexicalIndex
from jobs.recommend.queries import (
    MOST_ASKED,
    MOST_WORDS,
    build_document_query,
    build_paragraph_query,
    list_terms,
    prune_query,
)
from opensearch.queries import MOST_TERMS
from rostrum_core.types import Draft


class Frequencies:
    """A store that knows how often each word occurs."""

    def __init__(self, **known: int) -> None:
        self.known = known

    def document_frequency(self, words):
        return [self.known.get(word, 0) for word in words]


def test_paragraphs_are_matched_with_the_title_and_the_last_forty_words():
    left = " ".join(f"w{i}" for i in range(100))
    words = build_paragraph_query(Draft("The title", left)).split()
    assert words == ["the", "title", *(f"w{i}" for i in range(60, 100))]


def test_paragraphs_are_matched_with_the_first_twenty_words_after_the_quote_too():
    right = " ".join(f"r{i}" for i in range(50))
    words = build_paragraph_query(Draft("Title", "before", right)).split()
    assert words == ["title", "before", *(f"r{i}" for i in range(20))]


def test_documents_are_matched_with_all_that_stands_before_the_quote():
    assert build_document_query(Draft("Title", "all of it")) == "Title all of it"
    assert build_document_query(Draft("", "all of it")) == "all of it"


def test_of_a_very_long_draft_the_thousand_words_said_most_are_asked_for_as_often_as_they_are_said():
    left = " ".join(["Often", *(f"w{i}" for i in range(1_200)), "often w1199"])
    asked = build_document_query(Draft("The title", left))
    expected = ["the", "title", "often", *(f"w{i}" for i in range(996)), "w1199", "often", "w1199"]
    assert asked.split() == expected
    assert len(set(expected)) == MOST_WORDS <= MOST_TERMS  # which OpenSearch's store asks for at most


def test_the_rarest_terms_are_kept_once_each_in_their_order():
    store = Frequencies(moon=3, rocket=1, nation=50, the=900)
    assert prune_query("The Moon, the rocket; the nation. Moon!", store, most=2) == "moon rocket"


@pytest.mark.parametrize(
    "said",
    [
        "स्वतंत्रता हमारा जन्मसिद्ध अधिकार है",
        "مُحَمَّدٌ رَسُولٌ",
        "בְּרֵאשִׁית בָּרָא",
        "விடுதலை எங்கள் உரிமை",
        "ไม่มีอะไรต้องกลัว",
        "We can't say caf\u00e9 50 times",
    ],
)
def test_words_of_every_script_are_asked_for_as_the_archive_has_them(said):
    index = LexicalIndex.in_memory([said, "another paragraph"])
    assert 0 not in index.document_frequency([each for each in list_terms(said) if each != "t"])
    whole, asked = index.score_texts(said), index.score_texts(build_paragraph_query(Draft("", said)))
    assert asked == pytest.approx(whole)


def test_of_a_text_without_spaces_no_more_terms_are_looked_up_than_a_draft_can_need():
    asked = []

    class Counting(Frequencies):
        def document_frequency(self, words):
            asked.extend(words)
            return super().document_frequency(words)

    left = ",".join(f"w{i}" for i in range(30_000))
    assert prune_query(build_paragraph_query(Draft("Title", left)), Counting(w29999=1, w0=1)) == "w29999"
    assert len(asked) == MOST_ASKED


def test_terms_that_the_archive_does_not_know_are_left_out():
    assert prune_query("moon zyxgu", Frequencies(moon=3)) == "moon"
    assert prune_query("zyxgu", Frequencies()) == ""


def test_half_an_emoji_parts_words_and_breaks_nothing():
    assert list_terms("moon \ud83d landing") == ["moon", "landing"]


def test_what_runs_on_without_a_gap_is_cut_into_words_that_a_store_takes():
    assert list_terms("_".join(f"w{i}" for i in range(3))) == ["w0", "w1", "w2"]
    marked = "क्" * 600  # a letter and a sign at which the analysers part
    assert max(map(len, list_terms(marked))) == 200
    assert list_terms(marked)[0] * 6 == marked
