"""Split an English sentence into clauses, and find for each clause the clause that it depends on.

The parser reads tagged words from left to right with a stack of open clauses, so the time grows with the
number of words. It knows openers ("if", "that", "who"), coordination and punctuation, but little about noun
phrases. So it is mostly right about which clause governs another, and less often about what a phrase
modifies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from quotations.grammar.clause_openers import (
    DESCRIBED_TAGS,
    OPENERS,
    ClauseKind,
    find_opener,
    is_content_start,
    is_relative_start,
)
from quotations.grammar.cut_vocabulary import BE_FORMS, COORDINATORS, NOMINATIVES, THOUGHTS
from quotations.grammar.gaps import HARD, is_hard
from quotations.grammar.sentence_words import LOOK_AHEAD, SentenceWords
from quotations.grammar.tagging import Word

BETWEEN_VERBS = frozenset(("ADV", "PART"))


@dataclass(slots=True)
class Clause:
    """Hold one clause: the indices of its words, the word that opens it ("if"), the clause that it depends
    on.

    `opener` is the index of the first opening word, such as "even" in "even if"; `None` in a main clause.
    `conjunction` is the last opening word in lower case, such as "if" in "even if"; "" without one.
    `parent` is the number of the clause that this clause depends on. In "We sing and they dance", the second
    clause is coordinated with the first: `coordinator` is "and" and `joined` is the number of the first. A
    coordinator may also be a mark such as ";".
    """

    number: int
    kind: ClauseKind
    parent: int | None = None
    opener: int | None = None
    conjunction: str = ""
    joined: int | None = None
    coordinator: str = ""
    verb: int | None = None
    subject: int | None = None
    words: list[int] = field(default_factory=list)

    @property
    def first(self) -> int:
        """Return the index, in the sentence, of the first word of the clause."""
        return min(self.words) if self.words else self.opener or 0

    @property
    def last(self) -> int:
        """Return the index, in the sentence, of the last word of the clause."""
        return max(self.words) if self.words else self.opener or 0


def find_clauses(words: Sequence[Word], gaps: Sequence[str]) -> list[Clause]:
    """Return the clauses of one sentence; the first is a main clause.

    `gaps[i]` is the text between the words `i - 1` and `i`.
    """
    return _Parser(words, gaps).parse()


class _Parser:
    def __init__(self, words: Sequence[Word], gaps: Sequence[str]) -> None:
        self._words, self._gaps = words, gaps
        self._text = SentenceWords(words, gaps)
        self._clauses = [Clause(0, "main")]
        self._stack = [self._clauses[0]]

    def parse(self) -> list[Clause]:
        at = 0
        while at < len(self._words):
            if self._text.is_hard[at]:
                self._break(at)
            at += self._step(at)
        self._find_imperatives()
        self._attach_thoughts()
        return self._clauses

    @property
    def _current(self) -> Clause:
        return self._stack[-1]

    def _step(self, at: int) -> int:
        """Assign the word at `at` to a clause, and return how many words were read: 2 for the opener "even
        if".
        """
        word = self._words[at]
        verb = self._stack[-1].verb
        opener = find_opener(self._text, at, verb) if word.lower in OPENERS else None
        if opener is not None:
            kind, length = opener
            return self._open(kind, at, length)
        if word.lower in COORDINATORS and word.tag in ("CCONJ", "ADV", "SCONJ"):
            if at and verb is not None and self._text.is_clause_start(at + 1):
                self._begin_coordinated(at)
        elif word.lower == "then" and at and self._text.is_clause_start(at + 1):
            self._return_to_waiting()
        elif is_content_start(self._text, at, verb):
            self._push("content", at, "")
        elif word.lower in NOMINATIVES and is_relative_start(self._text, at, verb):
            self._push("relative", at, "")
        if word.form == "Fin":
            self._place_verb(at)
        self._current.words.append(at)
        return 1

    def _return_to_waiting(self) -> None:
        """Make the innermost open clause without a verb the current clause, and close the clauses inside it.

        In "We, if asked, will go", the verb "will" belongs to the clause of "We".
        """
        for depth in range(len(self._stack) - 1, -1, -1):
            if self._stack[depth].verb is None:
                del self._stack[depth + 1 :]
                return

    def _break(self, at: int) -> None:
        """Begin a new main clause at the word `at`, which follows strong punctuation such as ";" or a dash.

        Do nothing if the main clause or the current clause still lacks its verb, or if no verb follows.
        """
        if self._current.verb is not None:
            lowers = [word.lower for word in self._words[at : at + 2]]
            if lowers[1:] == ["that"] and lowers[0] in COORDINATORS:
                return  # "they say that ... — and that ..."
            if self._stack[0].verb is None or not self._text.has_verb_ahead(at, LOOK_AHEAD * 2):
                return
            mark = next((mark for mark in self._gaps[at].strip() if mark in HARD), "—")
            self._begin_main(mark)

    def _begin_main(self, coordinator: str) -> None:
        root = self._stack[0]
        self._stack = [self._add_clause("main", joined=root.number, coordinator=coordinator)]

    def _add_clause(self, kind: ClauseKind, **fields: int | str | None) -> Clause:
        clause = Clause(len(self._clauses), kind, **fields)  # type: ignore[arg-type]
        self._clauses.append(clause)
        return clause

    def _open(self, kind: ClauseKind, at: int, length: int) -> int:
        conjunction = self._words[at + length - 1].lower
        current = self._current
        if (
            current.kind == kind
            and current.conjunction == conjunction
            and current.verb is not None
            and at
            and (
                "," in self._gaps[at]
                or is_hard(self._gaps[at])
                or self._words[at - 1].lower in COORDINATORS
                or self._words[at].lower in COORDINATORS
            )
        ) and len(self._stack) > 1:
            self._stack.pop()
        elif conjunction == "that" and kind == "content":
            self._return_to_governor()
        self._push(kind, at, conjunction)
        self._current.words.extend(range(at, at + length))
        return length

    def _return_to_governor(self) -> None:
        """Make the governor of the last "that" clause current, so that it also governs the next "that"
        clause.

        In "we do not think that ..., or that ...", both clauses depend on "we do not think". This is needed
        because the parser has begun a main clause at the comma or dash before "or".
        """
        current = self._current
        if current.kind != "main" or current.verb is not None or current.joined is None:
            return
        for clause in reversed(self._clauses):
            if clause.kind == "content" and clause.conjunction == "that" and clause.parent is not None:
                self._stack = self._list_governors(clause)
                return

    def _list_governors(self, clause: Clause) -> list[Clause]:
        """Return the clauses that `clause` depends on, outermost first."""
        governors: list[Clause] = []
        while clause.parent is not None:
            clause = self._clauses[clause.parent]
            governors.insert(0, clause)
        return governors

    def _push(self, kind: ClauseKind, at: int, conjunction: str) -> None:
        clause = self._add_clause(kind, parent=self._current.number, opener=at, conjunction=conjunction)
        self._stack.append(clause)

    def _begin_coordinated(self, at: int) -> None:
        """Begin a clause that the coordinator at `at` ("and", "but") joins to an open (unfinished) clause.

        After a comma, or with "but", "so", "nor" or "yet", this open clause is the main clause. In other
        cases, it is the innermost open clause that has a verb and is not relative.
        """
        coordinator = self._words[at].lower
        is_outer = "," in self._gaps[at] or coordinator in ("but", "so", "nor", "yet")
        while len(self._stack) > 1 and (
            self._current.verb is None or is_outer or self._current.kind == "relative"
        ):
            self._stack.pop()
        joined = self._current
        clause = self._add_clause(
            joined.kind,
            parent=joined.parent,
            opener=joined.opener,
            conjunction=joined.conjunction,
            joined=joined.number,
            coordinator=coordinator,
        )
        self._stack[-1] = clause

    def _place_verb(self, at: int) -> None:
        current = self._current
        if current.verb is None:
            current.verb, current.subject = at, self._text.find_subject(at)
        elif not self._is_coordinated_verb(at):
            self._resume(at)

    def _is_coordinated_verb(self, at: int) -> bool:
        """Return whether the verb at `at` shares its subject with the verb before it: "left" in "He came and
        left".
        """
        before = at - 1
        while before > 0 and self._words[before].tag in BETWEEN_VERBS and not self._gaps[before + 1].strip():
            before -= 1
        if before < 0:
            return True
        previous = self._words[at - 1]
        if self._words[before].lower in COORDINATORS or (previous.is_finite and previous.tag == "AUX"):
            return True
        if self._text.is_caused(at):
            return True
        is_awaited = any(clause.verb is None for clause in self._stack[:-1])
        return "," in self._gaps[before + 1] and not (is_awaited and not self._text.has_main_after(at))

    def _resume(self, at: int) -> None:
        """Assign the verb at word `at` to the nearest enclosing clause without a verb, or to a new clause."""
        start = self._text.find_subject_start(at)
        for depth in range(len(self._stack) - 2, -1, -1):
            waiting = self._stack[depth]
            if waiting.verb is None:
                self._move(start, at, waiting)
                del self._stack[depth + 1 :]
                waiting.verb, waiting.subject = at, self._text.find_subject(at)
                return
        source = self._current
        if start >= at or self._words[start].tag not in DESCRIBED_TAGS:
            return
        if "," in self._gaps[start] or is_hard(self._gaps[start]):
            self._begin_main(",")
        else:
            verbs = [i for i in range(start) if self._words[i].tag in ("VERB", "AUX")]
            is_copula = bool(verbs) and self._words[verbs[-1]].lower in BE_FORMS
            self._push("relative" if is_copula else "content", start, "")
        self._take(start, at, source, self._current)
        self._current.verb, self._current.subject = at, self._text.find_subject(at)

    def _move(self, start: int, at: int, target: Clause) -> None:
        if start < at and ("," in self._gaps[start] or is_hard(self._gaps[start])):
            self._take(start, at, self._current, target)

    @staticmethod
    def _take(start: int, at: int, source: Clause, target: Clause) -> None:
        taken = [i for i in source.words if start <= i < at]
        source.words = [i for i in source.words if not start <= i < at]
        target.words.extend(taken)

    def _attach_thoughts(self) -> None:
        """Mark a main clause after "I think" and a comma as the content of that thought.

        In "I think, they will come", "they will come" depends on "think".
        """
        governors = {clause.parent for clause in self._clauses if clause.kind == "content"}
        for clause in self._clauses:
            if clause.kind != "main" or clause.coordinator != "," or clause.joined is None:
                continue
            thought = self._clauses[clause.joined]
            verb = thought.verb
            if verb is None or self._words[verb].lower not in THOUGHTS or thought.number in governors:
                continue
            if any(i > verb and self._words[i].tag != "ADV" for i in thought.words):
                continue
            clause.kind, clause.parent, clause.opener, clause.joined = (
                "content",
                thought.number,
                clause.first,
                None,
            )

    def _find_imperatives(self) -> None:
        """Give each main clause without a verb its imperative, if it begins with one: "forget" in "Never
        forget ...".
        """
        for clause in self._clauses:
            if clause.kind != "main" or clause.verb is not None:
                continue
            for i in sorted(clause.words)[:3]:
                word = self._words[i]
                if word.tag == "VERB" and word.form == "Inf" and not (i and self._words[i - 1].lower == "to"):
                    clause.verb = i
                    break
                if word.tag not in ("ADV", "PART", "INTJ", "AUX", "CCONJ"):
                    break
