"""Write the text by which a quotation is looked up: its words as print and as transcripts spell them."""

from __future__ import annotations

import re
from typing import Final

from quotations.printed_quote import ELLIPSIS
from quotations.words import split_words

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


def make_lookup(quote: str) -> str:
    r"""Return a quotation without ellipses, with its contractions written out, and with all contracted.

    An index of runs of words knows none of the two spellings for the other.

    >>> make_lookup("We’re here and it is not late")
    "We’re here and it is not late\nwe are here and it is not late\nwe're here and it isn't late"
    >>> make_lookup("Tear down ... this wall")
    'Tear down   this wall'
    """
    printed = ELLIPSIS.sub(" ", quote)
    full = " ".join(word.key for word in split_words(printed))
    short = contract(full)
    if full == short:
        return printed
    return "\n".join((printed, full, short))


def contract(text: str) -> str:
    """Return text in lower case with every contraction that English has.

    >>> contract("we will not say that he would")
    "we won't say that he'd"
    """
    for pattern, short in CONTRACTIONS:
        text = pattern.sub(short, text)
    return text
