"""Every word of the transcripts, and where each three words in a row stand."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from indexer.align.transcripts import Transcript
from indexer.align.words import words
from rostrum.core.errors import BadInput

Ints = NDArray[np.int32]
SEED_WORDS = 3
BITS = 21  # of a word's number within a seed: three of them fit 64 bits
UNKNOWN = -1
UNDATED = np.iinfo(np.int32).min


@dataclass(frozen=True, slots=True)
class Place:
    """Characters of a transcript: from a paragraph's `start_char` to the last one's `end_char`."""

    document: str
    paragraph: int
    last_paragraph: int
    start_char: int
    end_char: int


class WordIndex:
    """Transcripts as one row of numbered words, with an inverted index of three words in a row.

    Position `p` is word `ids[p]`. About 24 bytes a word: 230 MB for 9.5 million. The texts are not kept.
    """

    def __init__(self, transcripts: Iterable[Transcript]) -> None:
        self.vocabulary: dict[str, int] = {}
        self.documents: list[str] = []
        days, document_starts, paragraph_starts, first_paragraphs = [], [], array("i"), []
        ids, starts, ends = array("i"), array("i"), array("i")
        for transcript in transcripts:
            self.documents.append(transcript.id)
            days.append(
                date.fromisoformat(transcript.spoken_on).toordinal() if transcript.spoken_on else UNDATED
            )
            document_starts.append(len(ids))
            first_paragraphs.append(len(paragraph_starts))
            for text in transcript.paragraphs:
                paragraph_starts.append(len(ids))
                for word in words(text):
                    ids.append(self.vocabulary.setdefault(word.key, len(self.vocabulary)))
                    starts.append(word.start_char)
                    ends.append(word.end_char)
        if len(self.vocabulary) >= 1 << BITS:
            raise BadInput(
                f"{len(self.vocabulary)} different words in the transcripts, more than {1 << BITS}"
            )
        self.keys = list(self.vocabulary)
        self.days = np.array(days, np.int32)
        self.ids, self._starts, self._ends = _ints(ids), _ints(starts), _ints(ends)
        self._document_starts = np.array(document_starts, np.int64)
        self._paragraph_starts, self._first_paragraphs = _ints(paragraph_starts), first_paragraphs
        counts = np.bincount(self.ids, minlength=len(self.keys))
        self._bits = np.log2(max(1, len(ids))) - np.log2(np.maximum(1, counts))
        self._rarest = float(np.log2(max(2, len(ids))))
        self.document_of = np.repeat(
            np.arange(len(self.documents), dtype=np.int32), np.diff([*document_starts, len(ids)])
        )
        self._seeds, self._positions = self._inverted()

    def _inverted(self) -> tuple[NDArray[np.uint64], Ints]:
        """Seeds in order, and the position of each one's first word; none goes over a document's end."""
        seeds = seeds_of(self.ids)
        within = self.document_of[: len(seeds)] == self.document_of[len(self.ids) - len(seeds) :]
        positions = np.flatnonzero(within).astype(np.int32)
        order = np.argsort(seeds[positions], kind="stable")
        positions = positions[order]
        return seeds[positions], positions

    def numbers(self, keys: Sequence[str]) -> Ints:
        """The numbers of words, `UNKNOWN` for one that no transcript has."""
        return np.array([self.vocabulary.get(key, UNKNOWN) for key in keys], np.int32)

    def bits_of(self, ids: Ints) -> NDArray[np.float64]:
        """How much each word tells: -log2 of its share of all words; an unknown one as much as the rarest."""
        return np.where(ids == UNKNOWN, self._rarest, self._bits[ids])

    def bounds(self, document: int) -> tuple[int, int]:
        """The positions of a document, half-open."""
        after = document + 1
        end = self._document_starts[after] if after < len(self._document_starts) else len(self.ids)
        return int(self._document_starts[document]), int(end)

    def postings(self, ids: Ints) -> list[tuple[int, Ints]]:
        """For each three words in a row of `ids` that the transcripts have: its offset, and the positions.

        The rarest come first.
        """
        known = ids >= 0
        offsets = np.flatnonzero(known[:-2] & known[1:-1] & known[2:])
        seeds = seeds_of(ids)[offsets]
        lows = np.searchsorted(self._seeds, seeds, "left")
        highs = np.searchsorted(self._seeds, seeds, "right")
        order = np.argsort(highs - lows, kind="stable")
        found = ((int(offsets[at]), self._positions[lows[at] : highs[at]]) for at in order)
        return [(offset, positions) for offset, positions in found if len(positions)]

    def place(self, first: int, last: int) -> Place:
        """The characters from word `first` to word `last`, both of one document."""
        document = int(self.document_of[first])
        paragraphs = np.searchsorted(self._paragraph_starts, [first, last], "right") - 1
        before = self._first_paragraphs[document]
        return Place(
            self.documents[document],
            int(paragraphs[0]) - before,
            int(paragraphs[1]) - before,
            int(self._starts[first]),
            int(self._ends[last]),
        )


def seeds_of(ids: Ints) -> NDArray[np.uint64]:
    """A number for each three words in a row; what stands for an unknown word has no meaning."""
    if len(ids) < SEED_WORDS:
        return np.empty(0, np.uint64)
    wide = ids.astype(np.uint64)
    return (wide[:-2] << np.uint64(2 * BITS)) | (wide[1:-1] << np.uint64(BITS)) | wide[2:]


def _ints(values: array[int]) -> Ints:
    return np.frombuffer(values, np.int32) if values else np.empty(0, np.int32)
