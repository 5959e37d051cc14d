"""Find the words of a quotation that differ from the spoken ones, and judge whether the meaning changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np
from rapidfuzz.distance import Levenshtein

from quotations.cut_vocabulary import THIRD_PERSONS
from quotations.fitting import Fit
from quotations.harmless import (
    MEANING_WORDS,
    OmittedWords,
    is_comparing,
    is_day_of_speech,
    is_harmless,
    is_joined_modal,
    read_gap,
)
from quotations.meaning import (
    ARTICLES,
    FILLERS,
    FUNCTION,
    MODAL_PHRASES,
    MODAL_WORDS,
    MONTH_NAMES,
    MONTHS,
    NEGATIONS,
    MeaningClass,
    compare_meaning,
    expand_phrases,
    is_opposite,
    normalise_word,
    select_content_words,
)
from quotations.names import HONORIFICS, SPELLING_SIMILARITY, TITLES, is_same_name
from quotations.printed_quote import Quoted
from quotations.spoken import Spoken, is_sentence_start
from quotations.words import split_words as words_of

BRACKETED = re.compile(r"\[[^\[\]]+\]|\([^()]+\)")
DECLARED = frozenset(
    (
        MeaningClass.NAME,
        MeaningClass.NUMBER,
        MeaningClass.DATE,
        MeaningClass.OPPOSITE,
        MeaningClass.QUANTIFIER,
        MeaningClass.MODAL,
    )
)
"""Classes that a bracket may replace, because it does so openly. A dropped negation is not among them."""

NO_NAMES = FUNCTION | FILLERS | MEANING_WORDS | TITLES
UNNAMED = THIRD_PERSONS | ARTICLES | FILLERS | HONORIFICS
"""Words that a writer may replace by the name that they refer to."""

CONTEXT_WORDS = 4
INFINITIVE = frozenset(("to", "be"))
SAYING_NOTHING = FUNCTION | FILLERS | frozenset(("or",))
BETWEEN_WORDS = 2  # most words between two differences that are compared as one
TOGETHER = frozenset((MeaningClass.MODAL, MeaningClass.QUANTIFIER))
LONGEST_REPEAT = 6
WRITTEN_D = re.compile(r"['’]d$", re.IGNORECASE)
NEAR_WORDS = 3  # a word may move this far without a change of meaning


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

    One of the two may be empty. `meaning` has the classes of meaning words that differ, or for a `CUT` those
    that are omitted. `excuse` is the reason why another difference does not matter, if there is one. In the
    quotation, the difference covers `size` words from index `at`; in the transcript, the half-open range
    `spoken_at`.
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


class _Group(NamedTuple):
    """Hold a range of differing words in quotation and transcript, between two words that are equal."""

    first: int
    stop: int
    spoken_first: int
    spoken_stop: int
    cut: bool


def find_differences(parts: Sequence[str], quoted: Quoted, fit: Fit, spoken: Spoken) -> list[Difference]:
    """Return the differences between quotation and transcript in order; empty if all words are equal.

    `parts` are the texts from which `quoted` was parsed.
    """
    reader = _Reader(parts, quoted, spoken, fit)
    judged = [reader.judge_group(group) for group in _find_groups(quoted, fit)]
    differences = [item for item in judged if item is not None]
    return _join_moved(compare_neighbours(differences, quoted, spoken), quoted.keys)


def _find_groups(quoted: Quoted, fit: Fit) -> Iterator[_Group]:
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
    """Judge the groups of differing words one by one."""

    def __init__(self, parts: Sequence[str], quoted: Quoted, spoken: Spoken, fit: Fit) -> None:
        self._parts, self._quoted, self._spoken = parts, quoted, spoken
        equal = fit.spoken[fit.equal]
        self._first, self._stop = (int(equal.min()), int(equal.max()) + 1) if len(equal) else (0, 0)

    def judge_group(self, group: _Group) -> Difference | None:
        text, said = self._quote_printed(group), self._spoken.get_text(group.spoken_first, group.spoken_stop)
        own = [at for at in range(group.first, group.stop) if not self._quoted.inserted[at]]
        keys = [self._quoted.keys[at] for at in own]
        spoken = list(self._spoken.keys[group.spoken_first : group.spoken_stop])
        if group.cut and not keys:
            left_out = tuple(sorted(compare_meaning([], spoken)))
            return _make_difference(group, DifferenceKind.CUT, text, said, left_out)
        kind = _choose_kind(group)
        inserted = [
            self._quoted.keys[at] for at in range(group.first, group.stop) if self._quoted.inserted[at]
        ]
        if inserted and not keys:
            if (kept := self._find_kept_bracket(group)) is not None:
                meaning = compare_meaning(inserted, kept)
                return (
                    _make_difference(group, kind, text, " ".join(kept), tuple(sorted(meaning)))
                    if meaning
                    else None
                )
            at_edge = group.first == 0 or group.stop == len(self._quoted.keys)
            if (at_edge or not spoken) and not compare_meaning(inserted, []) - DECLARED:
                return None  # what an editor inserted and marked; at an edge it replaces nothing
            return _make_difference(
                group, kind, text, said, self._compare_bracket(inserted, spoken), Excuse.BRACKET
            )
        if keys and self._is_same_wording(group, keys, spoken):
            return None
        meaning = self._compare_group(group, keys, spoken)
        if group.cut:
            meaning = meaning - compare_meaning([], spoken)
        if meaning and self._is_harmless(group, keys, spoken, meaning):
            return _make_difference(group, kind, text, said, (), Excuse.REPETITION)
        repeats = not keys and self._is_repetition(group)
        excuse = None if meaning else _find_excuse(keys, spoken, repeats)
        return _make_difference(group, kind, text, said, tuple(sorted(meaning)), excuse)

    def _is_same_wording(self, group: _Group, keys: list[str], spoken: list[str]) -> bool:
        """Return whether both sides are spellings of the same words.

        "cyber security" equals "cybersecurity", "US" equals "United States", and "he'd" may be "he had". At
        an edge of the quotation, further words of the transcript are ignored.
        """
        if join_words(keys) == join_words(spoken) or is_same_figure(keys, spoken):
            return True
        if len(keys) > 1 and self._is_edge_of_same(group, join_words(keys), spoken):
            return True
        written = self._quote_printed(group) if keys == ["would"] else ""
        if spoken == ["would"]:
            written = self._spoken.read_word(group.spoken_first)
        return {*keys, *spoken} == {"would", "had"} and WRITTEN_D.search(written) is not None

    def _is_edge_of_same(self, group: _Group, joined: str, spoken: list[str]) -> bool:
        """Return whether adjacent spoken words complete the last word of a quotation: "over all" for
        "overall".
        """
        if group.stop == len(self._quoted.keys):
            return any(join_words(spoken[:size]) == joined for size in range(1, len(spoken)))
        return group.first == 0 and any(join_words(spoken[at:]) == joined for at in range(1, len(spoken)))

    def _is_harmless(
        self, group: _Group, keys: list[str], spoken: list[str], meaning: set[MeaningClass]
    ) -> bool:
        """Return whether meaning words are omitted or added without changing the meaning."""
        own = self._quoted.keys
        if not keys or is_joining_only(keys):
            classes = frozenset(meaning)
            return any(
                is_harmless(OmittedWords(self._spoken, first, stop, own, classes))
                for first, stop in self._list_readings(group)
            )
        if spoken:
            return False
        if meaning == {MeaningClass.DATE}:
            return is_day_of_speech(keys)
        return meaning == {MeaningClass.MODAL} and is_joined_modal(keys, own[: group.first], own)

    def _list_readings(self, group: _Group) -> list[tuple[int, int]]:
        """List the runs of spoken words whose omission gives the printed words; the run of `group` is the
        first.

        "I [can't do it. I just] can't do it" and "I can't do it. [I just can't do it]" leave the same words.
        """
        keys, first, stop = self._spoken.keys, group.spoken_first, group.spoken_stop
        if stop <= first:
            return []
        runs = [(first, stop)]
        while stop < self._stop and keys[first] == keys[stop] and len(runs) <= LONGEST_REPEAT:
            first, stop = first + 1, stop + 1
            runs.append((first, stop))
        first, stop = group.spoken_first, group.spoken_stop
        while first > self._first and keys[first - 1] == keys[stop - 1] and len(runs) <= LONGEST_REPEAT:
            first, stop = first - 1, stop - 1
            runs.append((first, stop))
        return runs

    def _quote_printed(self, group: _Group) -> str:
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

    def _compare_group(self, group: _Group, keys: list[str], spoken: list[str]) -> set[MeaningClass]:
        first, stop = group.spoken_first, group.spoken_stop
        before = self._spoken.keys[max(self._first, first - CONTEXT_WORDS) : first]
        after = self._spoken.keys[stop : min(self._stop, stop + CONTEXT_WORDS)]
        mine = [*map(normalise_word, (*before, *keys, *after))]
        ends = [","] if self._is_phrase_parted(spoken, stop) else []
        theirs = [*map(normalise_word, (*before, *spoken, *ends, *after))]
        meaning = compare_meaning(collapse_repeats(mine), collapse_repeats(theirs))
        meaning &= compare_meaning(mine, theirs)  # "no, folks, no" for "no, no"
        if group.first == 0 or group.stop == len(self._quoted.keys):
            meaning &= compare_meaning(keys, [])  # words beyond an edge do not replace anything
        meaning -= self._find_no_class(group, keys, spoken)
        if not keys and (self._is_lone_negation(group) or self._is_spliced(group)):
            meaning.add(MeaningClass.NEGATION)
        if self._has_other_name(group):
            meaning.add(MeaningClass.NAME)
        if group.first == 0 and self._is_aside(group) and is_comparing(keys, meaning):
            return set()  # "Like everybody, he ..." before the words
        return meaning

    def _is_aside(self, group: _Group) -> bool:
        """Return whether a comma follows the printed words of a group."""
        at = group.stop
        if at == len(self._quoted.keys) or int(self._quoted.part[at]) != int(self._quoted.part[at - 1]):
            return False
        part = self._parts[int(self._quoted.part[at])]
        return "," in part[int(self._quoted.ends[at - 1]) : int(self._quoted.starts[at])]

    def _is_phrase_parted(self, spoken: list[str], stop: int) -> bool:
        """Return whether a comma separates the words of an apparent modal: "as others have, to wait" has no
        "have to".
        """
        opens = bool(spoken) and any(phrase.startswith(f"{spoken[-1]} ") for phrase in MODAL_PHRASES)
        return opens and "," in read_gap(self._spoken, stop)

    def _find_no_class(self, group: _Group, keys: list[str], spoken: list[str]) -> set[MeaningClass]:
        """Return the classes in which the words differ only in appearance, judging by the words around them.

        To "think about" a thing is not an opinion. "Going do it" in a transcript means "going to do it".
        """
        before = self._spoken.keys[max(0, group.spoken_first - 2) : group.spoken_first]
        following = self._spoken.keys[group.spoken_stop : group.spoken_stop + 1]
        result = set()
        if keys and spoken and following and following[0] in ("about", "of"):
            result.add(MeaningClass.HEDGE)
        if "going" in before and {*keys, *spoken} <= INFINITIVE:
            result.add(MeaningClass.MODAL)
        return result

    def _is_lone_negation(self, group: _Group) -> bool:
        """Return whether the group drops a single negation that is not repeated next to it."""
        first, stop = group.spoken_first, group.spoken_stop
        word, around = self._spoken.keys[first:stop], self._spoken.keys[max(0, first - 1) : stop + 1]
        return len(word) == 1 and word[0] in NEGATIONS and around.count(word[0]) == 1

    def _is_spliced(self, group: _Group) -> bool:
        """Return whether a negation was taken from the next sentence: "This is [good. It is] not bad"."""
        keys, first, stop = self._spoken.keys, group.spoken_first, group.spoken_stop
        if (
            group.cut
            or NEGATIONS.isdisjoint(keys[stop : stop + 2])
            or not NEGATIONS.isdisjoint(keys[first:stop])
        ):
            return False
        crosses = any(self._spoken.is_sentence_start(at) for at in range(first + 1, stop))
        return crosses and not self._spoken.is_sentence_start(first)

    def _compare_bracket(self, inserted: Sequence[str], spoken: Sequence[str]) -> tuple[MeaningClass, ...]:
        """Return the classes that a bracket changes.

        A bracket may replace a name or a number, but not a negation.
        """
        if spoken and not inserted:
            return ()
        result = compare_meaning(
            [normalise_word(word) for word in inserted], [normalise_word(word) for word in spoken]
        )
        return tuple(sorted(result - DECLARED))

    def _find_kept_bracket(self, group: _Group) -> list[str] | None:
        """Return the words of a bracket that the transcript also has at this place; `None` if there are
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

    def _is_repetition(self, group: _Group) -> bool:
        """Return whether the dropped words only repeat their neighbours."""
        run = self._spoken.keys[group.spoken_first : group.spoken_stop]
        size = len(run)
        following = self._spoken.keys[group.spoken_stop : group.spoken_stop + size]
        preceding = self._spoken.keys[max(0, group.spoken_first - size) : group.spoken_first]
        return bool(run) and run in (following, preceding)

    def _has_other_name(self, group: _Group) -> bool:
        """Return whether a name replaces another name, or a word that is not a name.

        A name may replace a pronoun, because a writer says who "he" is.
        """
        mine = [self._read_printed(at) for at in range(group.first, group.stop) if self._is_printed_name(at)]
        theirs = [
            self._spoken.read_word(at)
            for at in range(group.spoken_first, group.spoken_stop)
            if self._is_spoken_name(at)
        ]
        mine_only = [name for name in mine if not any(is_same_name(name, other) for other in theirs)]
        theirs_only = [name for name in theirs if not any(is_same_name(name, other) for other in mine)]
        return bool(mine_only and (theirs_only or self._is_new_name(group)))

    def _is_new_name(self, group: _Group) -> bool:
        """Return whether the quotation has names in place of spoken words that are not pronouns."""
        if group.first == 0 or group.stop == len(self._quoted.keys):
            return False  # beyond an edge is nothing that a name could replace
        names = [
            self._read_printed(at)
            for at in range(group.first, group.stop)
            if self._is_printed_name(at) and not self._is_sentence_opening(at)
        ]
        spoken = range(group.spoken_first, group.spoken_stop)
        replaced = [self._spoken.read_word(at) for at in spoken if not self._is_unnamed(at)]
        return any(not any(is_same_name(name, other) for other in replaced) for name in names if replaced)

    def _is_unnamed(self, at: int) -> bool:
        """Return whether a name may replace spoken word `at`; not in "the Miss Universe pageant", which is
        itself a name.
        """
        key, before = self._spoken.keys[at], self._spoken.keys[at - 1] if at else ""
        return key in UNNAMED and not (key in HONORIFICS and before in ("a", "the"))

    def _is_sentence_opening(self, at: int) -> bool:
        start = int(self._quoted.starts[at])
        return start == 0 or is_sentence_start(self._parts[int(self._quoted.part[at])], start)

    def _read_printed(self, at: int) -> str:
        part = self._parts[int(self._quoted.part[at])]
        return part[int(self._quoted.starts[at]) : int(self._quoted.ends[at])]

    def _is_printed_name(self, at: int) -> bool:
        return not self._quoted.inserted[at] and self._is_name(
            self._read_printed(at), self._quoted.keys[at], self._is_sentence_opening(at)
        )

    def _is_spoken_name(self, at: int) -> bool:
        return self._is_name(
            self._spoken.read_word(at), self._spoken.keys[at], self._spoken.is_sentence_start(at)
        )

    def _is_name(self, written: str, key: str, opens: bool) -> bool:
        """Return whether a word is a name: capitalised without need, or never written in lower case."""
        if not written[:1].isupper() or key in NO_NAMES or len(key) < 2:
            return False
        return not opens or not self._has_lower_case(written)

    def _has_lower_case(self, written: str) -> bool:
        lower = written.lower()
        return any(lower in text for text in (*self._spoken.texts, *self._parts))


