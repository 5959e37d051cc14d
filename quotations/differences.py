"""Which words of a quotation differ from those that were spoken, and whether they change what was said."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from quotations.fitting import Fit
from quotations.meaning import (
    ARTICLES,
    FILLERS,
    FUNCTION,
    PRONOUNS,
    MeaningClass,
    are_opposite,
    canonical,
    compare_meaning,
    content_words,
)
from quotations.printed_quote import Quoted
from quotations.spoken import Spoken, opens_sentence
from quotations.words import words as words_of

BRACKETED = re.compile(r"\[[^\[\]]+\]|\([^()]+\)")
CONTEXT_WORDS = 4
LONGEST_REPEAT = 6
SPELLING_SIMILARITY, SPELLING_LETTERS = 0.8, 6  # from which two names are spellings of one
SOUND_SIMILARITY = 0.6  # the same for names that sound alike
NEAR_WORDS = 3  # over which a word may move without a change of meaning


class DifferenceKind(StrEnum):
    """How a quotation differs; `CUT` is what an ellipsis or an interruption leaves out."""

    DROPPED = "dropped"
    ADDED = "added"
    CHANGED = "changed"
    MOVED = "moved"
    CUT = "cut"


class Excuse(StrEnum):
    """Why a difference changes nothing of the meaning."""

    FILLER = "filler"
    ARTICLE = "article"
    REPETITION = "repetition"
    BRACKET = "bracket"
    SPELLING = "spelling"
    FUNCTION = "function words"


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of the quotation (`quoted`) in place of words that were spoken (`spoken`); one may be empty.

    `meaning` lists the classes of meaning words in which they differ; of a cut, those that it leaves out.
    `excuse` says why others do not matter, where a rule knows. `at` is the number of the first of `size`
    words of the quotation that are concerned, `spoken_at` are those of the spoken words, half-open.
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
        """Whether it changes what was said."""
        return bool(self.meaning) and self.kind is not DifferenceKind.CUT


class _Group(NamedTuple):
    """Words `first` to `stop` of the quotation and of what was spoken, between two words that are equal."""

    first: int
    stop: int
    spoken_first: int
    spoken_stop: int
    cut: bool


def find_differences(parts: Sequence[str], quoted: Quoted, fit: Fit, spoken: Spoken) -> list[Difference]:
    """Return the differences in the order of the quotation; none where all words are equal and in order.

    `parts` are the pieces of text that `quoted` was made of.
    """
    reader = _Reader(parts, quoted, spoken)
    differences = [reader.difference(group) for group in _groups(quoted, fit, len(spoken.keys))]
    return _join_moved([each for each in differences if each is not None])


def _groups(quoted: Quoted, fit: Fit, spoken_words: int) -> Iterator[_Group]:
    anchors = [int(at) for at in np.flatnonzero(fit.equal)]
    n = len(quoted.keys)
    for before, after in zip([-1, *anchors], [*anchors, n], strict=True):
        first, stop = before + 1, after
        paired = [int(at) for at in fit.spoken[first:stop] if at >= 0]
        spoken_first = int(fit.spoken[before]) + 1 if before >= 0 else min(paired, default=-1)
        spoken_stop = int(fit.spoken[after]) if after < n else max(paired, default=-2) + 1
        if before < 0 and not paired:
            spoken_first = spoken_stop
        if after == n and not paired:
            spoken_stop = spoken_first
        cut = bool(quoted.cut_after[max(before, 0) : after].any()) and after < n and before >= 0
        if first < stop or spoken_first < spoken_stop:
            yield _Group(first, stop, spoken_first, max(spoken_first, spoken_stop), cut)


class _Reader:
    """Judges one group of words after the other."""

    def __init__(self, parts: Sequence[str], quoted: Quoted, spoken: Spoken) -> None:
        self._parts, self._quoted, self._spoken = parts, quoted, spoken

    def difference(self, group: _Group) -> Difference | None:
        text, said = self._printed(group), self._spoken.between(group.spoken_first, group.spoken_stop)
        own = [at for at in range(group.first, group.stop) if not self._quoted.inserted[at]]
        keys = [self._quoted.keys[at] for at in own]
        spoken = list(self._spoken.keys[group.spoken_first : group.spoken_stop])
        if group.cut and not keys:
            left_out = tuple(sorted(compare_meaning([], spoken)))
            return _difference(group, DifferenceKind.CUT, text, said, left_out)
        kind = _kind(group)
        inserted = [
            self._quoted.keys[at] for at in range(group.first, group.stop) if self._quoted.inserted[at]
        ]
        if inserted and not keys:
            if (kept := self._kept_bracket(group)) is not None:
                meaning = compare_meaning(inserted, kept)
                return (
                    _difference(group, kind, text, " ".join(kept), tuple(sorted(meaning)))
                    if meaning
                    else None
                )
            return _difference(group, kind, text, said, self._bracketed(inserted, spoken), Excuse.BRACKET)
        meaning = set() if "".join(keys) == "".join(spoken) else self._meaning(group, keys, spoken)
        if group.cut:
            meaning = meaning - compare_meaning([], spoken)
        excuse = None if meaning else _excuse(keys, spoken, self._collapses(group))
        return _difference(group, kind, text, said, tuple(sorted(meaning)), excuse)

    def _printed(self, group: _Group) -> str:
        if group.first >= group.stop:
            return ""
        first, last = group.first, group.stop - 1
        part, end_part = int(self._quoted.part[first]), int(self._quoted.part[last])
        start, end = int(self._quoted.starts[first]), int(self._quoted.ends[last])
        if part == end_part:
            return self._parts[part][start:end]
        return " ".join(
            (self._parts[part][start:], *self._parts[part + 1 : end_part], self._parts[end_part][:end])
        )

    def _meaning(self, group: _Group, keys: list[str], spoken: list[str]) -> set[MeaningClass]:
        before = self._spoken.keys[max(0, group.spoken_first - CONTEXT_WORDS) : group.spoken_first]
        after = self._spoken.keys[group.spoken_stop : group.spoken_stop + CONTEXT_WORDS]
        if group.first == 0:
            before = ()
        if group.stop == len(self._quoted.keys):
            after = ()
        mine = collapse_repeats([canonical(word) for word in (*before, *keys, *after)])
        theirs = collapse_repeats([canonical(word) for word in (*before, *spoken, *after)])
        meaning = compare_meaning(mine, theirs)
        if group.first == 0 or group.stop == len(self._quoted.keys):
            meaning &= compare_meaning(keys, [])  # what stands beyond an edge is not in place of anything
        if self._differ_in_name(group):
            meaning.add(MeaningClass.NAME)
        return meaning

    def _bracketed(self, inserted: Sequence[str], spoken: Sequence[str]) -> tuple[MeaningClass, ...]:
        """Return what a bracket changes: it declares a name or a number, not that something was denied."""
        declared = {MeaningClass.NAME, MeaningClass.NUMBER, MeaningClass.DATE, MeaningClass.OPPOSITE}
        if spoken and not inserted:
            return ()
        found = compare_meaning([canonical(word) for word in inserted], [canonical(word) for word in spoken])
        return tuple(sorted(found - declared - {MeaningClass.QUANTIFIER, MeaningClass.MODAL}))

    def _kept_bracket(self, group: _Group) -> list[str] | None:
        """Return the words of a bracket that the transcript itself has in this place; `None` where it has
        none.
        """
        words = self._spoken.words
        if not 0 < group.spoken_first <= group.spoken_stop < len(words):
            return None
        before, after = words[group.spoken_first - 1], words[group.spoken_stop]
        if before.text != after.text:
            return None
        match = BRACKETED.search(self._spoken.texts[before.text][before.end_char : after.start_char])
        return [word.key for word in words_of(match[0])] if match else None

    def _collapses(self, group: _Group) -> bool:
        """Tell whether what was dropped only repeats what stands next to it."""
        run = self._spoken.keys[group.spoken_first : group.spoken_stop]
        size = len(run)
        following = self._spoken.keys[group.spoken_stop : group.spoken_stop + size]
        preceding = self._spoken.keys[max(0, group.spoken_first - size) : group.spoken_first]
        return bool(run) and run in (following, preceding)

    def _differ_in_name(self, group: _Group) -> bool:
        """Tell whether both sides name something, and not the same."""
        mine = [self._written(at) for at in range(group.first, group.stop) if self._is_printed_name(at)]
        theirs = [
            self._spoken.surface(at)
            for at in range(group.spoken_first, group.spoken_stop)
            if self._is_spoken_name(at)
        ]
        mine_only = [name for name in mine if not any(_same_name(name, other) for other in theirs)]
        theirs_only = [name for name in theirs if not any(_same_name(name, other) for other in mine)]
        return bool(mine_only and theirs_only)

    def _written(self, at: int) -> str:
        part = self._parts[int(self._quoted.part[at])]
        return part[int(self._quoted.starts[at]) : int(self._quoted.ends[at])]

    def _is_printed_name(self, at: int) -> bool:
        part = self._parts[int(self._quoted.part[at])]
        start = int(self._quoted.starts[at])
        opens = start == 0 or opens_sentence(part, start)
        return not self._quoted.inserted[at] and self._names(self._written(at), self._quoted.keys[at], opens)

    def _is_spoken_name(self, at: int) -> bool:
        return self._names(self._spoken.surface(at), self._spoken.keys[at], self._spoken.opens_sentence(at))

    def _names(self, written: str, key: str, opens: bool) -> bool:
        """Tell whether a word is a name: a capital where none is due, or a word never written without one."""
        if not written[:1].isupper() or key in FUNCTION or key in FILLERS or len(key) < 2:
            return False
        return not opens or not self._in_lower_case(written)

    def _in_lower_case(self, written: str) -> bool:
        lower = written.lower()
        return any(lower in text for text in (*self._spoken.texts, *self._parts))


def _difference(
    group: _Group,
    kind: DifferenceKind,
    quoted: str,
    spoken: str,
    meaning: tuple[MeaningClass, ...],
    excuse: Excuse | None = None,
) -> Difference:
    where = (group.spoken_first, group.spoken_stop)
    return Difference(kind, quoted, spoken, meaning, excuse, group.first, where, group.stop - group.first)


def _kind(group: _Group) -> DifferenceKind:
    if group.first == group.stop:
        return DifferenceKind.DROPPED
    return DifferenceKind.CHANGED if group.spoken_first < group.spoken_stop else DifferenceKind.ADDED


def _excuse(quoted: Sequence[str], spoken: Sequence[str], repeats: bool) -> Excuse | None:
    if repeats:
        return Excuse.REPETITION
    mine, theirs = [canonical(word) for word in quoted], [canonical(word) for word in spoken]
    if "".join(mine) == "".join(theirs) or (
        len(mine) == len(theirs) and all(map(_spelled_alike, mine, theirs))
    ):
        return Excuse.SPELLING
    words = {*mine, *theirs} - ({*mine} & {*theirs})
    for excuse, kinds in ((Excuse.ARTICLE, ARTICLES), (Excuse.FILLER, FILLERS | ARTICLES)):
        if words <= kinds:
            return excuse
    return Excuse.FUNCTION if not content_words(words) else None


def _spelled_alike(word: str, other: str) -> bool:
    similarity = Levenshtein.normalized_similarity(word, other)
    return not are_opposite(word, other) and similarity >= SPELLING_SIMILARITY


def _same_name(name: str, other: str) -> bool:
    """Tell whether two words are spellings of one name.

    >>> _same_name("Vashem", "Vashim"), _same_name("Iran", "Iraq"), _same_name("Gov.", "Governor")
    (True, False, True)
    >>> _same_name("Katy", "Katie"), _same_name("John", "Jane")
    (True, False)
    """
    name, other = (
        canonical(word.casefold().rstrip(".").removesuffix("'s").removesuffix("’s")) for word in (name, other)
    )
    if name == other or name.startswith(other) or other.startswith(name):
        return True
    similarity = Levenshtein.normalized_similarity(name, other)
    if similarity >= SPELLING_SIMILARITY and min(len(name), len(other)) >= SPELLING_LETTERS:
        return True
    return similarity >= SOUND_SIMILARITY and _sound(name) == _sound(other) and name[0] == other[0]


def _sound(name: str) -> str:
    """Return the consonants of a name, spellings of one sound alike.

    >>> _sound("katie") == _sound("katy"), _sound("obama") == _sound("osama")
    (True, False)
    """
    for spelled, sound in (("ph", "f"), ("ck", "k"), ("c", "k"), ("q", "k"), ("z", "s")):
        name = name.replace(spelled, sound)
    return re.sub(r"[aeiouyhw]|(.)(?=\1)", "", name)


def collapse_repeats(words: Sequence[str]) -> list[str]:
    """Return words without what is said twice in a row.

    >>> " ".join(collapse_repeats("i did not i did not go to to school".split()))
    'i did not go to school'
    """
    found: list[str] = []
    for word in words:
        found.append(word)
        for size in range(min(LONGEST_REPEAT, len(found) // 2), 0, -1):
            if found[-size:] == found[-2 * size : -size]:
                del found[-size:]
                break
    return found


def _join_moved(differences: list[Difference]) -> list[Difference]:
    """Return the differences with words that were dropped in one place and added in another as one."""
    joined: list[Difference] = []
    taken: set[int] = set()
    for number, each in enumerate(differences):
        if number in taken:
            continue
        other = next(
            (
                later
                for later in range(number + 1, len(differences))
                if later not in taken and _moves(each, differences[later])
            ),
            None,
        )
        if other is None:
            joined.append(each)
            continue
        taken.add(other)
        joined.append(_moved(each, differences[other]))
    return joined


def _moves(first: Difference, second: Difference) -> bool:
    kinds = {first.kind, second.kind}
    if kinds != {DifferenceKind.DROPPED, DifferenceKind.ADDED}:
        return False
    added, dropped = (first, second) if first.kind is DifferenceKind.ADDED else (second, first)
    return sorted(added.quoted.casefold().split()) == sorted(dropped.spoken.casefold().split())


def _moved(first: Difference, second: Difference) -> Difference:
    added, dropped = (first, second) if first.kind is DifferenceKind.ADDED else (second, first)
    near = second.at - first.at <= NEAR_WORDS + 1
    meaning = () if near else tuple(sorted({*first.meaning, *second.meaning}))
    return replace(
        added,
        kind=DifferenceKind.MOVED,
        spoken=dropped.spoken,
        meaning=meaning,
        excuse=None,
        spoken_at=dropped.spoken_at,
    )


def has_pronoun(words: Sequence[str]) -> bool:
    """Tell whether one of the words is a pronoun."""
    return any(word in PRONOUNS for word in words)
