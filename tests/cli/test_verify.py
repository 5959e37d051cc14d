"""`rostrum verify` over the sample archive."""

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from rostrum.cli import program

ROWS = [
    {"id": "k1", "quote": "ask not what your country can do for you", "speaker": "Kennedy"},
    {"id": "k2", "quote": "ask what your country can do for you – ask what you can do for your country"},
    {"id": "c1", "quote": "We shall fight on the beaches and on the landing grounds", "speaker": "Churchill"},
    {"id": "n1", "quote": "We will sell every bridge in Brooklyn tomorrow morning", "speaker": "Kennedy"},
    {"id": "m1", "quote": "We choose to go to the moon. Ask not what your country can do for you."},
    {"id": "o1", "quote": "The only thing we have to fear is fear itself", "date": "1961-01-20"},
]
VERDICTS = {
    "k1": "verbatim",
    "k2": "altered",
    "c1": "cannot_be_checked",
    "n1": "not_found",
    "m1": "merged",
    "o1": "said_by_another",
}
KEYS = [
    "id",
    "verdict",
    "document",
    "paragraph",
    "start_char",
    "end_char",
    "confidence",
    "speaker",
    "diff",
    "warnings",
]


@pytest.fixture
def run(sample_archive: Path):
    def act(*arguments: str | Path, code: int = 0) -> str:
        result = CliRunner().invoke(
            program,
            ["verify", *map(str, arguments), "--archive", str(sample_archive)],
            catch_exceptions=False,
        )
        assert result.exit_code == code, result.output
        return result.stdout

    return act


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), "utf-8")
    return path


def test_a_list_gives_one_json_object_per_row_in_its_order(run, rows) -> None:
    lines = [json.loads(line) for line in run("--quotes", rows, "--json").splitlines()]
    assert {line["id"]: line["verdict"] for line in lines} == VERDICTS
    assert [line["id"] for line in lines] == [row["id"] for row in ROWS]
    assert all(list(line) == KEYS for line in lines)


def test_the_place_holds_the_words(run, rows, sample_archive) -> None:
    from embedded.store import EmbeddedStore

    line = json.loads(run("--quotes", rows, "--json").splitlines()[0])
    _, paragraphs = EmbeddedStore(sample_archive).get(line["document"])
    text = paragraphs[line["paragraph"]].text
    assert text[line["start_char"] : line["end_char"]] == "ask not what your country can do for you"


def test_a_csv_and_a_plain_list_are_read_too(run, tmp_path) -> None:
    table = tmp_path / "rows.csv"
    table.write_text('Quote,Speaker\n"ask not what your country can do for you",Lincoln\n', "utf-8")
    plain = tmp_path / "rows.txt"
    plain.write_text("“Ask not what your country can do for you”\n\nto be\n", "utf-8")
    [line] = [json.loads(line) for line in run("--quotes", table, "--json").splitlines()]
    assert line["verdict"] == "said_by_another"
    verdicts = [json.loads(line)["verdict"] for line in run("--quotes", plain, "--json").splitlines()]
    assert verdicts == ["verbatim", "cannot_be_checked"]


def test_the_gravest_verdict_is_printed_first(run, tmp_path) -> None:
    draft = tmp_path / "draft.md"
    draft.write_text(
        "“Ask not what your country can do for you,” Kennedy said.\n\n"
        "“Ask what your country can do for you, ask what you can do for your country.”\n",
        "utf-8",
    )
    printed = run(draft)
    assert printed.index("ALTERED") < printed.index("VERBATIM")
    assert "leaves out “not”" in printed


@pytest.mark.parametrize("suffix", ["json", "csv", "html"])
def test_a_record_says_who_ran_it_over_which_generation_by_which_rules(run, rows, tmp_path, suffix) -> None:
    record = tmp_path / f"record.{suffix}"
    run("--quotes", rows, "--record", record)
    text = record.read_text("utf-8")
    assert "2026.11" in text
    assert re.search(r"\b0000\d\d\b", text)
    if suffix == "json":
        kept = json.loads(text)
        assert {check["id"]: check["verdict"] for check in kept["checks"]} == VERDICTS
        assert kept["counts"]["altered"] == 1
    elif suffix == "csv":
        with record.open(encoding="utf-8", newline="") as opened:
            assert {row["id"]: row["verdict"] for row in csv.DictReader(opened)} == VERDICTS
    else:
        assert text.index("altered: a word") < text.index("Verbatim")
        assert "<script" not in text


