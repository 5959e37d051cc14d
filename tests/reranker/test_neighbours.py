"""The score of what stands around a paragraph."""

from reranker.signals.neighbours import around


def test_paragraphs_of_another_document_are_no_neighbours():
    assert around([4.0, 2.0, 1.0], ["a", "b", "b"], [0, 1, 2]) == [1.0, 1.0, 1.5]


def test_neighbours_are_found_in_whatever_order_candidates_come():
    assert around([1.0, 8.0, 2.0], ["a"] * 3, [7, 6, 8]) == [5.0, 1.0, 1.0]


def test_a_neighbour_without_a_score_counts_with_the_least_there_is():
    assert around([None, 3.0, 5.0], ["a"] * 3, [0, 1, 2]) == [3.0, 4.0, 3.0]


def test_nothing_is_known_where_no_paragraph_has_a_score():
    assert around([None, None], ["a", "a"], [0, 1]) == [None, None]
