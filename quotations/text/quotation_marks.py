"""Classify the quotation marks of a text: opening, closing, or apostrophe."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

# Marks that close a quotation, by the mark that opens it. German closes „ with “, or the " of keyboards;
# Danish closes » with «, Swedish ” with itself.
CLOSERS = {
    "“": "”", "”": "”", "„": "“”\"", "«": "»", "»": "«", "‹": "›", "›": "‹",
    "‘": "’", "‚": "‘’", '"': '"', "'": "'", "「": "」", "『": "』",
}  # fmt: skip
MARK = re.compile(
    r"``|''|´´|(?<![^\s(\[—–-]),,(?=[^\s,])"
    r"|<<(?=[^\s<>][^<>]{2,600}>>)|(?<=[^\s<>])>>"
    r'|(?<![^\s(\[—–-])""(?=\w)|(?<=[\w.,!?…])""(?!\w)'
    r"|[“”„«»‹›‘’‚\"'`´‟❝❞″＂「」『』]"
)
SPELLED = {
    "``": "“", "''": "”", "´´": "”", ",,": "„", "`": "‘", "´": "’",
    "<<": "«", ">>": "»", '""': "”", "‟": "“", "❝": "“", "❞": "”", "″": '"', "＂": '"',
}  # fmt: skip
"""Variants of marks from keyboards, TeX and fonts, mapped to the standard marks."""

SPACED = re.compile(r"(?<![^\s(\[])(?<!\d\s)(?:“\s[^“”\"]*\s”|\"\s[^“”\"]*\s\"(?!\w))")
"""Match a quotation with a space inside each of its marks, as in scanned pages; inch marks do not match."""

CLOSING = frozenset("".join(CLOSERS.values()))
SINGLE = "‘’‚'"
UNSURE = (
    SINGLE + "”‹›"
)  # opens a quotation only if it is closed: else an apostrophe, inches, an arrow of a page
SHAPED = "“”„«»‹›「」『』"  # cannot be an apostrophe or a sign for inches
BEFORE_OPENING = re.compile(r"(?:^|[\s(\[{—–\-“„«»‹›‘‚\"'/:])$")
# Words that begin with an apostrophe.
ELISION = re.compile(r"(?:\d\ds?|tis|twas|twere|til|till|em|cause|bout|round|n|neath|nuff)\b", re.IGNORECASE)

# Before any other mark, and not far away.
SINGLE_CLOSED = re.compile(r"[^‘“”\"„«»]{0,600}?(?:(?<=[.,!?…])’|(?<=\w)’(?=[,;:.!?)\]]|$))")


@dataclass(frozen=True, slots=True)
class QuoteMark:
    """Locate a quotation mark, `text[start_char:end_char]`, that opens or closes a quotation, or may do
    either.
    """

    start_char: int
    end_char: int
    mark: str
    opens: bool
    closes: bool


def find_quote_marks(text: str) -> Iterator[QuoteMark]:
    """Yield the quotation marks of a paragraph in order, skipping the apostrophes in "don’t" and "’tis".

    An apostrophe at the end of a word, as in "dogs’", looks like a closing quotation mark. It is yielded as a
    mark that may close a quotation.

    >>> [(m.mark, m.opens, m.closes) for m in find_quote_marks("the dogs’ “don’t”")]
    [('’', False, True), ('“', True, True), ('”', False, True)]
    """
    spaced = [match.span() for match in SPACED.finditer(text)]
    opening, closing = {start for start, _ in spaced}, {end - 1 for _, end in spaced}
    for match in MARK.finditer(text):
        before = text[max(0, match.start() - 1) : match.start()]
        after = text[match.end() : match.end() + 1]
        mark = SPELLED.get(match[0], match[0])
        if mark in SINGLE and _is_apostrophe(text, match.end(), before, after):
            continue
        opens = match.start() in opening or _is_opening(mark, before, after)
        closes = match.start() in closing or _is_closing(mark, before)
        if opens or closes:
            yield QuoteMark(match.start(), match.end(), mark, opens, closes)


def read_mark(text: str, start: int) -> str:
    """Return the standard form of the quotation mark at an offset; "" without one.

    >>> read_mark("said ,,We go", 5), read_mark("He said", 0)
    ('„', '')
    """
    match = MARK.match(text, start)
    return SPELLED.get(match[0], match[0]) if match else ""


def _is_opening(mark: str, before: str, after: str) -> bool:
    if mark in "“„":
        return after.strip() != ""
    if mark == "«":  # in French a space follows
        return after != ""
    if mark == '"' and before in tuple(",.…") and after.isalpha():
        return True  # as a typist leaves out the space: he said,"We go."
    if mark == "”" and not (after.isalnum() or after in tuple("‘’'‚([…$€£¿¡")):
        return False
    return mark in CLOSERS and bool(BEFORE_OPENING.search(before)) and after.strip() != ""


def _is_closing(mark: str, before: str) -> bool:
    return mark in CLOSING and (mark in SHAPED or before.strip() != "")


def _is_apostrophe(text: str, end: int, before: str, after: str) -> bool:
    if before.isalnum() and after.isalnum():
        return True
    if before.isalnum() or before in tuple(",.!?") or not ELISION.match(text, end):
        return False
    # ‘ is seldom an apostrophe: with a mark that closes after it, "‘20 million people wait.’" is a
    # quotation.
    return not (text[end - 1] == "‘" and SINGLE_CLOSED.match(text, end))
