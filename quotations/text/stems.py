"""Reduce words to stems, to recognise the same words in other forms."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from quotations.text.key_sets import KeySets

ENDINGS = ("ing", "ed", "es", "s")
FREQUENT_WORDS = (
    "a an the and or but nor of to in on at by for from with without into onto over under about as than that"
    " this these those it its he his him she her they their them we our us i my me you your who whom whose"
    " which what when where why how is are was were be been being am do does did done have has had having"
    " will would shall should can could may might must not no so if then there here also just only very more"
    " most some any all such own said say says told tell"
)
FREQUENT = frozenset(FREQUENT_WORDS.split())
CACHED_TEXTS, CACHED_WORDS = 1 << 13, 1 << 16
"""Sizes of caches: a draft is compared with 200 texts; the stems of one text take some 4 KB."""


@lru_cache(CACHED_WORDS)
def shorten_word(word: str) -> str:
    """Strip the most common endings from a word, so that "failed" and "failing" become equal.

    >>> [shorten_word(word) for word in ("failed", "failing", "faced", "face", "dangerous", "cities", "city")]
    ['fail', 'fail', 'fac', 'fac', 'dangerous', 'citi', 'citi']
    """
    if not word.isalpha() or len(word) < 4 or word.endswith(("ss", "ous", "eed")):
        return word
    ending = next((e for e in ENDINGS if word.endswith(e) and len(word) - len(e) >= 3), "")
    stem = word.removesuffix(ending)
    if stem.endswith("y") and stem[-2] not in "aeiou":
        return f"{stem[:-1]}i"
    return stem.removesuffix("e") if len(stem) > 3 else stem


def list_forms(stem: str) -> list[str]:
    """Return all words that `shorten_word` reduces to `stem`.

    >>> list_forms("us"), list_forms("fac")
    (['us'], ['fac', 'facing', 'faced', 'faces', 'facs', 'face', 'faceing', 'facees'])
    """
    bases = [stem, f"{stem}e", *([f"{stem[:-1]}y"] if stem.endswith("i") else [])]
    forms = dict.fromkeys(base + ending for base in bases for ending in ("", *ENDINGS))
    return [form for form in forms if shorten_word(form) == stem]


STEMS = KeySets(lambda key: "" if key in FREQUENT else shorten_word(key))


@lru_cache(CACHED_TEXTS)
def read_stems(text: str) -> Set[str]:
    """Return the stems of a text's words, without frequent words and with numbers as figures.

    >>> sorted(read_stems("After two days of fighting, only 90 could still bear arms."))
    ['2', '90', 'after', 'arm', 'bear', 'day', 'fight', 'still']
    """
    return STEMS.read(text)
