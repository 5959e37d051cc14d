"""The first stage: what a draft finds in an archive, with the scores of every stage and their fusion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.fusion import sum_weighted
from reranker.models.wordpieces import DraftPieces
from reranker.signals import FIRST_STAGE, SIGNALS, STAGES, Context, Signal
from reranker.signals.exact_words import find_required, is_query
from reranker.signals.following import read_quoted
from rostrum.jobs.recommend.queries import document_text, paragraph_text, pruned
from rostrum_core.candidates import Candidates, Floats, Integers
from rostrum_core.errors import TaskError
from rostrum_core.ports import DEPTH, ParagraphStore, Query
from rostrum_core.types import Draft, Filter, Paragraph, Tokens


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
    store: ParagraphStore,
    draft: Draft,
    reading: Reading,
    filter: Filter,
    *,
    depth: int = DEPTH,
    names: bool = True,
) -> Candidates:
    """Return the candidates of a draft with a column for each signal of the first stage.

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
            wording=f"{draft.title} {draft.left}" if is_query(draft) else "",
        )
    )
    context = Context(found, draft, reading.pieces, names)
    columns = {signal.name: _column(signal, context) for signal in FIRST_STAGE}
    quoted = context.compute(read_quoted)
    is_cut = quoted is not None and not is_query(draft)  # a query has the words that it seeks
    found = found.with_columns(columns, quoted.placings if quoted and is_cut else None)
    required = find_required(context)
    return found if required is None else found.select(required, found.read(required.tolist()))


def _column(signal: Signal, context: Context) -> Floats:
    """Return the column of a signal, all missing where it was skipped."""
    column = signal.column(context)
    return np.full(len(context.candidates), np.nan) if column is None else column


def _named(store: ParagraphStore, filter: Filter) -> int:
    """How many paragraphs the named documents have, where any is named."""
    ids = filter.documents
    return sum(each.paragraphs for each in store.documents(ids)) if ids else 0


def choose(
    found: Candidates, weights: Mapping[str, float], most: int, *, distinct: bool = False
) -> Candidates:
    """Return the best `most` candidates with the fusion of their signals as `first_stage`.

    With `distinct`, only the best of the candidates that say the same: an archive may have it twice.
    """
    if not len(found):
        return found
    fused = sum_weighted({name: found.columns[name] for name in STAGES}, weights)
    found = found.with_columns({"first_stage": fused})
    order = np.argsort(-fused, kind="stable")
    read = _read_distinct(found, order, most) if distinct else _read_all(found, order[:most])
    rows = np.array(sorted(read), np.int64)
    return found.select(rows, [read[row] for row in rows.tolist()])


def _read_all(found: Candidates, rows: Integers) -> dict[int, tuple[Paragraph, Tokens]]:
    wanted = rows.tolist()
    return dict(zip(wanted, found.read(wanted), strict=True))


def _read_distinct(found: Candidates, order: Integers, most: int) -> dict[int, tuple[Paragraph, Tokens]]:
    """Return the first `most` rows of an order that do not say the same as one before."""
    first: dict[str, int] = {}
    read: dict[int, tuple[Paragraph, Tokens]] = {}
    for begin in range(0, len(order), most):
        several = _read_all(found, order[begin : begin + most])
        for row, (paragraph, _) in several.items():
            if len(first) < most and (words := wording(paragraph)) not in first:
                first[words], read[row] = row, several[row]
        if len(first) == most:
            break
    return read


def wording(paragraph: Paragraph) -> str:
    """Return the words of a paragraph, whatever stands between them; with the same ones, two say the same."""
    return " ".join(paragraph.text.split())


def merge_columns(found: Candidates) -> dict[str, Floats]:
    """Return the columns that the ranker's scores are merged with, by signal."""
    merged = {signal.name: _column(signal, Context(found)) for signal in SIGNALS if signal.merged}
    return {name: found.columns[name] for name in STAGES} | merged
