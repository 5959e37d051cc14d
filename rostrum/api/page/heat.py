"""Compute the heat of a speech's paragraphs or sentences: how well they fit a draft or a claim, 0 to 100."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median_low
from typing import Final, Literal

from archive.service import Service
from reranker.fit_probability import estimate_fit
from reranker.signals.exact_words import is_query
from rostrum_core.evidence import Claim, EvidenceAnswer
from rostrum_core.types import Draft, Filter

HeatKind = Literal["claim", "draft"]
LEVELS: Final = 5
LEAST: Final = 1e-4
"""Smallest distance of a probability from 0 and 1, which keeps its logit finite."""

LEAST_STANCE: Final = 40
"""Heat from which a sentence's stance is shown. For weaker sentences it is meaningless."""

MOST_READ: Final = 1_000
"""Most paragraphs of a speech that get a heat, which bounds the work of one request."""

MOST_STANCES: Final = 50
"""Most sentences whose stance is shown; all layers of the model are certain to read them."""


@dataclass(frozen=True, slots=True)
class HotRange:
    """Hold the heat of a character range of a paragraph; `end_char` 0 means the whole paragraph.

    The heat, 0 to 100, says how well the range fits a draft or a claim. `stance` says whether a sentence
    "supports" or "contradicts" the claim, or is "neutral".
    """

    ordinal: int
    heat: int
    start_char: int = 0
    end_char: int = 0
    stance: str = ""

    @property
    def level(self) -> int:
        """Return the step of the colour legend to which the heat belongs, from 1 to `LEVELS`.

        >>> [HotRange(0, heat).level for heat in (0, 19, 20, 99, 100)]
        [1, 1, 2, 5, 5]
        """
        return min(LEVELS, 1 + self.heat * LEVELS // 100)


@dataclass(frozen=True, slots=True)
class Heat:
    """Hold the heat of a speech: how well its paragraphs or sentences fit a draft or a claim.

    `ranges` has the heat of each paragraph or sentence. It is empty if the models could not be run. `fit` is
    the probability that the best paragraph fits the draft. `degraded` names the stages that were skipped.
    """

    kind: HeatKind
    ranges: Sequence[HotRange]
    fit: float | None = None
    degraded: Sequence[str] = ()

    @property
    def hottest(self) -> list[HotRange]:
        """Return the five ranges with the greatest heat, the hottest first."""
        return sorted(self.ranges, key=lambda hot: -hot.heat)[:5]


def measure_claim(text: str, document_id: str, service: Service) -> Heat:
    """Return the heat (0 to 100) of each sentence of a speech: how strongly it speaks for or against a claim.

    The best sentence has 100. The weaker half of the sentences has 0.

    Raises:
        BadInput: the claim is blank.
        StoreError, TaskError, ModelError: as `Service.evidence`.
    """
    answer = service.evidence(Claim(text), documents=[document_id], limit=MOST_STANCES, heat=True)
    return Heat("claim", _read_sentences(answer), degraded=answer.degraded)


def measure_draft(draft: Draft, document_id: str, service: Service) -> Heat:
    """Return the heat (0 to 100) of each paragraph of a speech: how well the paragraph fits a draft.

    The best paragraph has 100. The weaker half of the paragraphs has 0.

    Raises:
        BadInput: the draft is empty.
        StoreError, ModelError: as `Service.recommend`.
    """
    answer = service.recommend(
        draft,
        filter=Filter(documents=(document_id,)),
        limit=MOST_READ,
        candidates=MOST_READ,
        printed=False,
    )
    read = [
        (one.paragraph.ordinal, final)
        for one in answer.recommendations
        if (final := one.scores.get("final")) is not None
    ]
    heats = spread([final for _, final in read])
    ranges = [HotRange(ordinal, heat) for (ordinal, _), heat in zip(read, heats, strict=True)]
    fit = None
    if ranges:
        scores = answer.recommendations[0].scores
        fit = estimate_fit(scores, service.models.fusion.fit, is_query=is_query(draft))
    return Heat("draft", ranges, fit, answer.degraded)


def _read_sentences(answer: EvidenceAnswer) -> list[HotRange]:
    if not answer.sentences or answer.sentences[0].score is None:
        return []
    best = answer.sentences[0].score
    stances = {(one.paragraph, one.start_char): one.stance for one in answer.sentences}
    heats = spread_scores([row.heat * best for row in answer.heat])
    return [
        HotRange(
            row.paragraph,
            heat,
            row.start_char,
            row.end_char,
            stances.get((row.paragraph, row.start_char), "") if heat >= LEAST_STANCE else "",
        )
        for row, heat in zip(answer.heat, heats, strict=True)
    ]


def spread_scores(scores: Sequence[float]) -> list[int]:
    """Convert the probabilities that sentences are evidence to heats, integers from 0 to 100.

    The best sentence has heat 100. The median sentence and all below it have heat 0. Between them, heat is
    linear in the logit. In a speech on the subject of a claim, nearly all sentences have high probabilities.
    So these are spread, to show readers the sentences that stand out.
    """
    return spread([math.log((LEAST + score) / (LEAST + 1 - score)) for score in scores])


def spread(logits: Sequence[float]) -> list[int]:
    """Map logits linearly to heats: 0 at the median and below, 100 at the best.

    >>> spread([0.0, 1.0, 0.0, 4.0]), spread([0.3]), spread([])
    ([0, 25, 0, 100], [100], [])
    """
    if not logits:
        return []
    middle, best = median_low(logits), max(logits)
    if best - middle < LEAST:
        return [100 if logit == best else 0 for logit in logits]
    return [round(100 * max(0.0, (logit - middle) / (best - middle))) for logit in logits]
