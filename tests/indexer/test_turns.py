"""Read the turns of transcripts in real shapes: the files in `turns/`, with the turns expected of each."""

from pathlib import Path

import pytest

from indexer.boilerplate import Boilerplate
from indexer.ingest import read
from indexer.paragraphs import split
from indexer.rules import read_rules
from rostrum_core.errors import PassedOver

FILES = Path(__file__).parent / "turns"
RULES = Boilerplate(read_rules([Path(__file__).parents[2] / "rules" / "boilerplate.toml"]))


def paragraphs(path):
    """The speaker and the text of each paragraph of a file."""
    refused = []
    documents = list(read([path], refused=refused.append, boilerplate=RULES))
    assert [error for error in refused if not isinstance(error, PassedOver)] == []
    split_up = [split(document, count_tokens=lambda text: len(text.split())) for document in documents]
    return [(paragraph.speaker, paragraph.text) for found in split_up for paragraph in found]


def turns(path):
    """The speaker of each paragraph and the first three words."""
    return [(speaker, " ".join(text.split()[:3])) for speaker, text in paragraphs(path)]


ROE, DOE = "Jane Roe", "Sam Doe"
PLAIN_TEXT = {
    "once.txt": [
        ("JANE ROE", "We came here"),
        ("JANE ROE", "It was worth"),
        ("SAM DOE", "It was not"),
        ("JANE ROE", "Then walk across"),
        ("LEE KIM", "His father drowned."),
    ],
    "once-title.txt": [
        *[(ROE, start) for start in ("We came here", "It was worth", "We had rain", "We had snow")],
        (DOE, "It was not"),
        (ROE, "Then walk across"),
        ("Lee Kim", "His father drowned."),
        ("Moderator", "Let us turn"),
        (ROE, "The school is"),
    ],
    "audience.txt": [
        ("JANE ROE", "Good evening. We"),
        ("MODERATOR", "The first question,"),
        ("Woman in the audience", "Who will pay"),
        ("JANE ROE", "Everybody who crosses"),
        ("UNIDENTIFIED SPEAKER", "That is not"),
        ("Unidentified Male", "It is not."),
        ("JANE ROE", "Then swim."),
        ("ROE (CONT'D)", "Or wait for"),
        ("V.O.", "The bridge opens"),
        ("JANE ROE (via video link)", "It does."),
        ("DOE JR.", "I will swim."),
        ("MARY-ANN O'DOE-SMITH", "So will I."),
        ("DR. MARTIN L. ROE, JR.", "And I."),
        ("ROE/DOE", "And we."),
        ("ROE AND DOE", "We both."),
    ],
    "hansard-pointdash.txt": [
        (None, "The Parliament met"),
        ("MR. SPEAKER", "Honourable Members, please"),
        ("HON. S. L. ROE", "Mr. Speaker, Sir,"),
        ("HON. A. DOE", "Mr. Speaker, Sir,"),
        ("MR. SPEAKER", "Question put. Motion"),
    ],
    "hansard-au.txt": [
        ("Mr ROE (Bridgetown—Prime Minister)", "I thank the"),
        ("Ms DOE (Seaside—Deputy Leader of the Opposition)", "My question is"),
        ("The SPEAKER", "The member for"),
        ("Mr ROE (Bridgetown—Prime Minister)", "The nation paid"),
    ],
    "hansard-nz.txt": [
        ("Hon JANE ROE (National—Seaside)", "Does the Minister"),
        ("Rt Hon SAM DOE (Prime Minister)", "Yes, in the"),
        ("SPEAKER", "Order! The House"),
        ("Hon JANE ROE", "Supplementary question. When"),
    ],
    "hansard-in.txt": [
        ("SHRI JAN ROE (SEASIDE)", "Sir, I rise"),
        ("THE MINISTER OF WORKS (SHRI SAM DOE)", "Sir, the bridge"),
        ("HON. SPEAKER", "Please conclude."),
        ("SHRIMATI ANN DOE", "Sir, it is"),
        ("SHRI JAN ROE", "It will be"),
    ],
    "hansard-ca.txt": [
        ("Hon. Jane Roe (Minister of Works, Lib.)", "Mr. Speaker, the"),
        ("Mr. Sam Doe (Seaside, CPC)", "Mr. Speaker, it"),
        ("The Speaker", "Order, please."),
        ("Hon. Jane Roe", "Mr. Speaker, it"),
    ],
    "hansard-uk.txt": [
        ("Jane Roe (Seaside) (Lab)", "When will the"),
        ("The Minister for Works (Sam Doe)", "I thank my"),
        ("Mr Speaker", "Order. I call"),
        (ROE, "Spring has been"),
    ],
    "whispercpp.txt": [
        ("speaker 0", "We came here"),
        ("speaker 0", "that took nine"),
        ("speaker 1", "Who paid for"),
        ("speaker 0", "You did, all"),
    ],
    "whisperx.txt": [
        ("SPEAKER_00", "We came here"),
        ("SPEAKER_01", "Who paid for"),
        ("SPEAKER_00", "You did, all"),
    ],
    "rev.txt": [
        (ROE, "We came here"),
        ("Speaker 2", "Who paid?"),
        (ROE, "You did. [inaudible"),
        ("Group", "No!"),
    ],
    "question-time.txt": [
        ("The Presiding Officer (Alison Kim)", "Good afternoon. The"),
        ("The Presiding Officer (Alison Kim)", "Bridge Tolls"),
        ("Sam Doe (Seaside) (Con)", "To ask the"),
        ("The Cabinet Secretary for Transport (Jane Roe)", "We abolished tolls"),
        (DOE, "That is not"),
        ("The Presiding Officer", "Order, please."),
    ],
    "deposition.txt": [
        (None, "12"),
        ("MR. ROE", "Objection, form."),
        ("THE WITNESS", "I do not"),
        ("Q", "When did you"),
        ("A", "In March of"),
        ("Q", "And who was"),
        ("A", "My brother."),
        ("THE REPORTER", "Could you repeat"),
        ("THE WITNESS", "My brother Sam."),
        ("Q", "Thank you."),
        ("THE VIDEOGRAPHER", "Off the record"),
    ],
    "presser.md": [
        ("Governor Jane Roe", "Good morning, everyone."),
        ("Reporter (Daily Gull)", "Governor, who paid"),
        ("Governor Jane Roe", "All of us."),
        (None, "Budget: It cost"),
        ("Sam Doe, Director of Works", "And it took"),
    ],
    "oral-evidence.txt": [
        ("Chair", "Welcome to this"),
        (ROE, "Thank you, Chair."),
        (DOE, "How much was"),
        (ROE, "Nine million pounds."),
        ("Professor Kim", "If I may"),
        ("Chair", "Thank you both."),
    ],
    "committee-ca.txt": [
        ("The Chair (Mr. Sam Doe (Seaside, Lib.))", "I call this"),
        ("Ms. Jane Roe (Assistant Deputy Minister, Department of Works)", "Thank you, Mr."),
        ("Mr. Lee Kim", "Chair, I have"),
        ("The Clerk of the Committee (Ms. Ann Poe)", "The motion is"),
        ("The Chair", "Thank you."),
        ("Some hon. members", "Agreed."),
    ],
    "dail.txt": [
        ("An Ceann Comhairle", "I call Deputy"),
        ("Deputy Jane Roe", "The bridge is"),
        ("Minister for Transport (Deputy Sam Doe)", "I thank the"),
        ("Deputy Jane Roe", "When?"),
        ("An Leas-Cheann Comhairle", "The Deputy's time"),
        (None, "Deputies: Hear, hear."),
    ],
    "label-in-capitals.txt": [
        ("ROE", "We need a"),
        ("MODERATOR", "Mr. Doe, you"),
        ("DOE", "We need no"),
        (None, "TAXES: I cut"),
        ("ROE", "He raised them."),
        ("MODERATOR", "One at a"),
    ],
    "council.txt": [
        (None, "The meeting was"),
        ("The President", "I now give"),
        ("Ms. Roe (Seaside)", "We thank the"),
        ("Mr. Doe (Bridgetown) (spoke in French)", "My delegation regrets"),
        ("The President (spoke in Spanish)", "I thank the"),
        ("Mr. Li Kim (China) (spoke in Chinese)", "China calls for"),
    ],
    "press-conference.txt": [
        ("CHAIR ROE", "Good afternoon. My"),
        ("MICHELLE SMITH", "Thanks. Let's go"),
        ("SAM DOE", "Thank you, Chair."),
        ("CHAIR ROE", "We did not."),
        ("MICHELLE SMITH", "Lee."),
        ("LEE KIM", "Will rates rise?"),
        ("CHAIR ROE", "We will see."),
    ],
    "chat.txt": [(ROE, "We came here"), (DOE, "Who paid?"), (ROE, "You did.")],
    "attendees.txt": [(ROE, "We came here"), (DOE, "Who paid for"), (ROE, "You did. Two")],
    "lords.txt": [
        ("Baroness Roe (Lab)", "My Lords, the"),
        ("Lord Doe (Con)", "My Lords, it"),
        (
            "The Parliamentary Under-Secretary of State, Department for Transport (Baroness Kim) (Con)",
            "My Lords, it",
        ),
        ("The Lord Bishop of Seaside", "My Lords, I"),
        (None, "Noble Lords: Hear,"),
    ],
}
PAGES = {
    "span.html": [(ROE, "We came here."), (DOE, "Who paid?"), (ROE, "You did.")],
    "hansard-dash.html": [
        ("Mr ACTING SPEAKER", "Honourable Members, yesterday"),
        ("Mr PAT ROE", "Good morning, Mr"),
        ("Mr PAT ROE", "Who will pay"),
        ("Mr SAM DOE (Finch-Minister for Works)", "I thank the"),
        ("Mr ACTING SPEAKER", "The time for"),
    ],
    "crec.htm": [
        ("Mr. ROE", "Mr. President, the"),
        ("The PRESIDING OFFICER", "Without objection, it"),
        ("Mrs. DOE of Maine", "Mr. President, I"),
        ("Mr. SMITH of New York", "Mr. President, will"),
        ("The PRESIDING OFFICER (Mr. Jones)", "The time of"),
    ],
    "twfy.html": [
        (ROE, "When will the"),
        (ROE, "It has been"),
        (DOE, "It will open"),
        (ROE, "Which spring?"),
    ],
    "bold-br.html": [
        (ROE, "When will it"),
        (DOE, "In the spring."),
        (ROE, "Which spring?"),
        (ROE, "“No bridge is"),
    ],
    "dialogue-colon.html": [
        ("KIM", "Good evening."),
        ("ROE", "Good evening. Let"),
        ("KIM", "Who paid?"),
        ("DOE", "We did."),
    ],
    "note-before-tag.html": [
        ("MR. ROE", "The bridge is"),
        ("MS. DOE", "It cost too"),
        ("MR. ROE", "It cost what"),
        ("MS. DOE", "Nobody claps for"),
    ],
}


