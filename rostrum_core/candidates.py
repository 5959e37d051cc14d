"""Store the candidates of a draft as columns: one row per paragraph, one column per signal.

A candidate is a paragraph that may be recommended, a signal one of its scores, such as "lexical".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rostrum_core.types import Candidate, Paragraph, Placing, Scores, Tokens
from rostrum_core.word_rows import WordRows

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Read = Callable[[Sequence[int]], Sequence[tuple[Paragraph, Tokens]]]
"""Return paragraph and WordPieces of the rows with these numbers, in that order."""

ReadWords = Callable[[Sequence[int]], WordRows]
"""Return the different words of the texts of the rows with these numbers, in that order."""


@dataclass(frozen=True, eq=False, slots=True)
class Candidates:
    """Hold the n paragraphs that may be recommended, ordered by document id and ordinal, without duplicates.

    `documents` holds the m document ids in order; `spoken_on` and `speakers` hold the day and the speaker of
    each document. `owners` (n,) is the index in `documents` of each paragraph's document. `ordinals` (n,) are
    the numbers of the paragraphs in their documents, from 0. `piece_ids` int32 are the WordPiece ids of all
    paragraphs, concatenated; those of row i end before `piece_ends[i]`. `columns` are scores by signal,
    float64 (n,), NaN if a score is missing. A skipped stage has no column. `placings` has, for each row whose
    document the draft quotes, the distances to the quoted words. `words` maps a kind of words, "stems" or
    "names", to a function that reads such words of the paragraphs from the archive (see
    `quotations.text.kept_words.KEPT`).

    Indexing and iteration yield whole `Candidate` objects, which costs far more than reading a column.
    """

    documents: Sequence[str]
    spoken_on: Sequence[str | None]
    speakers: Sequence[str | None]
    owners: Integers
    ordinals: Integers
    piece_ids: NDArray[np.int32]
    piece_ends: Integers
    read: Read
    columns: Mapping[str, Floats] = field(default_factory=dict)
    placings: Mapping[int, Placing] = field(default_factory=dict)
    words: Mapping[str, ReadWords] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.owners)

    def __getitem__(self, row: int) -> Candidate:
        return self.take([range(len(self))[row]])[0]

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.take(range(len(self))))

    def read_all(self) -> Sequence[tuple[Paragraph, Tokens]]:
        """Return the paragraph and the WordPieces (tokens of the models) of each row, in order."""
        return self.read(range(len(self))) if len(self) else []

    def add_columns(
        self, columns: Mapping[str, Floats], placings: Mapping[int, Placing] | None = None
    ) -> Candidates:
        """Return the same candidates with further columns of scores; a column replaces one of the same name.

        If `placings` is given, it replaces the candidates' placings. A placing has the distances of a row's
        WordPieces from words that the draft quotes.
        """
        return replace(
            self,
            columns={**self.columns, **columns},
            placings=self.placings if placings is None else placings,
        )

    def select(self, rows: Integers, paragraphs: Sequence[tuple[Paragraph, Tokens]]) -> Candidates:
        """Return the candidates of `rows`, which are ascending row numbers.

        `paragraphs` has the paragraph and the WordPieces of each of these rows, so that the result need not
        read them from the archive again. The result has no `words`.
        """
        begins = np.concatenate([np.zeros(1, np.int64), self.piece_ends])[rows]
        ends = self.piece_ends[rows]
        ids = [self.piece_ids[begin:end] for begin, end in zip(begins, ends, strict=True)]
        return Candidates(
            self.documents,
            self.spoken_on,
            self.speakers,
            self.owners[rows],
            self.ordinals[rows],
            *join_ids(ids),
            lambda wanted: [paragraphs[i] for i in wanted],
            {name: column[rows] for name, column in self.columns.items()},
            {i: self.placings[row] for i, row in enumerate(rows.tolist()) if row in self.placings},
        )

    def get_scores(self, row: int) -> Scores:
        """Return the scores of a row by signal; a missing score is `None`."""
        return {name: _keep_score(float(column[row])) for name, column in self.columns.items()}

    def take(self, rows: Sequence[int]) -> list[Candidate]:
        """Return the candidates of `rows`, in that order, as `Candidate` objects with text and scores."""
        read = self.read(rows) if len(rows) else []
        return [
            Candidate(
                paragraph,
                tokens,
                self.get_scores(row),
                self.spoken_on[self.owners[row]],
                self.placings.get(row),
            )
            for row, (paragraph, tokens) in zip(rows, read, strict=True)
        ]


def _keep_score(score: float) -> float | None:
    return None if score != score else score  # only NaN differs from itself


def join_ids(ids: Sequence[NDArray[np.int32]]) -> tuple[NDArray[np.int32], Integers]:
    """Return the concatenated WordPiece ids of all paragraphs, and the position at which each paragraph's ids
    end.

    >>> join_ids([np.array([7, 8], np.int32), np.array([9], np.int32)])[1].tolist()
    [2, 3]
    """
    ends = np.cumsum([len(of_one) for of_one in ids], dtype=np.int64)
    return np.concatenate([np.empty(0, np.int32), *ids]), ends


def make_columns(candidates: Sequence[Candidate]) -> Candidates:
    """Convert `Candidate` objects to `Candidates`: one row for each object, sorted by document id and
    ordinal.

    >>> from rostrum_core.types import Paragraph
    >>> empty = Tokens(*(np.empty(0, np.int32) for _ in range(3)))
    >>> rows = [Candidate(Paragraph(name, name, 0, "", 0, 0), empty, {"lexical": 1.0}) for name in "ba"]
    >>> columns = make_columns(rows)
    >>> columns.documents, columns.columns["lexical"].tolist(), columns[0].paragraph.document_id
    (['a', 'b'], [1.0, 1.0], 'a')
    """
    rows = sorted(candidates, key=lambda c: (c.paragraph.document_id, c.paragraph.ordinal))
    days = {c.paragraph.document_id: c.spoken_on for c in rows}
    places = {name: place for place, name in enumerate(days)}
    ids, ends = join_ids([c.tokens.ids for c in rows])
    names = list(dict.fromkeys(name for c in rows for name in c.scores))
    return Candidates(
        list(days),
        list(days.values()),
        [None] * len(days),
        np.array([places[c.paragraph.document_id] for c in rows], np.int64),
        np.array([c.paragraph.ordinal for c in rows], np.int64),
        ids,
        ends,
        lambda wanted: [(rows[i].paragraph, rows[i].tokens) for i in wanted],
        {name: np.array([c.scores.get(name) for c in rows], np.float64) for name in names},
        {i: c.placing for i, c in enumerate(rows) if c.placing is not None},
    )
