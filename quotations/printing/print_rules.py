"""Apply a copy editor's rules to a span before it is printed between quotation marks.

Each rule reads a span of a passage and yields flaws. The kinds of flaws, gravest first: `MEANING` (the
meaning or the source of the words is lost), `GRAMMAR` (broken, or neither a sentence nor a phrase),
`BOUNDARY` (cut at a bad place), `CONTEXT` (not understandable alone), `LENGTH`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator

from quotations.grammar.cut_vocabulary import CONTRASTS
from quotations.grammar.passages import Passage
from quotations.printing.false_starts import find_false_start, find_filler
from quotations.printing.incomplete_spans import find_incomplete
from quotations.printing.lost_meaning import (
    find_lost_frame,
    find_lost_laughter,
    find_lost_meaning,
    find_lost_reason,
    find_unbalanced_marks,
    find_unnamed_opinion,
    find_whole_quotation,
)
from quotations.printing.opening_words import find_opening_word
from quotations.printing.print_spans import LONGEST, SHORTEST, Flaw, FlawKind, PrintSpan
from quotations.printing.span_ends import find_bad_end
from quotations.printing.span_starts import find_bad_start
from quotations.printing.unmarked_words import (
    find_lost_lead,
    find_question_of_another,
    find_read_out,
    find_supposition,
    find_thought_of_others,
)
from quotations.printing.unresolved_references import find_unresolved_reference


def find_flaws(span: PrintSpan) -> list[Flaw]:
    """Return the flaws of a span, gravest first, then in text order; empty if the span is fit for print."""
    if not span.parts:
        return [Flaw(FlawKind.GRAMMAR, "no word", span.start_char, span.end_char)]
    return _sort_flaws({flaw for rule in RULES for flaw in rule(span)})


def find_lesser_flaws(
    span: PrintSpan, unfit: int, is_allowed: Callable[[PrintSpan], bool] | None = None
) -> list[Flaw] | None:
    """Return the flaws of a span (see `find_flaws`); return `None` if the span is unfit for print.

    A span is unfit if the kind of a flaw is `unfit` or graver, or if `is_allowed` rejects the span.
    `is_allowed` is called before the slow rules, which parse clauses.
    """
    if not span.parts:
        is_fit = unfit > FlawKind.GRAMMAR and (is_allowed is None or is_allowed(span))
        return find_flaws(span) if is_fit else None
    flaws: set[Flaw] = set()
    for rules in (OF_WORDS, OF_CLAUSES):
        for flaw in (flaw for rule in rules for flaw in rule(span)):
            if flaw.kind >= unfit:
                return None
            flaws.add(flaw)
        if rules is OF_WORDS and is_allowed is not None and not is_allowed(span):
            return None
    return _sort_flaws(flaws)


def _sort_flaws(flaws: Collection[Flaw]) -> list[Flaw]:
    return sorted(flaws, key=lambda flaw: (-flaw.kind, flaw.start_char, flaw.rule, flaw.end_char))


VOCATIVE = re.compile(
    r"""(?:(?:my|and|ladies|gentlemen|dear|fellow|friends?|americans?|citizens?|countrymen|colleagues|brothers
    |sisters|folks|mr|mrs|madam|president|speaker|vice|chief|justice|members?|congress|of|the|senator|minister
    |prime|mayor|chairman|distinguished|guests|leaders|people|to)\b[.,]?\s*){2,}""",
    re.VERBOSE | re.IGNORECASE,
)


def find_vocative(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw for an address at the beginning of a span: "My fellow Americans — ...".

    A dash or colon follows the address, or the address has more than four words.
    """
    match = VOCATIVE.match(span.passage.text, span.start_char)
    if not match or match.end() >= span.end_char:
        return
    rest = span.passage.text[match.end() - 1 : match.end() + 2]
    if any(mark in rest for mark in "—–:") or len(match[0].split()) > 4:
        yield Flaw(FlawKind.CONTEXT, "form of address", match.start(), match.end())


