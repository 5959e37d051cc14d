"""Reads the draft of a writer: plain text, text with front matter, JSON, or what speeches are read from."""

from __future__ import annotations

import io
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from indexer.dates import calendar_date
from indexer.encodings import decode
from indexer.files import LARGEST_FILE_BYTES
from indexer.formats import Source, format_of, is_unread_text, named
from indexer.front_matter import read_fenced, split_fenced
from indexer.metadata import NOTHING
from rostrum_core.errors import BadInput, TranscriptError
from rostrum_core.types import Document, Draft

LARGEST_BYTES = 4 * 1024 * 1024
PICTURED = (
    "docx",
    "pdf",
    "odt",
    "doc",
)  # kinds of files that may hold pictures, which take more room than the text
LAID_OUT = ("html", "rtf", *PICTURED)
PLACE = re.compile(r"\[quote\]", re.IGNORECASE)
BEGINS_AS_JSON = re.compile(r'\s*\{\s*"')
LONGEST_TITLE = 200  # characters: a longer line is a paragraph of an editor that does not break lines
PARTS = ("title", "left", "right")
DAY, DATE = "written_on", "date"  # of the draft; front matter may have either
NO_PAGE = Draft()


def read_draft(path: Path, written_on: str | None = None) -> Draft:
    """The draft in a file; `-` is standard input. Its day is `written_on`, if that is given.

    HTML, Word and PDF are read as transcripts are, by their suffix; all else is text, in any encoding that
    transcripts may have.

    Raises:
        BadInput: it cannot be read, is no text, is no draft or holds no word.
    """
    if is_unread_text(path):
        raise BadInput(f"{path}: a format that is not read; save it as .docx or .txt")
    format_ = format_of(path)
    kind = format_.kind if format_ and format_.kind in LAID_OUT else "text"
    try:
        data = _content(path, LARGEST_FILE_BYTES if kind in PICTURED else LARGEST_BYTES)
        page = _laid_out(path, kind, data) if kind in LAID_OUT else Draft(left=decode(data, str(path)))
        if len(page.left) > LARGEST_BYTES:
            raise BadInput(f"more than {LARGEST_BYTES} characters: no draft")
        return parse_draft(page.left, written_on, page=page)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    except TranscriptError as error:
        raise BadInput(f"{path}: {error.reason}; give text, HTML, Word (.docx) or PDF") from error
    except BadInput as error:
        raise BadInput(f"{path}: {error}", field=error.field) from error


def parse_draft(text: str, written_on: str | None = None, *, page: Draft = NO_PAGE) -> Draft:
    r"""The draft that a text is.

    JSON is an object of `title`, `left`, `right` and `written_on`; what only begins with a brace is text.
    Front matter (between lines of `---`) may give `title`, `right` and `date`, in any case, and other names,
    which are not read; what follows it is `left`, and every value is the text it is written as. In plain text
    a first line before a blank one is the title, unless it is as long as a paragraph. In text, `[quote]` is
    the place of the quote: what follows it is `right`.

    `written_on` is the day, whatever the text says. `page` has title and day of what the text is printed on,
    which hold where the text says nothing else.

    >>> parse_draft("On the moon\n\nThe crew is to land soon, and")
    Draft(title='On the moon', left='The crew is to land soon, and', right='', written_on=None)
    >>> parse_draft("---\ndate: 16 July 1969\n---\nThe crew [quote] is to land.")
    Draft(title='', left='The crew', right='is to land.', written_on='1969-07-16')

    Raises:
        BadInput: it is broken or holds no word.
    """
    text = text.replace("\r\n", "\n")
    if (given := _json_object(text)) is not None:
        draft = _from_json(given, written_on)
    elif (headed := _from_front_matter(text, written_on)) is not None:
        draft = _placed(headed)
    else:
        draft = _placed(Draft(page.title, text) if page.title else _from_plain(text))
    day = written_on or draft.written_on or page.written_on
    draft = replace(draft, title=draft.title or page.title, written_on=day)
    if not any(getattr(draft, part).strip() for part in PARTS):
        raise BadInput("the draft is empty")
    return draft


