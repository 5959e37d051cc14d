"""Read a quotation against one window: find where its words stand there, and which of them differ."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.verify.windows import Window
from quotations.differences import Difference, DifferenceKind, find_differences
from quotations.fitting import Fit, fit
from quotations.harmless import MEANING_WORDS
from quotations.meaning import FILLERS, FUNCTION, MAGNITUDES, MeaningClass
from quotations.printed_quote import Quoted, read_printed

LEAST_COVERAGE: Final = 0.72
LEAST_WEIGHTED: Final = 0.6
LEAST_OF_PART: Final = 0.5
FUNCTION_WEIGHT: Final = 0.3
LEAST_CONTENT: Final = 1.5  # words of content that are found, for each that is not
LEAST_COMMON: Final = 0.4
MOST_REPLACED: Final = 3  # spoken words more than printed ones, in a single change
LONGEST_NAME: Final = 2  # words of a difference that is one of names
OWN_WORDS: Final = frozenset((MeaningClass.OPPOSITE, MeaningClass.DATE))
"""Classes whose words are words of content."""

RAW_WORD = re.compile(r"\w+")


@dataclass(frozen=True, eq=False)
class Printed:
    """A quotation as it is printed, its words and what each weighs, float (n,)."""

    parts: tuple[str, ...]
    quoted: Quoted
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, parts: tuple[str, ...]) -> Printed:
        """Read the pieces of one quotation."""
        words = read_printed(parts)
        light = FUNCTION | FILLERS
        weights = np.array([FUNCTION_WEIGHT if key in light else 1.0 for key in words.keys])
        weights[words.inserted] = 0
        return cls(parts, words, weights)

    @cached_property
    def raw_words(self) -> frozenset[str]:
        """Its words as they are written, in lower case."""
        return frozenset(RAW_WORD.findall(" ".join(self.parts).casefold()))

    @property
    def content_words(self) -> int:
        """Count its words that are neither function words nor fillers nor in brackets."""
        return int((self.weights == 1).sum())

    def has_words_of(self, window: Window) -> bool:
        """Return whether enough of its words stand in a window, in any order, to be worth a fit."""
        return len(self.raw_words & window.raw_words) >= LEAST_COMMON * len(self.raw_words)


@dataclass(frozen=True, eq=False)
class Reading:
    """The best fit of a quotation in a window, with its differences.

    `coverage` is the share of its words that were found, `weighted` the same where function words count less.
    """

    printed: Printed
    window: Window
    fit: Fit
    coverage: float
    weighted: float

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """The differences, in the order of the quotation."""
        printed = self.printed
        return tuple(find_differences(printed.parts, printed.quoted, self.fit, self.window.spoken))

    @property
    def first(self) -> int:
        """The first word in the window that is matched."""
        return int(self.fit.spoken[self.fit.matched].min())

    @property
    def last(self) -> int:
        """The last word in the window that is matched."""
        return int(self.fit.spoken[self.fit.matched].max())

    @property
    def is_verbatim(self) -> bool:
        """Return whether nothing differs but what is marked."""
        return all(item.kind is DifferenceKind.CUT for item in self.differences)

    @property
    def alters(self) -> bool:
        """Return whether a meaning word differs."""
        return any(item.alters for item in self.differences)

    @property
    def is_likely(self) -> bool:
        """Return whether enough of the words were found to look closer."""
        enough = self.coverage >= LEAST_COVERAGE and self.weighted >= LEAST_WEIGHTED
        return enough and self._has_every_part() and self._is_the_same_matter()

    def is_nearly_whole(self, least_words: int) -> bool:
        """Return whether all words but one match, in a quotation of at least so many words."""
        return int((~self.printed.quoted.inserted).sum()) >= least_words and self.lost_words <= 1

    @property
    def is_changed_inside(self) -> bool:
        """Return whether all that differs is small, inside the quotation, and changes its meaning.

        What a rule excuses does not count.
        """
        others = [item for item in self.differences if item.kind is not DifferenceKind.CUT]
        return all(self._is_inside(item) and (item.alters or item.excuse is not None) for item in others)

    def _is_inside(self, difference: Difference) -> bool:
        if difference.excuse is not None:
            return True
        first, stop = difference.spoken_at
        is_small = stop - first <= difference.size + MOST_REPLACED
        return is_small and 0 < difference.at <= len(self.printed.quoted.keys) - 1 - difference.size

    @property
    def lost_words(self) -> int:
        """Count the words of the quotation that do not match."""
        return int((~self.printed.quoted.inserted & ~self.fit.matched).sum())

    @property
    def lost_share(self) -> float:
        """Return the share of the quotation's words that do not match.

        A word of meaning does not count that differs within the quotation.
        """
        keys = self.printed.quoted.keys
        lost = ~self.printed.quoted.inserted & ~self.fit.matched
        for item in self.differences:
            if item.alters and self._is_inside(item):
                is_name = MeaningClass.NAME in item.meaning and item.size <= LONGEST_NAME
                for at in range(item.at, item.at + item.size):
                    lost[at] &= not (is_name or _is_difference(keys[at], item))
        return float(lost.sum()) / max(1, int((~self.printed.quoted.inserted).sum()))

    @property
    def further_changes(self) -> int:
        """Count other differences than in meaning, and the meaning words of a change after its first.

        It is 0 where no meaning word differs.
        """
        if not self.alters:
            return 0
        others = [
            item for item in self.differences if item.kind is not DifferenceKind.CUT and item.excuse is None
        ]
        changed = (item for item in others if item.alters and item.kind is DifferenceKind.CHANGED)
        further = sum(self._count_changed(item) - 1 for item in changed)
        return further + sum(not item.alters for item in others)

    def _count_changed(self, item: Difference) -> int:
        """Count the words of a changed difference that carry meaning, on the side that has more."""
        quoted = self.printed.quoted.keys[item.at : item.at + item.size]
        spoken = self.window.spoken.keys[slice(*item.spoken_at)]
        sides = (sum(_is_difference(key, item) for key in side) for side in (quoted, spoken))
        return max(1, *sides)

    def _is_the_same_matter(self) -> bool:
        """Return whether few words of content are missing, compared with those that match.

        Words that are there changed in a way that a rule knows, such as a number, do not count.
        """
        heavy = self.printed.weights == 1
        loose = heavy & ~self.fit.matched
        if not loose.any():
            return True
        loose &= ~self.find_explained(names=True)
        return int((heavy & self.fit.matched).sum()) >= LEAST_CONTENT * int(loose.sum())

    def find_explained(self, *, names: bool) -> NDArray[np.bool_]:
        """Return which words belong to a difference that a rule names, other `names` among them: bool (n,).

        Of a difference in meaning these are the words that make it. "These efforts will succeed" for "the
        Russians are serious" differs in a modal, and is another matter all the same.
        """
        keys = self.printed.quoted.keys
        explained = np.zeros(len(keys), np.bool_)
        for item in self.differences:
            if not item.quoted or not (item.meaning or item.excuse):
                continue
            for at in range(item.at, item.at + item.size):
                explained[at] = (
                    item.excuse is not None
                    or _is_difference(keys[at], item)
                    or (names and MeaningClass.NAME in item.meaning and item.size <= LONGEST_NAME)
                )
        return explained

    def _has_every_part(self) -> bool:
        words, result = self.printed.quoted, self.fit.matched
        own = ~words.inserted
        return all(
            result[own & (words.part == part)].mean() >= LEAST_OF_PART for part in np.unique(words.part[own])
        )


def _is_difference(key: str, item: Difference) -> bool:
    """Return whether a word of the quotation can be what makes a difference in meaning."""
    if key in MEANING_WORDS or not OWN_WORDS.isdisjoint(item.meaning):
        return True
    return MeaningClass.NUMBER in item.meaning and (key[:1].isdigit() or key in MAGNITUDES)


def read_window(printed: Printed, window: Window) -> Reading | None:
    """Read a quotation against a window; `None` if they have hardly a word in common."""
    words = printed.quoted
    own = ~words.inserted
    if not own.any() or not printed.has_words_of(window):
        return None
    result = fit(words.keys, words.inserted, words.cut_after, window.spoken.keys)
    if not result.matched[own].any():
        return None
    total = printed.weights[own].sum()
    weighted = float(printed.weights[own & result.matched].sum() / total) if total else 0.0
    return Reading(printed, window, result, float(result.matched[own].mean()), weighted)
