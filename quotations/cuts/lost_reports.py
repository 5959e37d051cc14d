"""Find verbs and nouns outside a quotation that attribute its words to others, as in "they say that"."""

from __future__ import annotations

from collections.abc import Iterator

from quotations.cuts.cuts import Cut, Loss, LossKind, Severity, find_governor
from quotations.grammar.clauses import Clause
from quotations.grammar.cut_vocabulary import (
    ANONYMOUS,
    BE_FORMS,
    COORDINATORS,
    FIRST_PERSONS,
    HEDGE_ADJECTIVES,
    HEDGE_NOUNS,
    HEDGE_VERBS,
    NAMING_VERBS,
    PROMISES,
    QUOTING_VERBS,
    REPORT_NOUNS,
    REPORT_VERBS,
    THOUGHTS,
    WISHES,
)

CLEFT_WORDS = 20  # from "what" to "is that"


ADJUNCT_WORDS = 4  # from a verb to its "with confidence"


SHARED_VERBS = frozenset(("agree", "agrees", "agreed", "say", "says", "said", "believe", "believes", "think"))


def find_lost_report(cut: Cut) -> Iterator[Loss]:
    """Yield a loss if a quotation leaves out that the words are reported: "They say that ...", "the idea that
    ...".

    A loss is words that the quotation leaves out and that change its meaning. `cut` is the quoted words.
    """
    for head in cut.heads:
        for clause in cut.climb_content(head):
            if clause.kind != "content" or clause.opener is None:
                continue
            governor = find_governor(cut, clause)
            if governor is None or cut.has(governor) or governor > cut.first:
                continue
            yield from _find_reported(cut, clause, governor)


def find_lost_label(cut: Cut) -> Iterator[Loss]:
    """Yield a loss if the quoted words are only a name that others give to something.

    Examples, with the quoted words in brackets: "they call it [a spectacle]", "are characterized as
    [elitist]".
    """
    if cut.is_statement:
        return
    for at in range(max(0, cut.first - 6), cut.first):
        if cut.lower(at) in NAMING_VERBS and not any(
            cut.sentence.gaps[i].strip(" \"“‘'") for i in range(at + 1, cut.first + 1)
        ):
            before = range(max(0, at - 4), at)
            if not any(cut.lower(i) in FIRST_PERSONS | {"you"} for i in before) and cut.lower(at - 1) not in (
                "to",
                "is",
            ):
                yield cut.make_loss(
                    LossKind.REPORTED, Severity.WARNING, before[0] if before else at, cut.first - 1
                )
            return


def find_lost_promise(cut: Cut) -> Iterator[Loss]:
    """Yield a loss (left-out words that matter) if the quoted words are a promise or claim of others.

    Example, with the quoted words in brackets: "those who promised [to restore past glory]".
    """
    if "to" not in (cut.lower(cut.first), cut.lower(cut.first - 1)):
        return
    at = cut.first - 1 if cut.lower(cut.first) == "to" else cut.first - 2
    if at < 1 or cut.is_statement or cut.lower(at) not in PROMISES or cut.get_word(at).tag != "VERB":
        return
    if (
        not any(cut.lower(i) in FIRST_PERSONS for i in range(max(0, at - 3), at))
        and cut.get_word(at).is_finite
    ):
        yield cut.make_loss(LossKind.REPORTED, Severity.WARNING, at - 1, cut.first - 1)


def _find_reported(cut: Cut, clause: Clause, governor: int) -> Iterator[Loss]:
    governor = _skip_adjunct(cut, governor)
    word, parent = cut.get_word(governor), cut.get_clause(clause.parent)
    first = parent.first if parent is not None and parent.words else governor
    last = max(governor, min(cut.find_opener_word(clause), cut.first - 1))
    if clause.conjunction in ("whether", "if"):
        yield cut.make_loss(LossKind.QUESTION, cut.grade_loss(), governor, last)
        return
    if clause.conjunction not in ("that", ""):
        return
    if word.lower in REPORT_NOUNS or (word.lower == "conclusion" and _is_led_to(cut, governor)):
        if any(cut.lower(i) in ("my", "our") for i in range(max(0, governor - 3), governor)):
            return  # "my firm belief that ..." belongs to the speaker
        yield cut.make_loss(LossKind.REPORTED, cut.grade_loss(), max(first, governor - 3), last)
    elif word.lower in HEDGE_ADJECTIVES | HEDGE_NOUNS:
        yield cut.make_loss(LossKind.HEDGE, cut.grade_hedge(), first, last)
    elif word.tag in ("VERB", "AUX", "ADJ"):
        yield from _find_reported_by_verb(cut, clause, governor, first, last)


def _is_led_to(cut: Cut, governor: int) -> bool:
    """Return whether "lead to" or the like comes before "conclusion": "It leads to the conclusion that ...".

    Then the speaker does not say that the conclusion is right. `governor` is the index of "conclusion". If
    "me", "we" or the like is among the words before it, return false: "It leads me to the conclusion".
    """
    before = {cut.lower(i) for i in range(max(0, governor - 5), governor)}
    return not before.isdisjoint(LEADING_VERBS) and before.isdisjoint(FIRST_PERSONS | {"me", "us"})


LEADING_VERBS = frozenset(("lead", "leads", "led", "point", "points", "jump", "jumps", "jumped"))


