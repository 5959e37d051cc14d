"""Index the words of transcripts, and the positions of every sequence of three words."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial

import numpy as np
from numpy.typing import NDArray

from quotations.text.transcript import Transcript
from quotations.text.words import split_words
from rostrum_core.errors import BadInput

Ints = NDArray[np.int32]
SEED_WORDS = 3
BITS = 21  # bits of a word's number within a seed: three of them fit 64 bits
UNKNOWN = -1
UNDATED = np.iinfo(np.int32).min


@dataclass(frozen=True, slots=True)
class Place:
    """Locate a range of a transcript: from `start_char` in one paragraph to `end_char` in the same or a later
    paragraph.
    """

    document: str
    paragraph: int
    last_paragraph: int
    start_char: int
    end_char: int


@dataclass(slots=True)
class _Columns:
    """Collect the columns of a word index: values for each word, each paragraph, and each transcript."""

    vocabulary: dict[str, int] = field(default_factory=dict)
    ids: array[int] = field(default_factory=partial(array, "i"))
    starts: array[int] = field(default_factory=partial(array, "i"))
    ends: array[int] = field(default_factory=partial(array, "i"))
    paragraph_starts: array[int] = field(default_factory=partial(array, "i"))
    first_paragraphs: list[int] = field(default_factory=list)
    document_starts: list[int] = field(default_factory=list)
    documents: list[str] = field(default_factory=list)
    days: list[int] = field(default_factory=list)

    def add(self, transcript: Transcript) -> None:
        """Append a transcript, its paragraphs and their words."""
        spoken_on = transcript.spoken_on
        self.documents.append(transcript.id)
        self.days.append(date.fromisoformat(spoken_on).toordinal() if spoken_on else UNDATED)
        self.document_starts.append(len(self.ids))
        self.first_paragraphs.append(len(self.paragraph_starts))
        for text in transcript.paragraphs:
            self.paragraph_starts.append(len(self.ids))
            for word in split_words(text):
                self.ids.append(self.vocabulary.setdefault(word.key, len(self.vocabulary)))
                self.starts.append(word.start_char)
                self.ends.append(word.end_char)


class WordIndex:
    """Store transcripts as one sequence of numbered words, with an inverted index of three-word sequences.

    The word at position `p` has the number `ids[p]` and is in document `document_of[p]`. `keys` has the words
    by number, and `days` the dates of the documents as ordinals. A word takes 28 bytes: 275 MB for 9.8
    million words. The texts of the transcripts are not kept.

    Raises:
        BadInput: there are more distinct words than can be numbered.
    """

    def __init__(self, transcripts: Iterable[Transcript]) -> None:
        read = _Columns()
        for transcript in transcripts:
            read.add(transcript)
        if len(read.vocabulary) >= 1 << BITS:
            raise BadInput(f"{len(read.vocabulary):,} different words in the transcripts, too many to number")
        self._vocabulary, self.keys = read.vocabulary, list(read.vocabulary)
        self.days = np.array(read.days, np.int32)
        self.ids, self._starts, self._ends = (
            _convert_ints(read.ids),
            _convert_ints(read.starts),
            _convert_ints(read.ends),
        )
        self._documents, self._document_starts = read.documents, [*read.document_starts, len(self.ids)]
        self._paragraph_starts, self._first_paragraphs = (
            _convert_ints(read.paragraph_starts),
            read.first_paragraphs,
        )
        documents = np.arange(len(self.days), dtype=np.int32)
        self.document_of = np.repeat(documents, np.diff(self._document_starts))
        counts = np.bincount(self.ids, minlength=len(self.keys))
        self._rarest = float(np.log2(max(2, len(self.ids))))
        self._bits = self._rarest - np.log2(np.maximum(1, counts))
        self._seeds, self._positions = self._build_inverted()

    def _build_inverted(self) -> tuple[NDArray[np.uint64], Ints]:
        """Return the numbers of all sequences of three words, sorted, and the positions of the sequences.

        `compute_seeds` gives each sequence its number. No sequence crosses the end of a document.
        """
        seeds = compute_seeds(self.ids)
        within = self.document_of[: len(seeds)] == self.document_of[len(self.ids) - len(seeds) :]
        positions = np.flatnonzero(within).astype(np.int32)
        order = np.argsort(seeds[positions], kind="stable")
        positions = positions[order]
        return seeds[positions], positions

    def get_numbers(self, keys: Sequence[str]) -> Ints:
        """Return for each word its number in the index; `UNKNOWN` for a word that no transcript has."""
        return np.array([self._vocabulary.get(key, UNKNOWN) for key in keys], np.int32)

    def get_bits(self, ids: Ints) -> NDArray[np.float64]:
        """Return the information of each word in bits: -log2 of its share of all words.

        An unknown word counts as the rarest.
        """
        return np.where(ids == UNKNOWN, self._rarest, self._bits[ids])

    def get_bounds(self, document: int) -> tuple[int, int]:
        """Return the positions of the first word of a document and of the word after its last."""
        return self._document_starts[document], self._document_starts[document + 1]

    def find_postings(self, ids: Ints) -> list[tuple[int, Ints]]:
        """Return pairs (offset, positions) for the three-word sequences of `ids` that the transcripts have,
        rarest first.

        `offset` is where the sequence begins in `ids`. `positions` are all positions in the index where the
        sequence begins.
        """
        is_known = ids >= 0
        offsets = np.flatnonzero(is_known[:-2] & is_known[1:-1] & is_known[2:])
        seeds = compute_seeds(ids)[offsets]
        lows = np.searchsorted(self._seeds, seeds, "left")
        highs = np.searchsorted(self._seeds, seeds, "right")
        order = np.argsort(highs - lows, kind="stable")
        slices = ((int(offsets[at]), self._positions[lows[at] : highs[at]]) for at in order)
        return [(offset, positions) for offset, positions in slices if len(positions)]

    def place(self, first: int, last: int) -> Place:
        """Return the document, paragraphs and offsets of the words at positions `first` to `last`.

        All these words must be in one document.
        """
        document = int(self.document_of[first])
        paragraphs = np.searchsorted(self._paragraph_starts, [first, last], "right") - 1
        before = self._first_paragraphs[document]
        return Place(
            self._documents[document],
            int(paragraphs[0]) - before,
            int(paragraphs[1]) - before,
            int(self._starts[first]),
            int(self._ends[last]),
        )


def compute_seeds(ids: Ints) -> NDArray[np.uint64]:
    """Return for each sequence of three words a number that stands for the sequence, uint64 (n - 2,).

    The number of a sequence has no meaning if one of its words is unknown.
    """
    if len(ids) < SEED_WORDS:
        return np.empty(0, np.uint64)
    wide = ids.astype(np.uint64)
    return (wide[:-2] << np.uint64(2 * BITS)) | (wide[1:-1] << np.uint64(BITS)) | wide[2:]


def _convert_ints(values: array[int]) -> Ints:
    return np.frombuffer(values, np.int32) if values else np.empty(0, np.int32)
