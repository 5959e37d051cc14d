"""What joins the sum that spans are cut by, on dev: the length of quotes, and where the last quote stands.

    python -m benchmarks.span_rules --data DATA

Spans are cut from the quoted paragraphs, as if the writer had picked them; p is against the paper's rule,
which has neither. Writes results/span-rules-dev.json.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.provenance import models_at, provenance, write
from quotations.transcript import Transcript
from reranker.models.loaded import Models
from reranker.models.ranker import Ranker
from reranker.models.weights import read_graph, read_words
from reranker.spans import LENGTH_WEIGHT
from rostrum.evaluation.judging import placed
from rostrum.evaluation.metrics import exact_match, f1, permutation_test
from rostrum.evaluation.pairs import Pair, pairs, transcripts
from rostrum.evaluation.tallies import percent

PAPER = (0.0, False)
RULES = (PAPER, (LENGTH_WEIGHT, False), *((weight, True) for weight in (0.0, 0.1, 0.2, LENGTH_WEIGHT, 0.5)))
"""The weight of the length, and whether the span follows what the draft quotes already."""

Figures = Mapping[str, Sequence[float]]
"""By figure, a value for each row."""


def with_length(models: Models, weight: float) -> Ranker:
    """The models' ranker with another weight of the length."""
    prefix, paragraph = (
        read_graph(models.manifest, graph, models.engine) for graph in ("prefix", "paragraph")
    )
    words = read_words(models.manifest)
    return Ranker(prefix, paragraph, words, models.wordpieces, length_weight=weight)


def figures(
    ranker: Ranker, models: Models, rows: list[Pair], documents: dict[str, Transcript], following: bool
) -> Figures:
    """Exact match, F1, and the number of words of the spans in each row's quoted paragraphs."""
    found: dict[str, list[float]] = {"em": [], "f1": [], "words": []}
    for row in rows:
        paragraphs = documents[row.document].paragraphs
        tokens = models.wordpieces.pieces(list(paragraphs))
        _, placings = placed(row, models.wordpieces, paragraphs, tokens)
        ordinals = [part.ordinal for part in row.parts]
        texts = [paragraphs[i] for i in ordinals]
        places = [placings[i] if following else None for i in ordinals]
        query = models.wordpieces.query(row.title, row.left)
        ranked = ranker.rank(query, texts, [tokens[i] for i in ordinals], places)
        spans = [each.span for each in ranked]
        cut = " ".join(text[span.start_char : span.end_char] for text, span in zip(texts, spans, strict=True))
        quoted = row.quoted(paragraphs)
        found["em"].append(float(exact_match(cut, quoted)))
        found["f1"].append(f1(cut, quoted))
        found["words"].append(float(len(cut.split())))
    return found


def measured(models: Models, data: Path) -> dict[str, Any]:
    """Figures by rule."""
    sources = [data / "pairs-dev.jsonl.gz", data / "documents.jsonl.gz"]
    documents = transcripts(sources[1])
    rows = pairs(sources[0], documents)
    found = {
        (weight, following): figures(with_length(models, weight), models, rows, documents, following)
        for weight, following in RULES
    }
    speeches = [row.document for row in rows]
    return {
        "split": "dev",
        "n": len(rows),
        "rules": [
            {
                "length": weight,
                "follows": following,
                "em": percent(by["em"]),
                "f1": percent(by["f1"]),
                "words": round(float(np.mean(by["words"])), 1),
                "p_values": {
                    name: permutation_test(by[name], found[PAPER][name], speeches) for name in ("em", "f1")
                },
            }
            for (weight, following), by in found.items()
        ],
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
    write("span-rules-dev", measured(models_at(given.models), given.data))


if __name__ == "__main__":
    main()