def _skip_adjunct(cut: Cut, governor: int) -> int:
    """Return the index of the verb of saying before a phrase such as "with high confidence".

    In "reported with high confidence that ...", `governor` is the index of "confidence", and the result is
    the index of "reported". If there is no such phrase, return `governor` unchanged.
    """
    before = range(governor - 1, max(-1, governor - ADJUNCT_WORDS), -1)
    has_with = any(cut.lower(i) == "with" for i in before)
    verb = next((i for i in before if cut.lower(i) in REPORT_VERBS), None)
    return governor if verb is None or not has_with else verb


def _find_reported_by_verb(cut: Cut, clause: Clause, governor: int, first: int, last: int) -> Iterator[Loss]:
    word, subject = cut.lower(governor), _find_subject(cut, clause, governor)
    if subject in FIRST_PERSONS or (subject == "it" and word in HEDGE_VERBS):
        if word in WISHES and word not in ("so", "ask", "insist", "sure", "certain"):
            yield cut.make_loss(LossKind.WISH, cut.grade_hedge(), first, last)
        elif word in HEDGE_VERBS:
            yield cut.make_loss(LossKind.HEDGE, cut.grade_hedge(), first, last)
        elif word in ("sure", "certain") and cut.lower(governor - 1) in ("make", "making", "makes", "made"):
            yield cut.make_loss(LossKind.WISH, cut.grade_hedge(), first, last)
    elif word in ("ensure", "ensures", "ensuring", "ensured") or (
        word in ("sure", "certain") and cut.lower(governor - 1) in ("make", "making", "makes", "made")
    ):
        yield cut.make_loss(LossKind.WISH, cut.grade_hedge(), governor, last)
    elif word in HOPES and subject not in ("", "you"):
        yield cut.make_loss(LossKind.WISH, cut.grade_loss(), first, last)
    elif _has_source(cut, governor, subject) and not _is_taken_over(cut, governor):
        yield cut.make_loss(LossKind.REPORTED, cut.grade_loss(), first, last)


HOPES = frozenset(("hope", "hopes", "hoped", "hoping", "wish", "wishes", "wished", "pray", "prays", "prayed"))


def _has_source(cut: Cut, governor: int, subject: str) -> bool:
    """Return whether the word `governor` attributes the clause after it to somebody else: "They say that
    ...".
    """
    word = cut.lower(governor)
    if word in REPORT_VERBS and subject not in ("", "you"):
        return True
    if word in QUOTING_VERBS and subject == "you":
        return True  # the words of the person who is addressed
    if word in ("told", "said", "taught") and cut.lower(governor - 1) in BE_FORMS | {"been"}:
        return True
    return word in BE_FORMS and _has_common_view(cut, governor)


def _has_common_view(cut: Cut, governor: int) -> bool:
    """Return whether the words before an "is" say that others hold a view: "what they agree on is that ...".

    The "is" is the word `governor`. Between "what" and "is", there must be a verb such as "agree" or "say",
    and no word such as "I", "we" or "you".
    """
    for at in range(governor - 1, max(-1, governor - CLEFT_WORDS), -1):
        if cut.lower(at) == "what":
            inside = [cut.lower(i) for i in range(at + 1, governor)]
            agrees = not SHARED_VERBS.isdisjoint(inside)
            return agrees and FIRST_PERSONS.isdisjoint(inside) and "you" not in inside
    return False


def _is_taken_over(cut: Cut, governor: int) -> bool:
    """Return whether the speaker adds a statement in the first person between a report and the cut.

    Example, with the cut in brackets: "They said it was close, and I think [we won]".
    """
    for at in range(governor + 1, cut.first):
        joins = cut.lower(at) in COORDINATORS and cut.lower(at + 1) in FIRST_PERSONS
        if joins and (cut.lower(at) == "but" or cut.lower(at + 2) in THOUGHTS | {"know", "say", "want"}):
            return True
    return False


PASSIVES = frozenset(
    ("told", "said", "taught", "led", "reported", "alleged", "projected", "estimated", "expected", "believed")
)


def _find_subject(cut: Cut, clause: Clause, governor: int) -> str:
    """Return the subject of a verb of saying or thinking, in lower case; "" without one.

    The result is "i" if the speaker is the subject, as in "Let me say that ...". It is "they" for a passive
    verb, as in "we were told that ...".
    """
    parent = cut.get_clause(clause.parent)
    if parent is None or parent.verb is None:
        return ""
    if cut.passage.surname and any(cut.lower(i) == cut.passage.surname for i in parent.words):
        return "i"  # a statement that names its speaker
    before_verb = governor - 2 if cut.get_word(governor - 1).tag == "ADV" else governor - 1
    passive = governor > 0 and cut.lower(before_verb) in BE_FORMS and cut.get_word(governor).form == "Part"
    if passive and cut.lower(governor) in PASSIVES:
        return "they"
    before = [i for i in parent.words if i < parent.verb]
    if parent.subject is not None and parent.subject > parent.verb:
        before.append(parent.subject)  # "Fervently do we pray that ..."
    if any(cut.lower(i) in FIRST_PERSONS for i in before):
        return "i"
    for i in sorted(before, reverse=True):
        if cut.get_word(i).tag in ("PRON", "NOUN", "PROPN") or cut.lower(i) in ANONYMOUS:
            return cut.lower(i)
    if cut.lower(parent.verb) in ("let", "may"):
        return "i"
    return ""
