"""Whether candidate models are better than those in use: the gate that `rostrum models publish` passes.

Both judge the same rows in the same run, and are compared twice by mean average precision and a paired
permutation test. *Refitted*: the fusion of each is fitted anew on half of the speeches and judged on the
other, in turn, so that all rows tell of the models and none is judged by weights that were fitted on it. *As
they are*: with the fusions that are published, on the rows that neither was fitted on. Either can prove the
candidate better; as they are it must not be worse.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress
from pathlib import Path
from random import Random

import numpy as np

from indexer.align.transcripts import Transcript
from reranker.models import Models
from reranker.weights import FUSION, sha256
from rostrum.core.errors import BadInput
from rostrum.training.data import DEV, TRAIN
from rostrum.training.fit import fit_within, row_of
from rostrum.training.judging import kept
from rostrum.training.metrics import permutation_test
from rostrum.training.pairs import Pair, pairs, sampled, transcripts
from rostrum.training.score_table import Floats, Row, ScoreTable

SIGNIFICANT = 0.05
COMPARISONS = 2
LEAST_SPEECHES = 7
"""Rows of a speech flip signs together, so k speeches have no p below 2 / 2 ** k: with 6 that is 0.031."""
SPLITS = 6  # into halves; of one alone chance decides too much


@dataclass(frozen=True)
class Comparison:
    """Mean average precision of both over `n` rows of `speeches`, 0 to 1, and the p of their difference."""

    n: int
    speeches: int
    candidate: float
    in_use: float
    p_value: float

    @property
    def conclusive(self) -> bool:
        """Whether there are speeches enough for any difference to be proven."""
        return self.speeches >= LEAST_SPEECHES

    @property
    def proven(self) -> bool:
        """Whether the candidate is better by more than chance; Bonferroni's correction for two comparisons.

        >>> [Comparison(300, 90, 0.42, 0.40, p).proven for p in (0.02, 0.03)]
        [True, False]
        """
        return self.candidate > self.in_use and COMPARISONS * self.p_value < SIGNIFICANT

    def __str__(self) -> str:
        """Both figures in percent.

        >>> print(Comparison(300, 90, 0.42, 0.40, 0.01))
        map 42.00 against 40.00 of the version in use, p 0.0100, 300 rows of 90 speeches
        """
        return (
            f"map {100 * self.candidate:.2f} against {100 * self.in_use:.2f} of the version in use,"
            f" p {self.p_value:.4f}, {self.n} rows of {self.speeches} speeches"
        )


@dataclass(frozen=True)
class Verdict:
    """The two comparisons."""

    refitted: Comparison
    as_they_are: Comparison

    @property
    def better(self) -> bool:
        """Whether the candidate may be published.

        >>> better, worse = Comparison(300, 90, 0.42, 0.40, 0.01), Comparison(300, 90, 0.38, 0.40, 0.60)
        >>> alike = Comparison(200, 60, 0.41, 0.40, 0.60)
        >>> Verdict(better, alike).better, Verdict(alike, better).better, Verdict(better, worse).better
        (True, True, False)
        """
        proven = self.refitted.proven or self.as_they_are.proven
        return proven and self.as_they_are.candidate >= self.as_they_are.in_use

    @property
    def refusal(self) -> str:
        """Why the candidate may not be published.

        >>> few = Comparison(300, 6, 0.42, 0.40, 0.03)
        >>> Verdict(few, few).refusal
        'rows of fewer than 7 speeches can prove nothing'
        """
        if self.refitted.conclusive or self.as_they_are.conclusive:
            return "not proven better"
        return f"rows of fewer than {LEAST_SPEECHES} speeches can prove nothing"

    def __str__(self) -> str:
        """A line for each."""
        return f"fusion refitted: {self.refitted}\nas they are: {self.as_they_are}"


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
    """The verdict on the candidate over the rows of a file of pairs, or `limit` of them drawn by `seed`.

    `tell` hears whose turn it is, how many rows are judged, and of how many.

    Raises:
        BadInput: a file cannot be read, or its rows quote one speech only, or one of them was trained on, or
            all quote speeches that were, or none is there that no fusion was fitted on.
    """
    documents = transcripts(documents_path)
    every = pairs(pairs_path, documents)
    unfitted = {row.id for row in held_out(every, pairs_path, candidate, in_use)}
    rows = sampled(unseen(every, documents, pairs_path, candidate, in_use), limit, seed)
    apart = np.array([row.id in unfitted for row in rows], bool)
    speeches = [row.document for row in rows]
    if not apart.any():
        raise BadInput(f"{pairs_path.name} has no row to judge by on which no fusion was fitted")
    if len(set(speeches)) < 2:
        raise BadInput(f"{pairs_path.name} has rows of one speech only, which cannot be halved")

    def precisions(models: Models, what: str) -> tuple[Floats, Floats]:
        judged = kept(None, rows, documents, models, lambda done, of: tell(what, done, of))
        table = [row_of(row, documents[row.pair.document].paragraphs) for row in judged]
        scores = ScoreTable(table)
        return cross_fitted(table, speeches), scores.precisions(scores.fused(models.fusion))

    ours, theirs = precisions(candidate, "candidate"), precisions(in_use, "in use")
    return Verdict(
        compared(ours[0], theirs[0], speeches),
        compared(ours[1][apart], theirs[1][apart], list(compress(speeches, apart))),
    )


def compared(candidate: Floats, in_use: Floats, speeches: Sequence[str]) -> Comparison:
    """The comparison of average precisions row by row; those of one speech depend on each other."""
    p_value = permutation_test(candidate.tolist(), in_use.tolist(), speeches)
    return Comparison(
        len(candidate), len(set(speeches)), float(candidate.mean()), float(in_use.mean()), p_value
    )


def cross_fitted(rows: Sequence[Row], speeches: Sequence[str]) -> Floats:
    """Average precision of each row (rows,) by weights fitted on other speeches, its mean over the splits."""
    table, names = ScoreTable(rows), sorted(set(speeches))
    total = np.zeros(len(rows))
    for split in range(SPLITS):
        chosen = Random(split).sample(names, len(names) // 2)
        half = np.isin(speeches, chosen)
        for fitted, judged in ((half, ~half), (~half, half)):
            weights = fit_within(list(compress(rows, fitted)))
            total[judged] += table.precisions(table.fused(weights))[judged]
    return total / SPLITS


def unseen(
    rows: list[Pair], documents: Mapping[str, Transcript], pairs_path: Path, *versions: Models
) -> list[Pair]:
    """The rows that quote no speech which a version was trained on, as far as manifests tell.

    Raises:
        BadInput: there is none.
    """
    learned = {digest for models in versions for digest in models.manifest.told.get("trained_speeches", ())}
    found = [row for row in rows if documents[row.document].fingerprint not in learned]
    if rows and not found:
        raise BadInput(f"{pairs_path.name} quotes speeches alone that were trained on: judge by others")
    return found


def held_out(rows: list[Pair], pairs_path: Path, *versions: Models) -> list[Pair]:
    """The rows of a file on which no version's fusion was fitted, as manifests and weights tell.

    Raises:
        BadInput: a version was trained on some of them.
    """
    file, found = sha256(pairs_path), {row.fingerprint for row in rows}
    for models in versions:
        told = models.manifest.told
        if told.get("data", {}).get(TRAIN) == file or not found.isdisjoint(told.get("trained_on", ())):
            raise BadInput(f"{pairs_path.name} has rows that {told['name']} was trained on: judge by others")
    seen = {fitted for models in versions for fitted in _fitted_on(models, rows, file)}
    return [row for row in rows if row.fingerprint not in seen]


def _fitted_on(models: Models, rows: list[Pair], file: str) -> list[str]:
    """Fingerprints of what a fusion was fitted on. Older weights tell how it was drawn, of which file."""
    told = json.loads((models.manifest.folder / FUSION).read_text("utf-8")).get("fitted_on") or {}
    if "fingerprints" in told or not told:
        return list(told.get("fingerprints", ()))
    if models.manifest.told.get("data", {}).get(DEV) != file:
        return []
    return [row.fingerprint for row in sampled(rows, told["rows"], told["seed"])]
