"""Estimate the probability that the first answer fits the draft; the archive may have nothing suitable.

The estimate is a logistic regression. Its features are scores of the first answer: those of the signals, such
as BM25, and that of the ranker. The regression is fitted on generated drafts. For only some of these, the
archive has a suitable answer (docs/scores.md).
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from rostrum_core.types import Scores

OF_QUERIES = ("exact", "whole", "names", "dense", "model", "lexical", "document", "named", "first_stage")
OF_DRAFTS = (
    *("first_stage", "dense", "model", "lexical", "around", "named", "begun", "announced", "retold"),
    *("first_stage_lead", "lexical_lead", "document_lead"),
)
FEATURES = ("query", *(f"query_{name}" for name in OF_QUERIES), *OF_DRAFTS)
"""Features of the first answer; a missing score counts as 0, a missing lead as in `UNKNOWN_LEADS`.

Queries and drafts have separate weights: the features of the other kind are 0. `query_whole` is 1 if the
paragraph has all words of a query in order, and less if some differ. `first_stage` measures how far the
answer stands out from other candidates, independent of the draft's length and the archive's size. The leads
measure how far its speech stands out from the other speeches; that of `document` is a ratio (of logarithms).
"""

FIT_WEIGHTS = {
    "query": -0.115,
    "query_exact": 2.843,
    "query_whole": 2.173,
    "query_names": 0.75,
    "query_dense": 0.085,
    "query_model": 0.05,
    "query_lexical": 0.446,
    "query_document": 0.0,
    "query_named": 0.0,
    "query_first_stage": 1.387,
    "first_stage": 0.896,
    "dense": 0.0,
    "model": 0.019,
    "lexical": 0.0,
    "around": 0.836,
    "named": 2.06,
    "begun": 1.596,
    "announced": 0.348,
    "retold": 1.405,
    "first_stage_lead": 0.743,
    "lexical_lead": 0.598,
    "document_lead": 2.001,
    "intercept": -7.55,
}
"""Fitted by `python -m benchmarks.query_kinds fit`: held-out ROC AUC 0.939 of 1,107 drafts."""

UNKNOWN_LEADS = {"first_stage_lead": 5.0, "lexical_lead": 2.0, "document_lead": 6.0}
"""Leads of an answer if all candidates are from one speech, so that it has no rival.

They are between the leads of most first answers that fit and of most that do not.
"""

LOGS = (
    "lexical",
    "document",
    "begun",
    "announced",
    "names",
    "first_stage",
    "around",
    "first_stage_lead",
    "lexical_lead",
)
"""Scores without an upper bound, whose logarithm is used."""

LIKELY = 1 / 3
"""Threshold of the probability below which an answer says that nothing seems to fit.

It is set so low because to reject a right answer does more harm than to show a wrong one.
"""


def read_features(scores: Scores, *, is_query: bool) -> dict[str, float]:
    """Compute the input features of the logistic regression from the scores of the first answer.

    `is_query` is true for a few words that somebody searches for, false for a longer draft. Features whose
    name begins with "query" are 0 for a draft, and all others are 0 for a query. The score "exact" of a query
    is split into two features of at most 1: 1.4 gives "query_exact" 1 and "query_whole" 0.4.

    >>> features = read_features({"exact": 2.0, "dense": 0.5}, is_query=True)
    >>> features["query_whole"], features["query_dense"], features["dense"]
    (1.0, 0.5, 0.0)
    """
    present = {name: value for name, value in scores.items() if value is not None and not math.isnan(value)}
    filled = {**UNKNOWN_LEADS, **present}
    values = {name: filled.get(name, 0.0) for name in (*OF_QUERIES, *OF_DRAFTS)}
    logs = {name: math.log1p(max(values[name], 0.0)) for name in LOGS}
    exact = values["exact"]
    rival = max(values["document"] - values["document_lead"], 0.0)
    ratio = math.log1p(max(values["document"], 0.0)) - math.log1p(rival)
    values |= {
        **logs,
        "exact": min(exact, 1.0),
        "whole": min(max(exact - 1.0, 0.0), 1.0),
        "document_lead": max(ratio, 0.0),
    }
    values["named"] = min(values["named"], 1.0)  # to quote a speaker says no more of the paragraph
    of_kind = {f"query_{name}": values[name] for name in OF_QUERIES} if is_query else values
    return {"query": float(is_query)} | {name: of_kind.get(name, 0.0) for name in FEATURES[1:]}


def estimate_fit(scores: Scores, weights: Mapping[str, float], *, is_query: bool) -> float:
    """Return the probability, 0 to 1, that an answer with these scores fits the draft.

    `weights` has the weight of each feature of `read_features`, and the intercept.

    >>> estimate_fit({}, dict.fromkeys((*FEATURES, "intercept"), 0.0), is_query=False)
    0.5
    """
    features = read_features(scores, is_query=is_query)
    logit = weights["intercept"] + sum(weights[name] * features[name] for name in FEATURES)
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
