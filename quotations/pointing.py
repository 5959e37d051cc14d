"""Find words of a span that may point to something outside, where no rule is sure that they do."""

from __future__ import annotations

import re
from collections.abc import Sequence

from quotations.cut_vocabulary import DEICTIC, TIMES
from quotations.meaning import make_word_set
from quotations.print_spans import Flaw, FlawKind, PrintSpan
from quotations.tagging import Word

OPENING_WORDS = 6
DEMONSTRATIVES = frozenset(("this", "these", "those"))


def find_pointer(span: PrintSpan) -> Flaw | None:
    """Find a word that may point to something outside: "this bill", "that day", "she", "both"."""
    words = list_words(span)
    for at, word in enumerate(words):
        is_person = word.lower in SINGULAR_PRONOUNS and not any(one.lower in ANYBODY for one in words[:at])
        is_group = word.lower in PLURAL_PRONOUNS and not any(_may_be_they(one) for one in words[:at])
        if is_person or is_group or (word.lower in PLURAL_PRONOUNS and at < OPENING_WORDS):
            return span.make_flaw(FlawKind.DOUBT, "perhaps a pronoun for something outside", word)
        if word.lower in BACK_REFERENCES or (not at and BACK_OPENINGS.match(span.text)):
            return span.make_flaw(FlawKind.DOUBT, "perhaps a comparison with something outside", word)
        if word.lower == "it" and _is_object(words, at) and not any(o.tag == "NOUN" for o in words[:at]):
            return span.make_flaw(FlawKind.DOUBT, "perhaps a pronoun for something outside", word)
        if _is_something_known(words, at):
            return span.make_flaw(FlawKind.DOUBT, "perhaps something named outside", word, words[at + 1])
        if _is_demonstrative(word) and not _is_clear(words, at):
            return span.make_flaw(FlawKind.DOUBT, "perhaps 'this' of something outside", word)
    return None


def _is_object(words: Sequence[Word], at: int) -> bool:
    """Return whether the word at `at` is an object: "send it to my desk", but not "make it clear"."""
    is_governed = at > 0 and words[at - 1].tag in ("VERB", "ADP")
    return is_governed and (at + 1 == len(words) or words[at + 1].tag in ("ADP", "CCONJ", "ADV"))


def _may_be_they(word: Word) -> bool:
    """Return whether "they" may stand for a word: a plural, or a word for several people."""
    return (word.tag in ("NOUN", "PROPN") and word.lower.endswith("s")) or word.lower in GROUPS


def _is_something_known(words: Sequence[Word], at: int) -> bool:
    """Return whether "the bill" or "the parties" stands without a word that says which one."""
    following = [word.lower for word in words[at + 1 : at + 3]]
    if words[at].lower != "the" or not following or following[0] not in NAMED_BEFORE:
        return False
    return len(following) < 2 or following[1] not in DESCRIBING | EXPLAINING


NAMED_BEFORE = make_word_set(
    """bill bills measure measures proposal resolution amendment parties legislation act agreement treaty deal
    plan program"""
)
"""Nouns of things that a speech has named before it says "the bill"."""
EXPLAINING = make_word_set("to for in on against between from under we i by with which yesterday today")


def _is_demonstrative(word: Word) -> bool:
    return word.lower in POINTING or (word.lower == "that" and word.tag == "DET")


def _is_clear(words: Sequence[Word], at: int) -> bool:
    """Return whether the words after "this" say what it is, as in "this country" or "those who ask", or a
    sentence before has the noun: "We passed a ban. In that ban, ...".
    """
    following = words[at + 1 : at + 3]
    if any(word.lower in DEICTIC or word.lower in TIMES | DESCRIBING for word in following):
        return True
    named = {word.lower for word in words[:at] if word.tag == "NOUN"}
    return bool(following) and following[0].tag == "NOUN" and following[0].lower in named


POINTING = DEMONSTRATIVES | {"such"}
DESCRIBING = frozenset(("who", "whose", "whom", "of", "that", "as"))
SINGULAR_PRONOUNS = frozenset(("he", "she", "him", "his", "her", "hers"))
ANYBODY = frozenset(
    ("no", "every", "each", "any", "anyone", "everyone", "nobody", "whoever", "who", "man", "woman", "person")
)
"""Words before "his" that say whose: "no person shall be kept from voting because of his race"."""

PLURAL_PRONOUNS = frozenset(("they", "them", "their", "theirs", "themselves"))
GROUPS = make_word_set(
    """people men women children everyone everybody anyone those who all both many some few others folks
    police family team crew couple mob army crowd congress government public majority each every"""
)
BACK_OPENINGS = re.compile(
    r"(?:in\s+(?:response|addition|turn|contrast)|for\s+(?:one\s+thing|example|instance)|as\s+a\s+result"
    r"|by\s+contrast|still(?=,)|on\s+the\s+other\s+hand|at\s+the\s+same\s+time|finally|lastly|in\s+fact|indeed)\b",
    re.IGNORECASE,
)
BACK_REFERENCES = frozenset(("both", "then", "rest", "otherwise", "likewise", "similarly", "meanwhile"))


def list_words(span: PrintSpan) -> list[Word]:
    """Return the words of all parts of a span."""
    return [word for part in span.parts for word in part.words]