def test_strict_fails_where_a_quotation_is_not_what_was_said(run, tmp_path) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text("ask not what your country can do for you\n", "utf-8")
    bad.write_text("ask what your country can do for you; ask what you can do for your country\n", "utf-8")
    run("--quotes", good, "--strict")
    run("--quotes", bad, "--strict", code=1)


def test_a_list_without_a_quotation_is_refused(run, tmp_path, sample_archive) -> None:
    from rostrum.cli import run as run_program

    empty = tmp_path / "rows.jsonl"
    empty.write_text('{"id": "1"}\n', "utf-8")
    assert run_program(["verify", "--quotes", str(empty), "--archive", str(sample_archive)]) == 2
    assert run_program(["verify", "--archive", str(sample_archive)]) == 2


def test_watched_articles_are_listed_when_a_speech_is_taken_down(run, tmp_path, sample_archive) -> None:
    import shutil

    from rostrum.cli import run as run_program

    folder, own = tmp_path / "printed", tmp_path / "archive"
    folder.mkdir()
    shutil.copytree(sample_archive, own)
    (folder / "oath.md").write_text("Kennedy: “ask not what your country can do for you”.\n", "utf-8")
    watch = ["verify", "--watch", str(folder), "--archive", str(own)]
    first = CliRunner().invoke(program, watch, catch_exceptions=False).stdout
    assert first == "1 quotations of 1 articles under watch\n"
    assert run_program(["delete", "1961-01-20-inaugural-address", "--archive", str(own)]) == 0
    second = CliRunner().invoke(program, watch, catch_exceptions=False).stdout
    assert "oath.md: “ask not what your country can do for you” was verbatim, is " in second
    assert "taken down" in second


def test_watch_is_silent_about_a_second_speech_and_reports_an_article_without_quotations(tmp_path) -> None:
    from rostrum.cli import run as run_program

    line = "We choose to go to the moon in this decade and do the other things."
    speech = {"title": "Moon", "speaker": "John Kennedy", "date": "1962-09-12", "paragraphs": [line]}
    folder, own, rows = tmp_path / "printed", tmp_path / "archive", tmp_path / "speeches.jsonl"
    folder.mkdir()
    article = folder / "moon.md"
    article.write_text(f"Kennedy said: “{line}”\n\nLater Jane Roe said: “{line}”\n", "utf-8")
    outputs = []
    for ids in (["m"], ["m", "a", "b", "c", "d", "e", "f"], ["m"]):
        speeches = [
            {"id": "roe", "speaker": "Jane Roe", "paragraphs": ["No."]},
            *({"id": id, **speech} for id in ids),
        ]
        rows.write_text("".join(json.dumps(row) + "\n" for row in speeches), "utf-8")
        assert run_program(["index", str(rows), "--archive", str(own)]) == 0
        watch = ["verify", "--watch", str(folder), "--archive", str(own)]
        outputs.append(CliRunner().invoke(program, watch, catch_exceptions=False).stdout)
    assert outputs[:2] == ["2 quotations of 1 articles under watch\n"] * 2
    article.write_text("Nobody said a thing.\n", "utf-8")
    *changes, count = CliRunner().invoke(program, watch, catch_exceptions=False).stdout.splitlines()
    assert [line.split(": ")[-1] for line in changes] == ["the article has no such quotation any more"] * 2
    assert count == "0 quotations of 1 articles under watch"


def test_a_record_does_not_overwrite_the_draft(rostrum, sample_archive, tmp_path):
    draft = tmp_path / "src.html"
    draft.write_text("<p>“Ask not what your country can do for you,” Kennedy said.</p>", "utf-8")
    before = draft.read_bytes()
    outcome = rostrum("verify", draft, "--record", draft, "--archive", sample_archive)
    assert outcome.code == 2
    assert "the file is read, and would be overwritten" in outcome.complaint
    assert draft.read_bytes() == before


def test_an_article_with_two_marks_is_verified(rostrum, sample_archive, tmp_path):
    draft = tmp_path / "post.md"
    draft.write_text(
        "[quote]“Ask not what your country can do for you,” Kennedy said.[/quote] And [quote]so[/quote].",
        "utf-8",
    )
    outcome = rostrum("verify", draft, "--archive", sample_archive)
    assert outcome.code == 0
    assert "1 verbatim" in outcome.out


def test_watching_takes_no_option_of_a_single_run(rostrum, sample_archive, tmp_path):
    (tmp_path / "a.md").write_text("So it is.", "utf-8")
    for option in (["--strict"], ["--json"], ["--record", tmp_path / "r.html"]):
        outcome = rostrum("verify", "--watch", tmp_path, *option, "--archive", sample_archive)
        assert outcome.code == 2
        assert "--watch takes none of" in outcome.complaint
