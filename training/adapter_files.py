"""Convert a job's trained model to a file of additions to a shipped trunk.

The additions are low-rank factors of matrices, and small tensors. A trunk trained with adapters differs from
its base by matrices of low rank. A singular value decomposition of that difference gives the factors. So
there is one pair of factors per matrix, even if the trunk was trained in several phases. Shipped factors are
int8, which halves their size without a measurable loss.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from reranker.models.adapters import DOWN, SCALE, UP
from reranker.pytorch.trunk import Trunk

LARGEST = 127  # of int8


def compute_factors(base: Trunk, trained: Trunk, rank: int) -> dict[str, Tensor]:
    """Return `<matrix>.up` (out, rank) and `<matrix>.down` (rank, in) for every matrix that changed.

    `up @ down` is nearly the best approximation of the difference with that rank; the method is randomised.

    Source: Halko, Martinsson and Tropp, "Finding structure with randomness" (SIAM Review, 2011).
    """
    before = dict(base.named_parameters())
    factors: dict[str, Tensor] = {}
    for name, weight in trained.named_parameters():
        change = (weight.detach().cpu() - before[name].detach().cpu()).double()
        if weight.dim() < 2 or not change.abs().max() > 0:
            continue
        up, sizes, down = torch.svd_lowrank(change, q=min(2 * rank, *change.shape), niter=4)
        root = sizes[:rank].sqrt()
        factors[f"{name}.{UP}"] = (up[:, :rank] * root).float()
        factors[f"{name}.{DOWN}"] = (root[:, None] * down.T[:rank]).float()
    return factors


def quantise_factors(tensors: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Round all factors to int8, and add a float32 `<matrix>.scale` (rank,) for each matrix.

    Column i of `up` and row i of `down` share one scale, which is the product of the scale of the column and
    the scale of the row.
    """
    small: dict[str, NDArray[Any]] = {}
    for name, value in tensors.items():
        if name.endswith(f".{DOWN}"):
            continue
        if not name.endswith(f".{UP}"):
            small[name] = value.astype(np.float16)
            continue
        matrix = name.removesuffix(f".{UP}")
        up, up_scale = _round_rows(value.astype(np.float32).T)
        small[name] = np.ascontiguousarray(up.T)
        small[f"{matrix}.{DOWN}"], down_scale = _round_rows(tensors[f"{matrix}.{DOWN}"].astype(np.float32))
        small[f"{matrix}.{SCALE}"] = up_scale * down_scale
    return small


def _round_rows(matrix: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    scales = np.abs(matrix).max(axis=1) / LARGEST
    safe = np.where(scales == 0, np.float32(1), scales).astype(np.float32)
    return np.rint(matrix / safe[:, None]).astype(np.int8), safe


def convert_to_half(tensors: Mapping[str, Tensor]) -> dict[str, NDArray[np.float16]]:
    """Convert tensors to fp16 arrays on the CPU, for a safetensors file."""
    halves = {name: value.detach().cpu().numpy().astype(np.float16) for name, value in tensors.items()}
    return {name: np.ascontiguousarray(value) for name, value in halves.items()}
