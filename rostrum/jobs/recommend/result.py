"""An answer as programs read it: what `rostrum recommend --json` prints and the HTTP service sends."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rostrum_core.types import Answer, Explanation


def form(answer: Answer, explanation: Explanation | None = None) -> dict[str, Any]:
    """The answer as an object of JSON; with `explanation` where there is one.

    >>> sorted(form(Answer((), 0)))
    ['candidates', 'degraded', 'fit', 'generation', 'models', 'recommendations', 'remarks', 'timings_s']
    """
    told = asdict(answer)
    return told if explanation is None else told | {"explanation": asdict(explanation)}
