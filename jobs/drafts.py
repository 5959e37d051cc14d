"""Read a writer's draft from plain text, text with front matter, JSON, or any transcript format (HTML, Word,
PDF).
"""

from __future__ import annotations

import io
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from indexer.dates import parse_day
from indexer.encodings import decode
from indexer.files import LARGEST_FILE_BYTES
from indexer.formats import Source, find_format, get_format, is_unread_text
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
DAY, DATE = "written_on", "date"  # the day of the draft; front matter may use either name
NO_PAGE = Draft()


def read_draft(path: Path, written_on: str | None = None, *, keep_marks: bool = False) -> Draft:
    """Read the draft in a file; `-` is standard input.

    If `written_on` is set, it is the day of the draft, whatever day the file gives. If `keep_marks` is true,
    marks `[quote]` stay in the text: a job that reads whole articles needs no place of a quote. HTML, Word
    and PDF files are recognised by their suffix and read like transcripts. Any other file is read as text, in
    any encoding that transcripts may have.

    Raises:
        BadInput: the file cannot be read, is not text, is not a draft, or has no word.
    """
    kind = _recognise_kind(path)
    try:
        data = _read_content(path, LARGEST_FILE_BYTES if kind in PICTURED else LARGEST_BYTES)
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    except BadInput as error:
        raise BadInput(f"{path}: {error}", field=error.field) from error
    return read_draft_bytes(path, data, written_on, keep_marks=keep_marks)


def read_draft_bytes(
    path: Path, data: bytes, written_on: str | None = None, *, keep_marks: bool = False
) -> Draft:
    """Read a draft from the bytes of a file, as `read_draft` does.

    `path` is not opened: only its suffix is used, to recognise the format, and its name in error messages.

    Raises:
        BadInput: the bytes cannot be read, are not text, are not a draft, or have no word.
    """
    kind = _recognise_kind(path)
    try:
        page = _read_laid_out(path, kind, data) if kind in LAID_OUT else Draft(left=decode(data, str(path)))
        if len(page.left) > LARGEST_BYTES:
            raise BadInput(f"more than {LARGEST_BYTES} characters: no draft")
        return parse_draft(page.left, written_on, page=page, keep_marks=keep_marks)
    except TranscriptError as error:
        raise BadInput(f"{path}: {error.reason}; give text, HTML, Word (.docx) or PDF") from error
    except BadInput as error:
        raise BadInput(f"{path}: {error}", field=error.field) from error


def parse_draft(
    text: str, written_on: str | None = None, *, page: Draft = NO_PAGE, keep_marks: bool = False
) -> Draft:
    r"""Parse a draft from JSON, from text with front matter, or from plain text.

    JSON is an object with the fields `title`, `left`, `right` and `written_on`. A text such as "{Editor's
    note} We go" is not JSON, and is read as text.

    Front matter stands between lines of `---`. It may have the fields `title`, `right` and `date` (or
    `written_on`), with names in upper or lower case. Other fields are ignored, and every value is read as
    text. The text after the front matter is `left`. If no text follows, the front matter may have a field
    `left` instead.

    In plain text, the first line is the title if a blank line follows it, unless it is as long as a
    paragraph or has the mark `[quote]`.

    In text with or without front matter, `[quote]` marks the place of the quote: the text after the mark is
    `right`. If `keep_marks` is true, all marks stay in the text.

    `written_on` overrides the day in the text. If the text has no title, the title of `page` is used, and
    likewise its day. `page` describes the file that contains the text.

    >>> parse_draft("On the moon\n\nThe crew is to land soon, and")
    Draft(title='On the moon', left='The crew is to land soon, and', right='', written_on=None)
    >>> parse_draft("---\ndate: 16 July 1969\n---\nThe crew [quote] is to land.")
    Draft(title='', left='The crew', right='is to land.', written_on='1969-07-16')

    Raises:
        BadInput: the text is broken or holds no word.
    """
    page, text = _join_marked_title(page, text.replace("\r\n", "\n").replace("\r", "\n"))
    if (payload := _parse_object(text)) is not None:
        draft = _parse_payload(payload, written_on)
    elif (headed := _parse_front_matter(text, written_on)) is not None:
        draft = headed if keep_marks else _split_at_place(headed)
    else:
        plain = Draft(page.title, text) if page.title else _parse_plain(text)
        draft = plain if keep_marks else _split_at_place(plain)
    day = written_on or draft.written_on or page.written_on
    draft = replace(draft, title=draft.title or page.title, written_on=day)
    if not any(getattr(draft, part).strip() for part in PARTS):
        raise BadInput("the draft is empty")
    return draft


def _recognise_kind(path: Path) -> str:
    """Return the kind of a draft's file by its name: a format with layout, such as "html", or else "text".

    Raises:
        BadInput: the format is recognised but not supported for drafts.
    """
    if is_unread_text(path):
        raise BadInput(f"{path}: a format that is not read; save it as .docx or .txt")
    format_ = find_format(path)
    return format_.kind if format_ and format_.kind in LAID_OUT else "text"


