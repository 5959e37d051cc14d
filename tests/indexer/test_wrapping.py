"""Words that a line's end divides are whole again, and hyphens that belong to them stay."""

import io

import pytest

from indexer.blocks import Block
from indexer.cleaning_marks import clean
from indexer.formats import csv
from indexer.formats.source import Source
from indexer.wrapping import join_lines


def together(*texts):
    return clean(join_lines([Block(text) for text in texts])).text


@pytest.mark.parametrize(
    ("printed", "read"),
    [
        ("the govern-\nment of", "the government of"),
        ("the Govern-\nment of", "the Government of"),
        ("the ọ̀ṣọ́-\nọ̀ṣọ́ of", "the ọ̀ṣọ́ọ̀ṣọ́ of"),
        ("a gouverne-\nment é", "a gouvernement é"),
        ("the well-\nknown man", "the well-known man"),
        ("the ex-\npresident", "the ex-president"),
        ("a mother-\nin-law", "a mother-in-law"),
        ("an up-\nto-date list, state-\nof-the-art", "an up-to-date list, state-of-the-art"),
        ("a govern-\nment-funded list", "a government-funded list"),
        ("a Washing-\nton in-law", "a Washington in-law"),
        ("those up-\non it", "those upon it"),
        ("went in-\nto-night, into", "went into-night, into"),
        ("the left-\nright line, left-right", "the left-right line, left-right"),
        ("a tax-\ncut: a cut of the tax", "a tax-cut: a cut of the tax"),
        ("a with-\nout; without with out", "a without; without with out"),
        ("Jean-\nPierre", "Jean-\nPierre"),
        ("in 2016-\n17 we", "in 2016-\n17 we"),
        ("no --\nmore", "no --\nmore"),
        ("a-b-\nc", "a-b-\nc"),
    ],
)
def test_a_word_at_a_line_s_end(printed, read):
    assert together(printed) == read


def test_the_hyphen_is_a_mark_within_the_word():
    cleaned = clean(join_lines([Block("a govern-\nment")]))
    assert [(mark.kind, mark.text, mark.start_char) for mark in cleaned.marks] == [("boilerplate", "-", 8)]


def test_words_of_other_blocks_tell_how_one_is_written():
    assert together("the work-\nforce", "A work-force is work of force.") == (
        "the work-force\n\nA work-force is work of force."
    )


def test_verse_and_turns_keep_their_lines():
    assert together("Short lines\nstay lines.") == "Short lines\nstay lines."
    long = "MR. A: a line that is as long as those of a page mostly are,"
    assert join_lines([Block(f"{long}\nMR. B: So.")])[0].text == f"{long}\nMR. B: So."


def test_lines_of_a_cell_are_put_together_as_those_of_a_text_file_are():
    wrapped = "We shall go on to the end, whatever the cost may be, and our govern-\nment shall not perish."
    source = Source("a.csv", io.BytesIO(f'id,text\na,"{wrapped}"\n'.encode()), "a")
    ((found, _),) = csv.read(source, lambda error: None)
    assert found.text == wrapped.replace("-\n", "")
