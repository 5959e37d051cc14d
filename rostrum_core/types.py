"""Define the central types of Rostrum, and the conventions for their fields.

Offsets are code points, half-open. A higher *score* is better; a *rank* starts at 1; a missing score is
`None`, never 0. Dates are ISO 8601 calendar dates ("1863-11-19"). Dates of speeches may lack the day or the
month ("1863-11", "1863").
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from rostrum_core.identifiers import hash_text
from rostrum_core.names import match_names, split_people

WarningKind = Literal["meaning", "grammar", "boundary", "context", "length", "doubt"]
MarkKind = Literal["speaker", "stage", "time", "boilerplate"]
NOBODY_KNOWN = ""  # the speaker of a paragraph whose speaker is unknown


@dataclass(frozen=True, slots=True)
class Mark:
    """Hold text of a transcript that is not speech: a speaker tag, a stage direction, a time code,
    boilerplate.

    `text` was removed from the document's text, before the character `start_char`. A speaker tag without
    text means that an unknown speaker follows.
    """

    kind: MarkKind
    text: str
    start_char: int


@dataclass(frozen=True, slots=True)
class Document:
    """Hold one speech: its cleaned text, its metadata, and the marks removed from the text.

    `breaks` are the paragraphs that the file itself supplies, as ranges of `text` in order. `None` means
    that the file has none and the splitter decides.
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

    def hash_content(self) -> str:
        """Return the hex digest of the whole document: equal documents have equal digests."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        content = json.dumps(values, default=asdict, sort_keys=True, ensure_ascii=True)
        return hashlib.blake2b(content.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Hold a piece of a document: `document.text[start_char:end_char] == text`.

    `ordinal` counts the document's paragraphs from 0. `speaker` is the paragraph's speaker: `None` means
    the document's own speaker, `NOBODY_KNOWN` an unknown one. `start_s` and `end_s` are seconds into the
    recording, if the transcript has time codes.
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

    def hash_text(self) -> str:
        """Return a hash of the paragraph's text alone, in hex.

        The vector and the token ids of a text are reused for other texts with the same hash.
        """
        return hash_text(self.text)

    def find_holder(self, document_speaker: str | None) -> str | None:
        """Return the paragraph's speaker, by default the document's speaker; `None` if unknown.

        >>> Paragraph("i", "d", 0, "Yes.", 0, 4).find_holder("Ann Roe")
        'Ann Roe'
        >>> Paragraph("i", "d", 0, "Yes.", 0, 4, speaker="MR. LEE").find_holder("Ann Roe")
        'MR. LEE'
        """
        return document_speaker if self.speaker is None else self.speaker or None


@dataclass(frozen=True, slots=True)
class SpanWarning:
    """Hold one reason to check a span (the words worth quoting) before printing it.

    `kind` is "meaning", "grammar", "boundary", "context", "length" or "doubt", gravest first. A doubt is not
    a fault: the span may be fit for print, but this is less certain than without the doubt. `start_char` and
    `end_char` locate the words concerned in the paragraph, outside or inside the span.
    """

    kind: WarningKind
    message: str
    start_char: int
    end_char: int


UNFIT_BELOW = 0.5
"""Printability below which a span should not be printed as it is marked."""


@dataclass(frozen=True, slots=True)
class Span:
    """Locate words worth quoting: `paragraph.text[start_char:end_char]`, never empty.

    `warnings` are ordered by gravity, the gravest first. The span is `ready` to print as it is marked if it
    has no warning, or only the warning that it is long. `printability` estimates the probability that a copy
    editor would print the span as it is marked (see `quotations.printing.printability`). `ready` and
    `printability` are `None` if the span was not checked for print.

    If `is_unfit` is true, the span should not be printed as it is marked. One in seven of these spans could
    be printed all the same (docs/spans.md).
    """

    start_char: int
    end_char: int
    score: float
    warnings: tuple[SpanWarning, ...] = ()
    printability: float | None = None
    ready: bool | None = None

    @property
    def is_unfit(self) -> bool:
        """Return whether the span should probably not be printed as it is marked.

        This is so if its printability is known and below `UNFIT_BELOW`.
        """
        return self.printability is not None and self.printability < UNFIT_BELOW


@dataclass(frozen=True, slots=True)
class Context:
    """Hold the sentences right before and after a span in its speech; "" at the speech's ends."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Draft:
    """Hold the writer's draft: its title, and the text before and after the place of the quote.

    `written_on` is the day it is written or will appear; if set, recent speeches get a higher score.
    """

    title: str = ""
    left: str = ""
    right: str = ""
    written_on: str | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """Restrict the paragraphs that may be found. An empty tuple or `None` means any.

    `since` and `until` are inclusive days. If the date of a document is only a month or year, the document
    passes if all days of that month or year do. A document without a date never passes. `speakers` are names
    or parts of names. A paragraph passes if its speaker's name has all words of one of these names, ignoring
    case and accents.
    """

    documents: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Tokens:
    """Hold the WordPieces of a paragraph, without special tokens: three int32 arrays (n,).

    Piece `i` is vocabulary entry `ids[i]` and stands for `text[starts[i]:ends[i]]`.
    """

    ids: NDArray[np.int32]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.ids)

    def cut(self, first: int, stop: int) -> Tokens:
        """Return pieces `first` to `stop` (exclusive); offsets stay those of the whole text."""
        return Tokens(self.ids[first:stop], self.starts[first:stop], self.ends[first:stop])


