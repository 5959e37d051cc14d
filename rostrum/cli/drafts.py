"""Reads the draft of a writer: plain text, text with front matter, or JSON."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from indexer.front_matter import read_fenced, split_fenced
from indexer.metadata import NOTHING
from rostrum.core.errors import BadInput, TranscriptError
from rostrum.core.types import Draft

LARGEST_BYTES = 4 * 1024 * 1024
BEGINS_AS_JSON = re.compile(r'\s*\{\s*"')
LONGEST_TITLE = 200  # characters: a longer line is a paragraph of an editor that does not break lines
PARTS = ("title", "left", "right")


def read_draft(path: Path) -> Draft:
    """The draft in a file; `-` is standard input.

    Raises:
        BadInput: it cannot be read, is not UTF-8, is no draft or holds no word.
    """
    try:
        data = sys.stdin.buffer.read(LARGEST_BYTES + 1) if str(path) == "-" else _content(path)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    if len(data) > LARGEST_BYTES:
        raise BadInput(f"{path} is larger than {LARGEST_BYTES >> 20} MiB: no draft")
    try:
        return parse_draft(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadInput(f"{path} is not UTF-8: byte {error.start} is {data[error.start]:#04x}") from error
    except BadInput as error:
        raise BadInput(f"{path}: {error}", field=error.field) from error


def parse_draft(text: str) -> Draft:
    r"""The draft that a text is.

    JSON is an object of `title`, `left` and `right`; what only begins with a brace is text. Front matter
    (between lines of `---`) may give `title` and `right`, in any case, and other names, which are not read;
    what follows it is `left`, and every value is the text it is written as. In plain text a first line before
    a blank one is the title, unless it is as long as a paragraph.

    >>> parse_draft("On the moon\n\nThe crew is to land soon, and")
    Draft(title='On the moon', left='The crew is to land soon, and', right='')

    Raises:
        BadInput: it is broken or holds no word.
    """
    text = text.replace("\r\n", "\n")
    if (given := _json_object(text)) is not None:
        draft = _from_json(given)
    elif (headed := _from_front_matter(text)) is not None:
        draft = headed
    else:
        draft = _from_plain(text)
    if not any(getattr(draft, part).strip() for part in PARTS):
        raise BadInput("the draft is empty")
    return draft


def _content(path: Path) -> bytes:
    with path.open("rb") as opened:
        return opened.read(LARGEST_BYTES + 1)


def _json_object(text: str) -> dict[str, Any] | None:
    """What a text holds as JSON; `None` where it is none, such as one that begins "{Editor's note}"."""
    try:
        given = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError) as error:
        if BEGINS_AS_JSON.match(text):
            raise BadInput(f"not JSON: {error}") from error
        return None
    return given if isinstance(given, dict) else None


def _from_json(given: dict[str, Any]) -> Draft:
    unknown = sorted(given.keys() - set(PARTS))
    if unknown:
        raise BadInput(
            f"{unknown[0]!r} is no part of a draft; there are {', '.join(PARTS)}", field=unknown[0]
        )
    return Draft(**{part: _text(given, part) for part in given})


def _from_front_matter(text: str) -> Draft | None:
    """The draft below front matter; `None` where what stands between two rules is no list of names."""
    fenced = split_fenced(text)
    if fenced is None:
        return None
    head, body = fenced
    try:
        told = read_fenced(head, "the front matter") or {}
    except TranscriptError as error:
        raise BadInput(str(error)) from error
    if not isinstance(told, dict):
        return None
    told = {str(name).lower(): value for name, value in told.items() if value not in NOTHING}
    left = body.strip()
    if left and "left" in told:
        raise BadInput("left stands in the front matter and below it: give one", field="left")
    return Draft(_text(told, "title"), left or _text(told, "left").strip(), _text(told, "right"))


def _from_plain(text: str) -> Draft:
    head, _, rest = text.strip().partition("\n")
    if 0 < len(head) <= LONGEST_TITLE and rest.partition("\n")[0].strip() == "" and rest.strip():
        return Draft(title=head.strip(), left=rest.strip())
    return Draft(left=text.strip())


def _text(given: dict[str, Any], part: str) -> str:
    value = given.get(part)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadInput(f"{part} must be text", field=part)
    return str(value)
