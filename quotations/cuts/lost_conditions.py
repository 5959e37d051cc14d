"""Find conditions, exceptions and alternatives that a quotation leaves out: "if", "except", "or"."""

from __future__ import annotations

from collections.abc import Iterator

from quotations.cuts.cuts import Cut, Loss, LossKind, Severity, is_bracketed
from quotations.grammar.clauses import Clause
from quotations.grammar.cut_vocabulary import CONDITIONS, COORDINATORS, FRAME_VERBS, NEGATORS, UNREALISED
from quotations.grammar.gaps import is_hard

PHRASE_WORDS = 12
REAL_CONDITIONS = CONDITIONS - {"whether", "lest"}


DUTIES = frozenset(("must", "should", "better", "either"))


DUTY_PHRASES = frozenset(("have to", "has to", "got to", "need to", "needs to"))


def find_lost_condition(cut: Cut) -> Iterator[Loss]:
    """Yield a loss for each condition, "if ..." or "unless ...", that a quotation leaves out.

    `cut` is the quoted words. If they begin inside a condition, after its "if", the condition is lost, too.
    """
    for head in cut.heads:
        for clause in cut.climb_content(head):
            if _is_opened_outside(cut, clause) and clause.kind == "adverbial":
                yield from _find_enclosing_condition(cut, clause)
            yield from _find_conditions(cut, clause)


def _is_opened_outside(cut: Cut, clause: Clause) -> bool:
    return (
        clause.opener is not None and clause.opener < cut.first and cut.find_opener_word(clause) < cut.first
    )


def _find_enclosing_condition(cut: Cut, clause: Clause) -> Iterator[Loss]:
    if _is_frame(cut, _find_origin(cut, clause)) or (cut.is_predicate and not cut.is_statement):
        return
    if clause.last < cut.first and is_bracketed(cut, clause, clause.last + 1):
        return
    at = cut.find_opener_word(clause)
    first = clause.opener if clause.opener is not None else at
    as_if = clause.conjunction in ("if", "though") and cut.lower(at - 1) == "as"
    if clause.conjunction in CONDITIONS or as_if:
        yield cut.make_loss(LossKind.CONDITION, cut.grade_loss(), min(first, at - as_if), at)
    elif clause.conjunction in UNREALISED and cut.is_statement:
        yield cut.make_loss(LossKind.CONDITION, Severity.WARNING, first, at)
    elif clause.conjunction == "that" and cut.lower(at - 1) == "so" and cut.is_statement:
        yield cut.make_loss(LossKind.WISH, Severity.WARNING, at - 1, at)


def _find_origin(cut: Cut, clause: Clause) -> Clause:
    """Return the first clause of the series that `clause` belongs to.

    In the series "if we win and you stay", the result for "and you stay" is "if we win".
    """
    while clause.joined is not None and clause.kind != "main":
        clause = cut.sentence.clauses[clause.joined]
    return clause


def _find_conditions(cut: Cut, clause: Clause) -> Iterator[Loss]:
    """Yield a loss for each condition outside the cut that belongs to `clause` or to a related clause.

    Related clauses are the clauses that "and", "or" or a comma joins with `clause`, and the clauses in the
    cut. The cut is the quoted part of the sentence.
    """
    owners = {clause.number} | {inner.number for inner in cut.clauses}
    joined = clause
    while joined.joined is not None and joined.coordinator in ("and", "or", ","):
        joined = cut.sentence.clauses[joined.joined]
        owners.add(joined.number)
    for other in cut.sentence.clauses:
        if other.conjunction not in REAL_CONDITIONS or other.parent not in owners or not other.words:
            continue
        if other.kind != "adverbial" or any(cut.has(i) for i in other.words) or other.verb is None:
            continue
        if (
            other.first < cut.first
            and other.parent != clause.number
            and other.parent not in _list_coordinated(cut, clause)
        ):
            continue
        if cut.lower(other.first) == "even" or _is_frame(cut, other) or _is_apart(cut, other):
            continue
        if clause not in cut.heads and _has_reader_as_subject(cut, clause):
            continue
        if other.first > cut.last and not _is_next(cut, other):
            continue
        yield cut.make_loss(LossKind.CONDITION, _grade_condition(cut, clause), other.first, other.last)


def _list_coordinated(cut: Cut, clause: Clause) -> set[int]:
    """Return the numbers of the clauses that `clause` is coordinated with, by "and", "or" or a comma."""
    numbers = set()
    while clause.joined is not None and clause.coordinator in ("and", "or", ","):
        clause = cut.sentence.clauses[clause.joined]
        numbers.add(clause.number)
    return numbers


