"""Score how recent a speech is when a draft is written, because news quotes recent words.

Three quarters of the quotations of the training pairs are at most a day old, and 8 % more than 30 days. The
prior falls with a power of the age, p ~ (1 + days)^-w. So one day matters much within a week, and hardly
within a century. The exponent w is the weight of this signal, which is fitted.

Source: priors of time as in "Time-Based Language Models" (CIKM 2003), there exponential.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from reranker.signals.signal import Context, Floats, Signal
from rostrum_core.dates import count_day, get_first_day

DAYS_LATE = 2  # a release may have a date a day or two after the speech was quoted: as `rostrum align`
LONG_AGO_DAYS = 36_525  # age of a speech without a date, or in the future: a century


def measure_recency(written_on: str, spoken_on: Sequence[str | None]) -> list[float]:
    """Return the log prior of each speech, -log(1 + its age in days on the draft's day); 0 is the maximum.

    A speech without a date counts as very old. So does a speech dated more than `DAYS_LATE` days after the
    draft. If only the month or the year is known, the age is counted from its first day.

    >>> [round(x, 3) for x in measure_recency("1962-09-14", ["1962-09-12", "1962-09-16", "1962-09-17", None])]
    [-1.099, 0.0, -10.506, -10.506]
    """
    today = count_day(written_on)
    return [
        _log_prior(LONG_AGO_DAYS if spoken is None else today - count_day(get_first_day(spoken)))
        for spoken in spoken_on
    ]


def _log_prior(age_days: int) -> float:
    return 0.0 - math.log1p(LONG_AGO_DAYS if age_days < -DAYS_LATE else max(age_days, 0))


def _score_recency(context: Context) -> Floats | None:
    """Return, for each candidate, how recent its speech is on the draft's day.

    Return `None` if the draft has no day, or if the candidates have no scores of the signal *dense*. The
    weights of these two signals were fitted together.
    """
    candidates, written_on = context.candidates, context.draft.written_on
    if written_on is None or "dense" not in candidates.columns:
        return None
    of_documents = np.array(measure_recency(written_on, candidates.spoken_on), np.float64)
    return of_documents[candidates.owners]


RECENCY = Signal("recency", "how recent the speech is", "log", "document", _score_recency)
