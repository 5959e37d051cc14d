"""Read speaker, day and title from heads of transcripts in real shapes, or leave them unknown."""

from pathlib import Path

import pytest

from archive.shipped_files import locate_shipped
from indexer.blocks import Block
from indexer.boilerplate import Boilerplate
from indexer.heads import DocumentHead, read_dateline, read_head
from indexer.ingest import read
from indexer.page_layout import split_layout
from indexer.rules import read_rules
from rostrum_core.errors import ReadingRemark

TWFY = "in the House of Commons at 10:00 am on 4th March 2021."
CASES = Path(__file__).parent / "metadata"
SHIPPED = Boilerplate(read_rules([locate_shipped("rules/boilerplate.toml")]))


def run(name):
    """The first document of a case, and what was remarked or refused."""
    remarks = []
    found = list(read([CASES / name], refused=remarks.append, boilerplate=SHIPPED))
    return found[0], remarks


@pytest.mark.parametrize(
    ("name", "title", "speaker", "spoken_on"),
    [
        ("110-dateline.txt", "Remarks at the Bridge", None, "2021-03-04"),
        ("111-title-line.txt", "Remarks at the Opening of the Bridge", None, "2021-03-04"),
        ("115-front-dmy.md", "Bridge", "Jane Roe", None),
        ("116-front-month.md", "Bridge", "Jane Roe", "2021-03"),
        ("117-front-year.md", "Bridge", "Jane Roe", "2021"),
        ("118-front-list.md", "Bridge", "Jane Roe and Sam Doe", "2021-03-04"),
        ("119-front-tz.md", "Bridge: the opening", "Jane Roe", "2021-03-04"),
        ("120-bce.md", "Funeral oration", "Pericles", None),
        ("121-future.md", "Bridge", "Jane Roe", None),
        ("136-jsonld.html", "Bridge opens", None, "2021-03-05"),
        ("01-akn-preface-date.akn", "Harbour Bill", "Ms J ROE", "2014-03-11"),
        ("03-crec.htm", "Cleaning the Harbors", None, "2024-01-23"),
        ("04-hansard-dash.html", "Draft Hansard 15 March 2023", None, "2023-03-15"),
        (
            "95-twfy.html",
            "Bridge - in the House of Commons at 10:00 am on 4th March 2021.",
            None,
            "2021-03-04",
        ),
        ("98-dialogue-colon.html", "Remarks by Mayor Jane Roe at the Bridge", None, None),
        ("Roe_2021-03-04_bridge.txt", "Roe bridge", None, "2021-03-04"),
        ("CREC-2021-03-04-pt1-PgS201.txt", "CREC pt1 PgS201", None, "2021-03-04"),
        ("debates2021-03-04a.txt", "Debates A", None, "2021-03-04"),
        ("20210304_Roe_Bridge.txt", "Roe Bridge", None, "2021-03-04"),
    ],
)
def test_title_speaker_and_day_are_right_or_unknown(name, title, speaker, spoken_on):
    document, _ = run(name)
    assert (document.speaker, document.spoken_on) == (speaker, spoken_on)
    assert document.title == title


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("115-front-dmy.md", "'04/03/2021' may be two days: write the year first, or the month as a word"),
        ("120-bce.md", "not a calendar date with year, month and day: '-0431-01-01'"),
        ("121-future.md", "the day '3000-01-01' is to come"),
    ],
)
def test_a_speech_is_read_without_a_date_that_makes_no_sense_and_a_remark_says_so(name, reason):
    document, [remark] = run(name)
    assert document.text.startswith("We came here")
    assert isinstance(remark, ReadingRemark)
    assert remark.reason == f"{reason}: left out"


def test_a_head_that_was_read_is_no_speech():
    document, _ = run("110-dateline.txt")
    assert document.text.startswith("We came here")
    assert [mark.text for mark in document.marks if mark.kind == "boilerplate"] == [
        "Remarks at the Bridge",
        "Jane Roe",
        "March 4, 2021",
    ]


