"""Repeats of a text are looked up in a store: short sentences together, long stored paragraphs in part."""

import pytest

from embedded.store import EmbeddedStore
from jobs.repeats.freshness import judge_freshness
from jobs.repeats.job import LONGEST_TEXT, find_repeats, split_queries
from rostrum_core.errors import BadInput
from rostrum_core.types import Answer, DocumentInfo, Recommendation, Span

SHORT = "We came. We saw. We won. The river rose. Nobody slept. Morning broke."
LINE = "Ask not what your country can do for you, ask what you can do for your country."
LONG = f"{'x' * 30_000} {LINE}"  # a word that no one can split


@pytest.fixture
def store(tmp_path) -> EmbeddedStore:
    return EmbeddedStore(tmp_path / "archive")


def test_short_sentences_are_looked_up_together(store, publish, entry) -> None:
    publish(store, entry("other", ["It rained.", f"He said: {SHORT} We cheered."]), entry("none", ["No."]))
    (repeat,) = find_repeats(SHORT, store)
    assert (repeat.document, repeat.paragraph, repeat.words) == ("other", 1, SHORT.rstrip("."))


@pytest.mark.parametrize(
    ("text", "queries"),
    [
        ("", []),
        ("We came. We saw.", []),
        ("We came. We saw. We won.", ["We came. We saw. We won."]),
        ("We came. We saw. We won. Good.", ["We came. We saw. We won. Good."]),
        (f"Good. {LINE} Thank you. {LINE}", [f"Good. {LINE}", f"Thank you. {LINE}"]),
    ],
)
def test_each_query_has_six_words(text, queries) -> None:
    assert split_queries(text) == queries


def test_words_without_full_stops_are_looked_up_in_several_queries() -> None:
    words = [f"word{number}" for number in range(450)]
    queries = split_queries(" ".join(words))
    assert [len(query.split()) for query in queries] == [150, 150, 150]
    assert " ".join(query.strip() for query in queries).split() == words


def test_a_long_stored_paragraph_is_looked_up_around_its_quote(store, publish, entry) -> None:
    publish(store, entry("times", [f"He said: {LINE}"]))
    speech = entry("oath", [LONG])
    span = Span(LONG.index(LINE), len(LONG), 1.0)
    item = Recommendation(1, speech.paragraphs[0], DocumentInfo("oath", ""), (span,), {})
    fresh = judge_freshness(Answer((item,), 1), lambda text: find_repeats(text, store), "show", 1)
    ((repeat,),) = fresh.printed
    assert repeat.document == "times"
    assert LONG[repeat.own_start_char : repeat.own_end_char] == LINE.rstrip(".")


def test_a_long_text_of_a_user_is_refused(store) -> None:
    with pytest.raises(BadInput, match="more than 20,000 characters"):
        find_repeats("x" * (LONGEST_TEXT + 1), store)


def test_a_refrain_of_the_own_document_hides_no_repeat(store, publish, entry) -> None:
    refrain = [f"{LINE} So it was in the year {1900 + number}." for number in range(40)]
    publish(store, entry("anthem", refrain), entry("zcopy", [f"As they sing: {LINE}"]))
    repeats = find_repeats(LINE, store, except_document="anthem")
    assert [repeat.document for repeat in repeats] == ["zcopy"]
