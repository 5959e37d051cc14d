"""Apply the rules that turn the comparison of a quotation with a place of the archive into a verdict.

`RULES` is the version of these rules, and changes whenever a rule does. Records of verifications name it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from jobs.verify.pieces import FAR_WORDS, QuotedPiece, is_gap_between_places
from jobs.verify.readings import Printed, Reading
from quotations.matching.difference_kinds import Difference, DifferenceKind
from quotations.text.meaning import make_word_set
from quotations.text.words import split_keys
from rostrum_core.quote_checks import QuoteDifference, QuoteWarning, Verdict

RULES: Final = "2026.11.11"
STRUCK: Final = re.compile(r"<s>([^<>]{1,80})</s>\s*\\?\[$")
SHORTEST_WORDS: Final = 4
TITLE_WORDS: Final = 9
SMALL_IN_TITLES = make_word_set("a an the and or of in on at to for with from by as is not vs")

QUALITY = {Verdict.VERBATIM: 3, Verdict.EDITED: 2, Verdict.ALTERED: 1, Verdict.MERGED: 1}


@dataclass(frozen=True, slots=True)
class Wording:
    """Hold the verdict on the words of a quotation, which ignores its speaker and the omitted context."""

    verdict: Verdict
    differences: tuple[QuoteDifference, ...]
    warnings: tuple[QuoteWarning, ...]


def judge_wording(reading: Reading) -> Wording:
    """Judge how the words of a quotation differ from the words of the archive with which `reading` aligns
    them.
    """
    gaps = [item for item in reading.differences if is_gap_between_places(reading, item)]
    others = [item for item in reading.differences if item not in gaps]
    struck = [item for item in others if item.alters and is_struck_word(reading, item)]
    altering = [item for item in others if item.alters and item not in struck]
    if altering:
        verdict = Verdict.ALTERED
    elif gaps:
        verdict = Verdict.MERGED
    elif all(item.kind is DifferenceKind.CUT for item in others):
        verdict = Verdict.VERBATIM
    else:
        verdict = Verdict.EDITED
    warnings = [*map(_explain_altering, altering), *map(_explain_struck, struck)]
    warnings += [*map(_explain_gap, gaps), *_explain_content(others)]
    return Wording(verdict, show_differences(reading.differences), tuple(warnings))


def is_struck_word(reading: Reading, difference: Difference) -> bool:
    """Return whether a quotation has a word that the speaker said by mistake and the transcript corrects.

    In "<s>Ninety</s> [Ninety-eight] percent", the speaker said "Ninety".
    """
    if difference.kind is not DifferenceKind.CHANGED:
        return False
    word = reading.window.get_word(difference.spoken_at[0])
    match = STRUCK.search(reading.window.spoken.texts[word.text][: word.start_char])
    return match is not None and split_keys(match[1]) == split_keys(difference.quoted)


def judge_pieces(pieces: Sequence[QuotedPiece], distance: str) -> Wording:
    """Return the verdict on a quotation whose words come from several places of the archive.

    `pieces` has the words from each place. `distance` describes how far apart the places are; it is part of
    the warning.
    """
    differences = [item for piece in pieces for item in piece.differences]
    altering = [item for item in differences if item.alters]
    marked = all(piece.marked for piece in pieces[1:])
    near = marked and len({piece.window.document_id for piece in pieces}) == 1 and _is_in_order(pieces)
    if altering:
        verdict = Verdict.ALTERED
    elif near:
        verdict = Verdict.EDITED if differences else Verdict.VERBATIM
    else:
        verdict = Verdict.MERGED
    message = f"the words stand in {len(pieces)} places: {distance}"
    warnings = [*map(_explain_altering, altering)]
    if not near:
        warnings.append(QuoteWarning("merged", message))
    return Wording(verdict, show_differences(differences), tuple(warnings))


def _is_in_order(pieces: Sequence[QuotedPiece]) -> bool:
    """Return whether each piece of a quotation stands after the previous one, in the same paragraph or the
    next.
    """
    for before, after in pairwise(pieces):
        first, second = before.window.get_paragraph(before.last), after.window.get_paragraph(after.first)
        if not 0 <= second.ordinal - first.ordinal <= 1:
            return False
        same = first.ordinal == second.ordinal
        if (
            same
            and after.window.get_word(after.first).start_char < before.window.get_word(before.last).start_char
        ):
            return False
    return True


def show_differences(differences: Sequence[Difference]) -> tuple[QuoteDifference, ...]:
    """Convert differences between a quotation and its source for display; those that alter the meaning come
    first.
    """
    ordered = sorted(differences, key=lambda item: not item.alters)
    return tuple(
        QuoteDifference(
            item.kind.value,
            item.quoted,
            item.spoken,
            tuple(kind.value for kind in item.meaning),
            item.excuse.value if item.excuse else None,
        )
        for item in ordered
    )


def _explain_altering(difference: Difference) -> QuoteWarning:
    kinds = " and ".join(kind.value for kind in difference.meaning)
    said = {
        DifferenceKind.DROPPED: f"leaves out “{difference.spoken}”",
        DifferenceKind.ADDED: f"adds “{difference.quoted}”",
        DifferenceKind.MOVED: f"moves “{difference.quoted}”",
    }.get(difference.kind, f"has “{difference.quoted}” for “{difference.spoken}”")
    return QuoteWarning("altered", f"{kinds}: the quotation {said}", difference.spoken)


def _explain_struck(difference: Difference) -> QuoteWarning:
    message = f"said by mistake: the transcript corrects “{difference.quoted}” to “{difference.spoken}”"
    return QuoteWarning("content", message, difference.spoken)


def _explain_gap(difference: Difference) -> QuoteWarning:
    first, stop = difference.spoken_at
    if difference.kind is DifferenceKind.CUT:
        message = f"the ellipsis leaves out {stop - first} words, more than {FAR_WORDS}"
    else:
        message = f"{stop - first} words are left out without a mark"
    return QuoteWarning("merged", message, difference.spoken)


def _explain_content(differences: Sequence[Difference]) -> list[QuoteWarning]:
    """Return a warning for each replaced word, unless a rule excuses the change or the change alters the
    meaning.
    """
    return [
        QuoteWarning("content", f"another word: “{item.quoted}” for “{item.spoken}”", item.spoken)
        for item in differences
        if item.kind is DifferenceKind.CHANGED and not item.meaning and item.excuse is None
    ]


def is_title(printed: Printed) -> bool:
    """Return whether a quotation looks like the title of a work: every content word is capitalised.

    >>> [is_title(Printed.of((text,))) for text in ("The Audacity of Hope", "We choose to go to the moon")]
    [True, False]
    """
    text = " ".join(printed.parts).strip()
    words = [word.strip("\"'“”‘’,:;()") for word in text.rstrip(".,!?").split()]
    if not 1 < len(words) <= TITLE_WORDS or text.endswith((".", "!")):
        return False
    heavy = [word for word in words if word.lower() not in SMALL_IN_TITLES]
    return len(heavy) > 1 and all(word[:1].isupper() or word[:1].isdigit() for word in heavy)


def estimate_confidence(printed: Printed, weighted: float) -> float:
    """Estimate how certain the source of a quotation is, from 0 to 1.

    It is less certain if the quotation is short or if some of its words do not match; `weighted` is the share
    of its words that match.

    >>> round(estimate_confidence(Printed.of(("We choose to go to the moon",)), 1.0), 2)
    0.89
    """
    bits = printed.content_words + 0.3 * (len(printed.quoted.keys) - printed.content_words)
    return weighted * (1 - math.exp2(-bits / 1.3))
