"""Score the sentences of dev and test with a folder of models, as the product does, and write the scores to a
file.

    python -m training.evidence_scores --data EVIDENCE --models models --out scores.jsonl.gz [--most 60]

`--most` limits the claims, or texts with stances, of each set and split to a random sample.

A line of the file has one of two forms. A claim comes with the model's logit, BM25 and label of each sentence
of its document. A text with a stance comes with the stance probabilities that the model predicts.
`training.evidence_calibration` and the benchmarks read the file.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from jobs.evidence.lexical import score_words
from jobs.evidence.passages import join_sentences
from reranker.models.evidence import Evidence
from reranker.models.loaded import Models
from training.evidence_rows import SEED, read_arrays, read_wice

SETS = ("debater", "scifact")
ALL = (*SETS, "wice", "wice with context", "stance scifact", "stance citations")


def score_claim(row: dict[str, Any], models: Models) -> dict[str, Any]:
    """Score the sentences of a claim's document; return all scores and labels, in the sentences' order.

    `row` is one of the dictionaries that `TextArrays.list_claims` returns.
    """
    model: Evidence = models.get_part("evidence")
    passages = join_sentences("", row["sentences"], models.wordpieces)
    tokens = models.wordpieces.tokenise([passage.text for passage in passages])
    judged = model.score(row["claim"], tokens, [passage.spans for passage in passages], row["title"])
    return {
        **{name: row[name] for name in ("set", "split", "document")},
        "model": [round(float(score), 4) for one in judged for score in one.scores],
        "stances": [[round(float(share), 4) for share in shares] for one in judged for shares in one.stances],
        "words": [round(float(score), 4) for score in score_words(row["claim"], row["sentences"])],
        "evidence": [int(mark) for mark in row["evidence"]],
    }


def score_stance(row: dict[str, Any], models: Models) -> dict[str, Any]:
    """Return a copy of a row (claim, text, stance) with `shares`: the stance probabilities of the model."""
    model: Evidence = models.get_part("evidence")
    tokens = models.wordpieces.tokenise([row["text"]])
    (judged,) = model.score(row["claim"], tokens, [[(0, len(row["text"]))]])
    return {**row, "shares": [round(float(share), 5) for share in judged.stances[0]]}


def score_rows(data: Path, models: Models, sets: Sequence[str], most: int | None) -> Iterator[dict[str, Any]]:
    """Yield scored claims of dev and test, then those of WiCE, then texts with stances of dev and test.

    Only rows of `sets` are scored, at most `most` of each set and split.
    """
    tokenizer = models.manifest.folder / "tokenizer.json"
    arrays = read_arrays(data, tokenizer)
    claims = [row for row in arrays.list_claims() if row["set"] in SETS and row["split"] != "train"]
    for row in draw([*claims, *read_wice(data, tokenizer)], sets, most):
        yield score_claim(row, models)
    stances = [row for row in arrays.stance_rows if row["split"] != "train"]
    for row in draw(stances, [name.removeprefix("stance ") for name in sets if "stance" in name], most):
        yield score_stance(row, models)


def draw(rows: Sequence[dict[str, Any]], sets: Sequence[str], most: int | None) -> list[dict[str, Any]]:
    """Sample at most `most` rows of each set and split; the same rows are sampled in every run."""
    chosen: list[dict[str, Any]] = []
    for name in sets:
        for split in sorted({row["split"] for row in rows}):
            group = [row for row in rows if (row["set"], row["split"]) == (name, split)]
            chance = random.Random(SEED)
            chosen += group if most is None or len(group) <= most else chance.sample(group, most)
    return chosen


def main() -> None:
    """Read the command line and write the scores."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the sets")
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--sets", nargs="+", default=ALL, choices=ALL)
    parser.add_argument("--most", type=int)
    options = parser.parse_args()
    rows = score_rows(options.data, Models(options.models), options.sets, options.most)
    with gzip.open(options.out, "wt", encoding="utf-8") as out:
        for number, row in enumerate(rows, 1):
            out.write(json.dumps(row) + "\n")
            if number % 20 == 0:
                print(number, file=sys.stderr)


if __name__ == "__main__":
    main()
