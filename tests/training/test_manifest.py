"""A manifest tells what the models were made of."""

import hashlib

import pytest

from reranker.models.files import FILES
from rostrum_core.errors import ModelError
from training.manifest import KNOWN_BASES, commit, describe_origin, make_manifest
from training.recipe import Recipe


@pytest.fixture
def base(tmp_path):
    folder = tmp_path / "narrow"
    folder.mkdir()
    (folder / "model.safetensors").write_text("weights")
    (folder / "tokenizer.json").write_text("pieces")
    return folder


def test_base_and_data_are_told_by_their_hashes_and_the_recipe_whole(base, tmp_path):
    (tmp_path / "pairs-dev.jsonl.gz").write_text("rows")
    manifest = describe_origin(base, tmp_path, Recipe())
    assert manifest["base"]["name"] == "narrow"
    assert manifest["base"]["sha256"] == hashlib.sha256(b"weights").hexdigest()
    assert manifest["data"] == {"pairs-dev.jsonl.gz": hashlib.sha256(b"rows").hexdigest()}
    assert manifest["recipe"]["ranker"]["seed"] == 7


def test_the_base_of_the_shipped_models_is_known(models):
    base = models.manifest.content["base"]
    assert KNOWN_BASES[base["sha256"]] == {"name": base["name"], "licence": base["licence"]}


def test_every_file_is_hashed_and_what_made_them_is_told(tmp_path):
    for file in FILES:
        (tmp_path / file).write_text(file)
    manifest = make_manifest(tmp_path, "mine", {"base": {}, "data": {}, "recipe": {}}, {"dev": {"n": 3}})
    assert manifest["files"] == {file: hashlib.sha256(file.encode()).hexdigest() for file in FILES}
    assert (manifest["name"], manifest["figures"], manifest["commit"]) == (
        "mine",
        {"dev": {"n": 3}},
        commit(),
    )
    assert manifest["version"]


def test_without_git_no_commit_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert commit() == ""


def test_a_base_without_weights_is_a_model_error(base, tmp_path):
    (base / "model.safetensors").unlink()
    with pytest.raises(ModelError, match=r"model\.safetensors"):
        describe_origin(base, tmp_path, Recipe())
