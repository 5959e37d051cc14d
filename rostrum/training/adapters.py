"""Low-rank adapters: a trunk's matrices W stay, and W + B A is trained in their place, B and A being small.

Fewer numbers are learned, so that few pairs change a base less; the time of a step is about the same.
Source: "LoRA: Low-Rank Adaptation of Large Language Models" (ICLR 2022).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from reranker.pytorch.trunk import Trunk

ALPHA = 16  # B A counts ALPHA / rank times, so that one learning rate suits all ranks


class LowRank(nn.Module):
    """W (out, in) -> W + B A, with B (out, rank) nothing at first."""

    def __init__(self, weight: Tensor, rank: int, chance: torch.Generator) -> None:
        super().__init__()
        out, into = weight.shape
        first = torch.empty(rank, into)
        nn.init.kaiming_uniform_(first, a=math.sqrt(5), generator=chance)
        self.down = nn.Parameter(first.to(weight.device))
        self.up = nn.Parameter(torch.zeros(out, rank, device=weight.device))
        self.share = ALPHA / rank

    def forward(self, weight: Tensor) -> Tensor:
        """The matrix that is in force."""
        return weight + self.share * (self.up @ self.down)


@contextmanager
def adapt_low_rank(model: nn.Module, rank: int, seed: int) -> Iterator[None]:
    """Within, the trunks of `model` have adapters of that rank and learn nothing else; after it, the sums.

    What is no trunk, such as heads, is trained as ever. With rank 0 nothing changes. `seed` draws every A.
    """
    chance = torch.Generator().manual_seed(seed)
    trunks = [each for each in model.modules() if isinstance(each, Trunk)] if rank else []
    matrices = [each for trunk in trunks for each in trunk.modules() if isinstance(each, nn.Linear)]
    for trunk in trunks:
        trunk.requires_grad_(requires_grad=False)
    for matrix in matrices:
        parametrize.register_parametrization(matrix, "weight", LowRank(matrix.weight, rank, chance))
    try:
        yield
    finally:
        for matrix in matrices:
            parametrize.remove_parametrizations(matrix, "weight", leave_parametrized=True)
        for trunk in trunks:
            trunk.requires_grad_(requires_grad=True)
