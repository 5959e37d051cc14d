"""Define the types of the job famous: a well-known quote, a filter of quotes, and an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rostrum_core.names import match_names


class AttributionStatus(StrEnum):
    """Say how certain it is that a quote is by the author under whose name it is known.

    `VERIFIED`: somebody found it word for word in a text of the author. `ATTRIBUTED`: it is printed under the
    author's name. `DISPUTED`: it is printed under the author's name, but there is reason to doubt it.
    `UNKNOWN`: nobody knows who said it first, or nothing is known of its source.
    """

    VERIFIED = "verified"
    ATTRIBUTED = "attributed"
    DISPUTED = "disputed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class FamousQuote:
    """Hold a quote of a list with the metadata of its source.

    `year` is the year of the work, negative before Christ. `themes` are words for the subjects that the quote
    is used for; they help to find it. `provenance` says where the quote stands, or why its author is in
    doubt. `document` and `paragraph` (from 0) locate the quote in the archive, if it is there.
    """

    id: str
    text: str
    author: str = ""
    work: str = ""
    year: int | None = None
    tradition: str = ""
    themes: str = ""
    status: AttributionStatus = AttributionStatus.UNKNOWN
    provenance: str = ""
    document: str | None = None
    paragraph: int | None = None


@dataclass(frozen=True, slots=True)
class QuoteFilter:
    """Restrict the quotes that may be proposed. An empty tuple or `None` means any.

    `authors` are names or parts of names, as in a filter of speakers. `traditions` are compared ignoring
    case. Lengths are inclusive, in words that spaces separate.
    """

    authors: tuple[str, ...] = ()
    traditions: tuple[str, ...] = ()
    statuses: tuple[AttributionStatus, ...] = ()
    least_words: int | None = None
    most_words: int | None = None

    def admit(self, quote: FamousQuote) -> bool:
        """Return whether a quote passes the filter.

        >>> quote = FamousQuote("1", "Always do right.", "Mark Twain")
        >>> QuoteFilter(authors=("twain",), most_words=3).admit(quote)
        True
        """
        return (
            (not self.authors or bool(match_names((quote.author,), self.authors)))
            and (not self.traditions or quote.tradition.casefold() in map(str.casefold, self.traditions))
            and (not self.statuses or quote.status in self.statuses)
            and (self.least_words is None or len(quote.text.split()) >= self.least_words)
            and (self.most_words is None or len(quote.text.split()) <= self.most_words)
        )


@dataclass(frozen=True, slots=True)
class RankedQuote:
    """Hold a quote with its rank (from 1) and its score.

    The score is a sum of z-scores. Two scores can be compared only if the quotes were ranked for the same
    draft and the same place in it.
    """

    rank: int
    score: float
    quote: FamousQuote


@dataclass(frozen=True, slots=True)
class FamousAnswer:
    """Hold the well-known quotes that fit a gap of a draft, best first.

    `list` is the name of the list that was searched, `listed` the number of quotes in it, and `models` the
    hashes of the models used.
    """

    quotes: tuple[RankedQuote, ...]
    list: str
    listed: int
    models: Mapping[str, str] = field(default_factory=dict)
    elapsed_s: float = 0.0
