"""A quotation read against one window: where its words stand there, and which of them differ."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from quotations.differences import Difference, DifferenceKind, find_differences
from quotations.fitting import Fit, fit
from quotations.meaning import FILLERS, FUNCTION
from quotations.printed_quote import Quoted, quoted
from rostrum.jobs.verify.windows import Window

LEAST_COVERAGE: Final = 0.72
LEAST_WEIGHTED: Final = 0.6
LEAST_OF_PART: Final = 0.5
FUNCTION_WEIGHT: Final = 0.3
LEAST_CONTENT: Final = 3  # words of content that are found, for each that is not
LEAST_CONTENT_ATTRIBUTED: Final = 1.5
LEAST_COMMON: Final = 0.4
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
        words = quoted(parts)
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
        """How many of its words are neither function words nor fillers nor in brackets."""
        return int((self.weights == 1).sum())

    def shares_words(self, window: Window) -> bool:
        """Tell whether enough of its words stand in a window in any order for a fit to be worth its time."""
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
        """What differs, in the order of the quotation."""
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
        """Whether nothing differs but what is marked."""
        return all(each.kind is DifferenceKind.CUT for each in self.differences)

    @property
    def alters(self) -> bool:
        """Whether a meaning word differs."""
        return any(each.alters for each in self.differences)

    def is_accepted(self, *, attributed: bool = False) -> bool:
        """Tell whether enough of the words were found to call the window their source.

        Fewer will do where the window fits the speaker or the day to which the quotation is `attributed`.
        """
        enough = self.coverage >= LEAST_COVERAGE and self.weighted >= LEAST_WEIGHTED
        least = LEAST_CONTENT_ATTRIBUTED if attributed else LEAST_CONTENT
        return enough and self._has_every_part() and self._is_the_same_matter(least)

    def _is_the_same_matter(self, least_content: float) -> bool:
        """Tell whether words of content that are not there are few beside those that are.

        "The enemy of the American people" is not "the needs of the American people", though five words of six
        are the same. Words that are there changed in a way that a rule knows, such as a number, do not count.
        """
        heavy = self.printed.weights == 1
        loose = heavy & ~self.fit.matched
        if not loose.any():
            return True
        for each in self.differences:
            if each.quoted and (each.meaning or each.excuse):
                loose[each.at : each.at + each.size] = False
        return int((heavy & self.fit.matched).sum()) >= least_content * int(loose.sum())

    def _has_every_part(self) -> bool:
        words, found = self.printed.quoted, self.fit.matched
        own = ~words.inserted
        return all(
            found[own & (words.part == part)].mean() >= LEAST_OF_PART for part in np.unique(words.part[own])
        )


def read_window(printed: Printed, window: Window) -> Reading | None:
    """Read a quotation against a window; `None` where they have hardly a word in common."""
    words = printed.quoted
    own = ~words.inserted
    if not own.any() or not printed.shares_words(window):
        return None
    found = fit(words.keys, words.inserted, words.cut_after, window.spoken.keys)
    if not found.matched[own].any():
        return None
    total = printed.weights[own].sum()
    weighted = float(printed.weights[own & found.matched].sum() / total) if total else 0.0
    return Reading(printed, window, found, float(found.matched[own].mean()), weighted)
