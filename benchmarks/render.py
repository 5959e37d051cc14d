"""Renders the tables of README and docs, and the plot of docs, from results/*.json.

A table stands between `<!-- table: NAME -->` and `<!-- end -->`; the plot is `docs/layers.svg`.

python -m benchmarks.render            rewrites what is stale
python -m benchmarks.render --check    exit 1 if something is
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import choice_tables, quality_tables
from benchmarks.align_tables import align_tables
from benchmarks.plots import layers_points, shown, write_plot
from benchmarks.scaling_tables import sizes_table, stores_table, vectors_table, workers_table
from benchmarks.speed_tables import archive_table, encoder_table, load_table, refresh_table
from reranker.models.weights import Manifest, read_manifest
from rostrum.archive.shipped_files import shipped

Result = Mapping[str, Any]

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "benchmarks" / "results"
PLOT = ROOT / "docs" / "layers.svg"
TABLE = re.compile(r"(<!-- table: (?P<name>[a-z-]+) -->\n).*?(<!-- end -->)", re.DOTALL)
STAGES = {
    "lexical": "BM25 of paragraphs",
    "dense": "encoder",
    "lexical + document": "BM25 of paragraphs and documents",
    "lexical + document + dense": "both and encoder",
    "undated": "and what the draft quotes already, and adjacent paragraphs",
    "all": "**all** (and how recent the speech is on the draft's day)",
}


PARTS_OF_ARCHIVE = ("all", "so far", "30 days")


def ranking(found: Result) -> str:
    """Ranking within the source transcript."""
    lines = ["| ranking | mAP | Acc@1 | Acc@3 | Acc@5 |", "|---|---|---|---|---|"]
    for system, label in quality_tables.OURS.items():
        row = found["ranking"][system]
        lines.append(
            f"| {label} | {row['map']:.1f} | "
            + " | ".join(f"{row[f'acc@{k}']:.1f}" for k in (1, 3, 5))
            + " |"
        )
    tests = found["p_values"]["average_precision"]
    told = ", ".join(
        f"against {label.split(' (')[0]} p {p_value(tests['model'][system])}"
        for system, label in quality_tables.OURS.items()
        if system != "model"
    )
    return "\n".join([*lines, "", f"n = {found['n']:,} drafts ({found['split']}); Rostrum {told}."])


def spans(found: Result) -> str:
    """Spans in the quoted and in the top paragraph."""
    lines = ["| span | EM pos | EM top | F1 pos | F1 top |", "|---|---|---|---|---|"]
    for name, row in found["spans"].items():
        label = "**Rostrum**" if name == "model" else f"{name} of the same paragraph"
        values = [row[setting][figure] for figure in ("em", "f1") for setting in ("positive", "top")]
        lines.append(f"| {label} | " + " | ".join(f"{value:.1f}" for value in values) + " |")
    return "\n".join(lines)


def candidates(found: Result) -> str:
    """Recall of the candidates over the whole archive."""
    lines = [
        "| candidates | recall@10 | recall@100 | so far: @10 | @100 | 30 days: @10 | @100 |",
        "|---|---|---|---|---|---|---|",
    ]
    for name in found["all"]["recall"]:
        cells = [found[part]["recall"][name][k] for part in PARTS_OF_ARCHIVE for k in ("@10", "@100")]
        lines.append(f"| {STAGES[name]} | " + " | ".join(f"{cell:.1f}" for cell in cells) + " |")
    return "\n".join(
        [
            *lines,
            "",
            f"n = {found['n']:,} drafts, {found['documents']:,} transcripts,"
            f" {found['paragraphs']:,} paragraphs.",
        ]
    )


def older_candidates(found: Result) -> str:
    """What the draft's day costs quotations of older speeches, among all there was so far."""
    part, told = found["so far"], {"undated": "without the draft's day", "all": "with it"}
    lines = ["| candidates | recall@10 | p | recall@100 | p |", "|---|---|---|---|---|"]
    for name, label in told.items():
        cells = []
        for k in ("@10", "@100"):
            p = quality_tables.probability(part["p"][k]) if name == "all" else ""
            cells += [f"{part['recall'][name][k]:.1f}", p]
        lines.append(f"| {label} | {' | '.join(cells)} |")
    below = (
        f"n = {found['n']:,} drafts ({found['split']}) whose speech is older than {found['older_than']} days."
    )
    return "\n".join([*lines, "", below])


