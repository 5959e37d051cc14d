"""Describe a difference between a quotation and the spoken words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from quotations.text.meaning import MeaningClass


class DifferenceKind(StrEnum):
    """Name how a quotation differs from the spoken words: words are dropped, added, changed, moved or cut.

    `CUT` means words that are omitted openly, at an ellipsis or an interruption such as "he said".
    """

    DROPPED = "dropped"
    ADDED = "added"
    CHANGED = "changed"
    MOVED = "moved"
    CUT = "cut"


class Excuse(StrEnum):
    """Name a reason why a difference does not change the meaning: the words are only fillers ("uh")."""

    FILLER = "filler"
    ARTICLE = "article"
    REPETITION = "repetition"
    BRACKET = "bracket"
    SPELLING = "spelling"
    FUNCTION = "function words"


@dataclass(frozen=True, slots=True)
class Difference:
    """Describe a difference: the quotation has the words `quoted` where the speaker said the words `spoken`.

    One of the two may be empty. `meaning` lists the classes of meaning that differ, such as "number". For an
    openly shown omission (`CUT`), it lists the classes of the omitted words. `excuse` is the reason why the
    difference does not matter, if there is one.

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
        """Return whether the difference changes the meaning; an openly shown omission (`CUT`) never does."""
        return bool(self.meaning) and self.kind is not DifferenceKind.CUT
