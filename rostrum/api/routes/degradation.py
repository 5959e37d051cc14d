"""Rank fewer paragraphs for each request while many requests wait, instead of refusing some."""

from __future__ import annotations

UNHURRIED = 2
"""Number of concurrent requests that are ranked in full."""

LEAST_CANDIDATES = 20
"""Minimum number of paragraphs to rank, even if many requests wait.

Over 3,080 transcripts the mean reciprocal rank was 27.2 with 50 and 27.0 with 30 (docs/decisions/0030).
"""


def reduce_candidates(candidates: int, busy: int) -> int:
    """Return how many paragraphs to rank while `busy` requests are running or waiting, including this one.

    Up to `UNHURRIED` requests are ranked in full. Beyond that, the number falls so that the total work stays
    the same, but not below `LEAST_CANDIDATES`, unless fewer were requested.

    >>> [reduce_candidates(50, busy) for busy in (1, 2, 3, 4, 8)]
    [50, 50, 33, 25, 20]
    >>> reduce_candidates(10, 8)
    10
    """
    if busy <= UNHURRIED:
        return candidates
    return max(candidates * UNHURRIED // busy, min(candidates, LEAST_CANDIDATES))


def describe_reduction(candidates: int, reduced: int, busy: int) -> str:
    """Describe a reduction for the answer's field `degraded`.

    >>> describe_reduction(50, 25, 4)
    'queue: 25 instead of 50 paragraphs were ranked, as 4 requests came at once'
    """
    return f"queue: {reduced} instead of {candidates} paragraphs were ranked, as {busy} requests came at once"
