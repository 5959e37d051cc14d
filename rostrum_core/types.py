"""The words of Rostrum: one idea, one word.

Offsets are code points, half-open. A *score* is higher-better; a *rank* starts at 1; a missing score is
`None`, never 0. Dates are ISO 8601 calendar dates ("1863-11-19"), those of speeches perhaps without day or
month ("1863-11", "1863") where no more is known.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rostrum_core.identifiers import hash_text

WarningKind = Literal["meaning", "grammar", "boundary", "context", "length"]
MarkKind = Literal["speaker", "stage", "time", "boilerplate"]
NOBODY_KNOWN = ""  # the speaker of a paragraph that is not known to be the document's


@dataclass(frozen=True, slots=True)
class Mark:
    """What a transcript says beside the speech: a speaker tag, a stage direction, a time code, boilerplate.

    `text` was taken out of the document's text, where it stood before the character `start_char`. A speaker
    tag without text gives the floor to somebody unknown.
    """

    kind: MarkKind
    text: str
    start_char: int


@dataclass(frozen=True, slots=True)
class Document:
    """One speech: its cleaned text, what is known of it, and the marks taken out of the text.

    `breaks` are the paragraphs that the file itself supplies, as ranges of `text` in order; `None` where
    the file does not say and the splitter decides.
    """

    id: str
    title: str
    text: str
    speaker: str | None = None
    spoken_on: str | None = None
    source: str | None = None
    url: str | None = None
    collection: str | None = None
    language: str | None = None
    marks: tuple[Mark, ...] = ()
    breaks: tuple[tuple[int, int], ...] | None = None

    def content_hash(self) -> str:
        """Hex digest of everything in the document: equal documents, equal digests."""
        content = json.dumps(asdict(self), sort_keys=True, ensure_ascii=True)
        return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A piece of a document: `document.text[start_char:end_char] == text`.

    `ordinal` counts the document's paragraphs from 0. `speaker` is who holds the floor: `None` means the
    document's own speaker, `NOBODY_KNOWN` that nobody knows. `start_s` and `end_s` are seconds into the
    recording, where time codes say so.
    """

    id: str
    document_id: str
    ordinal: int
    text: str
    start_char: int
    end_char: int
    speaker: str | None = None
    start_s: float | None = None
    end_s: float | None = None

    def text_hash(self) -> str:
        """Hex digest of the text alone: what vectors and token ids are reused by."""
        return hash_text(self.text)

    def holder(self, document_speaker: str | None) -> str | None:
        """Return who holds the floor, in a document of this speaker; `None` if nobody knows.

        >>> Paragraph("i", "d", 0, "Yes.", 0, 4).holder("Ann Roe")
        'Ann Roe'
        >>> Paragraph("i", "d", 0, "Yes.", 0, 4, speaker="MR. LEE").holder("Ann Roe")
        'MR. LEE'
        """
        return document_speaker if self.speaker is None else self.speaker or None


@dataclass(frozen=True, slots=True)
class SpanWarning:
    """One reason to look at a span before it is printed.

    `kind` is "meaning", "grammar", "boundary", "context" or "length", in order of gravity. `start_char` and
    `end_char` are the words of the paragraph that it is about: left out of the span, or inside it.
    """

    kind: WarningKind
    message: str
    start_char: int
    end_char: int


@dataclass(frozen=True, slots=True)
class Span:
    """Words worth quoting: `paragraph.text[start_char:end_char]`, never empty.

    `warnings`, the gravest first, are empty for a span that is fit for print as it stands.
    """

    start_char: int
    end_char: int
    score: float
    warnings: tuple[SpanWarning, ...] = ()


@dataclass(frozen=True, slots=True)
class Context:
    """The sentences right before and after a span in its speech; "" at the speech's beginning and end."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Draft:
    """What the writer has: the title and the text before and after the place where the quote goes.

    `written_on` is the day it is written or will appear; with it, recent speeches count more.
    """

    title: str = ""
    left: str = ""
    right: str = ""
    written_on: str | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """Which paragraphs may be found. An empty tuple and `None` mean: any.

    `since` and `until` are inclusive days; a document passes if all days that its date may mean do, so that
    one without a date passes neither. `speakers` are names or
    parts of names: a paragraph passes if the name of who holds the floor has all words of one of them,
    without regard to case and accents.
    """

    documents: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Tokens:
    """WordPieces of a paragraph, without special tokens: int32 (n,) each.

    Piece `i` is vocabulary entry `ids[i]` and stands for `text[starts[i]:ends[i]]`.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)

    def cut(self, first: int, stop: int) -> Tokens:
        """Pieces `first` to `stop` (exclusive); offsets stay those of the whole text."""
        return Tokens(self.ids[first:stop], self.starts[first:stop], self.ends[first:stop])


