"""Run the first stage: search an archive for a draft, score the candidates by every signal, and fuse the
scores.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jobs.recommend.queries import MOST_TERMS, build_document_query, build_paragraph_query, limit_terms
from reranker.fusion import sum_weighted
from reranker.models.wordpieces import DraftPieces
from reranker.signals import FIRST_STAGE, SIGNALS, STAGES, Context, Signal
from reranker.signals.exact_words import find_required, is_query, read_replaced
from reranker.signals.paraphrase import place_candidates
from rostrum_core.candidates import Candidates, Floats, Integers
from rostrum_core.errors import TaskError
from rostrum_core.ports import DEPTH, ParagraphStore, Query
from rostrum_core.types import Draft, Filter, Paragraph, Tokens

WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, eq=False, slots=True)
class EncodedDraft:
    """Hold a draft as the models encoded it.

    A field is `None` if it was not computed, or does not match the archive. `query`: int32 (n,), the input of
    encoder and ranker. `pieces`: all WordPieces of the draft. `vector`: float32 (width,). `engine` names the
    engine that computed the vector.
    """

    query: NDArray[np.int32] | None = None
    pieces: DraftPieces | None = None
    vector: NDArray[np.float32] | None = None
    engine: str | None = None


def parse_encoded_draft(answer: Mapping[str, Any]) -> EncodedDraft:
    """Parse the result of the task `draft`.

    Raises:
        TaskError: a field is missing, because the worker has another version.
    """
    try:
        pieces = DraftPieces(answer["before"], answer["after"])
        return EncodedDraft(answer["query"], pieces, answer["vector"], answer.get("engine"))
    except KeyError as error:
        raise TaskError(f"draft: a worker of another version answered, without {error}") from error


def search(
    store: ParagraphStore,
    draft: Draft,
    encoded: EncodedDraft,
    filter: Filter,
    *,
    depth: int = DEPTH,
    names: bool = True,
) -> Candidates:
    """Return the candidates of a draft, with a column for each signal of the first stage.

    If the filter names documents, all their paragraphs are candidates. If there are more than `depth`, each
    stage contributes its best paragraphs, as in a search of the whole archive. If no candidate has some words
    of a query, the search is repeated with similar words that candidates have. If some candidates have all
    phrases in quotation marks of a query, only these are returned.

    Raises:
        StoreError: the archive cannot be searched.
    """
    context = _search(store, draft, encoded, filter, depth, names)
    replaced = context.compute(read_replaced)
    if replaced:
        corrected = replace(draft, **{p: _replace(getattr(draft, p), replaced) for p in ("title", "left")})
        context = _search(store, corrected, encoded, filter, depth, names)
    candidates = context.candidates
    columns = {signal.name: _compute_column(signal, context) for signal in FIRST_STAGE}
    # a query contains the words that it looks for
    candidates = candidates.add_columns(columns, None if is_query(draft) else place_candidates(context))
    required = find_required(context)
    return candidates if required is None else candidates.select(required, candidates.read(required.tolist()))


def _replace(text: str, replaced: Mapping[str, str]) -> str:
    return WORD.sub(lambda match: replaced.get(match[0].casefold(), match[0]), text)


def _search(
    store: ParagraphStore, draft: Draft, encoded: EncodedDraft, filter: Filter, depth: int, names: bool
) -> Context:
    candidates = store.search(
        Query(
            limit_terms(build_paragraph_query(draft)),
            build_document_query(draft),
            encoded.vector,
            filter,
            depth=depth,
            every=0 < _count_named(store, filter) <= depth,
            wording=f"{draft.title} {draft.left}" if is_query(draft) else "",
            rarest=MOST_TERMS,
        )
    )
    return Context(candidates, draft, encoded.pieces, names)


def _compute_column(signal: Signal, context: Context) -> Floats:
    """Return the column of a signal; NaN in every row if the signal was skipped."""
    column = signal.column(context)
    return np.full(len(context.candidates), np.nan) if column is None else column


def _count_named(store: ParagraphStore, filter: Filter) -> int:
    """Count the paragraphs of the documents that the filter names; 0 if it names none."""
    ids = filter.documents
    return sum(info.paragraphs for info in store.documents(ids)) if ids else 0


def choose(
    candidates: Candidates, weights: Mapping[str, float], most: int, *, distinct: bool = False
) -> Candidates:
    """Return the best `most` candidates with the fusion of their signals as `first_stage`.

    With `distinct`, keep only the best of several candidates with the same words, because an archive may
    contain a text twice.
    """
    if not len(candidates):
        return candidates
    fused = sum_weighted({name: candidates.columns[name] for name in STAGES}, weights)
    candidates = candidates.add_columns({"first_stage": fused})
    order = np.argsort(-fused, kind="stable")
    read = _read_distinct(candidates, order, most) if distinct else _read_all(candidates, order[:most])
    rows = np.array(sorted(read), np.int64)
    return candidates.select(rows, [read[row] for row in rows.tolist()])


def _read_all(candidates: Candidates, rows: Integers) -> dict[int, tuple[Paragraph, Tokens]]:
    wanted = rows.tolist()
    return dict(zip(wanted, candidates.read(wanted), strict=True))


def _read_distinct(candidates: Candidates, order: Integers, most: int) -> dict[int, tuple[Paragraph, Tokens]]:
    """Read the first `most` rows of an order, skipping paragraphs that repeat the words of an earlier row."""
    first: dict[str, int] = {}
    read: dict[int, tuple[Paragraph, Tokens]] = {}
    for begin in range(0, len(order), most):
        several = _read_all(candidates, order[begin : begin + most])
        for row, (paragraph, _) in several.items():
            if len(first) < most and (words := normalise_wording(paragraph)) not in first:
                first[words], read[row] = row, several[row]
        if len(first) == most:
            break
    return read


def normalise_wording(paragraph: Paragraph) -> str:
    """Return the words of a paragraph without punctuation and blanks, to compare paragraphs for
    duplicates.
    """
    return " ".join(paragraph.text.split())


def merge_columns(candidates: Candidates) -> dict[str, Floats]:
    """Return the columns that are merged with the ranker's scores, by the names of their signals."""
    merged = {
        signal.name: _compute_column(signal, Context(candidates)) for signal in SIGNALS if signal.merged
    }
    return {name: candidates.columns[name] for name in STAGES} | merged
