"""Make text encodable in every response."""

from __future__ import annotations

import json
from typing import Any


def whole(told: Any) -> Any:
    r"""Replace each lone surrogate in JSON, which no response can encode, by a question mark; offsets stay.

    >>> whole("moon \ud800"), whole([{"\udc00": None}])
    ('moon ?', [{'?': None}])
    """
    if isinstance(told, str):
        return told.encode("utf-8", "replace").decode()
    return json.loads(json.dumps(told, ensure_ascii=False).encode("utf-8", "replace"))
