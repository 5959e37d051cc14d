"""Find attributions that a quotation leaves out: before it ("the minister said, ..."), in an aside, or before
quotation marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from quotations.cuts.cuts import Cut, Loss, LossKind, Severity
from quotations.grammar.clauses import Clause
from quotations.grammar.cut_vocabulary import (
    ANONYMOUS,
    FIRST_PERSONS,
    HEDGE_VERBS,
    QUOTING_VERBS,
    REPORT_VERBS,
)
from quotations.grammar.passages import Passage

ASIDE_WORDS = 6


SAYING_VERBS = frozenset(("said", "says", "wrote", "writes", "tweeted", "asked", "replied", "answered"))


MODALS_OF_SAYING = frozenset(("will", "would", "may", "might", "can", "could", "'ll", "'d", "to", "always"))


NO_SOURCES = frozenset(("you", "that", "this", "it", "which", "what", "me", "us", "let"))
"""Subjects of "say" that attribute words to nobody: "that is to say", "let me say"."""


def find_lost_source(cut: Cut) -> Iterator[Loss]:
    """Yield a loss if the quotation leaves out that somebody else said the words.

    Example: "The minister said, [we will not go]". The brackets are the cut, the quoted words.
    """
    at = cut.first - 1
    is_saying = cut.lower(at) in SAYING_VERBS or _is_saying_of_others(cut, at)
    if not is_saying or not cut.sentence.gaps[cut.first].strip(" \"“‘'"):
        return
    before = range(max(0, at - 4), at)
    subject = next((i for i in reversed(before) if cut.get_word(i).tag in ("PRON", "NOUN", "PROPN")), None)
    if subject is None or cut.lower(subject) in FIRST_PERSONS or cut.lower(at - 1) == "being":
        return  # "as I said", "that being said"
    if any(cut.lower(i) in ("that", "this") for i in before):
        return
    if cut.is_statement:
        first = subject - 1 if _is_modifier(cut, subject - 1) else subject
        yield cut.make_loss(LossKind.REPORTED, cut.grade_loss(), first, at)


def _is_modifier(cut: Cut, at: int) -> bool:
    """Return whether the word `at` belongs to the noun after it: "some folks", "General McKenzie"."""
    is_part = at >= 0 and (
        cut.lower(at) in ANONYMOUS or cut.get_word(at).tag in ("DET", "ADJ", "PROPN", "NOUN")
    )
    return is_part and not cut.sentence.gaps[at + 1].strip()


def _is_saying_of_others(cut: Cut, at: int) -> bool:
    """Return whether the word `at` is "say" or the like, with other people as its subject: "some will say,
    [...]".
    """
    if cut.lower(at) not in ("say", "argue", "claim", "ask"):
        return False
    subject = at - 2 if cut.lower(at - 1) in MODALS_OF_SAYING else at - 1
    if cut.lower(subject) == "used":
        subject -= 1  # "my father used to say"
    is_source = subject >= 0 and cut.get_word(subject).tag in ("PRON", "NOUN", "PROPN")
    return (is_source or cut.lower(subject) in ANONYMOUS) and cut.lower(subject) not in NO_SOURCES


def find_lost_aside(cut: Cut) -> Iterator[Loss]:
    """Yield a loss (left-out words that matter) for an aside that attributes the quoted words next to it.

    Examples: "..., they say", "according to ...". An aside that weakens the words counts as well: "..., I
    think".
    """
    for clause in cut.sentence.clauses:
        if clause.coordinator not in (",", "—", "–", ":") and clause.number:
            continue
        if (
            not 0 < len(clause.words) <= ASIDE_WORDS
            or any(cut.has(i) for i in clause.words)
            or clause.verb is None
        ):
            continue
        if any(other.parent == clause.number and not cut.has(other.opener) for other in cut.sentence.clauses):
            continue  # it governs its own clause: "I think we can"
        is_after = clause.first == cut.last + 1 and bool(cut.sentence.gaps[clause.first].strip())
        is_before = clause.last == cut.first - 1 and bool(cut.sentence.gaps[cut.first].strip(' "“”'))
        is_before |= _is_quoting_addressee(cut, clause)
        if not (is_after or is_before):
            continue
        verb = next((i for i in sorted(clause.words) if cut.lower(i) in REPORT_VERBS | HEDGE_VERBS), None)
        if verb is None:
            continue
        if not any(cut.get_word(i).tag in ("PRON", "NOUN", "PROPN") for i in clause.words):
            continue  # without a speaker, as in "ask not what ... - ask what ..."
        lowers = {cut.lower(i) for i in clause.words}
        if cut.passage.surname and cut.passage.surname in lowers:
            continue
        if lowers & FIRST_PERSONS:
            if cut.lower(verb) in HEDGE_VERBS and not _has_hedge(cut):
                yield cut.make_loss(LossKind.HEDGE, cut.grade_hedge(), clause.first, clause.last)
        elif ("you" not in lowers or _is_quoting_addressee(cut, clause)) and cut.lower(verb) in REPORT_VERBS:
            yield cut.make_loss(LossKind.REPORTED, cut.grade_loss(), clause.first, clause.last)
    for at in (cut.last + 1, *range(max(0, cut.first - 8), cut.first)):
        if (
            cut.lower(at) == "according"
            and cut.lower(at + 1) == "to"
            and cut.lower(at + 2) not in MEASURES
            and not (at < cut.first and cut.get_word(at).tag == "AUX")
        ):
            yield cut.make_loss(
                LossKind.REPORTED,
                min(cut.grade_loss(), Severity.WARNING),
                at,
                min(cut.find_phrase_end(at), at + 8),
            )


MEASURES = frozenset(
    ("circumstances", "need", "needs", "plan", "schedule", "law", "merit", "ability", "conscience", "rank")
)
"""Words after "according to" that are nobody's report: "according to circumstances"."""