WORD = {
    "parliament-style.docx": [
        ("The Chair", "Order. The member"),
        (ROE, "We came here"),
        (ROE, "Who paid for"),
        ("The Chair", "Thank you. The"),
        (DOE, "I would not"),
        (ROE, "He would, if"),
    ],
    "teams.docx": [
        ("Roe, Jane", "We came here"),
        ("Doe, Sam (External)", "Who paid?"),
        ("Roe, Jane", "You did."),
        ("Lee, Kim", "All of us"),
    ],
    "bold-questions.docx": [
        (None, "Why a bridge?"),
        (None, "We came here"),
        (None, "Who paid for"),
        (None, "We all did."),
        (None, "Would you do"),
        (None, "Tomorrow."),
    ],
}


CHIEF, MS_ROE = "CHIEF JUSTICE DOE", "MS. ROE"
ANSWERED = [
    ("JUSTICE LEE", "Was it repaid?"),
    ("MR. SMITH", "It was repaid"),
    ("JUSTICE LEE", "In part?"),
    ("MR. SMITH", "For the greater"),
    (MS_ROE, "It was repaid"),
    (CHIEF, "The case is"),
]
PAPER = {
    "pagetop-caps.pdf": [
        ("MR. ROE", "The bridge is"),
        ("MS. DOE", "Nobody said that"),
        ("MR. ROE", "It cost what"),
        ("MS. DOE", "My children walk"),
        ("MR. LEE", "Then let them"),
        ("MS. DOE", "I thank the"),
    ],
    "pagetop.pdf": [
        ("Mr. Roe", "The bridge is"),
        ("Ms. Doe", "Nobody said that"),
        ("Mr. Roe", "It cost what"),
        ("Ms. Doe", "My children walk"),
        ("Mr. Lee", "Then let them"),
        ("Ms. Doe", "I thank the"),
    ],
    "twocol.pdf": [
        ("Mr. Roe", "The bridge is"),
        ("Ms. Doe", "Nobody said that"),
        ("Mr. Roe", "My children walk."),
    ]
    * 3,
    "court.pdf": [
        (None, "P R O"),
        (CHIEF, "We will hear"),
        (MS_ROE, "Mr. Chief Justice,"),
        ("JUSTICE LEE", "Who paid?"),
        (MS_ROE, "Every town on"),
        ("JUSTICE LEE", "But the County"),
        (MS_ROE, "The County lent"),
        (CHIEF, "Thank you, counsel."),
        (MS_ROE, "Thank you."),
        ("MR. SMITH", "Mr. Chief Justice,"),
        ("MR. SMITH", "The County built"),
        *ANSWERED,
        (CHIEF, "The County built"),
        *ANSWERED,
    ],
    "hidden.pdf": [(None, "We came here")],
}
MARKED = {
    "akn-preface-date.akn": [
        ("Ms J ROE", "Chairperson, the harbour"),
        ("The HOUSE CHAIRPERSON (Mr A B Doe)", "Order! Your time"),
    ],
    "akn-inaudible.akn": [("MS. ROE", "It took nine"), ("MS. ROE", "It is open.")],
}


