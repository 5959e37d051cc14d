from dataclasses import replace

import pytest

from rostrum_core.types import Document, Mark

DOCUMENT = Document(
    "a",
    "Title é",
    "One. Two.\n\ud800",
    speaker="Ann",
    spoken_on="1999",
    marks=(Mark("stage", "[x]", 3), Mark("speaker", "A:", 0)),
    breaks=((0, 4), (5, 9)),
)


def test_the_hash_of_a_document_stays_the_same() -> None:
    """An archive whose documents have other hashes would be written again as a whole."""
    assert DOCUMENT.hash_content() == "c9184b519a86403db6f78c53dad30dd8"
    assert Document("a", "", "x").hash_content() == "9a98ee11531cc267f28b3efbebc9b788"


@pytest.mark.parametrize(
    "changed",
    [{"text": "One."}, {"marks": (Mark("stage", "[y]", 3), *DOCUMENT.marks[1:])}, {"breaks": None}],
    ids=["text", "mark", "breaks"],
)
def test_a_document_that_differs_has_another_hash(changed) -> None:
    assert replace(DOCUMENT, **changed).hash_content() != DOCUMENT.hash_content()