def _read_content(path: Path, limit_bytes: int) -> bytes:
    """Read the bytes of a file or of standard input.

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


def _read_laid_out(path: Path, kind: str, data: bytes) -> Draft:
    """Read a draft from a file with layout, such as HTML, Word or PDF: its title, which may be empty, text
    and day.

    The day is taken from HTML pages only. Word and PDF record when the file was made, possibly from a
    template that is years old.

    Raises:
        TranscriptError: the file cannot be read.
    """
    source = Source(str(path), io.BytesIO(data), id="", kind=kind)
    (parsed,) = get_format(kind).read(source, lambda refused: None)
    day = parsed.document.spoken_on if kind == "html" else None
    return Draft(parsed.document.title, _restore_marks(parsed.document), written_on=day)


def _restore_marks(document: Document) -> str:
    """Return the text of a document, with its speaker tags and stage directions put back.

    The reader of transcripts removes them. It mistakes the mark `[quote]`, which a draft has at the place of
    the quote, for a stage direction.
    """
    text, position = "", 0
    for mark in document.marks:
        if mark.kind != "boilerplate":
            text += document.text[position : mark.start_char]
            text += f"{'' if not text or text[-1].isspace() else ' '}{mark.text} "
            position = mark.start_char
    return text + document.text[position:]


def _split_at_place(draft: Draft) -> Draft:
    """Split the text of a draft at the mark `[quote]`, into the text before the quote and the text after it.

    A draft without this mark stays unchanged.

    Raises:
        BadInput: the text has several marks, or the text after the quote stands both in the front matter and
            after the mark.
    """
    left, *rest = PLACE.split(draft.left)
    if len(rest) > 1:
        raise BadInput("[quote] stands in it more than once: mark one place", field="left")
    right = "".join(rest).strip()
    if right and draft.right:
        raise BadInput("right stands in the front matter and after [quote]: give one", field="right")
    return replace(draft, left=left.rstrip() if rest else left, right=right or draft.right)


def _parse_object(text: str) -> dict[str, Any] | None:
    """Parse a text as a JSON object.

    Return `None` if the text is not meant as JSON, such as one that begins "{Editor's note}".

    Raises:
        BadInput: the text begins like a JSON object but is not valid JSON.
    """
    try:
        payload = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError) as error:
        if BEGINS_AS_JSON.match(text):
            raise BadInput(f"not JSON: {error}") from error
        return None
    return payload if isinstance(payload, dict) else None


def _parse_payload(payload: dict[str, Any], written_on: str | None) -> Draft:
    names = (*PARTS, DAY)
    unknown = sorted(payload.keys() - set(names))
    if unknown:
        raise BadInput(
            f"{unknown[0]!r} is not a part of a draft; there are {', '.join(names)}", field=unknown[0]
        )
    title, left, right = (_read_text(payload, part) for part in PARTS)
    return Draft(title, left, right, written_on or _read_day(payload, DAY))


def _parse_front_matter(text: str, written_on: str | None) -> Draft | None:
    """Parse a draft that begins with front matter, `name: value` pairs between two lines of `---`.

    Return `None` if the text does not begin with such pairs.
    """
    fenced = split_fenced(text)
    if fenced is None:
        return None
    head, body = fenced
    try:
        fields = read_fenced(head, "the front matter") or {}
    except TranscriptError as error:
        raise BadInput(str(error)) from error
    if not isinstance(fields, dict):
        return None
    fields = {str(name).lower(): value for name, value in fields.items() if value not in NOTHING}
    left = body.strip()
    if left and "left" in fields:
        raise BadInput("left stands in the front matter and below it: give one", field="left")
    day = written_on or _read_day(fields, DATE) or _read_day(fields, DAY)
    return Draft(
        _read_text(fields, "title"),
        left or _read_text(fields, "left").strip(),
        _read_text(fields, "right"),
        day,
    )


def _join_marked_title(page: Draft, text: str) -> tuple[Draft, str]:
    """Return the page without a title that has the mark `[quote]`, and the text with this title before it.

    A reader of laid-out files may take a first paragraph with the place of the quote for the title. If the
    text has a mark itself, it stays unchanged.
    """
    if not PLACE.search(page.title):
        return page, text
    return replace(page, title=""), text if PLACE.search(text) else f"{page.title}\n\n{text}"


def _parse_plain(text: str) -> Draft:
    head, _, rest = text.strip().partition("\n")
    is_short = 0 < len(head) <= LONGEST_TITLE and not PLACE.search(head)
    if is_short and rest.partition("\n")[0].strip() == "" and rest.strip():
        return Draft(title=head.strip(), left=rest.strip())
    return Draft(left=text.strip())


def _read_day(fields: dict[str, Any], name: str) -> str | None:
    """Return the day of the draft from the field `name`; `None` if the field is missing or blank.

    The day may be written in any form in which transcripts may give the date of a speech.
    """
    if not (day := _read_text(fields, name).strip()):
        return None
    try:
        return parse_day(day)
    except ValueError as error:
        raise BadInput(f"{name}: {error}", field=name) from error


def _read_text(fields: dict[str, Any], part: str) -> str:
    value = fields.get(part)
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise BadInput(f"{part} must be text", field=part)
    return str(value)
