"""A signal: one reason why a paragraph may be the one, as a column of scores."""

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
    """A draft and its candidates, as signals read them; `pieces` is `None` where the draft was not read.

    `names` says whether people whom the draft names count.
    """

    candidates: Candidates
    draft: Draft = field(default_factory=Draft)
    pieces: DraftPieces | None = None
    names: bool = True
    _computed: dict[Callable[[Context], Any], Any] = field(default_factory=dict)

    def compute(self, function: Callable[[Context], T]) -> T:
        """Return the result of a function of this context, computed once: several signals may share it."""
        if function not in self._computed:
            self._computed[function] = function(self)
        result: T = self._computed[function]
        return result


Column = Callable[[Context], Floats | None]
"""Return a score for each candidate, float64 (n,), NaN where it is missing; `None` to skip the signal."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A signal under its name: adding one to the table (`SIGNALS`) is all that scoring, fit and docs need.

    `label` names it where people read. `scale` says how it joins a weighted sum: as z-score over the draft's
    candidates, or as the log of a probability or likelihood ratio, which does not depend on the other
    candidates. `about` a document means that it is the same for all its paragraphs. A `merged` signal
    reads texts; it is computed only for the candidates that are ranked, and joins the merged answer only.
    """

    name: str
    label: str
    scale: Literal["z", "log"]
    about: Literal["paragraph", "document"]
    column: Column
    merged: bool = False