@pytest.mark.parametrize("name", [*PLAIN_TEXT, *PAGES, *WORD, *PAPER, *MARKED])
def test_each_turn_is_the_right_person_s(name):
    assert turns(FILES / name) == {**PLAIN_TEXT, **PAGES, **WORD, **PAPER, **MARKED}[name]


def test_numbers_of_lines_are_marks_and_stand_in_no_sentence():
    document = next(read([FILES / "court.pdf"], refused=[].append, boilerplate=RULES))
    assert "may it please the Court" in document.text
    assert " ".join(map(str, range(1, 26))) in [mark.text for mark in document.marks]


def test_times_of_the_day_are_no_seconds_of_a_recording():
    document = next(read([FILES / "hansard-au.txt"], refused=[].append, boilerplate=RULES))
    found = split(document, count_tokens=lambda text: len(text.split()))
    assert {paragraph.start_s for paragraph in found} == {None}
    assert next(mark.text for mark in document.marks if mark.kind == "time") == "(14:02):"


CAPTIONS = {
    "whisperx.srt": [
        ("SPEAKER_00", "We came here"),
        ("SPEAKER_01", "Who paid for"),
        ("SPEAKER_00", "You did, all"),
    ],
    "sdh.srt": [
        ("Jane", "We came here"),
        (None, "Who paid for"),
        (None, "You did."),
        ("reporter", "Will it hold?"),
        ("JANE", "It will hold."),
    ],
    "teams.vtt": [
        ("Jane Roe (External)", "We came here"),
        ("Doe, Sam (Works)", "Who paid?"),
        ("O'Neil & Sons", "We did."),
    ],
    "zoom.vtt": [
        (ROE, "We came here"),
        (ROE, "There are three"),
        ("Sam's iPhone 12", "Who paid?"),
        (ROE, "You did."),
        ("+1 (555) 010-0199", "I did not."),
    ],
    "yt-gt.vtt": [
        (None, "We came here"),
        (None, "Who paid for"),
        ("JANE ROE", "You did."),
        (None, "In other news,"),
    ],
    "two-voices-one-cue.vtt": [
        (ROE, "We came here"),
        (DOE, "Who paid?"),
        (ROE, "You did."),
        (DOE, "I did not."),
        (None, "Nobody is named"),
    ],
    "html-entity.srt": [
        (None, "We came here"),
        ("JANE", "It will hold."),
        ("SAM", "It won't."),
    ],
}


