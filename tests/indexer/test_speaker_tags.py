"""The forms of speaker tags, and which of them are believed in what company."""

import time

import pytest

from indexer.cleaning_marks import clean
from indexer.speaker_tags import extract_name, parse_tag
from indexer.speakers import judge

BRIEFING = ["MR. KIRBY: So.", "Q: Why?", "MR. KIRBY: No."]


def spoken(blocks, speaker=None):
    """The names that hold the floor in turn, and the text without its tags."""
    cleaned = clean(blocks, speaker)
    return [extract_name(mark.text) for mark in cleaned.marks if mark.kind == "speaker"], cleaned.text


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("MAYOR ADAMS (laughing):", "MAYOR ADAMS"),
        ("FAUCI [via video]:", "FAUCI"),
        ("SEN. SCHUMER (D-NY):", "SEN. SCHUMER (D-NY)"),
        ("SIR JOHN MAJOR (Huntingdon) (Con):", "SIR JOHN MAJOR (Huntingdon) (Con)"),
        ("SECRETARY OF STATE KERRY:", "SECRETARY OF STATE KERRY"),
        ("Dr. Fauci:", "Dr. Fauci"),
        ("Moderator:", "Moderator"),
    ],
)
def test_a_tag_that_stands_once_takes_the_floor_from_the_speaker_before(tag, name):
    names, text = spoken([*BRIEFING, f"{tag} Wash your hands.", "MR. KIRBY: Yes."])
    assert names == ["MR. KIRBY", "Q", "MR. KIRBY", name, "MR. KIRBY"]
    assert text.split("\n\n")[3] == "Wash your hands."


@pytest.mark.parametrize(
    ("speaker", "name"),
    [
        ("José Martínez", "MARTINEZ"),
        ("Jose Martinez", "JOSÉ MARTÍNEZ"),
        ("José Martínez", "Jose Martinez"),
        ("Bob O'Neill", "O’NEILL"),
    ],
)
def test_a_tag_may_lack_the_accents_of_the_documents_speaker(speaker, name):
    assert spoken([f"{name}: It rose.", "It fell."], speaker) == ([name], "It rose.\n\nIt fell.")


@pytest.mark.parametrize(
    ("speaker", "name"),
    [("Bob Neill", "O’NEILL"), ("José Martínez", "MARTIN"), ("UNITÉ NATIONALE", "Unite Nationale")],
)
def test_a_name_that_differs_by_more_than_accents_is_not_the_documents_speaker(speaker, name):
    assert name not in judge([f"{name}: The river rose.", "It fell."], speaker).believed


def test_a_first_name_in_brackets_may_lack_the_accents_of_a_speaker():
    blocks = [*BRIEFING, "JOSÉ ROE: So.", "[Jose] And so."]
    assert judge(blocks, None).believed == {"MR. KIRBY", "Q", "JOSÉ ROE", "Jose"}


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("MRS. Ọ̀ṢỌ́:", "MRS. Ọ̀ṢỌ́"),
        ("MR. OMOTỌ́ṢỌ̀:", "MR. OMOTỌ́ṢỌ̀"),
        ("MR. ADÉWÁLÉ:", "MR. ADÉWÁLÉ"),
        ("MR. Ọ́. ROE:", "MR. Ọ́. ROE"),
        ("MRS. ỌLÁ-Ọ̀ṢỌ́ (laughing):", "MRS. ỌLÁ-Ọ̀ṢỌ́"),
        ("Dr. Ọ̀ṣọ́:", "Dr. Ọ̀ṣọ́"),
    ],
)
def test_a_name_with_combining_marks_is_a_tag(tag, name):
    names, text = spoken([*BRIEFING, f"{tag} Wash your hands.", "MR. KIRBY: Yes."])
    assert names == ["MR. KIRBY", "Q", "MR. KIRBY", name, "MR. KIRBY"]
    assert text.split("\n\n")[3] == "Wash your hands."


def test_a_name_with_combining_marks_ends_with_a_full_stop_in_the_record():
    names, text = spoken(["The SPEAKER. Order.", "Mr. ỌṢỌ́. I rise.", "The SPEAKER. So.", "Mr. ỌṢỌ́. No."])
    assert (names[1], text.split("\n\n")[1]) == ("Mr. ỌṢỌ́", "I rise.")


def test_a_vote_with_combining_marks_that_the_chair_reads_out_is_no_turn():
    blocks = ["THE CHAIR: We vote.", "SAM DOE: «Bẹ́ẹ̀.»", "SAM DOE: «Bẹ́ẹ̀.»"]
    plain = [block.replace("Bẹ́ẹ̀", "Yes") for block in blocks]
    assert spoken(blocks)[0] == spoken(plain)[0]


@pytest.mark.parametrize("heading", ["Washington Post:", "Boosters (as of May):", "Phase 2:"])
def test_rejected_tag_makes_the_speaker_unknown(heading):
    names, text = spoken([*BRIEFING, f"{heading} more of it.", "MR. KIRBY: Yes."])
    assert names == ["MR. KIRBY", "Q", "MR. KIRBY", "", "MR. KIRBY"]
    assert f"{heading} more of it." in text


