"""Estimate the probability that the first answer fits the draft, because an archive may have nothing
suitable.

This is a logistic regression on the signals and the ranker's score of the first answer. It is fitted on
generated drafts, of which an archive can answer some and not others (docs/scores.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from rostrum_core.types import Scores

OF_QUERIES = ("exact", "whole", "names", "dense", "model", "lexical", "document", "named", "first_stage")
OF_DRAFTS = ("first_stage", "dense", "model", "lexical", "named", "begun", "announced", "retold")
FEATURES = ("query", *(f"query_{name}" for name in OF_QUERIES), *OF_DRAFTS)
"""Features of the first answer; a missing score counts as 0.

Queries and drafts have separate weights: the features of the other kind are 0. `query_whole` is 1 if the
paragraph has all words of a query in order, and less if some differ. `first_stage` is a measure of how far
the answer stands out from other candidates, independent of the draft's length and the archive's size.
"""

FIT_WEIGHTS = {
    "query": 1.74,
    "query_exact": 2.674,
    "query_whole": 1.185,
    "query_names": 0.597,
    "query_dense": 0.159,
    "query_model": 0.255,
    "query_lexical": 0.0,
    "query_document": 0.564,
    "query_named": 0.0,
    "query_first_stage": 1.609,
    "first_stage": 2.511,
    "dense": 0.0,
    "model": 0.122,
    "lexical": 0.314,
    "named": 1.428,
    "begun": 1.21,
    "announced": 0.839,
    "retold": 1.414,
    "intercept": -10.288,
}
"""Fitted by `python -m benchmarks.query_kinds fit`: held-out ROC AUC 0.9 of 769 drafts."""

LOGS = ("lexical", "document", "begun", "announced", "names", "first_stage")
"""Scores without an upper bound, whose logarithm is used."""

LIKELY = 1 / 3
"""Threshold of the probability below which an answer says that nothing seems to fit.

It is set so low because to reject a right answer does more harm than to show a wrong one.
"""


def read_features(scores: Scores, *, is_query: bool) -> dict[str, float]:
    """Compute the features of the regression from the first answer's scores.

    >>> features = read_features({"exact": 2.0, "dense": 0.5}, is_query=True)
    >>> features["query_whole"], features["query_dense"], features["dense"]
    (1.0, 0.5, 0.0)
    """
    filled = {name: 0.0 if value is None or math.isnan(value) else value for name, value in scores.items()}
    values = {name: filled.get(name, 0.0) for name in (*OF_QUERIES, *OF_DRAFTS)}
    logs = {name: math.log1p(max(values[name], 0.0)) for name in LOGS}
    exact = values["exact"]
    values |= {**logs, "exact": min(exact, 1.0), "whole": min(max(exact - 1.0, 0.0), 1.0)}
    values["named"] = min(values["named"], 1.0)  # to quote a speaker says no more of the paragraph
    of_kind = {f"query_{name}": values[name] for name in OF_QUERIES} if is_query else values
    return {"query": float(is_query)} | {name: of_kind.get(name, 0.0) for name in FEATURES[1:]}


def estimate_fit(scores: Scores, weights: Mapping[str, float], *, is_query: bool) -> float:
    """Return the probability that an answer with these scores fits, 0 to 1.

    >>> estimate_fit({}, dict.fromkeys((*FEATURES, "intercept"), 0.0), is_query=False)
    0.5
    """
    features = read_features(scores, is_query=is_query)
    logit = weights["intercept"] + sum(weights[name] * features[name] for name in FEATURES)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
