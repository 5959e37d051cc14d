"""The first stage: what a draft finds in an archive, with the scores of every stage and their fusion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.fusion import STAGES, weighted
from reranker.models.wordpieces import DraftPieces
from reranker.signals.following import already_quoted
from reranker.signals.neighbours import around
from reranker.signals.recency import recency
from rostrum.jobs.recommend.queries import document_text, paragraph_text, pruned
from rostrum_core.errors import TaskError
from rostrum_core.ports import DEPTH, ParagraphStore, Query
from rostrum_core.types import Candidate, Draft, Filter, Paragraph


@dataclass(frozen=True, eq=False, slots=True)
class Reading:
    """What the models read in a draft; `None` where it was not read, or not as the archive was.

    `query`: int32 (n,), what encoder and ranker are given. `pieces`: all its WordPieces.
    `vector`: float32 (width,).
    """

    query: NDArray[np.int32] | None = None
    pieces: DraftPieces | None = None
    vector: NDArray[np.float32] | None = None


def reading_of(answer: Mapping[str, Any]) -> Reading:
    """What an answer of the task `draft` says.

    Raises:
        TaskError: a worker of another version answered, in other words.
    """
    try:
        return Reading(answer["query"], DraftPieces(answer["before"], answer["after"]), answer["vector"])
    except KeyError as error:
        raise TaskError(f"draft: a worker of another version answered, without {error}") from error


def search(
    store: ParagraphStore, draft: Draft, reading: Reading, filter: Filter, *, depth: int = DEPTH
) -> list[Candidate]:
    """Paragraphs with their scores of every stage but the fusion.

    Without a vector age counts for nothing: its weight was fitted beside that of the vectors, and would put
    what is recent above all that fits.

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
    placed = _placed(found, reading.pieces)
    return placed if reading.vector is None else _dated(placed, draft.written_on)


def _named(store: ParagraphStore, filter: Filter) -> int:
    """How many paragraphs the named documents have, where any is named."""
    ids = filter.documents
    return sum(each.paragraphs for each in store.documents(ids)) if ids else 0


def _placed(found: Sequence[Candidate], pieces: DraftPieces | None) -> list[Candidate]:
    """The candidates with the scores of where they stand: beside what matches, and after what is quoted."""
    documents = [c.paragraph.document_id for c in found]
    ordinals = [c.paragraph.ordinal for c in found]
    beside = around([c.scores.lexical for c in found], documents, ordinals)
    beside_them = [replace(c, scores=replace(c.scores, around=b)) for c, b in zip(found, beside, strict=True)]
    if pieces is None:
        return beside_them
    texts, tokens = [c.paragraph.text for c in found], [c.tokens for c in found]
    told = zip(*already_quoted(pieces, texts, tokens, documents, ordinals), strict=True)
    return [
        replace(c, scores=replace(c.scores, quoted=quoted, follows=follows), placing=placing)
        for c, (quoted, follows, placing) in zip(beside_them, told, strict=True)
    ]


def _dated(found: list[Candidate], written_on: str | None) -> list[Candidate]:
    """The candidates with how recent their speeches are on the day of the draft, if it has one."""
    if written_on is None:
        return found
    recent = recency(written_on, [c.spoken_on for c in found])
    return [
        replace(c, scores=replace(c.scores, recency=prior)) for c, prior in zip(found, recent, strict=True)
    ]


def ordered(
    found: Sequence[Candidate], weights: Mapping[str, float], most: int | None = None
) -> list[Candidate]:
    """The best `most` candidates, or all, best first, with the fusion of their stages as `first_stage`."""
    return list(islice(_best_first(found, weights), most))


def distinct(found: Sequence[Candidate], weights: Mapping[str, float], most: int) -> list[Candidate]:
    """As `ordered`, but of the candidates that say the same the best alone: an archive may have it twice."""
    first: dict[str, Candidate] = {}
    for candidate in _best_first(found, weights):
        first.setdefault(wording(candidate.paragraph), candidate)
        if len(first) == most:
            break
    return list(first.values())


def wording(paragraph: Paragraph) -> str:
    """The words of a paragraph, whatever stands between them: paragraphs with the same say the same."""
    return " ".join(paragraph.text.split())


def _best_first(found: Sequence[Candidate], weights: Mapping[str, float]) -> Iterator[Candidate]:
    if not found:
        return
    fused = weighted(stages_of(found), weights).tolist()
    for i in sorted(range(len(found)), key=lambda i: (-fused[i], *place(found[i]))):
        yield replace(found[i], scores=replace(found[i].scores, first_stage=fused[i]))


def stages_of(found: Sequence[Candidate]) -> dict[str, list[float | None]]:
    """The candidates' first-stage scores by stage."""
    return {stage: [getattr(c.scores, stage) for c in found] for stage in STAGES}


def place(candidate: Candidate) -> tuple[str, int]:
    """What decides between equal scores: document and ordinal."""
    return candidate.paragraph.document_id, candidate.paragraph.ordinal
