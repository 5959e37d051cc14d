"""The tables of docs/quality.md: the layout of the paper's tables 5, 6 and 8, over our rows.

Systems of ours come from `quality-SPLIT.json`; whatever else `paper-models-SPLIT.json` holds, in the form of
`benchmarks.baselines.compare`, becomes a row of its own, by its name there unless `BASELINES` has a better.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from rostrum.evaluation.naming import MEASURES, PARTS, SYSTEMS

Result = Mapping[str, Any]
Tests = Mapping[str, Mapping[str, float]]
Row = tuple[str, Mapping[str, Any], Tests]
"""A label, figures by column, and for the columns that were tested the p against other systems.

The figures of several seeds are means and have their standard deviations beside them, by column in `spread`.
"""

SIGNIFICANT = 0.01
OURS = SYSTEMS | {
    "first_stage": "first stage (both, what the draft quotes already, and adjacent paragraphs)",
    "model": "**Rostrum**",
}
LIGHT = {
    "tf-idf": "TF-IDF",
    "doc2vec": "Doc2Vec",
    "k-nrm": "K-NRM",
    "conv-knrm": "Conv-KNRM",
    "bm25-tuned": "BM25, its k1 and b the best on dev",
}
BASELINES = LIGHT | {
    "paragraph-6-encoder": "paragraph ranker",
    "positive-only-6-encoder": "span predictor, positive-only",
    "shared-norm-6-encoder": "span predictor, shared-norm",
    "combined-paragraph-6-encoder-positive-only-6-encoder": "paragraph ranker and positive-only, combined",
    "combined-paragraph-6-encoder-shared-norm-6-encoder": "paragraph ranker and shared-norm, combined",
    "positive-only-paper-plan": "span predictor, positive-only, by the paper's own plan",
    "shared-norm-paper-plan": "span predictor, shared-norm, by the paper's own plan",
    "merged-paragraph-6-encoder": "paragraph ranker in rostrum-3's merge, fitted on 200 drafts",
    "merged-ours": "Rostrum, its merge fitted on 200 drafts",
    "rostrum-4.1": "rostrum-4.1, the same models without *follows*",
    "rostrum-3": "rostrum-3",
    "rostrum-3-merged": "rostrum-3, its merge fitted on 200 drafts",
    "rostrum-3-ranker": "ranker alone, of rostrum-3",
}
SPANS = {
    "full paragraph": "full paragraph",
    "first sentence": "first sentence",
    "last sentence": "last sentence",
    "model": "**Rostrum**",
}
RANKING = {name: MEASURES[name] for name in ("map", "mrr", "acc@1", "acc@3", "acc@5")}
CUTS = {"em positive": "EM pos", "em top": "EM top", "f1 positive": "F1 pos", "f1 top": "F1 top"}
SETTINGS = {
    "archive": "the whole archive",
    "so far": "what there was on the draft's day",
    "archive, dated": "the whole archive, with the draft's day",
    "30 days": "speeches of the 30 days before",
    "source": "the source alone",
}


def ranking_table(found: Result, baselines: Result) -> str:
    """Table 5: ranking within the source transcript, the light baselines before what is ours."""
    tests = found["p_values"]["average_precision"]
    ours = [(label, found["ranking"][name], {"map": tests[name]}) for name, label in OURS.items()]
    ranked = baselines["ranking"]
    light = _by_precision(baselines, ranked.keys() - LIGHT.keys())
    theirs = [(_label(name), ranked[name], ranked[name]["p_values"]) for name in light]
    lines = [_cells(row, RANKING, "bm25") for row in (*theirs, *ours)]
    told = f"n = {found['n']:,} ({found['split']}); mAP: `*` differs from BM25, `†` from Rostrum, p < 0.01."
    return table_of(["ranking", *RANKING.values()], lines, told)


def span_table(found: Result) -> str:
    """Table 6: spans, in the quoted and in the top paragraph."""
    cut = ((label, _flat(found["spans"][name]), _span_tests(found, name)) for name, label in SPANS.items())
    lines = [_cells(row, CUTS, "full paragraph") for row in cut]
    told = f"n = {found['n']:,}; `*` differs from the full paragraph, `†` from Rostrum, p < 0.01."
    return table_of(["span", *CUTS.values()], lines, told)


def _span_tests(found: Result, name: str) -> Tests:
    """The p of a way to cut against the others, by column."""
    return {
        f"{measure} {setting}": matrix[name]
        for measure in ("em", "f1")
        for setting, matrix in found["p_values"][f"span_{measure}"].items()
    }


def paper_models_table(found: Result) -> str:
    """The paper's models beside BM25, the product and its ranker alone, over the drafts of their runs."""
    lines = []
    for name in [*_by_precision(found, {"model", *LIGHT}), "model"]:
        ranked, cut = found["ranking"][name], found["spans"].get(name)
        cells = _cells((_label(name), ranked, ranked["p_values"]), RANKING, "bm25")
        lines.append(cells + (_cells(("", cut, cut["p_values"]), CUTS, "")[1:] if cut else [""] * len(CUTS)))
    told = f"n = {found['n']:,} ({found['split']}); `*` differs from BM25, `†` from Rostrum, p < 0.01."
    if any("spread" in row for row in found["ranking"].values()):
        told += " ±: the mean of several seeds and their standard deviation."
    return table_of(["system", *RANKING.values(), *CUTS.values()], lines, told)


