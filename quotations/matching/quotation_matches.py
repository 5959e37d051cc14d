"""Match a quotation with words of a transcript, or give the reason why none match."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from quotations.matching.printed_quote import read_printed
from quotations.matching.verification import Match, verify_window
from quotations.matching.windows import find_windows
from quotations.matching.word_index import UNDATED, WordIndex

SHORTEST_WORDS = 6  # words of a quotation, as printed; shorter ones are names and phrases
LONGEST_WORDS = 500  # so that an alignment fits into memory; anything longer is a reprint, not a quotation
# A speech may be dated a little after an article about it: time zones, and days of release.
DAYS_AFTER = 2


class Reason(StrEnum):
    """Name the reason why a quotation matches no transcript."""

    SHORT = "too short"
    LONG = "too long"
    UNDATED = "article without a date"
    OUTSIDE = "no transcript of those days"
    UNSEEN = "nothing in common"
    DIFFERENT = "too different"
    AGAIN = "again in the article"
    COPY = "copy of an article"


class Matcher:
    """Find quotations in the transcripts of an index.

    A transcript counts if it was spoken at most `days` days before the quotation was published and at most
    `DAYS_AFTER` days after that. If `days` is `None`, all transcripts count.
    """

    def __init__(self, index: WordIndex, *, days: int | None) -> None:
        self.index, self.days = index, days

    def match(self, parts: Sequence[str], published: str | None) -> Match | Reason:
        """Return the best match of a quotation in the transcripts, or the reason why there is no match.

        The best match has the highest score. If several matches have this score, the first is taken, in the
        order of `find_windows`. `parts` are the pieces of one quotation in order, such as the words before
        and after "he said". `published` is an ISO 8601 date.
        """
        printed = read_printed(parts)
        if printed.printed < SHORTEST_WORDS:
            return Reason.SHORT
        if len(printed.keys) > LONGEST_WORDS:
            return Reason.LONG
        if published is None and self.days is not None:
            return Reason.UNDATED
        distance, allowed = self._measure_distances(published)
        if not allowed.any():
            return Reason.OUTSIDE
        ids = self.index.get_numbers(printed.keys)
        matches: list[Match] = []
        window = None
        for window in find_windows(self.index, printed, ids, allowed=allowed, distance=distance):
            if match := verify_window(self.index, printed, ids, window):
                matches.append(match)
                if match.exact:
                    break
        if matches:
            return max(matches, key=lambda match: match.score)  # of equal ones the first
        return Reason.DIFFERENT if window else Reason.UNSEEN

    def _measure_distances(self, published: str | None) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return two arrays over the transcripts: days between speech and publication, and whether it fits.

        A transcript fits if a quotation published on that day may come from it.
        """
        if published is None:
            return np.zeros(len(self.index.days), np.int64), np.ones(len(self.index.days), np.bool_)
        before = date.fromisoformat(published).toordinal() - self.index.days.astype(np.int64)
        if self.days is None:
            return np.abs(before), np.ones(len(before), np.bool_)
        dated = self.index.days != UNDATED
        return np.abs(before), dated & (before <= self.days) & (before >= -DAYS_AFTER)
