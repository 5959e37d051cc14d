"""Check that documents are read as docs/formats.md says."""

from typing import Any

import pytest

from indexer.formats import FORMATS
from indexer.ingest import read
from indexer.paragraphs import split
from rostrum.cli import program
from rostrum_core.types import Document

from .formats_page import EXAMPLES, HEADED, Example

ABOUT = ("id", "title", "speaker", "spoken_on", "source", "url", "collection", "language")


def describe_document(document: Document) -> dict[str, Any]:
    """Return all values of a document that the page shows."""
    known = {name: getattr(document, name) for name in ABOUT if getattr(document, name)}
    paragraphs = [
        {
            **({} if each.start_s is None else {"at": [each.start_s, each.end_s]}),
            **({"speaker": each.speaker} if each.speaker else {}),
            "text": each.text,
        }
        for each in split(document, count_tokens=lambda text: len(text.split()))
    ]
    return known | {"paragraphs": paragraphs}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_is_read_as_the_page_says(example: Example, tmp_path) -> None:
    (tmp_path / example.name).write_bytes(example.content)
    refused: list[Exception] = []
    found = [describe_document(document) for document in read([tmp_path], refused=refused.append)]
    assert refused == []
    assert found == example.read


def test_every_suffix_has_a_heading_and_no_other() -> None:
    assert {suffix for known in FORMATS for suffix in known.suffixes} == HEADED


def test_the_command_takes_every_kind_and_no_other() -> None:
    [kind] = [each for each in program.commands["index"].params if each.name == "kind"]
    assert list(kind.type.choices) == [known.kind for known in FORMATS]
