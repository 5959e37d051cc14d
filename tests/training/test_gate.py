"""The gate of a publication judges by rows that nothing was fitted on."""

import gzip
import json
from types import SimpleNamespace

import pytest

from reranker.weights import sha256
from rostrum.training.gate import held_out
from rostrum.training.pairs import Pair, Part, sampled

ROWS = [Pair(str(i), "T", "L", "", "d", (Part(0, 0, 1),), False) for i in range(10)]


@pytest.fixture
def dev(tmp_path):
    path = tmp_path / "pairs-dev.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}"))
    return path


@pytest.fixture
def version(tmp_path):
    """Makes what the gate reads of a version: the hash of its dev, and what its fusion was fitted on."""

    def make(name, dev_hash, fitted_on):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "fusion.json").write_text(json.dumps({"fitted_on": fitted_on}))
        told = {"data": {"pairs-dev.jsonl.gz": dev_hash}}
        return SimpleNamespace(manifest=SimpleNamespace(folder=folder, told=told))

    return make


def test_rows_that_either_fusion_was_fitted_on_are_left_out(dev, version):
    ours = version("ours", sha256(dev), {"rows": 4, "seed": 1})
    theirs = version("theirs", sha256(dev), {"rows": 3, "seed": 2})
    fitted = {row.id for row in sampled(ROWS, 4, 1)} | {row.id for row in sampled(ROWS, 3, 2)}
    assert {row.id for row in held_out(ROWS, dev, ours, theirs)} == {row.id for row in ROWS} - fitted


def test_rows_of_another_file_or_before_any_fit_are_all_judged(dev, version):
    other = version("other", "another hash", {"rows": 4, "seed": 1})
    unfitted = version("unfitted", sha256(dev), None)
    assert held_out(ROWS, dev, other, unfitted) == ROWS
