"""Fuse the scores that a paragraph gets in different stages into one score, by which the answer is ordered.

The first stage selects candidates by a weighted sum of signals, such as BM25. Some signals are z-scores over
the draft's candidates, others are logarithms of probabilities. The later stage adds the ranker's score and
the length of the paragraph to a second weighted sum of the signals. The softmax of this second sum is
p(paragraph), the probability that the paragraph is quoted. p(span) is the probability that its best span is
quoted. Late fusion of the two probabilities gives the final order.

Source: late fusion as in "Context-Based Quotation Recommendation" (ICWSM 2021): score = p(span)^alpha *
p(paragraph)^beta, both softmaxes over all candidates of the draft. Here it is kept as its logarithm, alpha
* log p(span) + beta * log p(paragraph), which does not underflow.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.fit_probability import FEATURES, FIT_WEIGHTS
from reranker.signals import BY_NAME, DEFAULTS, MERGED, STAGES
from rostrum_core.errors import ModelError

Floats = NDArray[np.float64]
Scored = Mapping[str, Floats | Sequence[float | None]]
"""Scores by signal, (n,) each; a missing score is NaN or `None`."""


QUERY_WEIGHTS = {
    "lexical": 2.0,
    "document": 0.5,
    "dense": 1.0,
    "quoted": 0.0,
    "follows": 0.0,
    "around": 0.2,
    "exact": 12.0,
    "begun": 0.0,
    "announced": 0.0,
    "retold": 0.0,
    "fresh": 0.0,
    "names": 1.0,
    "named": 4.0,
    "recency": 0.3,
    "length": 0.0,
}
QUERY_MODEL = 0.1
"""Weight of the ranker's logit for a short query, for any models.

It is low because the ranker was trained on drafts and is unreliable for a few words.
"""

ABROAD = {"named": 2.0, "document": 4.0}
"""Factors for some weights if a draft is in another language, because its paragraphs then match by chance."""

ASKED_SPEAKER = 25.0
"""Weight of the signal *named* for a question about a person's words. It outweighs most other signals."""


@dataclass(frozen=True)
class FusionWeights:
    """Hold the weights of the sums that combine scores, fitted on the development set.

    - `candidates`: weight of each signal (see `standardise`), to select candidates from an archive
    - `within`: replaces `candidates` if the user restricts the search to some documents
    - `paragraph`: weight of each signal, including the paragraph's length, in the final order
    - `model`: weight of the ranker's logit in the final order
    - `alpha`, `beta`: exponents of p(span) and p(paragraph) (see `fuse_late`)
    - `query`, `query_model`: replace `paragraph` and `model` if the draft is a short query
    - `fit`: weights of `reranker.fit_probability`
    """

    candidates: Mapping[str, float]
    within: Mapping[str, float]
    paragraph: Mapping[str, float]
    model: float
    alpha: float
    beta: float
    query: Mapping[str, float] = field(default_factory=QUERY_WEIGHTS.copy)
    query_model: float = QUERY_MODEL
    fit: Mapping[str, float] = field(default_factory=FIT_WEIGHTS.copy)

    def adapt_to_queries(self) -> FusionWeights:
        """Return weights for a short query: `paragraph` and `model` get the values of `query` and
        `query_model`.
        """
        return replace(self, paragraph=self.query, model=self.query_model)

    def adapt_to_names(self) -> FusionWeights:
        """Return weights for a draft in another language than the archive, where only names can be compared.

        These are the weights for a short query, with higher weights of the signals *named* (the draft names
        the paragraph's speaker) and *document* (BM25 of the speech).
        """
        query = {**self.query, **{name: factor * self.query[name] for name, factor in ABROAD.items()}}
        return replace(self, paragraph=query, model=self.query_model)

    def adapt_to_speaker(self) -> FusionWeights:
        """Return weights for a question about what a person said.

        Only that person's words are an answer, so the signal *named* (the draft names the paragraph's
        speaker) has a high weight.
        """
        return replace(self, paragraph={**self.paragraph, "named": ASKED_SPEAKER})


