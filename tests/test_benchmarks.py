"""Tables say what was measured last, and what was measured is what was promised."""

import pytest

from benchmarks import render
from benchmarks.plots import layers_plot, layers_points, shown, write_plot
from benchmarks.render import PARTS, TABLES, drawn, of_other_models, pages, rendered, result, stale
from reranker.models.weights import read_manifest
from rostrum.archive.shipped_files import shipped
from rostrum.evaluation.evaluate import manifest_figures

SHIPPED = read_manifest(shipped("models"))
OURS = {"models": {"name": SHIPPED.name, "encoder": SHIPPED.encoder, "ranker": SHIPPED.ranker}}


def test_no_table_in_readme_or_docs_is_stale():
    assert stale() == []


def test_the_readme_shows_the_figures_of_the_test_set():
    readme = next(page for page in pages() if page.name == "README.md").read_text("utf-8")
    for name in ("ranking-test", "spans-test", "candidates"):
        assert f"<!-- table: {name} -->" in readme


def test_a_changed_figure_makes_a_table_stale():
    table = drawn(TABLES["ranking-test"], SHIPPED)
    page = f"<!-- table: ranking-test -->\n{table.replace('|', '/')}\n<!-- end -->"
    assert rendered(page) == f"<!-- table: ranking-test -->\n{table}\n<!-- end -->"


def test_a_plot_of_other_figures_or_none_is_stale_and_is_drawn_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(render, "PLOT", tmp_path / "layers.svg")
    assert stale() == [render.PLOT]
    points = layers_points(result("layers-dev"))
    write_plot({**points, "6": {**points["6"], "map": 99.0}}, render.PLOT)
    assert stale() == [render.PLOT]
    monkeypatch.setattr("sys.argv", ["render"])
    render.main()
    assert stale() == []
    assert shown(render.PLOT) == points


def test_a_plot_has_every_point_where_it_was_measured():
    (left, right) = layers_plot(layers_points(result("layers-dev"))).axes
    rows = list(result("layers-dev")["compared"].values())
    for axes, names in ((left, ["map", "ranker"]), (right, ["f1", "em"])):
        for line, name in zip(axes.get_lines(), names, strict=True):
            assert list(line.get_xdata()) == [row["p50_ms"] for row in rows]
            assert list(line.get_ydata()) == [row["figures"][name] for row in rows]


def test_a_table_of_the_shipped_models_or_of_none_needs_no_word():
    assert of_other_models([OURS, {"n": 3}], SHIPPED) == []


def test_a_table_of_other_models_names_them():
    other = {"models": {**OURS["models"], "name": "rostrum-0", "ranker": "0123456789abcdef"}}
    (told,) = of_other_models([OURS, other], SHIPPED)
    assert told == f"Measured in part with the models rostrum-0; those that are shipped are {SHIPPED.name}."
    (told,) = of_other_models([other], SHIPPED)
    assert told == f"Measured with the models rostrum-0; those that are shipped are {SHIPPED.name}."


@pytest.mark.parametrize("part", ["encoder", "ranker", "tokenizer", "fusion"])
def test_any_part_of_the_models_makes_a_table_of_others_but_what_does_not_decide_it(part):
    found = [{"models": {**OURS["models"], part: "0123456789abcdef"}}]
    assert of_other_models(found, SHIPPED)
    assert of_other_models(found, SHIPPED, [each for each in PARTS if each != part]) == []


def test_the_shipped_model_beats_bm25_and_the_fusion_on_test(models):
    found = result("quality-test")
    ranking, tests = found["ranking"], found["p_values"]["average_precision"]
    assert ranking["model"]["map"] > ranking["first_stage"]["map"] > ranking["bm25"]["map"]
    assert ranking["model"]["map"] > ranking["fusion"]["map"]
    assert tests["bm25"]["model"] < 0.01
    assert found["models"]["ranker"] == models.hashes.ranker


@pytest.mark.parametrize("split", ["dev", "test"])
def test_the_manifest_tells_the_figures_that_were_measured(models, split):
    assert models.manifest.told["figures"][split] == manifest_figures(result(f"quality-{split}"))


@pytest.mark.parametrize(
    ("setting", "at_10", "at_100"),
    [("all", 29.7, 47.7), ("30 days", 36.3, 62.0)],
    ids=["all", "30 days"],
)
def test_candidates_are_found_more_often_than_the_design_measured(models, setting, at_10, at_100):
    found = result("candidates")
    assert found["documents"] == 3080
    assert found["models"]["encoder"] == models.hashes.encoder
    recall = found[setting]["recall"]["all"]
    assert recall["@10"] > at_10
    assert recall["@100"] > at_100


def test_the_tuned_bm25_has_the_k1_and_b_that_were_best_on_dev():
    found = result("bm25-dev")
    best = max(found["tried"], key=lambda row: row["map"])
    assert {"k1": best["k1"], "b": best["b"]} == found["best"] == {"k1": 0.9, "b": 0.5}  # as quality.md says
