"""The last words of a draft as words of the quote, and names as they are written."""

import numpy as np
import pytest

from quotations.text.kept_words import find_names
from reranker.models.wordpieces import DraftPieces
from reranker.signals import Context
from reranker.signals.announced_words import ANNOUNCED, CHANCE
from reranker.signals.begun_sentence import BEGUN, SKIPPED, VERBATIM, score_begun
from reranker.signals.shared_names import NAMES
from rostrum_core.candidates import make_columns
from rostrum_core.types import Candidate, Draft, Paragraph, Tokens

RARITY = {"a": 1.0, "b": 2.0, "c": 3.0}


@pytest.mark.parametrize(
    ("asked", "words", "expected"),
    [
        ("a b c", "a b c", 6 - 3),
        ("a b c", "x a b c y", 6 - 3),
        ("a c", "a x c", 4 - SKIPPED - 3),
        ("a x c", "a c", 4 - SKIPPED - 3),
        ("a b c", "c b a", 0.0),  # no two in order
        ("c", "c", 0.0),  # one word is for BM25
        ("a b", "a x x x x x b", 0.0),
        ("a b", "", 0.0),
    ],
)
def test_words_in_order_count_without_the_rarest(asked, words, expected):
    assert score_begun(asked.split(), RARITY, words.split()) == pytest.approx(expected)


def context(draft: Draft, texts: list[str]) -> Context:
    """Candidates whose every word is a piece that the draft has."""
    piece, nothing = np.array([1], np.int32), np.zeros(0, np.int32)
    rows = [
        Candidate(Paragraph(str(i), "a", i, text, 0, len(text)), Tokens(piece, nothing, nothing), {})
        for i, text in enumerate(texts)
    ]
    return Context(make_columns(rows), draft, DraftPieces(piece, nothing))


TEXTS = [
    "I have never been a quitter. To leave office before my term is completed is abhorrent to me.",
    "The office of the President is open to all.",
    *["Nothing of the kind was ever said by anyone."] * 58,
]
LEAD = "He would rather have stayed and fought it out, he told his aides that night."
LEFT = "He would rather have stayed and fought it out. But to leave office before his term was completed"


def test_a_begun_sentence_finds_its_paragraph_in_another_tense():
    column = BEGUN.column(context(Draft(left=LEFT), TEXTS))
    assert column is not None
    assert column[0] > 3
    assert not column[1:].any()


@pytest.mark.parametrize(
    ("left", "is_first"),
    [
        (f'{LEAD} He said: "to leave office before my term', True),
        (f"{LEAD} He said: “To leave office before my term", True),
        (f'{LEAD} "No," he said, and to leave office before my term', False),  # no mark is open
        (f'{LEAD} He said: "to leave my office before the term', False),  # not his words
        (f'{LEAD} He said: "leave office', False),  # too few
    ],
)
def test_words_after_an_opened_quotation_mark_are_those_of_the_quote(left, is_first):
    column = BEGUN.column(context(Draft(left=left), TEXTS))
    assert column is not None
    assert (column[0] >= VERBATIM) == is_first
    assert column[1:].max() < VERBATIM


@pytest.mark.parametrize("end", [".", "?", '!"', ".”"])
def test_a_draft_that_ends_with_a_whole_sentence_has_begun_none(end):
    assert BEGUN.column(context(Draft(left=LEFT + end), TEXTS)) is None


def test_three_dots_leave_a_sentence_open():
    assert BEGUN.column(context(Draft(left=LEFT + " ..."), TEXTS)) is not None


def test_the_words_of_an_open_sentence_count_by_their_rarity():
    column = ANNOUNCED.column(
        context(Draft(left="We met them all on that day. Asked about the quitter in office, he said:"), TEXTS)
    )
    assert column is not None
    quitter, office = np.log(60 / 2), np.log(60 / 3)
    assert column[:2] == pytest.approx([quitter + office - CHANCE, max(0.0, office - CHANCE)])
    assert not column[2:].any()


def test_a_whole_sentence_announces_no_words():
    assert (
        ANNOUNCED.column(
            context(Draft(left="We met them all on that day. He was asked about the office."), TEXTS)
        )
        is None
    )


def test_a_query_has_no_begun_sentence():
    assert BEGUN.column(context(Draft(left="leave office before"), TEXTS)) is None


def test_names_count_as_they_are_written():
    texts = ["The crew of the Challenger honored us.", "We face a challenge.", *["It is late."] * 58]
    column = NAMES.column(context(Draft(title="Challenger, forty years on"), texts))
    assert column is not None
    assert column.tolist() == [pytest.approx(np.log(60 / 2)), *[0.0] * 59]


def test_a_capitalised_word_is_a_name():
    assert find_names("Reagan’s speech at Pointe du Hoc, of 1984") == {"reagan", "pointe", "hoc"}


@pytest.mark.parametrize(
    "left",
    [
        "He told them that to leave office before his term was completed was abhorrent. Then he went on:",
        "Of things to come in the old town of his youth, he told every aide in the office of the President,",
    ],
)
def test_a_sentence_before_the_last_one_and_who_speaks_are_not_begun(left):
    column = BEGUN.column(context(Draft(left=left), TEXTS))
    assert column is not None
    assert not column.any()


def test_a_sentence_is_begun_around_the_words_that_say_who_speaks():
    left = f"{LEAD} To leave office, the tired man told the nation at nine, before his term was completed"
    column = BEGUN.column(context(Draft(left=left), TEXTS))
    assert column is not None
    assert column[0] > 3
