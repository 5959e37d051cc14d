"""Decide the outcome of every quotation in every article: a row of training data, or the reason why there is
no row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from indexer.characters import normalise_line
from jobs.align.articles import Article
from jobs.align.copies import Copies
from jobs.align.joining import MatchedQuotation, match_quotations
from jobs.align.pair_rows import Rows
from quotations.matching.quotation_matches import Matcher, Reason
from quotations.matching.verification import Match
from quotations.matching.word_index import Place


@dataclass(frozen=True, slots=True)
class QuotationOutcome:
    """Hold the outcome of one quotation: its match in a transcript, or the reason why it has no match.

    `row` is the row of training data that the quotation makes, if it makes one. If the quotation's article is
    a copy of another article, `original` is the id of that other article.
    """

    article: Article
    matched: MatchedQuotation
    row: dict[str, Any] | None = None
    original: str | None = None

    def describe(self) -> str:
        """Return a short description of the outcome: "exact", "edited", or the reason why there is no row."""
        result = self.matched.result
        return result.value if isinstance(result, Reason) else "exact" if result.exact else "edited"

    def build_line(self) -> dict[str, Any]:
        """Return the outcome as a line of the report.

        The field `parts` has the character ranges of the quotation in the article's text, for example one
        range before "he said" and one after it.
        """
        quotation, text = self.matched.quotation, self.article.text
        return {
            "article": self.article.id,
            "parts": [list(part) for part in quotation.parts],
            "quote": normalise_line(" ".join(text[start:end] for start, end in quotation.parts)),
            "outcome": self.describe(),
            "pair": self.row["id"] if self.row else None,
            "original": self.original,
        }


def find_outcomes(articles: Iterable[Article], matcher: Matcher) -> Iterator[QuotationOutcome]:
    """Yield for every quotation in `articles`, in order, its row of training data or why it has none.

    If an article quotes the same words of a speech twice, only the first quotation gets a row. The quotations
    of an article that copies another article get no rows. The same input gives the same rows.
    """
    copies = Copies()
    for article in articles:
        matches = list(match_quotations(article, matcher))
        quoting = any(isinstance(match.result, Match) for match in matches)
        original = copies.find_original(article, [match.quotation for match in matches]) if quoting else None
        yield from (
            _build_copy_outcomes(article, matches, original)
            if original
            else _build_outcomes(article, matches)
        )


def _build_copy_outcomes(
    article: Article, matches: list[MatchedQuotation], original: str
) -> Iterator[QuotationOutcome]:
    for match in matches:
        result = match.result if isinstance(match.result, Reason) else Reason.COPY
        yield QuotationOutcome(article, MatchedQuotation(match.quotation, result), original=original)


def _build_outcomes(article: Article, matches: list[MatchedQuotation]) -> Iterator[QuotationOutcome]:
    rows, places = Rows(article), list[Place]()
    for match in matches:
        if isinstance(match.result, Reason):
            yield QuotationOutcome(article, match)
        elif any(_is_within(match.result.place, place) for place in places):
            yield QuotationOutcome(article, MatchedQuotation(match.quotation, Reason.AGAIN))
        else:
            row = rows.build_row(match.quotation, match.result)
            row["repeated"] |= any(_share_characters(match.result.place, place) for place in places)
            places.append(match.result.place)
            yield QuotationOutcome(article, match, row)


def _share_characters(place: Place, other: Place) -> bool:
    """Return whether two places in transcripts overlap, that is, have at least one character in common."""
    first, second = sorted((place, other), key=lambda either: (either.paragraph, either.start_char))
    ends = (first.last_paragraph, first.end_char)
    return place.document == other.document and (second.paragraph, second.start_char) < ends


def _is_within(place: Place, other: Place) -> bool:
    """Return whether the transcript words at `place` lie completely within those at `other`."""
    return (
        place.document == other.document
        and (other.paragraph, other.start_char) <= (place.paragraph, place.start_char)
        and (place.last_paragraph, place.end_char) <= (other.last_paragraph, other.end_char)
    )
