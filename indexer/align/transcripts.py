"""Transcripts that are quoted, their paragraphs numbered as the rows of pairs number them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from indexer.align.lines import paragraphs_of, read_each, text_of
from indexer.boilerplate import NO_RULES, Boilerplate
from indexer.dates import calendar_date
from indexer.formats import Refused
from indexer.formats.jsonl import id_of
from indexer.paragraphs import CountTokens, split
from rostrum.core.identity import text_hash
from rostrum.core.types import Document


@dataclass(frozen=True, slots=True)
class Transcript:
    """A speech as its paragraphs; `spoken_on` is an ISO 8601 date."""

    id: str
    title: str
    speaker: str | None
    spoken_on: str | None
    collection: str | None
    paragraphs: tuple[str, ...]

    @property
    def fingerprint(self) -> str:
        """What tells the speech from those of other archives: 16 digits of the hash of id, title and date."""
        return text_hash("\x1f".join((self.id, self.title, self.spoken_on or "")))[:16]

    def row(self) -> dict[str, Any]:
        """The transcript as a row of a `documents` file, which `rostrum evaluate` and training read."""
        return {
            "id": self.id,
            "title": self.title,
            "speaker": self.speaker,
            "date": self.spoken_on,
            "collection": self.collection,
            "paragraphs": list(self.paragraphs),
        }


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
        document.spoken_on,
        document.collection,
        tuple(paragraph.text for paragraph in split(document, count_tokens=count_tokens)),
    )
