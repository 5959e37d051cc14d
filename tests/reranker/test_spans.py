"""A span is never empty, never cuts a word, and never leaves its paragraph."""

import re

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reranker.ranker import best_span
from reranker.wordpieces import WORD, WordPieces
from rostrum.core.types import Tokens
from rostrum.service.shipped import shipped

PIECES = WordPieces(shipped("models/tokenizer.json"))


def tokens(*pieces: tuple[int, int]) -> Tokens:
    starts, ends = zip(*pieces, strict=True)
    return Tokens(*(np.array(x, np.int32) for x in (range(len(pieces)), starts, ends)))


def edges(*logits: tuple[float, float]) -> np.ndarray:
    return np.array(logits, np.float32)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=200), st.integers(0, 2**32 - 1))
def test_any_text_and_any_logits_give_whole_words_inside_the_paragraph(text, seed):
    text = text or "x"
    pieces = PIECES.pieces([text])[0]
    logits = np.random.default_rng(seed).normal(size=(len(pieces), 2)).astype(np.float32)
    span = best_span(text, pieces, logits)
    assert 0 <= span.start_char < span.end_char <= len(text)
    for edge in (span.start_char, span.end_char):
        assert not (text[edge - 1 : edge].isalnum() and text[edge : edge + 1].isalnum())


def test_the_pair_with_the_greatest_sum_wins_and_its_end_does_not_precede_its_start():
    # "We the people": best start is piece 2, best end piece 0; of the pairs with end >= start the sums are
    # 0-0: 0+5, 0-1: 0+0, 0-2: 0+1, 1-1: 1+0, 1-2: 1+1, 2-2: 9+1. The last is the greatest.
    found = best_span("We the people", tokens((0, 2), (3, 6), (7, 13)), edges((0, 5), (1, 0), (9, 1)))
    assert (found.start_char, found.end_char, found.score) == (7, 13, 10.0)


def test_of_equal_sums_the_earlier_and_shorter_span_is_taken():
    found = best_span("We the people", tokens((0, 2), (3, 6), (7, 13)), edges((1, 1), (1, 1), (1, 1)))
    assert (found.start_char, found.end_char) == (0, 2)


def test_a_piece_inside_a_word_neither_begins_nor_ends_a_span():
    # "don't go" is do ##n ' t go; the best start is inside the word and the best end too.
    pieces = tokens((0, 2), (2, 3), (3, 4), (4, 5), (6, 8))
    found = best_span("don't go", pieces, edges((0, 0), (9, 9), (9, 9), (0, 1), (0, 0)))
    assert (found.start_char, found.end_char) == (0, 5)


def test_a_paragraph_without_a_word_is_its_own_span_and_the_worst_of_all():
    pieces = PIECES.pieces([" -- "])[0]
    found = best_span(" -- ", pieces, np.full((len(pieces), 2), -3, np.float32))
    assert (found.start_char, found.end_char, found.score) == (1, 3, -6.0)


def test_the_words_that_may_not_be_cut_keep_their_inner_marks():
    assert re.findall(WORD, "The U.S. don't owe AT&T $3.50, 40% state-of-the-art, 1,000.") == [
        "The", "U.S", "don't", "owe", "AT&T", "$3.50", "40%", "state-of-the-art", "1,000",
    ]  # fmt: skip