def is_joining_only(words: Sequence[str]) -> bool:
    """Return whether words are only conjunctions and the like.

    >>> is_joining_only(["or"]), is_joining_only(["not"]), is_joining_only(["jobs"])
    (True, False, False)
    """
    return all(word in SAYING_NOTHING and word not in MEANING_WORDS for word in words)


def is_same_figure(quoted: Sequence[str], spoken: Sequence[str]) -> bool:
    """Return whether two wordings mean the same number or the same day.

    >>> is_same_figure(["9"], ["9.00"]), is_same_figure(["9", "11"], ["september", "11th"])
    (True, True)
    >>> is_same_figure(["9"], ["9.50"]), is_same_figure(["9", "11"], ["october", "11th"])
    (False, False)
    """
    if len(quoted) == len(spoken) == 1:
        return read_figure(quoted[0]) is not None and read_figure(quoted[0]) == read_figure(spoken[0])
    return (
        len(quoted) == len(spoken) == 2
        and _read_day(quoted) is not None
        and (_read_day(quoted) == _read_day(spoken))
    )


def read_figure(word: str) -> float | None:
    """Return the value of a number in figures; `None` if the word is not one.

    >>> read_figure("2.50"), read_figure("2.5.1"), read_figure("nine")
    (2.5, None, None)
    """
    is_figure = word[:1].isdigit() and word.count(".") <= 1 and word.replace(".", "").isdecimal()
    return float(word) if is_figure else None


