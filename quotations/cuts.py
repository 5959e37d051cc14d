"""Describe a cut of a sentence: its words, its clauses, and what it loses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property

from quotations.clauses import Clause
from quotations.cut_vocabulary import CLAUSE_TAKERS, CONTENT_NOUNS
from quotations.passages import Passage, Sentence
from quotations.tagging import Word


class LossKind(StrEnum):
    """Kinds of loss by a cut."""

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
    """Severity of a loss, from a remark to a changed meaning."""

    NOTE = 1
    WARNING = 2
    GRAVE = 3


@dataclass(frozen=True, slots=True)
class Loss:
    """Locate words outside the cut, `text[start_char:end_char]`, that change the meaning of the words
    inside.
    """

    kind: LossKind
    severity: Severity
    start_char: int
    end_char: int


@dataclass
class Cut:
    """Hold a cut: the words `first` to `last` (inclusive) of one sentence of a passage."""

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
        """Return word number `at` in lower case; "" outside the sentence."""
        return self.sentence.words[at].lower if 0 <= at < len(self.sentence.words) else ""

    def has(self, at: int | None) -> bool:
        """Return whether the cut contains word number `at`."""
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
        """Return whether the cut begins with a verb, or with "to" and a verb, so that the writer supplies the
        subject.
        """
        opening = next((i for i in self.words if self.get_word(i).tag not in ("ADV", "PART")), self.first)
        return self.get_word(opening).tag in ("VERB", "AUX")

    @cached_property
    def heads(self) -> list[Clause]:
        """Return the clauses of the cut whose opener or governing word is outside the cut."""
        heads = [
            clause
            for clause in self.clauses
            if clause.verb is None or self.has(clause.verb) or clause is self.sentence.clause_of[self.first]
        ]
        outer = {clause.number for clause in heads}
        return [clause for clause in heads if clause.parent not in outer or not self.has(clause.opener)]

    def get_clause(self, number: int | None) -> Clause | None:
        """Return the clause with a number; `None` if `number` is `None`."""
        return None if number is None else self.sentence.clauses[number]

    def climb_content(self, clause: Clause) -> Iterator[Clause]:
        """Yield `clause`, then the clause whose content it states ("I know" for "that it rains"), and so on
        outwards.
        """
        yield clause
        while clause.kind == "content" and clause.parent is not None:
            clause = self.sentence.clauses[clause.parent]
            yield clause

    def make_loss(self, kind: LossKind, severity: Severity, first: int, last: int) -> Loss:
        """Return a loss for the words `first` to `last` (inclusive) of the sentence."""
        return Loss(kind, severity, self.get_word(first).start_char, self.get_word(last).end_char)

    def grade_loss(self) -> Severity:
        """Return the severity of a lost negation, condition or hedge.

        The loss is grave if the cut is a statement. It is a warning if the cut is a predicate, and a note
        otherwise.
        """
        if self.is_statement:
            return Severity.GRAVE
        return Severity.WARNING if self.is_predicate else Severity.NOTE

    def grade_hedge(self) -> Severity:
        """Return the severity of a lost hedge.

        It is a warning if the cut is a statement or begins with a finite verb, and a note otherwise.
        """
        is_finite = self.get_word(self.first).is_finite
        return Severity.WARNING if self.is_statement or is_finite else Severity.NOTE

    def find_opener_word(self, clause: Clause) -> int:
        """Return the index of a clause's conjunction before the cut, without words such as "even"."""
        at = clause.opener or 0
        while at < self.first and self.lower(at) != clause.conjunction:
            at += 1
        return at

    def find_phrase_end(self, at: int) -> int:
        """Return the index of the last word before punctuation, from word `at` on."""
        while at + 1 < len(self.sentence.words) and not self.sentence.gaps[at + 1].strip(" -'’"):
            at += 1
        return at


def find_governor(cut: Cut, clause: Clause) -> int | None:
    """Return the index of the verb, adjective or noun whose content a clause states."""
    parent = cut.get_clause(clause.parent)
    while parent is not None and clause.opener is not None and is_bracketed(cut, parent, clause.opener):
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


def is_bracketed(cut: Cut, clause: Clause, stop: int) -> bool:
    """Return whether a clause is a "whether ... or ..." between commas that ends before `stop`."""
    return (
        clause.conjunction == "whether"
        and "," in cut.sentence.gaps[stop]
        and any(cut.lower(i) == "or" for i in clause.words)
    )
