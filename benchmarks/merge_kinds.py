"""Compare two sets of weights of the merge on drafts of many kinds, each kind by itself.

    python -m benchmarks.merge_kinds ask --archive ARCHIVE --rows rows.json [--each 20] [--seed 11]
    python -m benchmarks.merge_kinds compare --rows rows.json --before old.json --after new.json --data DATA
        --judged FOLDER

`ask` makes drafts of each of `KINDS` from the sample archive's speeches, ranks the best 50 candidates of
each, and saves their signals. `compare` merges these by the weights of two files like models/fusion.json, and
does the same with drafts of dev within their source: those that the file of `rostrum evaluate --judged` has.
It writes results/merge-kinds.json: mAP, first, first three and the paired permutation test by speech.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from archive.service import Service
from archive.shipped_files import locate_shipped
from benchmarks.draft_kinds import KINDS, MadeDraft
from benchmarks.provenance import record_provenance, write
from benchmarks.query_kinds import list_made, read_speeches
from evaluation.data import DEV, DOCUMENTS
from evaluation.judging import WORDED, JudgedRow, list_judged_rows, read_draft_columns
from evaluation.metrics import run_permutation_test
from evaluation.pairs import Pair, read_pairs, read_transcripts
from evaluation.systems import list_merged_scores
from jobs.ranking_tasks import judge
from jobs.recommend.candidates import choose, merge_columns, parse_encoded_draft, search
from jobs.recommend.queries import normalise_draft
from jobs.recommend.spelling import correct_draft
from quotations.transcript import Transcript
from reranker.fusion import FusionWeights, fuse_late, read_weights, sum_weighted
from reranker.models.wordpieces import WordPieces
from reranker.signals.exact_words import has_words
from rostrum.assemble import assemble
from rostrum_core.candidates import Floats
from rostrum_core.errors import TaskError
from rostrum_core.settings import read_settings
from rostrum_core.types import Filter

RANKED = 50
TIMEOUT_S = 600.0
DEV_KIND = "draft of a reporter (dev)"


@dataclass(frozen=True, eq=False)
class Ranked:
    """Hold the signals of a draft's candidates and the ranker's logits: (n,) each, and which are right."""

    kind: str
    speech: str
    columns: Mapping[str, Sequence[float | None]]
    model: Floats
    span: Floats
    right: Sequence[int]
    has_words: bool = False

    def merge(self, weights: FusionWeights) -> Floats:
        """Return the final scores, as the product merges them."""
        chosen = weights.adapt_to_queries() if self.has_words else weights
        return fuse_late(self.model, self.span, sum_weighted(self.columns, chosen.paragraph), chosen)

    def rank(self, weights: FusionWeights) -> list[int]:
        """Return the ranks of the right candidates, ascending; ties keep their order."""
        order = np.argsort(-self.merge(weights), kind="stable").tolist()
        return sorted(order.index(i) + 1 for i in self.right)


def ask(service: Service, made: MadeDraft) -> dict[str, Any]:
    """Return the signals and the ranker's scores of the best candidates, and which are right."""
    vocabulary = service.models.wordpieces.whole_words
    draft, _ = correct_draft(normalise_draft(made.draft), service.store, vocabulary)
    payload = {"title": draft.title, "left": draft.left, "right": draft.right}
    (answer,) = service.runner.run("draft", [payload], timeout_s=TIMEOUT_S)
    reading = parse_encoded_draft(answer)
    if reading.query is None:
        raise TaskError("the draft was not read")
    candidates, fusion = search(service.store, draft, reading, Filter()), service.models.fusion
    is_query = has_words(candidates)
    best = choose(candidates, fusion.query if is_query else fusion.candidates, RANKED, distinct=True)
    read = best.read(range(len(best)))
    texts = [paragraph.text for paragraph, _ in read]
    judged = judge(
        service.runner,
        reading.query,
        texts,
        [tokens for _, tokens in read],
        [best.placings.get(i) for i in range(len(best))],
        batch_tokens=service.models.engine.batch_tokens,
        timeout_s=TIMEOUT_S,
    )
    right = [i for i, text in enumerate(texts) if " ".join(text.split()) in " ".join(made.text.split())]
    columns = {name: [None if x != x else x for x in c.tolist()] for name, c in merge_columns(best).items()}
    return {
        "kind": made.kind,
        "speech": made.speech,
        "has_words": is_query,
        "right": right,
        "columns": columns,
        "model": judged.model.tolist(),
        "span": judged.span.tolist(),
        "paragraphs": [[paragraph.document_id, paragraph.ordinal] for paragraph, _ in read],
        "cuts": [[span.start_char, span.end_char] for span in judged.spans],
    }


