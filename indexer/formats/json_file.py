"""Read JSON files (`.json`): rows as in JSON lines, or the output of a speech recogniser.

Whisper and WhisperX write `segments` of `start`, `end`, `text` and optionally `speaker`. A list of such
objects alone is read in the same way; `duration` may replace `end`, as in captions of YouTube.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from indexer.captions.cues import Cue, CueLine
from indexer.captions.paragraphs import build_blocks
from indexer.characters import normalise_line
from indexer.formats.csv import DOCUMENT
from indexer.formats.jsonl import lower_names, parse_json, read_speech
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.metadata import NAMES, read_mapping
from rostrum_core.errors import ReadingRemark, TranscriptError
from rostrum_core.identifiers import hash_text

ID_DIGITS = 12  # of the row's hash
LISTS = ("speeches", "documents", "rows", "items", "data")
# Names that the rows of speeches have, and captions do not.
OF_SPEECHES = frozenset(
    {"id", "paragraphs", *DOCUMENT, *NAMES["title"], *NAMES["spoken_on"], *NAMES["url"], *NAMES["collection"]}
)


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read every speech of a JSON file, in order; report a bad row and its number to `refused`, and read on.

    Raises:
        TranscriptError: the file is not JSON, or holds neither rows nor segments.
    """
    try:
        value = parse_json(source.read_bytes(), lambda reason: refused(ReadingRemark(source.file, reason)))
    except ValueError as error:
        raise TranscriptError(source.file, str(error)) from error
    if _is_captions(value):
        value = {"segments": value}
    if isinstance(value, dict) and isinstance(value.get("segments"), list):
        yield _read_segments(source, value, refused)
        return
    rows = _list_rows(value)
    if rows is None:
        raise TranscriptError(source.file, "expected rows with a text, or the segments of a recogniser")
    for number, row in enumerate(rows, start=1):
        try:
            yield _read_row(source, row, number, refused, alone=isinstance(value, dict) and rows == [value])
        except TranscriptError as error:
            refused(error)


def _is_captions(value: Any) -> bool:
    """Return whether a JSON value is a list of captions: objects with a text and a start in seconds only."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(row, dict) and _parse_segment(row) is not None for row in value)
        and all(OF_SPEECHES.isdisjoint(map(str.lower, row)) for row in value)
    )


def _list_rows(value: Any) -> list[Any] | None:
    """Return the rows in a JSON value; `None` if the value is neither a list nor an object.

    A list is a list of rows. An object may contain a list of rows under a name such as "speeches"; any other
    object is a single row. So is an object with words of its own whose list contains no object.
    """
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    lists = [value[name] for name in LISTS if isinstance(value.get(name), list)]
    if not {"text", "paragraphs"}.isdisjoint(map(str.lower, value)):
        lists = [rows for rows in lists if any(isinstance(row, dict) for row in rows)]
    return lists[0] if lists else [value]


def _read_row(source: Source, row: Any, number: int, refused: Refused, *, alone: bool) -> LocatedDocument:
    """Build the document of a row, which is a JSON object with a text.

    A row without an id gets the id of the file if it is the only row (`alone`). Otherwise it gets the id of
    the file and a hash of the row.

    Raises:
        TranscriptError: the row is not a speech.
    """
    if not isinstance(row, dict):
        raise TranscriptError(source.file, f"row {number} is not an object", line=number)
    if lower_names(row).get("id") not in (None, ""):
        return read_speech(source, row, number, refused)
    id = source.id if alone else f"{source.id}-{hash_text(str(row))[:ID_DIGITS]}"
    speech = read_speech(source, {**row, "id": id}, number, refused)
    return speech._replace(line=None) if alone else speech


def _read_segments(source: Source, value: dict[str, Any], refused: Refused) -> LocatedDocument:
    """Build the document from the output of a speech recogniser: `segments` with a time and a text.

    Raises:
        TranscriptError: no segment has a time and a text.
    """
    cues = [cue for segment in value["segments"] if (cue := _parse_segment(segment)) is not None]
    if not cues:
        raise TranscriptError(source.file, "no segment with a time and a text")
    fields = {name: field for name, field in value.items() if name not in ("text", "segments")}
    said = read_mapping(fields, lambda reason: refused(ReadingRemark(source.file, reason)))
    return build_document(
        source, build_blocks(cues, source.sidecar.speaker or said.speaker), said, supplied=True
    )


def _parse_segment(segment: Any) -> Cue | None:
    """Convert a segment of a speech recogniser to a cue; return `None` if it has no start or no words.

    A segment, like a cue (a caption), has words and their time.
    """
    if not isinstance(segment, dict) or not isinstance(segment.get("text"), str):
        return None
    start, end, length = (_parse_time(segment.get(name)) for name in ("start", "end", "duration"))
    text = normalise_line(segment["text"])
    if not text or start is None:
        return None
    if end is None and length is not None:
        end = start + length
    speaker = segment.get("speaker")
    voice = normalise_line(speaker) if isinstance(speaker, str) else None
    return Cue(start, end, (CueLine(text, voice or None),))


def _parse_time(value: Any) -> float | None:
    is_time = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1e7
    return float(value) if is_time else None