def read_weights(values: Mapping[str, Any]) -> FusionWeights:
    """Parse fusion weights from the content of the models' file `fusion.json`.

    Raises:
        ModelError: a weight is missing or not a finite number.
    """
    defaults = {"query": QUERY_WEIGHTS, "query_model": QUERY_MODEL, "fit": FIT_WEIGHTS}
    complete = {**defaults, **values}
    try:
        candidates, within, paragraph, query = (
            {signal: _parse_weight({**DEFAULTS, **complete[name]}[signal]) for signal in signals}
            for name, signals in (
                ("candidates", STAGES),
                ("within", STAGES),
                ("paragraph", MERGED),
                ("query", MERGED),
            )
        )
        fit = {name: _parse_weight(complete["fit"][name]) for name in (*FEATURES, "intercept")}
        model, alpha, beta, query_model = (
            _parse_weight(complete[name]) for name in ("model", "alpha", "beta", "query_model")
        )
    except KeyError as error:
        raise ModelError(
            f"fusion weights cannot be read: {error} is missing; those of another version are fitted again by"
            " `rostrum train`"
        ) from error
    except (TypeError, ValueError) as error:
        raise ModelError(f"fusion weights cannot be read: {error!r}") from error
    return FusionWeights(candidates, within, paragraph, model, alpha, beta, query, query_model, fit)


def _parse_weight(value: Any) -> float:
    weight = float(value)
    if not math.isfinite(weight):
        raise ValueError(f"{weight} is no weight")
    return weight


def fill_missing(scores: Floats | Sequence[float | None]) -> Floats:
    """Return scores as an array (n,), with missing scores set to the minimum of the others.

    If all scores are missing, all are 0.

    >>> fill_missing([2.0, None, 1.0]).tolist(), fill_missing([None]).tolist()
    ([2.0, 1.0, 1.0], [0.0])
    """
    filled = np.array(scores, np.float64)
    missing = np.isnan(filled)
    if missing.any():
        filled[missing] = 0.0 if missing.all() else filled[~missing].min()
    return filled


def compute_z_scores(scores: Floats) -> Floats:
    """Return the z-score of each score: (score - mean) / standard deviation (of the population).

    If all scores are equal, all z-scores are 0.

    >>> compute_z_scores(np.array([1.0, 3.0])).tolist(), compute_z_scores(np.array([2.0, 2.0])).tolist()
    ([-1.0, 1.0], [0.0, 0.0])
    """
    if not len(scores):
        return np.zeros(0)
    centred: Floats = scores - scores.mean()
    spread = math.sqrt((centred * centred).mean())
    return np.zeros(len(scores)) if spread < 1e-9 else centred / spread


def standardise(signal: str, scores: Floats | Sequence[float | None]) -> Floats:
    """Convert a signal's scores of n candidates to the scale on which signals are added, float64 (n,).

    First, a missing score is set to the lowest score. Scores that are logarithms, such as "recency", then
    stay as they are. All others, such as "dense", become z-scores.

    >>> standardise("dense", [0.1, 0.3]).round(1).tolist(), standardise("recency", [-2.0, None]).tolist()
    ([-1.0, 1.0], [-2.0, -2.0])
    """
    filled = fill_missing(scores)
    return filled if BY_NAME[signal].scale == "log" else compute_z_scores(filled)


def sum_weighted(scored: Scored, weights: Mapping[str, float]) -> Floats:
    """Return the weighted sum of the signals for each of n candidates, float64 (n,).

    `scored` has the n scores of each signal by its name. They are standardised before they are weighted.

    >>> sum_weighted({"lexical": [1.0, 3.0], "dense": [None, None]}, {"lexical": 2.0, "dense": 1.0}).tolist()
    [-2.0, 2.0]
    """
    parts = [weights[name] * standardise(name, scores) for name, scores in scored.items()]
    total: Floats = np.sum(parts, axis=0)
    return total


def log_softmax(scores: Floats) -> Floats:
    """Return the logarithm of the softmax of scores, float64 (n,).

    >>> np.exp(log_softmax(np.array([0.0, 0.0]))).tolist()
    [0.5, 0.5]
    """
    if not len(scores):
        return scores
    shifted = scores - scores.max()
    logs: Floats = shifted - np.log(np.exp(shifted).sum())
    return logs


def fuse_late(model: Floats, span: Floats, first: Floats, weights: FusionWeights) -> Floats:
    """Return the final scores of n candidates, float64 (n,): alpha * log p(span) + beta * log p(paragraph).

    `model` has the ranker's logits of the paragraphs, `span` those of their best spans. `first` has, for each
    candidate, the sum of the signals weighted by `weights.paragraph`. p(span) is the softmax of `span`.
    p(paragraph) is the softmax of `weights.model` * `model` + `first`.
    """
    paragraph = log_softmax(weights.model * model + first)
    return weights.alpha * log_softmax(span) + weights.beta * paragraph
