"""Read rows of the training sets: drafts with the place of their quote, news quotations, and transcripts."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from indexer.characters import replace_surrogates
from jobs.align.json_rows import Identified, read_text_field
from jobs.align.pair_rows import is_quoted_in
from jobs.align.transcripts import parse_transcript
from quotations.text.transcript import Transcript
from rostrum_core.errors import BadInput
from rostrum_core.identifiers import hash_text
from rostrum_core.types import Draft

Made = TypeVar("Made")
Named = TypeVar("Named", bound=Identified)


@dataclass(frozen=True)
class QuotedPart:
    """Locate quoted characters in a transcript's paragraph `ordinal`, as a half-open range in code points."""

    ordinal: int
    start_char: int
    end_char: int


@dataclass(frozen=True)
class Pair:
    """Pair a draft with the words of a transcript that its writer quoted next.

    `left` ends before the sentence that contains the quote. `lead_in` is the beginning of that sentence, up
    to the quote. `right` is the text after the quote. `lead_in` and `right` are empty if a file lacks them.
    """

    id: str
    title: str
    left: str
    published: str
    document: str
    parts: tuple[QuotedPart, ...]
    repeated: bool
    lead_in: str = ""
    right: str = ""

    @property
    def draft(self) -> Draft:
        """Return the draft as a query for the product."""
        day = date.fromisoformat(self.published[:10]).isoformat() if self.published else None
        return Draft(self.title, self.left, self.right, day)

    def join_quoted(self, paragraphs: Sequence[str]) -> str:
        """Return the quoted words; `paragraphs` are those of the transcript.

        If the quote covers several paragraphs, its parts are joined with a blank.
        """
        return " ".join(paragraphs[part.ordinal][part.start_char : part.end_char] for part in self.parts)

    @property
    def fingerprint(self) -> str:
        """Return an identifier of the row that is the same in every file.

        The identifier is 16 hex digits of a hash of the draft and the quoted place.
        """
        first, last = self.parts[0], self.parts[-1]
        place = (self.document, first.ordinal, first.start_char, last.ordinal, last.end_char)
        return hash_text("\x1f".join(map(str, (self.title, self.left, *place))))[:16]


@dataclass(frozen=True)
class NewsQuote:
    """Hold a draft from a news article, and the quote that follows it in the article.

    The transcript of the quoted speech is unknown.
    """

    article: str
    title: str
    left: str
    quote: str
    published: str = ""  # ISO 8601; "" if unknown


