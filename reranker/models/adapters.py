"""Add low-rank adapters to the shipped transformer layers (the trunk): W becomes W + (up * scale) @ down.

For each adapted matrix, an adapter file has `<matrix>.up` int8 (out, rank), `<matrix>.down` int8 (rank, in)
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
    """Return the matrices to add to the adapted matrices of the trunk, by the names of the adapted matrices.

    Each matrix to add is (up * scale) @ down. With the prefix "a", the tensors "a.w.up", "a.w.scale" and
    "a.w.down" belong to the adapted matrix "w".

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
