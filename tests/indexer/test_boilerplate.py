"""Boilerplate leaves the text by rules; what only looks like it stays."""

import io
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archive.shipped_files import locate_shipped
from indexer.boilerplate import Boilerplate
from indexer.formats import text
from indexer.formats.source import Source, build_document
from indexer.metadata import Metadata
from indexer.paragraphs import split
from indexer.rules import Rule, read_rules

SHIPPED = Boilerplate(read_rules([locate_shipped("rules/boilerplate.toml")]))
SPEECH = [
    f"We shall go on to the {place}, whatever it costs us." for place in ("sea", "air", "hills", "fields")
]


def cut(blocks, known=Metadata(), kind="jsonl", boilerplate=SHIPPED):  # noqa: B008 - frozen
    return [
        (each.rule, blocks[each.block][each.start_char : each.end_char].strip())
        for each in boilerplate.find_cuts(blocks, known, kind)
    ]


def read(body, boilerplate=SHIPPED):
    source = Source("a.txt", io.BytesIO(body.encode()), "a", kind="text", boilerplate=boilerplate)
    ((found, _),) = text.read(source, lambda error: None)
    return found


def rule(where, pattern, **more):
    return Boilerplate([Rule("one", where, pattern, **more)])


def test_the_head_and_the_foot_of_a_release_are_cut_and_nothing_of_the_speech():
    blocks = [
        "The White House",
        "Office of the Press Secretary",
        "For Immediate Release",
        "February 28, 2017",
        "James S. Brady Press Briefing Room",
        "2:59 P.M. EST",
        "MR. SPICER: Good afternoon.",
        *SPEECH,
        "END",
        "3:40 P.M. EST",
    ]
    assert [said for _, said in cut(blocks)] == [*blocks[:5], "END"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("*As Prepared for Delivery*", "delivery"),
        ("***AS PREPARED FOR DELIVERY***", "delivery"),
        ("*At The Urban Institute As Prepared for Delivery*", "delivery"),
        ("Remarks as delivered:", "delivery"),
        ("[CHECK AGAINST DELIVERY]", "delivery"),
        ("**FOR IMMEDIATE RELEASE** 01/24/25", "release"),
        ("For Immediate Release January 24, 2025", "release"),
        ("EMBARGOED UNTIL 9 P.M.", "release"),
        ("(Via Teleconference)", "teleconference"),
        ("Via Teleconference South Court Auditorium", "teleconference"),
        ("(January 20, 2022)", "date"),
        ("**Please see below for corrections, marked with asterisks.", "correction"),
        ("RUSH TRANSCRIPT", "transcript"),
        ("Transcript provided by Federal News Service.", "transcript-by"),
        ("Copyright 2016 Federal News Service, Inc.", "copyright"),
        ("All Rights Reserved", "copyright"),
        ("\\# \\# \\#", "separator"),
        ("-" * 72, "separator"),
        ("<!-- -->", "markup"),
    ],
)
def test_a_line_that_is_printed_above_a_speech_is_cut(line, name):
    assert cut([line, *SPEECH]) == [(name, line)]


@pytest.mark.parametrize(
    "line",
    [
        "We will be prepared.",
        "We call for the immediate release of all the hostages.",
        "The White House is your house.",
        "It was January 20, 2021.",
        "Via Teleconference, I spoke with the Governor.",
        "I was born in the Oval Office.",
        "In the end, we won.",
        "End.",
        "And 30",
        "There is a copyright for the word, and one person has it.",
        "(c) In order to ensure more competitive access, both parties agree.",
        "This transcript was never given to us by anybody.",
        "— we win —",
        "...",
        "2024",
        "Nine.",
        "AUDIENCE: Four more years! Four more years! Four more years!",
    ],
)
def test_similar_words_of_a_speech_stay(line):
    assert cut([line, *SPEECH]) == []
    assert cut([*SPEECH, line]) == []


def test_lines_of_a_head_stay_further_down():
    assert cut([*SPEECH, *SPEECH, "The White House", *SPEECH]) == []


def test_lines_above_the_time_are_cut_only_if_there_is_a_time():
    place = "Ritz Theatre and Museum Jacksonville, Florida"
    assert cut([place, "6:05 P.M. EDT", *SPEECH]) == [("dateline", place)]
    assert cut([place, "6:05", *SPEECH]) == []
    assert cut(["Who won?", "6:05 P.M. EDT", *SPEECH]) == []


def test_a_rule_holds_for_the_sources_it_names_alone():
    room = ["The East Room", *SPEECH]
    assert cut(room) == []
    assert cut(room, Metadata(url="https://www.whitehouse.gov/remarks/a")) == [("room", "The East Room")]
    named = rule("line", "The East Room", collection="^chb$", kind="jsonl")
    assert cut(room, Metadata(collection="chb"), "jsonl", named) == [("one", "The East Room")]
    assert cut(room, Metadata(collection="chb"), "text", named) == []
    assert cut(room, Metadata(collection="chbs"), "jsonl", named) == []


