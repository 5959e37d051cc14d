"""Find the words outside a cut that govern its words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property

from quotations.clauses import Clause, is_hard
from quotations.cut_vocabulary import (
    ANONYMOUS,
    BE_FORMS,
    CLAUSE_TAKERS,
    CONDITIONS,
    CONTENT_NOUNS,
    COORDINATORS,
    DENIALS,
    FIRST_PERSONS,
    FRAME_VERBS,
    HEDGE_ADJECTIVES,
    HEDGE_ADVERBS,
    HEDGE_NOUNS,
    HEDGE_VERBS,
    NAMING_VERBS,
    NEGATORS,
    NOT_NEGATIVE,
    PROMISES,
    QUESTION_OPENERS,
    REPORT_NOUNS,
    REPORT_VERBS,
    TAG_WORDS,
    THOUGHTS,
    UNREALISED,
    WEAK_MODALS,
    WISHES,
)
from quotations.passages import Passage, Sentence
from quotations.tagging import Word

PHRASE_WORDS = 12
CLEFT_WORDS = 20  # from "what" to "is that"
ASIDE_WORDS = 6
ADJUNCT_WORDS = 4  # from a verb to its "with confidence"
QUOTING_VERBS = frozenset(("said", "told", "tweeted", "wrote", "claimed", "argued"))
SAYING_VERBS = frozenset(("said", "says", "wrote", "writes", "tweeted", "asked", "replied", "answered"))
MODALS_OF_SAYING = frozenset(("will", "would", "may", "might", "can", "could", "'ll", "'d", "to", "always"))
NO_SOURCES = frozenset(("you", "that", "this", "it", "which", "what", "me", "us", "let"))
"""Subjects of "say" who report nobody's words: "that is to say", "let me say"."""

LIMITS = frozenset(("only", "merely", "barely", "rarely", "seldom", "hardly", "scarcely"))
SHARED_VERBS = frozenset(("agree", "agrees", "agreed", "say", "says", "said", "believe", "believes", "think"))
DUTIES = frozenset(("must", "should", "better", "either"))
DUTY_PHRASES = frozenset(("have to", "has to", "got to", "need to", "needs to"))


class LossKind(StrEnum):
    """Name what a cut can lose."""

    NEGATION = "negation"
    CONDITION = "condition"
    HEDGE = "hedge"
    LIMIT = "limit"
    REPORTED = "reported_speech"
    WISH = "wish"
    QUESTION = "question"
    QUOTED = "quoted_words"
    REFERENT = "referent"


class Severity(IntEnum):
    """Grade a loss, from a remark to a changed meaning."""

    NOTE = 1
    WARNING = 2
    GRAVE = 3


@dataclass(frozen=True, slots=True)
class Loss:
    """Point to words outside the cut, `text[start_char:end_char]`, that change how its words are read."""

    kind: LossKind
    severity: Severity
    start_char: int
    end_char: int