def _read_day(words: Sequence[str]) -> tuple[str, str] | None:
    """Parse month and day from "9/11" or "September 11th"; return `None` for other words."""
    month, day = words
    if month.isdecimal() and 1 <= int(month) <= len(MONTH_NAMES):
        month = MONTH_NAMES[int(month) - 1]
    day = _write_plainly(day)
    return (MONTHS[month], day) if month in MONTHS and day.isdecimal() else None


def compare_neighbours(differences: Sequence[Difference], quoted: Quoted, spoken: Spoken) -> list[Difference]:
    """Remove classes of meaning in which two neighbouring differences cancel each other out.

    "all my life" and "my whole life", "I will not go" and "I'm not going to go" have two differences each,
    but the same meaning.
    """
    result = list(differences)
    for number in range(1, len(result)):
        before, item = result[number - 1], result[number]
        if before.alters and item.alters and _is_near(before, item):
            same = _find_same_together(before, item, quoted, spoken)
            result[number - 1 : number + 1] = [_remove_classes(before, same), _remove_classes(item, same)]
    return result


def _is_near(before: Difference, item: Difference) -> bool:
    words = item.at - before.at - before.size
    spoken = item.spoken_at[0] - before.spoken_at[1]
    return 0 <= words <= BETWEEN_WORDS and words == spoken


