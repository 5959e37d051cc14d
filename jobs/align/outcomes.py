"""Decide the outcome of every quotation of every article."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from indexer.characters import normalise_line
from jobs.align.articles import Article
from jobs.align.copies import Copies
from jobs.align.joining import Found, matched
from jobs.align.pair_rows import Rows
from quotations.matching import Matcher, Reason
from quotations.verification import Match
from quotations.word_index import Place


@dataclass(frozen=True, slots=True)
class Outcome:
    """A quotation of an article: its match or the reason why there is none, and its row if it gives one.

    `original` is the id of the article that this one copies.
    """

    article: Article
    found: Found
    row: dict[str, Any] | None = None
    original: str | None = None

    def describe(self) -> str:
        """Return the outcome in a word or a few: "exact", "edited", or the reason why there is no row."""
        result = self.found.result
        return result.value if isinstance(result, Reason) else "exact" if result.exact else "edited"

    def line(self) -> dict[str, Any]:
        """Return a line of the report: `parts` are characters of the article's text."""
        quotation, text = self.found.quotation, self.article.text
        return {
            "article": self.article.id,
            "parts": [list(part) for part in quotation.parts],
            "quote": normalise_line(" ".join(text[start:end] for start, end in quotation.parts)),
            "outcome": self.describe(),
            "pair": self.row["id"] if self.row else None,
            "original": self.original,
        }


def outcomes(articles: Iterable[Article], matcher: Matcher) -> Iterator[Outcome]:
    """Yield the outcome of every quotation of `articles` in order; equal input gives equal rows.

    The same words of a speech give one row per article, and the copies of an article none.
    """
    copies = Copies()
    for article in articles:
        found = list(matched(article, matcher))
        quoting = any(isinstance(each.result, Match) for each in found)
        original = copies.original_of(article, [each.quotation for each in found]) if quoting else None
        yield from _of_copy(article, found, original) if original else _of_article(article, found)


def _of_copy(article: Article, found: list[Found], original: str) -> Iterator[Outcome]:
    for each in found:
        result = each.result if isinstance(each.result, Reason) else Reason.COPY
        yield Outcome(article, Found(each.quotation, result), original=original)


def _of_article(article: Article, found: list[Found]) -> Iterator[Outcome]:
    rows, places = Rows(article), list[Place]()
    for each in found:
        if isinstance(each.result, Reason):
            yield Outcome(article, each)
        elif any(_within(each.result.place, place) for place in places):
            yield Outcome(article, Found(each.quotation, Reason.AGAIN))
        else:
            row = rows.row(each.quotation, each.result)
            row["repeated"] |= any(_overlap(each.result.place, place) for place in places)
            places.append(each.result.place)
            yield Outcome(article, each, row)


def _overlap(place: Place, other: Place) -> bool:
    """Return whether two places share a character."""
    first, second = sorted((place, other), key=lambda each: (each.paragraph, each.start_char))
    ends = (first.last_paragraph, first.end_char)
    return place.document == other.document and (second.paragraph, second.start_char) < ends


def _within(place: Place, other: Place) -> bool:
    """Return whether `place` lies within `other`."""
    return (
        place.document == other.document
        and (other.paragraph, other.start_char) <= (place.paragraph, place.start_char)
        and (place.last_paragraph, place.end_char) <= (other.last_paragraph, other.end_char)
    )
