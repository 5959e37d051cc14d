"""The words that a query asks for are marked, whatever else the paragraph has that is worth quoting."""

import pytest

from jobs.recommend.asked_words import has_line, mark_asked, mark_continued, read_continued, read_line
from reranker.signals.word_forms import read_forms
from rostrum_core.types import Draft, Span

TEXT = (
    "We are a nation of many. For we know that our patchwork heritage is a strength, not a weakness. "
    "Will we fail? We shall overcome!"
)
LINE = "the sea gives back what the river took and nobody thanks the sea for it"
LONG = (
    "The tide rose "
    + "and rose again " * 12
    + "until the harbor was full; and then she told us that the wall"
    " had to go" + " before the spring came back to us" * 3 + "."
)


def mark(query: str, marked: str, text: str = TEXT) -> str:
    start = text.index(marked)
    span = mark_asked(read_forms(query), text, Span(start, start + len(marked), 1.0))
    return text[span.start_char : span.end_char]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("patchwork heritage", "For we know that our patchwork heritage is a strength, not a weakness"),
        (
            "patchwrok heritage is weakness",
            "For we know that our patchwork heritage is a strength, not a weakness",
        ),
        ("will we fail", "Will we fail?"),
        ("we shall overcome", "We shall overcome!"),
    ],
)
def test_the_sentence_with_the_words_is_marked_if_the_span_lacks_them(query, words):
    assert mark(query, "We are a nation of many") == words


def test_a_span_that_has_the_words_stays():
    assert (
        mark("patchwork heritage", "our patchwork heritage is a strength")
        == "our patchwork heritage is a strength"
    )


@pytest.mark.parametrize("query", ["the moon", "heritage of moons and stars and seas", ""])
def test_a_span_stays_if_no_sentence_has_most_of_the_words(query):
    assert mark(query, "We are a nation of many") == "We are a nation of many"


def test_of_a_long_sentence_the_part_with_the_words_is_marked():
    assert mark("the wall had to go", "The tide rose", LONG).startswith(
        "and then she told us that the wall had to go"
    )


def test_sentences_in_a_row_are_marked_if_a_line_goes_over_their_ends():
    text = "Go. There is no village problem. There is no city problem. There is only a problem of us."
    line = "There is no village problem, no city problem, there is only a problem of us"
    assert mark(line, "Go", text) == (
        "There is no village problem. There is no city problem. There is only a problem of us"
    )
    assert mark("no city problem", "Go", text) == "There is no city problem"


@pytest.mark.parametrize(
    ("draft", "is_line"),
    [
        (Draft(left=LINE), True),
        (Draft(title=LINE), True),
        (Draft("On the sea", LINE), True),
        (Draft(left=f"{LINE}:"), False),  # announces the quote
        (Draft(left=LINE, right="So she said."), False),
        (Draft(left=f"She told them that {LINE}"), False),
        (Draft(left="the sea gives back"), False),  # a query
        (Draft(left=f"{LINE} {LINE} {LINE}"), False),
    ],
)
def test_a_remembered_line_is_longer_than_a_query_and_shorter_than_a_story(draft, is_line):
    assert bool(read_line(draft)) == is_line


def test_a_text_has_a_line_if_it_has_most_of_its_words_in_order():
    words = read_forms(LINE)
    assert has_line(words, "Go. The sea gives back what the river took, and nobody thanks the sea for this.")
    assert not has_line(words, "The river took the boat. It was for the sea that nobody gave a thing back.")


@pytest.mark.parametrize(
    ("left", "words"),
    [
        ("The dam held. She hoped that we shall overcome", ""),  # too few of its words
        ("The dam held. We shall overcome, she said,", "we shall overcome"),
        ("Then he said that our patchwork heritage is a strength and", ""),
        ("Then he said that our patchwork heritage is a", "that our patchwork heritage is a"),
        ("“Our patchwork heritage is a strength,” he said,", ""),  # quoted already
        ("We shall overcome.", ""),
        ("He spoke for the people of the United States:", ""),
    ],
)
def test_a_sentence_that_a_draft_begins_is_continued_by_a_text_with_its_words(left, words):
    text = f"{TEXT} He came for the people of the United States."
    assert " ".join(read_continued(left, text)) == words


def test_the_sentence_that_a_draft_begins_is_marked_and_a_long_one_from_there_on():
    span = mark_continued(["until", "the", "harbor", "was", "full"], LONG, Span(0, 13, 1.0))
    assert LONG[span.start_char : span.end_char].startswith("until the harbor was full; and then she told us")
    span = mark_continued(["our", "patchwork", "heritage", "is", "a"], TEXT, Span(0, 10, 1.0))
    assert TEXT[span.start_char : span.end_char].startswith("For we know that our patchwork heritage")
    assert mark_continued(["we", "fail"], TEXT, Span(0, len(TEXT), 1.0)) == Span(0, len(TEXT), 1.0)