@dataclass(frozen=True, eq=False, slots=True)
class Placing:
    """Give the distances of a paragraph's n WordPieces from words of the same document that the draft quotes.

    `words_since`, int32 (n,), has the number of words between the nearest quoted words before each piece and
    the piece. Only quotations before the place of the new quote in the draft count. `words_until`, int32
    (n,), has the number of words between each piece and the nearest quoted words after it. Here, only
    quotations after that place count. Both values are `QUOTED` if the draft quotes the piece itself. A value
    is `NOTHING` if there are no such quoted words.
    """

    QUOTED: ClassVar[int] = -1
    NOTHING: ClassVar[int] = -2

    words_since: NDArray[np.int32]
    words_until: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.words_since)

    def cut(self, first: int, stop: int) -> Placing:
        """Return the distances of only the WordPieces `first` to `stop` (exclusive)."""
        return Placing(self.words_since[first:stop], self.words_until[first:stop])


@dataclass(frozen=True, eq=False, slots=True)
class Encoding:
    """Hold the models' input for a paragraph: its WordPieces and its vector, float32 (width,), length 1."""

    tokens: Tokens
    vector: NDArray[np.float32]


Scores = Mapping[str, float | None]
"""Scores by name: those of the signals (`reranker.signals`), and those of later stages.

`first_stage`: fusion of the signals. `model`: the paragraph ranker. `span`: the best span. `final`: the score
that orders the answer. A missing score is `None`; a skipped stage may have no name here.
"""


@dataclass(frozen=True, eq=False, slots=True)
class Candidate:
    """Hold a paragraph that may be recommended, with its first-stage scores and its document's day.

    `placing` has the distances of its WordPieces from words that the draft quotes. It is `None` if the draft
    quotes nothing of the paragraph's document, or was not tokenised.
    """

    paragraph: Paragraph
    tokens: Tokens
    scores: Scores
    spoken_on: str | None = None
    placing: Placing | None = None


@dataclass(frozen=True, slots=True)
class Recommendation:
    """Hold a ranked paragraph with the spans worth quoting, the best first.

    The first span is the one to print. A further span inside the first one is a shorter choice of the same
    words. A further span outside it fits the draft better, but has flaws, so it is not the first. `cut` is
    the span that the model chose, before it was improved for print. `context` has the sentences around the
    first span; `None` if there is no span or the archive could not be read.

    `quote` is the text of the first span as it is printed, without the transcript's markup, or `None`;
    `attribution` says who said it, where and when.
    """

    rank: int
    paragraph: Paragraph
    document: DocumentInfo
    spans: tuple[Span, ...]
    scores: Scores
    cut: Span | None = None
    context: Context | None = None
    quote: str | None = None
    attribution: str = ""


@dataclass(frozen=True, slots=True)
class DocumentInfo:
    """Hold the metadata of a document without its text.

    `speakers` are all its speakers, in the order of their first paragraphs.
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

    def find_holder(self, paragraph: Paragraph) -> str | None:
        """Return the name of the speaker of a paragraph of the document; `None` if unknown.

        >>> info = DocumentInfo("d", "Remarks", "Joe Biden", speakers=("Joe Biden", "Q"))
        >>> info.find_holder(Paragraph("i", "d", 0, "Yes.", 0, 4, speaker="THE PRESIDENT"))
        'Joe Biden'
        """
        holder = paragraph.find_holder(self.speaker)
        return self.resolve_tag(holder) if holder else holder

    def resolve_tag(self, tag: str) -> str | None:
        """Return the name of the speaker whom a speaker tag of the document means.

        A tag that is not among `speakers` means the document's speaker, such as "THE PRESIDENT" in a speech
        of Joe Biden. If the document's speaker is several people, it means the one whose name has its words.

        >>> DocumentInfo("d", "Debate", "Ann Roe and Bob Lee", speakers=("Bob Lee", "Q")).resolve_tag("LEE")
        'Bob Lee'
        """
        if not self.speakers or tag in self.speakers:
            return tag
        people = match_names(split_people(self.speaker or ""), [tag])
        return people[0] if len(people) == 1 else self.speaker


@dataclass(frozen=True, slots=True)
class Answer:
    """Hold the recommendations for a draft, with details of their computation.

    `degraded` names every skipped stage; `timings_s` are seconds per stage; `models` are the hashes of the
    models used; `generation` is the searched state of the archive. `fit` is the probability that the first
    recommendation fits, `None` if nothing was ranked. `remarks` are sentences for the reader. `engine` names
    the engine of the models with its precision and device, such as "openvino int8 cpu"; several if workers
    differ, `None` if no model was run.
    """

    recommendations: tuple[Recommendation, ...]
    candidates: int
    degraded: tuple[str, ...] = ()
    timings_s: dict[str, float] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    generation: str | None = None
    fit: float | None = None
    remarks: tuple[str, ...] = ()
    engine: str | None = None


@dataclass(frozen=True, slots=True)
class Generation:
    """Describe one state of the archive; `encoder` and `tokenizer` are hashes of the models that encoded it.

    `state` is "building" until the generation is complete, "ready" before and after it is published, and
    "damaged" if a part is missing, so that it cannot be read.
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
    """Explain how an answer was ranked, in addition to the scores that the answer contains.

    `queries` are the texts that were matched with paragraphs and with whole documents. `weights` are the
    weights of the first-stage scores and of the final merge.
    """

    queries: Mapping[str, str]
    weights: Mapping[str, Any]
