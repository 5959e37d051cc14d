"""Which other paragraphs of a transcript a quoted one is trained against, by ranker and encoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from embedded.lexical import LexicalIndex
from quotations.transcript import Transcript
from reranker.models.wordpieces import Ids
from rostrum.jobs.recommend.queries import paragraph_text
from rostrum_core.types import Draft

if TYPE_CHECKING:
    from torch import Tensor

Floats = NDArray[np.float64]
Encode = Callable[[Sequence[Ids]], "Tensor"]
"""Packed token ids of n texts -> vectors (n, width) of length 1, without gradients."""

DRAWN_FROM = 4
"""Times as many hard paragraphs as are drawn: from these few, so that every epoch brings others."""


class QuotedRow(Protocol):
    """A draft and the paragraph that it quotes."""

    @property
    def draft(self) -> Draft:
        """What was written before the quote."""

    @property
    def query(self) -> Ids:
        """The draft, packed."""

    @property
    def document(self) -> str:
        """The id of the transcript."""

    @property
    def ordinal(self) -> int:
        """Which paragraph of it is quoted."""


class QuotedData(Protocol):
    """Rows, and the transcripts that they quote."""

    @property
    def rows(self) -> Sequence[QuotedRow]:
        """In the order of their file."""

    @property
    def documents(self) -> Mapping[str, Transcript]:
        """By id."""

    def packed(self, document: str) -> list[Ids]:
        """The paragraphs of a transcript."""


def compute_hardness(kind: str, data: QuotedData, encode: Encode) -> list[Floats] | None:
    """For each row, how hard every paragraph of its transcript is (n,), higher is harder; `None`: all alike.

    `kind` is one of `rostrum.training.recipe.NEGATIVES`.
    """
    kinds: dict[str, Callable[[], list[Floats] | None]] = {
        "uniform": lambda: None,
        "neighbouring": lambda: rate_by_distance(data),
        "bm25": lambda: rate_by_bm25(data),
        "encoder": lambda: rate_by_encoder(data, encode),
    }
    return kinds[kind]()


def rate_by_distance(data: QuotedData) -> list[Floats]:
    """The nearer to the quoted paragraph, the harder."""
    counts = [len(data.documents[row.document].paragraphs) for row in data.rows]
    return [
        -np.abs(np.arange(count) - row.ordinal).astype(float)
        for row, count in zip(data.rows, counts, strict=True)
    ]


def rate_by_bm25(data: QuotedData) -> list[Floats]:
    """By BM25 of the product's query of the draft; a paragraph without any word of it has 0."""
    found: list[Floats] = [np.empty(0)] * len(data.rows)
    by_document = sorted(range(len(found)), key=lambda i: data.rows[i].document)
    for document, some in groupby(by_document, lambda i: data.rows[i].document):
        index = LexicalIndex.in_memory(list(data.documents[document].paragraphs))
        for i in some:
            scores = index.scores(paragraph_text(data.rows[i].draft))
            found[i] = np.array([score or 0.0 for score in scores])
    return found


def rate_by_encoder(data: QuotedData, encode: Encode) -> list[Floats]:
    """By the cosine with the draft's vector."""
    vectors = {name: encode(data.packed(name)) for name in sorted({row.document for row in data.rows})}
    return [(vectors[row.document] @ encode([row.query])[0]).cpu().numpy().astype(float) for row in data.rows]


def select_hardest(others: Sequence[int], hard: Floats | None, count: int) -> list[int]:
    """Those of the ordinals `others` that `count` negatives are drawn from.

    >>> select_hardest([0, 1, 3, 4, 5, 6], np.array([9.0, 1, 7, 2, 3, 4, 0]), 1)
    [0, 5, 4, 3]
    """
    if hard is None:
        return list(others)
    return sorted(others, key=lambda i: -hard[i])[: DRAWN_FROM * count]