@dataclass(frozen=True, eq=False, slots=True)
class Placing:
    """Where the n WordPieces of a paragraph stand in what a draft quotes of its document: int32 (n,) each.

    `words_since`: words between the piece and the last before it that the draft quotes before the place of
    the quote; `words_until`: those up to the first behind it that the draft quotes after that place. `QUOTED`
    in both where the piece is quoted itself, and `NOTHING` where nothing on that side of it is.
    """

    QUOTED: ClassVar[int] = -1
    NOTHING: ClassVar[int] = -2

    words_since: NDArray[np.int32]
    words_until: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.words_since)

    def cut(self, first: int, stop: int) -> Placing:
        """Pieces `first` to `stop` (exclusive)."""
        return Placing(self.words_since[first:stop], self.words_until[first:stop])


@dataclass(frozen=True, eq=False, slots=True)
class Encoding:
    """What the models need of a paragraph: its WordPieces and its vector, float32 (width,), length 1."""

    tokens: Tokens
    vector: NDArray[np.float32]


Scores = Mapping[str, float | None]
"""Scores by name: those of the signals (`reranker.signals`), then of their fusion and of the ranker.

`first_stage`: fusion of the signals. `model`: the paragraph ranker. `span`: the best span. `final`: the score
that orders the answer. A score is `None` where it is missing; a stage that was skipped may have no name here.
"""


@dataclass(frozen=True, eq=False, slots=True)
class Candidate:
    """A paragraph that may be recommended, with the scores of the first stage and the day of its document.

    `placing` is `None` where the draft quotes nothing of its document, or was not read.
    """

    paragraph: Paragraph
    tokens: Tokens
    scores: Scores
    spoken_on: str | None = None
    placing: Placing | None = None


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A ranked paragraph with the spans worth quoting, the best first.

    The first span is the one to print. A second one, if there is one, is a shorter span of the same words.
    `cut` is the span as the model cut it, which evaluations score. `context` is of the first span; `None` if
    there is no span or the archive could not be read for it.
    """

    rank: int
    paragraph: Paragraph
    document: DocumentInfo
    spans: tuple[Span, ...]
    scores: Scores
    cut: Span | None = None
    context: Context | None = None


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """A document without its text: what an attribution line and a listing need.

    `speakers` are all who hold the floor in it, in the order of their first paragraphs.
    """

    id: str
    title: str
    speaker: str | None = None
    spoken_on: str | None = None
    source: str | None = None
    url: str | None = None
    collection: str | None = None
    language: str | None = None
    paragraphs: int = 0
    speakers: tuple[str, ...] = ()

    def holder(self, paragraph: Paragraph) -> str | None:
        """Return who holds the floor in a paragraph of the document; `None` if nobody knows.

        A tag that is not among `speakers` means the document's speaker: "THE PRESIDENT" is Joe Biden.

        >>> info = DocumentInfo("d", "Remarks", "Joe Biden", speakers=("Joe Biden", "Q"))
        >>> info.holder(Paragraph("i", "d", 0, "Yes.", 0, 4, speaker="THE PRESIDENT"))
        'Joe Biden'
        """
        holder = paragraph.holder(self.speaker)
        return self.speaker if holder and self.speakers and holder not in self.speakers else holder


@dataclass(frozen=True, slots=True)
class Answer:
    """Recommendations for a draft, and how they came about.

    `degraded` names every stage that was skipped; `timings_s` are seconds per stage; `models` are the
    hashes of what was used; `generation` is the state of the archive that was searched. `fit` is the
    probability that the first recommendation fits, `None` where nothing was ranked. `remarks` say in words
    what else a reader should know.
    """

    recommendations: tuple[Recommendation, ...]
    candidates: int
    degraded: tuple[str, ...] = ()
    timings_s: dict[str, float] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    generation: str | None = None
    fit: float | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Generation:
    """One state of the archive. `encoder` and `tokenizer` are the hashes it was encoded with.

    `state`: "building" until it is complete, "ready" before and after it is published, "damaged" if a part of
    it is gone, so that it cannot be read.
    """

    name: str
    state: Literal["building", "ready", "damaged"]
    published: bool
    encoder: str
    tokenizer: str
    documents: int
    paragraphs: int
    created_at: str


@dataclass(frozen=True, slots=True)
class Explanation:
    """What an answer was made by, beside the scores of every stage that it brings along.

    `queries`: what paragraphs and whole documents were matched with. `weights`: of the stages for
    candidates, and of what is merged at the end.
    """

    queries: Mapping[str, str]
    weights: Mapping[str, Any]