def paper_tests_table(found: Result) -> str:
    """The p of each figure of the paper's models against ours."""
    columns = {"map": RANKING["map"], **CUTS}
    lines = []
    for name in _by_precision(found, {"model", "bm25", *LIGHT}):
        tests = {**found["ranking"][name]["p_values"], **found["spans"].get(name, {}).get("p_values", {})}
        cells = (probability(tests[column]["model"]) if column in tests else "" for column in columns)
        lines.append([_label(name), *cells])
    return table_of(["p of", *columns.values()], lines)


def _by_precision(found: Result, without: Set[str]) -> list[str]:
    """The systems of a result by mAP, the worst first."""
    ranked = found["ranking"]
    return sorted(ranked.keys() - without, key=lambda name: (ranked[name]["map"], name))


def _label(name: str) -> str:
    return OURS.get(name) or BASELINES.get(name, name)


def _flat(spans: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    return {f"{figure} {setting}": value for setting, row in spans.items() for figure, value in row.items()}


def _cells(row: Row, columns: Mapping[str, str], weak: str) -> list[str]:
    label, figures, tests = row
    return [label, *(_figure(figures, name) + _marks(tests.get(name, {}), weak) for name in columns)]


def _figure(figures: Mapping[str, Any], name: str) -> str:
    spread = figures.get("spread", {})
    return f"{figures[name]:.1f}" + (f" ± {spread[name]:.1f}" if name in spread else "")


def _marks(tests: Mapping[str, float], weak: str) -> str:
    marks = {weak: "*", "model": "†"}
    return "".join(mark for other, mark in marks.items() if tests.get(other, 1.0) < SIGNIFICANT)


def distance_table(found: Result) -> str:
    """Error distances of each system."""
    rows = found["error_distance"]
    columns = list(next(iter(rows.values())))
    lines = [[label, *(f"{rows[name][each]:.1f}" for each in columns)] for name, label in OURS.items()]
    return table_of(["paragraphs between top answer and quote, percent of drafts", *columns], lines)


def contribution_table(found: Result) -> str:
    """What the merged answer loses without each of its parts."""
    lines = [
        [PARTS[part], f"{row['map']:.1f}", f"{row['loss']:.1f}", probability(row["p"])]
        for part, row in found["contributions"].items()
    ]
    whole = found["ranking"]["model"]["map"]
    return table_of(
        ["without", "mAP", "lost", "p"],
        lines,
        f"The whole has mAP {whole:.1f}; n = {found['n']:,} ({found['split']}).",
    )


def ablation_table(found: Result) -> str:
    """Table 8: drafts with less in them."""
    lines = [
        [name, *(f"{row[column]:.1f}" for column in RANKING), "" if name == "full" else probability(row["p"])]
        for name, row in found["ablations"].items()
    ]
    return table_of(
        ["draft", *RANKING.values(), "p"], lines, f"n = {found['n']:,} drafts ({found['split']})."
    )


def archive_table(found: Result) -> str:
    """What a whole archive answers, and the spans of the quoted paragraphs that are in the answer."""
    names = ["recall@10", "recall@100", "acc@1", "acc@3", "acc@5", "map", "em", "f1", "cut"]
    lines = [
        [SETTINGS[setting], *(f"{row[name]:.{0 if name == 'cut' else 1}f}" for name in names)]
        for setting, row in found["archive"].items()
    ]
    return table_of(
        ["among", *(MEASURES.get(name, name) for name in names)],
        lines,
        f"n = {found['n']:,} drafts ({found['split']}); EM and F1 of the *cut* ones.",
    )


def draft_part_table(found: Result) -> str:
    """What the begun sentence and the text after the quote are worth."""
    parts = {
        "lead_in": "mAP, the begun sentence ends the context",
        "right": "mAP, the text after the quote is read",
        "archive": "the same over the archive",
    }
    lines = [
        [f"{label}: {OURS.get(name, name)}", str(found[part]["n"]), *_difference(row)]
        for part, label in parts.items()
        for name, row in found[part].items()
        if name != "n"
    ]
    return table_of(["", "n", "without", "with", "p"], lines)


def _difference(row: Mapping[str, float]) -> list[str]:
    return [f"{row['without']:.1f}", f"{row['with']:.1f}", probability(row["p"])]


def probability(p: float) -> str:
    """A p in a table.

    >>> probability(0.0001), probability(0.0312)
    ('< 0.001', '0.031')
    """
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def table_of(heads: Sequence[str], lines: Sequence[Sequence[str]], below: str = "") -> str:
    """A table in Markdown, and a sentence below it."""
    drawn = [" | ".join(cells).join(("| ", " |")) for cells in (heads, *lines)]
    drawn.insert(1, "|---" * len(heads) + "|")
    return "\n".join([*drawn, *(["", below] if below else [])])
