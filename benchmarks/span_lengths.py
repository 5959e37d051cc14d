"""What it does to spans that the length of quotes joins in: figures on dev by its weight.

    python -m benchmarks.span_lengths --data DATA

Spans are cut from the quoted paragraphs, as if the writer had picked them; p is against the weight 0, the
paper's rule. Writes results/span-lengths-dev.json.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.provenance import models_at, provenance, write
from indexer.align.transcripts import Transcript
from reranker.models import Models
from reranker.ranker import Ranker
from reranker.spans import LENGTH_WEIGHT
from reranker.weights import read_graph, read_words
from rostrum.training.metrics import exact_match, f1, permutation_test
from rostrum.training.pairs import Pair, pairs, transcripts
from rostrum.training.tallies import percent

WEIGHTS = (0.0, 0.1, LENGTH_WEIGHT, 0.3, 0.5)
PAPER = WEIGHTS[0]
Figures = Mapping[str, Sequence[float]]
"""By figure, a value for each row."""


def rankers(models: Models) -> dict[float, Ranker]:
    """The ranker of the models with each weight."""
    prefix, paragraph = (
        read_graph(models.manifest, graph, models.engine) for graph in ("prefix", "paragraph")
    )
    words = read_words(models.manifest)
    return {
        weight: Ranker(prefix, paragraph, words, models.wordpieces, length_weight=weight)
        for weight in WEIGHTS
    }


def figures(ranker: Ranker, models: Models, rows: list[Pair], documents: dict[str, Transcript]) -> Figures:
    """Exact match, F1, and the number of words of the spans in each row's quoted paragraphs."""
    found: dict[str, list[float]] = {"em": [], "f1": [], "words": []}
    for row in rows:
        paragraphs = documents[row.document].paragraphs
        texts = [paragraphs[part.ordinal] for part in row.parts]
        query = models.wordpieces.query(row.title, row.left)
        spans = [each.span for each in ranker.rank(query, texts, models.wordpieces.pieces(texts))]
        cut = " ".join(text[span.start_char : span.end_char] for text, span in zip(texts, spans, strict=True))
        quoted = " ".join(paragraphs[part.ordinal][part.start_char : part.end_char] for part in row.parts)
        found["em"].append(float(exact_match(cut, quoted)))
        found["f1"].append(f1(cut, quoted))
        found["words"].append(float(len(cut.split())))
    return found


def measured(models: Models, data: Path) -> dict[str, Any]:
    """Figures by the weight of the length."""
    sources = [data / "pairs-dev.jsonl.gz", data / "documents.jsonl.gz"]
    documents = transcripts(sources[1])
    rows = pairs(sources[0], documents)
    found = {weight: figures(ranker, models, rows, documents) for weight, ranker in rankers(models).items()}
    speeches = [row.document for row in rows]
    return {
        "split": "dev",
        "n": len(rows),
        "weights": {
            str(weight): {
                "em": percent(by["em"]),
                "f1": percent(by["f1"]),
                "words": round(float(np.mean(by["words"])), 1),
                "p_values": {
                    name: permutation_test(by[name], found[PAPER][name], speeches) for name in ("em", "f1")
                },
            }
            for weight, by in found.items()
        },
        **provenance(models, sources),
    }


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--models", type=Path, default=Path("models"))
    given = parser.parse_args()
    write("span-lengths-dev", measured(models_at(given.models), given.data))


if __name__ == "__main__":
    main()
