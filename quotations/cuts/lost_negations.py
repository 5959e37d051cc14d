"""Find words before a quotation that reverse its meaning, such as "not" and "refuse"."""

from __future__ import annotations

from collections.abc import Iterator

from quotations.cuts.cuts import Cut, Loss, LossKind, Severity, find_governor
from quotations.grammar.clauses import Clause
from quotations.grammar.cut_vocabulary import CONDITIONS, COORDINATORS, DENIALS, NEGATORS, NOT_NEGATIVE
from quotations.grammar.gaps import is_hard


def is_negator(cut: Cut, at: int) -> bool:
    """Return whether word number `at` negates something; "not" in "not only" does not."""
    word, following = cut.lower(at), cut.lower(at + 1)
    if word not in NEGATORS or following in NOT_NEGATIVE.get(word, ()):
        return False
    if word == "no" and at + 1 < len(cut.sentence.words) and cut.sentence.gaps[at + 1].strip():
        return False  # "No, I will": an answer
    return not (word in ("no", "not") and cut.lower(at - 1) in ("or", "whether"))


def is_negator_word(word: str) -> bool:
    """Return whether a word negates the word after it: "no" in "no doubt", "never" in "never deny"."""
    return word in NEGATORS or word in ("little", "cannot")


def find_lost_negation(cut: Cut) -> Iterator[Loss]:
    """Yield a loss for "not", "never", "no" and the like before the quoted words.

    The negation stands in the clause of the quoted words, or in a clause that governs this clause.
    """
    for head in cut.heads:
        for clause in cut.climb_content(head):
            stop = cut.first if clause is head else _find_child_opener(cut, clause, head)
            for at in sorted(clause.words):
                if at < min(stop, cut.first) and is_negator(cut, at) and _is_reached(cut, clause, at, head):
                    is_supposed = head.conjunction in CONDITIONS and not cut.is_statement
                    grade = Severity.NOTE if is_supposed else _grade_negation(cut, at)
                    yield cut.make_loss(LossKind.NEGATION, grade, at, at)
        yield from _find_negated_reason(cut, head)


def _grade_negation(cut: Cut, at: int) -> Severity:
    """Return the severity of a lost negation: at least a warning for "no" right before the quoted words.

    Such a "no" belongs to the noun phrase after it: "no [new taxes]", where the brackets are the quoted
    words.
    """
    return (
        max(cut.grade_loss(), Severity.WARNING)
        if at == cut.first - 1 and cut.lower(at) == "no"
        else cut.grade_loss()
    )


def _find_negated_reason(cut: Cut, head: Clause) -> Iterator[Loss]:
    """Yield a loss for the "not" of "not because ..." if the quoted words begin inside this clause.

    Example: "not because [they are easy]", where the brackets are the quoted words.
    """
    if head.opener is not None and head.opener < cut.first and head.kind == "adverbial":
        for at in (head.opener, head.opener - 1):
            if 0 <= at < cut.first and is_negator(cut, at):
                yield cut.make_loss(LossKind.NEGATION, cut.grade_loss(), at, at)
                return


def _find_child_opener(cut: Cut, clause: Clause, head: Clause) -> int:
    """Return the index of the word, such as "that", with which the clause right below `clause` begins.

    `head` is this clause, or depends on it. In "I do not say that we think it rains", `clause` is "I do not
    say" and `head` is "it rains". The clause right below is "that we think". If no such word opens the
    clause, the result is the first word of the cut (the quoted words).
    """
    child = head
    while child.parent is not None and child.parent != clause.number:
        child = cut.sentence.clauses[child.parent]
    return child.opener if child.opener is not None else cut.first


def _is_reached(cut: Cut, clause: Clause, at: int, head: Clause) -> bool:
    """Return whether the negation at word `at` of `clause` still applies to the quoted words.

    `head` is the clause of the quoted words. The negation does not apply if, for example, a dash, "but" or a
    verb after "and" comes between.
    """
    stop = cut.first
    between = [i for i in clause.words if at < i < stop]
    if any(is_hard(cut.sentence.gaps[i]) for i in [*between, stop]):
        return False
    if any(cut.lower(i) == "but" for i in range(at, stop)):
        return False
    if cut.lower(at) in ("without", "neither", "nor"):
        return all("," not in cut.sentence.gaps[i] for i in [*between, stop])
    if clause is head and (_has_coordinated_verb(cut, clause, at) or _is_clause_of_its_own(cut, clause)):
        return False
    is_subject = clause.verb is not None and at < clause.verb
    if cut.lower(at) in ("no", "nothing", "nobody", "none") and not is_subject:
        return all("," not in cut.sentence.gaps[i] for i in [*between, stop])
    return True


def _is_clause_of_its_own(cut: Cut, clause: Clause) -> bool:
    """Return whether the quoted words are a whole statement that follows `clause` after a comma.

    Example: "I did not run, [I walked]", with the quoted words in brackets.
    """
    is_before = clause.verb is not None and clause.verb < cut.first
    return is_before and "," in cut.sentence.gaps[cut.first] and cut.is_statement


def _has_coordinated_verb(cut: Cut, clause: Clause, at: int) -> bool:
    """Return whether "and" adds a further verb, in the quoted words, that the negation need not negate.

    Example: "He did not wait and [went home]".
    """
    for i in clause.words:
        if at < i <= cut.last and cut.get_word(i).is_finite and i != clause.verb:
            before = i - 1
            while before > at and cut.get_word(before).tag in ("ADV", "PART"):
                before -= 1
            if cut.lower(before) in COORDINATORS and before >= cut.first - 1:
                return before < cut.first or (clause.verb is not None and clause.verb < cut.first)
    return False


def find_lost_denial(cut: Cut) -> Iterator[Loss]:
    """Yield a loss for a verb before the quoted words that reverses them: "refuse to ...", "we deny that
    ...".
    """
    for head in cut.heads:
        if head.kind == "content" and head.opener is not None and head.opener <= cut.first:
            governor = _find_denier(cut, find_governor(cut, head))
            is_undenied = governor is not None and is_negator_word(cut.lower(governor - 1))
            if (
                governor is not None
                and governor < cut.first
                and cut.lower(governor) in DENIALS
                and not is_undenied
            ):
                yield cut.make_loss(LossKind.NEGATION, cut.grade_loss(), governor, governor)
        else:
            yield from _find_denied_verb(cut)


def _find_denier(cut: Cut, governor: int | None) -> int | None:
    """Return the index of the word that denies the infinitive at `governor`.

    For "believe" in "refuse to believe that ...", it is "refuse". Without such a word, return `governor`.
    """
    is_infinitive = governor is not None and cut.lower(governor - 1) == "to"
    if governor is None or not is_infinitive or cut.lower(governor - 2) not in DENIALS | DECLINING:
        return governor
    return governor - 2


DECLINING = frozenset(("decline", "declines", "declined"))


def _find_denied_verb(cut: Cut) -> Iterator[Loss]:
    for at in range(cut.first - 1, max(-1, cut.first - 4), -1):
        if cut.sentence.gaps[at + 1].strip():
            return
        word = cut.get_word(at)
        if word.lower in DENIALS and word.tag in ("VERB", "ADJ") and cut.is_predicate:
            yield cut.make_loss(LossKind.NEGATION, Severity.WARNING, at, at)
            return
        if word.lower not in ("to", "from", "even") and word.tag not in ("ADV", "PRON", "DET", "NOUN"):
            return
