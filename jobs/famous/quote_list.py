"""Read lists of well-known quotes from JSON lines or CSV, and encode them as vectors."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indexer.characters import normalise
from indexer.encodings import decode
from jobs.famous.encoding import QuoteEncoder, Vectors
from jobs.famous.lexical import QuoteWords
from jobs.famous.naming import NamedQuotes
from jobs.famous.uses import EarlierUses
from jobs.json_lines import read_id, read_json_lines, read_text
from jobs.tables import open_table, read_rows
from rostrum_core.errors import BadInput
from rostrum_core.famous_quotes import AttributionStatus, FamousQuote, QuoteFilter
from rostrum_core.names import match_names

TABLES = {".csv": ",", ".tsv": "\t"}
Uses = Mapping[str, tuple[str, ...]]
TEXTS = ("author", "work", "tradition", "themes", "provenance")
NO_USES: Uses = {}
ENCODE_TIMEOUT_S = 3600.0

GAP = re.compile(r"\[quote\]", re.IGNORECASE)
"""Mark that stands for the missing quote in a draft of one text."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Hold the weights of the scores whose sum ranks a quote for a gap; figures in docs/lab/famous.md.

    The gap is the place in a text where the quote would be inserted. `own` is the weight of the similarity by
    the quote model, and `words` that of shared words (BM25). `general` and `draft` are weights of two
    similarities by the encoder of drafts and paragraphs. For `general`, it encodes the text on both sides of
    the gap as a paragraph; for `draft`, it encodes the text before the gap as a draft. `uses` is the weight
    of the similarity to earlier uses of the quote, for lists that have them. `named` is added if the sentence
    around the gap names the author or the work of the quote.
    """

    own: float = 1.0
    general: float = 0.0
    draft: float = 0.0
    words: float = 0.0
    named: float = 0.0
    uses: float = 0.5


BARE = Weights(general=0.3, named=2.0)
"""For a list without authors, such as the verses of a book. Tried on dev: `general` from 0 to 1."""

DESCRIBED = Weights(own=0.3, general=0.6, draft=0.6, words=0.6, named=2.0)
"""For a list with authors. Tried on uses of famous lines in news: each from 0 to 1, `named` from 0 to 3."""


@dataclass(frozen=True)
class QuoteList:
    """Hold the quotes of a list with their vectors, in the same order.

    `uses` maps the id of a quote to texts in which writers used the quote before.
    """

    name: str
    quotes: tuple[FamousQuote, ...]
    vectors: Vectors
    uses: Uses = field(default_factory=dict)

    def select(self, filter: QuoteFilter) -> NDArray[np.intp]:
        """Return the indices of the quotes that pass a filter.

        The name of each author is compared with the filter only once, because many quotes have the same
        author.
        """
        if filter == QuoteFilter():
            return np.arange(len(self.quotes))
        authors = {quote.author for quote in self.quotes}
        fitting = set(match_names(authors, filter.authors)) if filter.authors else authors
        rest = replace(filter, authors=())
        passed = [at for at, quote in enumerate(self.quotes) if quote.author in fitting and rest.admit(quote)]
        return np.array(passed, np.intp)

    @cached_property
    def names(self) -> NamedQuotes:
        """Return the index that finds quotes by the names of their authors and works."""
        return NamedQuotes(self.quotes)

    @cached_property
    def words(self) -> QuoteWords:
        """Return the index that finds quotes by their words and by the words of author, work and themes."""
        return QuoteWords([describe_quote(quote) for quote in self.quotes])

    @cached_property
    def earlier_uses(self) -> EarlierUses:
        """Return an index of earlier uses (texts in which writers used a quote), to find quotes by them."""
        return EarlierUses([self.uses.get(quote.id, ()) for quote in self.quotes])

    @cached_property
    def weights(self) -> Weights:
        """Return the weights with which the scores of a quote are added up.

        The weights are `DESCRIBED` if most quotes of the list have an author, and the list has several
        authors. Otherwise they are `BARE`.
        """
        authors = [quote.author for quote in self.quotes if quote.author]
        return DESCRIBED if len(set(authors)) > 1 and 2 * len(authors) > len(self.quotes) else BARE


def describe_quote(quote: FamousQuote) -> str:
    """Return a quote followed by its author, work and themes, leaving out what is unknown.

    >>> describe_quote(FamousQuote("1", "Always do right.", "Mark Twain", themes="duty, honesty"))
    'Always do right. Mark Twain. duty, honesty'
    """
    source = ", ".join(filter(None, (quote.author, quote.work)))
    return " ".join(filter(None, (quote.text, ". ".join(filter(None, (source, quote.themes))))))


def read_quote_list(path: Path) -> list[FamousQuote]:
    """Read quotes from a file: JSON lines, or a table (`.csv`, `.tsv`) with a header row.

    A row has `text`, and optionally the other fields of `FamousQuote`. The header of a table names them in
    upper or lower case. A row with an author but no `status` gets the status "attributed".

    Raises:
        BadInput: the file cannot be read or has no row, a row has no text or an invalid field, two rows have
            the same id, or a quotation mark is left open, so that a value of a table is too long.
    """
    quotes = [
        parse_quote(row, number, f"{path}, row {number}") for number, row in enumerate(_read_rows(path), 1)
    ]
    if not quotes:
        raise BadInput(f"{path}: no quote in it")
    if len({quote.id for quote in quotes}) < len(quotes):
        raise BadInput(f"{path}: two quotes have the same id", field="id")
    return quotes


def parse_quote(row: Mapping[str, Any], number: int, where: str) -> FamousQuote:
    """Parse the quote in a row of a list.

    `number` is the number of the row, which becomes the id of a quote without one. Error messages begin with
    `where`.

    >>> parse_quote({"text": "Always do right.", "author": "Mark Twain", "year": "1901"}, 3, "rows").year
    1901

    Raises:
        BadInput: the row has no text or an invalid field.
    """
    text = read_text(row, "text", where, needed=True)
    texts = {name: read_text(row, name, where) for name in TEXTS}
    year = _read_number(row, "year", where)
    if year == 0:
        raise BadInput(f"{where}: there was no year 0; leave it empty if it is unknown", field="year")
    default = AttributionStatus.ATTRIBUTED if texts["author"] else AttributionStatus.UNKNOWN
    return FamousQuote(
        read_id(row, number),
        text,
        year=year,
        status=_read_status(row, where) or default,
        document=read_text(row, "document", where) or None,
        paragraph=_read_number(row, "paragraph", where),
        **texts,
    )


def read_uses(path: Path) -> Uses:
    """Read from a list of quotes the texts in which writers used each quote before, and return them by quote
    id.

    The field `uses` of a row has these texts, with `[quote]` in place of the quote, or without any mark.

    Raises:
        BadInput: the file cannot be read, or the `uses` of a row are not a list of texts.
    """
    uses = {}
    for number, row in enumerate(_read_rows(path), 1):
        texts = row.get("uses") or ()
        if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
            raise BadInput(f"{path}, row {number}: uses is not a list of texts", field="uses")
        if cleaned := tuple(filter(None, (GAP.sub(" ", normalise(text)).strip() for text in texts))):
            uses[read_id(row, number)] = cleaned
    return uses


def _read_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    if path.suffix.lower() not in TABLES:
        yield from read_json_lines(path)
        return
    try:
        text = decode(path.read_bytes(), str(path)).lstrip("\ufeff")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    where = f"{path}, "
    yield from read_rows(open_table(text, TABLES[path.suffix.lower()], where), where)


def _read_number(row: Mapping[str, Any], name: str, where: str) -> int | None:
    value = row.get(name)
    if value is None or value == "":
        return None
    try:
        if isinstance(value, bool | float):
            raise ValueError
        return int(value)
    except (TypeError, ValueError) as error:
        raise BadInput(f"{where}: {name} is not a whole number", field=name) from error


def _read_status(row: Mapping[str, Any], where: str) -> AttributionStatus | None:
    status = read_text(row, "status", where).strip().lower()
    if status and status not in set(AttributionStatus):
        raise BadInput(f"{where}: status is none of {', '.join(AttributionStatus)}", field="status")
    return AttributionStatus(status) if status else None


def encode_list(
    name: str,
    quotes: Sequence[FamousQuote],
    encoder: QuoteEncoder,
    *,
    uses: Uses = NO_USES,
    timeout_s: float = ENCODE_TIMEOUT_S,
) -> QuoteList:
    """Encode quotes, and return them as a list with their vectors.

    Raises:
        TaskError: the vectors did not come back in time.
    """
    texts, descriptions = [quote.text for quote in quotes], [describe_quote(quote) for quote in quotes]
    vectors = encoder.encode_quotes(texts, descriptions, timeout_s=timeout_s)
    return QuoteList(name, tuple(quotes), vectors, uses)