def test_a_language_of_three_letters_is_the_same_language():
    document, _ = run("02-akn-short-eng.akn")
    assert document.language == "en"


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("Wednesday 15 March 2023", "2023-03-15"),
        ("Date: March 4, 2021", "2021-03-04"),
        ("The Parliament met at 9.30 a.m. on Wednesday, 15 March 2023.", "2023-03-15"),
        ("Washington, D.C. | 2:15 P.M. EST | March 4, 2021", "2021-03-04"),
        ("[Congressional Record Volume 170, Number 12 (Tuesday, January 23, 2024)]", "2024-01-23"),
        ("Sitting of 8 July 2021", "2021-07-08"),
        ("Debate of Thursday 8 July 2021", "2021-07-08"),
        ("Delivered on the 4th of July, 1852, at Rochester", "1852-07-04"),
        ("The attacks of September 11, 2001", None),
        ("Updated March 6, 2021", None),
        ("Embargoed until March 5, 2021", None),
        ("On March 4, 2021, we opened a bridge that took nine years to build.", None),
        ("I was born on March 4, 1955.", None),
        ("40th anniversary of June 6, 1944", None),
    ],
)
def test_a_line_is_of_a_day_or_names_one_in_passing(line, day):
    assert read_dateline(line) == day


def test_a_turn_or_a_sentence_ends_the_head():
    for opening in ("THE MAYOR: Good morning.", "We came here to open a bridge that took nine years."):
        assert read_head([Block(opening), Block("March 4, 2021")]) == DocumentHead()


@pytest.mark.parametrize(
    "paragraph",
    [
        "On March 4, 2021, we lost eleven people on the bridge of Seaside, and their\n"
        "families have asked this House for an answer ever since.",
        "Yesterday, December 7, 1941 - a date which will live in infamy - the United\n"
        "States of America was suddenly and deliberately attacked.",
        "Mr. Speaker, I rise to honor a woman who was born here and who came home on\n"
        "June 6, 1944, a day that none of us who were alive then can ever forget, and\n"
        "who never spoke of it again.",
        "On June 6, 1944, the Soldiers, Sailors, and Airmen of the Allied Expeditionary\n"
        "Force launched the largest invasion of all.",
        "The work on the bridge, which the town had wanted for years, will begin on\nJuly 19, 2025.",
        "In 2015 we began. Held back for years, on March 4, 2021 - at last - the council\n"
        "voted for the bridge that we open today.",
        "We met on March 4, 2021, and agreed on the bridge.",
    ],
)
def test_sentence_that_mentions_a_day_stays_in_the_speech(paragraph):
    after = Block("So the ministers had all the time that they had asked for to answer the people.")
    for opening in ([], [Block("Mr. Speaker,")]):
        assert read_head([*opening, Block(paragraph), after]) == DocumentHead()


@pytest.mark.parametrize(
    "dateline",
    [
        "Washington, D.C. | 2:15 P.M. EST | Thursday, March 4, 2021",
        "(Delivered before the town council in the great hall of Seaside, March 4, 2021)",
        "The US Senate met on Thursday, March 4, 2021, at ten.",
        "The House met at half past two in the great hall, on Thursday, March 4, 2021.",
        "Delivered on the 4th of March, 2021, at the dinner of the Seaside chamber of",
    ],
)
def test_long_dateline_directly_above_a_wrapped_speech_is_read(dateline):
    speech = "We came to open a bridge that took this town nine years, and no town was ever\npoorer for it."
    head = read_head([Block(f"Remarks at the Bridge\n{dateline}\n{speech}")])
    assert (head.title, head.spoken_on, len(head.lines)) == ("Remarks at the Bridge", "2021-03-04", 2)


@pytest.mark.parametrize(
    "dateline", ["Seaside, March 4, 2021", "The House met at 10 a.m. on Thursday, March 4, 2021."]
)
def test_long_title_ends_no_head(dateline):
    title = "Remarks by Mayor Jane Roe at the Opening of the Bridge that took the town so long"
    for more in ("", "\nnine years"):
        head = read_head([Block(f"{title}{more}\n{dateline}"), Block("We came here.")])
        assert (head.title, head.spoken_on) == (title, "2021-03-04")


def test_a_line_by_somebody_names_the_speaker():
    head = read_head([Block("Remarks at the Bridge\nby Mayor Jane Roe\nMarch 4, 2021")])
    assert (head.title, head.speaker, head.spoken_on) == (
        "Remarks at the Bridge",
        "Mayor Jane Roe",
        "2021-03-04",
    )


def cut_lines(*blocks):
    return [blocks[block][start:end] for block, start, end in read_head(list(map(Block, blocks))).lines]


