"""Compare neighbouring differences between a quotation and its source.

Two differences may cancel each other out, or may be the same words at another place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from quotations.matching.difference_kinds import Difference, DifferenceKind, Excuse
from quotations.matching.printed_quote import Quoted
from quotations.text.meaning import (
    MONTHS,
    MeaningClass,
    compare_meaning,
    normalise_word,
    select_content_words,
)
from quotations.text.spoken import Spoken

CONTEXT_WORDS = 4
BETWEEN_WORDS = 2  # most words between two differences that are compared as one
TOGETHER = frozenset((MeaningClass.MODAL, MeaningClass.QUANTIFIER))
NEAR_WORDS = 3  # a word may move this far without a change of meaning


def compare_neighbours(differences: Sequence[Difference], quoted: Quoted, spoken: Spoken) -> list[Difference]:
    """Return the differences without changes of meaning that two neighbouring differences cancel out.

    For example, a quotation has "all my life" for "my whole life". Each of the two differences, "all" and
    "whole", changes a quantifier. Both together do not change the meaning.
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
    """Return the classes of meaning that one of two differences changes, but both together do not.

    If "all my life" is quoted for "my whole life", this is the class of quantifiers. Two words that change
    places do change the meaning: "some men and all women" is not "all men and some women". Only numbers of
    the same thing may change places: "20 percent, 30 percent".
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
    """Return the difference without the classes of meaning in `classes`, such as negation."""
    meaning = tuple(kind for kind in difference.meaning if kind not in classes)
    excuse = difference.excuse if meaning else Excuse.FUNCTION
    return replace(difference, meaning=meaning, excuse=excuse)


def join_moved(differences: Sequence[Difference], keys: Sequence[str]) -> list[Difference]:
    """Merge two differences into one of the kind "moved" if the quotation only moves words.

    That is, it drops words at one place and adds the same words at another.
    """
    joined, rest = [], list(differences)
    while rest:
        item = rest.pop(0)
        other = next((later for later in rest if _is_move(item, later)), None)
        if other is not None:
            rest.remove(other)
            item = _join_move(item, other, keys)
        joined.append(item)
    return joined


def _is_move(first: Difference, second: Difference) -> bool:
    kinds = {first.kind, second.kind}
    if kinds != {DifferenceKind.DROPPED, DifferenceKind.ADDED}:
        return False
    added, dropped = (first, second) if first.kind is DifferenceKind.ADDED else (second, first)
    return sorted(added.quoted.casefold().split()) == sorted(dropped.spoken.casefold().split())


def _join_move(first: Difference, second: Difference, keys: Sequence[str]) -> Difference:
    """Merge two differences, words dropped at one place and added at another, into one: moved words.

    The meaning changes if the words move far, or if a negation moves past a content word.
    """
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
