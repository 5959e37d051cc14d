"""A folder of quotation pairs, of the shape of the real one: two speeches, a draft each in every split."""

import json

import pytest

from benchmarks.baselines.runs import split

SPEECHES = {
    "moon": [
        "Thank you all for coming to this great university today.",
        "We choose to go to the moon in this decade and do the other things.",
        "Space is there, and we are going to climb it.",
    ],
    "fear": [
        "This is a day of national consecration.",
        "The only thing we have to fear is fear itself.",
        "Our greatest primary task is to put people to work.",
        "",
    ],
}


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "documents.jsonl.gz").write_text(
        "".join(
            json.dumps({"id": name, "title": name, "date": "1962-09-12", "paragraphs": paragraphs}) + "\n"
            for name, paragraphs in SPEECHES.items()
        )
    )
    for name in ("train", "dev", "test"):
        (folder / f"pairs-{name}.jsonl.gz").write_text(
            "".join(json.dumps(pair(speech)) + "\n" for speech in SPEECHES)
        )
    return folder


def pair(speech):
    return {
        "id": f"of {speech}", "title": f"A speech of {speech}", "left": "He spoke of the other things we do.",
        "published": "1962-09-13", "document": speech, "paragraph": 1, "last_paragraph": 1, "start": 0,
        "end": 20, "repeated": False,
    }  # fmt: skip


@pytest.fixture
def test_split(data):
    return split(data, "test")
