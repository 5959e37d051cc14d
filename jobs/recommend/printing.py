"""Change the span that the model marks in a paragraph to a span that is fit for print, and add warnings and
the sentences around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from jobs.attribution import make_attribution
from jobs.recommend.asked_words import is_without_words
from jobs.recommend.timings import Stages
from quotations.grammar.passages import is_quoted_statement, read_passage
from quotations.printing.doubts import find_doubt, is_ready
from quotations.printing.embeddable_phrases import find_phrase
from quotations.printing.mending import mend_near, shorten
from quotations.printing.other_sentences import choose_other
from quotations.printing.print_rules import find_flaws
from quotations.printing.print_spans import Flaw, FlawKind, PrintSpan
from quotations.printing.printability import estimate_printability
from quotations.text.markup import remove_markup
from quotations.text.sentences import split_paragraph
from rostrum_core.deadline import get_left_s
from rostrum_core.errors import BadInput, StoreError
from rostrum_core.ports import ParagraphStore
from rostrum_core.types import Context, Document, Paragraph, Recommendation, Span, SpanWarning, WarningKind

FEWEST_LEFT_S = 0.05  # below this the answer goes out without looking at further spans
CACHED_CHOICES = 1 << 12
LAUGHTER = ("laugh", "chuckle")
PRECEDING = 160  # last characters of the paragraph before, which may announce that this one is read out


@dataclass(frozen=True)
class Surroundings:
    """Hold the speech that a recommendation comes from: its document and its paragraphs in order."""

    document: Document
    paragraphs: Sequence[Paragraph]

    @cached_property
    def is_statement(self) -> bool:
        """Return whether the speech is a press release with its speaker's words in quotation marks."""
        return is_quoted_statement([paragraph.text for paragraph in self.paragraphs])

    def has_paragraph(self, paragraph: Paragraph) -> bool:
        """Return whether the speech still has a paragraph, at the same position and with the same id.

        The speech may have changed if it was read from another generation (published state) of the archive.
        """
        at = paragraph.ordinal
        return at < len(self.paragraphs) and self.paragraphs[at].id == paragraph.id

    def get_text(self, ordinal: int) -> str:
        """Return the text of the paragraph with this number; "" if the speech has no such paragraph."""
        return self.paragraphs[ordinal].text if 0 <= ordinal < len(self.paragraphs) else ""

    def find_laughter(self, paragraph: Paragraph) -> list[int]:
        """Return the offsets in a paragraph at which the transcript notes laughter, such as "(Laughter.)".

        Laughter that is noted right after the paragraph counts as well.
        """
        return [
            mark.start_char - paragraph.start_char
            for mark in self.document.marks
            if mark.kind == "stage"
            and paragraph.start_char <= mark.start_char <= paragraph.end_char + 2
            and any(word in mark.text.lower() for word in LAUGHTER)
        ]


class Preparer:
    """Prepare recommendations for print, one after another, until the time runs out.

    `asked_words` are the words of a query. A span that has them is not replaced by a span that lacks them. If
    a speech cannot be read, its recommendations have no sentences around the span. Both a lack of time and an
    unreadable speech are recorded in `Stages.degraded`.
    """

    def __init__(self, store: ParagraphStore, stages: Stages, asked_words: Sequence[str] = ()) -> None:
        self._store, self._stages, self._asked_words = store, stages, asked_words
        self._speeches: dict[str, Surroundings | None] = {}
        self._count = 0

    def prepare(self, recommendation: Recommendation) -> Recommendation | None:
        """Return the recommendation with spans that are fit for print, and with the sentences before and
        after them.

        Return `None` if there is no time left.
        """
        if get_left_s() < FEWEST_LEFT_S:
            self._stages.degraded.append(f"print: no time after the first {self._count} spans")
            return None
        self._count += 1
        document_id = recommendation.paragraph.document_id
        if document_id not in self._speeches:
            self._speeches[document_id] = _read(self._store, document_id, self._stages)
        surroundings = self._speeches[document_id]
        if surroundings and not surroundings.has_paragraph(recommendation.paragraph):
            surroundings = None
        return prepare_for_print(recommendation, surroundings, self._asked_words)


