"""The first stage: what a draft finds in an archive, with the scores of every stage and their fusion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from reranker.fusion import STAGES, weighted
from reranker.neighbours import around
from reranker.phrases import already_quoted
from rostrum.core.ports import DEPTH, ParagraphStore, Query
from rostrum.core.types import Candidate, Draft, Filter
from rostrum.service.queries import document_text, paragraph_text, pruned


@dataclass(frozen=True, eq=False, slots=True)
class Reading:
    """What the models read in a draft; `None` where it was not read, or not as the archive was.

    `query`: int32 (n,), what encoder and ranker are given. `words`: int32 (m,), all its WordPieces.
    `vector`: float32 (width,).
    """

    query: NDArray[np.int32] | None = None
    words: NDArray[np.int32] | None = None
    vector: NDArray[np.float32] | None = None


def search(
    store: ParagraphStore, draft: Draft, reading: Reading, filter: Filter, *, depth: int = DEPTH
) -> list[Candidate]:
    """Paragraphs with their scores of every stage but the fusion.

    Of named documents, all paragraphs, unless they have more than `depth` together: then, as elsewhere, what
    each stage contributes.

    Raises:
        StoreError: the archive cannot be searched.
    """
    found = store.search(
        Query(
            pruned(paragraph_text(draft), store),
            document_text(draft),
            reading.vector,
            filter,
            depth=depth,
            every=0 < _named(store, filter) <= depth,
        )
    )
    return _placed(found, reading.words)


def _named(store: ParagraphStore, filter: Filter) -> int:
    """How many paragraphs the named documents have, where any is named."""
    ids = filter.documents
    return sum(each.paragraphs for each in store.documents(ids)) if ids else 0


def _placed(found: Sequence[Candidate], words: NDArray[np.int32] | None) -> list[Candidate]:
    """The candidates with the scores of where they stand: beside what matches, and near what is quoted."""
    documents = [c.paragraph.document_id for c in found]
    ordinals = [c.paragraph.ordinal for c in found]
    beside = around([c.scores.lexical for c in found], documents, ordinals)
    quoted: Sequence[float | None] = [None] * len(found)
    near = quoted
    if words is not None:
        quoted, near = already_quoted(words, [c.tokens.ids for c in found], documents, ordinals)
    return [
        replace(c, scores=replace(c.scores, quoted=q, near=n, around=b))
        for c, q, n, b in zip(found, quoted, near, beside, strict=True)
    ]


def ordered(
    found: Sequence[Candidate], weights: Mapping[str, float], most: int | None = None
) -> list[Candidate]:
    """The best `most` candidates, or all, best first, with the fusion of their stages as `first_stage`."""
    if not found:
        return []
    fused = weighted(stages_of(found), weights).tolist()
    best = sorted(range(len(found)), key=lambda i: (-fused[i], *place(found[i])))[:most]
    return [replace(found[i], scores=replace(found[i].scores, first_stage=fused[i])) for i in best]


def stages_of(found: Sequence[Candidate]) -> dict[str, list[float | None]]:
    """The candidates' first-stage scores by stage."""
    return {stage: [getattr(c.scores, stage) for c in found] for stage in STAGES}


def place(candidate: Candidate) -> tuple[str, int]:
    """What decides between equal scores: document and ordinal."""
    return candidate.paragraph.document_id, candidate.paragraph.ordinal