@pytest.mark.parametrize(
    "blocks",
    [
        ["Jane Roe: (00:12)\nSo.", "John Doe: (01:12)\nWhy?"],
        ["Jane Roe (00:12):\nSo.", "John Doe (01:12):\nWhy?"],
        ["[00:12] Jane Roe: So.", "[01:12] John Doe: Why?"],
        ["Jane Roe [00:12]\nSo.", "John Doe [01:12]\nWhy?", "Jane Roe [02:12]", "John Doe [03:12]"],
        ["Jane Roe  0:12\nSo.", "John Doe  1:12\nWhy?", "Jane Roe  2:12", "John Doe  3:12"],
    ],
)
def test_a_time_code_beside_a_name_says_that_it_is_a_tag(blocks):
    names, text = spoken(blocks)
    assert (names[:2], text) == (["Jane Roe", "John Doe"], "So.\n\nWhy?")


def test_a_time_beside_words_that_come_once_is_no_tag():
    blocks = ["Opening Remarks [10:30]", "Good morning."]
    assert spoken(blocks) == ([], "Opening Remarks\n\nGood morning.")


def test_speakers_who_are_numbered_are_tags():
    assert spoken(["Speaker 1: So.", "SPEAKER 12: Why?"]) == (["Speaker 1", "SPEAKER 12"], "So.\n\nWhy?")
    assert spoken(["Lesson 1: So.", "Lesson 2: Why?"])[0] == []


def test_three_turns_are_a_dialogue_if_a_name_comes_again():
    blocks = ["Joe Biden: So.", "Kamala Harris: Why?", "Joe Biden: Well."]
    assert spoken(blocks) == (["Joe Biden", "Kamala Harris", "Joe Biden"], "So.\n\nWhy?\n\nWell.")
    plan = ["Health Care: we will go on.", "Clean Energy: we build.", "Public Schools: we teach."]
    assert spoken(plan)[0] == []


PUBLIC_PAPERS = [
    "The President. Good evening. It is late.",
    "Prime Minister Trudeau. President Obama.",
    "Q. Mr. President, why?",
    "The President. Mr. Speaker. I told him so.",
    "Audience members. Four more years!",
    "Senator John A. Barrasso. I am.",
    "Dr. King. Now.",
    "Prime Minister. You are right.",
    "President Trump said so. I did not.",
    "All right. Next.",
    "Q. And then?",
]


def test_public_papers_end_a_tag_with_a_full_stop():
    names, text = spoken(PUBLIC_PAPERS)
    assert names == [
        "The President",
        "Prime Minister Trudeau",
        "Q",
        "The President",
        "Audience members",
        "Senator John A. Barrasso",
        "Dr. King",
        "Q",
    ]
    assert text.split("\n\n") == [
        "Good evening. It is late.",
        "President Obama.",
        "Mr. President, why?",
        "Mr. Speaker. I told him so.",
        "Four more years!",
        "I am.",
        "Now.",
        *PUBLIC_PAPERS[7:10],
        "And then?",
    ]


def test_questions_and_answers_may_end_with_a_full_stop():
    blocks = ["Q. Were you there?", "A. I was.", "Q. When?", "A. At noon."]
    assert spoken(blocks) == (["Q", "A", "Q", "A"], "Were you there?\n\nI was.\n\nWhen?\n\nAt noon.")
    assert spoken(["A. Philip Randolph spoke.", "B. B. King sang.", "A. We all did."])[0] == []


def test_sentences_are_no_tags_where_no_office_and_no_question_comes_again():
    blocks = ["President Obama. He was right.", "Mr. Trump. He was not.", "The President. So it goes."]
    assert judge(blocks, None).believed == frozenset()


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("The President.", "The President"),
        ("JANE ROE, JR.:", "JANE ROE, JR."),
        ("Robert Kennedy Jr.", "Robert Kennedy Jr."),
        ("THE MAYOR (via video):", "THE MAYOR"),
        ("The Prime Minister (Mr. Tony Blair):", "The Prime Minister (Mr. Tony Blair)"),
    ],
)
def test_the_name_of_a_tag_has_neither_its_point_nor_its_stage_direction(tag, name):
    assert extract_name(tag) == name


@pytest.mark.parametrize("run", ["A. ", "Mr. ", "Jo ", "Jo-", "J.", "Jo (x) ", "(", "Jo  1:1"])
def test_the_time_grows_with_the_length_whatever_runs_on(run):
    began = time.process_time()
    clean([run * 50_000 + "x", *(["So " + run * 20] * 2_000)])
    assert time.process_time() - began < 2  # seconds; a square would be minutes


@pytest.mark.parametrize("name", ["Jane Roe, Ph.D.", "Dr. Jane Roe, LL.M", "Jane Roe, B.Sc."])
def test_a_degree_belongs_to_the_name(name):
    tag = parse_tag(f"{name} (XPÖ): So.")
    assert tag is not None
    assert tag.name.startswith(name.rstrip("."))


@pytest.mark.parametrize("letters", ["Z" + "\u0351" * 2000, ("a" + "\u0351" * 5) * 400])
def test_many_marks_on_a_letter_take_linear_time(letters):
    began = time.process_time()
    names, _ = spoken([*BRIEFING, f"{letters} said so.", "MR. KIRBY: Yes."])
    assert names == ["MR. KIRBY", "Q", "MR. KIRBY", "MR. KIRBY"]
    assert time.process_time() - began < 2
