"""Add companions to the recommendations of an answer.

The companions of a recommendation are its counter-voices (sentences on the same point by other speakers and
by the same one), and its printings (the articles that already printed the quote).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from archive.service import Service
from jobs.evidence.counter import Statement
from jobs.repeats.freshness import judge_freshness
from rostrum_core.companions import CounterVoices, Freshness, Repeat
from rostrum_core.types import Answer, Recommendation

COUNTERED = 3
"""Number of recommendations that get counter-voices: each costs two searches and the ranking of sentences."""

TIMES_READ = 3
"""Number of recommendations that are looked up in the articles for each one requested."""


@dataclass(frozen=True, slots=True)
class Companions:
    """Hold the companions of an answer's recommendations, in the order of the recommendations.

    `counter` has the counter-voices (sentences on the same point) of the first `COUNTERED` recommendations.
    `printed` has the printings (articles with the quote) of every recommendation. `counter` or `printed` is
    `None` if it was not requested.
    """

    counter: tuple[CounterVoices, ...] | None = None
    printed: tuple[tuple[Repeat, ...], ...] | None = None


def count_read(limit: int, printed: Freshness | None) -> int:
    """Return how many recommendations to request if the caller wants `limit` of them.

    If `printed` is "leave-out" or "last", quotes that articles already printed are later removed or moved to
    the end. More recommendations are then requested, so that enough others remain.

    >>> count_read(10, "leave-out"), count_read(10, "show")
    (30, 10)
    """
    return limit * TIMES_READ if printed in ("last", "leave-out") else limit


def add_companions(
    service: Service, answer: Answer, *, counter: bool, printed: Freshness | None, limit: int
) -> tuple[Answer, Companions]:
    """Return an answer, and the printings and counter-voices of its recommendations.

    Printings are articles that already printed the quote. They are looked up if `printed` is set. With
    "leave-out", recommendations with printings are removed; with "last", they are moved to the end; with
    "show", they stay where they are. At most `limit` recommendations remain. If `printed` is `None`, the
    answer is unchanged.

    Counter-voices are sentences of speeches on the same point. They are searched if `counter` is true, but
    only for the first recommendations, `COUNTERED` of them.

    Raises:
        BadInput: `printed` is set, and there is no archive of articles.
        StoreError: an archive cannot be searched.
        ModelError: the models have no part for evidence.
    """
    repeats = None
    if printed is not None:
        service.require_articles()
        fresh = judge_freshness(answer, service.find_printed, printed, limit)
        answer, repeats = fresh.answer, fresh.printed
    voices = None
    if counter:
        voices = find_voices(answer, service.counter)
    return answer, Companions(voices, repeats)


def find_voices(answer: Answer, find: Callable[[Statement], CounterVoices]) -> tuple[CounterVoices, ...]:
    """Return the counter-voices to each of the first recommendations of an answer, `COUNTERED` of them.

    Counter-voices are sentences of speeches on the same point. `find` returns those to one statement.
    """
    return tuple(find(make_statement(item)) for item in answer.recommendations[:COUNTERED])


def make_statement(recommendation: Recommendation) -> Statement:
    """Convert a recommendation to the statement for which counter-voices are searched.

    The text of the statement is the first span that the recommendation marks as worth quoting, or the whole
    paragraph if it marks none.
    """
    paragraph = recommendation.paragraph
    text = paragraph.text
    if recommendation.spans:
        text = text[recommendation.spans[0].start_char : recommendation.spans[0].end_char]
    speaker = recommendation.document.find_holder(paragraph)
    return Statement(text, speaker, paragraph.document_id, paragraph.ordinal)
