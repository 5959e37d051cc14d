"""Quotation marks of a text: which open, which close, and which are apostrophes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# What closes a quotation that the mark opens. German closes „ with “, Danish » with «.
CLOSERS = {"“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", "‚": "‘’", '"': '"', "'": "'"}
MARK = re.compile("``|''|[“”„«»‘’‚\"']")
SPELLED = {"``": "“", "''": "”"}
SINGLE = "‘’‚'"
BEFORE_OPENING = re.compile(r"(?:^|[\s(\[{—–\-“„«‘‚\"'/:])$")
# Words that begin with an apostrophe.
ELISION = re.compile(r"(?:\d\ds?|tis|twas|twere|til|till|em|cause|bout|round|n|neath|nuff)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class QuoteMark:
    """The quotation mark at `start_char:end_char`; it opens, closes, or may do both."""

    start_char: int
    end_char: int
    mark: str
    opens: bool
    closes: bool


def quote_marks(text: str) -> Iterator[QuoteMark]:
    """The quotation marks of a paragraph, in order, without its apostrophes.

    >>> [(m.mark, m.opens, m.closes) for m in quote_marks("the dogs’ “don’t”")]
    [('’', False, True), ('“', True, False), ('”', False, True)]
    """
    for found in MARK.finditer(text):
        before = text[max(0, found.start() - 1) : found.start()]
        after = text[found.end() : found.end() + 1]
        mark = SPELLED.get(found[0], found[0])
        if mark in SINGLE and _is_apostrophe(text, found.end(), before, after):
            continue
        opens = (
            mark in CLOSERS and bool(BEFORE_OPENING.search(before)) and not after.isspace() and after != ""
        )
        closes = any(mark in closers for closers in CLOSERS.values()) and before.strip() != ""
        if mark in "“„":  # shaped as they are, they open whatever stands around them
            opens = after.strip() != ""
        if opens or closes or mark in '"”»':
            yield QuoteMark(found.start(), found.end(), mark, opens, closes or not opens)


def _is_apostrophe(text: str, end: int, before: str, after: str) -> bool:
    if before.isalnum() and after.isalnum():
        return True
    return not before.isalnum() and bool(ELISION.match(text, end)) and before not in tuple(",.!?")
