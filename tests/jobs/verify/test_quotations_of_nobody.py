"""Quotations that nobody is named for: shared phrases are no source, and a dropped "not" is found."""

import json
from pathlib import Path

import pytest

from benchmarks.archive_without_vectors import build_archive
from embedded.store import EmbeddedStore
from jobs.verify.job import Verifier
from jobs.verify.quote_lists import make_row

SPEECHES = {
    "Ada Rivers": [
        "Our fishermen had hoped for it, but everything is supposed to come to a screeching halt by Friday.",
        "I am simply not going to go into greater detail on the harbor talks.",
        "At the end of the day, this isn't a dictatorship, and the members have to vote.",
        "In this room we speak of eels, of nets and of the smell of tar in the morning.",
    ],
    "Bela Marsh": [
        "On the dredging I am really not going to go into greater detail today.",
        "At the end of the day, this is a question of money.",
    ],
}


@pytest.fixture(scope="module")
def verifier(tmp_path_factory) -> Verifier:
    folder: Path = tmp_path_factory.mktemp("nobody")
    rows = [
        {"id": name[0], "title": "Talk", "speaker": name, "date": "2016-10-09", "paragraphs": paragraphs}
        for name, paragraphs in SPEECHES.items()
    ]
    (folder / "speeches.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    build_archive(folder / "speeches.jsonl", folder / "archive")
    return Verifier(EmbeddedStore(folder / "archive"))


@pytest.mark.parametrize(
    ("quote", "speaker", "verdict"),
    [
        # two persons say nearly this
        ("I am not going to go into greater detail", None, "not_found"),
        ("I am not going to go into greater detail", "Ada Rivers", "edited"),
        # a phrase is shared, a word of it is not
        ("Work has come to a screeching halt", None, "not_found"),
        # one "not" is dropped from words of which most are common
        ("At the end of the day, this is a dictatorship", None, "altered"),
        # one word is added, the others stand there
        ("we speak of eels, of nets and of the sweet smell of tar", None, "edited"),
    ],
)
def test_a_shared_phrase_is_no_source(verifier, quote, speaker, verdict) -> None:
    [check] = verifier.verify([make_row("1", quote, speaker)]).checks
    assert check.verdict == verdict