@pytest.mark.parametrize("name", CAPTIONS)
def test_captions_name_who_speaks_and_nobody_where_they_do_not(name):
    assert turns(FILES / name) == CAPTIONS[name]


def test_words_that_captions_show_again_are_said_once():
    assert paragraphs(FILES / "rolling-words.srt") == [
        (
            None,
            "What would you say by the end of today the town is going to take away and what will they have "
            "learned from nine years of work? I say patience.",
        )
    ]


def test_credits_of_captions_are_not_speech():
    assert "Amara" not in " ".join(text for _, text in paragraphs(FILES / "html-entity.srt"))
    assert turns(FILES / "otter.txt") == [
        (ROE, "We came here"),
        (DOE, "Who paid for"),
        ("Speaker 3", "We did."),
        (ROE, "All of us"),
    ]


def test_a_line_that_goes_on_after_a_page_mark_is_one_paragraph_and_no_wrapped_line_is_a_turn():
    said = dict(paragraphs(FILES / "crec.htm"))
    assert said["Mr. ROE"].endswith("I introduce a bill to clean them within ten years.")
    assert said["Mrs. DOE of Maine"].endswith("that feed the Great Lakes. They deserve better than that.")


def test_a_list_of_participants_that_is_cut_names_those_who_speak_once(tmp_path):
    path = write(tmp_path, "SPEAKERS\nJane Roe;\nSam Doe\n\nROE: We came here.\n\nDOE: It took long.\n")
    assert paragraphs(path) == [("ROE", "We came here."), ("DOE", "It took long.")]