def _is_apart(cut: Cut, clause: Clause) -> bool:
    """Return whether a condition outside the cut (the quoted words) belongs to other words than the cut.

    It does so if a word such as "and" or "but" joins the condition and the cut. A condition before the cut
    also does so if a mark such as ";" separates the two. Examples, with the cut in brackets: "They stay if it
    rains, and [we go]", "[we go,] and if it rains, they stay".
    """
    if clause.last < cut.first:
        if any(cut.lower(i) == "but" for i in range(clause.last + 1, cut.first)):
            return True
        is_next = clause.last + 1 == cut.first - 1 and cut.lower(cut.first - 1) in COORDINATORS
        return is_next or (clause.last + 1 == cut.first and is_hard(cut.sentence.gaps[cut.first]))
    between = range(cut.last + 1, clause.first + 1)
    return any(cut.lower(i) in COORDINATORS for i in between)


def _has_reader_as_subject(cut: Cut, clause: Clause) -> bool:
    """Return whether the subject of a clause is a general "you": "If you were there, you would say ..."."""
    return clause.subject is not None and cut.lower(clause.subject) == "you"


def _is_frame(cut: Cut, clause: Clause) -> bool:
    """Return whether a condition only leads to a statement: "If you look at the map, ...", "if I may"."""
    lowers = [cut.lower(i) for i in sorted(clause.words) if cut.lower(i) not in ("and", "but", "so")]
    if lowers[1:4] in (["there", "'s", "one"], ["there", "is", "one"], ["there", "'s", "anything"]):
        return True
    return len(lowers) > 2 and lowers[1] in ("you", "i") and (lowers[2] in FRAME_VERBS or len(lowers) == 3)


def _is_next(cut: Cut, clause: Clause) -> bool:
    """Return whether a clause follows the quoted words closely.

    Between them, there may be a few words, but no verb and no punctuation stronger than a comma.
    """
    between = range(cut.last + 1, clause.first)
    return (
        len(between) <= 12
        and not any(cut.get_word(i).is_finite for i in between)
        and not any(is_hard(cut.sentence.gaps[i]) for i in [*between, clause.first])
    )


def _grade_condition(cut: Cut, clause: Clause) -> Severity:
    if not cut.is_statement:
        return Severity.WARNING if cut.is_predicate else Severity.NOTE
    verb = clause.verb
    if verb is not None and cut.has(verb) and not any(i < verb for i in clause.words if cut.has(i)):
        return Severity.NOTE  # an order to the reader: "If you are tired, [try this]"
    is_unreal = verb is not None and cut.has(verb) and cut.lower(verb) in ("would", "could", "might", "'d")
    return Severity.GRAVE if is_unreal else Severity.WARNING


def find_lost_exception(cut: Cut) -> Iterator[Loss]:
    """Yield a loss if an exception comes right after the cut (the quoted words), such as "unless ...".

    Other exceptions are "except ...", "only if ..." and "as long as ...". If the cut has a negation,
    "without ..." is one too: "[There is no peace] without justice". The brackets are the cut.
    """
    at = cut.last + 1
    is_denied = any(cut.lower(i) in NEGATORS for i in cut.sentence.clause_of[cut.last].words if cut.has(i))
    is_absence = cut.lower(at) in ("without", "absent") and not cut.lower(at + 1).endswith("ing")
    if (
        (is_absence and is_denied and cut.is_statement)
        or (cut.lower(at) in ("except", "excluding", "barring", "unless") and cut.is_statement)
        or (cut.lower(at) == "only" and cut.lower(at + 1) in ("if", "when", "because", "after", "by", "with"))
        or (_is_measure(cut, at) and cut.is_statement)
    ):
        yield cut.make_loss(LossKind.CONDITION, Severity.WARNING, at, cut.find_phrase_end(at))


def _is_measure(cut: Cut, at: int) -> bool:
    """Return whether words such as "as long as", "as far as" or "insofar as" begin a condition at `at`.

    If "I" or "the" follows, only "insofar as" counts: "as far as I know" is no condition.
    """
    if cut.lower(at) == "insofar":
        return True
    is_measure = cut.lower(at) in ("as", "so") and cut.lower(at + 1) in ("long", "far")
    return is_measure and cut.lower(at + 2) == "as" and cut.lower(at + 3) not in ("i", "the")


def find_lost_alternative(cut: Cut) -> Iterator[Loss]:
    """Yield a loss if the quotation omits the first of two alternatives.

    Example: "we must act or [we will see it fall]", where the brackets are the quoted words.
    """
    at = cut.first - 1
    if cut.lower(at) != "or" or not cut.is_statement:
        return
    before = {cut.lower(i) for i in range(max(0, at - PHRASE_WORDS), at)}
    pairs = {f"{cut.lower(i)} {cut.lower(i + 1)}" for i in range(max(0, at - PHRASE_WORDS), at)}
    if not DUTIES.isdisjoint(before) or not DUTY_PHRASES.isdisjoint(pairs):
        yield cut.make_loss(LossKind.CONDITION, Severity.WARNING, max(0, at - PHRASE_WORDS), at)