def read_rows(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the JSON lines of a plain or gzip file.

    Raises:
        BadInput: if the file is missing, is a pipe (which cannot be read twice), or has a line that is not a
            JSON object; the message gives the line number.
    """
    if path.exists() and not path.is_file():
        raise BadInput(f"{path.name} is not a regular file: it is read more than once")
    try:
        with path.open("rb") as probe:
            packed = probe.read(2) == b"\x1f\x8b"
        with (
            gzip.open(path, "rt", encoding="utf-8-sig")
            if packed
            else path.open(encoding="utf-8-sig") as lines
        ):
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _parse_row(path, number, line)
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        raise BadInput(f"{path.name} cannot be read: {error}") from error


def _parse_row(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadInput(f"{path.name}, line {number}: not JSON ({error})") from error
    if not isinstance(row, dict):
        raise BadInput(f"{path.name}, line {number}: expected an object, found {type(row).__name__}")
    return row


def _make_each(path: Path, of_row: Callable[[dict[str, Any]], Made]) -> Iterator[Made]:
    """Convert each row of a file with `of_row`; the message of an error gives the number of the row."""
    for number, row in enumerate(read_rows(path), 1):
        try:
            made = of_row(row)
        except BadInput as error:
            raise BadInput(f"{path.name}, row {number}: {error}") from error
        except KeyError as error:
            raise BadInput(f"{path.name}, row {number}: there is no field {error}") from error
        except (TypeError, ValueError) as error:
            raise BadInput(f"{path.name}, row {number}: {type(error).__name__} {error}") from error
        yield made


def read_transcripts(path: Path) -> dict[str, Transcript]:
    """Read every transcript of a `documents` file; return them by id.

    Paragraphs are taken as they are, neither split nor cleaned.

    Raises:
        BadInput: if a row lacks a field, has a field of another type or an invalid date, or repeats an id.
    """
    return _index_by_id(path, _make_each(path, parse_transcript))


def read_pairs(
    path: Path, documents: dict[str, Transcript], *, repeated: bool = False, right: bool = False
) -> list[Pair]:
    """Read the pairs of a file; `documents` are the transcripts that the rows may quote, by id.

    Rows marked `repeated`, whose draft contains the quote, are read only if `repeated` is true. If `right` is
    false, drafts end before the quote, as in the paper's setting. If `right` is true, drafts include the text
    after the quote, unless that text repeats the quoted words.

    Raises:
        BadInput: if a row lacks a field or has one of another type, names an unknown document, points
            outside its paragraphs, has a day of publication that is not ISO 8601, or repeats the id of an
            earlier row.
    """
    read = _index_by_id(path, _make_each(path, lambda row: _pair(row, documents)))
    pairs = [pair for pair in read.values() if repeated or not pair.repeated]
    return [
        pair if right and not _is_answered(pair, documents) else replace(pair, right="") for pair in pairs
    ]


def _is_answered(pair: Pair, documents: dict[str, Transcript]) -> bool:
    """Return whether the text after the quote repeats the quoted words."""
    return bool(pair.right) and is_quoted_in(
        pair.join_quoted(documents[pair.document].paragraphs), pair.right
    )


def _index_by_id(path: Path, made: Iterable[Named]) -> dict[str, Named]:
    read: dict[str, Named] = {}
    for number, pair in enumerate(made, 1):
        if pair.id in read:
            raise BadInput(f"{path.name}, row {number}: a row before it has the id {pair.id!r}")
        read[pair.id] = pair
    return read


def sample_pairs(rows: list[Pair], limit: int | None, seed: int) -> list[Pair]:
    """Sample at most `limit` of the pairs with `seed`; return all pairs if `limit` is `None`."""
    if limit is None or limit >= len(rows):
        return rows
    return Random(seed).sample(rows, limit)


def _pair(row: dict[str, Any], documents: dict[str, Transcript]) -> Pair:
    if row["document"] not in documents:
        raise BadInput(f"there is no document {row['document']!r}")
    paragraphs = documents[row["document"]].paragraphs
    first, last, start, end = (_number(row, n) for n in ("paragraph", "last_paragraph", "start", "end"))
    if not 0 <= first <= last < len(paragraphs):
        raise ValueError(f"paragraphs {first} to {last} of {len(paragraphs)}")
    if not (0 <= start < len(paragraphs[first]) and 0 < end <= len(paragraphs[last])):
        raise ValueError(f"characters {start} to {end} are not in the paragraphs")
    if first == last and start >= end:
        raise ValueError(f"no character from {start} to {end}")
    parts = tuple(
        QuotedPart(
            ordinal,
            start if ordinal == first else 0,
            end if ordinal == last else len(paragraphs[ordinal]),
        )
        for ordinal in range(first, last + 1)
    )
    if published := read_text_field(row, "published") or "":
        _check_day(published)
    read_text_field(row, "article")  # only validated: as text, it equals that of a news quotation
    return Pair(
        _read_text(row, "id"),
        _read_optional_text(row, "title"),
        _read_optional_text(row, "left"),
        published,
        row["document"],
        parts,
        _read_optional_flag(row, "repeated"),
        read_text_field(row, "lead_in") or "",
        read_text_field(row, "right") or "",
    )


def read_news_quotes(path: Path) -> Iterator[NewsQuote]:
    """Yield the news quotations of a `news-quotes` file.

    Raises:
        BadInput: if a row lacks a field, or a field has another type.
    """
    return _make_each(path, _parse_news_quote)


def _parse_news_quote(row: dict[str, Any]) -> NewsQuote:
    context = _read_optional_text(row, "title"), _read_optional_text(row, "left")
    published = read_text_field(row, "published") or ""
    return NewsQuote(_read_text(row, "article"), *context, _read_text(row, "quote"), published)


def _read_text(row: dict[str, Any], field: str) -> str:
    value = row[field]
    if not isinstance(value, str):
        raise TypeError(f"{field} is not a text")
    return replace_surrogates(value)


def _read_optional_text(row: dict[str, Any], field: str) -> str:
    """Return the text of a field that the row must have; "" if the field is null."""
    return "" if row[field] is None else _read_text(row, field)


def _read_optional_flag(row: dict[str, Any], field: str) -> bool:
    value = row.get(field)
    if value is not None and type(value) is not bool:
        raise TypeError(f"{field} is neither true nor false")
    return bool(value)


def _check_day(published: str) -> None:
    try:
        date.fromisoformat(published[:10])
    except ValueError:
        raise ValueError(f"published is not an ISO 8601 day: {published!r}") from None


def _number(row: dict[str, Any], field: str) -> int:
    value = row[field]
    if type(value) is not int:
        raise TypeError(f"{field} is not a whole number")
    return value
