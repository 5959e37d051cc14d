"""What a draft quotes already, against values worked out by hand and against plain sets."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reranker.phrases import PHRASE_PIECES, already_quoted


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


SENTENCE = ids(11, 12, 13, 14, 15, 16, 17)  # two phrases of six


def test_a_document_counts_its_different_phrases_however_often_they_stand_there():
    draft = np.concatenate([ids(1, 2), SENTENCE, ids(3)])
    quoted, _ = already_quoted(
        draft, [SENTENCE, ids(4), SENTENCE, ids(5)], ["a", "a", "a", "b"], [0, 1, 2, 0]
    )
    assert quoted == pytest.approx([math.log(3)] * 3 + [0.0])


def test_paragraphs_after_a_quoted_one_are_nearer_than_those_before_it():
    paragraphs = [ids(1), SENTENCE, ids(2), ids(3)]
    _, near = already_quoted(SENTENCE, paragraphs, ["a"] * 4, [4, 5, 6, 25])
    assert near == pytest.approx([0.5 * math.exp(-0.1), 0.5, math.exp(-0.1), math.exp(-2.0)])


def test_nearness_ends_with_the_document():
    _, near = already_quoted(SENTENCE, [SENTENCE, ids(1)], ["a", "b"], [0, 1])
    assert near == [0.5, 0.0]


def test_a_phrase_does_not_run_on_from_one_paragraph_into_the_next():
    halves = [SENTENCE[:3], SENTENCE[3:]]
    assert already_quoted(SENTENCE, halves, ["a", "a"], [0, 1]) == ([0.0, 0.0], [0.0, 0.0])


@pytest.mark.parametrize("draft", [ids(), SENTENCE[:5]], ids=["empty", "short"])
def test_a_draft_without_a_phrase_quotes_nothing(draft):
    assert already_quoted(draft, [SENTENCE, ids()], ["a", "a"], [0, 1]) == ([0.0, 0.0], [0.0, 0.0])


def test_no_paragraphs_have_no_scores():
    assert already_quoted(SENTENCE, [], [], []) == ([], [])


words = st.lists(st.integers(0, 2), max_size=20).map(lambda found: ids(*found))


@given(words, st.lists(st.tuples(words, st.sampled_from("ab")), min_size=1, max_size=5))
def test_phrases_are_those_that_sets_of_tuples_share(draft, paragraphs):
    def runs(found: np.ndarray) -> set[tuple[int, ...]]:
        return {tuple(found[i : i + PHRASE_PIECES]) for i in range(len(found) - PHRASE_PIECES + 1)}

    texts, documents = zip(*paragraphs, strict=True)
    shared: dict[str, set[tuple[int, ...]]] = {"a": set(), "b": set()}
    for text, document in paragraphs:
        shared[document] |= runs(text) & runs(draft)
    quoted, _ = already_quoted(draft, texts, documents, range(len(texts)))
    assert quoted == pytest.approx([math.log(1 + len(shared[document])) for document in documents])
