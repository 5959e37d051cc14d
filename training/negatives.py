"""Choose other paragraphs of a quoted transcript as negatives, to train ranker and encoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from embedded.lexical import LexicalIndex
from jobs.recommend.queries import build_paragraph_query
from quotations.text.transcript import Transcript
from reranker.models.wordpieces import Ids
from rostrum_core.types import Draft

if TYPE_CHECKING:
    from torch import Tensor

Floats = NDArray[np.float64]
Encode = Callable[[Sequence[Ids]], "Tensor"]
"""Function that encodes packed token ids of n texts as vectors (n, width) of length 1, without gradients."""

DRAWN_FROM = 4
"""Factor of how many hard paragraphs are sampled from, relative to the number needed, so that epochs vary."""


class QuotedRow(Protocol):
    """Describe a draft and the place of one paragraph that it quotes."""

    @property
    def draft(self) -> Draft:
        """Return the draft: its title, and the text before the quote."""

    @property
    def query(self) -> Ids:
        """Return the draft as token ids, ready for a model."""

    @property
    def document(self) -> str:
        """Return the id of the transcript that the draft quotes."""

    @property
    def ordinal(self) -> int:
        """Return the ordinal of the quoted paragraph in its transcript."""


class QuotedData(Protocol):
    """Describe a data set: rows (a draft and the place of a quoted paragraph), and the quoted transcripts."""

    @property
    def rows(self) -> Sequence[QuotedRow]:
        """Return the rows, each a draft and the place of a quoted paragraph, in the order of their file."""

    @property
    def documents(self) -> Mapping[str, Transcript]:
        """Return the transcripts that the rows quote, by id."""

    def pack(self, document: str) -> list[Ids]:
        """Return the paragraphs of a transcript as token ids, ready for a model."""


def compute_hardness(kind: str, data: QuotedData, encode: Encode) -> list[Floats] | None:
    """Rate how hard it is to distinguish each paragraph of a quoted transcript from the quoted paragraph.

    Return an array for each row of `data`, with a value for each of the n paragraphs, (n,); higher values are
    harder. `kind` is one of `training.recipe.NEGATIVES`. For the kind "uniform", return `None`, because no
    paragraph is preferred.
    """
    kinds: dict[str, Callable[[], list[Floats] | None]] = {
        "uniform": lambda: None,
        "neighbouring": lambda: rate_by_distance(data),
        "bm25": lambda: rate_by_bm25(data),
        "encoder": lambda: rate_by_encoder(data, encode),
    }
    return kinds[kind]()


def rate_by_distance(data: QuotedData) -> list[Floats]:
    """Rate the paragraphs of each row's transcript by their distance from the quoted one: nearer is harder.

    For four paragraphs of which the second is quoted, the values are -1, 0, -1, -2.
    """
    counts = [len(data.documents[row.document].paragraphs) for row in data.rows]
    return [
        -np.abs(np.arange(count) - row.ordinal).astype(float)
        for row, count in zip(data.rows, counts, strict=True)
    ]


def rate_by_bm25(data: QuotedData) -> list[Floats]:
    """Rate the paragraphs of each row's transcript by their BM25 for the draft.

    The query is built from the draft as for a search. A paragraph without any word of the query gets 0.
    """
    rated: list[Floats] = [np.empty(0)] * len(data.rows)
    by_document = sorted(range(len(rated)), key=lambda i: data.rows[i].document)
    for document, group in groupby(by_document, lambda i: data.rows[i].document):
        index = LexicalIndex.in_memory(list(data.documents[document].paragraphs))
        for i in group:
            scores = index.score_texts(build_paragraph_query(data.rows[i].draft))
            rated[i] = np.array([score or 0.0 for score in scores])
    return rated


def rate_by_encoder(data: QuotedData, encode: Encode) -> list[Floats]:
    """Rate the paragraphs of each row's transcript by the cosine of their vectors with the draft's vector."""
    vectors = {name: encode(data.pack(name)) for name in sorted({row.document for row in data.rows})}
    return [(vectors[row.document] @ encode([row.query])[0]).cpu().numpy().astype(float) for row in data.rows]


def select_hardest(others: Sequence[int], hard: Floats | None, count: int) -> list[int]:
    """Select the paragraphs from which `count` negatives are sampled later; return their ordinals.

    `others` has the ordinals of all paragraphs that may be selected, `hard` the hardness of every paragraph.
    Return the ordinals of the `DRAWN_FROM` * `count` hardest paragraphs, hardest first. If `hard` is `None`,
    return all ordinals.

    >>> select_hardest([0, 1, 3, 4, 5, 6], np.array([9.0, 1, 7, 2, 3, 4, 0]), 1)
    [0, 5, 4, 3]
    """
    if hard is None:
        return list(others)
    return sorted(others, key=lambda i: -hard[i])[: DRAWN_FROM * count]
