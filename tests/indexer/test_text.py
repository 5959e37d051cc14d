"""Paragraphs of plain text that no blank line parts: one a line, or by an indented first line."""

import time

import pytest

from indexer.formats.text import split_paragraphs


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (
            "Q  Who pays?\nA  You.\nQ  Did he see the report on the bridges before he\nleft?\nA  No.\nQ  No?",
            5,
        ),
        ("The bridge\nIt took nine years.\nWe thank them.\nAll of them.\nNone is left.", 5),
        ("我们选择登月。\n我们选择登月！\n这很难。", 3),
        ("हम चाँद पर जाएँगे।\nयह कठिन है।\nहम जाएँगे।", 3),
    ],
)
def test_lines_that_are_sentences_are_paragraphs_and_a_wrapped_one_keeps_its_rest(typed, read):
    found = split_paragraphs(f"Remarks\n\n{typed}")
    assert len(found) == 1 + read
    assert " ".join(" ".join(found).split()) == " ".join(f"Remarks {typed}".split())


def test_a_block_of_many_lines_takes_no_longer_for_each():
    began = time.process_time()
    assert len(split_paragraphs("a line that was wrapped by\nsome program\n" * 100_000)) == 1
    assert time.process_time() - began < 10


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
    found = split_paragraphs(typed)
    assert len(found) == read
    assert " ".join(" ".join(found).split()) == " ".join(typed.split())
