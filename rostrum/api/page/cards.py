"""Build the cards of the page Write: each card shows a recommended quote and its source."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import escape

from jobs.attribution import make_attribution, split_attribution
from quotations.text.markup import put_in_quotes, remove_markup
from rostrum.api.page.links import link_place, link_recording, link_words
from rostrum_core.printable import safe
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
"""Words for the probability that a paragraph fits, each with the lowest probability that it covers."""

MOST_CHOICES: Final = 6
"""Number of facet values that are offered below the answer."""


MARKDOWN: Final = re.compile(r"([\\`*_{}\[\]<>#|~])")


@dataclass(frozen=True, slots=True)
class Copies:
    """Hold a quote for pasting: the `words` alone in quotation marks, and with their attribution as plain
    text, Markdown and HTML.
    """

    words: str
    plain: str
    markdown: str
    html: str


def make_copies(words: str, attribution: str, url: str | None) -> Copies:
    r"""Format a quote for pasting, without the transcript's markup.

    `url` is the address at which a reader finds the words.

    >>> copies = make_copies("I said “no”.", "Ann Roe, 1999", "https://a.example")
    >>> copies.words, copies.plain
    ('“I said ‘no’.”', '“I said ‘no’.” – Ann Roe, 1999')
    >>> copies.markdown
    '> “I said ‘no’.”\n>\n> – [Ann Roe, 1999](<https://a.example>)'
    """
    quoted = put_in_quotes(safe(remove_markup(words)))
    return Copies(
        quoted,
        f"{quoted} – {attribution}",
        f"> {_escape_markdown(quoted)}\n>\n> – {_link_markdown(_escape_markdown(attribution), url)}",
        f"<blockquote{_write_cite(url)}><p>{escape(quoted)}</p>"
        f"<footer>– {_link_html(attribution, url)}</footer></blockquote>",
    )


def _escape_markdown(text: str) -> str:
    return MARKDOWN.sub(r"\\\1", text)


def _link_markdown(text: str, url: str | None) -> str:
    return f"[{text}](<{url.replace('<', '%3C').replace('>', '%3E')}>)" if url else text


def _write_cite(url: str | None) -> str:
    return f' cite="{escape(url)}"' if url else ""


def _link_html(text: str, url: str | None) -> str:
    return f'<a href="{escape(url)}">{escape(text)}</a>' if url else str(escape(text))


@dataclass(frozen=True, slots=True)
class Quote:
    """Hold the words that a card of the page Write quotes from a paragraph, with warnings and links.

    `words` are the quoted words, `span` is their place in the paragraph. `before` and `after` are the rest of
    the paragraph. A warning is a pair: a message, and the words that it is about. The words are "" if they
    overlap the quote. `permalink` is the address of the words on this site. `source` is their address on the
    web page of the speech, or `None`. `copies` is the quote in formats for pasting.
    """

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
    """Hold a recommendation as the page Write shows it.

    `place` identifies the paragraph in forms. `fit` is the probability that the paragraph fits the draft, and
    `strength` is a word for it. `shorter` is a second quote from the same paragraph, usually a shorter one;
    it may be `None`.
    """

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
    """Hold a value of a facet, such as a speaker's name, and the number of shown cards with this value."""

    value: str
    count: int


def make_cards(answer: Answer, estimate: Callable[[Scores], float]) -> list[Card]:
    """Return a card for each recommendation of an answer, in the same order.

    `estimate` computes from the scores of a recommendation the probability that it fits the draft.
    """
    return [_make_card(item, estimate(item.scores)) for item in answer.recommendations]


def make_quote(paragraph: Paragraph, document: DocumentInfo, span: Span) -> Quote:
    """Return the quote for a card: the words in the character range `span` of a paragraph."""
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
        link_place(document.id, paragraph.ordinal, span.start_char, span.end_char),
        source,
        make_copies(words, attribution, source),
    )


def name_strength(fit: float) -> str:
    """Return a word for the probability that a paragraph fits: "strong", "good", "possible" or "weak".

    >>> name_strength(0.9), name_strength(0.5), name_strength(0.01)
    ('strong', 'good', 'weak')
    """
    return next(name for least, name in STRENGTHS if fit >= least)


def count_choices(cards: Sequence[Card], read_value: Callable[[Card], str | None]) -> list[Choice]:
    """Return the most frequent values of cards, such as their speakers, with the number of cards for each.

    `read_value` reads the value of a card. If all cards have the same value, the result is empty, because
    there is nothing to choose.
    """
    counts = Counter(value for card in cards if (value := read_value(card)))
    if len(counts) < 2:
        return []
    return [Choice(value, count) for value, count in counts.most_common(MOST_CHOICES)]


def read_speaker(card: Card) -> str | None:
    """Return the speaker of a card's paragraph; `None` if the speaker is unknown."""
    return card.document.find_holder(card.paragraph)


def read_collection(card: Card) -> str | None:
    """Return the collection to which a card's speech belongs; `None` if it belongs to none."""
    return card.document.collection


def read_decade(card: Card) -> str | None:
    """Return the first year of the decade in which a card's speech was given: "1960" for a speech of 1963.

    Return `None` if the speech has no date.
    """
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
    """Return the words that a warning is about, if they are outside the quoted span.

    If they overlap the span, the reader sees them in the quote, so return "".
    """
    is_outside = warning.end_char <= span.start_char or warning.start_char >= span.end_char
    return text[warning.start_char : warning.end_char].strip() if is_outside else ""
