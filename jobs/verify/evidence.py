"""Decide whether the words that a quotation shares with a place in the archive are rare enough to show that
the place is its source.

Frequent words can match in any archive by chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from enum import IntEnum
from typing import Final

import numpy as np

from jobs.verify.readings import Reading
from quotations.text.meaning import FILLERS, FUNCTION
from rostrum_core.ports import ParagraphStore

LOST_WEIGHT: Final = 2.0
"""Weight of words that do not match and that no rule explains.

Tried on 320 edited quotations of dev, 332 with a planted change and 2,500 of train over speeches of later
years (at most 1 % of these found): 0.5, 1, 1.5, 2. It keeps 97.4, 97.4, 97.8, 97.0 % of the edited and 98.5,
99.1, 99.1, 99.4 % of the changed ones.
"""

LOST_WEIGHT_CLAIMED: Final = 1.0  # the same where the quotation is attributed to the place
MOST_LOST_BITS: Final = 8.0  # of one word: that a lost word is rare says nothing more

STOP_WORD_BITS: Final = 0.3
UNSEARCHED: Final = FUNCTION | FILLERS | {"if", "into", "no", "not", "such", "will"}
"""Words in so many paragraphs that stores do not index them."""

LOST_SHARE_BITS: Final = 150.0
"""Additional bits required of a short quotation attributed to nobody, times the share of its words that do
not match.

Tried 60, 100, 150 and 200: of 15 edited quotations of news over speeches of later years (of 4,000), 8, 6, 4
and 4 are found; of 349 edited ones of dev and train 3, 5, 5 and 6 are lost.
"""

SHARED_WORDS: Final = 12  # most words of a quotation that may share a phrase by chance

NEARLY_WHOLE_WORDS: Final = 7
"""Minimum words of a quotation that is accepted without enough bits if only one word fails to match and the
meaning differs.
"""


class Claim(IntEnum):
    """Say how a place in the archive fits the speaker and the time that the draft names for a quotation.

    The worse it fits, the more bits the matching words must have before the place is accepted as the source
    (see `Evidence.measure`). This threshold is the value of the member, plus log2 of the number of paragraphs
    in the archive.
    """

    SPEAKER = -14
    """The place is by the named speaker, and of the named time if there is one."""

    TIME = -12
    """The place is of the named time, and no speaker is named."""

    NONE = 0
    """The quotation is attributed to nobody. Tried -4, -2 and 0 on 260 edited quotations of dev, 400 with a
    planted change and 300 of train over speeches of later years: no fewer of the first two are found, and 8,
    6, 6 of the last. 0 leaves 4 of 4,000 quotations of news over those speeches, and every planted change."""

    OTHER = 16
    """The place is by another speaker or of another time, and its words differ from the quotation's."""

    OTHER_VERBATIM = 0
    """The place is by another speaker or of another time, with exactly the quotation's words.

    A writer is not accused because of four common words.
    """


class Evidence:
    """Weigh words by their rarity in an archive, in bits.

    The bits of a word are -log2 of the share of paragraphs that contain the word.
    """

    def __init__(self, store: ParagraphStore) -> None:
        self._store = store
        self._bits: dict[str, float] = {}
        self._archive_bits: float | None = None

    @property
    def archive_bits(self) -> float:
        """Return the bits of a word that only one paragraph contains: log2 of the number of paragraphs."""
        if self._archive_bits is None:
            self._archive_bits = math.log2(max(2, self._store.count()[1]))
        return self._archive_bits

    def is_enough(self, reading: Reading, claim: Claim) -> bool:
        """Return whether a quotation matches a place so well that the place is accepted as its source.

        `reading` compares the two. `claim` says whether the place fits the speaker and time that the draft
        names. The less it fits, the more words must match, or the rarer they must be.
        """
        if reading.is_verbatim and claim is not Claim.OTHER:
            return True
        if claim is Claim.OTHER and reading.is_verbatim:
            claim = Claim.OTHER_VERBATIM
        elif claim is not Claim.OTHER and _is_single_change(reading, claim):
            return True
        weight = LOST_WEIGHT_CLAIMED if claim in (Claim.SPEAKER, Claim.TIME) else LOST_WEIGHT
        least = self.archive_bits + claim
        if claim is Claim.NONE and len(reading.printed.quoted.keys) <= SHARED_WORDS:
            strange = reading.further_changes / len(reading.printed.quoted.keys)
            least += LOST_SHARE_BITS * (reading.lost_share + strange)
        return self.measure(reading, weight) >= least

    def is_enough_for_piece(self, words: Sequence[str]) -> bool:
        """Return whether the words of a piece of a quotation are rare enough to show where it comes from.

        Together they must be as rare as a word that only one paragraph contains (`archive_bits`).
        """
        return sum(self._weigh(words)) >= self.archive_bits

    def measure(self, reading: Reading, lost_weight: float = LOST_WEIGHT) -> float:
        """Return how strongly the words of a quotation show that it comes from a place, in bits.

        `reading` compares the quotation with the place in the archive. The result is the sum of the bits of
        the words that match (see `Evidence`), minus a penalty. The penalty is `lost_weight` times the bits of
        the words that do not match and whose difference no rule explains; each such word has at most
        `MOST_LOST_BITS`.

        If the quotation spells a matching word differently, the word gets at most the bits of the source's
        spelling. Otherwise a misspelt word would have many bits, because it is rare in the archive. Words in
        brackets, which the writer inserted, are ignored.
        """
        words, matched = reading.printed.quoted, reading.fit.matched
        values = np.array(self._weigh(words.keys))
        alike = np.flatnonzero(reading.fit.alike)
        spoken = self._weigh([reading.window.spoken.keys[at] for at in reading.fit.spoken[alike]])
        values[alike] = np.minimum(values[alike], spoken)
        own = ~words.inserted
        lost = own & ~matched & ~reading.find_explained(names=False)
        return float(
            values[own & matched].sum() - lost_weight * np.minimum(values[lost], MOST_LOST_BITS).sum()
        )

    def _weigh(self, keys: Sequence[str]) -> list[float]:
        unknown = [key for key in dict.fromkeys(keys) if key not in self._bits]
        if unknown:
            counts = self._store.document_frequency(unknown)
            for key, count in zip(unknown, counts, strict=True):
                rare = self.archive_bits - math.log2(max(1, count))
                self._bits[key] = STOP_WORD_BITS if key in UNSEARCHED else rare
        return [self._bits[key] for key in keys]


def _is_single_change(reading: Reading, claim: Claim) -> bool:
    """Return whether a quotation equals a place in the archive except for a change of meaning.

    An example is an added "not". At most one word of the quotation may be missing at the place. If the draft
    names nobody as the speaker (`Claim.NONE`), the change must be inside the quotation, and every other word
    must match.
    """
    if not (reading.alters and reading.is_nearly_whole(NEARLY_WHOLE_WORDS)):
        return False
    is_pure = reading.is_changed_inside and not reading.lost_share and not reading.further_changes
    return claim is not Claim.NONE or is_pure