def add_quote(recommendation: Recommendation) -> Recommendation:
    """Return a copy of the recommendation with its quote and its attribution as text to print."""
    paragraph, spans = recommendation.paragraph, recommendation.spans
    words = paragraph.text[spans[0].start_char : spans[0].end_char] if spans else None
    return replace(
        recommendation,
        quote=None if words is None else remove_markup(words),
        attribution=make_attribution(recommendation.document, paragraph.speaker, paragraph.start_s),
    )


def _read(store: ParagraphStore, document_id: str, stages: Stages) -> Surroundings | None:
    try:
        stored = store.get(document_id)
    except StoreError as error:
        stages.degraded.append(f"context: {error}")
        return None
    return None if stored is None else Surroundings(*stored)


def prepare_for_print(
    recommendation: Recommendation, surroundings: Surroundings | None, asked_words: Sequence[str] = ()
) -> Recommendation:
    """Return the recommendation with spans that are fit for print, and with the sentences before and after
    them.

    The span that the model marked is kept as `cut`. `surroundings` is the speech with all its paragraphs.
    If it is `None`, only the recommended paragraph is read, and no sentences are added.
    """
    if not recommendation.spans:
        return recommendation
    cut, paragraph = recommendation.spans[0], recommendation.paragraph
    spans = choose_printed_spans(paragraph, cut, surroundings, asked_words)
    context = None if surroundings is None else read_context(paragraph, spans[0], surroundings)
    return replace(recommendation, spans=spans, cut=cut, context=context)


def check_span(document: Document, paragraphs: Sequence[Paragraph], ordinal: int, span: Span) -> Span:
    """Check a span that a writer chose in paragraph number `ordinal`, and return the span with warnings.

    Raises:
        BadInput: there is no such paragraph, or the span is not within it or holds no word.
    """
    if not 0 <= ordinal < len(paragraphs):
        raise BadInput("there is no such paragraph in this speech", field="ordinal")
    paragraph = paragraphs[ordinal]
    words = paragraph.text[span.start_char : span.end_char]
    if not 0 <= span.start_char < span.end_char <= len(paragraph.text) or not words.strip():
        raise BadInput("these are no words of the paragraph", field="start_char")
    chosen = _read_for_print(paragraph, span, Surroundings(document, paragraphs))
    return _span(chosen, find_flaws(chosen), span.score)


def choose_printed_spans(
    paragraph: Paragraph,
    cut: Span,
    surroundings: Surroundings | None = None,
    asked_words: Sequence[str] = (),
) -> tuple[Span, ...]:
    """Return the spans to print instead of `cut`, the span that the model marked; the best one comes first.

    Usually this is a span near `cut`; if it is long, a shorter span follows. If the span near `cut` has
    flaws, another sentence of the paragraph or a phrase of the span may be fit for print. This sentence or
    phrase then comes first, and the flawed span follows with its warnings.

    If all of these spans lack `asked_words` that `cut` has, `cut` itself comes first, with its warnings.
    """
    spans = _choose_spans(paragraph, cut, surroundings)
    kept = [span for span in spans if not is_without_words(asked_words, paragraph.text, cut, span)]
    if not kept:
        whole = _read_for_print(paragraph, cut, surroundings)
        kept = [_span(whole, find_flaws(whole), cut.score)]
    return (kept[0], *(span for span in spans if span is not kept[0]))


def _choose_spans(paragraph: Paragraph, cut: Span, surroundings: Surroundings | None) -> tuple[Span, ...]:
    unscored = _choose_unscored(_locate_words(paragraph, cut, surroundings))
    return tuple(replace(span, score=cut.score) for span in unscored)


