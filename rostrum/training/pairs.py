"""Rows of the training sets: drafts, the paragraphs quoted, and transcripts."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from random import Random
from typing import Any

from indexer.align.transcripts import Transcript
from rostrum.core.errors import BadInput
from rostrum.core.types import Draft


@dataclass(frozen=True)
class Part:
    """The quoted characters of one paragraph: half-open code points of paragraph `ordinal`."""

    ordinal: int
    start_char: int
    end_char: int


@dataclass(frozen=True)
class Pair:
    """A draft and the words of a transcript that its writer quoted next.

    `left` ends with the sentence before the quoting one; `lead_in` is the quoting sentence up to the quote,
    `right` what follows the quote. Both are empty where a file does not tell.
    """

    id: str
    title: str
    left: str
    published: str
    document: str
    parts: tuple[Part, ...]
    repeated: bool
    lead_in: str = ""
    right: str = ""

    @property
    def draft(self) -> Draft:
        """What the product is asked."""
        return Draft(self.title, self.left, self.right)


@dataclass(frozen=True)
class NewsQuote:
    """A draft and the words quoted next, without the transcript."""

    article: str
    title: str
    left: str
    quote: str


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """JSON lines of a plain or gzip file.

    Raises:
        BadInput: the file is missing, or a line is not a JSON object (the line's number is told).
    """
    try:
        with path.open("rb") as probe:
            packed = probe.read(2) == b"\x1f\x8b"
        with gzip.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _row(path, number, line)
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise BadInput(f"{path.name} cannot be read: {error}") from error


def _row(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadInput(f"{path.name}, line {number}: not JSON ({error})") from error
    if not isinstance(row, dict):
        raise BadInput(f"{path.name}, line {number}: expected an object, found {type(row).__name__}")
    return row


def transcripts(path: Path) -> dict[str, Transcript]:
    """Every transcript of a `documents` file, by id, its paragraphs never split or cleaned."""
    read: dict[str, Transcript] = {}
    for row in rows(path):
        try:
            read[row["id"]] = Transcript(
                id=row["id"],
                title=row["title"],
                speaker=row.get("speaker"),
                spoken_on=row.get("date"),
                collection=row.get("collection"),
                paragraphs=tuple(row["paragraphs"]),
            )
        except (KeyError, TypeError) as error:
            raise BadInput(f"{path.name}: a document is not whole: {error!r}") from error
    return read


def pairs(path: Path, documents: dict[str, Transcript], *, repeated: bool = False) -> list[Pair]:
    """Pairs whose transcript is known; `repeated` rows (the quote stands in the draft) only on request.

    Raises:
        BadInput: a row lacks a field, names an unknown document, points outside its paragraphs, has a day of
            publication that is none in ISO 8601, or the id of a row before it.
    """
    read: dict[str, Pair] = {}
    for number, row in enumerate(rows(path), 1):
        try:
            pair = _pair(row, documents)
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"{path.name}, row {number}: {type(error).__name__} {error}") from error
        if pair.id in read:
            raise BadInput(f"{path.name}, row {number}: a row before it has the id {pair.id!r}")
        read[pair.id] = pair
    return [pair for pair in read.values() if repeated or not pair.repeated]


def sampled(rows: list[Pair], limit: int | None, seed: int) -> list[Pair]:
    """At most `limit` rows, drawn with `seed`; all, if not given."""
    if limit is None or limit >= len(rows):
        return rows
    return Random(seed).sample(rows, limit)


def _pair(row: dict[str, Any], documents: dict[str, Transcript]) -> Pair:
    paragraphs = documents[row["document"]].paragraphs
    first, last = row["paragraph"], row["last_paragraph"]
    if not 0 <= first <= last < len(paragraphs):
        raise ValueError(f"paragraphs {first} to {last} of {len(paragraphs)}")
    if not (0 <= row["start"] < len(paragraphs[first]) and 0 < row["end"] <= len(paragraphs[last])):
        raise ValueError(f"characters {row['start']} to {row['end']} are not in the paragraphs")
    if first == last and row["start"] >= row["end"]:
        raise ValueError(f"no character from {row['start']} to {row['end']}")
    parts = tuple(
        Part(
            ordinal,
            row["start"] if ordinal == first else 0,
            row["end"] if ordinal == last else len(paragraphs[ordinal]),
        )
        for ordinal in range(first, last + 1)
    )
    if row.get("published"):
        date.fromisoformat(row["published"][:10])
    return Pair(
        row["id"],
        row["title"] or "",
        row["left"] or "",
        row.get("published") or "",
        row["document"],
        parts,
        bool(row.get("repeated")),
        row.get("lead_in") or "",
        row.get("right") or "",
    )


def news_quotes(path: Path) -> Iterator[NewsQuote]:
    """Rows of a `news-quotes` file."""
    for row in rows(path):
        yield NewsQuote(row["article"], row["title"] or "", row["left"] or "", row["quote"])