def _content(path: Path, limit_bytes: int) -> bytes:
    """The bytes of a file or of standard input.

    Raises:
        BadInput: there are more than `limit_bytes`.
    """
    if str(path) == "-":
        data = sys.stdin.buffer.read(limit_bytes + 1)
    else:
        with path.open("rb") as opened:
            data = opened.read(limit_bytes + 1)
    if len(data) > limit_bytes:
        raise BadInput(f"larger than {limit_bytes >> 20} MiB: no draft")
    return data


def _laid_out(path: Path, kind: str, data: bytes) -> Draft:
    """Title, text and day of a file that is read as transcripts of its kind are; no title if it tells none.

    The day is a page's of HTML: Word and PDF know when a file was made, perhaps from one of years ago.

    Raises:
        TranscriptError: it cannot be read.
    """
    source = Source(str(path), io.BytesIO(data), id="", kind=kind)
    (found,) = named(kind).read(source, lambda refused: None)
    day = found.document.spoken_on if kind == "html" else None
    return Draft(found.document.title, _with_marks(found.document), written_on=day)


def _with_marks(document: Document) -> str:
    """The text with what looked like a speaker's tag or a stage direction, such as the place of a quote."""
    text, position = "", 0
    for mark in document.marks:
        if mark.kind != "boilerplate":
            text += document.text[position : mark.start_char]
            text += f"{'' if not text or text[-1].isspace() else ' '}{mark.text} "
            position = mark.start_char
    return text + document.text[position:]


def _placed(draft: Draft) -> Draft:
    """The draft cut at the place of the quote, where its text marks one.

    Raises:
        BadInput: it marks several, or says in two places what follows.
    """
    left, *rest = PLACE.split(draft.left)
    if len(rest) > 1:
        raise BadInput("[quote] stands in it more than once: mark one place", field="left")
    right = "".join(rest).strip()
    if right and draft.right:
        raise BadInput("right stands in the front matter and after [quote]: give one", field="right")
    return replace(draft, left=left.rstrip() if rest else left, right=right or draft.right)


def _json_object(text: str) -> dict[str, Any] | None:
    """What a text holds as JSON; `None` where it is none, such as one that begins "{Editor's note}"."""
    try:
        given = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError) as error:
        if BEGINS_AS_JSON.match(text):
            raise BadInput(f"not JSON: {error}") from error
        return None
    return given if isinstance(given, dict) else None


def _from_json(given: dict[str, Any], written_on: str | None) -> Draft:
    known = (*PARTS, DAY)
    unknown = sorted(given.keys() - set(known))
    if unknown:
        raise BadInput(
            f"{unknown[0]!r} is no part of a draft; there are {', '.join(known)}", field=unknown[0]
        )
    title, left, right = (_text(given, part) for part in PARTS)
    return Draft(title, left, right, written_on or _day(given, DAY))


def _from_front_matter(text: str, written_on: str | None) -> Draft | None:
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
    day = written_on or _day(told, DATE) or _day(told, DAY)
    return Draft(_text(told, "title"), left or _text(told, "left").strip(), _text(told, "right"), day)


def _from_plain(text: str) -> Draft:
    head, _, rest = text.strip().partition("\n")
    if 0 < len(head) <= LONGEST_TITLE and rest.partition("\n")[0].strip() == "" and rest.strip():
        return Draft(title=head.strip(), left=rest.strip())
    return Draft(left=text.strip())


def _day(given: dict[str, Any], name: str) -> str | None:
    """The day of the draft, written as those of speeches may be."""
    if not (told := _text(given, name).strip()):
        return None
    try:
        return calendar_date(told)
    except ValueError as error:
        raise BadInput(f"{name}: {error}", field=name) from error


def _text(given: dict[str, Any], part: str) -> str:
    value = given.get(part)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadInput(f"{part} must be text", field=part)
    return str(value)
