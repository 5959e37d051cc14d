"""Make text encodable in every response, and convert offsets to UTF-16 code units."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any


def count_utf16(text: str) -> int:
    """Return the number of UTF-16 code units of a text, the unit of JavaScript and of LanguageTool's clients.

    >>> count_utf16("a😀")
    3
    """
    return len(text) + sum(character > "\uffff" for character in text)


def count_utf16_ranges(text: str, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Convert ranges of code points to ranges of UTF-16 code units, the unit of Java.

    >>> count_utf16_ranges("🎉 We won. 🎉 So.", [(2, 9), (12, 15)])
    [(3, 10), (14, 17)]
    """
    counted, at, units = [], 0, 0
    for start, end in ranges:
        units += count_utf16(text[at:start])
        length = count_utf16(text[start:end])
        counted.append((units, units + length))
        at, units = end, units + length
    return counted


def replace_surrogates(value: Any) -> Any:
    r"""Replace each lone surrogate in the strings of a JSON value by "?", because UTF-8 cannot encode it.

    Offsets in the strings stay valid.

    >>> replace_surrogates("moon \ud800"), replace_surrogates([{"\udc00": None}])
    ('moon ?', [{'?': None}])
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
