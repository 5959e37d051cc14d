"""Estimate the probability that the first answer fits: an archive may have nothing for a draft.

A logistic regression on the signals and the ranker's score of the first answer. It is fitted on generated
drafts, some of which an archive answers and some not (docs/scores.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from rostrum_core.types import Scores

FEATURES = (
    "is_query",
    "exact",
    "whole",
    "dense",
    "model",
    "lexical",
    "document",
    "named",
)
"""Features of the first answer; a missing score counts as 0. `whole` is 1 if it has all words of a query in
order; `dense` counts for drafts only.
"""

FIT_WEIGHTS = {
    "is_query": 0.278,
    "exact": 5.129,
    "whole": 1.791,
    "dense": 0.751,
    "model": 0.204,
    "lexical": 3.421,
    "document": 1.095,
    "named": 1.191,
    "intercept": -11.633,
}
"""Fitted by `python -m benchmarks.query_kinds fit`: held-out ROC AUC 0.962 of 400 generated drafts."""

LIKELY = 0.5
"""Threshold below which an answer says that nothing seems to fit."""


def read_features(scores: Scores, *, is_query: bool) -> dict[str, float]:
    """Return the features of the first answer's scores.

    >>> read_features({"exact": 2.0, "dense": 0.5}, is_query=True)["whole"]
    1.0
    """
    filled = {name: value or 0.0 for name, value in scores.items()}
    exact, dense = filled.get("exact", 0.0), filled.get("dense", 0.0)
    return {
        "is_query": float(is_query),
        "exact": min(exact, 1.0),
        "whole": float(exact > 1.0),
        "dense": 0.0 if is_query else dense,
        "model": filled.get("model", 0.0),
        "lexical": math.log1p(filled.get("lexical", 0.0)),
        "document": math.log1p(filled.get("document", 0.0)),
        "named": filled.get("named", 0.0),
    }


def estimate_fit(scores: Scores, weights: Mapping[str, float], *, is_query: bool) -> float:
    """Return the probability that an answer with these scores fits, 0 to 1.

    >>> estimate_fit({}, dict.fromkeys((*FEATURES, "intercept"), 0.0), is_query=False)
    0.5
    """
    features = read_features(scores, is_query=is_query)
    logit = weights["intercept"] + sum(weights[name] * features[name] for name in FEATURES)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
