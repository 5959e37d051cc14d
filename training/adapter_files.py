"""Convert the trained model of a job (such as `famous` or `evidence`) to a small file.

A job's model starts as a copy of a shipped trunk (a stack of transformer layers), and is trained with
low-rank adapters. So each of its matrices differs from the shipped matrix by a matrix of low rank. The file
contains only these differences: two low-rank factors for each matrix, from a singular value decomposition.
There is one pair of factors per matrix, even if the trunk was trained in several phases. The file also
contains the job's own small tensors. Shipped factors are int8, which halves their size without a measurable
loss.
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
    """Factorise what training changed: return `<matrix>.up` (out, rank) and `<matrix>.down` (rank, in) by
    name, for every matrix of `trained` that differs from `base`.

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
    """Round the factors `<matrix>.up` and `<matrix>.down` to int8; add a float32 `<matrix>.scale` (rank,).

    Column i of `up` and row i of `down` are each divided by a scale before rounding. `<matrix>.scale[i]` is
    the product of these two scales. All other tensors become fp16.
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