@dataclass(frozen=True)
class Cut:
    """Locate the words `first` to `last` (inclusive) of one sentence of a passage."""

    passage: Passage
    sentence: Sentence
    first: int
    last: int

    @property
    def words(self) -> range:
        """Return the indices of the words of the cut."""
        return range(self.first, self.last + 1)

    def get_word(self, at: int) -> Word:
        """Return the word `at` of the sentence."""
        return self.sentence.words[at]

    def lower(self, at: int) -> str:
        """Return the word `at` in lower case; "" outside the sentence."""
        return self.sentence.words[at].lower if 0 <= at < len(self.sentence.words) else ""

    def has(self, at: int | None) -> bool:
        """Return whether the word `at` is in the cut."""
        return at is not None and self.first <= at <= self.last

    @cached_property
    def clauses(self) -> list[Clause]:
        """Return the clauses that have words in the cut."""
        numbers = {self.sentence.clause_of[i].number for i in self.words}
        return [clause for clause in self.sentence.clauses if clause.number in numbers]

    @cached_property
    def is_statement(self) -> bool:
        """Return whether the cut has a clause with its subject and its verb, so that it states something."""
        return any(self._has_subject_and_verb(clause) for clause in self.clauses)

    def _has_subject_and_verb(self, clause: Clause) -> bool:
        """Return whether the outermost clause around `clause` has its subject and verb in the cut."""
        parent = self.get_clause(clause.parent)
        while parent is not None and any(self.has(i) for i in parent.words):
            clause, parent = parent, self.get_clause(parent.parent)
        if clause.kind == "relative" or not self.has(clause.verb):
            return False
        return clause.subject is None or self.has(clause.subject) or clause.subject > self.first

    @cached_property
    def is_predicate(self) -> bool:
        """Return whether the cut begins with a verb, or "to" and a verb: the writer adds subject and
        auxiliary.
        """
        opening = next((i for i in self.words if self.get_word(i).tag not in ("ADV", "PART")), self.first)
        return self.get_word(opening).tag in ("VERB", "AUX")

    @cached_property
    def heads(self) -> list[Clause]:
        """Return the clauses of the cut whose opener, or whose governor, lies outside it."""
        heads = [
            clause
            for clause in self.clauses
            if clause.verb is None or self.has(clause.verb) or clause is self.sentence.clause_of[self.first]
        ]
        outer = {clause.number for clause in heads}
        return [clause for clause in heads if clause.parent not in outer or not self.has(clause.opener)]

    def get_clause(self, number: int | None) -> Clause | None:
        """Return the clause of a number."""
        return None if number is None else self.sentence.clauses[number]

    def climb_content(self, clause: Clause) -> Iterator[Clause]:
        """Yield `clause` and the clauses that it is the content of, from the inside out."""
        yield clause
        while clause.kind == "content" and clause.parent is not None:
            clause = self.sentence.clauses[clause.parent]
            yield clause

    def make_loss(self, kind: LossKind, severity: Severity, first: int, last: int) -> Loss:
        """Return the loss of the words `first` to `last` (inclusive) of the sentence."""
        return Loss(kind, severity, self.get_word(first).start_char, self.get_word(last).end_char)

    def grade_loss(self) -> Severity:
        """Return how grave it is to lose an operator: most in a statement, less in a predicate alone."""
        if self.is_statement:
            return Severity.GRAVE
        return Severity.WARNING if self.is_predicate else Severity.NOTE


def find_losses(passage: Passage, start_char: int, end_char: int) -> list[Loss]:
    """Return the losses of `passage.text[start_char:end_char]`, the gravest first, then in order.

    Read quotation marks as somebody else's words, unless the passage marks them as a statement of the
    speaker.
    """
    losses: dict[tuple[LossKind, int, int], Loss] = {}
    for sentence, words in passage.list_overlapping(start_char, end_char):
        cut = Cut(passage, sentence, words[0], words[-1])
        for rule in RULES:
            for loss in rule(cut):
                if not (loss.start_char >= start_char and loss.end_char <= end_char):
                    earlier = losses.get((loss.kind, loss.start_char, loss.end_char))
                    if earlier is None or earlier.severity < loss.severity:
                        losses[loss.kind, loss.start_char, loss.end_char] = loss
    return sorted(losses.values(), key=lambda loss: (-loss.severity, loss.start_char))


def is_negator(cut: Cut, at: int) -> bool:
    """Return whether the word `at` negates something: "not" does, except in "not only"."""
    word, following = cut.lower(at), cut.lower(at + 1)
    if word not in NEGATORS or following in NOT_NEGATIVE.get(word, ()):
        return False
    if word == "no" and at + 1 < len(cut.sentence.words) and cut.sentence.gaps[at + 1].strip():
        return False  # "No, I will": an answer
    return not (word in ("no", "not") and cut.lower(at - 1) in ("or", "whether"))


def is_negator_word(word: str) -> bool:
    """Return whether a word reverses a denial: "no doubt", "never deny"."""
    return word in NEGATORS or word in ("little", "cannot")


def find_lost_negation(cut: Cut) -> Iterator[Loss]:
    """Find "not", "never", "no" and the like before the cut, in its clause or in one that governs it."""
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
    """Grade a negation; "no" belongs to the noun phrase that follows it: "no [new taxes]"."""
    return (
        max(cut.grade_loss(), Severity.WARNING)
        if at == cut.first - 1 and cut.lower(at) == "no"
        else cut.grade_loss()
    )


def _find_negated_reason(cut: Cut, head: Clause) -> Iterator[Loss]:
    """Find "not because ..." and "not that ..."."""
    if head.opener is not None and head.opener < cut.first and head.kind == "adverbial":
        for at in (head.opener, head.opener - 1):
            if 0 <= at < cut.first and is_negator(cut, at):
                yield cut.make_loss(LossKind.NEGATION, cut.grade_loss(), at, at)
                return


