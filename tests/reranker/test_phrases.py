"""Find what a draft quotes already: against values worked out by hand and against plain sets."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reranker.signals.phrases import PHRASE_PIECES, SharedPhrases, count_quoted, find_shared
from rostrum_core.candidates import join_ids


def ids(*numbers: int) -> np.ndarray:
    return np.array(numbers, np.int32)


def find(draft: np.ndarray, paragraphs: Sequence[np.ndarray]) -> SharedPhrases:
    return find_shared(draft, *join_ids(paragraphs))


def count(shared: Sequence[SharedPhrases], owners: Sequence[int]) -> list[float]:
    return count_quoted(shared, np.array(owners, np.int64)).tolist()


SENTENCE = ids(11, 12, 13, 14, 15, 16, 17)  # two phrases of six


def test_a_document_counts_its_different_phrases_however_often_they_stand_there():
    draft = np.concatenate([ids(1, 2), SENTENCE, ids(3)])
    shared = find(draft, [SENTENCE, ids(4), SENTENCE, ids(5)])
    assert count([shared], [0, 0, 0, 1]) == pytest.approx([math.log(3)] * 3 + [0.0])


def test_phrases_of_both_parts_of_a_draft_count_once():
    shared = [find(part, [SENTENCE]) for part in (SENTENCE, SENTENCE[1:])]
    assert count(shared, [0]) == pytest.approx([math.log(3)])


def test_phrases_are_found_where_they_stand():
    shared = find(SENTENCE, [ids(1), np.concatenate([ids(2, 3), SENTENCE])])
    assert (shared.owners.tolist(), shared.firsts.tolist()) == ([1, 1], [2, 3])


def test_a_phrase_does_not_run_on_from_one_paragraph_into_the_next():
    assert not len(find(SENTENCE, [SENTENCE[:3], SENTENCE[3:]]).owners)


@pytest.mark.parametrize("draft", [ids(), SENTENCE[:5]], ids=["empty", "short"])
def test_a_draft_without_a_phrase_quotes_nothing(draft):
    assert count([find(draft, [SENTENCE, ids()])], [0, 0]) == [0.0, 0.0]


def test_no_paragraphs_have_no_scores():
    assert count([find(SENTENCE, [])], []) == []


words = st.lists(st.integers(0, 2), max_size=20).map(lambda found: ids(*found))


@given(words, st.lists(st.tuples(words, st.sampled_from("ab")), min_size=1, max_size=5))
def test_phrases_are_those_that_sets_of_tuples_share(draft, paragraphs):
    def runs(found: np.ndarray) -> set[tuple[int, ...]]:
        return {tuple(found[i : i + PHRASE_PIECES]) for i in range(len(found) - PHRASE_PIECES + 1)}

    texts, documents = zip(*paragraphs, strict=True)
    shared: dict[str, set[tuple[int, ...]]] = {"a": set(), "b": set()}
    for text, document in paragraphs:
        shared[document] |= runs(text) & runs(draft)
    counted = count([find(draft, texts)], ["ab".index(document) for document in documents])
    assert counted == pytest.approx([math.log(1 + len(shared[document])) for document in documents])
