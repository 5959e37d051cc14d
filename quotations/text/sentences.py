"""Split English prose into sentences by a few rules.

A sentence ends at ".", "!", "?" or "…", with the closing quotes and brackets after it. White space must
follow, then a capital, a figure or an opening quote. A currency sign, bullet or other symbol may precede
these. The full stop of an abbreviation or initial does not count. A blank line always ends a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from quotations.text.abbreviations import BEFORE_FIGURES, CLOSING, NEVER, PERHAPS, STARTERS

# Try a run of marks or of spaces once, from its start. Without the look-behinds and the possessive "++" a
# line of dots takes quadratic time. Each match begins with one of a set of characters, which are found fast.
END = re.compile(
    rf"""[.!?…\n。！？](?:
      (?<=[.!?…])(?<![.!?…]{{2}})[.!?…]*+(?:[{CLOSING}*_]|[ \u00a0\u202f]»(?=\s|$))*+(?P<gap>\s++)
    | (?<=\n)[ \t]*+\n\s*+
    | (?<=[。！？])[。！？]*+[」』”]*+\s*+)""",
    re.VERBOSE,
)
# Currency signs, bullets, arrows, shapes, dingbats and emoji, as parts of a regex class. They are no letters
# or figures.
SYMBOLS = (
    r"$#@•‣·¢£¤¥©®\u200d\u20a0-\u20cf\u2190-\u245f\u2500-\u2775\u2794-\u27bf\u2b00-\u2bff\ufe0f"
    r"\U0001f000-\U0001f0ff\U0001f110-\U0001faff"
)
OPENING_MARKS = rf"[\"'“‘„‚”«»‹›(\[*_¿¡—–{SYMBOLS}-]*"
OPENING = rf"{OPENING_MARKS}(?:(?<=[«{SYMBOLS}])\s{OPENING_MARKS})*"  # "« Encore", "• Next", "$30"
OPENS = re.compile(rf"{OPENING}[^\W_]")
NEXT_WORD = re.compile(rf"{OPENING}([^\W\d_]+(?:['’][^\W\d_]+)?)")
BEFORE_LAST_WORD = re.compile(r"(?s:.*)[\s\"'“‘„‚”(\[«»‹›—–]")
INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*")
LONGEST_WORD = 24
CACHED_PARAGRAPHS = 1 << 12


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Return the ranges of the sentences in `text`, in order; only white space lies outside them.

    >>> text = 'Mr. Lee paid $3.50. "Did he?" she asked... Yes. The U.S. Senate sat.'
    >>> [text[start:end] for start, end in split_sentences(text)]
    ['Mr. Lee paid $3.50.', '"Did he?" she asked...', 'Yes.', 'The U.S. Senate sat.']
    >>> split_sentences(" ")
    []
    """
    ranges, start = [], 0
    for end, following in [*_find_boundaries(text), (len(text), len(text))]:
        sentence = text[start:end]
        begin = start + len(sentence) - len(sentence.lstrip())
        stop = start + len(sentence.rstrip())
        if stop > begin:
            ranges.append((begin, stop))
        start = following
    return ranges


@lru_cache(CACHED_PARAGRAPHS)
def split_paragraph(text: str) -> tuple[tuple[int, int], ...]:
    """Split a short text into sentences as `split_sentences` does; results are cached."""
    return tuple(split_sentences(text))


def _find_boundaries(text: str) -> Iterator[tuple[int, int]]:
    """Yield pairs of offsets: the end of a sentence, and the earliest start of the next one."""
    for match in END.finditer(text):
        gap = match["gap"]
        if gap is None or (gap != " " and "\n\n" in re.sub(r"[ \t]", "", gap)):
            yield match.end() if gap is None else match.start("gap"), match.end()
        elif OPENS.match(text, match.end()) and _is_end(text, match):
            yield match.start("gap"), match.end()


def _is_end(text: str, match: re.Match[str]) -> bool:
    """Return whether the marks in `match` end a sentence, judging by the words before and after them."""
    following = NEXT_WORD.match(text, match.end())
    word = following[1] if following else ""
    if word and not word[0].isupper() and word[0].lower() != word[0].upper():
        return False
    if match[0].rstrip() != ".":
        return True
    return not _is_short(text[max(0, match.start() - LONGEST_WORD) : match.start()], word)


def _is_short(before: str, following: str) -> bool:
    """Return whether a full stop between `before` and `following` marks an abbreviation."""
    others = BEFORE_LAST_WORD.match(before)
    word = before[others.end() :] if others else before
    if word.lower() in NEVER and (word[0].isupper() or word.lower() in ("e.g", "i.e", "vs", "cf", "viz")):
        return True
    if word.lower() in BEFORE_FIGURES:
        return not following
    initial = word.isupper() and INITIALS.fullmatch(word) is not None
    return (initial or word.lower() in PERHAPS) and following.lower() not in STARTERS