def _find_child_opener(cut: Cut, clause: Clause, head: Clause) -> int:
    """Return the opening of the clause through which `clause` governs `head`."""
    child = head
    while child.parent is not None and child.parent != clause.number:
        child = cut.sentence.clauses[child.parent]
    return child.opener if child.opener is not None else cut.first


def _is_reached(cut: Cut, clause: Clause, at: int, head: Clause) -> bool:
    """Return whether a negator at `at` still negates the cut."""
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
    """Return whether the cut states something after a comma, while the verb of `clause` stands before it."""
    is_before = clause.verb is not None and clause.verb < cut.first
    return is_before and "," in cut.sentence.gaps[cut.first] and cut.is_statement


def _has_coordinated_verb(cut: Cut, clause: Clause, at: int) -> bool:
    """Return whether another verb follows "and" between the negator and the end of the cut."""
    for i in clause.words:
        if at < i <= cut.last and cut.get_word(i).is_finite and i != clause.verb:
            before = i - 1
            while before > at and cut.get_word(before).tag in ("ADV", "PART"):
                before -= 1
            if cut.lower(before) in COORDINATORS and before >= cut.first - 1:
                return before < cut.first or (clause.verb is not None and clause.verb < cut.first)
    return False


def find_lost_denial(cut: Cut) -> Iterator[Loss]:
    """Find verbs before the cut that reverse it: "refuse to ...", "we deny that ..."."""
    for head in cut.heads:
        if head.kind == "content" and head.opener is not None and head.opener <= cut.first:
            governor = _find_governor(cut, head)
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


def _find_governor(cut: Cut, clause: Clause) -> int | None:
    """Return the verb, adjective or noun that a content clause completes."""
    parent = cut.get_clause(clause.parent)
    while parent is not None and clause.opener is not None and _is_bracketed(cut, parent, clause.opener):
        parent = cut.get_clause(parent.parent)  # "let them know, whether they like it or not, that ..."
    if parent is None or clause.opener is None:
        return None
    before = [i for i in parent.words if i < clause.opener]
    if not before:
        return None
    nearest = before[-1] if before[-1] == max(before) else max(before)
    if cut.lower(nearest) in CONTENT_NOUNS or cut.get_word(nearest).tag in ("ADJ", "VERB", "AUX"):
        return nearest
    takers = [i for i in sorted(before, reverse=True) if cut.lower(i) in CLAUSE_TAKERS | CONTENT_NOUNS]
    return takers[0] if takers else nearest


def _is_bracketed(cut: Cut, clause: Clause, stop: int) -> bool:
    """Return whether a clause is one with "whether ... or ...", between commas, that ends before `stop`."""
    return (
        clause.conjunction == "whether"
        and "," in cut.sentence.gaps[stop]
        and any(cut.lower(i) == "or" for i in clause.words)
    )


def find_lost_condition(cut: Cut) -> Iterator[Loss]:
    """Find "if ...", "unless ..." outside the cut, and cuts from within such a clause."""
    for head in cut.heads:
        for clause in cut.climb_content(head):
            if _is_opened_outside(cut, clause) and clause.kind == "adverbial":
                yield from _find_enclosing_condition(cut, clause)
            yield from _find_conditions(cut, clause)


def _is_opened_outside(cut: Cut, clause: Clause) -> bool:
    return (
        clause.opener is not None and clause.opener < cut.first and _find_opener_word(cut, clause) < cut.first
    )


def _find_opener_word(cut: Cut, clause: Clause) -> int:
    """Return the index of the conjunction itself, after words such as "even"."""
    at = clause.opener or 0
    while at < cut.first and cut.lower(at) != clause.conjunction:
        at += 1
    return at


def _find_enclosing_condition(cut: Cut, clause: Clause) -> Iterator[Loss]:
    if _is_frame(cut, _find_origin(cut, clause)) or (cut.is_predicate and not cut.is_statement):
        return
    if clause.last < cut.first and _is_bracketed(cut, clause, clause.last + 1):
        return
    at = _find_opener_word(cut, clause)
    first = clause.opener if clause.opener is not None else at
    as_if = clause.conjunction in ("if", "though") and cut.lower(at - 1) == "as"
    if clause.conjunction in CONDITIONS or as_if:
        yield cut.make_loss(LossKind.CONDITION, cut.grade_loss(), min(first, at - as_if), at)
    elif clause.conjunction in UNREALISED and cut.is_statement:
        yield cut.make_loss(LossKind.CONDITION, Severity.WARNING, first, at)
    elif clause.conjunction == "that" and cut.lower(at - 1) == "so" and cut.is_statement:
        yield cut.make_loss(LossKind.WISH, Severity.WARNING, at - 1, at)


