"""Split an English sentence into clauses, and find for each clause the clause that it depends on.

The parser reads tagged words from left to right with a stack of open clauses, so the time grows with the
number of words. It knows openers ("if", "that", "who"), coordination and punctuation, but little about noun
phrases. So it is mostly right about which clause governs another, and less often about what a phrase
modifies.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from quotations.cut_vocabulary import (
    ADVERBIALS,
    BE_FORMS,
    BEFORE_OPENERS,
    CAUSATIVES,
    CLAUSE_TAKERS,
    CONTENT_NOUNS,
    COORDINATORS,
    NOMINATIVES,
    QUANTIFIERS,
    QUESTION_WORDS,
    RELATIVES,
    THOUGHTS,
    TIMES,
)
from quotations.tagging import Word

ClauseKind = Literal["main", "adverbial", "content", "relative"]
LOOK_AHEAD = 14  # a subordinate clause shows its verb within this many words
SUBJECT_AHEAD = 9  # a clause without an opener shows its verb within this many words
KEPT_GAPS = 1 << 10
HARD = frozenset(";:—–…()")
NOMINALS = frozenset(("NOUN", "PROPN", "PRON", "NUM"))
BETWEEN_VERBS = frozenset(("ADV", "PART"))
OPENERS = RELATIVES | QUESTION_WORDS | ADVERBIALS | BEFORE_OPENERS | {"as", "that"}
"""Words that can begin a clause with an opener."""

GOVERNING = THOUGHTS | CLAUSE_TAKERS
SUBJECT_TAGS = NOMINALS | {"DET"}
DESCRIBED_TAGS = SUBJECT_TAGS | {"ADJ"}
NO_SUBJECTS = RELATIVES | ADVERBIALS | {"to", "that"}
AFTER_OPENERS = ADVERBIALS | {"that"}


@dataclass(slots=True)
class Clause:
    """Hold one clause: the indices of its words, the word that opens it ("if"), the clause that it depends
    on.

    `opener` is the index of the first opening word, such as "even" in "even if"; `None` in a main clause.
    `conjunction` is the last opening word in lower case, such as "if" in "even if"; "" if there is none.
    `parent` is the number of the clause that this clause depends on. `joined` is the number of the clause
    with which this clause is coordinated by `coordinator` ("and", "but", ",", ";", "—").
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


def split_gaps(text: str, words: Sequence[Word]) -> list[str]:
    """Return for each word the text between it and the previous word; "" for the first word.

    >>> from quotations.tagging import tag_words
    >>> split_gaps("Yes — now, sir.", tag_words("Yes — now, sir."))
    ['', ' — ', ', ']
    """
    pairs = itertools.pairwise(words)
    return [""][: len(words)] + [text[one.end_char : two.start_char] for one, two in pairs]


@lru_cache(KEPT_GAPS)
def is_hard(gap: str) -> bool:
    """Return whether a gap, the text between two words, has punctuation stronger than a comma.

    >>> is_hard(" -- "), is_hard(", "), is_hard("-")
    (True, False, False)
    """
    return bool(HARD.intersection(gap)) or "--" in gap or " - " in gap


def _find_next(marks: Sequence[bool]) -> list[int]:
    """Return for each index of `marks` the index of the first true mark at or after it.

    If there is none, the value is `sys.maxsize`. The result has one more value, for the end of `marks`.

    >>> _find_next([False, True, False])[:2]
    [1, 1]
    """
    following = [sys.maxsize] * (len(marks) + 1)
    for at in range(len(marks) - 1, -1, -1):
        following[at] = at if marks[at] else following[at + 1]
    return following


