"""The gate of a publication judges by rows that nothing was fitted on, or by fusions fitted elsewhere."""

import gzip
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from evaluation.gate import compare_values, cross_fit, select_held_out, select_unseen
from evaluation.pairs import Pair, QuotedPart, sample_pairs
from evaluation.score_table import Row
from quotations.text.transcript import Transcript
from reranker.models.weights import hash_file
from reranker.signals import STAGES
from rostrum_core.errors import BadInput

ROWS = [Pair(str(i), "T", f"Left {i}.", "", "d", (QuotedPart(0, 0, 1),), False) for i in range(10)]


@pytest.fixture
def dev(tmp_path):
    path = tmp_path / "pairs-dev.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}"))
    return path


@pytest.fixture
def version(tmp_path):
    """Makes what the gate reads of a version: its data, and what its fusion was fitted on."""

    def make(name, dev_hash, fitted_on, **more):
        folder = tmp_path / name
        folder.mkdir()
        (folder / "fusion.json").write_text(json.dumps({"fitted_on": fitted_on}))
        more = {"name": name, "data": {"pairs-dev.jsonl.gz": dev_hash}, **more}
        return SimpleNamespace(manifest=SimpleNamespace(folder=folder, content=more))

    return make


def test_rows_that_either_fusion_was_fitted_on_are_left_out(dev, version):
    ours = version("ours", hash_file(dev), {"rows": 4, "seed": 1})
    theirs = version("theirs", hash_file(dev), {"rows": 3, "seed": 2})
    fitted = {row.id for row in sample_pairs(ROWS, 4, 1)} | {row.id for row in sample_pairs(ROWS, 3, 2)}
    assert {row.id for row in select_held_out(ROWS, dev, ours, theirs)} == {row.id for row in ROWS} - fitted


def test_rows_of_another_file_or_before_any_fit_are_all_judged(dev, version):
    other = version("other", "another hash", {"rows": 4, "seed": 1})
    unfitted = version("unfitted", hash_file(dev), None)
    assert select_held_out(ROWS, dev, other, unfitted) == ROWS


def test_fitted_rows_are_known_in_whatever_file_they_stand(dev, version):
    fitted = {"rows": 2, "seed": 1, "fingerprints": [ROWS[3].fingerprint, ROWS[7].fingerprint]}
    models = version("ours", "the hash of the same rows, packed otherwise", fitted)
    named_anew = [replace(row, id=f"new {row.id}") for row in ROWS]
    found = [row.id for row in select_held_out(named_anew, dev, models)]
    assert found == [f"new {i}" for i in (0, 1, 2, 4, 5, 6, 8, 9)]


def test_rows_that_say_something_else_are_others_though_their_ids_are_the_same(dev, version):
    models = version("ours", "", {"fingerprints": [row.fingerprint for row in ROWS]})
    for change in ({"title": "U"}, {"left": "M"}, {"document": "e"}, {"parts": (QuotedPart(0, 0, 2),)}):
        assert len(select_held_out([replace(row, **change) for row in ROWS], dev, models)) == 10


def test_a_file_with_rows_of_the_training_is_no_file_to_judge_by(dev, version):
    trained = version("ours", "", None, trained_on=[ROWS[4].fingerprint])
    before = version("theirs", "", None, data={"pairs-train.jsonl.gz": hash_file(dev)})
    for models in (trained, before):
        with pytest.raises(BadInput, match=f"rows that {models.manifest.content['name']} was trained on"):
            select_held_out(ROWS, dev, models)
    assert select_held_out(ROWS[:4], dev, trained) == ROWS[:4]


def test_rows_that_quote_speeches_of_the_training_are_left_out(dev, version):
    documents = {name: Transcript(name, "T", None, "2020-01-01", None, ("One two.",)) for name in "de"}
    rows = [*ROWS, replace(ROWS[0], id="e", title="Of another writer", document="e")]
    trained = version("ours", "", None, trained_speeches=[documents["d"].fingerprint])
    before = version("theirs", "", None)
    assert [row.id for row in select_unseen(rows, documents, dev, before, trained)] == ["e"]
    assert select_unseen(rows, documents, dev, before) == rows
    with pytest.raises(BadInput, match="quotes speeches alone that were trained on"):
        select_unseen(ROWS, documents, dev, trained)


def test_a_speech_of_another_archive_is_another_though_its_id_is_the_same():
    speech = Transcript("1", "On the moon", None, "1962-09-12", None, ())
    others = [replace(speech, title="On the sea"), replace(speech, spoken_on=None), replace(speech, id="2")]
    assert len({each.fingerprint for each in (speech, *others)}) == 4


@pytest.mark.parametrize(("speeches", "least"), [(7, 0.0125), (8, 0.0)])
def test_fewer_speeches_than_eight_prove_nothing(speeches, least):
    names = [str(i % speeches) for i in range(280)]
    found = compare_values("map", np.full(280, 0.9), np.full(280, 0.1), names)
    assert (found.speeches, found.conclusive, found.proven) == (speeches, speeches == 8, speeches == 8)
    assert found.p_value > least


def opposite(telling: str, misleading: str) -> Row:
    """Two paragraphs; one stage tells which was quoted, another always names the wrong one."""
    parts = {stage: np.zeros(2) for stage in (*STAGES, "length")}
    parts |= {telling: np.array([-1.0, 1.0]), misleading: np.array([4.0, -4.0])}
    return Row(parts, np.zeros(2), np.zeros(2), frozenset({1}))


def test_a_speech_is_judged_by_weights_of_other_speeches():
    # what is learned of one speech misleads on the other; weights fitted on both would rank one of them right
    rows = [opposite("follows", "around"), opposite("around", "follows")] * 3
    assert cross_fit(rows, ["a", "b"] * 3).tolist() == [0.5] * 6


def test_what_holds_for_all_speeches_is_found_from_some():
    rows = [opposite("follows", "around")] * 8
    assert cross_fit(rows, list("aabbccdd")).tolist() == [1.0] * 8


def test_rows_of_one_speech_do_not_prove_what_as_many_speeches_would():
    better, worse = np.full(20, 0.9), np.full(20, 0.4)
    assert compare_values("map", better, worse, [str(i) for i in range(20)]).proven
    assert not compare_values("map", better, worse, ["one"] * 20).proven
