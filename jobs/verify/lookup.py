"""Build the text by which a quotation is looked up in the archive: with "we are" and with "we're"."""

from __future__ import annotations

import re
from typing import Final

from quotations.matching.printed_quote import ELLIPSIS
from quotations.text.words import split_words

SUBJECT = r"\b(i|you|we|they|he|she|it|that|there|what|who)"
CONTRACTIONS: Final = tuple(
    (re.compile(pattern), short)
    for pattern, short in (
        (r"\bcan ?not\b", "can't"),
        (r"\bwill not\b", "won't"),
        (r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should) not\b", r"\1n't"),
        (rf"{SUBJECT} am\b", r"\1'm"),
        (rf"{SUBJECT} are\b", r"\1're"),
        (rf"{SUBJECT} (?:is|has)\b", r"\1's"),
        (rf"{SUBJECT} have\b", r"\1've"),
        (rf"{SUBJECT} will\b", r"\1'll"),
        (rf"{SUBJECT} (?:would|had)\b", r"\1'd"),
    )
)

AUXILIARY = re.compile(
    r"\b(is|are|was|were|do|does|did|has|have|had|would|could|should|will|can)\b(?! not\b)"
)
DENIAL = re.compile(r"\b(?:not|never) ")
SHORT_WORDS: Final = 15  # a longer quotation has runs enough without a word


def make_lookup(quote: str) -> str:
    r"""Return the text by which a quotation is looked up: the quotation without ellipses, in several
    spellings.

    Each spelling is a line. The quotation is also written with all contractions spelt out ("we are"), and
    with every possible contraction ("we're"), because the archive's index of word runs does not know that
    both mean the same. A short quotation is also written with its meaning negated, because the writer may
    have dropped or added a "not".

    >>> make_lookup("We’re here and it is not late").rsplit("\n", 2)[0]
    "We’re here and it is not late\nwe are here and it is not late\nwe're here and it isn't late"
    >>> make_lookup("Tear down ... this wall")
    'Tear down   this wall'
    >>> make_lookup("This is not a wall")
    "This is not a wall\nthis is not a wall\nthis isn't a wall\nthis is a wall"
    """
    printed = ELLIPSIS.sub(" ", quote)
    full = " ".join(word.key for word in split_words(printed))
    short = contract(full)
    spellings = [printed] if full == short else [printed, full, short]
    return "\n".join([*spellings, *_list_denials(full)])


def _list_denials(full: str) -> list[str]:
    """Return variants of a short text with the opposite meaning, in lower case: "this is a wall" -> "this is
    not a wall".

    Each negation is removed, and each auxiliary verb without a negation gets one. A long text has no
    variants.
    """
    if len(full.split()) > SHORT_WORDS:
        return []
    marked = AUXILIARY.sub(r"\1 no-t ", full)
    denied = " ".join(DENIAL.sub("", f"{marked} ").replace("no-t", "not").split())
    return list(dict.fromkeys((denied, contract(denied)))) if denied != full else []


def contract(text: str) -> str:
    """Return a text in lower case with every possible English contraction.

    >>> contract("we will not say that he would")
    "we won't say that he'd"
    """
    for pattern, short in CONTRACTIONS:
        text = pattern.sub(short, text)
    return text
