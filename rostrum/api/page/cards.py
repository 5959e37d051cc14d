"""Arrange a recommendation as a card: what its template shows, worked out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from jobs.attribution import make_attribution, split_attribution
from rostrum.api.page.copying import Copies, make_copies
from rostrum.api.page.links import link_document, link_recording, link_words
from rostrum_core.types import (
    Answer,
    Context,
    DocumentInfo,
    Paragraph,
    Recommendation,
    Scores,
    Span,
    SpanWarning,
)

STRENGTHS: Final = ((0.75, "strong"), (0.5, "good"), (0.2, "possible"), (0.0, "weak"))
"""Names of probabilities that a paragraph fits, from the least probability that has each."""

MOST_CHOICES: Final = 6
"""Values of a facet that are offered below the answer."""


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of a paragraph as a card shows them: the text around them, warnings, links and forms to copy."""

    before: str
    words: str
    after: str
    span: Span
    warnings: Sequence[tuple[str, str]]
    permalink: str
    source: str | None
    copies: Copies


@dataclass(frozen=True, slots=True)
class Card:
    """A recommendation as it is shown; `place` names its paragraph in forms."""

    rank: int
    place: str
    document: DocumentInfo
    paragraph: Paragraph
    who: str
    where: str
    quote: Quote
    shorter: Quote | None
    context: Context | None
    recording: str | None
    fit: float
    strength: str
    scores: Scores


@dataclass(frozen=True, slots=True)
class Choice:
    """A value of a facet among the shown cards, and how many have it."""

    value: str
    count: int


def make_cards(answer: Answer, estimate: Callable[[Scores], float]) -> list[Card]:
    """Return the cards of an answer, in its order; `estimate` gives the probability that one fits."""
    return [_make_card(item, estimate(item.scores)) for item in answer.recommendations]


def make_quote(paragraph: Paragraph, document: DocumentInfo, span: Span) -> Quote:
    """Return the quote that a span marks in a paragraph."""
    text = paragraph.text
    words = text[span.start_char : span.end_char]
    source = link_words(document.url, words)
    attribution = make_attribution(document, paragraph.speaker, paragraph.start_s)
    return Quote(
        text[: span.start_char],
        words,
        text[span.end_char :],
        span,
        [(warning.message, _read_omitted(text, span, warning)) for warning in span.warnings],
        link_document(document.id, paragraph.ordinal, span.start_char, span.end_char),
        source,
        make_copies(words, attribution, source),
    )


def name_strength(fit: float) -> str:
    """Return the word for a probability that a paragraph fits.

    >>> name_strength(0.9), name_strength(0.5), name_strength(0.01)
    ('strong', 'good', 'weak')
    """
    return next(name for least, name in STRENGTHS if fit >= least)


def count_choices(cards: Sequence[Card], read_value: Callable[[Card], str | None]) -> list[Choice]:
    """Return the most frequent values among cards; none if all have the same."""
    counts = Counter(value for card in cards if (value := read_value(card)))
    if len(counts) < 2:
        return []
    return [Choice(value, count) for value, count in counts.most_common(MOST_CHOICES)]


def read_speaker(card: Card) -> str | None:
    """Return who holds the floor in a card's paragraph."""
    return card.document.find_holder(card.paragraph)


def read_collection(card: Card) -> str | None:
    """Return the collection of a card's speech."""
    return card.document.collection


def read_decade(card: Card) -> str | None:
    """Return the first year of the decade of a card's speech."""
    day = card.document.spoken_on
    return f"{day[:3]}0" if day else None


def _make_card(item: Recommendation, fit: float) -> Card:
    paragraph, document = item.paragraph, item.document
    spans = item.spans or (Span(0, len(paragraph.text), 0.0),)
    quotes = [make_quote(paragraph, document, span) for span in spans]
    return Card(
        item.rank,
        f"{document.id}:{paragraph.ordinal}",
        document,
        paragraph,
        *split_attribution(document, paragraph.speaker, paragraph.start_s),
        quotes[0],
        quotes[1] if len(quotes) > 1 else None,
        item.context,
        link_recording(document, paragraph),
        fit,
        name_strength(fit),
        item.scores,
    )


def _read_omitted(text: str, span: Span, warning: SpanWarning) -> str:
    """Return the words outside the span that a warning is about; "" if they are inside."""
    is_outside = warning.end_char <= span.start_char or warning.start_char >= span.end_char
    return text[warning.start_char : warning.end_char].strip() if is_outside else ""