def test_a_list_of_speakers_confirms_names_with_times_that_come_once(tmp_path):
    head = "SUMMARY KEYWORDS\ntoll, ferry\n\nSPEAKERS\nJane Roe, Sam Doe\n\n"
    path = write(tmp_path, head + "Jane Roe  00:00\nWe came here.\n\nSam Doe  00:12\nIt took long.\n")
    assert paragraphs(path) == [(ROE, "We came here."), (DOE, "It took long.")]


def write(folder, text):
    path = folder / "a.txt"
    path.write_text(text)
    return path


DIALOGUE = ["Who paid for it?", "You did.", "I did not.", "We all did."]


@pytest.mark.parametrize("dash", ["– ", "— ", "- ", "—"])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_a_dash_before_an_answer_takes_the_floor_from_the_speaker_of_the_speech(tmp_path, dash, gap):
    head = "Title: An interview\nSpeaker: Jane Roe\n\n"
    path = write(tmp_path, head + gap.join(dash + said for said in DIALOGUE))
    assert paragraphs(path) == [("", said) for said in DIALOGUE]


@pytest.mark.parametrize(
    "lines",
    [
        ["- Roads.", "- Schools.", "- Bridges.", "- Walls."],
        ["- Who paid?", "- Who knew?", "- Who asked?", "- Who left?"],
        ["We came here.", "It took long.", "It was worth it.", "- Who paid?", "- We did.", "Now go home."],
    ],
)
def test_dashes_of_a_list_change_no_floor(tmp_path, lines):
    path = write(tmp_path, "Title: A speech\nSpeaker: Jane Roe\n\n" + "\n\n".join(lines))
    assert paragraphs(path) == [(None, line) for line in lines]  # the speaker of the whole speech


def test_labels_take_no_words_out_of_the_speech():
    said = paragraphs(FILES / "advisory.txt")
    assert {speaker for speaker, _ in said} == {None}
    assert said[0] == (None, "WHAT: The Mayor opens the bridge.")


