"""Convert an answer to the JSON object that `rostrum recommend --json` and the HTTP service return."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rostrum_core.types import Answer, Explanation


def build_body(answer: Answer, explanation: Explanation | None = None) -> dict[str, Any]:
    """Return the answer as a JSON object, with `explanation` if there is one.

    >>> sorted(build_body(Answer((), 0)))[:5]
    ['candidates', 'degraded', 'engine', 'fit', 'generation']
    """
    values = asdict(answer)
    return values if explanation is None else values | {"explanation": asdict(explanation)}
