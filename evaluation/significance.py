"""Test which differences between systems are significant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from evaluation.metrics import run_permutation_test

Matrix = dict[str, dict[str, float]]


def compute_p_values(systems: Mapping[str, Sequence[float]], clusters: Sequence[str]) -> Matrix:
    """Compute p of the paired permutation test for every two systems; return a symmetric matrix of p.

    `systems` has the figures of each system, one for each row. `clusters` has the name of each row's cluster:
    rows of one cluster, such as drafts that quote the same speech, depend on each other. The diagonal of the
    matrix is 1.

    >>> found = compute_p_values({"a": [1.0] * 20, "b": [0.0] * 20}, list("abcdefghijklmnopqrst"))
    >>> found["a"]["b"] == found["b"]["a"] < 0.001, found["a"]["a"]
    (True, 1.0)
    """
    values: Matrix = {system: dict.fromkeys(systems, 1.0) for system in systems}
    for a, b in combinations(systems, 2):
        values[a][b] = values[b][a] = run_permutation_test(systems[a], systems[b], clusters)
    return values
