"""Judge whether a quotation is cut fairly, by the words that it leaves out: the rest of its sentences, and
the words at its ellipses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from quotations.cuts.cuts import LossKind, Severity
from quotations.grammar.cut_vocabulary import ANONYMOUS, REPORT_NOUNS
from quotations.matching.difference_kinds import Difference, DifferenceKind
from quotations.printing.fair_cut import Omission, check_fair_cut
from quotations.text.meaning import MeaningClass
from rostrum_core.quote_checks import QuoteWarning

SHORT_CUT_WORDS: Final = 3
REVERSING = frozenset((LossKind.NEGATION, LossKind.CONDITION, LossKind.HEDGE, LossKind.REPORTED))
"""Kinds of omission that can reverse the meaning; others only give warnings."""

NO_PERSON = ANONYMOUS | REPORT_NOUNS
"""Words for unnamed sources of an opinion: "some say", "the idea that"."""

SOURCE = re.compile(
    r"""\b(?:say|says|said|saying|tells?|told|asks?|asked|wr[io]tes?|written|writing|argue[sd]?|claim(?:s|ed)?
        |insist(?:s|ed)?|shout(?:s|ed)?|chant(?:s|ed)?|replied|answered|call(?:s|ed)|from|reads?)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Match words that name the person whom a speaker quotes: "my father used to say", "this from a farmer"."""

LEFT_OUT = frozenset((MeaningClass.NEGATION, MeaningClass.CONDITION))


WHETHER_OR = re.compile(r"^\W*whether\b.*\bor\b", re.IGNORECASE)
"""Match a condition that covers every case: "whether sought or unsought"."""


@dataclass(frozen=True, slots=True)
class CutReading:
    """Hold the judgement on the words that a quotation leaves out.

    `is_unfair` is true if the omission changes what the speaker meant. `warnings` name the omitted words.
    `faithful` is a longer quotation that keeps the meaning, as short as possible; `None` without one.
    """

    warnings: tuple[QuoteWarning, ...] = ()
    is_unfair: bool = False
    faithful: str | None = None


def read_cut(
    paragraph: str,
    start_char: int,
    end_char: int,
    differences: Sequence[Difference],
    *,
    speaker: str | None = None,
    is_statement: bool = False,
    is_attributed: bool = True,
) -> CutReading:
    """Judge whether a quotation of `paragraph[start_char:end_char]` is unfair because of words left out.

    These are words before or after it in the same sentence, or words omitted at an ellipsis. `differences`
    are those between the quotation and this part of the paragraph.

    If the speaker says "He said it is over", and the draft quotes only "it is over", this is unfair if the
    draft attributes the words to the speaker (`is_attributed`). Otherwise it is only a warning.

    >>> read_cut("I do not think that we should go to war.", 20, 39, []).is_unfair
    True
    """
    cut = check_fair_cut(paragraph, start_char, end_char, speaker=speaker or "", is_statement=is_statement)
    grave = [item for item in cut.omissions if item.severity >= Severity.WARNING]
    elided = [warning for item in differences if (warning := _explain_elision(item, paragraph))]
    is_unfair = any(_is_reversal(item, is_attributed) for item in grave)
    is_unfair |= any(_is_elided_denial(item) for item in differences)
    faithful = None
    if grave and cut.faithful is not None:
        faithful = paragraph[cut.faithful[0] : cut.faithful[1]]
    return CutReading((*map(_explain, grave), *elided), is_unfair, faithful)


def _is_reversal(omission: Omission, is_attributed: bool) -> bool:
    """Return whether omitted words can reverse the meaning of the quotation, such as "I do not think that".

    If the omitted words name another person as the source ("He said"), the result is true only if the draft
    attributes the quotation to the speaker (`is_attributed`).
    """
    if omission.severity < Severity.GRAVE:
        return False
    if omission.kind is LossKind.QUOTED:
        return is_attributed and SOURCE.search(omission.words) is not None
    if omission.kind not in REVERSING:
        return False
    is_person = omission.kind is LossKind.REPORTED and NO_PERSON.isdisjoint(omission.words.lower().split())
    return is_attributed or not is_person


def _explain(omission: Omission) -> QuoteWarning:
    kind = "quoted" if omission.kind is LossKind.QUOTED else "context"
    words = omission.words.strip(' "“”')
    return QuoteWarning(kind, f"{omission.reason}: “{words}”" if words else omission.reason, words)


def _explain_elision(difference: Difference, paragraph: str) -> QuoteWarning | None:
    """Return a warning if an ellipsis of the quotation drops a negation or a condition from within a
    sentence.
    """
    if difference.kind is not DifferenceKind.CUT or LEFT_OUT.isdisjoint(difference.meaning):
        return None
    if any(mark in difference.spoken for mark in ".!?") or WHETHER_OR.search(difference.spoken):
        return None
    if re.search(rf"[.!?]\s+{re.escape(difference.spoken)}[.!?]", paragraph):
        return None  # a whole sentence
    kinds = " and ".join(kind.value for kind in difference.meaning if kind in LEFT_OUT)
    return QuoteWarning(
        "context", f"the ellipsis leaves out a {kinds}: “{difference.spoken}”", difference.spoken
    )


def _is_elided_denial(difference: Difference) -> bool:
    is_short = len(difference.spoken.split()) <= SHORT_CUT_WORDS
    return is_short and difference.kind is DifferenceKind.CUT and MeaningClass.NEGATION in difference.meaning
