"""Recognize sentences that only address, greet or thank: they say nothing that a reader could quote."""

from __future__ import annotations

import re

from quotations.grammar.tagging import Word, tag_words
from quotations.printing.incomplete_spans import IN_ADDRESSES
from quotations.text.meaning import make_word_set

LONGEST = 200  # characters; a list of dignitaries may be longer, but is rarely listed

POLITE = re.compile(
    r"\b(?:thank\s+you|thanks|hello|hi|hey|welcome|good\s+(?:morning|afternoon|evening|night|day|luck|bye)|goodbye"
    r"|congratulations|god\s+bless\s+you|godspeed|cheers)\b",
    re.IGNORECASE,
)
"""Match words that greet or thank. "We thank God" is a statement."""

ADDRESS = re.compile(
    r"\b(?:fellow|fellows|countrymen|countrywomen|compatriots|citizens?|americans|ladies|gentlemen|friends?|folks"
    r"|colleagues|brothers|sisters|members|guests|mr|mrs|ms|madam|excellenc(?:y|ies)|majesty|speaker|chairman"
    r"|senator|president)\b",
    re.IGNORECASE,
)
"""Match words by which people are addressed."""

STAGE = re.compile(r"\(\s*[\w.,-]+(?:\s+[\w.,-]+){0,2}\s*\)|\[\s*[\w.,-]+(?:\s+[\w.,-]+){0,2}\s*\]")
"""Match stage directions of one to three words; longer ones may be a translation."""

ADDRESS_WORDS = IN_ADDRESSES | make_word_set("""
    countrymen countrywomen compatriots citizen friend folks brother brothers sister sisters
    comrades delegates assembly distinguished honorable honourable everybody everyone all you both a
    an here tonight today american house senate court supreme cabinet representatives conference
    graduates students parents faculty""")
"""Words that may stand in an address without making it a statement."""

POLITE_WORDS = ADDRESS_WORDS | make_word_set("""
    thank thanks hello hi hey welcome good morning afternoon evening night day luck bye goodbye
    congratulations god bless godspeed cheers very much so many again well okay ok yes now please
    sir ma'am kindly indeed really for being coming your warm kind i we want would like just say me
    us having every each one and but again now then first let as always once more will 'm 're am are
    is it be great here there with""")
"""Words that may stand in a greeting or thanks without making it a statement."""

ORDINAL = re.compile(r"\d+(?:st|nd|rd|th)")
NAMING_TAGS = frozenset(("PROPN", "INTJ", "PUNCT", "SYM"))


def is_greeting(sentence: str) -> bool:
    """Return whether a sentence only addresses, greets or thanks; also if it has no word at all.

    >>> is_greeting("Thank you very much, Mr. President."), is_greeting("Fellow-Countrymen:")
    (True, True)
    >>> is_greeting("(Applause.)"), is_greeting("[I still have a suitcase in Berlin.]")
    (True, False)
    >>> is_greeting("Thank you for what you did in Berlin."), is_greeting("The American people won.")
    (False, False)
    """
    sentence = STAGE.sub(" ", sentence)
    if len(sentence) > LONGEST:
        return False
    if POLITE.search(sentence):
        return all(_is_empty(word, POLITE_WORDS) for word in tag_words(sentence))
    if ADDRESS.search(sentence):
        return all(_is_empty(word, ADDRESS_WORDS) for word in tag_words(sentence))
    return not any(letter.isalnum() for letter in sentence)


def _is_empty(word: Word, words: frozenset[str]) -> bool:
    return word.tag in NAMING_TAGS or word.lower in words or ORDINAL.fullmatch(word.lower) is not None
