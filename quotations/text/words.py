"""Normalise the words of a text for comparison, ignoring case, punctuation, and variants of quotes and
dashes.

Contractions are written out, and number words converted to figures. Every word keeps its character range in
the text.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from quotations.text.numbers import MOST_WORDS, NUMBERS, read_number

APOSTROPHE = "['’‘ʼ´`]"
# Characters within a word that are no letters, besides combining marks: soft hyphen, zero-width joiners.
INVISIBLE = "\u00ad\u200b\u2060"
COMBINED = rf"[^\W_]+(?:[\u0300-\u036f{INVISIBLE}]+[^\W_]*)*"
WORD = re.compile(
    rf"""(?<!\w)No\.(?=\ ?\d)                          # No. 1
    | (?:[^\W\d_]\.){{2,}}[^\W\d_]?(?![^\W\d_])     # U.S.
    | \d+(?:[.,]\d+)*(?:st|nd|rd|th)?                  # 2,000th
    | \[[^\W\d_]+\](?:[^\W\d_]+|(?={APOSTROPHE}))(?:{APOSTROPHE}[^\W_]+)*  # [T]he, [I]t's, [I]'m
    | [^\W\d_]+\[[^\W\d_]+\]                           # go[es]
    | [^\W\d_]-(?=[^\W\d_]{{3}})[^\W\d_]+              # e-mail
    | {COMBINED}(?:{APOSTROPHE}{COMBINED})*
    | [%&]""",
    re.VERBOSE,
)
BETWEEN = re.compile(r"[\s\-‐‑–]*")  # the words of one number
THOUSANDS = re.compile(r",(?=\d{3}(?!\d))")  # any other comma is a decimal point, as in German
SIGNS = {"%": "percent", "&": "and", "no.": "number"}
# Phrases with several spellings, by their first word.
SPELLED = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "let's": ("let", "us"),
    "gonna": ("going", "to"),
    "wanna": ("want", "to"),
    "gotta": ("got", "to"),
    "em": ("them",),
    "ok": ("okay",),
    # as captions may write them
    "dont": ("do", "not"),
    "doesnt": ("does", "not"),
    "didnt": ("did", "not"),
    "isnt": ("is", "not"),
    "arent": ("are", "not"),
    "wasnt": ("was", "not"),
    "werent": ("were", "not"),
    "havent": ("have", "not"),
    "hasnt": ("has", "not"),
    "hadnt": ("had", "not"),
    "wouldnt": ("would", "not"),
    "couldnt": ("could", "not"),
    "shouldnt": ("should", "not"),
}
ENDINGS = {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'d": "would"}
# After these "'s" is "is"; elsewhere it is read as a genitive.
NO_GENITIVE = frozenset(
    [
        "he",
        "she",
        "it",
        "that",
        "there",
        "here",
        "what",
        "who",
        "where",
        "how",
        "when",
        "why",
        "this",
        "everything",
        "everybody",
        "nobody",
        "somebody",
        "anybody",
        "everyone",
        "someone",
        "anyone",
        "nothing",
        "something",
    ]
)
CACHED_WORDS = 1 << 18


class Word(NamedTuple):
    """Hold a normalised word (`key`) with its half-open character range in the text."""

    key: str
    start_char: int
    end_char: int


def split_words(text: str) -> list[Word]:
    """Split `text` into normalised words. The words of a contraction have the same character range.

    >>> [word.key for word in split_words("It’s “twenty-one” U.S. e-mails — don't!")]
    ['it', 'is', '21', 'us', 'emails', 'do', 'not']
    >>> [word.key for word in split_words("We are No. 1, and no one knows")]
    ['we', 'are', 'number', '1', 'and', 'no', '1', 'knows']
    >>> split_words("Two thousand")
    [Word(key='2000', start_char=0, end_char=12)]
    """
    read = [Word(key, m.start(), m.end()) for m in WORD.finditer(text) for key in _fold_keys(m[0])]
    return read if NUMBERS.isdisjoint(word.key for word in read) else _write_figures(read, text)


def split_keys(text: str) -> list[str]:
    """Return the normalised words of `text`, without their places; number words are not converted.

    >>> split_keys("twenty-one, can't")
    ['twenty', 'one', 'can', 'not']
    """
    return [key for match in WORD.finditer(text) for key in _fold_keys(match[0])]


@lru_cache(CACHED_WORDS)
def _fold_keys(written: str) -> tuple[str, ...]:
    folded = re.sub(r"[\[\]]", "", re.sub(APOSTROPHE, "'", written.casefold()))
    plain = (folded if folded.isascii() else _remove_marks(folded)).strip("'")
    bare = re.sub(r"['.-]", "", plain)
    if not bare:  # an apostrophe that Unicode classes as a letter, or a mark without its letter
        return ()
    if plain in SIGNS or plain in SPELLED:
        return (SIGNS[plain],) if plain in SIGNS else SPELLED[plain]
    if plain[0].isdigit():
        figures = THOUSANDS.sub("", plain).replace(",", ".")
        return (re.sub("(?<=[0-9])(?:st|nd|rd)$", "th", figures),)
    for ending, word in ENDINGS.items():
        if plain.endswith(ending) and len(plain) > len(ending):
            return plain[: -len(ending)], word
    if plain.endswith("'s") and plain[:-2] in NO_GENITIVE:
        return plain[:-2], "is"
    return (bare,)


def _remove_marks(folded: str) -> str:
    """Return a text without accents and invisible characters, and with ligatures and the like written out
    (NFKD).
    """
    decomposed = unicodedata.normalize("NFKD", folded)
    return "".join(c for c in decomposed if not unicodedata.combining(c) and c not in INVISIBLE)


def _write_figures(spoken: list[Word], text: str) -> list[Word]:
    keys = [word.key for word in spoken]
    written, at = [], 0
    while at < len(spoken):
        if keys[at] in NUMBERS:
            figures, taken = read_number(keys[at : _find_run_end(spoken, at, text)], 0)
            written.append(Word(figures, spoken[at].start_char, spoken[at + taken - 1].end_char))
            at += taken
        else:
            written.append(spoken[at])
            at += 1
    return written


def _find_run_end(spoken: list[Word], at: int, text: str) -> int:
    """Return the end of the words from `at` that may form one number, such as "forty-two thousand".

    Only white space and hyphens may separate the words. A comma after "thousand" is also allowed, unless
    another "thousand" follows.
    """
    last = min(at + MOST_WORDS + 1, len(spoken)) - 1  # one more, because an "and" looks at the next word
    while at < last:
        gap = text[spoken[at].end_char : spoken[at + 1].start_char]
        if spoken[at].key == "thousand" and all(word.key != "thousand" for word in spoken[at + 1 : last + 1]):
            gap = gap.removeprefix(",")
        if not BETWEEN.fullmatch(gap):
            break
        at += 1
    return at + 1