@pytest.mark.parametrize(
    "roster",
    [
        ["PARTICIPANTS: Mayor Jane Roe; Sam Doe", "MODERATOR: Lee Kim (Daily Paper)"],
        ["**Speakers:** Jane Roe, Mayor of Seaside, and Sam Doe"],
        ["SUMMARY KEYWORDS", "bridge, town, years", "SPEAKERS", "Jane Roe, Sam Doe, Speaker 3"],
        ["Panelists:", "Jane Roe; Sam Doe"],
        ["Participants:", "Jane Roe, Mayor of Seaside", "Sam Doe, Daily Paper", "Host: Lee Kim"],
        ["PARTICIPANTS:", "Governor Jane Roe (FL);", "Lee Kim;", "Sam Doe; and", "Ann Ode", "HOST: Kim Lee"],
        ["author: Web Editor"],
    ],
)
def test_lines_that_list_who_takes_part_are_no_speech(roster):
    assert cut_lines(*roster, "KIM: Good evening.") == roster
    assert cut_lines("\n".join(roster), "KIM: Good evening.") == roster
    assert (
        cut_lines("Remarks at the Bridge", *roster, "We came here to open a bridge that took long.") == roster
    )


@pytest.mark.parametrize(
    "lines",
    [
        ["MODERATOR: Good evening.", "ROE: Good evening."],
        ["CHAIR: Jane Roe", "ROE: Thank you.", "CHAIR: Sam Doe", "DOE: So."],
        ["HOST: Welcome", "ROE: Thank you."],
        ["Present: a bridge, a road and a toll", "We paid."],
        ["KIM: Good evening.", "PARTICIPANTS: Jane Roe; Sam Doe"],
        ["Speakers", "We came here to open a bridge that took long."],
    ],
)
def test_turns_and_sentences_are_no_roster(lines):
    assert cut_lines(*lines) == []


def test_a_name_alone_below_a_list_is_who_speaks_next():
    roster = ["Speakers", "Jane Roe, Sam Doe"]
    assert cut_lines(*roster, "Jane Roe", "We came here to open a bridge that took long.") == roster


RECORD = """[Congressional Record Volume 170, Number 12 (Tuesday, January 23, 2024)]
[Senate]
[Page S202]
From the Congressional Record Online through the Government Publishing Office
"""
ITEM = "  Mr. ROE. Mr. President, I rise to speak about a bridge that took nine years to build."


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["CLEANING THE HARBORS"], "CLEANING THE HARBORS"),
        (["[[Page S202]]", "CLEANING THE HARBORS"], "CLEANING THE HARBORS"),
        (["LIHEAP"], "LIHEAP"),
        (["prayer"], "prayer"),
        (["NOTICES OF HEARINGS", "committee on rules"], "NOTICES OF HEARINGS"),
        (["ADDITIONAL STATEMENTS", "______", "A TOWN'S BRIDGE"], "A TOWN'S BRIDGE"),
        (["MEETINGS FOR", "FRIDAY, JANUARY 26, 2024"], "MEETINGS FOR FRIDAY, JANUARY 26, 2024"),
        (["ADDITIONAL COSPONSORS", "S. 2"], "ADDITIONAL COSPONSORS"),
        (["By Mr. ROE:", "S. 204. A bill for the relief of Jane Doe."], "Introductory Statement on S. 204"),
        ([], None),
    ],
)
def test_a_page_of_an_issue_has_the_heading_of_its_item(lines, title):
    printed = [line if line.startswith("[[") else f"          {line}" for line in lines]
    page = "\n\n".join([RECORD, *printed, ITEM])
    blocks = split_layout(page, lambda text: [part.strip() for part in text.split("\n\n")])
    head = read_head([block for block in blocks if block.text])
    assert (head.spoken_on, head.heading) == ("2024-01-23", title)


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("XII legislatura / Primer període / Dimecres, 17 de gener de 2018", "2018-01-17"),
        ("Dimecres, 26 d’octubre de 2015", "2015-10-26"),
        ("Madrid, 3 de marzo de 2021", "2021-03-03"),
        ("Dienstag, 17. April 2018", "2018-04-17"),
        ("Wien, 1. Jänner 2018", "2018-01-01"),
        ("Paris, 1er août 1995", "1995-08-01"),
        ("Lisboa, 25 de Abril de 1974", "1974-04-25"),
    ],
)
def test_days_are_read_in_the_languages_of_several_parliaments(line, day):
    assert read_dateline(line) == day
