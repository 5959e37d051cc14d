"""`rostrum align` as it is used, and as docs/align.md shows it."""

import json
import re
from pathlib import Path

import pytest
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import Whitespace

from evaluation.pairs import read_pairs, read_transcripts
from tests.cli.conftest import Rostrum

PAGE = Path(__file__).parents[2] / "docs" / "align.md"
BLOCK = re.compile(r"^```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"`([\w/.]+\.md)`:\n\n```\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SECONDS = re.compile(r"after [\d.]+ s")

SPEECH = {
    "id": "rice",
    "title": "Address at Rice",
    "speaker": "John F. Kennedy",
    "date": "1962-09-12",
    "paragraphs": ["Thank you.", "We choose to go to the moon in this decade and do the other things."],
}
ARTICLE = {
    "id": "a",
    "title": "Moon",
    "published": "1962-09-13",
    "text": "Kennedy spoke. “We choose to go to the moon,” he said, “in this decade.”",
}


@pytest.fixture
def example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The example's blocks of code, its files in the current folder."""
    text = PAGE.read_text("utf-8").partition("## What a row says")[0]
    for name, content in NAMED.findall(text):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(content, "utf-8")
    monkeypatch.chdir(tmp_path)
    return [block.strip() for block in BLOCK.findall(text)]


def test_the_example_of_the_page_does_what_the_page_says(example: list[str], rostrum: Rostrum) -> None:
    _, _, align, printed, row, evaluate = example
    outcome = rostrum(*align.split()[1:])
    assert (outcome.code, outcome.err) == (0, "")
    assert SECONDS.sub("", outcome.out.strip()) == SECONDS.sub("", printed)
    rows = [json.loads(line) for line in Path("pairs.jsonl").read_text("utf-8").splitlines()]
    assert rows[1] == json.loads(row)
    assert rostrum(*evaluate.split()[1:]).code == 0


def test_training_reads_what_was_written(example: list[str], rostrum: Rostrum) -> None:
    rostrum(*example[2].split()[1:])
    documents = read_transcripts(Path("documents.jsonl"))
    read = read_pairs(Path("pairs.jsonl"), documents)
    quoted = [
        documents[pair.document].paragraphs[part.ordinal][part.start_char : part.end_char]
        for pair in read
        for part in pair.parts
    ]
    assert quoted == [
        "We choose to go to the moon in this decade and do the other things, not because they are easy",
        "serve to organize and measure the best of our energies and skills",
    ]


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path, Path]:
    """Articles, transcripts, and where the pairs go."""
    articles, documents = tmp_path / "articles.jsonl", tmp_path / "documents.jsonl"
    articles.write_text(json.dumps(ARTICLE) + "\n", "utf-8")
    documents.write_text(json.dumps(SPEECH) + "\n", "utf-8")
    return articles, documents, tmp_path / "pairs.jsonl.gz"


@pytest.mark.parametrize(
    ("published", "options", "written"),
    [
        ("1962-09-13", (), 1),
        ("1962-10-13", (), 0),
        ("1962-10-13", ("--days", "31"), 1),
        ("1999-01-01", ("--any-day",), 1),
        (None, (), 0),
        (None, ("--any-day",), 1),
    ],
)
def test_days_bound_how_old_a_speech_may_be(
    files: tuple[Path, Path, Path],
    rostrum: Rostrum,
    published: str | None,
    options: tuple[str, ...],
    written: int,
) -> None:
    articles, documents, target = files
    articles.write_text(json.dumps({**ARTICLE, "published": published}) + "\n", "utf-8")
    outcome = rostrum("align", articles, "--documents", documents, "--pairs", target, *options)
    assert outcome.code == 0
    assert outcome.out.splitlines()[-1].startswith(f"{written} pairs written")
    assert len(read_pairs(target, read_transcripts(documents))) == written


def test_fields_of_other_names_are_named(files: tuple[Path, Path, Path], rostrum: Rostrum) -> None:
    articles, documents, target = files
    row = {"id": "a", "headline": "Moon", "Day": "September 13, 1962", "body": ARTICLE["text"]}
    articles.write_text(json.dumps(row) + "\n", "utf-8")
    renamed = ("--map", "text=body", "--map", "date=day", "--map", "title=headline")
    outcome = rostrum("align", articles, "--documents", documents, "--pairs", target, *renamed)
    assert outcome.code == 0
    [pair] = read_pairs(target, read_transcripts(documents))
    assert pair.title == "Moon"
    unknown = rostrum("align", articles, "--documents", documents, "--pairs", target, "--map", "venue=place")
    assert unknown.code == 2
    assert "NAME is one of id, title, text" in unknown.complaint


def test_what_cannot_be_read_is_told_and_the_exit_code_is_1(
    files: tuple[Path, Path, Path], rostrum: Rostrum
) -> None:
    articles, documents, target = files
    articles.write_text("{broken\n" + articles.read_text("utf-8"), "utf-8")
    outcome = rostrum("align", articles, "--documents", documents, "--pairs", target)
    assert outcome.code == 1
    assert outcome.complaint.startswith(f"refused: {articles}, line 1: ")
    assert "refused: 1" in outcome.out.splitlines()
    assert len(read_pairs(target, read_transcripts(documents))) == 1


def test_a_path_that_is_not_there_is_bad_input(files: tuple[Path, Path, Path], rostrum: Rostrum) -> None:
    articles, _, target = files
    outcome = rostrum("align", articles, "--documents", "nowhere", "--pairs", target)
    assert (outcome.code, outcome.complaint) == (2, "rostrum: nowhere is not there")
    assert not target.exists()


def test_transcripts_are_cut_by_the_rules_that_the_archive_is_cut_by(tmp_path, rostrum, monkeypatch) -> None:
    speech = "We choose to go to the moon in this decade and do the other things."
    (tmp_path / "speeches").mkdir()
    (tmp_path / "speeches" / "rice.txt").write_text(
        f"FOR IMMEDIATE RELEASE\n\n12:36 P.M. EDT\n\n{speech}\n\nSo be it.\n\nEND\n"
    )
    (tmp_path / "articles.jsonl").write_text(json.dumps(ARTICLE | {"text": f"He said: “{speech}”"}) + "\n")
    line = ["align", "articles.jsonl", "--documents", "speeches", "--pairs", "p.jsonl", "--any-day"]
    monkeypatch.chdir(tmp_path)
    assert rostrum(*line, "--write-documents", "documents.jsonl").code == 0
    (document,) = map(json.loads, Path("documents.jsonl").read_text().splitlines())
    assert document["paragraphs"] == [speech, "So be it."]
    (pair,) = map(json.loads, Path("p.jsonl").read_text().splitlines())
    assert pair["paragraph"] == 0


def test_the_tokenizer_of_a_base_cuts_long_paragraphs(tmp_path, rostrum, monkeypatch) -> None:
    """One that has a piece for every letter cuts where that of the models in use does not."""
    letters = {
        letter: i for i, letter in enumerate(("[CLS]", "[SEP]", "[MASK]", *"abcdefghijklmnopqrstuvwxyz"))
    }
    tokenizer = Tokenizer(BPE(letters, []))
    tokenizer.pre_tokenizer = Whitespace()
    (tmp_path / "base").mkdir()
    tokenizer.save(str(tmp_path / "base" / "tokenizer.json"))
    (tmp_path / "speeches").mkdir()
    (tmp_path / "speeches" / "rice.txt").write_text(" ".join(["We choose to go to the moon."] * 18))
    (tmp_path / "articles.jsonl").write_text(json.dumps(ARTICLE) + "\n")
    monkeypatch.chdir(tmp_path)
    counts = []
    for more in ([], ["--base", "base"]):
        line = [
            "align",
            "articles.jsonl",
            "--documents",
            "speeches",
            "--pairs",
            "p.jsonl",
            "--any-day",
            *more,
        ]
        assert rostrum(*line, "--write-documents", "documents.jsonl").code == 0
        (document,) = map(json.loads, Path("documents.jsonl").read_text().splitlines())
        counts.append(len(document["paragraphs"]))
    assert counts == [1, 2]  # of 144 pieces, and of 360
