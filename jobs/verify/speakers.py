"""List the speakers of the archive with the dates of their speeches, and compare names of persons."""

from __future__ import annotations

from bisect import bisect_left
from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from typing import Final

from quotations.names.person_names import NAME_WORD, split_name
from quotations.names.spellings import is_nickname
from quotations.text.meaning import make_word_set
from rostrum_core.names import fold_name, split_people
from rostrum_core.ports import ParagraphStore
from rostrum_core.types import DocumentInfo

ROLES = make_word_set("""
q question questioner reporter reporters moderator moderators audience voice voices
unidentified unknown participant member members crowd announcer interviewer narrator host speaker president
man woman female male staff press aide official interpreter translator clerk operator all several""")
UNKNOWN = frozenset(
    ("unknown", "anonymous", "none", "na", "multiple", "various", "several", "all", "unnamed")
)
"""Words that stand in place of a name if nobody is named."""

YEAR_DAYS: Final = 365
OCCASION_DAYS: Final = 45
"""Most days by which a speech may precede the named day: news quotes what was said in the preceding weeks."""

DAYS_AFTER: Final = 2
"""Most days by which a speech may follow an article on it, because of time zones and days of release."""


def is_nobody(name: str) -> bool:
    """Return whether a name says nothing about who spoke: " ", "N/A", "unknown" or only a title.

    >>> is_nobody("N/A"), is_nobody("The President"), is_nobody("Q")
    (True, True, False)
    """
    words = split_name(name)
    return not words or words == ("n", "a") or UNKNOWN.issuperset({*words} - {"speaker", "speakers"})


def is_role(name: str) -> bool:
    """Return whether a name is a role and not a person: "Q", "The President" or "Moderator"."""
    words = split_name(name)
    return not words or all(word in ROLES or len(word) == 1 for word in words)


@lru_cache(1 << 16)
def is_same_person(name: str, other: str) -> bool:
    """Return whether two names can mean the same person: last names are equal and first names compatible.

    >>> is_same_person("Kennedy", "John F. Kennedy"), is_same_person("J. Kennedy", "Robert Kennedy")
    (True, False)
    >>> is_same_person("Hillary Clinton", "Hillary Rodham Clinton"), is_same_person("JFK", "John F. Kennedy")
    (True, True)
    >>> is_same_person("Bill Clinton", "William J. Clinton"), is_same_person("Jill Biden", "Joe Biden")
    (True, False)
    """
    people, others = split_people(name), split_people(other)
    if len(people) > 1 or len(others) > 1:
        return any(is_same_person(person, another) for person in people for another in others)
    mine, theirs = split_name(name), split_name(other)
    if not mine or not theirs:
        return False
    is_turned = ("," in name or "," in other) and sorted(mine) == sorted(theirs)
    if mine == theirs or is_turned or _is_acronym(name, theirs) or _is_acronym(other, mine):
        return True
    if mine[-1] != theirs[-1]:
        return False
    return (
        len(mine) == 1
        or len(theirs) == 1
        or _is_fitting(mine[0], theirs[0])
        or mine[0] in theirs
        or theirs[0] in mine
    )


def may_be_same_person(name: str, other: str) -> bool:
    """Return whether one name has all words of the other, so that they may mean the same person.

    >>> may_be_same_person("Xi", "Xi Jinping"), may_be_same_person("Bob Lee", "Ann Roe, Bob Lee")
    (True, True)
    >>> may_be_same_person("Ann Lee", "Ann Roe")
    False
    """
    mine, theirs = split_name(name), split_name(other)
    ours, others = _list_all_words(name), _list_all_words(other)
    return bool(mine and theirs) and (others.issuperset(mine) or ours.issuperset(theirs))


def _list_all_words(name: str) -> frozenset[str]:
    return frozenset(NAME_WORD.findall(fold_name(name).replace(".", " ")))


def _is_fitting(first: str, other: str) -> bool:
    if len(first) == 1 or len(other) == 1:
        return first[0] == other[0]
    shorter = min(len(first), len(other))
    return (first[:3] == other[:3] and shorter >= 3) or is_nickname(first, other)


def _is_acronym(name: str, parts: tuple[str, ...]) -> bool:
    letters = name.replace(".", "").strip()
    return (
        len(letters) >= 2
        and letters.isupper()
        and len(parts) >= 2
        and letters.casefold() == "".join(p[0] for p in parts)
    )


