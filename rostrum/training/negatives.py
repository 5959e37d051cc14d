"""Which other paragraphs of a transcript a quoted one is trained against.

`rostrum.training.groups` draws them.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import numpy as np
import torch

from embedded.lexical import LexicalIndex
from reranker.wordpieces import PARAGRAPH_TOKENS
from rostrum.service.queries import paragraph_text
from rostrum.training.encoder import Encoder
from rostrum.training.groups import Floats, GroupData


def hardness(kind: str, data: GroupData, encoder: Encoder) -> list[Floats] | None:
    """For each row, how hard every paragraph of its transcript is (n,), higher is harder; `None`: all alike.

    `kind` is one of `rostrum.training.recipe.NEGATIVES`.
    """
    kinds: dict[str, Callable[[], list[Floats] | None]] = {
        "uniform": lambda: None,
        "neighbouring": lambda: by_distance(data),
        "bm25": lambda: by_bm25(data),
        "encoder": lambda: by_encoder(data, encoder),
    }
    return kinds[kind]()


def by_distance(data: GroupData) -> list[Floats]:
    """The nearer to the quoted paragraph, the harder."""
    return [
        -np.abs(np.arange(len(data.tokens[row.document])) - row.ordinal).astype(float) for row in data.rows
    ]


def by_bm25(data: GroupData) -> list[Floats]:
    """By BM25 of the product's query of the draft; a paragraph without any word of it has 0."""
    found: list[Floats] = [np.empty(0)] * len(data.rows)
    by_document = sorted(range(len(found)), key=lambda i: data.rows[i].document)
    for document, some in groupby(by_document, lambda i: data.rows[i].document):
        index = LexicalIndex.in_memory(list(data.documents[document].paragraphs))
        for i in some:
            scores = index.scores(paragraph_text(data.rows[i].draft))
            found[i] = np.array([score or 0.0 for score in scores])
    return found


def by_encoder(data: GroupData, encoder: Encoder) -> list[Floats]:
    """By the cosine with the draft's vector."""
    packed = data.wordpieces.packed
    with torch.no_grad():
        vectors = {
            document: encoder([packed(tokens.cut(0, PARAGRAPH_TOKENS)) for tokens in paragraphs])
            for document, paragraphs in data.tokens.items()
        }
        return [
            (vectors[row.document] @ encoder([row.query])[0]).cpu().numpy().astype(float) for row in data.rows
        ]
