"""Extract the spoken words of consecutive paragraphs, without stage directions and speakers' tags."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from quotations.text.words import split_words

CACHED_TEXTS = 1 << 14
NOT_SPOKEN = re.compile(
    r"""(?<!</s>)(?<!</s>\ )(?<!</s>\\)(?<!</s>\ \\)(?<!</s>\ \*)(?<!</s>\ \\\*)
      \[(?![^\]]{0,3}\])[^\[\]]{1,200}\]        # [applause]; not [I], nor what corrects <s>words</s>
    | <s>[^<>]{1,80}</s> | </?(?:s|sup|sub|em|strong|[bi])>
    | \((?i:[^()]{0,60}\b(?:applause|laugh(?:s|ter|ing)?|cheer(?:s|ing)?|crosstalk|inaudible|unintelligible
        |boos?|booing|music|chant(?:s|ing)?|pause[sd]?|ph|sic|off[- ]mic(?:rophone)?|video[\ ](?:clip|plays)
        |end[\ ]video)\b[^()]{0,60})\)
    | ^\s*(?:[A-Z][A-Z.'’-]+,?\ ?){1,5}(?:\([^)]{1,40}\))?:\s""",
    re.VERBOSE | re.MULTILINE,
)
LOST = re.compile(
    r"""[\[(][^\[\]()]{0,40}\b(?:inaudible|crosstalk|unintelligible|indiscernible|garbled|audio\ (?:gap|break)
    |no\ audio|off[-\ ]mic)\b[^\[\]()]{0,40}[\])]""",
    re.IGNORECASE | re.VERBOSE,
)


class SpokenWord(NamedTuple):
    """Hold a spoken word as it is compared (`key`), and its place: `texts[text][start_char:end_char]`."""

    key: str
    text: int
    start_char: int
    end_char: int


@dataclass(frozen=True)
class Spoken:
    """Hold the spoken words of consecutive paragraphs as one sequence.

    Notes such as "[applause]" and speaker tags are not among the words, but `get_text` includes them.

    >>> spoken = Spoken(("We choose [applause] to go.", "MR. FOX: To the moon."))
    >>> spoken.keys
    ('we', 'choose', 'to', 'go', 'to', 'the', 'moon')
    >>> spoken.get_text(3, 5)
    'go. MR. FOX: To'
    >>> Spoken(("<s>Ninety</s> [Ninety-eight] percent of the process [progress]",)).keys
    ('98', 'percent', 'of', 'the', 'process')
    """

    texts: tuple[str, ...]

    @cached_property
    def words(self) -> tuple[SpokenWord, ...]:
        """Return the spoken words in order, without notes such as "[applause]"."""
        return tuple(word for number, text in enumerate(self.texts) for word in _read_words(number, text))

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Return the words in their normalised form, for comparison."""
        return tuple(word.key for word in self.words)

    def get_text(self, first: int, stop: int) -> str:
        """Return the text of the transcript from word `first` to word `stop`, exclusive."""
        if stop <= first:
            return ""
        begin, end = self.words[first], self.words[stop - 1]
        if begin.text == end.text:
            return self.texts[begin.text][begin.start_char : end.end_char]
        inside = self.texts[begin.text + 1 : end.text]
        head, tail = self.texts[begin.text][begin.start_char :], self.texts[end.text][: end.end_char]
        return " ".join((head, *inside, tail))

    def read_word(self, at: int) -> str:
        """Return word number `at` as written."""
        word = self.words[at]
        return self.texts[word.text][word.start_char : word.end_char]

    def is_sentence_start(self, at: int) -> bool:
        """Return whether word `at` is the first of a sentence or of a paragraph."""
        word = self.words[at]
        return is_sentence_start(self.texts[word.text], word.start_char)


def is_sentence_start(text: str, start_char: int) -> bool:
    """Return whether the word at `start_char` is the first of a sentence.

    >>> is_sentence_start("He left. She stayed", 9), is_sentence_start("He left", 3)
    (True, False)
    """
    before = text[:start_char].rstrip(" \t\n\"'“‘([*—–-")
    return not before or before[-1] in ".!?…:"


@lru_cache(CACHED_TEXTS)
def _read_words(number: int, text: str) -> Sequence[SpokenWord]:
    ranges = [match.span() for match in NOT_SPOKEN.finditer(text)]
    silenced = text
    for start, end in ranges:
        silenced = silenced[:start] + " " * (end - start) + silenced[end:]
    return [SpokenWord(word.key, number, word.start_char, word.end_char) for word in split_words(silenced)]
