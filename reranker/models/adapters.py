"""Add low-rank adapters to a shipped trunk: the effective matrix is W + (up * scale) @ down.

An adapter file has for each adapted matrix `<matrix>.up` int8 (out, rank), `<matrix>.down` int8 (rank, in)
and `<matrix>.scale` float32 (rank,). Source: "LoRA: Low-Rank Adaptation of Large Language Models" (ICLR
2022).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

UP, DOWN, SCALE = "up", "down", "scale"


def expand_factors(tensors: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[np.float32]]:
    """Return the matrices to add to the trunk, by the name of the matrix that each of them adapts.

    This name is the tensor's name in the file between the prefix and the suffix: "w" for "a.w.up".

    >>> factors = {"a.w.up": np.array([[2], [4]], np.int8), "a.w.down": np.array([[1, 0]], np.int8)}
    >>> expand_factors({**factors, "a.w.scale": np.array([0.5], np.float32)}, "a")["w"].tolist()
    [[1.0, 0.0], [2.0, 0.0]]
    """
    sums = {}
    for name, up in tensors.items():
        if name.startswith(f"{prefix}.") and name.endswith(f".{UP}"):
            matrix = name.removesuffix(f".{UP}")
            scaled = up.astype(np.float32) * tensors[f"{matrix}.{SCALE}"]
            sums[matrix.removeprefix(f"{prefix}.")] = scaled @ tensors[f"{matrix}.{DOWN}"].astype(np.float32)
    return sums
