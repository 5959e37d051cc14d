r"""Remove a transcript's markup from words that are to be printed.

Transcripts mark what a speaker said wrongly (`<s>Ninety</s> \[Ninety-eight\] percent`), raise letters
(`21<sup>st</sup>`), and stress words (`*Roe v. Wade*`, `_Challenger_`). Texts keep that markup, because
positions count its characters.
"""

from __future__ import annotations

import re

STRUCK = re.compile(r"<(s|del)>[^<>]{0,200}</\1>\s*", re.IGNORECASE)
BREAK = re.compile(r"\s*<br\s*/?>\s*", re.IGNORECASE)
TAG = re.compile(r"</?(?:s|del|ins|sup|sub|em|strong|span|[abiu])(?: [^<>]{0,200})?>", re.IGNORECASE)
ESCAPED = re.compile(r"\\([\\`*_{}\[\]()#+.!|<>~-])")
STRESSED = re.compile(r"(?<![\w*_])(\*{1,3}|_{1,3})(?=[^\s*_])([^*_\n]{0,200}[^\s*_])\1(?![\w*_])")


INNER_MARKS = str.maketrans("“”", "‘’")


def put_in_quotes(words: str) -> str:
    """Put words in quotation marks; marks inside them become single quotes.

    >>> put_in_quotes("He said “no” twice.")
    '“He said ‘no’ twice.”'
    """
    return f"“{words.translate(INNER_MARKS)}”"


def remove_markup(text: str, *, keep_struck: bool = False) -> str:
    r"""Return a text as it is printed: without struck words, tags, marks of stress and escapes.

    If `keep_struck` is true, struck words stay, because a web page shows them too, with a line through them.
    A correction keeps its brackets, because the speaker said something else.

    >>> remove_markup(r"<s>Ninety</s> \[Ninety-eight\] percent of the 21<sup>st</sup> century")
    '[Ninety-eight] percent of the 21st century'
    >>> remove_markup("the _Challenger_ crew, *Roe v. Wade* and 2 * 3 * 4")
    'the Challenger crew, Roe v. Wade and 2 * 3 * 4'
    """
    if not any(mark in text for mark in "<*_\\"):
        return text
    kept = text if keep_struck else STRUCK.sub("", text)
    plain = TAG.sub("", BREAK.sub(" ", kept))
    return ESCAPED.sub(r"\1", STRESSED.sub(r"\2", plain))
