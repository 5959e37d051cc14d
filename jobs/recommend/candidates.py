"""Run the first stage: search an archive for a draft, score the paragraphs found, and choose the best ones.

Each signal, such as shared words or similar meaning, gives every paragraph a score. The fusion is a weighted
sum of these scores.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jobs.recommend.asked_words import has_line, read_line
from jobs.recommend.asking import find_remembered
from jobs.recommend.queries import MOST_TERMS, build_document_query, build_paragraph_query, limit_terms
from reranker.fusion import sum_weighted
from reranker.models.wordpieces import DraftPieces
from reranker.signals import FIRST_STAGE, SIGNALS, STAGES, Context, Signal
from reranker.signals.begun_sentence import BEGUN
from reranker.signals.exact_words import find_required, is_query, read_replaced
from reranker.signals.following import FOLLOWS
from reranker.signals.paraphrase import FRESH, RETOLD, place_candidates
from reranker.signals.word_forms import read_forms
from rostrum_core.candidates import Candidates, Floats, Integers
from rostrum_core.errors import TaskError
from rostrum_core.ports import DEPTH, ParagraphStore, Query
from rostrum_core.types import Draft, Filter, Paragraph, Placing, Tokens

WORD = re.compile(r"[^\W_]+")

ENDING_MARKS = ' .?!”"'
OF_OTHER_WORDS = (FOLLOWS, RETOLD, FRESH)
"""Signals by which the next quote is not among the words that a draft already has."""


@dataclass(frozen=True, eq=False, slots=True)
class EncodedDraft:
    """Hold a draft as the models encoded it.

    A field is `None` if it was not computed, or if other models encoded the archive, so that the two cannot
    be compared. `query`: int32 (n,), the input of encoder and ranker. `pieces`: all WordPieces of the draft.
    `vector`: float32 (width,). `engine` names the engine that computed the vector.
    """

    query: NDArray[np.int32] | None = None
    pieces: DraftPieces | None = None
    vector: NDArray[np.float32] | None = None
    engine: str | None = None


def parse_encoded_draft(answer: Mapping[str, Any]) -> EncodedDraft:
    """Parse the response of the worker that encoded a draft.

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
    """Return the candidates for a draft (paragraphs of the archive), with their scores by each first-stage
    signal.

    If the filter names documents with at most `depth` paragraphs in all, these paragraphs are candidates.
    Otherwise, each kind of search (by words, by meaning) contributes its best paragraphs.

    A draft may be a remembered line, or ask for the wording of one. If a candidate has this line, no signal
    expects a quote outside of the draft's words, and there are no placings. The line is then compared word by
    word, like a sentence that the draft begins (*begun*).

    Two rules apply to short queries. If the query has words that no candidate has, the search is repeated
    with similar words that candidates have. If some candidates have all phrases that stand in quotation marks
    in the query, only these candidates are returned.

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
    placings = {} if is_query(draft) else place_candidates(context)
    if line := _find_asked_line(context, placings):
        placings = {}
        columns |= {signal.name: np.zeros(len(candidates)) for signal in OF_OTHER_WORDS}
        begun = Draft(left=line.rstrip(ENDING_MARKS))
        columns[BEGUN.name] = _compute_column(BEGUN, Context(candidates, begun, context.pieces, names))
    candidates = candidates.add_columns(columns, placings)
    required = find_required(context)
    return candidates if required is None else candidates.select(required, candidates.read(required.tolist()))


def _find_asked_line(context: Context, placings: Mapping[int, Placing]) -> str:
    """Return the remembered line that a draft is, or whose wording it asks for; "" if no candidate has it.

    A line below a title does not count, because it may be the beginning of an article that goes on.
    `placings` are those of `place_candidates`: a candidate with the line counts there as quoted or retold.
    """
    draft = context.draft
    has_title = bool(draft.title.strip() and draft.left.strip())
    line = find_remembered(draft) or ("" if has_title else read_line(draft))
    if not line:
        return ""
    rows = [row for row, placing in placings.items() if (placing.words_since == Placing.QUOTED).any()]
    asked_words, read = read_forms(line), context.candidates.read(rows) if rows else []
    return line if any(has_line(asked_words, paragraph.text) for paragraph, _ in read) else ""


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
    """Return the scores of all candidates by one signal; all are NaN if the signal could not be computed."""
    column = signal.column(context)
    return np.full(len(context.candidates), np.nan) if column is None else column


def _count_named(store: ParagraphStore, filter: Filter) -> int:
    """Count the paragraphs of the documents that the filter names; 0 if it names none."""
    ids = filter.documents
    return sum(info.paragraphs for info in store.documents(ids)) if ids else 0


def choose(
    candidates: Candidates, weights: Mapping[str, float], most: int, *, distinct: bool = False
) -> Candidates:
    """Return the best `most` candidates by the fusion, a weighted sum of their scores by all signals.

    The fusion is added to the candidates as the column `first_stage`. With `distinct`, only the best of
    several candidates with the same words is returned, because an archive may contain a text twice.
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
    """Return the paragraphs and tokens of the best candidates, at most `most`, by row number.

    Of several paragraphs with the same words, only the best is returned. `order` has the row numbers of the
    candidates, best first.
    """
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
    """Return the text of a paragraph with single blanks between its words, to find paragraphs with the same
    text.
    """
    return " ".join(paragraph.text.split())


def merge_columns(candidates: Candidates) -> dict[str, Floats]:
    """Return, for each signal, the scores that the final ranking uses besides those of the ranker.

    Some of these signals belong to the first stage. The others are computed only for ranked candidates.
    """
    merged = {
        signal.name: _compute_column(signal, Context(candidates)) for signal in SIGNALS if signal.merged
    }
    return {name: candidates.columns[name] for name in STAGES} | merged
