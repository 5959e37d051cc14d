"""The score of what stands around a paragraph."""

import numpy as np

from reranker.signals.neighbours import average_neighbours

MISSING = np.nan


def average(scores: list[float], owners: list[int], ordinals: list[int]) -> list[float]:
    return average_neighbours(np.array(scores), np.array(owners), np.array(ordinals)).tolist()


def test_paragraphs_of_another_document_are_no_neighbours():
    assert average([4.0, 2.0, 1.0], [0, 1, 1], [0, 1, 2]) == [1.0, 1.0, 1.5]


def test_a_neighbour_that_is_no_candidate_counts_with_the_least_there_is():
    assert average([8.0, 1.0, 2.0], [0] * 3, [6, 7, 9]) == [1.0, 4.5, 1.0]


def test_a_neighbour_without_a_score_counts_with_the_least_there_is():
    assert average([MISSING, 3.0, 5.0], [0] * 3, [0, 1, 2]) == [3.0, 4.0, 3.0]


def test_no_score_is_known_where_no_paragraph_has_one():
    assert np.isnan(average([MISSING, MISSING], [0, 0], [0, 1])).all()
