"""Quality against time of rankers, by their number of layers: the first folder of models and others on dev.

    python -m benchmarks.layers --data DATA --judged JUDGED "6=models" "4=RUN-4/exported" "3=RUN-3/exported"

Each is named by what stands before `=`. Rankings are those within the source transcript, by the ranker alone
and merged, with the fusion of each refitted on half of the speeches and judged on the other, as at the gate
(docs/decisions/0029); spans are cut from the quoted paragraphs. p is against the first. Times are of the
ranker alone, on the default engine, in turns. Writes results/layers-dev.json.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.provenance import identity, models_at, provenance, write
from benchmarks.quality import tell
from benchmarks.ranking_times import ranker_layers, ranking_by, requests, times
from quotations.transcript import Transcript
from reranker.models.loaded import Models
from rostrum.evaluation.data import DEV, DOCUMENTS
from rostrum.evaluation.gate import measured
from rostrum.evaluation.judging import JudgedRow, judged_file, judged_rows
from rostrum.evaluation.metrics import average_precision, order, permutation_test
from rostrum.evaluation.pairs import pairs, sampled, transcripts
from rostrum.evaluation.tallies import percent

DRAFTS, CANDIDATES, ROUNDS = 5, 50, 3  # of the times; as many candidates as the product ranks

Values = dict[str, list[float]]
"""By figure, a value for each draft."""


def values(judged: list[JudgedRow], documents: Mapping[str, Transcript], models: Models) -> Values:
    """Average precisions of the ranker alone and of the merged answer, exact matches and F1 of spans."""
    found = measured(judged, documents, models.fusion)
    alone = [average_precision(order(row.model).tolist(), row.relevant) for row in judged]
    return {
        "ranker": alone,
        "map": found.refitted.tolist(),
        "em": found.span_em.tolist(),
        "f1": found.span_f1.tolist(),
    }


def compared(
    of_each: Mapping[str, Values], speeches: list[str], timed: Mapping[str, dict[str, Any]]
) -> dict[str, Any]:
    """Figures in percent, their p against those of the first, and times."""
    first = next(iter(of_each.values()))
    return {
        name: {
            "figures": {figure: percent(row) for figure, row in found.items()},
            "p": {figure: permutation_test(row, first[figure], speeches) for figure, row in found.items()},
            **timed[name],
        }
        for name, found in of_each.items()
    }


def named(given: str) -> tuple[str, Path]:
    """A name and a folder.

    >>> named("4 layers=runs/four/exported")[0]
    '4 layers'
    """
    name, _, folder = given.partition("=")
    if not name or not folder:
        raise argparse.ArgumentTypeError(f"{given} is no NAME=FOLDER")
    return name, Path(folder)


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folders", nargs="+", type=named, metavar="NAME=FOLDER")
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--judged", type=Path, required=True, help="folder that keeps what was judged")
    parser.add_argument("--limit", type=int, help="draw so many drafts of dev")
    parser.add_argument("--seed", type=int, default=1, help="of the drafts")
    given = parser.parse_args()
    folders: dict[str, Path] = dict(given.folders)
    if len(folders) < len(given.folders):
        parser.error("a name is there twice")
    sources = [given.data / DEV, given.data / DOCUMENTS]
    documents = transcripts(sources[1])
    drafts = sampled(pairs(sources[0], documents), given.limit, given.seed)
    models = {name: models_at(folder) for name, folder in folders.items()}
    of_each = {
        name: values(
            judged_rows(judged_file(given.judged, each, *sources), drafts, documents, each, tell),
            documents,
            each,
        )
        for name, each in models.items()
    }
    by_default = {name: Models(folder) for name, folder in folders.items()}
    first = next(iter(by_default))
    if len({each.hashes.tokenizer for each in by_default.values()}) > 1:
        parser.error("their tokenizers differ: no request is the same for all")
    asked = requests(given.data, DRAFTS, CANDIDATES, given.seed, by_default[first].wordpieces)
    took = times(
        {name: ranking_by([each.ranker], each.wordpieces) for name, each in by_default.items()},
        asked,
        ROUNDS,
        first,
    )
    result = {
        "split": "dev",
        "n": len(drafts),
        "rows": {"drawn": given.limit, "seed": given.seed},
        "candidates": CANDIDATES,
        "timed": f"{by_default[first].engine.name} {by_default[first].engine.precision}",
        "layers": {name: ranker_layers(folder) for name, folder in folders.items()},
        "compared": compared(of_each, [draft.document for draft in drafts], took),
        "others": {name: identity(each) for name, each in models.items()},
        **provenance(models[first], sources),
    }
    write("layers-dev", result)


if __name__ == "__main__":
    main()