def _find_origin(cut: Cut, clause: Clause) -> Clause:
    """Return the first of the clauses that `clause` is coordinated with."""
    while clause.joined is not None and clause.kind != "main":
        clause = cut.sentence.clauses[clause.joined]
    return clause


def _find_conditions(cut: Cut, clause: Clause) -> Iterator[Loss]:
    """Find conditional clauses outside the cut that depend on `clause` or on what it is coordinated with."""
    owners = {clause.number} | {inner.number for inner in cut.clauses}
    joined = clause
    while joined.joined is not None and joined.coordinator in ("and", "or", ","):
        joined = cut.sentence.clauses[joined.joined]
        owners.add(joined.number)
    for other in cut.sentence.clauses:
        if (
            other.conjunction not in CONDITIONS - {"whether", "lest"}
            or other.parent not in owners
            or not other.words
        ):
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
    """Return the clauses that `clause` is coordinated with, by "and", "or" or a comma."""
    numbers = set()
    while clause.joined is not None and clause.coordinator in ("and", "or", ","):
        clause = cut.sentence.clauses[clause.joined]
        numbers.add(clause.number)
    return numbers


def _is_apart(cut: Cut, clause: Clause) -> bool:
    """Return whether a condition belongs to another clause: interrupted before the cut, or after it."""
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
    """Return whether a condition only introduces: "If you look at the map, ...", "if I may"."""
    lowers = [cut.lower(i) for i in sorted(clause.words) if cut.lower(i) not in ("and", "but", "so")]
    if lowers[1:4] in (["there", "'s", "one"], ["there", "is", "one"], ["there", "'s", "anything"]):
        return True
    return len(lowers) > 2 and lowers[1] in ("you", "i") and (lowers[2] in FRAME_VERBS or len(lowers) == 3)


def _is_next(cut: Cut, clause: Clause) -> bool:
    """Return whether a clause follows the cut directly, without another clause between."""
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
    """Find "except ...", "unless ..." and "only if ..." right after the cut."""
    at = cut.last + 1
    if (
        (cut.lower(at) in ("except", "excluding", "barring", "unless") and cut.is_statement)
        or (cut.lower(at) == "only" and cut.lower(at + 1) in ("if", "when", "because", "after", "by", "with"))
        or (_is_measure(cut, at) and cut.is_statement)
    ):
        yield cut.make_loss(LossKind.CONDITION, Severity.WARNING, at, _find_phrase_end(cut, at))


def _is_measure(cut: Cut, at: int) -> bool:
    """Return whether "as long as", "so far as" or "insofar as" stands at the word `at`."""
    if cut.lower(at) == "insofar":
        return True
    is_measure = cut.lower(at) in ("as", "so") and cut.lower(at + 1) in ("long", "far")
    return is_measure and cut.lower(at + 2) == "as" and cut.lower(at + 3) not in ("i", "the")


def _find_phrase_end(cut: Cut, at: int) -> int:
    while at + 1 < len(cut.sentence.words) and not cut.sentence.gaps[at + 1].strip(" -'’"):
        at += 1
    return at


def find_lost_report(cut: Cut) -> Iterator[Loss]:
    """Find the source of reported words or thoughts: "They say that ...", "the idea that ...", "I think
    ...".
    """
    for head in cut.heads:
        for clause in cut.climb_content(head):
            if clause.kind != "content" or clause.opener is None:
                continue
            governor = _find_governor(cut, clause)
            if governor is None or cut.has(governor) or governor > cut.first:
                continue
            yield from _find_reported(cut, clause, governor)


def find_lost_label(cut: Cut) -> Iterator[Loss]:
    """Find a label that others use: "they call it [a spectacle]", "are characterized as [elitist]"."""
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
    """Find a promise or claim of others: "those who promised [to restore past glory]"."""
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
    last = max(governor, min(_find_opener_word(cut, clause), cut.first - 1))
    if clause.conjunction in ("whether", "if"):
        yield cut.make_loss(LossKind.QUESTION, cut.grade_loss(), governor, last)
        return
    if clause.conjunction not in ("that", ""):
        return
    if word.lower in REPORT_NOUNS:
        if any(cut.lower(i) in ("my", "our") for i in range(max(0, governor - 3), governor)):
            return  # "my firm belief that ..." belongs to the speaker
        yield cut.make_loss(LossKind.REPORTED, cut.grade_loss(), max(first, governor - 3), last)
    elif word.lower in HEDGE_ADJECTIVES | HEDGE_NOUNS:
        yield cut.make_loss(LossKind.HEDGE, _grade_hedge(cut), first, last)
    elif word.tag in ("VERB", "AUX", "ADJ"):
        yield from _find_reported_by_verb(cut, clause, governor, first, last)


