"""Reduce words to stems: enough to see that a draft and a speech use the same words in other forms."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache

from quotations.key_sets import KeySets

ENDINGS = ("ing", "ed", "es", "s")
FREQUENT_WORDS = (
    "a an the and or but nor of to in on at by for from with without into onto over under about as than that"
    " this these those it its he his him she her they their them we our us i my me you your who whom whose"
    " which what when where why how is are was were be been being am do does did done have has had having"
    " will would shall should can could may might must not no so if then there here also just only very more"
    " most some any all such own said say says told tell"
)
FREQUENT = frozenset(FREQUENT_WORDS.split())
CACHED_TEXTS, CACHED_WORDS = 1 << 10, 1 << 16


@lru_cache(CACHED_WORDS)
def shorten_word(word: str) -> str:
    """Return a word without its commonest endings: enough to compare tenses and numbers.

    >>> [shorten_word(word) for word in ("failed", "failing", "dangerous", "cities", "speed")]
    ['fail', 'fail', 'dangerous', 'citi', 'speed']
    """
    if not word.isalpha() or len(word) < 4 or word.endswith(("ss", "ous", "eed")):
        return word
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


def list_forms(stem: str) -> list[str]:
    """Return all words that `shorten_word` reduces to `stem`.

    >>> list_forms("us"), list_forms("fail")
    (['us'], ['fail', 'failing', 'failed', 'failes', 'fails'])
    """
    forms = [stem, *(stem + ending for ending in ENDINGS)]
    return [form for form in forms if shorten_word(form) == stem]


STEMS = KeySets(lambda key: "" if key in FREQUENT else shorten_word(key))


@lru_cache(CACHED_TEXTS)
def read_stems(text: str) -> Set[str]:
    """Return the stems of a text's words, without frequent words; numbers in figures.

    >>> sorted(read_stems("After two days of fighting, only 90 could still bear arms."))
    ['2', '90', 'after', 'arm', 'bear', 'day', 'fight', 'still']
    """
    return STEMS.read(text)
