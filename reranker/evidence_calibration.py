"""Convert the logit of a sentence to the probability that the sentence is evidence for or against a claim.

The weights are fitted on the development set by `training.evidence_calibration` and ship with the models. Of
the sentences that are compared with one claim, those with a higher merit (the logit plus a weighted BM25
score) have a higher probability.

Source: Platt, "Probabilistic Outputs for Support Vector Machines" (1999); here with three features, not one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.models.evidence import STANCES
from rostrum_core.errors import ModelError
from rostrum_core.evidence import Stance

Floats = NDArray[np.float64]
SUPPORTS, NEUTRAL = STANCES.index("supports"), STANCES.index("neutral")
FEATURES = ("merit", "relative", "count")


@dataclass(frozen=True, slots=True)
class EvidenceCalibration:
    """Hold the weights that convert a sentence's logit to a probability, and the thresholds for its stance.

    The stance of a sentence is "supports", "contradicts" or "neutral". Sentences are ordered by merit: the
    model's logit plus `words` times the BM25 score of the sentence for the claim.

    The probability that a sentence is evidence is the logistic function of a weighted sum of three features,
    plus `intercept`. The features are the merit (weight `merit`), the merit minus the level of all sentences
    that are compared with the claim (weight `relative`; see `find_relative`), and the logarithm of the number
    of these sentences (weight `count`).

    If the probability is at least `point`, the clause of the sentence that best matches the claim decides the
    stance. This clause must have at least the share `coverage` of the claim's words. The sentence then
    contradicts the claim if the clause differs from it ("were not lifted" from "were lifted"), and otherwise
    supports it. On labelled data, the share `agreement` of these decisions for "supports" was right, and the
    share `contradiction` of those for "contradicts".

    If no clause decides, the sentence supports the claim if its probability is at least `evidence` and the
    model's probability of "supports" is at least `supports`; otherwise it is neutral. The defaults serve
    models without a calibration.
    """

    words: float = 0.0
    merit: float = 1.0
    relative: float = 0.0
    count: float = 0.0
    intercept: float = 0.0
    point: float = 0.1
    evidence: float = 0.4
    supports: float = 0.6
    coverage: float = 0.6
    agreement: float = 0.8
    contradiction: float = 0.7

    def score(self, logits: Floats, words: Floats) -> Floats:
        """Return the probability that each of n sentences is evidence for or against a claim, float64 (n,).

        `logits` (n,) are those of the model, `words` (n,) the BM25 scores of the sentences for the claim.

        >>> EvidenceCalibration().score(np.zeros(1), np.zeros(1)).tolist()
        [0.5]
        """
        weights = np.array([self.merit, self.relative, self.count])
        total = compute_features(logits + self.words * words) @ weights + self.intercept
        return np.asarray(1 / (1 + np.exp(-np.clip(total, -500, 500))), np.float64)

    def choose_stance(
        self, score: float, shares: Sequence[float], coverage: float | None, differs: bool
    ) -> tuple[Stance, float]:
        """Return the stance of a sentence, such as "contradicts", and the probability of this stance.

        `score` is the probability that the sentence is evidence. `shares` are the model's probabilities of
        the stances, in the order of `STANCES`. `coverage` and `differs` describe the clause that best matches
        the claim (`jobs.evidence.clauses.ClauseMatch`): its share of the claim's words, and whether it denies
        the claim. `coverage` is `None` if there is no such clause. If the clause decides the stance, the
        probability is `agreement` or `contradiction`, not one of `shares`.

        >>> EvidenceCalibration().choose_stance(0.5, [0.2, 0.1, 0.7], 0.9, differs=True)
        ('contradicts', 0.7)
        >>> EvidenceCalibration().choose_stance(0.5, [0.1, 0.8, 0.1], 0.2, differs=True)[0]
        'neutral'
        """
        if score >= self.point and coverage is not None and coverage >= self.coverage:
            return ("contradicts", self.contradiction) if differs else ("supports", self.agreement)
        if score >= self.evidence and shares[SUPPORTS] >= self.supports:
            return "supports", round(shares[SUPPORTS], 6)
        return "neutral", round(shares[NEUTRAL], 6)


def compute_features(merits: Floats) -> Floats:
    """Return three features for each of n sentences that are compared with one claim: (n, 3).

    `merits` has a score of each sentence: the logit plus a weighted BM25. The columns are the merit, the
    merit minus the level of all n merits (see `find_relative`), and log(n).
    """
    count = np.full(len(merits), np.log(max(len(merits), 1)))
    return np.stack([merits, find_relative(merits), count], axis=1)


def find_relative(logits: Floats) -> Floats:
    """Return the difference of each logit from the level of all logits.

    The level is log(mean(exp(logits))).

    >>> find_relative(np.array([2.0, 2.0])).tolist()
    [0.0, 0.0]
    """
    if not len(logits):
        return logits
    top = float(logits.max())
    level = top + float(np.log(np.mean(np.exp(logits - top))))
    return np.asarray(logits - level, np.float64)


def read_calibration(path: Path) -> EvidenceCalibration:
    """Read the weights and thresholds of an `EvidenceCalibration` from the JSON file at `path`.

    Raises:
        ModelError: the file cannot be read, or a number is missing.
    """
    try:
        content: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
        return EvidenceCalibration(*(float(content[field.name]) for field in fields(EvidenceCalibration)))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path} is not a readable calibration: {error!r}") from error
