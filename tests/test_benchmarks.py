"""Tables say what was measured last, and what was measured is what was promised."""

import pytest

from archive.shipped_files import locate_shipped
from benchmarks.render import (
    PARTS,
    TABLES,
    draw_table,
    list_pages,
    list_stale_pages,
    name_other_models,
    read_result,
    render_page,
    render_result,
)
from evaluation.evaluate import select_manifest_figures
from reranker.models.weights import read_manifest

SHIPPED = read_manifest(locate_shipped("models"))
OURS = {"models": {"name": SHIPPED.name, **SHIPPED.hashes}}


def test_no_table_in_readme_or_docs_is_stale():
    assert list_stale_pages() == []


def test_the_page_on_quality_shows_the_figures_of_the_test_set():
    page = next(page for page in list_pages() if page.name == "quality.md").read_text("utf-8")
    for name in ("ranking-test", "spans-test", "candidates"):
        assert f"<!-- table: {name} -->" in page


def test_a_changed_figure_makes_a_table_stale():
    table = draw_table(TABLES["ranking-test"], SHIPPED)
    page = f"<!-- table: ranking-test -->\n{table.replace('|', '/')}\n<!-- end -->"
    assert render_page(page) == f"<!-- table: ranking-test -->\n{table}\n<!-- end -->"


def test_a_table_of_the_shipped_models_or_of_none_needs_no_word():
    assert name_other_models([OURS, {"n": 3}], SHIPPED) == []


def test_a_table_of_other_models_names_them():
    other = {"models": {**OURS["models"], "name": "rostrum-0", "ranker": "0123456789abcdef"}}
    (note,) = name_other_models([OURS, other], SHIPPED)
    assert note == f"Measured in part with the models rostrum-0; those that are shipped are {SHIPPED.name}."
    (note,) = name_other_models([other], SHIPPED)
    assert note == f"Measured with the models rostrum-0; those that are shipped are {SHIPPED.name}."


@pytest.mark.parametrize("part", ["encoder", "ranker", "tokenizer", "fusion"])
def test_any_part_of_the_models_makes_a_table_of_others_but_what_does_not_decide_it(part):
    results = [{"models": {**OURS["models"], part: "0123456789abcdef"}}]
    assert name_other_models(results, SHIPPED)
    assert name_other_models(results, SHIPPED, [name for name in PARTS if name != part]) == []


def test_the_shipped_model_beats_bm25_and_the_fusion_on_test(models):
    figures = read_result("quality-test")
    ranking, tests = figures["ranking"], figures["p_values"]["average_precision"]
    assert ranking["model"]["map"] > ranking["first_stage"]["map"] > ranking["bm25"]["map"]
    assert ranking["model"]["map"] > ranking["fusion"]["map"]
    assert tests["bm25"]["model"] < 0.01
    assert figures["models"]["ranker"] == models.hashes["ranker"]


@pytest.mark.parametrize("split", ["dev", "test"])
def test_the_manifest_records_the_figures_that_were_measured(models, split):
    assert models.manifest.content["figures"][split] == select_manifest_figures(
        read_result(f"quality-{split}")
    )


@pytest.mark.parametrize(
    ("setting", "at_10", "at_100"),
    [("all", 29.7, 47.7), ("30 days", 36.3, 62.0)],
    ids=["all", "30 days"],
)
def test_candidates_are_found_more_often_than_the_design_measured(models, setting, at_10, at_100):
    figures = read_result("candidates")
    assert figures["documents"] == 3080
    assert figures["models"]["encoder"] == models.hashes["encoder"]
    recall = figures[setting]["recall"]["all"]
    assert recall["@10"] > at_10
    assert recall["@100"] > at_100


def test_the_tuned_bm25_has_the_k1_and_b_that_were_best_on_dev():
    figures = read_result("bm25-dev")
    best = max(figures["tried"], key=lambda row: row["map"])
    assert {"k1": best["k1"], "b": best["b"]} == figures["best"] == {"k1": 0.9, "b": 0.5}


def test_the_table_of_a_load_has_a_row_for_each_number_of_clients():
    row = {"requests": 240, "errors": {"Busy": 2, "Unreachable": 1}, "degraded": 0, "seconds": 120.4}
    row |= {"per_s": 2.0, "p50_s": 0.5, "p95_s": 0.75, "machine_load": 2.1}
    load = {"clients": {"1": row}, "documents": 57, "paragraphs": 4208, "engine": "onnxruntime"}
    load |= {"precision": "float32", "machine": {"cores": 2}, "places": 1, "ranked": 50}
    assert "| 1 | 240 | 3 | 0 | 2.0 | 500 / 750 ms | 2.1 |" in render_result("load", load).splitlines()