class _Parser:
    def __init__(self, words: Sequence[Word], gaps: Sequence[str]) -> None:
        self._words, self._gaps = words, gaps
        self._hard = list(map(is_hard, gaps))
        self._next_finite = _find_next([word.form == "Fin" for word in words])
        self._next_hard = _find_next(self._hard)
        self._clauses = [Clause(0, "main")]
        self._stack = [self._clauses[0]]

    def parse(self) -> list[Clause]:
        at = 0
        while at < len(self._words):
            if self._hard[at]:
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
        opener = self._find_opener(at) if word.lower in OPENERS else None
        if opener is not None:
            kind, length = opener
            return self._open(kind, at, length)
        if word.lower in COORDINATORS and word.tag in ("CCONJ", "ADV", "SCONJ"):
            if at and self._current.verb is not None and self._is_clause_start(at + 1):
                self._begin_coordinated(at)
        elif word.lower == "then" and at and self._is_clause_start(at + 1):
            self._return_to_waiting()
        elif self._is_content_start(at):
            self._push("content", at, "")
        elif word.lower in NOMINATIVES and self._is_relative_start(at):
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
            if self._stack[0].verb is None or not self._has_verb_ahead(at, LOOK_AHEAD * 2):
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

    def _is_as_long_as(self, at: int) -> bool:
        """Return whether "as long as", "as soon as" or the like begins at `at`."""
        if self._words[at].lower != "as":
            return False
        lowers = [word.lower for word in self._words[at + 1 : at + 3]]
        return lowers[1:] == ["as"] and lowers[0] in ("long", "soon", "far", "much", "often")

    def _find_opener(self, at: int) -> tuple[ClauseKind, int] | None:
        """Return the kind of the clause that opens at `at`, and how many words open it.

        For "even if", the result is ("adverbial", 2). It is `None` if no clause opens there.
        """
        if self._is_as_long_as(at) and self._is_clause_start(at + 3):
            return "adverbial", 3
        extra = 0
        while (
            extra < 2
            and at + extra + 1 < len(self._words)
            and self._words[at + extra].lower in BEFORE_OPENERS
        ):
            following = self._words[at + extra + 1]
            if self._gaps[at + extra + 1].strip() or following.lower not in AFTER_OPENERS:
                break
            extra += 1
        head = at + extra
        if extra and self._words[head].lower == "that":
            pair = self._words[head - 1].lower
            return (
                ("adverbial", extra + 1)
                if pair in ("so", "except") and self._has_verb_ahead(head + 1)
                else None
            )
        kind = self._classify_opener(head)
        return None if kind is None else (kind, extra + 1)

    def _classify_opener(self, at: int) -> ClauseKind | None:
        word = self._words[at]
        if word.lower == "that":
            return self._classify_that(at)
        if not self._has_verb_ahead(at + 1):
            return None
        if word.lower in RELATIVES:
            return "relative" if at and (self._is_after_nominal(at) or "," in self._gaps[at]) else "content"
        if word.lower in QUESTION_WORDS:
            return "content" if at and not is_hard(self._gaps[at]) and word.tag != "DET" else None
        if word.lower in ADVERBIALS and word.tag in ("SCONJ", "ADV", "ADP", "VERB", "CCONJ"):
            return self._classify_adverbial(at)
        return None

    def _classify_adverbial(self, at: int) -> ClauseKind | None:
        """Return "adverbial" if an adverbial clause opens at `at`, or else `None`.

        A question ("When will we act?") and a phrase without a subject and a verb ("as far as") do not count.
        """
        following = self._words[at + 1] if at + 1 < len(self._words) else None
        if following is None or (not at and following.tag == "AUX"):
            return None
        word = self._words[at]
        if word.lower in (
            "as",
            "than",
            "before",
            "after",
            "since",
            "until",
            "till",
            "once",
            "like",
        ) and not self._is_clause_start(at + 1):
            return None
        if (
            word.lower in ("provided", "providing", "assuming", "supposing", "suppose")
            and following.lower != "that"
        ):
            return None
        return "adverbial"

    def _classify_that(self, at: int) -> ClauseKind | None:
        word, previous = self._words[at], self._words[at - 1] if at else None
        following_tag = self._words[at + 1].tag if at + 1 < len(self._words) else ""
        points = previous is None or previous.lower in ADVERBIALS or previous.tag in ("ADP", "VERB")
        if word.tag == "DET" and following_tag in ("NOUN", "ADJ", "PROPN") and points:
            return None
        if not self._has_verb_ahead(at + 1):
            return None
        following = self._words[at + 1]
        if "," in self._gaps[at + 1] and following.lower not in ADVERBIALS and following.tag != "ADP":
            return None
        if previous is None:
            return None if following.is_finite or "'" in following.lower else "content"
        if previous.lower in CONTENT_NOUNS and not following.is_finite:
            return "content"
        if previous.tag in NOMINALS and not self._gaps[at].strip():
            if following.is_finite or following.tag in ("ADV", "PART"):
                return "relative"
            governor = self._current.verb is not None and any(
                self._words[i].lower in CLAUSE_TAKERS for i in range(max(0, at - 4), at)
            )
            return "content" if governor and previous.tag == "PRON" else self._classify_noun_clause(at)
        if word.tag == "PRON" and following.is_finite:
            return None
        if previous.tag == "ADJ" and at > 1 and self._words[at - 2].tag == "DET":
            return "relative"  # "the best that they will permit"
        return "content" if word.tag != "DET" or self._is_clause_start(at + 1) else None

    def _classify_noun_clause(self, at: int) -> ClauseKind:
        """Return the kind of a "that" clause after a noun.

        It is "content" in "told the people that we ...", and "relative" in "the work that we ...".
        """
        nearby = [self._words[i] for i in range(max(0, at - 5), at)]
        reports = any(
            word.lower in ("tell", "tells", "told", "remind", "show", "assure", "inform", "pledge")
            for word in nearby
        )
        return "content" if reports else "relative"

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
        """Begin a clause that the coordinator at `at` ("and", "but") joins to an open clause.

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
            current.verb, current.subject = at, self._find_subject(at)
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
        if self._is_caused(at):
            return True
        is_awaited = any(clause.verb is None for clause in self._stack[:-1])
        return "," in self._gaps[before + 1] and not (is_awaited and not self._has_main_after(at))

    def _has_main_after(self, at: int) -> bool:
        """Return whether a main clause follows a later comma, as "we win" in "If you try, play fair, we win".

        The main clause begins with "then", or with a subject such as "we" and its verb. The verb at `at`
        ("play" in the example) then belongs to a list of verbs before the main clause.
        """
        for i in range(at + 1, len(self._words) - 1):
            if is_hard(self._gaps[i]):
                return False
            if "," in self._gaps[i]:
                word = self._words[i].lower
                if word == "then" or (
                    word in NOMINATIVES and self._words[i + 1].tag in ("AUX", "VERB", "ADV")
                ):
                    return True
        return False

    def _is_caused(self, at: int) -> bool:
        """Return whether the verb at `at` is an infinitive without "to": "spend" in "made them spend"."""
        verbs = [i for i in range(max(0, at - 6), at) if self._words[i].tag in ("VERB", "AUX")]
        if not verbs or self._words[verbs[-1]].lower not in CAUSATIVES or self._words[at].tag != "VERB":
            return False
        return not any(self._gaps[i].strip() for i in range(verbs[-1] + 1, at + 1))

    def _resume(self, at: int) -> None:
        """Assign the verb at word `at` to the nearest enclosing clause without a verb, or to a new clause."""
        start = self._find_subject_start(at)
        for depth in range(len(self._stack) - 2, -1, -1):
            waiting = self._stack[depth]
            if waiting.verb is None:
                self._move(start, at, waiting)
                del self._stack[depth + 1 :]
                waiting.verb, waiting.subject = at, self._find_subject(at)
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
        self._current.verb, self._current.subject = at, self._find_subject(at)

    def _move(self, start: int, at: int, target: Clause) -> None:
        if start < at and ("," in self._gaps[start] or is_hard(self._gaps[start])):
            self._take(start, at, self._current, target)

    @staticmethod
    def _take(start: int, at: int, source: Clause, target: Clause) -> None:
        taken = [i for i in source.words if start <= i < at]
        source.words = [i for i in source.words if not start <= i < at]
        target.words.extend(taken)

    def _find_subject_start(self, at: int) -> int:
        """Return the index where the subject of the verb at `at` may begin.

        It is the index after the nearest comma, stronger mark or verb before `at`.
        """
        start = at
        while start > 0:
            if (
                "," in self._gaps[start]
                or is_hard(self._gaps[start])
                or self._words[start - 1].tag in ("VERB", "AUX")
            ):
                break
            start -= 1
        return start

    def _find_subject(self, at: int) -> int | None:
        """Return the index of the subject of the verb at `at`; `None` if no subject is found.

        The subject is the nearest noun or pronoun before the verb that does not end a prepositional phrase:
        "people" in "the people of Ohio have voted". Without one, the subject is a noun or pronoun right after
        the verb, because the word order may be inverted.
        """
        for i in range(at - 1, max(-1, at - 30), -1):
            if self._words[i].tag in NOMINALS and not self._is_after_preposition(i):
                return i
        return at + 1 if at + 1 < len(self._words) and self._words[at + 1].tag in NOMINALS else None

    def _is_after_preposition(self, at: int) -> bool:
        """Return whether the noun or pronoun at `at` ends a prepositional phrase: "hall" in "in the hall"."""
        i = at - 1
        while (
            i > 0
            and self._words[i].tag in ("DET", "ADJ", "NUM", "NOUN", "PROPN")
            and not self._gaps[i + 1].strip()
        ):
            i -= 1
        is_preposition = i >= 0 and self._words[i].tag == "ADP" and self._words[i].lower not in ADVERBIALS
        return is_preposition and not self._gaps[i + 1].strip()

    def _is_clause_start(self, at: int) -> bool:
        """Return whether a clause can start at the word `at`: a subject and then a finite verb follow.

        No comma or stronger mark may stand between them.
        """
        has_subject = False
        for i in range(at, min(len(self._words), at + SUBJECT_AHEAD)):
            word = self._words[i]
            if i > at and self._gaps[i].strip(" -’'\"“”"):
                return False
            if word.form == "Fin" or (i == at and word.tag == "VERB"):
                return has_subject
            if has_subject and word.lower in NOMINATIVES and self._words[i - 1].tag in ("NOUN", "PROPN"):
                return False  # "the colors they bore" is a noun phrase
            has_subject = has_subject or word.tag in SUBJECT_TAGS or word.lower in QUANTIFIERS
            if i > at and word.lower in NO_SUBJECTS and word.tag != "ADP":
                return False
        return False

    def _has_verb_ahead(self, at: int, words: int = LOOK_AHEAD) -> bool:
        """Return whether one of the next `words` words from `at` on is a finite verb, before strong
        punctuation.
        """
        verb = self._next_finite[at] if at < len(self._words) else at + words
        return verb < at + words and verb < self._next_hard[at + 1]

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

    def _is_after_thought(self, at: int) -> bool:
        """Return whether "think", "believe" or the like is right before `at`.

        Adverbs between commas are ignored: "we" in "I think, frankly, we" is right after "think".
        """
        i = at - 1
        while i > 0 and self._words[i].tag == "ADV" and at - i < 4:
            i -= 1
        if self._words[i].lower not in THOUGHTS or self._words[i].tag != "VERB" or self._current.verb != i:
            return False
        return i < at - 1 or "," not in self._gaps[at]

    def _is_content_start(self, at: int) -> bool:
        """Return whether a content clause without "that" begins at `at`: "we can" in "I think we can"."""
        previous = self._words[at - 1]
        if (
            not at
            or (previous.lower not in GOVERNING and previous.tag != "ADV")
            or self._current.verb is None
        ):
            return False
        if self._is_after_thought(at):
            word = self._words[at]
            is_nominal = word.tag in DESCRIBED_TAGS and word.lower not in ("so", "it's")
            if is_nominal and self._has_verb_ahead(at + 1, 2 * LOOK_AHEAD):
                return True
        if (
            previous.lower not in CLAUSE_TAKERS
            or previous.tag not in ("VERB", "ADJ", "AUX")
            or self._gaps[at].strip(' "“”,:')
        ):
            return False
        if previous.tag == "AUX" or previous.lower in BE_FORMS or "," in self._gaps[at]:
            return False
        if self._words[at].tag in SUBJECT_TAGS:
            return self._is_clause_start(at)
        is_thought = previous.lower in THOUGHTS and self._words[at].tag == "ADP"
        return is_thought and self._has_clause_after_comma(at)

    def _has_clause_after_comma(self, at: int) -> bool:
        """Return whether a phrase begins at `at`, and then a comma and a clause follow.

        Example: "under" in "I think under his rule, we lost".
        """
        for i in range(at + 1, min(len(self._words), at + 12)):
            if self._words[i].is_finite or is_hard(self._gaps[i]):
                return False
            if "," in self._gaps[i]:
                return self._is_clause_start(i)
        return False

    def _is_relative_start(self, at: int) -> bool:
        """Return whether the pronoun at `at` begins a relative clause without "that": "they" in "colors they
        bore".
        """
        if not at or self._gaps[at].strip():
            return False
        previous = self._words[at - 1]
        if previous.tag not in ("NOUN", "PROPN") or previous.lower in TIMES or not self._is_clause_start(at):
            return False
        return self._current.verb is not None or self._words[0].tag != "ADP"

    def _is_after_nominal(self, at: int) -> bool:
        previous = self._words[at - 1]
        return previous.tag in NOMINALS or previous.tag == "ADP"

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
