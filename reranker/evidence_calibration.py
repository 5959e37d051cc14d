"""Turn the logit of a sentence into the probability that it is evidence for or against a claim.

The probability is the logistic function of a weighted sum. The weights are fitted on dev by
`training.evidence_calibration` and ship with the models. A higher logit never lowers a score.

Source: Platt, "Probabilistic Outputs for Support Vector Machines" (1999), with two features more.
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
NEUTRAL = STANCES.index("neutral")
CONTRADICTS = STANCES.index("contradicts")
NEVER = 1.01


@dataclass(frozen=True, slots=True)
class EvidenceCalibration:
    """Hold the weights of a sentence's features, and the least values at which a stance is reported.

    `model` weighs the model's logit, `words` the BM25 of the sentence, `near` the highest logit of the
    sentences right before and after it. `temperature` divides the logarithms of the stances' shares.
    A stance other than neutral is reported if its share is at least `supports` or `contradicts`, and
    *contradicts* only of a sentence whose probability is at least `evidence`. The defaults are for models
    without a calibration: they never report *contradicts*.
    """

    model: float = 1.0
    words: float = 0.0
    near: float = 0.0
    intercept: float = 0.0
    temperature: float = 1.0
    supports: float = 0.6
    contradicts: float = NEVER
    evidence: float = 0.0

    def score(self, logits: Floats, words: Floats, near: Floats) -> Floats:
        """Return the probabilities of n sentences, float64 (n,), between 0 and 1.

        >>> EvidenceCalibration().score(np.zeros(1), np.zeros(1), np.zeros(1)).tolist()
        [0.5]
        """
        total = self.model * logits + self.words * words + self.near * near + self.intercept
        return np.asarray(1 / (1 + np.exp(-np.clip(total, -500, 500))), np.float64)

    def choose_stance(self, shares: Sequence[float], score: float) -> tuple[Stance, float]:
        """Return the stance of a sentence with the probability `score`, and the share of that stance.

        >>> EvidenceCalibration().choose_stance([0.7, 0.1, 0.2], 0.5)
        ('supports', 0.7)
        >>> EvidenceCalibration().choose_stance([0.1, 0.8, 0.1], 0.5)[0]
        'neutral'
        """
        heated = np.maximum(np.asarray(shares, np.float64), 1e-12) ** (1 / self.temperature)
        heated /= heated.sum()
        best = int(heated.argmax())
        least = self.contradicts if best == CONTRADICTS else self.supports
        if best != NEUTRAL and (heated[best] < least or (best == CONTRADICTS and score < self.evidence)):
            best = NEUTRAL
        return STANCES[best], round(float(heated[best]), 6)


def find_near(logits: Floats, owners: Sequence[int]) -> Floats:
    """Return the highest logit of each sentence's neighbours of the same owner; its own if it has none.

    >>> find_near(np.array([1.0, 3.0, 2.0, 9.0]), [0, 0, 0, 1]).tolist()
    [3.0, 2.0, 3.0, 9.0]
    """
    places = np.asarray(owners)
    same = places[1:] == places[:-1]
    before = np.concatenate([[-np.inf], np.where(same, logits[:-1], -np.inf)])[: len(logits)]
    after = np.concatenate([np.where(same, logits[1:], -np.inf), [-np.inf]])[: len(logits)]
    near = np.maximum(before, after)
    return np.asarray(np.where(np.isfinite(near), near, logits), np.float64)


def read_calibration(path: Path) -> EvidenceCalibration:
    """Return the calibration of a folder of models.

    Raises:
        ModelError: the file cannot be read, or a number is missing.
    """
    try:
        content: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
        return EvidenceCalibration(*(float(content[field.name]) for field in fields(EvidenceCalibration)))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path} is not a readable calibration: {error!r}") from error
