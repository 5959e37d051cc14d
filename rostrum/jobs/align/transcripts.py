"""Transcripts that are quoted, their paragraphs numbered as the rows of pairs number them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from indexer.boilerplate import NO_RULES, Boilerplate
from indexer.dates import calendar_date
from indexer.formats import Refused
from indexer.formats.jsonl import id_of
from indexer.paragraphs import CountTokens, split
from quotations.transcript import Transcript
from rostrum.jobs.align.json_rows import paragraphs_of, read_each, text_of
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
    """Every transcript of `paths`, one at a time; a folder's JSON lines come first.

    JSON lines give `paragraphs` that are neither cleaned nor split, so that offsets are those of the file.
    Other files are read, cleaned by the rules of `boilerplate` and split as for the archive; `count_tokens`
    gives the WordPieces of a text. `refused` is handed what cannot be read, and a transcript whose id has
    come before. Files of `leave_out` are passed over.

    Raises:
        BadInput: a path is not there.
    """
    of_document = partial(_of_document, count_tokens=count_tokens)
    return read_each(paths, transcript_of, of_document, refused, leave_out, boilerplate)


def transcript_of(row: dict[str, Any]) -> Transcript:
    """The transcript that a row of JSON lines is.

    Raises:
        ValueError: it lacks an id or paragraphs, has a field of another type, or a date that is none.
    """
    paragraphs = paragraphs_of(row)
    if paragraphs is None:
        raise ValueError("expected paragraphs (a list of texts), found none")
    identity, date = id_of(row), text_of(row, "date")
    return Transcript(
        id=identity,
        title=text_of(row, "title") or identity,
        speaker=text_of(row, "speaker"),
        spoken_on=calendar_date(date) if date else None,
        collection=text_of(row, "collection"),
        paragraphs=paragraphs,
    )


def _of_document(document: Document, *, count_tokens: CountTokens) -> Transcript:
    return Transcript(
        document.id,
        document.title,
        document.speaker,
        read_whole_day(document.spoken_on),
        document.collection,
        tuple(paragraph.text for paragraph in split(document, count_tokens=count_tokens)),
    )
