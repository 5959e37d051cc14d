"""Paragraphs of plain text that no blank line parts: by an indented first line, where it is one."""

import pytest

from indexer.formats.text import paragraphs


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("We rise,\nall of us.\n  The road is old. It\nmust go.\n  Who pays?", 3),
        ("      We rise,\n  all of us.\n      The road\n  must go.", 2),  # within a margin
        ("We rise,\nall of us.\n\tThe road\nmust go.", 2),
        ("We rise,\nall of us.\n\n  The road\nmust go.\n  Who pays?\nWe do.", 3),  # beside a blank line
        ("He said:\n  We shall fight on the beaches,\n  we shall never\n  surrender.\nThat was it.", 1),
        ("To do:\n  - one thing\n  - another\nand so on.", 1),
        ("Once upon a midnight dreary,\n  while I pondered,\nweak and weary,\n  over many.", 1),
        ("  We rise,\n  all of us.\n  The road\n  must go.", 1),  # a margin alone
    ],
)
def test_an_indented_line_after_a_sentence_begins_a_paragraph(typed, read):
    found = paragraphs(typed)
    assert len(found) == read
    assert " ".join(" ".join(found).split()) == " ".join(typed.split())
