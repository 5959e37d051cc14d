"""Define a signal: a score for each candidate paragraph that is one reason to recommend the paragraph.

An example is the BM25 score for the draft.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from reranker.models.wordpieces import DraftPieces
from rostrum_core.candidates import Candidates
from rostrum_core.types import Draft

T = TypeVar("T")
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Context:
    """Hold a draft and its candidates, from which signals compute scores.

    `pieces` are the draft's WordPieces, or `None` if the draft was not tokenised. If `names` is false,
    signals ignore the speakers whom the draft names.
    """

    candidates: Candidates
    draft: Draft = field(default_factory=Draft)
    pieces: DraftPieces | None = None
    names: bool = True
    _computed: dict[Callable[[Context], Any], Any] = field(default_factory=dict)

    def compute(self, function: Callable[[Context], T]) -> T:
        """Call a function on this context, and return its result.

        The result is cached, because several signals may need it.
        """
        if function not in self._computed:
            self._computed[function] = function(self)
        result: T = self._computed[function]
        return result


Column = Callable[[Context], Floats | None]
"""Return a score for each candidate, float64 (n,), NaN if missing; `None` skips the signal."""


@dataclass(frozen=True, slots=True)
class Signal:
    """Describe a signal: a column of scores, one for each candidate.

    `label` is its name for users. `scale` is its form in a weighted sum. With "z", it is a z-score over the
    draft's candidates. With "log", it is the log of a probability or likelihood ratio, which does not depend
    on the other candidates. If `about` is "document", all paragraphs of a document have the same value. If
    `merged` is true, the signal is computed only for candidates that the ranker scores, because it reads
    their texts, and counts only in the final order. `default` is its weight if the fitted weights lack the
    signal.

    Scoring, fitting and docs read the table `SIGNALS`, so a new signal only needs to be added there.
    """

    name: str
    label: str
    scale: Literal["z", "log"]
    about: Literal["paragraph", "document"]
    column: Column
    merged: bool = False
    default: float | None = None
