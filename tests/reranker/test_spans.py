"""A span is never empty, never cuts a word, and never leaves its paragraph."""

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from archive.shipped_files import locate_shipped
from reranker.models.wordpieces import WORD, WordPieces
from reranker.spans import choose_span, choose_spans, compute_length_prior
from rostrum_core.types import Placing, Span, Tokens

PIECES = WordPieces(locate_shipped("models/tokenizer.json"))


def tokens(*pieces: tuple[int, int]) -> Tokens:
    starts, ends = zip(*pieces, strict=True)
    return Tokens(*(np.array(x, np.int32) for x in (range(len(pieces)), starts, ends)))


def edges(*logits: tuple[float, float]) -> np.ndarray:
    return np.array(logits, np.float32)


def by_edges(text: str, pieces: Tokens, logits: np.ndarray) -> Span:
    """The best span, whatever its length."""
    return choose_span(text, pieces, logits, length_weight=0)


def words(count: int) -> tuple[str, Tokens]:
    """A text of so many words of one letter, each a piece."""
    return " ".join("a" * count), tokens(*((2 * i, 2 * i + 1) for i in range(count)))


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200), st.integers(0, 2**32 - 1))
def test_any_text_and_any_logits_give_whole_words_inside_the_paragraph(text, seed):
    text = text or "x"
    pieces = PIECES.tokenise([text])[0]
    logits = np.random.default_rng(seed).normal(size=(len(pieces), 2)).astype(np.float32)
    span = choose_span(text, pieces, logits)
    assert 0 <= span.start_char < span.end_char <= len(text)
    for edge in (span.start_char, span.end_char):
        assert not (text[edge - 1 : edge].isalnum() and text[edge : edge + 1].isalnum())


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text("a1 -'.,&%$\n", min_size=1, max_size=30), max_size=6), st.integers(0, 2**32 - 1))
def test_spans_of_several_texts_are_those_of_each_alone(texts, seed):
    chance = np.random.default_rng(seed)
    pieces = PIECES.tokenise(texts)
    logits = [chance.normal(size=(len(one), 2)).astype(np.float32) for one in pieces]
    placings = [chance.choice([None, place(len(one), chance)]) for one in pieces]
    assert choose_spans(texts, pieces, logits, placings=placings) == [
        choose_span(*row, placing=placing)
        for *row, placing in zip(texts, pieces, logits, placings, strict=True)
    ]


def place(count: int, chance: np.random.Generator) -> Placing:
    return Placing(*(chance.integers(0, max(count, 1), count).astype(np.int32) for _ in range(2)))


def test_words_of_neighbouring_texts_are_not_one_word():
    texts = ["U", "S", "$", "5", "well-", "known"]
    pieces = PIECES.tokenise(texts)
    logits = [np.zeros((len(one), 2), np.float32) for one in pieces]
    found = choose_spans(texts, pieces, logits)
    assert [(one.start_char, one.end_char) for one in found] == [(0, 1)] * 4 + [(0, 4), (0, 5)]


def test_the_pair_with_the_greatest_sum_wins_and_its_end_does_not_precede_its_start():
    # "We the people": best start is piece 2, best end piece 0; of the pairs with end >= start the sums are
    # 0-0: 0+5, 0-1: 0+0, 0-2: 0+1, 1-1: 1+0, 1-2: 1+1, 2-2: 9+1. The last is the greatest.
    found = by_edges("We the people", tokens((0, 2), (3, 6), (7, 13)), edges((0, 5), (1, 0), (9, 1)))
    assert (found.start_char, found.end_char, found.score) == (7, 13, 10.0)


def test_of_equal_sums_the_earlier_and_shorter_span_is_taken():
    found = by_edges("We the people", tokens((0, 2), (3, 6), (7, 13)), edges((1, 1), (1, 1), (1, 1)))
    assert (found.start_char, found.end_char) == (0, 2)


def test_every_pair_of_a_start_and_an_end_is_weighed_with_its_length():
    chance = np.random.default_rng(1)
    for count in (1, 2, 7, 30):
        text, pieces = words(count)
        logits = chance.normal(size=(count, 2)).astype(np.float32)
        sums = {
            (i, j): logits[i, 0] + logits[j, 1] + 0.5 * compute_length_prior(np.array(j - i + 1))
            for i in range(count)
            for j in range(i, count)
        }
        first, last = max(sums, key=sums.__getitem__)
        found = choose_span(text, pieces, logits, length_weight=0.5)
        assert (found.start_char, found.end_char) == (2 * first, 2 * last + 1)
        assert abs(found.score - sums[first, last]) < 1e-5


def test_of_spans_whose_edges_are_alike_one_as_long_as_quotes_are_is_taken():
    text, pieces = words(100)
    span = choose_span(text, pieces, np.zeros((100, 2), np.float32))
    assert len(text[span.start_char : span.end_char].split()) == 11  # the mode: exp(2.76 - 0.61 ** 2) = 10.9


def test_edges_that_are_sure_outweigh_the_length():
    text, pieces = words(100)
    logits = np.zeros((100, 2), np.float32)
    logits[0, 0] = logits[99, 1] = 10
    assert choose_span(text, pieces, logits).end_char == len(text)


def test_a_piece_inside_a_word_neither_begins_nor_ends_a_span():
    # "don't go" is do ##n ' t go; the best start is inside the word and the best end too.
    pieces = tokens((0, 2), (2, 3), (3, 4), (4, 5), (6, 8))
    found = by_edges("don't go", pieces, edges((0, 0), (9, 9), (9, 9), (0, 1), (0, 0)))
    assert (found.start_char, found.end_char) == (0, 5)


def test_a_paragraph_without_a_word_is_its_own_span_and_the_worst_of_all():
    pieces = PIECES.tokenise([" -- "])[0]
    found = choose_span(" -- ", pieces, np.full((len(pieces), 2), -3, np.float32))
    assert (found.start_char, found.end_char, found.score) == (1, 3, -6.0)


def test_the_words_that_may_not_be_cut_keep_their_inner_marks():
    assert re.findall(WORD, "The U.S. don't owe AT&T $3.50, 40% state-of-the-art, 1,000.") == [
        "The", "U.S", "don't", "owe", "AT&T", "$3.50", "40%", "state-of-the-art", "1,000",
    ]  # fmt: skip


def test_a_span_follows_what_the_draft_quotes_and_does_not_repeat_it():
    text, pieces = words(6)
    logits = edges(*[(1, 1), (0, 0), (0, 0), (0, 0), (0, 0), (0, 0)])  # alone, the first word were taken
    quoted, nothing = Placing.QUOTED, Placing.NOTHING
    placing = Placing(
        *(np.array(x, np.int32) for x in ([quoted, quoted, 0, 1, 2, 3], [quoted, quoted] + [nothing] * 4))
    )
    assert choose_span(text, pieces, logits, 0).start_char == 0
    found = choose_span(text, pieces, logits, 0, placing)
    assert (found.start_char, found.end_char) == (4, 5)


def test_a_placing_that_tells_nothing_changes_nothing():
    text, pieces = words(20)
    logits = np.random.default_rng(3).normal(size=(20, 2)).astype(np.float32)
    nothing = Placing(*np.full((2, 20), Placing.NOTHING, np.int32))
    assert choose_span(text, pieces, logits) == choose_span(text, pieces, logits, placing=nothing)
