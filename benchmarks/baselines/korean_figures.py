"""Compute the figures of systems on the Korean headlines: F1, areas under the ROC curve, properties of the
vectors, means over seeds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score, precision_recall_curve, roc_auc_score

from benchmarks.baselines.korean_networks import Article

TEST_SHARE = 0.2
NEAREST = 20

Floats = NDArray[np.float32]


def choose_threshold(scores: Floats, labels: NDArray[np.int64]) -> float:
    """Return the threshold with the best F1: a score at or above it means label 1.

    >>> choose_threshold(np.array([0.1, 0.5, 0.9], np.float32), np.array([0, 1, 1]))
    0.5
    """
    precision, recall, thresholds = precision_recall_curve(labels, scores)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-9)
    return float(thresholds[f1[:-1].argmax()])


def judge(scores: Floats, guesses: NDArray[np.bool_], labels: NDArray[np.int64]) -> dict[str, float]:
    """Return F1 of label 1, and the areas under the ROC curves of the predicted labels (as in the paper) and
    of the scores.
    """
    return {
        "f1": float(f1_score(labels, guesses, zero_division=0)),
        "auc of labels": float(roc_auc_score(labels, guesses)),
        "auc": float(roc_auc_score(labels, scores)),
    }


def measure_space(articles: Sequence[Article], nearest: Sequence[int]) -> dict[str, float]:
    """Return alignment, uniformity, and how often a headline's positive is among the `NEAREST` quotes of all
    articles. For alignment and uniformity, lower is better. The positive of a headline with label 0 is the
    quote of its article that shares most letters with it; `nearest` are the indices of these quotes. Vectors
    have length 1.

    Source: Wang and Isola, "Understanding contrastive representation learning" (ICML 2020).
    """
    body = np.concatenate([article.body for article in articles])
    heads = np.stack([article.quote for article in articles])
    starts = np.cumsum([0, *(len(article.body) for article in articles)])
    modified = [at for at, article in enumerate(articles) if not article.label]
    positives = np.array([starts[at] + nearest[at] for at in modified])
    cosines = heads[modified] @ body.T
    above = (cosines > cosines[np.arange(len(modified)), positives][:, None]).sum(1)
    distances = 2 - 2 * np.clip(heads @ heads.T, -1, 1)[np.triu_indices(len(heads), 1)]
    return {
        "alignment": float(((heads[modified] - body[positives]) ** 2).sum(1).mean()),
        "uniformity": float(np.log(np.exp(-2 * distances).mean())),
        "among 20": float((above < NEAREST).mean()),
    }


def summarise(runs: Sequence[dict[str, dict[str, float]]]) -> dict[str, dict[str, list[float]]]:
    """Return the mean and the standard error over seeds of every figure of every system.

    >>> summarise([{"a": {"f1": 0.5}}, {"a": {"f1": 0.7}}])
    {'a': {'f1': [0.6, 0.1]}}
    """
    result: dict[str, dict[str, list[float]]] = {}
    for name, figures in runs[0].items():
        result[name] = {}
        for figure in figures:
            values = np.array([run[name][figure] for run in runs])
            error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
            result[name][figure] = [round(float(values.mean()), 4), round(error, 4)]
    return result
