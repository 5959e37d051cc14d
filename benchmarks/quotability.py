"""Whether what makes a paragraph quotable lifts the merged answer, on dev.

    python -m benchmarks.quotability --data DATA --judged JUDGED

The drafts are those of dev that the merge was not fitted on: the others favour it as it is. One more input
joins it, standardised within its transcript, the other weights as they are. Its weight is the best of a grid
on half of the speeches, and judged on the other half, in turn; p is against the merge without it.
Sentiment is VADER's (vaderSentiment). Writes results/quotability-dev.json.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.provenance import models_at, provenance, write
from benchmarks.quality import tell
from quotations.transcript import Transcript
from reranker.fusion import FusionWeights, z_scores
from rostrum.evaluation.fit import row_of
from rostrum.evaluation.gate import held_out
from rostrum.evaluation.judging import JudgedRow, judged_file, judged_rows
from rostrum.evaluation.metrics import permutation_test, words
from rostrum.evaluation.pairs import pairs, sampled, transcripts
from rostrum.evaluation.score_table import Floats, Row, ScoreTable
from rostrum.evaluation.tallies import percent

Feature = Callable[[Sequence[str]], Sequence[float]]
"""The paragraphs of a transcript -> a value for each."""

GRID = (0.0, *(sign * size for size in (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6) for sign in (1, -1)))
SPLITS = 6  # into halves
NEW = "new"  # the name of the input that is tried
APPLAUSE = re.compile(r"\b(applau|cheer)", re.IGNORECASE)
DIRECTION = re.compile(r"[(\[][^()\[\]]{1,60}[)\]]")
SINGULAR, PLURAL = frozenset(("i", "me", "my", "mine")), frozenset(("we", "us", "our", "ours"))


def share_of(wanted: frozenset[str]) -> Feature:
    """The share of a paragraph's words that are among these."""

    def shares(paragraphs: Sequence[str]) -> list[float]:
        said = [words(text) for text in paragraphs]
        return [sum(word in wanted for word in some) / max(1, len(some)) for some in said]

    return shares


def applauded(paragraphs: Sequence[str]) -> list[float]:
    """1 where a direction tells of it: in the paragraph, or alone in the next one."""
    heard = [any(APPLAUSE.search(found) for found in DIRECTION.findall(text)) for text in paragraphs]
    alone = [not DIRECTION.sub("", text).strip() for text in paragraphs]
    after = [*(heard[i] and alone[i] for i in range(1, len(paragraphs))), False]
    return [float(own or behind) for own, behind in zip(heard, after, strict=True)]


def sentiment() -> Feature:
    """From -1, all negative, to 1 (VADER's `compound`)."""
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    analyser = SentimentIntensityAnalyzer()
    return lambda paragraphs: [analyser.polarity_scores(text)["compound"] for text in paragraphs]


def features() -> dict[str, Feature]:
    """What is tried, by name."""
    feeling = sentiment()
    return {
        "how far into the speech": lambda texts: np.linspace(0, 1, len(texts)).tolist(),
        "near its beginning": lambda texts: np.exp(-np.arange(len(texts)) / 10).tolist(),
        "near its end": lambda texts: np.exp(-np.arange(len(texts))[::-1] / 10).tolist(),
        "applause": applauded,
        "I, me, my": share_of(SINGULAR),
        "we, us, our": share_of(PLURAL),
        "a figure in it": lambda texts: [float(any(c.isdigit() for c in text)) for text in texts],
        "a question": lambda texts: [float("?" in text) for text in texts],
        "an exclamation mark": lambda texts: [float("!" in text) for text in texts],
        "sentiment": feeling,
        "sentiment, whichever": lambda texts: [abs(value) for value in feeling(texts)],
    }


def cross_fitted(rows: Sequence[Row], speeches: Sequence[str], weights: FusionWeights) -> Floats:
    """Average precisions (rows,) with `NEW` by weights chosen on other speeches, the mean over the splits."""
    table, names = ScoreTable(rows), sorted(set(speeches))
    tried = {step: table.precisions(table.fused(with_new(weights, step))) for step in GRID}
    total = np.zeros(len(rows))
    for split in range(SPLITS):
        half = np.isin(speeches, Random(split).sample(names, len(names) // 2))
        for fitted, judged in ((half, ~half), (~half, half)):
            best = max(GRID, key=lambda step: tried[step][fitted].mean())
            total[judged] += tried[best][judged]
    return total / SPLITS


def with_new(weights: FusionWeights, weight: float) -> FusionWeights:
    """The weights with one of the input that is tried."""
    return replace(weights, paragraph={**weights.paragraph, NEW: weight})


def measured(
    judged: Sequence[JudgedRow], documents: Mapping[str, Transcript], weights: FusionWeights
) -> dict[str, dict[str, float]]:
    """MAP with each feature, cross-fitted, the weight that is best on all rows, and p against none."""
    texts = [documents[row.pair.document].paragraphs for row in judged]
    speeches = [row.pair.document for row in judged]
    plain = [row_of(row, paragraphs) for row, paragraphs in zip(judged, texts, strict=True)]
    table = ScoreTable(plain)
    without = table.precisions(table.fused(weights)).tolist()
    found: dict[str, dict[str, float]] = {"none": {"map": percent(without)}}
    for name, feature in features().items():
        known = {
            speech: z_scores(np.array(feature(documents[speech].paragraphs)))
            for speech in sorted(set(speeches))
        }
        rows = [
            replace(row, parts={**row.parts, NEW: known[speech]})
            for row, speech in zip(plain, speeches, strict=True)
        ]
        both, fitted = ScoreTable(rows), cross_fitted(rows, speeches, weights).tolist()
        best = max(GRID, key=lambda step: both.mean_ap(both.fused(with_new(weights, step))))
        found[name] = {
            "map": percent(fitted),
            "p": permutation_test(fitted, without, speeches),
            "weight": best,
            "quoted": _mean_of_quoted(rows),
        }
    return found


def _mean_of_quoted(rows: Sequence[Row]) -> float:
    """How many standard deviations of its transcript a quoted paragraph has more of it than the mean."""
    return round(float(np.mean([row.parts[NEW][sorted(row.relevant)].mean() for row in rows])), 3)


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--judged", type=Path, help="folder that keeps what was judged")
    parser.add_argument("--limit", type=int, help="draw so many rows")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    models = models_at(given.models)
    sources = [given.data / "pairs-dev.jsonl.gz", given.data / "documents.jsonl.gz"]
    documents = transcripts(sources[1])
    rows = sampled(held_out(pairs(sources[0], documents), sources[0], models), given.limit, given.seed)
    path = judged_file(given.judged, models, *sources) if given.judged else None
    judged = judged_rows(path, rows, documents, models, tell)
    write(
        "quotability-dev",
        {
            "split": "dev",
            "n": len(rows),
            "rows": {"drawn": given.limit, "seed": given.seed},
            "features": measured(judged, documents, models.fusion),
            **provenance(models, sources),
        },
    )


if __name__ == "__main__":
    main()
