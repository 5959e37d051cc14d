"""Versions of the models by command: the gate lets through what is better, and nothing else unless forced."""

import json
import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from archive.shipped_files import locate_shipped
from reranker.models.weights import hash_file
from tests.training.tiny import write_archive

DEV = ["--pairs", "pairs.jsonl", "--documents", "documents.jsonl", "--limit", "24"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with articles, speeches, and two versions of the shipped models.

    `inverse` orders every list the wrong way round, `blunt` ranks as the shipped models do and cuts blindly.
    """
    folder = tmp_path_factory.mktemp("made")
    write_archive(folder)
    inverse, blunt = (
        shutil.copytree(locate_shipped("models"), folder / name) for name in ("inverse", "blunt")
    )
    fusion = json.loads((inverse / "fusion.json").read_text())
    fusion |= {"paragraph": {stage: -weight for stage, weight in fusion["paragraph"].items()}}
    fusion |= {"model": -fusion["model"], "alpha": 0.0}
    (inverse / "fusion.json").write_text(json.dumps(fusion))
    sign(inverse, "fusion.json")
    weights = load_file(blunt / "ranker.safetensors")
    weights |= {name: np.zeros_like(weights[name]) for name in ("edges.weight", "edges.bias")}
    save_file(weights, blunt / "ranker.safetensors")
    sign(blunt, "ranker.safetensors")
    return folder


def sign(version, file):
    """Has the manifest of a version tell its own name and the hash of a changed file."""
    manifest = json.loads((version / "manifest.json").read_text())
    manifest["name"] = version.name
    manifest["files"][file] = hash_file(version / file)
    (version / "manifest.json").write_text(json.dumps(manifest))


@pytest.fixture
def folder(made, monkeypatch, rostrum):
    monkeypatch.chdir(made)
    if not (made / "pairs.jsonl").exists():
        aligned = ["--pairs", "pairs.jsonl", "--write-documents", "documents.jsonl"]
        assert rostrum("align", "articles", "--documents", "speeches", *aligned).code == 0
    return made


def test_what_is_worse_is_refused_and_the_version_in_use_stays(folder, rostrum):
    shown = rostrum("models", "publish", "inverse", *DEV)
    assert shown.code == 1
    assert "24 rows" in shown.out
    assert shown.complaint.startswith("refused: not proven better")
    assert "inverse" not in rostrum("models", "list").out


def test_what_is_the_same_is_refused(folder, rostrum):
    shown = rostrum("models", "publish", locate_shipped("models"), *DEV)
    assert (shown.code, "p 1.0000" in shown.out) == (1, True)


def test_what_is_forced_keeps_its_reason_and_what_is_better_takes_its_place(folder, rostrum, tmp_path):
    assert rostrum("models", "publish", "inverse", *DEV, "--force", "to try the gate").code == 0
    listed = rostrum("models", "list").out
    assert "published without proof: to try the gate" in listed
    assert [line.split()[1] for line in listed.splitlines() if line.startswith("*")] == ["inverse"]

    shown = rostrum("models", "publish", locate_shipped("models"), *DEV, "--name", "again")
    assert shown.code == 0, shown
    assert shown.out.splitlines()[-1] == "in use: again"
    record = json.loads((tmp_path / "data/rostrum/models/again/manifest.json").read_text())["published"]
    own, refitted = record["as_they_are"], record["refitted"]
    assert (record["over"], own["n"], refitted["n"]) == ("inverse", 24, 24)
    assert own["candidate"] > own["in_use"]
    assert own["p_value"] < 0.025
    assert refitted["candidate"] == refitted["in_use"]
    assert record["pairs"] == hash_file(folder / "pairs.jsonl")
    assert "forced" not in record

    assert "weights: again, every hash as published" in rostrum("doctor", "--archive", tmp_path / "none").out
    assert rostrum("models", "rollback").out == "in use: inverse\n"
    assert rostrum("models", "use", "shipped").out == "in use: shipped\n"


def test_models_that_rank_as_well_and_cut_better_are_better(folder, rostrum, tmp_path):
    judged = tmp_path / "judged"
    line = ["models", "publish", "blunt", *DEV, "--judged", judged]
    assert rostrum(*line).complaint.startswith("refused: not proven better")
    kept = {path: path.stat().st_mtime_ns for path in judged.glob("*.gz")}
    assert len(kept) == 2

    assert rostrum(*line, "--force", "to be beaten").code == 0
    shown = rostrum(
        "models", "publish", locate_shipped("models"), *DEV, "--name", "sharp", "--judged", judged
    )
    assert shown.code == 0, shown
    record = json.loads((tmp_path / "data/rostrum/models/sharp/manifest.json").read_text())["published"]
    assert record["as_they_are"]["candidate"] == record["as_they_are"]["in_use"]
    assert record["span_f1"]["candidate"] > record["span_f1"]["in_use"]
    assert record["span_f1"]["p_value"] < 0.0125
    assert {path: path.stat().st_mtime_ns for path in judged.glob("*.gz")} == kept  # what was judged is known


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["inverse", *DEV, "--force", " "], "--force needs a reason"),
        (["inverse", *DEV, "--name", "a/b"], "cannot name a version"),
        (["inverse", *DEV, "--name", "shipped"], "cannot name a version"),
        (["articles", *DEV], "neither weights"),
    ],
)
def test_a_mistake_is_told_before_anything_is_judged(folder, rostrum, arguments, message):
    shown = rostrum("models", "publish", *arguments)
    assert shown.code in (1, 2)
    assert message in shown.complaint


def test_a_version_that_is_not_there_is_bad_input(rostrum):
    shown = rostrum("models", "use", "nope")
    assert (shown.code, "no version 'nope'; there are shipped" in shown.complaint) == (2, True)


def test_a_folder_that_is_named_and_not_begun_has_nothing_in_use(rostrum, tmp_path, monkeypatch):
    monkeypatch.setenv("ROSTRUM_MODELS", str(tmp_path / "new"))
    listed = rostrum("models", "list")
    assert "*" not in listed.out
    assert "nothing is in use there yet" in listed.err
    assert "models use shipped" in rostrum("recommend", "--left", "We choose to go").complaint
    assert rostrum("models", "use", "shipped").code == 0
    assert "*" in rostrum("models", "list").out


def test_a_version_that_is_damaged_is_listed_so(folder, rostrum, tmp_path):
    assert rostrum("models", "publish", "inverse", *DEV, "--force", "to damage it").code == 0
    (tmp_path / "data/rostrum/models/inverse/fusion.json").write_text("{}")
    assert "fusion.json is damaged" in rostrum("models", "list").out
    shown = rostrum("recommend", "--title", "x", "--left", "y", "--archive", tmp_path / "none")
    assert shown.code == 1
    assert "fusion.json is damaged" in shown.complaint
