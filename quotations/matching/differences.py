"""Find the words of a quotation that differ from the spoken ones, and judge whether the meaning changes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from quotations.matching.changed_names import NameReader
from quotations.matching.difference_kinds import Difference, DifferenceKind, Excuse
from quotations.matching.fitting import Fit
from quotations.matching.harmless import (
    MEANING_WORDS,
    OmittedWords,
    is_comparing,
    is_day_of_speech,
    is_harmless,
    is_joined_modal,
    read_gap,
)
from quotations.matching.neighbouring_differences import CONTEXT_WORDS, compare_neighbours, join_moved
from quotations.matching.printed_quote import Quoted
from quotations.matching.same_wording import (
    LONGEST_REPEAT,
    collapse_repeats,
    is_same_figure,
    is_spelled_alike,
    join_words,
    write_plainly,
)
from quotations.text.meaning import (
    ARTICLES,
    FILLERS,
    FUNCTION,
    MODAL_PHRASES,
    MODAL_WORDS,
    NEGATIONS,
    MeaningClass,
    compare_meaning,
    normalise_word,
    select_content_words,
)
from quotations.text.spoken import Spoken
from quotations.text.words import split_words as words_of

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

INFINITIVE = frozenset(("to", "be"))
SAYING_NOTHING = FUNCTION | FILLERS | frozenset(("or",))
WRITTEN_D = re.compile(r"['’]d$", re.IGNORECASE)


def find_differences(quoted: Quoted, fit: Fit, spoken: Spoken) -> list[Difference]:
    """Return the differences between quotation and transcript in order; empty if all words are equal."""
    judge = _GroupJudge(quoted, spoken, fit)
    judged = [judge.judge(group) for group in _find_groups(quoted, fit)]
    differences = [item for item in judged if item is not None]
    return join_moved(compare_neighbours(differences, quoted, spoken), quoted.keys)


@dataclass(frozen=True, slots=True)
class _Group:
    """Hold a run of words that differ between quotation and transcript; the words before and after are equal.

    `cut` is true if the quotation has an ellipsis among these words or next to them.
    """

    first: int
    stop: int
    spoken_first: int
    spoken_stop: int
    cut: bool

    @property
    def kind(self) -> DifferenceKind:
        """Return whether the quotation drops, adds or changes words, with or without an ellipsis."""
        if self.first == self.stop:
            return DifferenceKind.DROPPED
        return DifferenceKind.CHANGED if self.spoken_first < self.spoken_stop else DifferenceKind.ADDED


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


class _GroupJudge:
    """Judge whether each run of differing words changes the meaning of the quotation."""

    def __init__(self, quoted: Quoted, spoken: Spoken, fit: Fit) -> None:
        self._quoted, self._spoken, self._names = quoted, spoken, NameReader(quoted, spoken)
        equal = fit.spoken[fit.equal]
        self._first, self._stop = (int(equal.min()), int(equal.max()) + 1) if len(equal) else (0, 0)

    def judge(self, group: _Group) -> Difference | None:
        """Return the difference between the quotation and the transcript in one run of words.

        It names the changes of meaning. If there are none, it may have an excuse, such as "only fillers".
        Return `None` if the words are only written differently: "US" for "United States".
        """
        printed = range(group.first, group.stop)
        keys = [self._quoted.keys[at] for at in printed if not self._quoted.inserted[at]]
        inserted = [self._quoted.keys[at] for at in printed if self._quoted.inserted[at]]
        spoken = list(self._spoken.keys[group.spoken_first : group.spoken_stop])
        if group.cut and not keys:
            left_out = self._describe(group, compare_meaning([], spoken))
            return replace(left_out, kind=DifferenceKind.CUT)
        if inserted and not keys:
            return self._judge_bracket(group, inserted, spoken)
        if keys and self._is_same_wording(group, keys, spoken):
            return None
        meaning = self._compare_group(group, keys, spoken)
        if group.cut:
            meaning = meaning - compare_meaning([], spoken)
        if meaning and self._is_harmless(group, keys, spoken, meaning):
            return self._describe(group, (), Excuse.REPETITION)
        if meaning:
            return self._describe(group, meaning)
        repeats = not keys and self._is_repetition(group)
        return self._describe(group, (), Excuse.REPETITION if repeats else _find_excuse(keys, spoken))

    def _describe(
        self, group: _Group, meaning: Iterable[MeaningClass], excuse: Excuse | None = None
    ) -> Difference:
        return Difference(
            group.kind,
            self._quoted.get_text(group.first, group.stop),
            self._spoken.get_text(group.spoken_first, group.spoken_stop),
            tuple(sorted(meaning)),
            excuse,
            group.first,
            (group.spoken_first, group.spoken_stop),
            group.stop - group.first,
        )

    def _is_at_edge(self, group: _Group) -> bool:
        """Return whether the quotation begins or ends with this run of differing words."""
        return group.first == 0 or group.stop == len(self._quoted.keys)

    def _judge_bracket(self, group: _Group, inserted: list[str], spoken: list[str]) -> Difference | None:
        """Return the difference that words in brackets make; `None` if they change nothing.

        An editor inserted these words. They may replace a name or a number, but not a negation. At the start
        or end of the quotation, they count as added words that replace nothing.
        """
        if (kept := self._find_kept_bracket(group)) is not None:
            meaning = compare_meaning(inserted, kept)
            return replace(self._describe(group, meaning), spoken=" ".join(kept)) if meaning else None
        replaces = bool(spoken) and not self._is_at_edge(group)
        if not replaces and not compare_meaning(inserted, []) - DECLARED:
            return None
        meaning = compare_meaning([*map(normalise_word, inserted)], [*map(normalise_word, spoken)])
        return self._describe(group, meaning - DECLARED, Excuse.BRACKET)

    def _find_kept_bracket(self, group: _Group) -> list[str] | None:
        """Return the words that the transcript itself has in brackets where the quotation has a bracket.

        The result is `None` if the transcript has no bracket there.
        """
        words = self._spoken.words
        if not 0 < group.spoken_first <= group.spoken_stop < len(words):
            return None
        before, after = words[group.spoken_first - 1], words[group.spoken_stop]
        if before.text != after.text:
            return None
        match = BRACKETED.search(self._spoken.texts[before.text][before.end_char : after.start_char])
        return [word.key for word in words_of(match[0])] if match else None

    def _is_same_wording(self, group: _Group, keys: list[str], spoken: list[str]) -> bool:
        """Return whether the words of the quotation and of the transcript are two spellings of the same
        words.

        "cyber security" equals "cybersecurity", "US" equals "United States", and "he'd" may be "he had". At
        the start of the quotation, further words of the transcript before the equal words are ignored. At
        its end, further words after them are ignored.
        """
        if join_words(keys) == join_words(spoken) or is_same_figure(keys, spoken):
            return True
        if len(keys) > 1 and self._is_edge_of_same(group, join_words(keys), spoken):
            return True
        written = self._quoted.get_text(group.first, group.stop) if keys == ["would"] else ""
        if spoken == ["would"]:
            written = self._spoken.read_word(group.spoken_first)
        return {*keys, *spoken} == {"would", "had"} and WRITTEN_D.search(written) is not None

    def _is_edge_of_same(self, group: _Group, joined: str, spoken: list[str]) -> bool:
        """Return whether words at the start or end of the quotation are spoken words in another spelling.

        Example: "over all" and "overall". Spoken words before this start or after this end are ignored.
        """
        if group.stop == len(self._quoted.keys):
            return any(join_words(spoken[:size]) == joined for size in range(1, len(spoken)))
        return group.first == 0 and any(join_words(spoken[at:]) == joined for at in range(1, len(spoken)))

    def _is_harmless(
        self, group: _Group, keys: list[str], spoken: list[str], meaning: set[MeaningClass]
    ) -> bool:
        """Return whether a difference in a word such as "not", or in a date, leaves the meaning unchanged.

        Example: the quotation leaves out a "not" that the speaker only repeats.
        """
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
        """List the runs of spoken words whose omission gives the quotation; the run of `group` comes first.

        Several runs are possible if words are repeated: "I [can't do it. I just] can't do it" and "I can't do
        it. [I just can't do it]" both leave "I can't do it" if the words in brackets are omitted.
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

    def _compare_group(self, group: _Group, keys: list[str], spoken: list[str]) -> set[MeaningClass]:
        first, stop = group.spoken_first, group.spoken_stop
        before = self._spoken.keys[max(self._first, first - CONTEXT_WORDS) : first]
        after = self._spoken.keys[stop : min(self._stop, stop + CONTEXT_WORDS)]
        mine = [*map(normalise_word, (*before, *keys, *after))]
        ends = [","] if self._is_phrase_parted(spoken, stop) else []
        theirs = [*map(normalise_word, (*before, *spoken, *ends, *after))]
        meaning = compare_meaning(collapse_repeats(mine), collapse_repeats(theirs))
        meaning &= compare_meaning(mine, theirs)  # "no, folks, no" for "no, no"
        if self._is_at_edge(group):
            meaning &= compare_meaning(keys, [])  # words beyond an edge do not replace anything
        meaning -= self._find_no_class(group, keys, spoken)
        if not keys and (self._is_lone_negation(group) or self._is_spliced(group)):
            meaning.add(MeaningClass.NEGATION)
        if self._names.has_other_name(range(group.first, group.stop), range(first, stop)):
            meaning.add(MeaningClass.NAME)
        if group.first == 0 and self._quoted.has_comma_before(group.stop) and is_comparing(keys, meaning):
            return set()  # "Like everybody, he ..." before the words
        return meaning

    def _is_phrase_parted(self, spoken: list[str], stop: int) -> bool:
        """Return whether a comma separates words that would otherwise be a modal phrase such as "have to".

        Example: "as others have, to wait".
        """
        opens = bool(spoken) and any(phrase.startswith(f"{spoken[-1]} ") for phrase in MODAL_PHRASES)
        return opens and "," in read_gap(self._spoken, stop)

    def _find_no_class(self, group: _Group, keys: list[str], spoken: list[str]) -> set[MeaningClass]:
        """Return the classes of meaning to ignore in a difference, because of the words around it.

        The class "hedge" is ignored before "about", because "think about" is no hedge. The class "modal" is
        ignored for a missing "to" after "going", because "going do it" means "going to do it".
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
        """Return whether the words of the transcript in a group are a single negation, such as "not".

        A negation that the speaker says twice in a row ("no, no") does not count.
        """
        first, stop = group.spoken_first, group.spoken_stop
        word, around = self._spoken.keys[first:stop], self._spoken.keys[max(0, first - 1) : stop + 1]
        return len(word) == 1 and word[0] in NEGATIONS and around.count(word[0]) == 1

    def _is_spliced(self, group: _Group) -> bool:
        """Return whether the quotation takes a negation from the next sentence.

        Example: "This is not bad" quotes "This is good. It is not bad".
        """
        keys, first, stop = self._spoken.keys, group.spoken_first, group.spoken_stop
        if (
            group.cut
            or NEGATIONS.isdisjoint(keys[stop : stop + 2])
            or not NEGATIONS.isdisjoint(keys[first:stop])
        ):
            return False
        crosses = any(self._spoken.is_sentence_start(at) for at in range(first + 1, stop))
        return crosses and not self._spoken.is_sentence_start(first)

    def _is_repetition(self, group: _Group) -> bool:
        """Return whether the dropped words only repeat the words before or after them: "we must [we must]
        act".
        """
        run = self._spoken.keys[group.spoken_first : group.spoken_stop]
        size = len(run)
        following = self._spoken.keys[group.spoken_stop : group.spoken_stop + size]
        preceding = self._spoken.keys[max(0, group.spoken_first - size) : group.spoken_first]
        return bool(run) and run in (following, preceding)


def is_joining_only(words: Sequence[str]) -> bool:
    """Return whether all words are conjunctions or other function words without influence on the meaning.

    >>> is_joining_only(["or"]), is_joining_only(["not"]), is_joining_only(["jobs"])
    (True, False, False)
    """
    return all(word in SAYING_NOTHING and word not in MEANING_WORDS for word in words)


def _find_excuse(quoted: Sequence[str], spoken: Sequence[str]) -> Excuse | None:
    mine, theirs = [normalise_word(word) for word in quoted], [normalise_word(word) for word in spoken]
    if "".join(mine) == "".join(theirs) or (
        len(mine) == len(theirs) and all(map(is_spelled_alike, mine, theirs))
    ):
        return Excuse.SPELLING
    mine, theirs = [*map(write_plainly, mine)], [*map(write_plainly, theirs)]
    words = {*mine, *theirs} - ({*mine} & {*theirs})
    if not words:
        return Excuse.SPELLING  # "Jan. 20" for "January 20th"
    for excuse, kinds in ((Excuse.ARTICLE, ARTICLES), (Excuse.FILLER, FILLERS | ARTICLES)):
        if words <= kinds:
            return excuse
    return Excuse.FUNCTION if not set(select_content_words(words)) - MODAL_WORDS else None
