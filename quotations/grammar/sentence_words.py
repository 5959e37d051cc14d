"""Look ahead and back in the tagged words of a sentence: is a verb ahead, does a clause start here?"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from quotations.grammar.cut_vocabulary import ADVERBIALS, CAUSATIVES, NOMINATIVES, QUANTIFIERS, RELATIVES
from quotations.grammar.gaps import is_hard
from quotations.grammar.tagging import Word

LOOK_AHEAD = 14  # a subordinate clause shows its verb within this many words
SUBJECT_AHEAD = 9  # a clause without an opener shows its verb within this many words
NOMINALS = frozenset(("NOUN", "PROPN", "PRON", "NUM"))
SUBJECT_TAGS = NOMINALS | {"DET"}
NO_SUBJECTS = RELATIVES | ADVERBIALS | {"to", "that"}


class SentenceWords:
    """Hold the tagged words of a sentence, with lookups from any word ahead and back.

    `gaps[i]` is the text between the words `i - 1` and `i`. `is_hard[i]` is true if this gap has punctuation
    stronger than a comma.
    """

    def __init__(self, words: Sequence[Word], gaps: Sequence[str]) -> None:
        self.words, self.gaps = words, gaps
        self.is_hard = list(map(is_hard, gaps))
        self._next_finite = _find_next([word.form == "Fin" for word in words])
        self._next_hard = _find_next(self.is_hard)

    def has_verb_ahead(self, at: int, words: int = LOOK_AHEAD) -> bool:
        """Return whether a finite verb is among the `words` words from index `at` on.

        Words after punctuation stronger than a comma do not count.
        """
        verb = self._next_finite[at] if at < len(self.words) else at + words
        return verb < at + words and verb < self._next_hard[at + 1]

    def is_clause_start(self, at: int) -> bool:
        """Return whether a clause can start at the word `at`: a subject and then a finite verb follow.

        No comma or stronger mark may stand between them.
        """
        has_subject = False
        for i in range(at, min(len(self.words), at + SUBJECT_AHEAD)):
            word = self.words[i]
            if i > at and self.gaps[i].strip(" -’'\"“”"):
                return False
            if word.form == "Fin" or (i == at and word.tag == "VERB"):
                return has_subject
            if has_subject and word.lower in NOMINATIVES and self.words[i - 1].tag in ("NOUN", "PROPN"):
                return False  # "the colors they bore" is a noun phrase
            has_subject = has_subject or word.tag in SUBJECT_TAGS or word.lower in QUANTIFIERS
            if i > at and word.lower in NO_SUBJECTS and word.tag != "ADP":
                return False
        return False

    def find_subject(self, at: int) -> int | None:
        """Return the index of the subject of the verb at `at`; `None` if no subject is found.

        The subject is the nearest noun or pronoun before the verb that does not end a prepositional phrase:
        "people" in "the people of Ohio have voted". Without one, the subject is a noun or pronoun right after
        the verb, because the word order may be inverted.
        """
        for i in range(at - 1, max(-1, at - 30), -1):
            if self.words[i].tag in NOMINALS and not self._is_after_preposition(i):
                return i
        return at + 1 if at + 1 < len(self.words) and self.words[at + 1].tag in NOMINALS else None

    def find_subject_start(self, at: int) -> int:
        """Return the index where the subject of the verb at `at` may begin.

        It is the index after the nearest comma, stronger mark or verb before `at`.
        """
        start = at
        while start > 0:
            if (
                "," in self.gaps[start]
                or is_hard(self.gaps[start])
                or self.words[start - 1].tag in ("VERB", "AUX")
            ):
                break
            start -= 1
        return start

    def _is_after_preposition(self, at: int) -> bool:
        """Return whether the noun or pronoun at `at` ends a prepositional phrase: "hall" in "in the hall"."""
        i = at - 1
        while (
            i > 0
            and self.words[i].tag in ("DET", "ADJ", "NUM", "NOUN", "PROPN")
            and not self.gaps[i + 1].strip()
        ):
            i -= 1
        is_preposition = i >= 0 and self.words[i].tag == "ADP" and self.words[i].lower not in ADVERBIALS
        return is_preposition and not self.gaps[i + 1].strip()

    def has_clause_after_comma(self, at: int) -> bool:
        """Return whether a phrase begins at `at`, and then a comma and a clause follow.

        Example: "under" in "I think under his rule, we lost".
        """
        for i in range(at + 1, min(len(self.words), at + 12)):
            if self.words[i].is_finite or is_hard(self.gaps[i]):
                return False
            if "," in self.gaps[i]:
                return self.is_clause_start(i)
        return False

    def has_main_after(self, at: int) -> bool:
        """Return whether a main clause follows a later comma, as "we win" in "If you try, play fair, we win".

        The main clause begins with "then", or with a subject such as "we" and its verb. The verb at `at`
        ("play" in the example) then belongs to a list of verbs before the main clause.
        """
        for i in range(at + 1, len(self.words) - 1):
            if is_hard(self.gaps[i]):
                return False
            if "," in self.gaps[i]:
                word = self.words[i].lower
                if word == "then" or (
                    word in NOMINATIVES and self.words[i + 1].tag in ("AUX", "VERB", "ADV")
                ):
                    return True
        return False

    def is_caused(self, at: int) -> bool:
        """Return whether the verb at `at` is an infinitive without "to": "spend" in "made them spend"."""
        verbs = [i for i in range(max(0, at - 6), at) if self.words[i].tag in ("VERB", "AUX")]
        if not verbs or self.words[verbs[-1]].lower not in CAUSATIVES or self.words[at].tag != "VERB":
            return False
        return not any(self.gaps[i].strip() for i in range(verbs[-1] + 1, at + 1))

    def is_after_nominal(self, at: int) -> bool:
        """Return whether a noun, a pronoun, a number or a preposition is right before the word `at`."""
        previous = self.words[at - 1]
        return previous.tag in NOMINALS or previous.tag == "ADP"

    def is_as_long_as(self, at: int) -> bool:
        """Return whether "as long as", "as soon as" or the like begins at `at`."""
        if self.words[at].lower != "as":
            return False
        lowers = [word.lower for word in self.words[at + 1 : at + 3]]
        return lowers[1:] == ["as"] and lowers[0] in ("long", "soon", "far", "much", "often")


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