def cleaning(found: Result) -> str:
    """What the rules for boilerplate cut, by rule and archive."""
    archives = found["archives"]
    heads = [f"{name}: cuts | documents | characters" for name in archives]
    lines = [f"| rule | {' | '.join(heads)} |", "|---" * (1 + 3 * len(archives)) + "|"]
    for rule in dict.fromkeys(rule for archive in archives.values() for rule in archive["rules"]):
        rows = [archive["rules"].get(rule, {}) for archive in archives.values()]
        cells = [f"{row.get(key, 0):,}" for row in rows for key in ("cuts", "documents", "characters")]
        lines.append(f"| {rule} | {' | '.join(cells)} |")
    sizes = [
        f"{name} has {each['documents']:,} documents, {each['paragraphs']:,} paragraphs and"
        f" {each['characters']:,} characters; all rules took {each['elapsed_s']} s"
        for name, each in archives.items()
    ]
    return "\n".join([*lines, "", f"{'; '.join(sizes)}."])


def runner(found: Result) -> str:
    """Requests in this process and over one worker."""
    lines = ["| where | nothing to do: least | p50 | p95 | request p50 |", "|---|---|---|---|---|"]
    for where, row in found["where"].items():
        cells = [*(row["idle"][name] for name in ("least_ms", "p50_ms", "p95_ms")), row["request"]["p50_ms"]]
        lines.append(f"| {where} | " + " | ".join(f"{cell:,.0f} ms" for cell in cells) + " |")
    counts = f"{found['candidates']} candidates in {found['parts']} parts, {found['requests']} requests"
    load = f"load {found['load']['before']:.0f} before, {found['load']['after']:.0f} after"
    return "\n".join([*lines, "", f"{counts}; {found['machine']['cores']} cores, {load}."])


def demo() -> str:
    """What the demo printed, as a block of code."""
    lines = (RESULTS / "demo.txt").read_text("utf-8").splitlines()
    return "\n".join("    " + line if line else "" for line in lines)


PARTS = ("encoder", "ranker", "tokenizer", "fusion")
ENCODING = ("encoder", "tokenizer")


@dataclass(frozen=True)
class Table:
    """What draws a table, the results that it is handed, and the parts of models that decide what it says."""

    draw: Callable[..., str]
    results: tuple[str, ...] = ()
    decided_by: tuple[str, ...] = PARTS


