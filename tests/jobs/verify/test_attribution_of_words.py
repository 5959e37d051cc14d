"""Words that the one who holds the floor repeats from another: whose are they, and is the cut fair?"""

import json
from pathlib import Path

import pytest

from benchmarks.archive_without_vectors import build_archive
from embedded.store import EmbeddedStore
from jobs.verify.job import Verifier
from jobs.verify.quote_lists import make_row

DEBATE = {
    "id": "debate",
    "title": "Debate",
    "speaker": "Donald Rivers",
    "date": "2016-10-09",
    "paragraphs": [
        "You know what, Hillary Marsh said my dream is a hemispheric common market with open trade and "
        "open borders, and that would be a disaster for our workers.",
        "Some say that our harbors cannot be rebuilt in a single decade, and they are wrong about us.",
    ],
}


@pytest.fixture(scope="module")
def verifier(tmp_path_factory) -> Verifier:
    folder: Path = tmp_path_factory.mktemp("repeated")
    (folder / "speeches.jsonl").write_text(json.dumps(DEBATE) + "\n", "utf-8")
    build_archive(folder / "speeches.jsonl", folder / "archive")
    return Verifier(EmbeddedStore(folder / "archive"))


REPEATED = "my dream is a hemispheric common market with open trade"
REPORTED = "our harbors cannot be rebuilt in a single decade"


@pytest.mark.parametrize(
    ("quote", "speaker", "verdict"),
    [
        (REPEATED, "Hillary Marsh", "verbatim"),
        (REPEATED, None, "verbatim"),
        (REPEATED, "Donald Rivers", "out_of_context"),
        (REPEATED, "Abraham Stone", "said_by_another"),
        (REPORTED, None, "out_of_context"),
        (REPORTED, "Rivers", "out_of_context"),
    ],
)
def test_repeated_words_are_those_of_the_one_who_is_named(verifier, quote, speaker, verdict) -> None:
    [check] = verifier.verify([make_row("1", quote, speaker)]).checks
    assert check.verdict == verdict
    assert any(item.kind == "context" for item in check.warnings)
