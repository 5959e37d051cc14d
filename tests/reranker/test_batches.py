"""Batches of one draft's paragraphs cost least, and parts of them are packed as the whole is."""

from itertools import combinations, pairwise
from random import Random

import pytest

from reranker.models.batches import (
    GPU_BATCH_TOKENS,
    PASS_TOKENS,
    RANK_TOKENS,
    pack_batches,
    round_length,
)


def compute_cost(batches: list[list[int]], lengths: list[int]) -> int:
    return sum(PASS_TOKENS + len(batch) * round_length(max(lengths[i] for i in batch)) for batch in batches)


def draw_lengths(seed: int, count: int) -> list[int]:
    return [Random(f"{seed} {i}").randint(3, 202) for i in range(count)]


@pytest.mark.parametrize("seed", range(20))
def test_no_other_cut_of_the_sorted_lengths_is_cheaper(seed):
    lengths = sorted(draw_lengths(seed, 9))
    costs = []
    for count in range(9):
        for cuts in combinations(range(1, 9), count):
            bounds = [0, *cuts, 9]
            batches = [list(range(a, b)) for a, b in pairwise(bounds)]
            sizes = [len(batch) * round_length(lengths[batch[-1]]) for batch in batches]
            if max(sizes) <= 512 and {len(batch) for batch in batches} <= {1, 2, 4, 8}:
                costs.append(compute_cost(batches, lengths))
    assert compute_cost(pack_batches(lengths, 512), lengths) == min(costs)


def test_every_text_is_in_one_batch_within_the_budget():
    lengths = [*draw_lengths(1, 60), 3 * RANK_TOKENS, 5, 5, 5]
    batches = pack_batches(lengths, RANK_TOKENS)
    assert sorted(i for batch in batches for i in batch) == list(range(len(lengths)))
    sizes = [len(batch) * round_length(max(lengths[i] for i in batch)) for batch in batches]
    assert all(size <= RANK_TOKENS for size in sizes[:-1])
    assert batches[-1] == [60]  # longer than a batch may be


def test_no_texts_have_no_batches():
    assert pack_batches([], RANK_TOKENS) == []


@pytest.mark.parametrize("seed", range(20))
def test_some_of_the_batches_are_packed_again_as_they_are(seed):
    lengths = draw_lengths(seed, 50)
    batches = pack_batches(lengths, RANK_TOKENS)
    first, last = sorted(Random(seed).sample(range(len(batches) + 1), 2))
    own = [i for batch in batches[first:last] for i in batch]
    again = pack_batches([lengths[i] for i in own], RANK_TOKENS)
    assert [[own[i] for i in batch] for batch in again] == batches[first:last]


def test_a_gpu_computes_few_batches():
    lengths = draw_lengths(2, 50)
    assert pack_batches(lengths, GPU_BATCH_TOKENS) == [sorted(range(50), key=lambda i: (lengths[i], i))]


def test_batches_have_few_shapes():
    """OpenVINO keeps some 6 KB for each token of each shape."""
    shapes = set()
    for seed in range(100):
        lengths = draw_lengths(seed, 50)
        for batch in pack_batches(lengths, RANK_TOKENS):
            shapes.add((len(batch), round_length(max(lengths[i] for i in batch))))
    assert sum(rows * width for rows, width in shapes) < 50_000