def find_length(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw if a span has fewer than 6 or more than 40 words."""
    count = span.length
    if count > LONGEST:
        yield Flaw(FlawKind.LENGTH, "long", span.start_char, span.end_char)
    elif count < FEWEST_WORDS and not all(part.is_whole for part in span.parts):
        yield Flaw(FlawKind.BOUNDARY, "scrap", span.start_char, span.end_char)
    elif count < SHORTEST:
        yield Flaw(FlawKind.LENGTH, "short", span.start_char, span.end_char)


FEWEST_WORDS = 4
"""Words of a part of a sentence below which it says too little to be quoted."""


BACK_REFERENCE = re.compile(
    r"""\b(?:I|we|you)\s+(?:have\s+|['’]ve\s+)?(?:just\s+)?
    (?:spoke|spoken|talked|mentioned|said|told\s+you|described|discussed)
    (?:\s+(?:of|about|to\s+you))?\s+(?:earlier|before|a\s+(?:moment|minute)\s+ago|already|previously)\b
    |\bthe\s+(?:aforementioned|foregoing|above-mentioned)\b""",
    re.VERBOSE | re.IGNORECASE,
)


def find_back_reference(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw for words such as "I spoke of earlier", which point to another place of the speech."""
    if not span.passage.compute(_may_refer_back):
        return
    for match in BACK_REFERENCE.finditer(span.text):
        start = span.start_char + match.start()
        yield Flaw(FlawKind.CONTEXT, "back reference", start, start + len(match[0]))


def _may_refer_back(passage: Passage) -> bool:
    """Return whether a passage has a word such as "earlier", which every match of `BACK_REFERENCE` has."""
    lower = passage.text.lower()
    return any(word in lower for word in POINTING_BACK)


POINTING_BACK = ("earlier", "before", "ago", "already", "previously", "aforementioned", "foregoing", "above-")


CONCESSIVE = re.compile(
    r"""(?:it\s+is\s+true|it['’]s\s+true|it['’]s\s+tempting|it\s+is\s+tempting|of\s+course|to\s+be\s+sure
    |admittedly|granted|yes,)""",
    re.VERBOSE | re.IGNORECASE,
)


def find_concession(span: PrintSpan) -> Iterator[Flaw]:
    """Yield a flaw for a concession whose "But" follows outside the span: "[It is true that ...] But ..."."""
    part = span.parts[-1]
    is_granted = any(word.lower == "may" for word in part.sentence.words)
    if not is_granted and not CONCESSIVE.match(span.passage.text, part.sentence.start_char):
        return
    rest = (span.passage.text[part.sentence.end_char :] + " " + span.following).split()
    inside = part.sentence.words[part.last + 1 : part.last + 2]
    opens = (rest[0].strip(",.—").lower() if rest else "", inside[0].lower if inside else "")
    if set(opens) & CONTRASTS:
        yield span.make_flaw(FlawKind.CONTEXT, "concession", part.words[0], part.words[-1])


Rule = Callable[[PrintSpan], Iterator[Flaw]]


RULES: tuple[Rule, ...] = (
    find_lost_meaning,
    find_lost_frame,
    find_lost_reason,
    find_unnamed_opinion,
    find_whole_quotation,
    find_read_out,
    find_thought_of_others,
    find_supposition,
    find_lost_lead,
    find_question_of_another,
    find_lost_laughter,
    find_unbalanced_marks,
    find_false_start,
    find_filler,
    find_incomplete,
    find_bad_start,
    find_bad_end,
    find_opening_word,
    find_unresolved_reference,
    find_vocative,
    find_concession,
    find_back_reference,
    find_length,
)


OF_WORDS: tuple[Rule, ...] = (
    find_opening_word,
    find_lost_laughter,
    find_unresolved_reference,
    find_bad_end,
    find_false_start,
    find_unbalanced_marks,
    find_whole_quotation,
    find_filler,
    find_back_reference,
    find_length,
)
"""The rules that need no clauses of the span alone, those first that reject most candidates."""

OF_CLAUSES: tuple[Rule, ...] = (
    find_bad_start,
    *(find_lost_frame, find_lost_reason, find_unnamed_opinion, find_vocative, find_concession),
    *(find_read_out, find_thought_of_others, find_supposition, find_lost_lead, find_question_of_another),
    *(find_incomplete, find_lost_meaning),
)
"""The other rules, which take more time."""
