"""Compare the figures of all runs with BM25 and the product: results/baselines-SPLIT.json.

    python -m benchmarks.baselines.compare --data DATA --runs RUNS --judged JUDGED --split test

`--systems` selects runs (none: the product alone); `--name` replaces `baselines` in the name of the file.
`JUDGED` is the folder of judged rows of `benchmarks.quality`. With `--drafts`, the figures of each draft
are saved in that folder, and systems with figures there but without a run here are added. Without
`--judged` the product is not measured again, and only the runs of `--systems` are read.

A system of several seeds has the mean of their figures, and `spread`, their standard deviation. Tests
compare the means row by row.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.baselines.drafts import Figures, OfSeeds, check_kept, hash_drafts, keep, read_kept
from benchmarks.baselines.runs import RunRow, Split, list_sources, make_parser, read, split
from benchmarks.provenance import load_models, record_provenance, write
from evaluation.judging import judge_rows, name_judged_file
from evaluation.measures import measure_rankings
from evaluation.metrics import compute_f1, match_exactly, order, run_permutation_test
from evaluation.systems import score_systems
from evaluation.tallies import average_percent
from reranker.models.loaded import Models
from rostrum_core.errors import BadInput
from rostrum_core.types import Span

SPAN_FIGURES = ("em positive", "em top", "f1 positive", "f1 top")
RANKINGS = ("map", "mrr", "acc@1", "acc@3", "acc@5")
BM25, RANKER, ROSTRUM, FULL = "bm25", "ranker", "model", "full paragraph"
Seeds = dict[int | None, list[RunRow]]


def read_runs(folder: Path, part: Split, wanted: Sequence[str] | None = None) -> dict[str, Seeds]:
    """Return the runs of a split by system and seed: all, or those of the `wanted` systems.

    Raises:
        BadInput: if a wanted system has no run.
    """
    runs: dict[str, Seeds] = defaultdict(dict)
    for path in sorted((folder / part.name).glob("*.jsonl.gz")):
        system, _, seed = path.name.removesuffix(".jsonl.gz").partition("@")
        if wanted is None or system in wanted:
            runs[system][int(seed) if seed else None] = read(path, part)
    if missing := sorted(set(wanted or ()) - runs.keys()):
        raise BadInput(f"there is no run of {', '.join(missing)} in {folder / part.name}")
    return runs


def make_product_runs(judged: Path, part: Split, models: Models, data: Path) -> dict[str, Seeds]:
    """Return runs of BM25, of the product's ranker alone, and of the whole product.

    The last two have the product's seed.
    """
    path = name_judged_file(judged, models, *list_sources(data, part))
    rows = judge_rows(path, part.pairs, part.documents, models)
    texts = [part.documents[row.pair.document].paragraphs for row in rows]
    scores = [score_systems(row, text, models.fusion) for row, text in zip(rows, texts, strict=True)]
    bm25 = [RunRow(row.pair, score[BM25]) for row, score in zip(rows, scores, strict=True)]
    ranker = [RunRow(row.pair, score[RANKER]) for row, score in zip(rows, scores, strict=True)]
    rostrum = [RunRow(row.pair, score[ROSTRUM], row.spans) for row, score in zip(rows, scores, strict=True)]
    seed = models.manifest.content.get("recipe", {}).get("ranker", {}).get("seed")
    return {BM25: {None: bm25}, RANKER: {seed: ranker}, ROSTRUM: {seed: rostrum}}


def take_whole_paragraphs(run: Sequence[RunRow], part: Split) -> list[RunRow]:
    """Return a run with the same ranking and each whole paragraph as its span."""
    texts = [part.documents[row.pair.document].paragraphs for row in run]
    return [
        RunRow(row.pair, row.scores, tuple(Span(0, len(paragraph), 0.0) for paragraph in text))
        for row, text in zip(run, texts, strict=True)
    ]


def has_cuts(seeds: Seeds) -> bool:
    """Return whether the system has a span for every paragraph."""
    return all(len(row.spans) == len(row.scores) for run in seeds.values() for row in run)


def compute_ranking_figures(run: Sequence[RunRow]) -> Figures:
    """Compute average precision, reciprocal rank and hits."""
    ranked = [order(row.scores).tolist() for row in run]
    measures = measure_rankings(ranked, [row.relevant for row in run])
    return {name: np.array(values) for name, values in measures.items()}


def compute_span_figures(run: Sequence[RunRow], part: Split) -> Figures:
    """Compute exact match and F1 of spans: in the quoted paragraphs (`positive`), and in the same number of
    top-ranked paragraphs (`top`).
    """
    figures: dict[str, list[float]] = defaultdict(list)
    for row in run:
        paragraphs = part.documents[row.pair.document].paragraphs
        quoted = row.pair.join_quoted(paragraphs)
        top = order(row.scores).tolist()[: len(row.relevant)]
        for setting, ordinals in (("positive", row.relevant), ("top", top)):
            cuts = [(paragraphs[i], row.spans[i]) for i in sorted(ordinals)]
            text = " ".join(paragraph[span.start_char : span.end_char] for paragraph, span in cuts)
            figures[f"em {setting}"].append(match_exactly(text, quoted))
            figures[f"f1 {setting}"].append(compute_f1(text, quoted))
    return {name: np.array(values, np.float64) for name, values in figures.items()}


def make_table(
    systems: Mapping[str, Mapping[int | None, Figures]],
    tested: Sequence[str],
    against: Sequence[str],
    speeches: Sequence[str],
) -> dict[str, Any]:
    """Return the figures of each system in percent, and for the figures `tested`, p against the other
    systems. `speeches` (n,) are the quoted speeches, which are the clusters of the tests.
    """
    means = {name: average_seeds(list(seeds.values())) for name, seeds in systems.items()}
    return {
        name: {
            "n": len(means[name][tested[0]]),
            "seeds": [seed for seed in seeds if seed is not None],
            **{figure: average_percent(values.tolist()) for figure, values in means[name].items()},
            **spread(list(seeds.values())),
            "p_values": {
                figure: {
                    other: run_permutation_test(
                        means[name][figure].tolist(), means[other][figure].tolist(), speeches
                    )
                    for other in against
                    if other != name
                }
                for figure in tested
            },
        }
        for name, seeds in systems.items()
    }


def average_seeds(seeds: Sequence[Figures]) -> Figures:
    """Average each figure over the seeds, row by row."""
    return {name: np.mean([figures[name] for figures in seeds], axis=0) for name in seeds[0]}


def spread(seeds: Sequence[Figures]) -> dict[str, Any]:
    """Return the standard deviation of each figure over the seeds, in percent; empty for one seed."""
    if len(seeds) == 1:
        return {}
    return {
        "spread": {
            name: average_percent([np.std([f[name].mean() for f in seeds], ddof=1)]) for name in seeds[0]
        }
    }


def compute_figures(runs: Mapping[str, Seeds], part: Split) -> dict[str, dict[int | None, Figures]]:
    """Return every figure of each run, by draft; figures of spans only if the system chooses spans or keeps
    whole paragraphs.
    """
    figures: dict[str, dict[int | None, Figures]] = {
        system: {
            seed: {
                **compute_ranking_figures(run),
                **(compute_span_figures(run, part) if has_cuts(seeds) else {}),
            }
            for seed, run in seeds.items()
        }
        for system, seeds in runs.items()
    }
    whole: dict[int | None, Figures] = {
        seed: compute_span_figures(take_whole_paragraphs(run, part), part)
        for seed, run in runs.get(ROSTRUM, {}).items()
    }
    return {**figures, FULL: whole} if whole else figures


def summarise(part: Split, systems: Mapping[str, OfSeeds]) -> dict[str, Any]:
    """Return the figures of all systems over a split."""
    speeches = [pair.document for pair in part.pairs]
    return {
        "split": part.name,
        "n": len(part.pairs),
        "ranking": make_table(_select(systems, RANKINGS), ["map"], [BM25, ROSTRUM], speeches),
        "spans": make_table(_select(systems, SPAN_FIGURES), SPAN_FIGURES, [FULL, ROSTRUM], speeches),
    }


def _select(systems: Mapping[str, OfSeeds], names: Sequence[str]) -> dict[str, dict[int | None, Figures]]:
    """Select these figures of the systems that have them."""
    return {
        system: {seed: {name: figures[name] for name in names} for seed, figures in seeds.items()}
        for system, seeds in systems.items()
        if all(name in figures for figures in seeds.values() for name in names)
    }


def main() -> None:
    """Run the command line of the script."""
    arguments = make_parser(__doc__)
    arguments.add_argument("--models", type=Path, default=Path("models"))
    arguments.add_argument("--judged", type=Path, help="folder that keeps what was judged")
    arguments.add_argument("--systems", nargs="*", metavar="RUN", help="these alone, or none; default: all")
    arguments.add_argument("--name", default="baselines", help="begins the name of the result")
    arguments.add_argument("--drafts", type=Path, help="folder of each draft's figures, added to and read")
    options = arguments.parse_args()
    if not (options.judged or options.drafts):
        arguments.error("--judged or --drafts is needed")
    models = load_models(options.models)
    for name in options.split:
        part = split(options.data, name, options.limit)
        made_of = record_provenance(models, list_sources(options.data, part))
        runs = read_runs(options.runs, part, options.systems) if options.judged or options.systems else {}
        if options.judged:
            runs |= make_product_runs(options.judged, part, models, options.data)
        else:
            check_kept(options.drafts, part, ROSTRUM, made_of["models"])
        systems = compute_figures(runs, part)
        if options.drafts:
            keep(options.drafts, part, systems, made_of)
            systems = read_kept(options.drafts, part)
        values = {**summarise(part, systems), "drafts": hash_drafts(part), **made_of}
        write(f"{options.name}-{name}", values)


if __name__ == "__main__":
    main()
