"""Correct misspelt words of a draft.

A word is misspelt if it is not an English word, does not occur in the archive, and is not in the models'
vocabulary. It is replaced by the most similar word of the archive that is in the vocabulary or an English
word.

Names are in no dictionary, so a capitalised word must be longer and closer to its correction. Within a
sentence, a capitalised word is corrected only to a name. A word of four letters is corrected only to a word
with the same consonants.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from rapidfuzz import process
from rapidfuzz.distance import OSA

from jobs.recommend.english_words import FRAGMENTS, group_words, is_common_word, is_english_word
from rostrum_core.ports import ParagraphStore
from rostrum_core.types import Draft

LEAST_LETTERS = 4
SHORT_WORD = 4
LEAST_LETTERS_OF_NAME = 7
LONG_WORD = 8
"""Number of letters from which two letters may be wrong."""

MOST_WORDS = 30
"""Most misspelt words that are corrected. A draft with more of them is in another language."""

MOST_SIMILAR = 16
VOWELS = re.compile("[aeiouy]")
DOUBLED = re.compile(r"(.)\1+")
WORD = re.compile(r"(?<![\w'’])(?:(?<!-)|(?=[a-z]))[^\W\d_]+(?![\w'’]|-[A-Z]|\.\w)")
"""Match a word or a part of a hyphenated one. A capitalised part is a name, which no rule here knows."""

NAME = re.compile(r"(?<=[\w,;’”)])[ \t]+([A-Z][^\W\d_]+)")
"""Match a capitalised word that does not begin a sentence."""


def correct_draft(
    draft: Draft, store: ParagraphStore, vocabulary: Collection[str]
) -> tuple[Draft, list[str]]:
    """Return the draft with misspelt words replaced, and a list of remarks.

    The list has one sentence that names the replaced words, or is empty if no word was replaced. `vocabulary`
    has the words that the models know, in lower case.

    Raises:
        StoreError: the archive cannot be searched.
    """
    text = f"{draft.title}\n{draft.left}\n{draft.right}"
    unknown = list(dict.fromkeys(w for w in WORD.findall(text) if _may_be_misspelt(w, vocabulary)))
    if not 0 < len(unknown) <= MOST_WORDS:
        return draft, []
    counts = store.document_frequency([word.lower() for word in unknown])
    unknown = [word for word, count in zip(unknown, counts, strict=True) if not count]
    names = set(NAME.findall(text))
    similar = {word: list_similar(word, vocabulary, is_name=word in names) for word in unknown}
    corrected = choose_words(similar, store)
    if not corrected:
        return draft, []
    fixed = {part: _replace_words(getattr(draft, part), corrected) for part in ("title", "left", "right")}
    pairs = ", ".join(f"{word} as {right}" for word, right in corrected.items())
    return replace(draft, **fixed), [f"read as misspelt: {pairs}"]


def _may_be_misspelt(word: str, vocabulary: Collection[str]) -> bool:
    least = LEAST_LETTERS if word.islower() else LEAST_LETTERS_OF_NAME
    lower = word.lower()
    return (
        len(word) >= least and not word.isupper() and lower not in vocabulary and not is_english_word(lower)
    )


def list_similar(word: str, vocabulary: Collection[str], *, is_name: bool = False) -> list[tuple[str, int]]:
    """Return pairs (word, edit distance) of the words that are most similar to `word`, nearest first.

    The words are from `vocabulary` and, if `word` is in lower case, also from the English word lists. Only
    words with the same first letter are compared. If `word` is a name, common words are left out. Fragments
    of contractions, such as "couldn" of "couldn't", are never returned.

    >>> list_similar("indstry", ["industry", "ministry", "infantry"])
    [('industry', 1)]
    """
    lower = word.lower()
    listed = [] if word[:1].isupper() else group_words().get(lower[:1], [])
    most = 2 if len(word) >= LONG_WORD and word.islower() else 1
    alike = sorted(
        {
            other
            for other in (*vocabulary, *listed)
            if other[:1] == lower[:1] and abs(len(other) - len(lower)) <= most and other not in FRAGMENTS
        }
    )
    similar = process.extract(lower, alike, scorer=OSA.distance, score_cutoff=most, limit=MOST_SIMILAR)
    return [
        (other, int(distance)) for other, distance, _ in similar if not (is_name and is_common_word(other))
    ]


def choose_words(similar: Mapping[str, Sequence[tuple[str, int]]], store: ParagraphStore) -> dict[str, str]:
    """Choose the correction of each misspelt word: the nearest of its similar words that the archive has.

    `similar` maps each misspelt word to pairs of a similar word and its edit distance. A word without a
    correction is not in the result.

    If several similar words are equally near, a word with the same consonants is preferred ("forty" for
    "fourty"), and after that the most frequent word. Doubled consonants count once ("quitter" for "quiter").
    A short word is only replaced by a word with the same consonants.
    """
    words = sorted({other for others in similar.values() for other, _ in others})
    counts = dict(zip(words, store.document_frequency(words), strict=True)) if words else {}
    chosen = {}
    for word, others in similar.items():
        consonants = _list_consonants(word.lower())
        in_archive = [
            (distance, _list_consonants(other) != consonants, -counts[other], other)
            for other, distance in others
            if counts[other] and (len(word) > SHORT_WORD or _list_consonants(other) == consonants)
        ]
        if in_archive:
            chosen[word] = min(in_archive)[-1]
    return chosen


def _list_consonants(word: str) -> str:
    """Return the consonants of a word in lower case, doubled ones once: "quitter" -> "qtr"."""
    return DOUBLED.sub(r"\1", VOWELS.sub("", word))


def _replace_words(text: str, corrected: Mapping[str, str]) -> str:
    def write(match: re.Match[str]) -> str:
        right = corrected.get(match[0])
        return match[0] if right is None else right if match[0].islower() else right.capitalize()

    return WORD.sub(write, text)