EXPORTS = {
    "descript.txt": (
        "[00:00:04] A Roe: One.\n\n[00:00:31] B Doe: Two.\n\n[00:00:40] A Roe: Three.",
        [4, 31, 40],
    ),
    "sonix.txt": (
        "A Roe: [00:00:04] One.\n\nB Doe: [00:00:31] Two.\n\nA Roe: [00:00:40] Three.",
        [4, 31, 40],
    ),
    "fireflies.txt": ("A Roe - 00:04\nOne.\n\nB Doe - 00:31\nTwo.\n\nA Roe - 00:40\nThree.", [4, 31, 40]),
    "otter.txt": ("A Roe  0:04\nOne.\n\nB Doe  0:31\nTwo.\n\nA Roe  0:40\nThree.", [4, 31, 40]),
    "zoom.txt": ("[A Roe] 10:02:15\nOne.\n\n[B Doe] 10:02:31\nTwo.\n\n[A Roe] 10:02:40\nThree.", [None] * 3),
}


@pytest.mark.parametrize("name", EXPORTS)
def test_a_recorder_s_export_gives_turns_and_times(name, tmp_path):
    text, times = EXPORTS[name]
    (tmp_path / name).write_text(text)
    document = next(read([tmp_path / name], refused=[].append))
    found = split(document, count_tokens=lambda text: len(text.split()))
    assert [(paragraph.speaker, paragraph.text) for paragraph in found] == [
        ("A Roe", "One."),
        ("B Doe", "Two."),
        ("A Roe", "Three."),
    ]
    assert [paragraph.start_s for paragraph in found] == times


SHAPES = {
    "colon alone": ("txt", "The Chair:\n\nOne.\n\nMs. Roe (North):\n\nTwo.\n\nSome hon. members:\n\nThree."),
    "page number": ("txt", "THE CHAIR: One.\n\n12 MS. ROE (North): Two.\n\nSome hon. members: Three."),
    "hearing": ("txt", "The CHAIR. One.\n\nMs. ROE. Two.\n\nAn HON. MEMBER: Three."),
    "cells": (
        "html",
        "<table><tr><td>The Chair</td><td>One.</td></tr><tr><td>Ms. Roe</td><td>Two.</td></tr>"
        "<tr><td>Hon. Members</td><td>Three.</td></tr></table>",
    ),
    "terms": (
        "html",
        "<dl><dt>The Chair</dt><dd>One.</dd><dt>Ms. Roe</dt><dd>Two.</dd>"
        "<dt>Hon. Members</dt><dd>Three.</dd></dl>",
    ),
    "class": (
        "html",
        "<p class=speaker-name>The Chair</p><p>One.</p><p class=speaker-name>Ms. Roe</p><p>Two.</p>"
        "<p class=speaker-name>Members</p><p>Three.</p>",
    ),
    "bold": (
        "md",
        "**The Chair**\n\nOne.\n\n**Ms. Roe**\n\nTwo.\n\n**The Chair**\n\nThree.",
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_names_are_found_in_every_shape(shape, tmp_path):
    suffix, text = SHAPES[shape]
    (tmp_path / f"a.{suffix}").write_text(text)
    said = paragraphs(tmp_path / f"a.{suffix}")
    assert [text for _, text in said] == ["One.", "Two.", "Three."]
    assert len({speaker for speaker, _ in said} - {None}) == (2 if shape == "bold" else 3)


@pytest.mark.parametrize("heading", ["Points of Order", "Bridge Fund: it is empty."])
def test_a_line_like_a_name_leaves_nobody_with_the_floor(heading, tmp_path):
    members = "Jane Roe\n(North) (Lab)\n\nOne.\n\nSam Doe\n(South) (Con)\n\nTwo.\n\nJane Roe\n\nThree."
    (tmp_path / "a.txt").write_text(
        f"{members}\n\n{heading}\n\nFour."
        if "of" in heading
        else f"JANE ROE: One.\n\nSAM DOE: Two.\n\nJANE ROE: Three.\n\n{heading}\n\nFour."
    )
    assert paragraphs(tmp_path / "a.txt")[-2:] == [(None, heading), (None, "Four.")]
