"""Choose the source of a quotation, if several places in the archive have its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jobs.verify.evidence import Claim
from jobs.verify.readings import Reading
from jobs.verify.speakers import is_nobody, is_same_person, may_be_same_person
from jobs.verify.verdicts import QUALITY, Wording
from rostrum_core.quote_checks import QuotePlace, QuoteRow, Verdict

SCORE_MARGIN: Final = 60  # of a fit, less than a word: within it, who said it and how well it fits decide
STOCK_WORDS: Final = 9  # longest phrase that several speakers may say alike by chance


@dataclass(frozen=True, eq=False)
class Source:
    """Hold a place of the archive that may be the source of a quotation.

    `reading` aligns the quotation with the place, and `wording` is the verdict on the words. `by_speaker`
    says whether the place is by the speaker whom the draft names; `None` if that cannot be decided.
    `on_occasion` says whether it is of the date that the draft names. `is_named` and `is_dated` say whether
    the draft names a speaker and a date.
    """

    reading: Reading
    wording: Wording
    place: QuotePlace
    by_speaker: bool | None
    on_occasion: bool
    is_dated: bool
    is_named: bool

    @property
    def fits(self) -> bool:
        """Return whether speaker and date of the place agree with those that the draft names.

        If the speakers cannot be compared, the date decides.
        """
        return self.by_speaker is not False and self.on_occasion

    @property
    def claim(self) -> Claim:
        """Return whether the place fits the speaker or date that the draft names, as a `Claim`."""
        if not self.is_named and not self.is_dated:
            return Claim.NONE
        if not self.fits:
            return Claim.OTHER
        if self.by_speaker:
            return Claim.SPEAKER
        return Claim.TIME if self.is_dated else Claim.NONE

    @property
    def rank(self) -> tuple[bool, int, bool, int]:
        """Return a key to compare sources whose scores are nearly the same; the source with the greatest key
        is the best.
        """
        return self.fits, QUALITY[self.wording.verdict], self.by_speaker is True, self.reading.fit.score


def is_by_speaker(row: QuoteRow, speaker: str | None) -> bool | None:
    """Return whether `speaker` is the person to whom a quotation is attributed.

    Return `None` if that cannot be decided: one of the two is unknown or only an office, the draft may mean
    several persons, or one name is only a part of the other.
    """
    if not row.speaker or not speaker or is_nobody(row.speaker) or is_nobody(speaker):
        return None
    if is_same_person(row.speaker, speaker):
        return True
    is_open = is_one_of(row.others, speaker) or may_be_same_person(row.speaker, speaker)
    return None if is_open else False


def is_one_of(names: Sequence[str], speaker: str | None) -> bool:
    """Return whether `speaker` may be one of the persons `names`: "John F. Kennedy" may be "Kennedy"."""
    return speaker is not None and any(is_same_person(name, speaker) for name in names)


def leave_out_equal(sources: Sequence[Source]) -> list[Source]:
    """Remove duplicates: of several sources at the same place of the archive, keep the first."""
    by_place: dict[tuple[str, int, int], Source] = {}
    for source in sources:
        place = source.place
        by_place.setdefault((place.document, place.paragraph, place.start_char), source)
    return list(by_place.values())


def choose_best(sources: Sequence[Source]) -> Source | None:
    """Return the best of the possible sources of a quotation; `None` if there are no sources.

    The best source has the highest score of alignment. Among sources with nearly the highest score,
    `Source.rank` decides. A source with the speaker and the date that the draft names is preferred if it has
    nearly the same words as the quotation, because stock phrases occur in many speeches.
    """
    best = _choose_near_highest(sources)
    fitting = _choose_near_highest([source for source in sources if source.fits])
    if best is None or fitting is None or best.fits:
        return best
    return fitting if QUALITY[fitting.wording.verdict] >= QUALITY[Verdict.EDITED] else best


def _choose_near_highest(sources: Sequence[Source]) -> Source | None:
    top = max((source.reading.fit.score for source in sources), default=0)
    near = [source for source in sources if source.reading.fit.score >= top - SCORE_MARGIN]
    best = max((source.rank for source in near), default=None)
    return min((source for source in near if source.rank == best), key=_get_place_order, default=None)


def _get_place_order(source: Source) -> tuple[bool, str, str, int, int]:
    """Return a sort key for equally good sources: the oldest speech first, then by id and place.

    Without it, the order in which the archive happens to return them would decide.
    """
    place = source.place
    day = place.spoken_on or ""
    return not day, day, place.document, place.paragraph, place.start_char


def is_stock_phrase(best: Source, sources: Sequence[Source]) -> bool:
    """Return whether a quotation is perhaps only a stock phrase: a short one that several people use.

    The quotation is attributed to nobody, and its words differ slightly from those of the best source.
    """
    reading = best.reading
    is_phrase = len(reading.printed.quoted.keys) <= STOCK_WORDS and best.wording.verdict is Verdict.EDITED
    if best.claim is not Claim.NONE or not is_phrase:
        return False
    least = reading.fit.score - SCORE_MARGIN
    near = (item.place.speaker for item in sources if item.reading.fit.score >= least)
    speakers = [speaker for speaker in near if speaker]
    return any(not is_same_person(speakers[0], speaker) for speaker in speakers[1:])
