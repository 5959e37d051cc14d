"""Whether candidate models are better than those in use: the gate that `rostrum models publish` passes.

Both judge the same rows in the same run, none of them one that either's fusion was fitted on; better is a
greater mean average precision that a paired permutation test would give by chance less often than one time in
twenty.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from reranker.models import Models
from reranker.weights import FUSION, sha256
from rostrum.core.errors import BadInput
from rostrum.training.data import DEV
from rostrum.training.judging import kept
from rostrum.training.metrics import permutation_test
from rostrum.training.pairs import Pair, pairs, sampled, transcripts
from rostrum.training.tallies import tally

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Verdict:
    """Mean average precision of both over `n` rows, 0 to 1, and the p of their difference."""

    n: int
    candidate: float
    in_use: float
    p_value: float

    @property
    def better(self) -> bool:
        """Whether the candidate may be published.

        >>> Verdict(300, 0.42, 0.40, 0.01).better, Verdict(300, 0.38, 0.40, 0.01).better
        (True, False)
        """
        return self.candidate > self.in_use and self.p_value < SIGNIFICANT

    def __str__(self) -> str:
        """Both figures in percent.

        >>> print(Verdict(300, 0.42, 0.40, 0.01))
        map 42.00 against 40.00 of the version in use, p 0.0100, 300 rows
        """
        return (
            f"map {100 * self.candidate:.2f} against {100 * self.in_use:.2f} of the version in use,"
            f" p {self.p_value:.4f}, {self.n} rows"
        )


def compare(
    candidate: Models,
    in_use: Models,
    pairs_path: Path,
    documents_path: Path,
    *,
    limit: int | None = None,
    seed: int = 0,
    tell: Callable[[str, int, int], None] = lambda what, done, of: None,
) -> Verdict:
    """The verdict on the candidate over held-out rows of a file of pairs, or `limit` of them drawn by `seed`.

    `tell` hears whose turn it is, how many rows are judged, and of how many.

    Raises:
        BadInput: a file cannot be read, or has no row that no fusion was fitted on.
    """
    documents = transcripts(documents_path)
    rows = sampled(held_out(pairs(pairs_path, documents), pairs_path, candidate, in_use), limit, seed)
    if not rows:
        raise BadInput(f"{pairs_path.name} has no row to judge by on which no fusion was fitted")

    def precisions(models: Models, what: str) -> list[float]:
        judged = kept(None, rows, documents, models, lambda done, of: tell(what, done, of))
        return tally(judged, documents, models.fusion).precisions["model"]

    ours, theirs = precisions(candidate, "candidate"), precisions(in_use, "in use")
    p_value = permutation_test(ours, theirs, [row.document for row in rows])
    return Verdict(len(rows), float(np.mean(ours)), float(np.mean(theirs)), p_value)


def held_out(rows: list[Pair], pairs_path: Path, *versions: Models) -> list[Pair]:
    """The rows of a file on which no version's fusion was fitted, as manifests and weights tell."""
    name = sha256(pairs_path)
    seen = {
        row.id
        for models in versions
        if models.manifest.told.get("data", {}).get(DEV) == name
        for row in _fitted_on(models, rows)
    }
    return [row for row in rows if row.id not in seen]


def _fitted_on(models: Models, rows: list[Pair]) -> list[Pair]:
    told = json.loads((models.manifest.folder / FUSION).read_text("utf-8")).get("fitted_on")
    return sampled(rows, told["rows"], told["seed"]) if told else []
