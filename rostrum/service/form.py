"""An answer as programs read it: what `rostrum recommend --json` prints and the HTTP service sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rostrum.core.types import Answer


@dataclass(frozen=True, slots=True)
class Explanation:
    """What an answer was made by, beside the scores of every stage that it brings along.

    `queries`: what paragraphs and whole documents were matched with. `weights`: of the stages' z-scores for
    candidates, and of what is merged at the end.
    """

    queries: Mapping[str, str]
    weights: Mapping[str, Any]


def form(answer: Answer, explanation: Explanation | None = None) -> dict[str, Any]:
    """The answer as an object of JSON; with `explanation` where there is one.

    >>> sorted(form(Answer((), 0)))
    ['candidates', 'degraded', 'generation', 'models', 'recommendations', 'timings_s']
    """
    told = asdict(answer)
    return told if explanation is None else told | {"explanation": asdict(explanation)}
