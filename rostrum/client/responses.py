"""Define types for responses of the service that have no type elsewhere in Rostrum."""

from __future__ import annotations

from dataclasses import dataclass

from rostrum_core.types import Answer, Document, DocumentInfo, Paragraph


@dataclass(frozen=True, slots=True)
class Page:
    """Hold one page of the list of documents.

    `next` is the id after which the next page begins; it is `None` on the last page.
    """

    documents: tuple[DocumentInfo, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Speech:
    """Hold a document with its paragraphs in order."""

    document: Document
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Readiness:
    """Hold the published generation (the state of the archive that is searched) and the size of its contents.

    All fields are `None` for a client without a key.
    """

    generation: str | None = None
    documents: int | None = None
    paragraphs: int | None = None


@dataclass(frozen=True, slots=True)
class RankedText:
    """Hold the score of one text of a `rerank` call; `index` is the position of the text in the call.

    `relevance_score` is between 0 and 1, and orders the texts of one query. `span` is the place of the words
    worth quoting; `None` if the text has no words.
    """

    index: int
    relevance_score: float
    span: TextSpan | None = None


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Locate words of a text, as a half-open range in code points."""

    start_char: int
    end_char: int


@dataclass(frozen=True, slots=True)
class DraftError:
    """Hold the error of one draft in a batch of drafts; `field` is the invalid field, if there is one."""

    code: str
    message: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    """Hold the outcome of one draft in a batch of drafts: either `answer` or `error`."""

    answer: Answer | None = None
    error: DraftError | None = None