def _find_same_together(
    before: Difference, item: Difference, quoted: Quoted, spoken: Spoken
) -> set[MeaningClass]:
    """Return the classes of meaning that each of two differences changes, but both together do not.

    If two words change places, the meaning does change: "some men and all women" is not "all men and some
    women". A list of numbers of the same thing may be reordered.
    """
    first, stop = before.at, item.at + item.size
    spoken_first, spoken_stop = before.spoken_at[0], item.spoken_at[1]
    context = spoken.keys[spoken_stop : spoken_stop + CONTEXT_WORDS]
    mine = [*map(normalise_word, (*quoted.keys[first:stop], *context))]
    theirs = [*map(normalise_word, (*spoken.keys[spoken_first:spoken_stop], *context))]
    same = {*before.meaning, *item.meaning} - compare_meaning(mine, theirs)
    swapped = before.kind is item.kind is DifferenceKind.CHANGED
    if MeaningClass.OPPOSITE in same and not swapped:
        return same & (TOGETHER | {MeaningClass.OPPOSITE, MeaningClass.NEGATION})
    between = quoted.keys[before.at + before.size : item.at]
    if not swapped:
        is_day = len(between) == 1 and between[0] in MONTHS  # "27 October" for "October 27th"
        return same & (TOGETHER | {MeaningClass.NUMBER} if is_day else TOGETHER)
    of_one_thing = tuple(between) == tuple(quoted.keys[stop : stop + len(between)]) and bool(between)
    return same & {MeaningClass.NUMBER} if of_one_thing else set()


