"""Define the responses of the service for which the rest of Rostrum has no type."""

from __future__ import annotations

from dataclasses import dataclass

from rostrum_core.types import Answer, Document, DocumentInfo, Paragraph


@dataclass(frozen=True, slots=True)
class Page:
    """A page of documents; the next page begins after the id `next`."""

    documents: tuple[DocumentInfo, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Speech:
    """A document with its paragraphs in order."""

    document: Document
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Readiness:
    """The published generation and its contents; `None` for a client without a key."""

    generation: str | None = None
    documents: int | None = None
    paragraphs: int | None = None


@dataclass(frozen=True, slots=True)
class RankedText:
    """A text by its index in the call; `score` is between 0 and 1, and orders the texts of one query.

    `span` is the place of the words worth quoting, in code points of the text; `None` if the text has no
    words.
    """

    index: int
    relevance_score: float
    span: TextSpan | None = None


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Words of a text, as a half-open range in code points."""

    start_char: int
    end_char: int


@dataclass(frozen=True, slots=True)
class DraftError:
    """Error of one draft in a batch."""

    code: str
    message: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    """The outcome of one draft in a batch: `answer` or `error`."""

    answer: Answer | None = None
    error: DraftError | None = None
