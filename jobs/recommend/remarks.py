"""Write the remarks of an answer, such as a warning that nothing seems to fit."""

from __future__ import annotations

from collections.abc import Sequence

from reranker.fit_probability import LIKELY
from rostrum_core.types import Recommendation


def describe_answer(recommendations: Sequence[Recommendation], fit: float | None) -> list[str]:
    """Return the remarks of an answer as sentences: that nothing seems to fit, and whose speeches are
    preferred.
    """
    remarks = []
    if fit is not None and fit < LIKELY:
        remarks.append(f"nothing here seems to fit (probability {fit:.2f}); these are the nearest")
    named = {
        recommendation.document.speaker: None
        for recommendation in recommendations
        if recommendation.scores.get("named") and recommendation.document.speaker
    }
    if named:
        people = ", ".join(str(name) for name in named)
        remarks.append(f"the draft names {people}, whose speeches count more (--ignore-names: they do not)")
    return remarks
