"""Define `Cut`, the words that a quotation takes from a sentence, and `Loss`, words left out that change its
meaning.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cached_property

from quotations.grammar.clauses import Clause
from quotations.grammar.cut_vocabulary import CLAUSE_TAKERS, CONTENT_NOUNS
from quotations.grammar.passages import Passage, Sentence
from quotations.grammar.tagging import Word


class LossKind(StrEnum):
    """Name what a quotation loses with the words that it leaves out: a negation, a condition, a hedge."""

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
    """Grade how serious it is that a quotation leaves out certain words; a greater value is graver."""

    NOTE = 1
    WARNING = 2
    GRAVE = 3


@dataclass(frozen=True, slots=True)
class Loss:
    """Locate words that a quotation leaves out and that change its meaning: `text[start_char:end_char]`."""

    kind: LossKind
    severity: Severity
    start_char: int
    end_char: int


@dataclass
class Cut:
    """Hold a cut, the words that a quotation takes from a sentence: its words `first` to `last`
    (inclusive).
    """

    passage: Passage
    sentence: Sentence
    first: int
    last: int

    @property
    def words(self) -> range:
        """Return the indices that the quoted words have in their sentence."""
        return range(self.first, self.last + 1)

    def get_word(self, at: int) -> Word:
        """Return the word with index `at` in the sentence."""
        return self.sentence.words[at]

    def lower(self, at: int) -> str:
        """Return the word with index `at` in lower case; "" if the sentence has no such word."""
        return self.sentence.words[at].lower if 0 <= at < len(self.sentence.words) else ""

    def has(self, at: int | None) -> bool:
        """Return whether the cut, the quoted words, contains the word with index `at`."""
        return at is not None and self.first <= at <= self.last

    @cached_property
    def clauses(self) -> list[Clause]:
        """Return the clauses of which the cut (the quoted words) has at least one word."""
        numbers = {self.sentence.clause_of[i].number for i in self.words}
        return [clause for clause in self.sentence.clauses if clause.number in numbers]

    @cached_property
    def is_statement(self) -> bool:
        """Return whether the cut has a clause with its subject and its verb, so that it states something."""
        return any(self._has_subject_and_verb(clause) for clause in self.clauses)

    def _has_subject_and_verb(self, clause: Clause) -> bool:
        """Return whether the cut has the subject and the verb of `clause`, or of a clause that governs it.

        The outermost of these clauses decides, among those with words in the cut. Its verb must be in the
        cut. Its subject may be missing, but must not come before the cut. For a relative clause, the result
        is false.
        """
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
        """Return the clauses of the cut that are introduced outside it: by a word or by another clause.

        Examples, with the cut in brackets: "if [they come]", "I think [they come]".
        """
        heads = [
            clause
            for clause in self.clauses
            if clause.verb is None or self.has(clause.verb) or clause is self.sentence.clause_of[self.first]
        ]
        outer = {clause.number for clause in heads}
        return [clause for clause in heads if clause.parent not in outer or not self.has(clause.opener)]

    def get_clause(self, number: int | None) -> Clause | None:
        """Return the clause with this number in the sentence; `None` if `number` is `None`."""
        return None if number is None else self.sentence.clauses[number]

    def climb_content(self, clause: Clause) -> Iterator[Clause]:
        """Yield a clause, then the clause to which it belongs as content ("I know"), and so on outwards.

        For "that it rains" in "I know that it rains", yield this clause, then the clause "I know".
        """
        yield clause
        while clause.kind == "content" and clause.parent is not None:
            clause = self.sentence.clauses[clause.parent]
            yield clause

    def make_loss(self, kind: LossKind, severity: Severity, first: int, last: int) -> Loss:
        """Return the words `first` to `last` (inclusive) of the sentence as a loss.

        A loss is a passage whose omission changes the meaning.
        """
        return Loss(kind, severity, self.get_word(first).start_char, self.get_word(last).end_char)

    def grade_loss(self) -> Severity:
        """Return the severity of a loss, such as that of a negation or a condition.

        The loss is grave if the quoted words are a statement (have a subject and a verb). It is a warning if
        they are a predicate (begin with a verb), and a note otherwise. For hedges, see `grade_hedge`.
        """
        if self.is_statement:
            return Severity.GRAVE
        return Severity.WARNING if self.is_predicate else Severity.NOTE

    def grade_hedge(self) -> Severity:
        """Return the severity of a hedge, such as "perhaps", that the quotation leaves out.

        It is a warning if the quoted words are a statement (have a subject and a verb) or begin with a finite
        verb. Otherwise it is a note.
        """
        is_finite = self.get_word(self.first).is_finite
        return Severity.WARNING if self.is_statement or is_finite else Severity.NOTE

    def find_opener_word(self, clause: Clause) -> int:
        """Return the index of the conjunction of a clause that opens before the cut: of "if" in "even if".

        The cut is the quoted words. If the conjunction is not before it, return the index of the cut's first
        word. If the whole clause comes after that word, return the index of the clause's first opening word.
        """
        at = clause.opener or 0
        while at < self.first and self.lower(at) != clause.conjunction:
            at += 1
        return at

    def find_phrase_end(self, at: int) -> int:
        """Return the index of the last word of the phrase that contains the word `at`; punctuation ends the
        phrase.
        """
        while at + 1 < len(self.sentence.words) and not self.sentence.gaps[at + 1].strip(" -'’"):
            at += 1
        return at


def find_governor(cut: Cut, clause: Clause) -> int | None:
    """Return the index of the word on which a clause depends; `None` if it depends on no word before it.

    The word is a verb, adjective or noun. In "I know that it rains", the clause "that it rains" depends on
    "know".
    """
    parent = cut.get_clause(clause.parent)
    while parent is not None and clause.opener is not None and is_bracketed(cut, parent, clause.opener):
        parent = cut.get_clause(parent.parent)  # "let them know, whether they like it or not, that ..."
    if parent is None or clause.opener is None:
        return None
    before = [i for i in parent.words if i < clause.opener]
    if not before:
        return None
    nearest = max(before)
    if cut.lower(nearest) in CONTENT_NOUNS or cut.get_word(nearest).tag in ("ADJ", "VERB", "AUX"):
        return nearest
    takers = [i for i in sorted(before, reverse=True) if cut.lower(i) in CLAUSE_TAKERS | CONTENT_NOUNS]
    return takers[0] if takers else nearest


def is_bracketed(cut: Cut, clause: Clause, stop: int) -> bool:
    """Return whether a clause is an insertion such as "whether they like it or not", with a comma after it.

    `stop` is the index of the word after this comma.
    """
    return (
        clause.conjunction == "whether"
        and "," in cut.sentence.gaps[stop]
        and any(cut.lower(i) == "or" for i in clause.words)
    )
