"""Words are laid along words where most of them fit; values are worked out by hand."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from quotations.matching.alignment import ADDED, ALIKE, DROPPED, EQUAL, LEFT_OUT, OTHER, align, score_words


def aligned(quoted, spoken, *, cut_after=()):
    quoted, spoken = quoted.split(), spoken.split()
    numbers = {word: number for number, word in enumerate([*quoted, *spoken])}
    ids = [np.array([numbers[word] for word in each], np.int32) for each in (quoted, spoken)]
    skips = np.array([LEFT_OUT if at in cut_after else DROPPED for at in range(len(quoted))], np.int32)
    way = align(score_words(*ids, quoted, spoken), skips, np.full(len(quoted), ADDED, np.int32))
    return list(zip(way.quoted.tolist(), way.spoken.tolist(), strict=True)), way.score


def test_equal_words_fit_one_by_one():
    assert aligned("to the moon", "we go to the moon now") == ([(0, 2), (1, 3), (2, 4)], 3 * EQUAL)


def test_a_dropped_word_is_stepped_over():
    assert aligned("go to moon", "go to the moon") == ([(0, 0), (1, 1), (2, 3)], 3 * EQUAL + DROPPED)


def test_an_added_word_has_no_counterpart():
    assert aligned("go up to the moon", "go to the moon") == (
        [(0, 0), (2, 1), (3, 2), (4, 3)],
        4 * EQUAL + ADDED,
    )


def test_a_changed_word_has_no_counterpart():
    assert aligned("we fly to it", "we go to it") == ([(0, 0), (2, 2), (3, 3)], 3 * EQUAL + OTHER)


def test_a_slip_of_the_pen_is_alike():
    assert aligned("we honestly go", "we honestiy go") == ([(0, 0), (1, 1), (2, 2)], 2 * EQUAL + ALIKE)


def test_figures_are_never_alike():
    pairs, _ = aligned("the elections of 12016 here", "the elections of 12015 here")
    assert pairs == [(0, 0), (1, 1), (2, 2), (4, 4)]


def test_an_ellipsis_steps_over_many_words_at_little_cost():
    spoken = "we choose this " + "x " * 20 + "other things too"
    pairs, score = aligned("we choose other things", spoken, cut_after={1})
    assert pairs == [(0, 0), (1, 1), (2, 23), (3, 24)]
    assert score == 4 * EQUAL + 21 * LEFT_OUT


def test_nothing_in_common_gives_no_pairs():
    assert aligned("a b", "c d") == ([], 0)


def best_by_every_way(scores):
    """The local alignment's score by trying every step, one cell after the other."""
    n, m = scores.shape
    best = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            best[i][j] = max(
                0,
                best[i - 1][j - 1] + int(scores[i - 1, j - 1]),
                best[i - 1][j] + ADDED,
                best[i][j - 1] + DROPPED,
            )
    return max(max(row) for row in best)


LETTERS = st.lists(st.sampled_from("abcd"), min_size=1, max_size=12)


@given(LETTERS, LETTERS)
def test_the_score_is_that_of_the_textbook(quoted, spoken):
    scores = np.where(np.array(quoted)[:, None] == np.array(spoken)[None, :], EQUAL, OTHER).astype(np.int32)
    n = len(quoted)
    way = align(scores, np.full(n, DROPPED, np.int32), np.full(n, ADDED, np.int32))
    assert way.score == best_by_every_way(scores)
    assert (np.diff(way.quoted) > 0).all()
    assert (np.diff(way.spoken) > 0).all()
