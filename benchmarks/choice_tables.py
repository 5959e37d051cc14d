"""Tables of docs/quality.md that choices rest on: ranked paragraphs, rules of spans, passes, trainings."""

from __future__ import annotations

from benchmarks.quality_tables import Result, probability, table_of

FIGURES = {"map": "mAP", "em": "EM", "f1": "F1"}
OF_LAYERS = {"ranker": "mAP, ranker alone", "map": "mAP, merged", "em": "EM", "f1": "F1"}


def ranked_table(found: Result) -> str:
    """What it is worth, and what it costs, to rank more paragraphs."""
    lines = [
        [
            count,
            f"{row['map']:.1f}",
            "" if count == "all" else probability(row["p"]),
            f"{row['ms']:,.0f} ms" if "ms" in row else "",
        ]
        for count, row in found["ranked"].items()
    ]
    cores = found["machine"]["cores"]
    told = (
        f"n = {found['n']:,} drafts ({found['split']}); p against all; time of the ranker on {cores} cores,"
        f" {found['timed']}."
    )
    return table_of(["ranked", "mAP", "p", "time"], lines, told)


def span_rules_table(found: Result) -> str:
    """What it does to spans that the length of quotes joins in, and where the last quote stands."""
    lines = [
        [
            f"{row['length']:g}",
            "yes" if row["follows"] else "no",
            f"{row['em']:.1f}",
            probability(row["p_values"]["em"]) if number else "",
            f"{row['f1']:.1f}",
            probability(row["p_values"]["f1"]) if number else "",
            f"{row['words']:.0f}",
        ]
        for number, row in enumerate(found["rules"])
    ]
    told = f"n = {found['n']:,} drafts ({found['split']}), the quoted paragraphs; p against the first."
    return table_of(
        ["weight of length", "follows the last quote", "EM", "p", "F1", "p", "words"], lines, told
    )


def following_table(found: Result) -> str:
    """Where the next quote of a speech begins that the draft quotes already."""
    lines = [
        [kind, f"{row['quotes']:,}", f"{row['words']:,}", f"{row['lift']:.1f}", f"{row['used']:.1f}"]
        for kind, row in found["kinds"].items()
    ]
    told = f"n = {found['drafts']:,} drafts ({found['split']}) that quote their speech already."
    return table_of(["words behind a quotation", "quotes", "words", "lift", "used"], lines, told)


def quotability_table(found: Result) -> str:
    """What one more input does to the merged answer."""
    lines = [
        [
            feature,
            f"{row['quoted']:+.2f}" if "quoted" in row else "",
            f"{row['weight']:+g}" if "weight" in row else "",
            f"{row['map']:.1f}",
            probability(row["p"]) if "p" in row else "",
        ]
        for feature, row in found["features"].items()
    ]
    told = f"n = {found['n']:,} drafts ({found['split']}) that the merge was not fitted on; p against none."
    return table_of(["one more input", "quoted paragraphs", "best weight", "mAP", "p"], lines, told)


def rankers_table(found: Result) -> str:
    """The product's one pass against the paper's models."""
    lines = [
        [system, f"{row['p50_ms']:,.0f} ms", f"{row['least_ms']:,.0f} ms", f"{row['ratio']:.1f}"]
        for system, row in found["systems"].items()
    ]
    told = (
        f"{found['layers']} layers each, {found['candidates']} candidates, {found['threads']} threads,"
        f" {found['engine']}; {found['drafts']} drafts {found['rounds']} times over, the systems in turn."
    )
    return table_of(
        ["ranking", "p50", "least", "ratio"], lines, f"{told} Ratio: the median of those of each request."
    )


def layers_table(found: Result) -> str:
    """What rankers of fewer layers rank and cut, and how long they take."""
    first = next(iter(found["compared"]))
    lines = [
        [
            name,
            *(cell for figure in OF_LAYERS for cell in _tested(row, figure, name == first)),
            f"{row['p50_ms']:,.0f} ms",
            f"{row['ratio']:.2f}",
        ]
        for name, row in found["compared"].items()
    ]
    cores = found["machine"]["cores"]
    told = (
        f"n = {found['n']:,} drafts ({found['split']}); p against the first; p50 for {found['candidates']}"
        f" paragraphs on {cores} cores, {found['timed']}."
    )
    heads = [head for label in OF_LAYERS.values() for head in (label, "p")]
    return table_of(["ranker", *heads, "time", "ratio"], lines, told)


def training_choices_table(found: Result) -> str:
    """What small trainings give whose recipes differ in one choice."""
    first = next(iter(found["choices"]))
    names = list(found["choices"][first]["figures"])
    lines = [
        [choice, *(cell for name in names for cell in _tested(row, name, choice == first))]
        for choice, row in found["choices"].items()
    ]
    where = " trained and judged on a GPU;" if found.get("device") == "cuda" else ""
    told = (
        f"n = {found['n']:,} drafts ({found['split']}), {found['layers']} layers;{where} p against the first."
    )
    heads = [head for name in names for head in (FIGURES[name], "p")]
    return table_of(["training", *heads], lines, told)


def _tested(row: Result, name: str, is_first: bool) -> tuple[str, str]:
    return f"{row['figures'][name]:.1f}", "" if is_first else probability(row["p"][name])
