"""Describe a difference between a quotation and the spoken words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from quotations.meaning import MeaningClass


class DifferenceKind(StrEnum):
    """Kinds of differences; `CUT` means text that is omitted at an ellipsis or an interruption."""

    DROPPED = "dropped"
    ADDED = "added"
    CHANGED = "changed"
    MOVED = "moved"
    CUT = "cut"


class Excuse(StrEnum):
    """Reasons why a difference does not change the meaning."""

    FILLER = "filler"
    ARTICLE = "article"
    REPETITION = "repetition"
    BRACKET = "bracket"
    SPELLING = "spelling"
    FUNCTION = "function words"


@dataclass(frozen=True, slots=True)
class Difference:
    """Describe a difference: spoken words (`spoken`) are replaced by words of the quotation (`quoted`).

    One of the two may be empty. `meaning` has the classes of the meaning words that differ; for a `CUT`, the
    classes of the omitted words. `excuse` is the reason why the difference does not matter, if there is one.
    The difference covers `size` words of the quotation from index `at`, and the half-open range `spoken_at`
    of the words of the transcript.
    """

    kind: DifferenceKind
    quoted: str
    spoken: str
    meaning: tuple[MeaningClass, ...] = ()
    excuse: Excuse | None = None
    at: int = 0
    spoken_at: tuple[int, int] = (0, 0)
    size: int = 0

    @property
    def alters(self) -> bool:
        """Return whether the difference changes the meaning."""
        return bool(self.meaning) and self.kind is not DifferenceKind.CUT
