"""Group texts of similar length into batches under a token budget, so that little padding is needed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LENGTH_STEP = 8  # engines keep memory for every shape: 26 lengths instead of 202 cost 2 % more time
BATCH_TOKENS = 2048  # for many texts: best of 512 to 32768 for a 6-layer trunk on two cores (padded tokens)
RANK_TOKENS = 1024
"""Token budget for the paragraphs of one draft, which `pack_batches` cuts into passes."""

PASS_TOKENS = 96
"""Cost of a pass over a batch of any size, in padded tokens: with OpenVINO, by one layer and by five."""

GPU_BATCH_TOKENS = 16_384
"""Token budget on a GPU: 100 paragraphs of 163 tokens.

On an H100, of 1024 to 32768, 50 and 300 paragraphs take the least time with it; 100 take a fifth more than
with 32768, which needs twice the memory.
"""


def split_batches(lengths: Sequence[int], budget: int = BATCH_TOKENS) -> list[list[int]]:
    """Split texts into batches of similar length, and return the indices of the texts of each batch.

    The batches are ordered by ascending length. A batch has at most `budget` tokens including padding, or
    consists of one longer text. Engines later pad lengths to a multiple of `LENGTH_STEP`; this padding is not
    counted. The batches depend only on the lengths, so the same texts are always in the same batches.

    >>> split_batches([5, 2, 3], 6)
    [[1, 2], [0]]
    """
    cuts: list[list[int]] = []
    for i in sorted(range(len(lengths)), key=lambda i: (lengths[i], i)):
        if cuts and (len(cuts[-1]) + 1) * lengths[i] <= budget:
            cuts[-1].append(i)
        else:
            cuts.append([i])
    return cuts


def pack_batches(lengths: Sequence[int], budget: int = RANK_TOKENS) -> list[list[int]]:
    """Split texts into the batches that cost least in total, and return the indices of each batch's texts.

    The batches are ordered by ascending length. The cost of a batch is its number of padded tokens plus
    `PASS_TOKENS`. A batch has at most `budget` padded tokens, or consists of one longer text. The number of
    its texts is a power of two, because engines keep memory for every shape. On a GPU, few passes matter
    more: if `budget` is at least `GPU_BATCH_TOKENS`, the batches are those of `split_batches`.

    >>> pack_batches([8, 200, 16, 200, 16], 512)
    [[0], [2, 4], [1, 3]]
    """
    if budget >= GPU_BATCH_TOKENS:
        return split_batches(lengths, budget)
    order = sorted(range(len(lengths)), key=lambda i: (lengths[i], i))
    costs, begins = [0], [0]  # of the best batches of the first texts, and where the last of them begins
    for end in range(1, len(order) + 1):
        width = round_length(lengths[order[end - 1]])
        counts = [1]
        while 2 * counts[-1] <= min(end, budget // width):
            counts.append(2 * counts[-1])
        cost, count = min((costs[end - count] + count * width + PASS_TOKENS, count) for count in counts)
        costs.append(cost)
        begins.append(end - count)
    cuts: list[list[int]] = []
    end = len(order)
    while end:
        cuts.append(order[begins[end] : end])
        end = begins[end]
    return cuts[::-1]


def round_length(length: int) -> int:
    """Round a length in tokens up to a multiple of `LENGTH_STEP`.

    >>> round_length(8), round_length(202)
    (8, 208)
    """
    return -(-length // LENGTH_STEP) * LENGTH_STEP


def pad_batch(texts: Sequence[NDArray[np.int32]]) -> tuple[NDArray[np.int32], NDArray[np.bool_]]:
    """Pad the token ids of b texts to one length, a multiple of `LENGTH_STEP`.

    Return the ids, int32 (b, length), with 0 for padding, and a mask that is true for real ids.

    >>> ids, mask = pad_batch([np.array([5], np.int32), np.array([6, 7], np.int32)])
    >>> ids[:, :3].tolist(), mask[:, :3].tolist(), ids.shape
    ([[5, 0, 0], [6, 7, 0]], [[True, False, False], [True, True, False]], (2, 8))
    """
    lengths = np.array([len(t) for t in texts])
    ids = np.zeros((len(texts), round_length(int(lengths.max()))), np.int32)
    for row, text in enumerate(texts):
        ids[row, : len(text)] = text
    return ids, np.arange(ids.shape[1])[None] < lengths[:, None]
