"""Train low-rank adapters: freeze each matrix W of a trunk (a stack of transformer layers), and train only
the small matrices A and B of W + B A.

Fewer parameters are learned, so that training on few pairs changes the base less. A step takes about the same
time.

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

ALPHA = 16  # scale B A by ALPHA / rank, so that one learning rate suits all ranks


class LowRank(nn.Module):
    """Replace a frozen matrix W (out, in) by W + B A, with trained B (out, rank) and A (rank, in).

    B starts at 0 and A at random, so that training starts from W. B A is scaled by `ALPHA` / rank.
    """

    def __init__(self, weight: Tensor, rank: int, chance: torch.Generator) -> None:
        super().__init__()
        out, into = weight.shape
        first = torch.empty(rank, into)
        nn.init.kaiming_uniform_(first, a=math.sqrt(5), generator=chance)
        self.down = nn.Parameter(first.to(weight.device))
        self.up = nn.Parameter(torch.zeros(out, rank, device=weight.device))
        self.share = ALPHA / rank

    def forward(self, weight: Tensor) -> Tensor:
        """Return the adapted matrix W + B A, (out, in); `weight` is W."""
        return weight + self.share * (self.up @ self.down)


@contextmanager
def adapt_low_rank(model: nn.Module, rank: int, seed: int) -> Iterator[None]:
    """Train only adapters of rank `rank` in the trunks of `model`, inside a `with` block.

    A trunk is a stack of transformer layers. Its own weights are frozen in the block; at the end, the
    adapters are merged into them. The rest of the model, such as heads, is trained as usual. With rank 0,
    there are no adapters, and trunks are trained as usual too. `seed` determines the random initial values of
    the adapters.
    """
    chance = torch.Generator().manual_seed(seed)
    trunks = [module for module in model.modules() if isinstance(module, Trunk)] if rank else []
    matrices = [module for trunk in trunks for module in trunk.modules() if isinstance(module, nn.Linear)]
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
