"""Name places in a speech for URLs: `p12:40-95` means characters 40 to 95 of paragraph 12."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

PLACE: Final = re.compile(r"p?([1-9][0-9]{0,6})(?::([0-9]{1,9})-([0-9]{1,9}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Place:
    """Identify a paragraph by its index from 0, and a half-open character range; `end_char` 0 means no
    range.
    """

    ordinal: int
    start_char: int = 0
    end_char: int = 0

    @property
    def name(self) -> str:
        """Return the name of the place for a URL."""
        words = f":{self.start_char}-{self.end_char}" if self.end_char else ""
        return f"p{self.ordinal + 1}{words}"


def read_place(text: str) -> Place | None:
    """Parse the name of a place; `None` if it is malformed.

    >>> read_place("p12:40-95"), read_place("p1"), read_place("p0"), read_place("p1:9-9")
    (Place(ordinal=11, start_char=40, end_char=95), Place(ordinal=0, start_char=0, end_char=0), None, None)
    """
    match = PLACE.fullmatch(text)
    if match is None:
        return None
    number, start, end = match.groups()
    if start is None:
        return Place(int(number) - 1)
    return Place(int(number) - 1, int(start), int(end)) if int(start) < int(end) else None


def link_place(document_id: str, ordinal: int, start_char: int = 0, end_char: int = 0) -> str:
    """Return an address on this site that marks words of a speech, even in a browser without scripts.

    >>> link_place("a b", 11, 40, 95)
    '/documents/a%20b?at=p12:40-95#p12:40-95'
    """
    place = Place(ordinal, start_char, end_char).name
    return f"/documents/{quote(document_id, safe='')}?at={place}#{place}"
