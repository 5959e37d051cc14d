"""Text that every answer can hold."""

from __future__ import annotations

import json
from typing import Any


def whole(told: Any) -> Any:
    r"""JSON with a question mark in place of each lone surrogate, which no answer can hold; offsets stay.

    >>> whole("moon \ud800"), whole([{"\udc00": None}])
    ('moon ?', [{'?': None}])
    """
    if isinstance(told, str):
        return told.encode("utf-8", "replace").decode()
    return json.loads(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace"))
