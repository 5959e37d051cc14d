"""Sentences are cut to what the model reads, and every one of them is scored."""

import numpy as np

from reranker.models.evidence import cut_sentences
from rostrum_core.types import Tokens


def make_tokens(count):
    starts = np.arange(count, dtype=np.int32) * 2
    return Tokens(np.ones(count, np.int32), starts, starts + 1)


def test_a_long_paragraph_is_read_in_parts_that_end_with_a_sentence():
    parts = cut_sentences(make_tokens(300), [(0, 239), (240, 399), (400, 600)])
    assert [(first, last) for first, last, _ in parts] == [(0, 200), (200, 300)]
    assert [places for _, _, places in parts] == [[(0, 1, 121), (1, 121, 201)], [(2, 1, 101)]]


def test_of_an_overlong_sentence_the_first_pieces_are_read():
    ((first, last, places),) = cut_sentences(make_tokens(250), [(0, 500)])
    assert (first, last, places) == (0, 200, [(0, 1, 201)])


def test_a_sentence_without_a_piece_is_in_no_part():
    assert cut_sentences(make_tokens(1), [(0, 1), (1, 2)]) == [(0, 1, [(0, 1, 2)])]
    assert cut_sentences(make_tokens(0), [(0, 1)]) == []
