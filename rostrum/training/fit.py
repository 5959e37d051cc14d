"""Fits the weights of the fusion on dev: a grid each, the best mean taken, ties to the earlier point.

Within transcripts (all paragraphs of the source compete): how lexical and dense scores weigh against each
other and against the ranker, and the exponents of late fusion. Over the archive: how much a candidate's
document counts, before the ranker and after it.

    python -m rostrum.training.fit --data DATA --models MODELS --judged RUN --archive ARCHIVE --out FILE
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from embedded.store import EmbeddedStore
from reranker.fusion import FusionWeights, filled, lengths, log_softmax, weighted, z_scores
from reranker.models import Models
from rostrum.core.ports import ParagraphStore, Query
from rostrum.core.types import Candidate, Draft, Filter
from rostrum.service.queries import document_text, paragraph_text, pruned
from rostrum.service.recommend import stages_of
from rostrum.training.evaluation import sampled
from rostrum.training.judging import JudgedRow, judged_file, kept
from rostrum.training.metrics import average_precision, order
from rostrum.training.pairs import Pair, pairs, transcripts

Floats = NDArray[np.float64]
DENSE = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
MODEL = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.75, 1.0)  # of a logit, where dense weighs 1
NEXT_TO_DENSE = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
DOCUMENT = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 4.0)
EXPONENT = tuple(x / 2 for x in range(21))  # the paper's grid: 0, 0.5 .. 10


@dataclass(frozen=True, eq=False)
class Row:
    """A draft's candidates at the fit: z-scores of first stages, the ranker's logits, what is relevant."""

    lexical: Floats
    dense: Floats
    document: Floats
    length: Floats
    model: Floats
    span: Floats
    relevant: frozenset[int]


def row_of(judged: JudgedRow, paragraphs: Sequence[str]) -> Row:
    """A judged draft, all paragraphs of one document."""
    lexical, dense = z_scores(filled(judged.lexical)), z_scores(judged.dense)
    return Row(
        lexical,
        dense,
        np.zeros(len(dense)),
        z_scores(np.array(lengths(paragraphs))),
        judged.model,
        judged.span,
        frozenset(judged.relevant),
    )


def mean_ap(rows: Sequence[Row], score: Callable[[Row], Floats]) -> float:
    """Mean average precision of a scoring of each row's candidates."""
    return mean_ap_of([(score(row), row) for row in rows])


def mean_ap_of(scored: Sequence[tuple[Floats, Row]]) -> float:
    """Mean average precision of rows with the scores of their candidates."""
    return float(np.mean([average_precision(order(s).tolist(), set(r.relevant)) for s, r in scored]))


def best(points: Iterable[tuple[float, ...]], value: Callable[..., float]) -> tuple[float, ...]:
    """The point of the grid with the greatest value, the first of several.

    >>> best([(0.0,), (1.0,), (2.0,)], lambda x: -abs(x - 1))
    (1.0,)
    """
    return max(points, key=lambda point: value(*point))


def fit_within(rows: Sequence[Row]) -> FusionWeights:
    """Weights for the paper's setting; document scores do not matter there and are left at the start's."""
    (dense,) = best([(d,) for d in DENSE], lambda d: mean_ap(rows, lambda r: r.lexical + d * r.dense))
    model, lexical_too, length = best(
        product(MODEL, NEXT_TO_DENSE, NEXT_TO_DENSE),
        lambda m, a, b: mean_ap(rows, lambda r: m * r.model + a * r.lexical + r.dense + b * r.length),
    )
    first = {"lexical": 1.0, "dense": dense, "document": 0.0}
    merged = {"lexical": lexical_too, "dense": 1.0, "document": 0.0, "length": length}
    weights = FusionWeights({**first, "document": 1.0}, first, merged, model, 0.0, 1.0)
    spread = [(log_softmax(paragraph_logits(r, weights)), log_softmax(r.span), r) for r in rows]

    def value(alpha: float, beta: float) -> float:
        return mean_ap_of([(alpha * span + beta * paragraph, r) for paragraph, span, r in spread])

    alpha, beta = best([(a, b) for a, b in product(EXPONENT, EXPONENT) if b], value)
    return replace(weights, alpha=alpha, beta=beta)


def paragraph_logits(row: Row, weights: FusionWeights) -> Floats:
    """What p(paragraph) is the softmax of: float64 (n,)."""
    rest: Floats = np.sum([w * getattr(row, name) for name, w in weights.paragraph.items()], axis=0)
    return weights.model * row.model + rest


def thirty_days(pair: Pair) -> Filter:
    """Speeches of the 30 days up to the draft's publication."""
    published = date.fromisoformat(pair.published[:10])
    return Filter(since=str(published - timedelta(days=30)), until=str(published))


