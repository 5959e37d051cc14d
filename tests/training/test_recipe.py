"""A recipe is read from a file; a mistake in it is told before hours are spent."""

import json

import pytest

from rostrum_core.errors import BadInput
from training.recipe import SHIPPED_RECIPE, Recipe, read_recipe


def written(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text)
    return path


def test_the_shipped_recipe_is_what_a_file_that_changes_nothing_means(tmp_path):
    assert read_recipe(SHIPPED_RECIPE) == read_recipe(written(tmp_path, "")) == Recipe()


def test_the_shipped_models_were_made_by_the_shipped_recipe(models):
    made, recipe = models.manifest.content["recipe"], Recipe()
    assert made["encoder"].items() <= vars(recipe.encoder).items()
    assert made["ranker"].items() <= vars(recipe.ranker).items()
    fusion = json.loads((models.manifest.folder / "fusion.json").read_text())
    fitted_on = {"split": "dev", "rows": recipe.fit.rows, "seed": recipe.fit.seed}
    assert fitted_on.items() <= fusion["fitted_on"].items()


def test_a_file_changes_what_it_names(tmp_path):
    recipe = read_recipe(written(tmp_path, "[encoder]\nlayers = 7\n[ranker]\nrate = 1\nspan_weight = 0.0"))
    assert (recipe.encoder.layers, recipe.encoder.seed) == (7, 7)
    assert (recipe.ranker.rate, recipe.ranker.span_weight, recipe.ranker.layers) == (1.0, 0.0, 6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("encoder = 3", r"\[encoder\] is a section"),
        ("[encodr]", "no 'encodr'; there are data, encoder, ranker, fit"),
        ("[encoder]\nlayer = 3", r"\[encoder\] has no 'layer'; there are layers, speech_rows"),
        ("[encoder]\nlayers = '3'", r"\[encoder\] layers: expected int, found '3'"),
        ("[encoder]\nlayers = true", "expected int, found True"),
        ("[encoder]\nlayers = 2.5", "expected int, found 2.5"),
        ("[encoder]\nlayers = 0", r"\[encoder\] layers: 0 makes no sense"),
        ("[encoder]\nseed = -1", "-1 makes no sense"),
        ("[ranker]\nseed = 9223372036854775808", r"\[ranker\] seed: 9223372036854775808 makes no sense"),
        ("[ranker]\nrate = nan", "nan makes no sense"),
        ("[ranker]\nrate = inf", "inf makes no sense"),
        ("[ranker]\ndropout = 1.0", "1.0 makes no sense"),
        ("[ranker]\nlayers = 7", "cannot have more layers"),
        ("[encoder", "not a readable recipe"),
        ("[ranker]\nnegatives_kind = 'hard'", "'hard' is none of uniform, bm25, encoder, neighbouring"),
        ("[ranker]\nloss = 'uniform'", "'uniform' is none of listwise, pairwise, pointwise"),
        ("[ranker]\nteacher_share = 1.0", "1.0 makes no sense"),
        ("[fit]\nrows = 5\nrows = 6", "not a readable recipe"),
    ],
)
def test_a_mistake_is_named_with_the_file(tmp_path, text, message):
    with pytest.raises(BadInput, match=rf"mine\.toml.*{message}"):
        read_recipe(written(tmp_path, text))


@pytest.mark.parametrize("content", [b"\xff\xfe", None])
def test_a_file_that_cannot_be_read_is_bad_input(tmp_path, content):
    path = tmp_path / "mine.toml"
    if content:
        path.write_bytes(content)
    with pytest.raises(BadInput, match=r"mine\.toml is not a readable recipe"):
        read_recipe(path)