TABLES = {
    "ranking-test": Table(ranking, ("quality-test",)),
    "spans-test": Table(spans, ("quality-test",)),
    "candidates": Table(candidates, ("candidates",)),
    "candidates-older": Table(older_candidates, ("candidates-older",)),
    "cleaning": Table(cleaning, ("cleaning",)),
    "demo": Table(demo),
    "runner": Table(runner, ("runner",)),
    "archive": Table(archive_table, ("archive",)),
    "encoder": Table(encoder_table, ("encoder",), ENCODING),
    "load": Table(load_table, ("load",)),
    "load-whole": Table(load_table, ("load-whole",)),
    "refresh": Table(refresh_table, ("refresh",), ENCODING),
    "align": Table(align_tables, ("align", "align-refused")),
    "scaling-sizes": Table(sizes_table, ("scaling",)),
    "scaling-vectors": Table(vectors_table, ("scaling",)),
    "scaling-workers": Table(workers_table, ("scaling",)),
    "stores": Table(stores_table, ("stores",)),
    "paper-ranking-test": Table(quality_tables.ranking_table, ("quality-test", "paper-models-test")),
    "paper-spans-test": Table(quality_tables.span_table, ("quality-test",)),
    "paper-models-test": Table(quality_tables.paper_models_table, ("paper-models-test",)),
    "paper-tests-test": Table(quality_tables.paper_tests_table, ("paper-models-test",)),
    "error-distance-test": Table(quality_tables.distance_table, ("quality-test",)),
    "contributions-test": Table(quality_tables.contribution_table, ("quality-test",)),
    "ablations-dev": Table(quality_tables.ablation_table, ("ablations-dev",)),
    "archive-wide-test": Table(quality_tables.archive_table, ("archive-wide-test",)),
    "ranked-dev": Table(choice_tables.ranked_table, ("ranked-dev",)),
    "span-rules-dev": Table(choice_tables.span_rules_table, ("span-rules-dev",)),
    "following": Table(choice_tables.following_table, ("following",)),
    "layers-dev": Table(choice_tables.layers_table, ("layers-dev",)),
    "encoder-choices-dev": Table(choice_tables.training_choices_table, ("encoder-choices-dev",)),
    "ranker-choices-dev": Table(choice_tables.training_choices_table, ("ranker-choices-dev",)),
    "quotability-dev": Table(choice_tables.quotability_table, ("quotability-dev",)),
    "rankers": Table(choice_tables.rankers_table, ("rankers",)),
    "draft-parts-dev": Table(quality_tables.draft_part_table, ("draft-parts-dev",)),
}


def drawn(table: Table, shipped_models: Manifest) -> str:
    """The table, and below it the models that it is of, where they are not those that are shipped."""
    found = [result(name) for name in table.results]
    notes = of_other_models(found, shipped_models, table.decided_by)
    return table.draw(*found) + "".join(f"\n\n{note}" for note in notes)


def of_other_models(
    found: Iterable[Result], shipped_models: Manifest, decided_by: Sequence[str] = PARTS
) -> list[str]:
    """A sentence that names the models of results for which a part differs from those that are shipped.

    Parts that an older result does not tell of are not compared.
    """
    ours = {part: getattr(shipped_models, part) for part in decided_by}
    measured = [each["models"] for each in found if "models" in each]
    others = [each for each in measured if any(each.get(part, ours[part]) != ours[part] for part in ours)]
    if not others:
        return []
    some = "" if len(others) == len(measured) else "in part "
    names = ", ".join(sorted({each["name"] for each in others}))
    return [f"Measured {some}with the models {names}; those that are shipped are {shipped_models.name}."]


def p_value(p: float) -> str:
    """A p as a reader wants it.

    >>> p_value(0.0001), p_value(0.0312)
    ('< 0.001', '= 0.031')
    """
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def result(name: str) -> Result:
    """A result file."""
    read: Result = json.loads((RESULTS / f"{name}.json").read_text("utf-8"))
    return read


def rendered(text: str) -> str:
    """The text with every table made anew."""
    models = read_manifest(shipped("models"))
    return TABLE.sub(lambda m: f"{m[1]}{drawn(TABLES[m['name']], models)}\n{m[3]}", text)


def pages() -> list[Path]:
    """Pages that have tables."""
    every = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [page for page in every if TABLE.search(page.read_text("utf-8"))]


def stale() -> list[Path]:
    """Pages whose tables are not what the results say, and the plot if it shows something else."""
    old = [page for page in pages() if rendered(page.read_text("utf-8")) != page.read_text("utf-8")]
    return old if shown(PLOT) == layers_points(result("layers-dev")) else [*old, PLOT]


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, exit 1 if a table is stale")
    given = parser.parse_args()
    old = stale()
    if given.check:
        sys.exit(f"stale: {', '.join(page.name for page in old)}" if old else 0)
    for page in old:
        if page == PLOT:
            write_plot(layers_points(result("layers-dev")), PLOT)
        else:
            page.write_text(rendered(page.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