def test_lines_that_count_pages_are_cut_with_the_head_that_stands_beside_each():
    pages = [["ON THE LAW", str(number), SPEECH[number - 7]] for number in (7, 8, 9, 10)]
    found = cut(["\n".join(page) for page in pages])
    assert found == [
        each for n in (7, 8, 9, 10) for each in [("page-head", "ON THE LAW"), ("page-number", str(n))]
    ]


@pytest.mark.parametrize("numbers", [(7, 8), (3, 2, 1), (5, 5, 5, 5), (1, 2, 4, 5)])
def test_figures_that_do_not_count_up_over_three_pages_stay(numbers):
    blocks = [block for number in numbers for block in (f"Page {number}", SPEECH[0], "We will win!")]
    assert cut(blocks) == []


def test_a_chant_that_comes_again_and_again_is_no_page_head():
    assert cut(["We will win!", SPEECH[0]] * 9) == []


def test_a_document_keeps_what_was_cut_as_marks_in_its_place():
    found = read("FOR IMMEDIATE RELEASE\n\nWe begin.\n\nCopyright 2016 A. B.\n\nWe end. (Applause.)\n\nEND\n")
    assert found.text == "We begin.\n\nWe end."
    assert [(mark.kind, mark.text, mark.start_char) for mark in found.marks] == [
        ("boilerplate", "FOR IMMEDIATE RELEASE", 0),
        ("boilerplate", "Copyright 2016 A. B.", 11),
        ("stage", "(Applause.)", 18),
        ("boilerplate", "END", 18),
    ]


def test_a_page_s_lines_go_from_the_middle_of_a_paragraph_and_it_closes_up():
    lines = [
        line
        for number in (1, 2, 3)
        for line in (f"a {number} line as long as the page is wide, or nearly so,", f"On Law   {number}")
    ]
    found = read("\n".join([*lines, "ends."]))
    assert (
        found.text
        == " ".join(f"a {n} line as long as the page is wide, or nearly so," for n in (1, 2, 3)) + " ends."
    )
    assert [mark.text for mark in found.marks] == ["On Law   1", "On Law   2", "On Law   3"]


def test_a_supplied_paragraph_that_is_boilerplate_is_cut_whole_and_the_others_are_kept():
    source = Source("a", io.BytesIO(), "a", boilerplate=SHIPPED)
    found, _ = build_document(source, ["The White House", "We go.\nOn.", "END"], Metadata(), supplied=True)
    assert [paragraph.text for paragraph in split(found, count_tokens=len)] == ["We go.\nOn."]


def test_an_interpreter_s_note_is_cut_from_within_a_paragraph():
    assert cut(["So. (Through interpreter.) Thank you."]) == [("interpreter", "(Through interpreter.)")]


@pytest.mark.slow
@pytest.mark.parametrize("long", ["a" * 50_000_000, "(a" * 5_000_000, "- " * 5_000_000, "1\n" * 100_000])
@pytest.mark.parametrize("where", ["line", "within"])
def test_no_rule_hangs_on_a_long_line(long, where):
    began = time.process_time()
    cut([long], boilerplate=rule(where, "(a+)+$|(?:a|aa)+b|.*.*.*x"))
    assert time.process_time() - began < 60  # seconds; a backtracking engine would not come back


LINES = st.sampled_from(
    [
        "The White House",
        "2:59 P.M. EST",
        "END",
        "Page 1",
        "Page 2",
        "Page 3",
        "On law",
        "MR. X: So.",
        "(Applause.)",
        "govern-",
        "ment of the people.",
        "***",
        "a",
        "",
        " ",
        "(Through interpreter.) b",
        "1",
        "2",
        "3",
        "\u0301",
    ]
)


@settings(deadline=None)
@given(st.lists(LINES, max_size=25).map("\n".join))
def test_cutting_keeps_the_place_of_every_paragraph_and_mark(body):
    found = read("So it is!\n\n" + body)
    for paragraph in split(found, count_tokens=len, limit=20):
        assert found.text[paragraph.start_char : paragraph.end_char] == paragraph.text
    places = [mark.start_char for mark in found.marks]
    assert places == sorted(places)
    assert all(0 <= place <= len(found.text) for place in places)


@settings(deadline=None)
@given(st.lists(LINES, max_size=25).map("\n".join))
def test_text_and_marks_together_keep_every_word(body):
    found = read("So it is!\n\n" + body)
    letters = sorted(
        char for char in found.text + "".join(mark.text for mark in found.marks) if not char.isspace()
    )
    assert letters == sorted(char for char in "Soitis!" + body if not char.isspace())


def test_a_page_without_a_figure_counts_nothing():
    rule = Rule("optional", "page", r"p(?P<page>\d)?")
    assert cut(["p1\np\np2\np3"], boilerplate=Boilerplate([rule])) == [
        ("optional", "p1"),
        ("optional", "p2"),
        ("optional", "p3"),
    ]


def test_a_long_line_of_white_space_takes_no_time_to_speak_of():
    began = time.monotonic()
    assert cut([" " * 200_000 + "\n" + "So."]) == []
    assert time.monotonic() - began < 5