@dataclass(slots=True)
class Roster:
    """Hold the speakers of an archive with the days of their speeches.

    `days` maps a speaker to a sorted list of days, as ordinals (see `datetime`). Each speech adds two: the
    first and the last day that its date can mean, which are equal if the date is a day. `of_anybody` has the
    days of all speeches, including those by unknown speakers. `is_exact` is false if any speech is dated only
    by a month or a year. `infos` has the metadata of all documents by id. `undated` has the speakers of
    documents without a date.
    """

    infos: dict[str, DocumentInfo] = field(default_factory=dict)
    days: dict[str, list[int]] = field(default_factory=dict)
    of_anybody: list[int] = field(default_factory=list)
    undated: set[str] = field(default_factory=set)
    is_exact: bool = True

    @classmethod
    def of(cls, infos: Iterable[DocumentInfo]) -> Roster:
        """Build the roster (speakers and days) from the metadata of an archive's documents."""
        roster = cls()
        for info in infos:
            roster.infos[info.id] = info
            speakers = {name for name in (info.speaker, *info.speakers) if name}
            if info.spoken_on is None:
                roster.undated |= speakers
                continue
            span = _get_day_span(info.spoken_on)
            roster.of_anybody.extend(span)
            roster.is_exact &= span[0] == span[1]
            for speaker in speakers:
                roster.days.setdefault(speaker, []).extend(span)
        for days in (roster.of_anybody, *roster.days.values()):
            days.sort()
        return roster

    def find_names(self, name: str) -> list[str]:
        """Return the names of the archive's speakers who may be the person called `name`."""
        return [
            speaker
            for speaker in self.list_names()
            if is_same_person(name, speaker) or may_be_same_person(name, speaker)
        ]

    def list_surnames(self) -> frozenset[str]:
        """Return the last words of the names of all speakers, in lower case: "kennedy"."""
        return frozenset(words[-1] for name in self.list_names() if (words := split_name(name)))

    def list_names(self) -> list[str]:
        """Return the names of all speakers, with and without dates, sorted."""
        return sorted({*self.days, *self.undated})

    def has_speeches(self, names: Iterable[str] | None, span: tuple[int, int] | None) -> bool:
        """Return whether the archive has speeches from around a certain time by any of the speakers `names`.

        If `names` is `None`, speeches by anybody count. `span` has the first and last day of the time as
        ordinals; `None` means any time. Speeches up to a year before or after this time count as well. For
        the speakers `names`, so do speeches without a date.
        """
        low, high = (span[0] - YEAR_DAYS, span[1] + YEAR_DAYS) if span else (0, 0)
        if names is None:
            return bool(self.infos) if span is None else _has_day_within(self.of_anybody, low, high)
        speakers = list(names)
        if span is None:
            return bool(speakers)
        return any(
            speaker in self.undated or _has_day_within(self.days.get(speaker, ()), low, high)
            for speaker in speakers
        )


def _has_day_within(days: list[int] | tuple[int, ...], low: int, high: int) -> bool:
    at = bisect_left(days, low)
    return at < len(days) and days[at] <= high


def parse_day_span(said_on: str | None) -> tuple[int, int] | None:
    """Return the first and the last day that a date can mean, as ordinals (see `datetime`).

    The date is a day, month or year, such as "2016-02".

    >>> [date.fromordinal(day).isoformat() for day in parse_day_span("2016-02")]
    ['2016-02-01', '2016-02-29']
    """
    return _get_day_span(said_on[:10]) if said_on else None


def _get_day_span(day: str) -> tuple[int, int]:
    parts = [int(part) for part in day.split("-")]
    if len(parts) == 3:
        ordinal = date(*parts).toordinal()
        return ordinal, ordinal
    if len(parts) == 2:
        year, month = parts
        first = date(year, month, 1)
        return first.toordinal(), first.replace(day=monthrange(first.year, first.month)[1]).toordinal()
    return date(parts[0], 1, 1).toordinal(), date(parts[0], 12, 31).toordinal()


def is_occasion(spoken_on: str | None, span: tuple[int, int] | None) -> bool:
    """Return whether a draft that names a date can mean a speech given on the day `spoken_on`.

    `span` has the first and the last day of the named date, as ordinals. The speech may be up to
    `OCCASION_DAYS` earlier or `DAYS_AFTER` later. If `spoken_on` is a month or a year, one of its days must
    fit. If `spoken_on` or `span` is `None`, return true.

    >>> [is_occasion(day, parse_day_span("2016-03-01")) for day in ("2016", "2016-04")]
    [True, False]
    """
    if spoken_on is None or span is None:
        return True
    first, last = _get_day_span(spoken_on)
    return first <= span[1] + DAYS_AFTER and span[0] - OCCASION_DAYS <= last


def find_occasion_bounds(
    span: tuple[int, int] | None, *, is_exact: bool = True
) -> tuple[str | None, str | None]:
    """Return the first and the last day on which a speech may have been given, from a date in a draft.

    `span` has the first and the last day of this date, as ordinals. The result is a longer period, as in
    `is_occasion`. If `is_exact` is false, the period is extended to whole years, for speeches that are dated
    only by a month or a year.

    >>> find_occasion_bounds(parse_day_span("2016-03-01"))
    ('2016-01-16', '2016-03-03')
    >>> find_occasion_bounds(parse_day_span("2016-03-01"), is_exact=False)
    ('2016-01-01', '2016-12-31')
    """
    if span is None:
        return None, None
    first = date.fromordinal(max(1, span[0] - OCCASION_DAYS))
    last = date.fromordinal(min(date.max.toordinal(), span[1] + DAYS_AFTER))
    if not is_exact:
        first, last = first.replace(month=1, day=1), last.replace(month=12, day=31)
    return first.isoformat(), last.isoformat()


class RosterCache:
    """Cache the roster (the speakers and their days) of the archive's published state; threads may share the
    cache.
    """

    def __init__(self) -> None:
        self._kept: tuple[str, Roster] | None = None

    def read(self, store: ParagraphStore) -> Roster:
        """Return the roster of the archive's published state; read it again only if another state was
        published.
        """
        published = store.published()
        name = published.name if published else ""
        kept = self._kept
        if kept is None or kept[0] != name:
            kept = self._kept = name, Roster.of(store.documents())
        return kept[1]
