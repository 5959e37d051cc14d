"""`rostrum evaluate` prints the promised JSON, and a table without `--json`."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from archive.shipped_files import locate_shipped
from evaluation.naming import SYSTEMS
from evaluation.pairs import read_pairs, read_transcripts
from reranker.models.weights import hash_file
from rostrum.cli import program, run

SPEECH = {
    "id": "d", "title": "Space effort", "speaker": "K", "date": "1962-09-12",
    "paragraphs": [
        "Thank you all for coming to this great university today.",
        "We choose to go to the moon in this decade and do the other things.",
        "The committee will meet again on Tuesday to discuss the budget. " * 30,
    ],
}  # fmt: skip
PAIR = {
    "id": "p", "title": "Going to the moon", "left": "Kennedy named a goal: the moon, in a decade.",
    "published": "1962-09-13", "document": "d", "paragraph": 1, "last_paragraph": 1, "start": 0, "end": 28,
    "repeated": False,
}  # fmt: skip


@pytest.fixture
def arguments(tmp_path):
    documents, pairs = tmp_path / "documents.jsonl", tmp_path / "pairs.jsonl"
    documents.write_text(json.dumps(SPEECH) + "\n")
    pairs.write_text(json.dumps(PAIR) + "\n" + json.dumps({**PAIR, "id": "q", "repeated": True}) + "\n")
    return ["evaluate", str(pairs), "--documents", str(documents)]


def test_the_json_has_the_promised_form(arguments):
    outcome = CliRunner().invoke(program, [*arguments, "--json"])
    assert outcome.exit_code == 0, outcome.output
    found = json.loads(outcome.stdout)
    assert found["n"] == 1
    ranking = {"map", "mrr", "acc@1", "acc@3", "acc@5"}
    assert {system: set(figures) for system, figures in found["ranking"].items()} == {
        "bm25": ranking,
        "dense": ranking,
        "ranker": ranking,
        "fusion": ranking,
        "first_stage": ranking,
        "model": ranking,
    }
    assert {s: set(figures) for s, figures in found["spans"].items()} == {
        "positive": {"em", "f1"},
        "top": {"em", "f1"},
    }
    assert found["p_values"]["bm25"]["model"] == 1.0  # one draft cannot tell two systems apart
    assert found["seconds"] > 0


def test_without_json_there_is_a_table(arguments):
    outcome = CliRunner().invoke(program, arguments)
    assert outcome.exit_code == 0
    systems = ["BM25", "encoder", "ranker alone", "BM25 and encoder", "first stage", "Rostrum"]
    heading, *rows = outcome.stdout.splitlines()[: len(systems) + 1]
    assert heading.split() == ["ranking", "mAP", "MRR", "Acc@1", "Acc@3", "Acc@5"]
    assert [re.split("  +", row)[0] for row in rows] == systems


def test_the_page_of_commands_says_what_each_system_is_called_in_json() -> None:
    page = (Path(__file__).parents[2] / "docs" / "commands.md").read_text("utf-8")
    assert ", ".join(f"`{name}` ({label})" for name, label in SYSTEMS.items()) in " ".join(page.split())


def test_a_report_is_written_and_what_was_judged_is_kept(arguments, tmp_path):
    judged, report = tmp_path / "judged", tmp_path / "report"
    outcome = CliRunner().invoke(program, [*arguments, "--judged", str(judged), "--report", str(report)])
    assert outcome.exit_code == 0, outcome.output
    assert len(list(judged.glob("judged-*.jsonl.gz"))) == 1
    assert "Evaluation over 1 drafts" in (report / "report.html").read_text()
    assert "wrote" in outcome.stderr


def test_a_report_that_cannot_be_written_is_told_before_anything_is_judged(arguments, tmp_path):
    (tmp_path / "file").write_text("")
    judged = tmp_path / "judged"
    asked = [*arguments, "--judged", str(judged), "--report", str(tmp_path / "file" / "report")]
    assert CliRunner().invoke(program, asked).exit_code != 0
    assert not judged.exists()


def test_an_archive_without_any_of_the_speeches_is_refused(arguments, tmp_path, capsys):
    (tmp_path / "other.txt").write_text("We came here to open a bridge.")
    archive = ["--archive", str(tmp_path / "archive")]
    assert run(["index", str(tmp_path / "other.txt"), *archive]) == 0
    capsys.readouterr()
    assert run([*arguments, *archive]) == 2
    assert capsys.readouterr().err == "rostrum: the archive holds none of the 1 speeches that are quoted\n"


def test_an_archive_of_other_models_is_refused(arguments, tmp_path, capsys):
    (tmp_path / "moon.txt").write_text(SPEECH["paragraphs"][1])
    archive = tmp_path / "archive"
    assert run(["index", str(tmp_path / "moon.txt"), "--archive", str(archive)]) == 0
    (facts,) = archive.rglob("generation.json")
    content = json.loads(facts.read_text("utf-8"))
    facts.write_text(json.dumps(content | {"encoder": "0" * 64}), "utf-8")
    capsys.readouterr()
    assert run([*arguments, "--archive", str(archive)]) == 2
    assert "the archive was encoded by other models" in capsys.readouterr().err


def test_rows_that_the_fusion_was_fitted_on_are_told(arguments, tmp_path, monkeypatch):
    documents = read_transcripts(Path(arguments[3]))
    (row,) = read_pairs(Path(arguments[1]), documents)
    models = Path(shutil.copytree(locate_shipped("models"), tmp_path / "models"))
    fusion, manifest = models / "fusion.json", models / "manifest.json"
    content = json.loads(fusion.read_text("utf-8")) | {"fitted_on": {"fingerprints": [row.fingerprint]}}
    fusion.write_text(json.dumps(content), "utf-8")
    found = json.loads(manifest.read_text("utf-8"))
    found["files"]["fusion.json"] = hash_file(fusion)
    manifest.write_text(json.dumps(found), "utf-8")
    monkeypatch.setenv("ROSTRUM_MODELS", str(models))
    outcome = CliRunner().invoke(program, arguments)
    assert "on 1 rows the fusion of rostrum-4.2 was fitted" in outcome.stderr
    monkeypatch.delenv("ROSTRUM_MODELS")
    assert "was fitted" not in CliRunner().invoke(program, arguments).stderr


def test_the_extra_that_is_missing_is_named(arguments, monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith("evaluation")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    assert run(arguments) == 1
    assert "[evaluation]'" in capsys.readouterr().err


def test_parts_of_drafts_are_shown_with_the_p_of_each_figure(arguments):
    pairs = Path(arguments[1])
    row = json.loads(pairs.read_text("utf-8").splitlines()[0])
    pairs.write_text(json.dumps(row | {"lead_in": "There he said that"}) + "\n", "utf-8")
    outcome = CliRunner().invoke(program, [*arguments, "--draft-parts"])
    assert outcome.exit_code == 0, outcome.output
    shown = outcome.stdout.split("begun sentence", 1)[1].splitlines()
    assert shown[0].split() == ["n", "mAP", "EM", "F1"]
    assert [line.split()[0] for line in shown[1:4]] == ["without", "with", "p"]
    assert shown[3].split() == ["p", "-", "1.0000", "1.0000", "1.0000"]  # one draft tells nothing apart
    assert "text after it" not in outcome.stdout
