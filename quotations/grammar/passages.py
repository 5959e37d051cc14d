"""Parse a paragraph once for all rules: sentences, words, clauses, quotation marks."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from operator import attrgetter
from typing import Any, TypeVar

from quotations.grammar.clauses import Clause, find_clauses
from quotations.grammar.gaps import split_gaps
from quotations.grammar.tagging import Word, tag_words
from quotations.text.sentences import split_paragraph

KEPT = 512  # number of cached paragraphs, some 30 KB each; an answer has ten, and their spans ask again
SUFFIXES = frozenset(("jr", "sr", "ii", "iii"))
OPENING, CLOSING, STRAIGHT = "“", "”", '"'
LABEL = re.compile(r"(?:[A-Z][A-Z.'’-]+(?:[ ][A-Z][A-Z.'’-]*){0,4}|[QA])[ ]?:\s+(?:--?\s+|[—–]\s+)?(?=\S)")
MARK = re.compile('[“”"]')
T = TypeVar("T")
S = TypeVar("S", bound="Facts")


class Facts:
    """Cache, for a sentence or a passage, the result of each function that is called with it.

    Subclasses are `Sentence` and `Passage`. Many rules need the same results for each span of a passage.
    """

    def compute(self: S, function: Callable[[S], T]) -> T:
        """Return `function(self)`; the result is cached for later calls with the same function."""
        if function not in self._computed:
            self._computed[function] = function(self)
        result: T = self._computed[function]
        return result

    @cached_property
    def _computed(self) -> dict[Callable[[Any], Any], Any]:
        return {}


@dataclass(frozen=True, eq=False)
class Sentence(Facts):
    """Hold one sentence, `text[start_char:end_char]`; words and clauses are parsed on first use."""

    text: str
    start_char: int
    end_char: int

    @cached_property
    def words(self) -> Sequence[Word]:
        """Return the words of the sentence, each tagged with its part of speech."""
        return tag_words(self.text, self.start_char, self.end_char)

    @cached_property
    def gaps(self) -> Sequence[str]:
        """Return for each word the text between the previous word and this word; "" for the first word."""
        return split_gaps(self.text, self.words)

    @cached_property
    def clauses(self) -> Sequence[Clause]:
        """Return the clauses of the sentence."""
        return find_clauses(self.words, self.gaps)

    @cached_property
    def clause_of(self) -> Sequence[Clause]:
        """Return for each word the clause that contains the word."""
        owners = {i: clause for clause in self.clauses for i in clause.words}
        return [owners.get(i, self.clauses[0]) for i in range(len(self.words))]

    def parse_part(self, first: int, last: int) -> Sequence[Clause]:
        """Return the clauses of the words `first` to `last` (inclusive), parsed without the rest of the
        sentence.
        """
        if (first, last) == (0, len(self.words) - 1):
            return self.clauses
        if (first, last) not in self._parts:
            words, gaps = self.words[first : last + 1], ["", *self.gaps[first + 1 : last + 1]]
            self._parts[first, last] = find_clauses(words, gaps)
        return self._parts[first, last]

    @cached_property
    def _parts(self) -> dict[tuple[int, int], Sequence[Clause]]:
        return {}

    def find_words(self, start_char: int, end_char: int) -> range:
        """Return the indices of the words that lie in the character range `start_char:end_char`."""
        starts, ends = self._bounds
        return range(bisect_left(starts, start_char), bisect_right(ends, end_char))

    @cached_property
    def _bounds(self) -> tuple[list[int], list[int]]:
        return [word.start_char for word in self.words], [word.end_char for word in self.words]


_get_end = attrgetter("end_char")


@dataclass(frozen=True, eq=False)
class Passage(Facts):
    """Hold a parsed paragraph.

    `speaker` is the name of the speaker, if known. If `is_statement` is true, quotation marks enclose the
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
        """Return the sentences in order; a speaker's label at the beginning ("MR. LEE: ") is left out."""
        label = LABEL.match(self.text)
        at = label.end() if label else 0
        return [Sentence(self.text, at + start, at + end) for start, end in split_paragraph(self.text[at:])]

    @cached_property
    def quoted(self) -> list[tuple[int, int]]:
        """Return the ranges between quotation marks, without the marks."""
        return find_quoted(self.text)

    def count_words(self, start_char: int, end_char: int) -> int:
        """Return the number of words of `text[start_char:end_char]`, as `str.split` separates them."""
        return len(self.text[start_char:end_char].split())

    def list_overlapping(self, start_char: int, end_char: int) -> Iterator[tuple[Sentence, range]]:
        """Yield the sentences that share words with `start_char:end_char`, each with the indices of these
        words.
        """
        first = bisect_right(self.sentences, start_char, key=_get_end)
        for sentence in islice(self.sentences, first, None):
            if sentence.start_char >= end_char:
                return
            inside = sentence.find_words(start_char, end_char)
            if inside:
                yield sentence, inside


@lru_cache(maxsize=KEPT)
def read_passage(text: str, speaker: str = "", *, is_statement: bool = False) -> Passage:
    """Return the paragraph `text` as a `Passage`, from a cache of the last few passages.

    The cache saves parsing a paragraph again. `speaker` and `is_statement` are fields of `Passage`.
    """
    return Passage(text, speaker, is_statement)


def is_quoted_statement(paragraphs: Sequence[str]) -> bool:
    """Return whether a document has its speaker's own words in quotation marks, as press releases do.

    Few paragraphs of a speech begin with a quotation mark. In a press release, the paragraphs with spoken
    words do.

    >>> is_quoted_statement(['“We won,” said Senator Lee.', '“We will win again.”'])
    True
    >>> is_quoted_statement(['Friends!', 'A worker wrote to me: "Go on."', '"We will."', 'So will I.'])
    False
    """
    opened = sum(paragraph.lstrip().startswith((OPENING, STRAIGHT)) for paragraph in paragraphs)
    return bool(paragraphs) and opened * 3 >= len(paragraphs)


def find_quoted(text: str) -> list[tuple[int, int]]:
    """Return the ranges of `text` between double quotation marks, in order, without the marks.

    An unclosed mark quotes up to the end of the text, because each paragraph of a long quotation begins with
    a mark. A closing mark without an opening one is ignored. Whether a straight mark opens or closes depends
    on the adjacent characters.

    >>> find_quoted('He said "go" and “come.')
    [(9, 11), (18, 23)]
    >>> find_quoted('We won."')
    []
    """
    ranges, start = [], None
    for at, mark in ((match.start(), match[0]) for match in MARK.finditer(text)):
        if mark == OPENING or (mark == STRAIGHT and start is None and _is_opening(text, at)):
            start = at + 1 if start is None else start
        elif mark in (CLOSING, STRAIGHT) and start is not None:
            ranges.append((start, at))
            start = None
    return ranges if start is None else [*ranges, (start, len(text))]


def _is_opening(text: str, at: int) -> bool:
    return not text[:at].strip() or not (text[at - 1].isalnum() or text[at - 1] in ".,!?;:…)")
