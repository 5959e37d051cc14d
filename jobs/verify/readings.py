"""Compare a quotation with one window (consecutive paragraphs of the archive): align the words, and list
those that differ.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from jobs.verify.windows import Window
from quotations.matching.difference_kinds import Difference, DifferenceKind
from quotations.matching.differences import find_differences
from quotations.matching.fitting import Fit, fit
from quotations.matching.harmless import MEANING_WORDS
from quotations.matching.printed_quote import Quoted, read_printed
from quotations.text.meaning import FILLERS, FUNCTION, MAGNITUDES, MeaningClass

LEAST_COVERAGE: Final = 0.72
LEAST_WEIGHTED: Final = 0.6
LEAST_OF_PART: Final = 0.5
FUNCTION_WEIGHT: Final = 0.3
LEAST_CONTENT: Final = 1.5  # words of content that are found, for each that is not
LEAST_COMMON: Final = 0.4
MOST_REPLACED: Final = 3  # spoken words more than printed ones, in a single change
LONGEST_NAME: Final = 2  # words of a difference that is one of names
OWN_WORDS: Final = frozenset((MeaningClass.OPPOSITE, MeaningClass.DATE))
"""Meaning classes whose words are content words."""

RAW_WORD = re.compile(r"\w+")


@dataclass(frozen=True, eq=False)
class Printed:
    """Hold a quotation as printed: its n words, and its parts, such as those before and after "he said".

    `weights`, float64 (n,), says how much each word counts: function words and fillers count less than
    content words, and words in brackets do not count.
    """

    parts: tuple[str, ...]
    quoted: Quoted
    weights: NDArray[np.float64]

    @classmethod
    def of(cls, parts: tuple[str, ...]) -> Printed:
        """Parse the parts of one quotation, such as the parts before and after "he said"."""
        words = read_printed(parts)
        light = FUNCTION | FILLERS
        weights = np.array([FUNCTION_WEIGHT if key in light else 1.0 for key in words.keys])
        weights[words.inserted] = 0
        return cls(parts, words, weights)

    @cached_property
    def raw_words(self) -> frozenset[str]:
        """Return the words of the quotation as written, in lower case."""
        return frozenset(RAW_WORD.findall(" ".join(self.parts).casefold()))

    @property
    def content_words(self) -> int:
        """Return the number of content words of the quotation.

        Function words, fillers and words in brackets are no content words.
        """
        return int((self.weights == 1).sum())

    def has_words_of(self, window: Window) -> bool:
        """Return whether a window has enough words of the quotation, in any order, to be aligned with it."""
        return len(self.raw_words & window.raw_words) >= LEAST_COMMON * len(self.raw_words)


@dataclass(frozen=True, eq=False)
class Reading:
    """Hold the best alignment of a quotation with a window (consecutive paragraphs of the archive).

    `coverage` is the share of the quotation's words that match words of the window. `weighted` is the same
    share with the weights of `Printed.weights`.
    """

    printed: Printed
    window: Window
    fit: Fit
    coverage: float
    weighted: float

    @cached_property
    def differences(self) -> tuple[Difference, ...]:
        """Return the differences between the quotation and the window, in the order of the quotation."""
        printed = self.printed
        return tuple(find_differences(printed.quoted, self.fit, self.window.spoken))

    @property
    def first(self) -> int:
        """Return the index of the first word of the window that matches a word of the quotation."""
        return int(self.fit.spoken[self.fit.matched].min())

    @property
    def last(self) -> int:
        """Return the index of the last word of the window that matches a word of the quotation."""
        return int(self.fit.spoken[self.fit.matched].max())

    @property
    def is_verbatim(self) -> bool:
        """Return whether the quotation repeats the archive's words without changes.

        Omissions marked by an ellipsis are allowed.
        """
        return all(item.kind is DifferenceKind.CUT for item in self.differences)

    @property
    def alters(self) -> bool:
        """Return whether any difference between the quotation and the archive's words alters the meaning."""
        return any(item.alters for item in self.differences)

    @property
    def is_likely(self) -> bool:
        """Return whether enough words of the quotation match to consider this place of the archive as its
        source.
        """
        enough = self.coverage >= LEAST_COVERAGE and self.weighted >= LEAST_WEIGHTED
        return enough and self._has_every_part() and self._is_the_same_matter()

    def is_nearly_whole(self, least_words: int) -> bool:
        """Return whether all words of the quotation match except at most one.

        A quotation of fewer than `least_words` words never counts as nearly whole.
        """
        return int((~self.printed.quoted.inserted).sum()) >= least_words and self.lost_words <= 1

    @property
    def is_changed_inside(self) -> bool:
        """Return whether each difference is small, changes the meaning and is inside the quotation.

        Differences at an end of the quotation are not inside. Ellipses are ignored, and so are differences
        that a rule excuses, such as a left-out "uh".
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
        """Return how many words of the quotation match no word of the window, the compared paragraphs."""
        return int((~self.printed.quoted.inserted & ~self.fit.matched).sum())

    @property
    def lost_share(self) -> float:
        """Return the share of the quotation's words that match no word of the archive's paragraphs.

        Words that make a small change of meaning inside the quotation, such as a "not" or another number, do
        not count as unmatched.
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
        """Return how many further changes an altered quotation has; 0 if its meaning is not altered.

        Each difference that does not alter the meaning counts 1. A difference that replaces n meaning words
        (such as "not" or a number) counts n - 1. Ellipses, and differences that a rule excuses, such as a
        left-out "uh", do not count.
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
        """Return how many meaning words, such as "not" or a number, a difference has; at least 1.

        A difference has words of the quotation and, in their place, words of the source. The meaning words of
        each side are counted, and the larger number is returned.
        """
        quoted = self.printed.quoted.keys[item.at : item.at + item.size]
        spoken = self.window.spoken.keys[slice(*item.spoken_at)]
        sides = (sum(_is_difference(key, item) for key in side) for side in (quoted, spoken))
        return max(1, *sides)

    def _is_the_same_matter(self) -> bool:
        """Return whether enough content words of the quotation match words of the source.

        The number of words that match must be at least `LEAST_CONTENT` times the number of the others. A word
        whose difference a rule explains, such as another number, is not counted as one of the others.
        """
        heavy = self.printed.weights == 1
        loose = heavy & ~self.fit.matched
        if not loose.any():
            return True
        loose &= ~self.find_explained(names=True)
        return int((heavy & self.fit.matched).sum()) >= LEAST_CONTENT * int(loose.sum())

    def find_explained(self, *, names: bool) -> NDArray[np.bool_]:
        """Return a mask of the quotation's words that differ from the source for a known reason: bool (n,).

        If a difference is harmless, such as another spelling, all its words are in the mask. If it changes
        the meaning, only the words that do so are in the mask, such as "not" or a number. With `names`, a
        name that replaces another one is in the mask, too.
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
    """Return whether the word `key` of the difference `item` changes the meaning of the quotation.

    Words such as "not" always do. A number does if `item` is a difference of numbers. Any word does if `item`
    is a difference of opposites ("rise" for "fall") or of dates.
    """
    if key in MEANING_WORDS or not OWN_WORDS.isdisjoint(item.meaning):
        return True
    return MeaningClass.NUMBER in item.meaning and (key[:1].isdigit() or key in MAGNITUDES)


def read_window(printed: Printed, window: Window) -> Reading | None:
    """Align a quotation with a window, and return the best alignment.

    Return `None` if the quotation and the window share hardly any word.
    """
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
