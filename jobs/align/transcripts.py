"""Read the transcripts that articles may quote, with the paragraph numbers that training pairs use."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from indexer.boilerplate import NO_RULES, Boilerplate
from indexer.formats import Refused
from indexer.formats.jsonl import read_id
from indexer.paragraphs import CountTokens, split
from jobs.align.json_rows import read_day_field, read_identified, read_paragraphs, read_text_field
from quotations.text.transcript import Transcript
from rostrum_core.dates import read_whole_day
from rostrum_core.types import Document


def read_transcripts(
    paths: Sequence[Path],
    *,
    count_tokens: CountTokens,
    refused: Refused,
    leave_out: Collection[Path] = (),
    boilerplate: Boilerplate = NO_RULES,
) -> Iterator[Transcript]:
    """Yield every transcript in the files and folders `paths`; a folder's JSON lines come first.

    Rows of JSON lines have `paragraphs`, which are neither cleaned nor split, so that character offsets are
    those of the file. Other files are read, cleaned by the rules of `boilerplate`, and split into paragraphs
    as for the archive; `count_tokens` returns the number of WordPieces of a text. `refused` is called for
    inputs that cannot be read, and for transcripts whose id is a duplicate. Files in `leave_out` are skipped.

    Raises:
        BadInput: a path does not exist.
    """
    of_document = partial(_convert_document, count_tokens=count_tokens)
    return read_identified(paths, parse_transcript, of_document, refused, leave_out, boilerplate)


def parse_transcript(row: dict[str, Any]) -> Transcript:
    """Parse a transcript from a row of JSON lines.

    Raises:
        ValueError: the row lacks an id or paragraphs, or has a field of another type or an invalid date.
    """
    paragraphs = read_paragraphs(row)
    if paragraphs is None:
        raise ValueError("expected paragraphs (a list of texts), found none")
    identity = read_id(row)
    return Transcript(
        id=identity,
        title=read_text_field(row, "title") or identity,
        speaker=read_text_field(row, "speaker"),
        spoken_on=read_day_field(row, "date"),
        collection=read_text_field(row, "collection"),
        paragraphs=paragraphs,
    )


def _convert_document(document: Document, *, count_tokens: CountTokens) -> Transcript:
    return Transcript(
        document.id,
        document.title,
        document.speaker,
        read_whole_day(document.spoken_on),
        document.collection,
        tuple(paragraph.text for paragraph in split(document, count_tokens=count_tokens)),
    )