def _remove_classes(difference: Difference, classes: set[MeaningClass]) -> Difference:
    """Return the difference without some classes of meaning."""
    meaning = tuple(kind for kind in difference.meaning if kind not in classes)
    excuse = difference.excuse if meaning else Excuse.FUNCTION
    return replace(difference, meaning=meaning, excuse=excuse)


def _make_difference(
    group: _Group,
    kind: DifferenceKind,
    quoted: str,
    spoken: str,
    meaning: tuple[MeaningClass, ...],
    excuse: Excuse | None = None,
) -> Difference:
    where = (group.spoken_first, group.spoken_stop)
    return Difference(kind, quoted, spoken, meaning, excuse, group.first, where, group.stop - group.first)


def _choose_kind(group: _Group) -> DifferenceKind:
    if group.first == group.stop:
        return DifferenceKind.DROPPED
    return DifferenceKind.CHANGED if group.spoken_first < group.spoken_stop else DifferenceKind.ADDED


def _find_excuse(quoted: Sequence[str], spoken: Sequence[str], repeats: bool) -> Excuse | None:
    if repeats:
        return Excuse.REPETITION
    mine, theirs = [normalise_word(word) for word in quoted], [normalise_word(word) for word in spoken]
    if "".join(mine) == "".join(theirs) or (
        len(mine) == len(theirs) and all(map(_is_spelled_alike, mine, theirs))
    ):
        return Excuse.SPELLING
    mine, theirs = [*map(_write_plainly, mine)], [*map(_write_plainly, theirs)]
    words = {*mine, *theirs} - ({*mine} & {*theirs})
    if not words:
        return Excuse.SPELLING  # "Jan. 20" for "January 20th"
    for excuse, kinds in ((Excuse.ARTICLE, ARTICLES), (Excuse.FILLER, FILLERS | ARTICLES)):
        if words <= kinds:
            return excuse
    return Excuse.FUNCTION if not set(select_content_words(words)) - MODAL_WORDS else None