def _is_quoting_addressee(cut: Cut, clause: Clause) -> bool:
    """Return whether a clause such as "you said" comes right before the clause of the quoted words.

    A clause that governs the clause of the quoted words may come between: "You said they think [we lost]",
    where the brackets are the quoted words.
    """
    lowers = {cut.lower(i) for i in clause.words}
    openings = {outer.first for head in cut.heads for outer in cut.climb_content(head) if outer.words}
    return "you" in lowers and not lowers.isdisjoint(QUOTING_VERBS) and clause.last + 1 in openings


def _has_hedge(cut: Cut) -> bool:
    """Return whether the quoted words themselves contain "I think" or the like."""
    return any(cut.lower(i) in HEDGE_VERBS and cut.lower(i - 1) in FIRST_PERSONS for i in cut.words)


OWN_WORDS = re.compile(
    r"""\b(?:I|we|I['’](?:ve|d))\s+(?:\w+\s+){0,3}?
    (?:said|say|told|tell|asked|wrote|promised|thought|ask|add|replied|tweeted)\b""",
    re.VERBOSE | re.IGNORECASE,
)


LEAD_CHARACTERS = 120


READ_TITLE_WORDS = 4  # quotations up to this length are mostly titles, names and words used ironically


def _find_lead(passage: Passage, opens: int) -> int:
    """Return the offset at which the words that introduce a quotation in its sentence begin: "They said".

    `opens` is the offset of the quotation's first character after the quotation mark.
    """
    start = max(0, opens - LEAD_CHARACTERS)
    before = passage.text[start : max(0, opens - 1)]
    return start + max((match.end() for match in re.finditer(r"[.!?]\s+", before)), default=0)


def _has_own_words(passage: Passage, opens: int, closes: int) -> bool:
    """Return whether the words in quotation marks are the speaker's own: "I said, ..."."""
    lead = passage.text[_find_lead(passage, opens) : max(0, opens - 1)]
    if OWN_WORDS.search(lead):
        return True
    tail = re.split(r"[.!?](?:\s|$)", passage.text[closes + 1 : closes + 80])[0]
    return bool(passage.surname) and passage.surname in (lead + " " + tail).lower()


def find_lost_quotation(cut: Cut) -> Iterator[Loss]:
    """Yield a loss if the cut (the quoted words) begins or ends inside quotation marks of the speech.

    There the speaker may be quoting somebody else. The loss is only a note if the words in quotation marks
    are few, or are the speaker's own.
    """
    if cut.passage.is_statement:
        return
    text = cut.passage.text
    start, end = cut.get_word(cut.first).start_char, cut.get_word(cut.last).end_char
    for opens, closes in cut.passage.quoted:
        if opens >= end or closes <= start:
            continue
        if opens > start and closes < end:
            continue  # the cut includes the quotation with its marks
        words = len(text[opens:closes].split())
        is_own = _has_own_words(cut.passage, opens, closes)
        is_part = opens <= start and end <= closes + 1
        severity = Severity.GRAVE if is_part and words > READ_TITLE_WORDS and not is_own else Severity.NOTE
        if not is_part and words > READ_TITLE_WORDS and not is_own:
            severity = Severity.WARNING
        lead = _find_lead(cut.passage, opens) if is_part else max(0, opens - 1)
        if text[max(0, lead - 1) : lead].isalnum():
            lead = text.find(" ", lead, opens) + 1 or lead
        yield Loss(LossKind.QUOTED, severity, lead, min(len(text), max(opens, 1)))