def _skip_adjunct(cut: Cut, governor: int) -> int:
    """Return the verb of "reported with high confidence that ..." for its noun; else the word itself."""
    before = range(governor - 1, max(-1, governor - ADJUNCT_WORDS), -1)
    has_with = any(cut.lower(i) == "with" for i in before)
    verb = next((i for i in before if cut.lower(i) in REPORT_VERBS), None)
    return governor if verb is None or not has_with else verb


def _find_reported_by_verb(cut: Cut, clause: Clause, governor: int, first: int, last: int) -> Iterator[Loss]:
    word, subject = cut.lower(governor), _find_subject(cut, clause, governor)
    if subject in FIRST_PERSONS or (subject == "it" and word in HEDGE_VERBS):
        if word in WISHES and word not in ("so", "ask", "insist", "sure", "certain"):
            yield cut.make_loss(LossKind.WISH, _grade_hedge(cut), first, last)
        elif word in HEDGE_VERBS:
            yield cut.make_loss(LossKind.HEDGE, _grade_hedge(cut), first, last)
        elif word in ("sure", "certain") and cut.lower(governor - 1) in ("make", "making", "makes", "made"):
            yield cut.make_loss(LossKind.WISH, _grade_hedge(cut), first, last)
    elif word in ("ensure", "ensures", "ensuring", "ensured") or (
        word in ("sure", "certain") and cut.lower(governor - 1) in ("make", "making", "makes", "made")
    ):
        yield cut.make_loss(LossKind.WISH, _grade_hedge(cut), governor, last)
    elif _has_source(cut, governor, subject) and not _is_taken_over(cut, governor):
        yield cut.make_loss(LossKind.REPORTED, cut.grade_loss(), first, last)


def _has_source(cut: Cut, governor: int, subject: str) -> bool:
    """Return whether a verb says that somebody else says or thinks what follows: "They say that ..."."""
    word = cut.lower(governor)
    if word in REPORT_VERBS and subject not in ("", "you"):
        return True
    if word in QUOTING_VERBS and subject == "you":
        return True  # the words of the person who is addressed
    if word in ("told", "said", "taught") and cut.lower(governor - 1) in BE_FORMS | {"been"}:
        return True
    return word in BE_FORMS and _has_common_view(cut, governor)


def _has_common_view(cut: Cut, governor: int) -> bool:
    """Return whether a verb of being completes "what they agree on is that ..."."""
    for at in range(governor - 1, max(-1, governor - CLEFT_WORDS), -1):
        if cut.lower(at) == "what":
            inside = [cut.lower(i) for i in range(at + 1, governor)]
            agrees = not SHARED_VERBS.isdisjoint(inside)
            return agrees and FIRST_PERSONS.isdisjoint(inside) and "you" not in inside
    return False


def _is_taken_over(cut: Cut, governor: int) -> bool:
    """Return whether the speaker goes on with words of his own: "They said it was close, and I think ..."."""
    for at in range(governor + 1, cut.first):
        joins = cut.lower(at) in COORDINATORS and cut.lower(at + 1) in FIRST_PERSONS
        if joins and (cut.lower(at) == "but" or cut.lower(at + 2) in THOUGHTS | {"know", "say", "want"}):
            return True
    return False


def find_lost_source(cut: Cut) -> Iterator[Loss]:
    """Find the verb of saying right before the cut: "the minister said, [we will not go]"."""
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
    """Return whether "say" stands at the word `at` for what others say: "some will say, [...]"."""
    if cut.lower(at) not in ("say", "argue", "claim", "ask"):
        return False
    subject = at - 2 if cut.lower(at - 1) in MODALS_OF_SAYING else at - 1
    is_source = subject >= 0 and cut.get_word(subject).tag in ("PRON", "NOUN", "PROPN")
    return (is_source or cut.lower(subject) in ANONYMOUS) and cut.lower(subject) not in NO_SOURCES