@lru_cache(CACHED_CHOICES)
def _choose_unscored(words: _Words) -> tuple[Span, ...]:
    """Choose the spans to print instead of the span that the model marked, best first.

    Their score is 0, because the caller adds the score. Results are cached, because the model often marks the
    same span for similar drafts.
    """
    model_span = words.read()
    near, flaws = mend_near(model_span)
    other = choose_other(model_span, near, flaws) or find_phrase(model_span, near, flaws)
    if other is not None:
        return _span(other, find_flaws(other), 0.0), _span(near, flaws, 0.0)
    first = _span(near, flaws, 0.0)
    shorter = shorten(near)
    return (first,) if shorter is None else (first, _span(*shorter, 0.0))


def _read_for_print(paragraph: Paragraph, span: Span, surroundings: Surroundings | None) -> PrintSpan:
    return _locate_words(paragraph, span, surroundings).read()


class _Words(NamedTuple):
    """Hold a span of a paragraph, and all data that affect how it is printed, as the key of a cache."""

    text: str
    speaker: str
    is_statement: bool
    start_char: int
    end_char: int
    laughter: tuple[int, ...]
    following: str
    preceding: str
    turn: str

    def read(self) -> PrintSpan:
        """Return the span as a `PrintSpan`, with its paragraph parsed."""
        passage = read_passage(self.text, self.speaker, is_statement=self.is_statement)
        return PrintSpan(
            passage,
            self.start_char,
            self.end_char,
            self.laughter,
            self.following,
            self.preceding,
            self.turn,
        )


def _locate_words(paragraph: Paragraph, span: Span, surroundings: Surroundings | None) -> _Words:
    speaker = (surroundings.document.speaker if surroundings else None) or paragraph.speaker or ""
    return _Words(
        paragraph.text,
        speaker,
        surroundings is not None and surroundings.is_statement,
        span.start_char,
        span.end_char,
        tuple(surroundings.find_laughter(paragraph)) if surroundings else (),
        surroundings.get_text(paragraph.ordinal + 1) if surroundings else "",
        surroundings.get_text(paragraph.ordinal - 1)[-PRECEDING:] if surroundings else "",
        paragraph.speaker or "",
    )


def read_context(paragraph: Paragraph, span: Span, surroundings: Surroundings) -> Context:
    """Return the sentence before a span and the sentence after it, from the adjacent paragraph if necessary.

    If the span is only a part of a sentence, the rest of this sentence counts as the sentence before or
    after.
    """
    text, ordinal = paragraph.text, paragraph.ordinal
    bounds = split_paragraph(text)
    before = [text[start:end] for start, end in bounds if end <= span.start_char]
    after = [text[start:end] for start, end in bounds if start >= span.end_char]
    for start, end in bounds:
        if start < span.start_char < end and text[start : span.start_char].strip(" \"“‘'("):
            before.append(text[start : span.start_char].strip())
        rest = text[span.end_char : end]
        if start < span.end_char < end and rest.strip(" .!?…\"”’')"):
            after.insert(0, rest.strip())
    return Context(
        before[-1] if before else _get_sentence(surroundings.get_text(ordinal - 1), -1),
        after[0] if after else _get_sentence(surroundings.get_text(ordinal + 1), 0),
    )


def _get_sentence(text: str, at: int) -> str:
    bounds = split_paragraph(text)
    return text[slice(*bounds[at])] if bounds else ""


def _span(span: PrintSpan, flaws: Sequence[Flaw], score: float) -> Span:
    printability = estimate_printability(span, flaws)
    reasons = [flaw for flaw in flaws if flaw.rule != "short"]
    if doubt := find_doubt(span, flaws, printability):
        reasons.append(doubt)
    warnings = tuple(
        SpanWarning(KINDS[flaw.kind], flaw.message, flaw.start_char, flaw.end_char) for flaw in reasons
    )
    return Span(span.start_char, span.end_char, score, warnings, round(printability, 3), is_ready(reasons))


KINDS: dict[FlawKind, WarningKind] = {
    FlawKind.MEANING: "meaning",
    FlawKind.GRAMMAR: "grammar",
    FlawKind.BOUNDARY: "boundary",
    FlawKind.CONTEXT: "context",
    FlawKind.LENGTH: "length",
    FlawKind.DOUBT: "doubt",
}
