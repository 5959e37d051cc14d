"""The systems that the job evidence is compared with, on claims made for this test."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from archive.shipped_files import locate_shipped  # noqa: E402
from benchmarks.baselines import evidence_networks  # noqa: E402
from benchmarks.baselines.evidence import (  # noqa: E402
    compare,
    extend_run,
    keep_top,
    list_runs,
    read_report,
    read_run,
    score_by_words,
    select_claims,
)
from benchmarks.baselines.evidence_networks import (  # noqa: E402
    Texts,
    compute_accuracy,
    pool,
    shorten_documents,
    train_network,
)
from reranker.models.loaded import Models  # noqa: E402

THINGS = ("ship", "bank", "farm", "school", "law", "road", "river", "church")


@pytest.fixture(scope="module")
def models():
    return Models(locate_shipped("models"))


@pytest.fixture(scope="module")
def claims():
    chance = random.Random(7)
    rows = []
    for number in range(60):
        thing, *others = chance.sample(THINGS, 5)
        sentences = [f"It is about the {other}." for other in others]
        at = chance.randrange(len(sentences) + 1)
        sentences.insert(at, f"They closed the {thing}.")
        rows.append(
            {
                "set": "scifact", "split": ("train", "train", "train", "dev", "test")[number % 5],
                "document": number // 10, "claim": f"The {thing} was closed.", "title": "",
                "sentences": sentences, "evidence": [place == at for place in range(len(sentences))],
            }
        )  # fmt: skip
    return rows


@pytest.mark.parametrize("kind", ["pairwise", "document"])
@pytest.mark.parametrize("attends", [False, True])
def test_every_network_learns_which_sentence_is_evidence(models, claims, kind, attends, monkeypatch):
    monkeypatch.setattr(evidence_networks, "STEPS", 20)
    monkeypatch.setattr(evidence_networks, "EVERY", 10)
    splits = [[row for row in claims if row["split"] == split] for split in ("train", "dev", "test")]
    scorer = train_network(kind, *splits[:2], Texts(models), 7, attends=attends)
    assert compute_accuracy(scorer, splits[2]) > 0.9


def test_a_mean_leaves_padding_out():
    states = torch.tensor([[[1.0], [3.0], [9.0]]])
    assert pool(states, torch.tensor([[True, True, False]])).tolist() == [[2.0]]


def test_a_shortened_document_has_its_evidence(claims, monkeypatch):
    monkeypatch.setattr(evidence_networks, "DEV_SENTENCES", 2)
    for row in shorten_documents(claims, 7):
        assert len(row["sentences"]) == len(row["evidence"]) <= 2
        assert any(row["evidence"])


def test_a_run_goes_on_after_a_line_that_was_cut(tmp_path, claims):
    run, rows = tmp_path / "scifact" / "bm25.jsonl", select_claims(claims, "scifact", 5)
    extend_run(run, rows, lambda: score_by_words)
    whole = run.read_text()
    run.write_text(whole[:-10])
    extend_run(run, rows, lambda: score_by_words)
    assert run.read_text() == whole
    assert [len(scores) for scores in read_run(run)] == [5] * 5


def test_the_best_ten_by_cosine_are_above_all_others():
    cosines, scores = np.linspace(1, 0, 12, dtype=np.float32), np.arange(12, dtype=np.float32)
    order = np.argsort(-keep_top(cosines, scores))
    assert order.tolist() == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 10, 11]


def test_a_product_that_is_right_is_compared_with_one_that_is_not(tmp_path, models, claims):
    rows = select_claims(claims, "scifact", 100)
    folder = tmp_path / "scifact"
    extend_run(folder / "model.jsonl", rows, lambda: lambda row: np.array(row["evidence"], np.float32))
    extend_run(folder / "pairwise@7.jsonl", rows, lambda: lambda row: -np.array(row["evidence"], np.float32))
    assert len(rows) == 12
    systems = compare(rows, list_runs(folder, models, rows), {})["systems"]
    assert systems["model"]["pairwise"] == systems["model"]["mrr"] == systems["model"]["p@1"] == 1.0
    assert systems["pairwise"]["pairwise"] == 0.0
    assert systems["pairwise"]["mrr"] == 0.2  # last of five
    assert systems["pairwise"]["p of model"]["mrr"] < 0.1


def test_a_report_stands_for_a_run_of_the_product(tmp_path, claims):
    report = Path(tmp_path / "evidence.json")
    listed = {"pairwise of each": [at / 12 for at in range(12)], "mrr of each": [1.0] * 12, "n": 12}
    report.write_text(json.dumps({"trained": {"scifact test": listed}}))
    rows = select_claims(claims, "scifact", 3)
    figures = read_report(report, "scifact", rows)
    assert figures["pairwise"].tolist() == [row["at"] / 12 for row in rows]
    assert sorted(figures) == ["mrr", "pairwise"]
    assert read_report(None, "scifact", rows) == {}
