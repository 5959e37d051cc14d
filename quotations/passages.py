"""Parse a paragraph once for all rules: sentences, words, clauses, quotation marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from quotations.clauses import Clause, find_clauses, gaps_of
from quotations.sentences import sentences
from quotations.tagging import Word, tag_words

KEPT = 256  # number of cached paragraphs; an answer has ten, and each of their spans asks again
SUFFIXES = frozenset(("jr", "sr", "ii", "iii"))
OPENING, CLOSING, STRAIGHT = "“", "”", '"'


@dataclass(frozen=True, slots=True, eq=False)
class Sentence:
    """Hold one sentence, `text[start_char:end_char]`, with its words, the gaps before them, and its
    clauses.

    `clause_of[i]` is the clause of word `i`.
    """

    start_char: int
    end_char: int
    words: Sequence[Word]
    gaps: Sequence[str]
    clauses: Sequence[Clause]
    clause_of: Sequence[Clause]

    def within(self, start_char: int, end_char: int) -> range:
        """Return the indices of the words that lie in `start_char:end_char`."""
        inside = [
            i
            for i, word in enumerate(self.words)
            if word.start_char >= start_char and word.end_char <= end_char
        ]
        return range(inside[0], inside[-1] + 1) if inside else range(0)


@dataclass(frozen=True, eq=False)
class Passage:
    """Hold a paragraph as the rules read it.

    `speaker` is the name of the speaker, if known. With `is_statement`, its quotation marks surround the
    speaker's own words, as in a press release.
    """

    text: str
    speaker: str = ""
    is_statement: bool = False

    @cached_property
    def surname(self) -> str:
        """Return the last name of the speaker, lower-case; "" if unknown."""
        names = [name.strip(".,").lower() for name in self.speaker.split()]
        names = [name for name in names if name not in SUFFIXES]
        return names[-1] if names else ""

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Return the sentences in order."""
        return [_read_sentence(self.text, start, end) for start, end in sentences(self.text)]

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        """Return the ranges between quotation marks, without the marks."""
        return find_quoted(self.text)

    def overlapping(self, start_char: int, end_char: int) -> Iterator[tuple[Sentence, range]]:
        """Yield the sentences that share words with `start_char:end_char`, with those words' indices."""
        for sentence in self.sentences:
            if sentence.start_char < end_char and sentence.end_char > start_char:
                inside = sentence.within(start_char, end_char)
                if inside:
                    yield sentence, inside


@lru_cache(maxsize=KEPT)
def read_passage(text: str, speaker: str = "", *, is_statement: bool = False) -> Passage:
    """Parse `text` as a passage; cache the last few."""
    return Passage(text, speaker, is_statement)


def is_quoted_statement(paragraphs: Sequence[str]) -> bool:
    """Return whether a document puts its speaker's own words between quotation marks, as press releases do.

    Few paragraphs of a speech begin with a quotation mark. In a press release, those with spoken words do.

    >>> is_quoted_statement(['“We won,” said Senator Lee.', '“We will win again.”'])
    True
    >>> is_quoted_statement(['Friends!', 'A worker wrote to me: "Go on."', '"We will."', 'So will I.'])
    False
    """
    opened = sum(paragraph.lstrip().startswith((OPENING, STRAIGHT)) for paragraph in paragraphs)
    return bool(paragraphs) and opened * 3 >= len(paragraphs)


def find_quoted(text: str) -> list[tuple[int, int]]:
    """Return the ranges of `text` between double quotation marks, in order, without the marks.

    An unclosed mark quotes up to the end: a speaker who reads out several paragraphs opens each. A closing
    mark without an opening one ends nothing. A straight mark opens or closes depending on the characters
    next to it.

    >>> find_quoted('He said "go" and “come.')
    [(9, 11), (18, 23)]
    >>> find_quoted('We won."')
    []
    """
    ranges, start = [], None
    for at, mark in enumerate(text):
        if mark == OPENING or (mark == STRAIGHT and start is None and _opens(text, at)):
            start = at + 1 if start is None else start
        elif mark in (CLOSING, STRAIGHT) and start is not None:
            ranges.append((start, at))
            start = None
    return ranges if start is None else [*ranges, (start, len(text))]


def _opens(text: str, at: int) -> bool:
    return not text[:at].strip() or not (text[at - 1].isalnum() or text[at - 1] in ".,!?;:…)")


def _read_sentence(text: str, start: int, end: int) -> Sentence:
    words = tag_words(text, start, end)
    gaps = gaps_of(text, words)
    clauses = find_clauses(words, gaps)
    owners = {i: clause for clause in clauses for i in clause.words}
    return Sentence(start, end, words, gaps, clauses, [owners.get(i, clauses[0]) for i in range(len(words))])
