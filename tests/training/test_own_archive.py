"""A user's own archive: align, train, evaluate, publish, by the commands of docs/train-your-own.md."""

import json
import os

import pytest

pytest.importorskip("torch")

from rostrum.cli import run
from tests.training.tiny import write_archive, write_base

RECIPE = """
[encoder]
layers = 2
pair_epochs = 2
pair_batch = 8

[ranker]
layers = 1
negatives = 2
batch = 8
epochs = 1
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Articles, speeches, a recipe and a base, in a folder of their own."""
    folder = tmp_path_factory.mktemp("own")
    write_archive(folder)
    write_base(folder / "base")
    (folder / "mine.toml").write_text(RECIPE)
    return folder


@pytest.fixture
def rostrum(folder, monkeypatch, capfd):
    """Runs a command in the folder: exit code, standard output, standard error."""
    for name in [name for name in os.environ if name.startswith("ROSTRUM_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "share"))
    monkeypatch.chdir(folder)

    def command(line):
        capfd.readouterr()
        code = run(line.split())
        return code, *capfd.readouterr()

    return command


def test_articles_and_speeches_become_pairs(rostrum, folder):
    code, out, _ = rostrum(
        "align articles --documents speeches --pairs data/pairs.jsonl.gz"
        " --write-documents data/documents.jsonl.gz"
    )
    assert code == 0
    assert "60 pairs written" in out


def test_pairs_become_models(rostrum, folder):
    code, out, err = rostrum("train mine.toml --data data --out runs/mine --base base")
    assert code == 0, err
    assert "mine in runs/mine/models" in out
    told = json.loads((folder / "runs/mine/models/manifest.json").read_text())
    assert told["figures"]["dev"]["n"] == 9
    assert told["base"]["name"] == "tiny"
    assert told["recipe"]["encoder"]["pair_epochs"] == 2
    assert set(told["data"]) == {"documents.jsonl.gz", "pairs-train.jsonl.gz", "pairs-dev.jsonl.gz"}
    assert (folder / "runs/mine/curves.svg").read_text().startswith("<?xml")
