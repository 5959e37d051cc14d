"""Read JSON lines: one speech per line.

Each line is an object with `id`, `title`, `speaker`, `date`, and `paragraphs` or `text`.
"""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from indexer.blocks import Block
from indexer.characters import normalise_line
from indexer.characters import split_blocks as split_blocks
from indexer.field_names import rename_fields
from indexer.files import LARGEST_LINE_BYTES, read_lines
from indexer.formats.html import NO_TREE, split_page
from indexer.formats.source import NOTHING_KNOWN, LocatedDocument, Refused, Source, build_document
from indexer.formats.text import split_paragraphs
from indexer.formats.turn_rows import Turn, build_turn_blocks, parse_seconds
from indexer.metadata import MOST_KEYS, NAMES, find_misspelt, read_mapping
from rostrum_core.errors import ReadingRemark, TranscriptError
from rostrum_core.types import NOBODY_KNOWN

WORDS_AND_ID = frozenset({"id", "paragraphs", "text"})
READ = WORDS_AND_ID.union(*NAMES.values())
"""Names of fields that are read, in lower case."""

MOST_REMARKS = 1_000
LONGEST_SHOWN = 60  # characters of a name that is repeated
LONGEST_ID = 256
# Remains of markup that content management systems export: closing tags, line breaks, entities.
TAGS = re.compile(
    r"</(?:p|div|span|em|strong|b|i|a|li|ul|ol|h[1-6]|blockquote|q)\s*>|<br\s*/?>|<p[\s>]", re.IGNORECASE
)
ENTITIES = re.compile(
    r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|quot|apos|[lr][sd]quo|[mn]dash|nbsp|hellip|lt|gt);", re.IGNORECASE
)
ESCAPED_TWICE = re.compile(r"&amp;(?=(?:#x?[0-9a-f]{1,7}|[a-z]{2,8});)", re.IGNORECASE)
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read every speech of a JSON lines file, in order; report a bad line to `refused`, and read on.

    An ignored field is reported once, for the first row that has it.

    Raises:
        TranscriptError: the file cannot be read to its end.
    """
    seen = set(READ)
    for number, data in read_lines(source.stream):
        if data is not None and not data.strip():
            continue
        try:
            row = _read_row(source, data, number, refused)
            for remark in _report_new_fields(rename_fields(row, source.fields), seen, source.file, number):
                refused(remark)
            yield read_speech(source, row, number, refused)
        except TranscriptError as error:
            refused(error)


def _report_new_fields(
    row: dict[str, Any], seen: set[str], file: str, number: int
) -> Iterator[ReadingRemark]:
    """Yield a remark for each field of a row that is not in `seen`; add the field to `seen`.

    `seen` has the names of fields that are read or were reported before.
    """
    new = [name for name in row if name.lower() not in seen][:MOST_KEYS]
    if not new or len(seen) > MOST_REMARKS:
        return
    seen.update(name.lower() for name in new)
    meant = dict(find_misspelt(row))
    for name in new:
        if name in meant:
            yield ReadingRemark(
                file, f"a field that may be misspelt: {name!r}, for {meant[name]!r}", line=number
            )
        else:
            yield ReadingRemark(file, f"a field that is not read: {name[:LONGEST_SHOWN]!r}", line=number)


def _read_row(source: Source, data: bytes | None, number: int, refused: Refused) -> dict[str, Any]:
    try:
        return parse_line(data, partial(report_skipped, refused, source.file, number))
    except ValueError as error:
        raise TranscriptError(source.file, str(error), line=number) from error


def read_speech(source: Source, row: dict[str, Any], number: int, refused: Refused) -> LocatedDocument:
    """Build the document of a row, which is one JSON object.

    `number` is the row's line in a file of JSON lines, or its position in a JSON file. The document and
    errors have it as their line number.

    Raises:
        TranscriptError: the row lacks an id or a text.
    """
    row = lower_names(rename_fields(row, source.fields))
    try:
        remark = partial(report_skipped, refused, source.file, number)
        said = read_mapping(row, remark)
        blocks, supplied = _read_blocks(row, source.sidecar.speaker or said.speaker, remark)
        unnamed = replace(source, name=NOTHING_KNOWN)  # it describes none of many speeches
        return build_document(
            unnamed,
            blocks,
            said,
            id=read_id(row),
            supplied=supplied,
            wrapped=not supplied,
            head=not supplied,
            line=number,
        )
    except ValueError as error:
        raise TranscriptError(source.file, str(error), line=number) from error


def lower_names(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with the names of its id and its text in lower case; a name in lower case counts first.

    >>> lower_names({"ID": 1, "Text": "So.", "text": "Well."})
    {'id': 1, 'Text': 'So.', 'text': 'Well.'}
    """
    return {
        name.lower() if name.lower() in WORDS_AND_ID and name.lower() not in row else name: value
        for name, value in row.items()
    }


def report_skipped(refused: Refused, file: str, line: int, reason: str) -> None:
    """Report to `refused` that a value of a row is skipped, with the reason."""
    refused(ReadingRemark(file, reason, line=line))


def parse_line(data: bytes | None, remark: Callable[[str], None] = lambda reason: None) -> dict[str, Any]:
    """Parse the JSON object on a line; `data` is `None` if the line was too long to read.

    `remark` is called for each duplicate name in an object.

    Raises:
        ValueError: the line does not hold an object.
    """
    if data is None:
        raise ValueError(f"a line of more than {LARGEST_LINE_BYTES} bytes")
    row = parse_json(data, remark)
    if not isinstance(row, dict):
        raise ValueError(f"expected an object, found {_name_type(row)}")
    return row