def join_words(words: Sequence[str]) -> str:
    """Join words into one string for comparison, with abbreviations written out and "is" contracted.

    >>> join_words(["frontrunner"]) == join_words(["front", "runner"]), join_words(["one", "is"])
    (True, 'ones')
    """
    written = expand_phrases(words)
    return "".join("s" if at and word in ("is", "has") else word for at, word in enumerate(written))


def _write_plainly(word: str) -> str:
    """Return a month's name in full, and a number without its ordinal ending."""
    return word.removesuffix("th") if word[:1].isdigit() else MONTHS.get(word, word)


def _is_spelled_alike(word: str, other: str) -> bool:
    similarity = Levenshtein.normalized_similarity(word, other)
    return not is_opposite(word, other) and similarity >= SPELLING_SIMILARITY


def collapse_repeats(words: Sequence[str]) -> list[str]:
    """Remove immediate repetitions of words.

    >>> " ".join(collapse_repeats("i did not i did not go to to school".split()))
    'i did not go to school'
    """
    result: list[str] = []
    for word in words:
        result.append(word)
        for size in range(min(LONGEST_REPEAT, len(result) // 2), 0, -1):
            if result[-size:] == result[-2 * size : -size]:
                del result[-size:]
                break
    return result


def _join_moved(differences: list[Difference], keys: Sequence[str]) -> list[Difference]:
    """Merge a dropped and an added difference with the same words into one moved difference."""
    joined: list[Difference] = []
    taken: set[int] = set()
    for number, item in enumerate(differences):
        if number in taken:
            continue
        other = next(
            (
                later
                for later in range(number + 1, len(differences))
                if later not in taken and _is_move(item, differences[later])
            ),
            None,
        )
        if other is None:
            joined.append(item)
            continue
        taken.add(other)
        joined.append(_join_move(item, differences[other], keys))
    return joined


def _is_move(first: Difference, second: Difference) -> bool:
    kinds = {first.kind, second.kind}
    if kinds != {DifferenceKind.DROPPED, DifferenceKind.ADDED}:
        return False
    added, dropped = (first, second) if first.kind is DifferenceKind.ADDED else (second, first)
    return sorted(added.quoted.casefold().split()) == sorted(dropped.spoken.casefold().split())


def _join_move(first: Difference, second: Difference, keys: Sequence[str]) -> Difference:
    """Return one moved difference. If a negation moves past a content word, the meaning changes."""
    added, dropped = (first, second) if first.kind is DifferenceKind.ADDED else (second, first)
    near = second.at - first.at <= NEAR_WORDS + 1
    if MeaningClass.NEGATION in first.meaning:
        near = near and not select_content_words(keys[first.at + first.size : second.at])
    meaning = () if near else tuple(sorted({*first.meaning, *second.meaning}))
    return replace(
        added,
        kind=DifferenceKind.MOVED,
        spoken=dropped.spoken,
        meaning=meaning,
        excuse=None,
        spoken_at=dropped.spoken_at,
    )
