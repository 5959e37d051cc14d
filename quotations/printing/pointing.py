"""Find words in a span, such as "this bill", that perhaps refer to something outside the span."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from quotations.grammar.cut_vocabulary import COLLECTIVES, DEICTIC, IRREGULAR_PLURALS, TIMES
from quotations.grammar.tagging import Word
from quotations.printing.print_spans import Flaw, FlawKind, PrintSpan
from quotations.printing.unresolved_references import PLURALS, is_nominal
from quotations.text.meaning import make_word_set

OPENING_WORDS = 6
DEMONSTRATIVES = frozenset(("this", "these", "those"))


@dataclass(slots=True)
class _Seen:
    """Record which pronouns may refer to the words read so far.

    `nouns` are the common nouns among these words, in lower case. `anybody` is true if "he" or "she" may
    refer to one of the words, `several` if "they" may, and `thing` if "it" may.
    """

    nouns: set[str] = field(default_factory=set)
    anybody: bool = False
    several: bool = False
    thing: bool = False

    def add(self, word: Word) -> None:
        """Record which pronouns may refer to `word`, the next word of the span."""
        is_noun = word.tag in ("NOUN", "PROPN")
        self.anybody |= word.lower in ANYBODY
        self.several |= (is_noun and word.lower.endswith("s")) or word.lower in GROUPS
        self.thing |= is_nominal(word)
        if word.tag == "NOUN":
            self.nouns.add(word.lower)


def find_pointer(span: PrintSpan) -> Flaw | None:
    """Find the first word that may refer to something outside the span, and return a mild flaw for it.

    The flaw has the kind `DOUBT`. Examples: "this bill", "that day", "she", "both".
    """
    words, seen = list_words(span), _Seen()
    for at, word in enumerate(words):
        if rule := _name_doubt(span, words, at, seen):
            return span.make_flaw(FlawKind.DOUBT, rule, word)
        seen.add(word)
    return None


def _name_doubt(span: PrintSpan, words: Sequence[Word], at: int, seen: _Seen) -> str:
    """Return why the word at `at` may point to something outside the span; "" if it does not.

    The result is the name of a rule, such as "perhaps something named outside".
    """
    word = words[at]
    is_person = word.lower in SINGULARS and not seen.anybody
    is_sum = word.lower == "that" and _is_after_comma(words, at, span.passage.text)
    is_group = word.lower in PLURALS and (at < OPENING_WORDS or not seen.several)
    if is_person or is_group or is_sum or (word.lower == "it" and _is_object(words, at) and not seen.thing):
        return "perhaps a pronoun for something outside"
    if word.lower in BACK_REFERENCES or (not at and BACK_OPENINGS.match(span.text)):
        return "perhaps a comparison with something outside"
    if _is_something_known(words, at, seen):
        return "perhaps something named outside"
    is_pointing = _is_demonstrative(word) and not _is_clear(word, words[at + 1 : at + 3], seen)
    return "perhaps 'this' of something outside" if is_pointing else ""


def _is_after_comma(words: Sequence[Word], at: int, text: str) -> bool:
    """Return whether the word at `at` is a subject right after a comma: "With two children, [that] is a lot".

    `words` are those of a span. Only its first `LATE_WORDS` words count. Later, "that" probably means
    something that the span itself has said.
    """
    is_subject = at + 1 < len(words) and words[at + 1].lower in ("'s", "is", "was", "would", "means")
    return 0 < at < LATE_WORDS and is_subject and text[words[at - 1].end_char : words[at].start_char] == ", "


LATE_WORDS = 12


def _is_object(words: Sequence[Word], at: int) -> bool:
    """Return whether the word at `at` is an object: "send it to my desk", but not "make it clear"."""
    is_governed = at > 0 and words[at - 1].tag in ("VERB", "ADP")
    return is_governed and (at + 1 == len(words) or words[at + 1].tag in ("ADP", "CCONJ", "ADV"))


def _is_something_known(words: Sequence[Word], at: int, seen: _Seen) -> bool:
    """Return whether the word at `at` begins a phrase such as "the bill" that does not say which bill."""
    following = [word.lower for word in words[at + 1 : at + 3]]
    if words[at].lower != "the" or not following or following[0] not in NAMED_BEFORE - seen.nouns:
        return False
    return len(following) < 2 or following[1] not in SPECIFYING


NAMED_BEFORE = make_word_set(
    """bill bills measure measures proposal resolution amendment parties legislation act agreement treaty deal
    plan program commission panel parts precedent"""
)
"""Nouns of things that a speech has named before it says "the bill"."""


def _is_demonstrative(word: Word) -> bool:
    return word.lower in POINTING or (word.lower == "that" and word.tag == "DET")


def _is_clear(word: Word, following: Sequence[Word], seen: _Seen) -> bool:
    """Return whether the words after "this", "that" or "those" make clear what is meant.

    These words may say so themselves, as in "this country", "those who ask" and "those asking". Or they
    repeat a noun of the span: "We passed a ban. In that ban, ...".
    """
    if word.lower == "those" and following and following[0].form in ("Ger", "Part"):
        return True
    if any(word.lower in DEICTIC or word.lower in TIMES | WITH_CLAUSES for word in following):
        return True
    return bool(following) and following[0].tag == "NOUN" and following[0].lower in seen.nouns


POINTING = DEMONSTRATIVES | {"such"}
WITH_CLAUSES = frozenset(("who", "whose", "whom", "of", "that", "as"))
"""Words after a noun, or after "those", that say which one."""
SPECIFYING = WITH_CLAUSES | make_word_set(
    "to for in on against between from under we i by with which yesterday today"
)
SINGULARS = frozenset(("he", "she", "him", "his", "her", "hers"))
ANYBODY = frozenset(
    ("no", "every", "each", "any", "anyone", "everyone", "nobody", "whoever", "who", "man", "woman", "person")
)
"""Words before "his" that say whose: "no person shall be kept from voting because of his race"."""

GROUPS = (COLLECTIVES | IRREGULAR_PLURALS) - {"these", "most", "one"} | make_word_set(
    "everyone everybody anyone who others folks mob congress each every"
)
"""Words besides plural nouns that "they" may stand for."""

BACK_OPENINGS = re.compile(
    r"(?:in\s+(?:response|addition|contrast)(?!\s+to\b)|in\s+turn|for\s+(?:one\s+thing|example|instance)"
    r"|as\s+a\s+result(?!\s+of\b)|by\s+contrast|still(?=,)|again(?=,)|on\s+the\s+other\s+hand|at\s+the\s+same\s+time"
    r"|finally|lastly|in\s+fact|indeed|in\s+the\s+process(?!\s+of\b)|ever\s+since(?=,)|since\s+then"
    r"|(?:each|every)\s+\w+\s+since(?=,))\b",
    re.IGNORECASE,
)
BACK_REFERENCES = frozenset(("both", "then", "rest", "otherwise", "likewise", "similarly", "meanwhile"))


def list_words(span: PrintSpan) -> list[Word]:
    """Return the words of a span, over all its sentences."""
    return [word for part in span.parts for word in part.words]