def parse_json(data: bytes, remark: Callable[[str], None]) -> Any:
    """Parse JSON in UTF-8; call `remark` for each name that occurs twice in an object.

    Raises:
        ValueError: the bytes are not JSON in UTF-8.
    """

    def build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values = dict(pairs)
        if len(values) < len(pairs):
            names = Counter(name for name, _ in pairs)
            for name in [name for name, count in names.items() if count > 1]:
                remark(f"the name {name[:40]!r} stands twice in an object: the last counts")
        return values

    try:
        text = data.removeprefix(BYTE_ORDER_MARK).decode("utf-8")
        return json.loads(text, object_pairs_hook=build_object)
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start + 1} of the line") from error
    except json.JSONDecodeError as error:
        reason = error.msg.removesuffix(" at")  # some reasons of the json module end this way
        raise ValueError(f"no JSON: {reason} at character {error.colno}") from error
    except RecursionError as error:
        raise ValueError("JSON nested too deeply") from error


def _name_type(value: Any) -> str:
    """Return the JSON type of a value for an error message, such as "an array"."""
    match value:
        case None | True | False:
            return json.dumps(value)
        case list():
            return "an array"
        case str():
            return "a string"
    return "a number"


def read_id(row: dict[str, Any]) -> str:
    """Return the row's id, exactly as written.

    Raises:
        ValueError: the id is missing, is too long, is "." or "..", or has invisible characters, line ends
            or superfluous spaces.
    """
    value = row.get("id")
    if isinstance(value, bool) or not isinstance(value, str | int) or not normalise_line(str(value)):
        raise ValueError(
            "expected an id, found none" if value is None else f"{str(value)[:60]!r} is not an id"
        )
    name = str(value)
    if name != normalise_line(name):
        raise ValueError(f"{name[:60]!r} is not an id: invisible characters, line ends, or spaces too many")
    if name in {".", ".."}:
        raise ValueError(f"{name!r} is not an id: in an address it names a folder")
    if len(name) > LONGEST_ID:
        raise ValueError(f"an id of {len(name)} characters, more than {LONGEST_ID}")
    return name


def _read_blocks(
    row: Mapping[str, Any], speaker: str | None, remark: Callable[[str], None]
) -> tuple[list[str | Block], bool]:
    """Return the row's paragraphs, and whether the row itself divides its text into paragraphs.

    A paragraph is a text, or an object with a `text` and optionally a `speaker`, a `start` and an `end`. If
    the paragraphs have no words, the row's `text` counts. `remark` is called with the reason for each speaker
    of a paragraph that cannot be read.

    Raises:
        ValueError: the row has no paragraphs.
    """
    parts, text = row.get("paragraphs"), row.get("text")
    if isinstance(parts, list) and all(isinstance(part, str | dict) for part in parts):
        turns = [_parse_turn(part, remark) for part in parts]
        if not isinstance(text, str) or any(turn.text.strip() for turn in turns):
            return list(build_turn_blocks(turns, speaker)), True
        parts = None
    if not parts and isinstance(text, str):
        return list(split_paragraphs(strip_markup(text))), False
    names = ", ".join(list(row)[:10])[:200]
    raise ValueError(
        "expected paragraphs (a list of texts) or text, found neither: name the field of the text with"
        f" --map text=NAME; its fields are {names}"
    )


def _parse_turn(part: str | dict[str, Any], remark: Callable[[str], None]) -> Turn:
    """Parse a paragraph of a row: a text, or an object with a text, a speaker, a start and an end.

    `remark` is called with the reason if the speaker cannot be read.

    Raises:
        ValueError: the paragraph has no text.
    """
    if isinstance(part, str):
        return Turn(strip_markup(part))
    text = part.get("text")
    if not isinstance(text, str):
        raise ValueError("a paragraph without a text")
    start, end = (parse_seconds(str(part.get(name, ""))) for name in ("start", "end"))
    return Turn(strip_markup(text), _read_turn_speaker(part, remark), start, end)


def _read_turn_speaker(part: Mapping[str, Any], remark: Callable[[str], None]) -> str | None:
    """Return the speaker of a paragraph, named as the speaker of a speech is; `None` if it states none.

    If the value cannot be read, call `remark` and return `NOBODY_KNOWN`: the words are not those of the
    speaker before.
    """
    reasons: list[str] = []
    stated = {name: value for name, value in part.items() if name.lower() in NAMES["speaker"]}
    speaker = read_mapping(stated, reasons.append).speaker
    for reason in reasons:
        remark(reason)
    return NOBODY_KNOWN if reasons else speaker


def strip_markup(text: str) -> str:
    r"""Return the words of a text that may contain HTML markup or entities.

    >>> strip_markup("<p>It&#39;s <b>long</b>.</p><p>So.</p>"), strip_markup("Bridge &amp; toll")
    ("It's long.\n\nSo.", 'Bridge & toll')
    >>> strip_markup("&amp;ldquo;So.&amp;rdquo;")
    '“So.”'
    """
    text = ESCAPED_TWICE.sub("&", text)
    if not TAGS.search(text):
        return html.unescape(text) if ENTITIES.search(text) else text
    try:
        return "\n\n".join(block for piece in split_blocks(text) for block in split_page(piece))
    except NO_TREE:
        return text