def read_made(path: Path) -> list[Ranked]:
    """Return the rows of `ask`."""
    return [
        Ranked(
            row["kind"],
            row["speech"],
            row["columns"],
            np.array(row["model"]),
            np.array(row["span"]),
            row["right"],
            row["has_words"],
        )
        for row in json.loads(path.read_text("utf-8"))
    ]


def read_dev(
    judged: Sequence[JudgedRow], documents: Mapping[str, Transcript], wordpieces: WordPieces
) -> Iterator[Ranked]:
    """Yield judged drafts of dev; signals that the file lacks are computed."""
    for row in judged:
        texts = list(documents[row.pair.document].paragraphs)
        if not row.worded:
            columns, _ = read_draft_columns(row.pair, wordpieces, texts, wordpieces.tokenise(texts))
            row = replace(row, worded={name: columns[name] for name in WORDED})
        scores = list_merged_scores(row, texts)
        yield Ranked(DEV_KIND, row.pair.document, scores, row.model, row.span, sorted(row.relevant))


def average_precision(ranks: Sequence[int]) -> float:
    """Return the average precision of ascending ranks; 0 without one.

    >>> average_precision([1, 4])
    0.75
    """
    return sum(hits / rank for hits, rank in enumerate(ranks, 1)) / max(len(ranks), 1)


def compare(rows: Sequence[Ranked], before: FusionWeights, after: FusionWeights) -> dict[str, Any]:
    """Return mAP, first and first three by both weights, in percent, and p of the mAP."""
    ranks = [[row.rank(weights) for row in rows] for weights in (before, after)]
    precisions = [[average_precision(of_row) for of_row in by_weights] for by_weights in ranks]
    described = {
        name: {
            "map": round(100 * float(np.mean(precision)), 1),
            "first": _count_within(by_weights, 1),
            "first_three": _count_within(by_weights, 3),
        }
        for name, by_weights, precision in zip(("before", "after"), ranks, precisions, strict=True)
    }
    p = run_permutation_test(precisions[0], precisions[1], [row.speech for row in rows])
    return {"n": len(rows), **described, "p": round(p, 3)}


def _count_within(ranks: Sequence[Sequence[int]], most: int) -> float:
    return round(100 * float(np.mean([bool(of_row) and of_row[0] <= most for of_row in ranks])), 1)


def _run_ask(options: argparse.Namespace) -> None:
    settings = replace(read_settings(dict(os.environ)), archive=options.archive)
    service, drawn = assemble(settings), Random(options.seed)
    speeches = read_speeches(locate_shipped("samples/speeches.jsonl"))
    rows: list[dict[str, Any]] = []
    for made in list_made(speeches, drawn, options.each):
        rows.append(ask(service, made))
        options.rows.write_text(json.dumps(rows), "utf-8")


def _run_compare(options: argparse.Namespace) -> None:
    before, after = (read_weights(json.loads(p.read_text("utf-8"))) for p in (options.before, options.after))
    service = assemble(read_settings(dict(os.environ)))
    rows = [row for path in options.rows for row in read_made(path)]
    sources = [options.data / DEV, options.data / DOCUMENTS]
    documents = read_transcripts(sources[1])
    pairs: Sequence[Pair] = read_pairs(sources[0], documents)
    rows += read_dev(list_judged_rows(options.judged, pairs), documents, service.models.wordpieces)
    kinds = {
        kind: compare([row for row in rows if row.kind == kind], before, after)
        for kind in (*KINDS, DEV_KIND)
        if any(row.kind == kind for row in rows)
    }
    write("merge-kinds", {"kinds": kinds, **record_provenance(service.models, sources)})


def main() -> None:
    """Run the command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    steps = parser.add_subparsers(required=True)
    asking = steps.add_parser("ask")
    asking.add_argument("--archive", type=Path, required=True, help="archive of the sample speeches")
    asking.add_argument("--rows", type=Path, required=True, help="file to write")
    asking.add_argument("--each", type=int, default=20, help="drafts of each kind")
    asking.add_argument("--seed", type=int, default=11)
    asking.set_defaults(run=_run_ask)
    comparing = steps.add_parser("compare")
    comparing.add_argument("--rows", type=Path, nargs="+", required=True, help="files of `ask`")
    comparing.add_argument("--before", type=Path, required=True)
    comparing.add_argument("--after", type=Path, required=True)
    comparing.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    comparing.add_argument("--judged", type=Path, required=True, help="file of judged rows of dev")
    comparing.set_defaults(run=_run_compare)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