def find_lost_alternative(cut: Cut) -> Iterator[Loss]:
    """Find what else has to be done: "we must act or [we will see it fall]"."""
    at = cut.first - 1
    if cut.lower(at) != "or" or not cut.is_statement:
        return
    before = {cut.lower(i) for i in range(max(0, at - PHRASE_WORDS), at)}
    pairs = {f"{cut.lower(i)} {cut.lower(i + 1)}" for i in range(max(0, at - PHRASE_WORDS), at)}
    if not DUTIES.isdisjoint(before) or not DUTY_PHRASES.isdisjoint(pairs):
        yield cut.make_loss(LossKind.CONDITION, Severity.WARNING, max(0, at - PHRASE_WORDS), at)


def _grade_hedge(cut: Cut) -> Severity:
    """Grade a hedge: a warning for a cut with a finite verb that is not in a relative clause."""
    return Severity.WARNING if cut.is_statement or cut.get_word(cut.first).is_finite else Severity.NOTE


def _find_subject(cut: Cut, clause: Clause, governor: int) -> str:
    """Return the subject of the saying or thinking, lower-case; "" for an imperative: "Let me say that
    ...".
    """
    parent = cut.get_clause(clause.parent)
    if parent is None or parent.verb is None:
        return ""
    if cut.passage.surname and any(cut.lower(i) == cut.passage.surname for i in parent.words):
        return "i"  # a statement that names its speaker
    passive = governor > 0 and cut.lower(governor - 1) in BE_FORMS and cut.get_word(governor).form == "Part"
    if passive and cut.lower(governor) in ("told", "said", "taught", "led", "reported", "alleged"):
        return "they"
    before = [i for i in parent.words if i < parent.verb]
    if any(cut.lower(i) in FIRST_PERSONS for i in before):
        return "i"
    for i in sorted(before, reverse=True):
        if cut.get_word(i).tag in ("PRON", "NOUN", "PROPN") or cut.lower(i) in ANONYMOUS:
            return cut.lower(i)
    if cut.lower(parent.verb) in ("let", "may"):
        return "i"
    return ""


def find_lost_aside(cut: Cut) -> Iterator[Loss]:
    """Find an attribution in an aside next to the cut: "..., they say"; "according to ..."."""
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
                yield cut.make_loss(LossKind.HEDGE, _grade_hedge(cut), clause.first, clause.last)
        elif ("you" not in lowers or _is_quoting_addressee(cut, clause)) and cut.lower(verb) in REPORT_VERBS:
            yield cut.make_loss(LossKind.REPORTED, cut.grade_loss(), clause.first, clause.last)
    for at in (cut.last + 1, *range(max(0, cut.first - 8), cut.first)):
        if (
            cut.lower(at) == "according"
            and cut.lower(at + 1) == "to"
            and not (at < cut.first and cut.get_word(at).tag == "AUX")
        ):
            yield cut.make_loss(
                LossKind.REPORTED,
                min(cut.grade_loss(), Severity.WARNING),
                at,
                min(_find_phrase_end(cut, at), at + 8),
            )


def _is_quoting_addressee(cut: Cut, clause: Clause) -> bool:
    """Return whether "you said", "you tweeted" stands before the clauses that govern the cut."""
    lowers = {cut.lower(i) for i in clause.words}
    openings = {outer.first for head in cut.heads for outer in cut.climb_content(head) if outer.words}
    return "you" in lowers and not lowers.isdisjoint(QUOTING_VERBS) and clause.last + 1 in openings


def _has_hedge(cut: Cut) -> bool:
    """Return whether the cut itself contains "I think" or the like."""
    return any(cut.lower(i) in HEDGE_VERBS and cut.lower(i - 1) in FIRST_PERSONS for i in cut.words)


