"""Prepare the markup of Rich Text for striprtf, which ignores character formats.

Text that is hidden, or deleted under tracked changes, is removed. Text in bold is enclosed in two control
characters, because bold may be the format of speakers' names.

Source: Microsoft, Rich Text Format (RTF) Specification 1.9.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

BOLD_START, BOLD_END = "\x01", "\x02"
TOKEN = re.compile(
    r"\\(?P<word>[a-z]{1,32})(?P<number>-?\d{1,10})?[ ]?|\\'[0-9A-Fa-f]{2}|\\.|[{}]|[^\\{}]+|\\", re.S
)
LINE_ENDS = frozenset(("par", "line", "sect", "page", "cell", "row"))
# Control words that stand for a character.
CHARACTERS = frozenset(
    {"u", "tab", "emdash", "endash", "emspace", "enspace"}
    | {"bullet", "lquote", "rquote", "ldblquote", "rdblquote"}
)


class _Format(NamedTuple):
    """Hold the character formats of a group. `is_marked` is true after `BOLD_START`, until `BOLD_END`."""

    is_hidden: bool = False
    is_deleted: bool = False
    is_bold: bool = False
    is_marked: bool = False


def mark_bold(markup: str) -> str:
    r"""Return RTF markup without hidden and deleted text, with `BOLD_START` and `BOLD_END` around bold text.

    A bold text that runs over several lines is enclosed line by line.

    >>> mark_bold(r"{\rtf1{\b Jane Roe}\par We {\v do not }pay.}")
    '{\\rtf1{\\b \x01Jane Roe\x02}\\par We {\\v }pay.}'
    """
    return "".join(_mark_tokens(markup))


def _mark_tokens(markup: str) -> Iterator[str]:
    around: list[_Format] = []
    current = _Format()
    for token in TOKEN.finditer(markup):
        text, word = token[0], token["word"]
        if text == "{":
            around.append(current)
        elif text == "}":
            after = around.pop() if around else current
            yield _get_mark(current, after.is_marked)
            current = after
        elif word and word not in LINE_ENDS and word not in CHARACTERS:
            current = _apply(current, word, token["number"] != "0")
        elif text != r"\*" and text.strip("\r\n"):
            if current.is_hidden or current.is_deleted:
                continue
            is_marked = current.is_bold and word not in LINE_ENDS
            if is_marked != current.is_marked:
                yield _get_mark(current, is_marked)
                current = current._replace(is_marked=is_marked)
        yield text


def _get_mark(current: _Format, is_marked: bool) -> str:
    """Return the control character that begins or ends bold text, or "" if the state is already right."""
    if current.is_marked == is_marked:
        return ""
    return BOLD_START if is_marked else BOLD_END


def _apply(current: _Format, word: str, is_on: bool) -> _Format:
    """Return the formats after a control word, such as `b` for bold, or `b0`, for which `is_on` is false."""
    match word:
        case "plain":
            return _Format(is_marked=current.is_marked)
        case "v":
            return current._replace(is_hidden=is_on)
        case "deleted":
            return current._replace(is_deleted=is_on)
        case "b":
            return current._replace(is_bold=is_on)
    return current