def candidates_of(pair: Pair, store: ParagraphStore, models: Models, filter: Filter) -> list[Candidate]:
    """The first stage's candidates for a draft, as the product searches."""
    draft = Draft(pair.title, pair.left)
    query = models.wordpieces.query(draft.title, draft.left)
    vector = models.encoder.query(query)
    return store.search(Query(pruned(paragraph_text(draft), store), document_text(draft), vector, filter))


def is_quoted(candidate: Candidate, pair: Pair) -> bool:
    """Whether the candidate is a paragraph that the draft's writer quoted."""
    return candidate.paragraph.document_id == pair.document and any(
        candidate.paragraph.ordinal == part.ordinal for part in pair.parts
    )


def recall(searched: Sequence[tuple[Pair, list[Candidate]]], weights: dict[str, float], k: int) -> float:
    """Share of drafts with a quoted paragraph among the first `k` candidates."""
    hits = []
    for pair, found in searched:
        ranked = order(weighted(stages_of(found), weights)).tolist() if found else []
        hits.append(any(is_quoted(found[i], pair) for i in ranked[:k]))
    return float(np.mean(hits))


def fit_candidates(searched: Sequence[tuple[Pair, list[Candidate]]]) -> dict[str, float]:
    """Weights of dense and document scores next to BM25: the best mean of recall@10 and recall@100."""

    def value(dense: float, document: float) -> float:
        weights = {"lexical": 1.0, "dense": dense, "document": document}
        return recall(searched, weights, 10) + recall(searched, weights, 100)

    dense, document = best(product(DENSE, DOCUMENT), value)
    return {"lexical": 1.0, "dense": dense, "document": document}


def fit_document(
    searched: Sequence[tuple[Pair, list[Candidate]]], models: Models, weights: FusionWeights
) -> float:
    """Weight of the document's score in the merged answer: the best mean reciprocal rank, end to end."""
    rows = [_ranked_row(pair, found, models, weights) for pair, found in searched]
    rows = [row for row in rows if row.relevant]

    def value(document: float) -> float:
        tried = replace(weights, paragraph={**weights.paragraph, "document": document})
        return mean_ap(
            rows,
            lambda r: (
                weights.alpha * log_softmax(r.span) + weights.beta * log_softmax(paragraph_logits(r, tried))
            ),
        )

    (document,) = best([(d,) for d in DOCUMENT], value)
    return document


def _ranked_row(pair: Pair, found: list[Candidate], models: Models, weights: FusionWeights) -> Row:
    fused = weighted(stages_of(found), weights.candidates)
    kept = [found[i] for i in order(fused)[:100]]
    query = models.wordpieces.query(pair.title, pair.left)
    ranked = models.ranker.rank(query, [c.paragraph.text for c in kept], [c.tokens for c in kept])
    parts = {stage: z_scores(filled(scores)) for stage, scores in stages_of(kept).items()}
    return Row(
        parts["lexical"],
        parts["dense"],
        parts["document"],
        z_scores(np.array(lengths([c.paragraph.text for c in kept]))),
        np.array([r.score for r in ranked], np.float64),
        np.array([r.span.score for r in ranked], np.float64),
        frozenset(i for i, c in enumerate(kept) if is_quoted(c, pair)),
    )


def main() -> None:
    """Command line of the module."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--models", type=Path, required=True, help="folder of the models")
    parser.add_argument("--archive", type=Path, help="archive of all transcripts; without it, one document")
    parser.add_argument("--judged", type=Path, required=True, help="folder that keeps what was judged")
    parser.add_argument("--rows", type=int, default=400, help="how many dev rows, drawn by seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True, help="the weights, as JSON")
    given = parser.parse_args()
    documents = transcripts(given.data / "documents.jsonl.gz")
    rows = sampled(pairs(given.data / "pairs-dev.jsonl.gz", documents), given.rows, given.seed)
    models = Models(given.models)
    sources = [given.data / "pairs-dev.jsonl.gz", given.data / "documents.jsonl.gz"]
    judged = kept(judged_file(given.judged, models, *sources), rows, documents, models)
    weights = fit_within([row_of(j, documents[j.pair.document].paragraphs) for j in judged])
    if given.archive:
        store = EmbeddedStore(given.archive)
        searched = [(pair, candidates_of(pair, store, models, Filter())) for pair in rows]
        weights = replace(weights, candidates=fit_candidates(searched))
        document = fit_document(searched[:200], models, weights)
        weights = replace(weights, paragraph={**weights.paragraph, "document": document})
    told = {
        "candidates": dict(weights.candidates),
        "within": dict(weights.within),
        "paragraph": dict(weights.paragraph),
        "model": weights.model,
        "alpha": weights.alpha,
        "beta": weights.beta,
        "fitted_on": {"split": "dev", "rows": len(rows), "seed": given.seed},
    }
    given.out.write_text(json.dumps(told, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