def find_lost_hedge(cut: Cut) -> Iterator[Loss]:
    """Find "perhaps" and the like in the clause of the cut, and modals before "have done"."""
    for head in cut.heads:
        for at in head.words:
            is_near = at < cut.first or (at <= cut.last + 2 and _is_aside(cut, at))
            if cut.lower(at) in HEDGE_ADVERBS and not cut.has(at) and is_near and cut.lower(at - 1) != "not":
                severity = _grade_hedge(cut) if not cut.get_word(cut.first).is_finite else Severity.WARNING
                yield cut.make_loss(LossKind.HEDGE, severity, at, at)
    before = cut.first - 1
    if before < 0 or cut.sentence.gaps[cut.first].strip():
        return
    if cut.lower(before) in WEAK_MODALS and cut.get_word(cut.first).tag in ("VERB", "AUX"):
        severity = Severity.WARNING if cut.lower(cut.first) == "have" else Severity.NOTE
        yield cut.make_loss(LossKind.HEDGE, severity, before, before)
    elif cut.lower(before) == "have" and cut.lower(before - 1) in WEAK_MODALS:
        yield cut.make_loss(LossKind.HEDGE, Severity.WARNING, before - 1, before)
    elif cut.lower(before) in ("almost", "nearly", "few"):
        yield cut.make_loss(LossKind.HEDGE, Severity.WARNING, before, before)


def find_lost_limit(cut: Cut) -> Iterator[Loss]:
    """Find the word that limits the cut, right before it: "only [an alert citizenry can do it]"."""
    at = cut.first - 1
    if cut.lower(at) not in LIMITS or cut.sentence.gaps[cut.first].strip():
        return
    if is_negator(cut, at - 1) or cut.lower(at - 1) in ("not", "n't"):
        return  # "not only"
    severity = Severity.WARNING if cut.is_statement or cut.lower(at) != "only" else Severity.NOTE
    yield cut.make_loss(LossKind.LIMIT, severity, at, at)


def _is_aside(cut: Cut, at: int) -> bool:
    """Return whether punctuation, or the end of the sentence, follows the word `at`."""
    return at + 1 == len(cut.sentence.words) or cut.sentence.gaps[at + 1].strip() != ""


def find_lost_question(cut: Cut) -> Iterator[Loss]:
    """Find the question mark outside a cut that is a question or part of one."""
    tail = cut.passage.text[cut.get_word(len(cut.sentence.words) - 1).end_char : cut.sentence.end_char]
    mark = tail.find("?")
    if mark < 0 or not cut.is_statement or cut.lower(len(cut.sentence.words) - 1) in TAG_WORDS:
        return
    if not any(head.kind in ("main", "content") for head in cut.heads):
        return
    at = cut.get_word(len(cut.sentence.words) - 1).end_char + mark
    asks = any(cut.has(head.verb) and head.kind in ("main", "content") for head in cut.heads)
    severity = Severity.NOTE if _is_interrogative(cut) else Severity.GRAVE if asks else Severity.WARNING
    yield Loss(LossKind.QUESTION, severity, at, at + 1)


def _is_interrogative(cut: Cut) -> bool:
    """Return whether the cut has the form of a question, or is a whole one without its mark."""
    if cut.last == len(cut.sentence.words) - 1:
        mains = [clause for clause in cut.sentence.clauses if clause.kind == "main" and clause.words]
        if mains and mains[-1].first >= cut.first:
            return True
    for i in cut.words:
        opens = i == cut.first or cut.sentence.gaps[i].strip() != "" or cut.lower(i - 1) in COORDINATORS
        following = cut.get_word(i + 1) if i < cut.last else None
        is_inverted = (
            cut.get_word(i).tag == "AUX"
            and following is not None
            and following.tag in ("PRON", "DET", "NOUN")
        )
        if opens and (is_inverted or cut.lower(i) in QUESTION_OPENERS):
            return True
    return False


OWN_WORDS = re.compile(
    r"""\b(?:I|we|I['’](?:ve|d))\s+(?:\w+\s+){0,3}?
    (?:said|say|told|tell|asked|wrote|promised|thought|ask|add|replied|tweeted)\b""",
    re.VERBOSE | re.IGNORECASE,
)
LEAD_CHARACTERS = 120
READ_TITLE_WORDS = 4  # quotations up to this length are mostly titles, names and words used ironically


def _find_lead(passage: Passage, opens: int) -> int:
    """Return where the words begin that lead up to a quotation in the same sentence."""
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
    """Find cuts from within quotation marks: words that the speaker reads out or attributes to somebody
    else.
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


Rule = Callable[[Cut], Iterator[Loss]]
RULES: tuple[Rule, ...] = (
    find_lost_negation,
    find_lost_denial,
    find_lost_condition,
    find_lost_exception,
    find_lost_report,
    find_lost_label,
    find_lost_promise,
    find_lost_source,
    find_lost_alternative,
    find_lost_aside,
    find_lost_hedge,
    find_lost_limit,
    find_lost_question,
    find_lost_quotation,
)
