"""Speaker tags, stage directions and time codes leave the text and keep their place."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexer.cleaning_marks import clean
from indexer.speaker_tags import extract_name
from indexer.speakers import judge
from indexer.stage_directions import is_direction


def marks(cleaned):
    return [(mark.kind, mark.text, mark.start_char) for mark in cleaned.marks]


@pytest.mark.parametrize(
    "inside",
    [
        "Applause.",
        "APPLAUSE",
        "Laughter",
        "Cheers and applause.",
        "AUDIENCE BOOS",
        "The bill is signed.",
        "laughs",
        "Clears throat.",
        "Speaks Spanish.",
        "BEGIN VIDEO CLIP",
        "sic\\",
        "As interpreted.",
        "A cellphone rings.",
        "At this point, the President signed H.J. Res. 37.",
        "The reporter spoke in English as follows.",
    ],
)
def test_a_stage_direction_is_known(inside):
    assert is_direction(inside)


@pytest.mark.parametrize(
    "inside",
    [
        "a law of 1996",
        "EPA",
        "and",
        "the audience",
        "1998",
        "House Rules",
        "it was later repealed",
        "more music",
        "Washington, D.C.",
        "It was signed in 1964.",
        "who devote themselves to the favorite nation",
        "k",
        "...",
        "The Johnson Amendment prohibited political endorsements by tax-exempt organizations.",
        "inaudible",
        'Ms. Hicks: "He shook a lot of hands."',
        "see above",
        "",
        "   ",
        '"laughing out loud"',
    ],
)
def test_an_ordinary_bracket_stays_speech(inside):
    assert not is_direction(inside)


def test_a_direction_within_a_sentence_closes_up_to_one_space():
    cleaned = clean(["We won. (Applause.) And we (laughter) go on."])
    assert cleaned.text == "We won. And we go on."
    assert marks(cleaned) == [("stage", "(Applause.)", 8), ("stage", "(laughter)", 15)]


def test_no_space_is_left_before_a_full_stop():
    assert clean(["Thank you (applause)."]).text == "Thank you."


def test_a_paragraph_of_marks_alone_vanishes_and_its_marks_stay_before_the_next():
    cleaned = clean(["Hello.", "(Applause.)", "Now."])
    assert (cleaned.text, cleaned.breaks) == ("Hello.\n\nNow.", ((0, 6), (8, 12)))
    assert marks(cleaned) == [("stage", "(Applause.)", 8)]


def test_a_mark_after_the_last_word_stands_at_the_end_of_the_text():
    cleaned = clean(["Good night. (Applause.)", "END 12:40 P.M. EDT"])
    assert cleaned.text == "Good night."
    assert marks(cleaned) == [("stage", "(Applause.)", 11), ("time", "END 12:40 P.M. EDT", 11)]


def test_words_that_are_missing_stay_marked_in_the_text_where_others_stand_around_them():
    assert clean(["We will (inaudible) the law."]).text == "We will (inaudible) the law."
    assert clean(["Q: (Inaudible.)", "Yes."]).text == "Yes."


def test_a_speaker_tag_is_taken_from_the_start_of_a_line_only():
    cleaned = clean(["THE PRESIDENT: Thank you.\nMR. KIRBY: He said THE PRESIDENT: no."])
    assert cleaned.text == "Thank you.\nHe said THE PRESIDENT: no."
    assert marks(cleaned) == [("speaker", "THE PRESIDENT:", 0), ("speaker", "MR. KIRBY:", 11)]


@pytest.mark.parametrize("code", ["[00:04]", "(00:04)", "[0:00:04.5]", "(1:00:04)"])
def test_a_speaker_tag_may_follow_a_time_code_or_go_before_one(code):
    cleaned = clean([f"{code} THE MAYOR: So.\n{code} Q: Why?", f"THE MAYOR: {code}\nBecause."])
    assert cleaned.text == "So.\nWhy?\n\nBecause."
    assert marks(cleaned) == [
        *(("time", code, 0), ("speaker", "THE MAYOR:", 0)),
        *(("time", code, 4), ("speaker", "Q:", 4)),
        *(("speaker", "THE MAYOR:", 10), ("time", code, 10)),
    ]


def test_a_time_code_may_stand_between_a_name_and_its_colon():
    cleaned = clean(["Jane Roe (00:12):\nSo.", "**John Doe [1:00:00]:** Why?"] * 3)
    assert cleaned.text == "\n\n".join(["So.", "Why?"] * 3)
    assert marks(cleaned)[:4] == [
        *(("speaker", "Jane Roe", 0), ("time", "(00:12):", 0)),
        *(("speaker", "**John Doe", 5), ("time", "[1:00:00]:**", 5)),
    ]


@pytest.mark.parametrize("text", ["(3:16) so it is", "It was 12:04 then.", "They won (4:1)."])
def test_a_verse_a_score_and_an_hour_are_no_time_code(text):
    assert clean([text]).text == text


def test_a_question_without_a_colon_is_a_tag_where_it_comes_again():
    blocks = ["Q Karine, on Russia: any news?", "MS. JEAN-PIERRE: No.", "Q Thanks."]
    assert [mark.text for mark in clean(blocks).marks] == ["Q", "MS. JEAN-PIERRE:", "Q"]
    assert clean(["Q Branch was moved."]).text == "Q Branch was moved."


@pytest.mark.parametrize(
    "opening", ["Mr. President:", "Make no mistake:", "First:", "CJ:", "Good evening:", "FACT:"]
)
def test_words_of_a_speech_before_a_colon_are_not_a_tag(opening):
    block = f"{opening} no man thinks more highly than I do of the patriotism of the worthy gentlemen."
    assert clean([block, "But different men see the same subject in different lights."]).marks == ()


def test_an_address_is_a_tag_beside_another_tag():
    blocks = ["Mr. Speaker: Order.", "SEN. CLINTON: I rise.", "Mr. Speaker: Go on."]
    assert judge(blocks, None).believed == {"Mr. Speaker", "SEN. CLINTON"}


def test_the_speaker_s_own_name_in_capitals_is_a_tag_without_company():
    assert judge(["DONALD TRUMP: Thank you.", "Wow."], "Donald Trump").believed == {"DONALD TRUMP"}
    assert judge(["DONALD TRUMP: Thank you.", "Wow."], None).believed == frozenset()


def test_a_heading_in_small_letters_is_no_tag_where_tags_are_in_capitals():
    blocks = ["MR. EARNEST: So.", "Q: Why?"] * 5 + ["Washington Post: a headline."]
    assert judge(blocks, None).believed == {"MR. EARNEST", "Q"}


def test_names_in_small_letters_are_tags_in_a_dialogue():
    blocks = ["Jim Lehrer: Governor?", "Barack Obama: Well.", "Jim Lehrer: Go on."] * 2 + [
        "Ken Bone: What steps?"
    ]
    assert judge(blocks, None).believed == {"Jim Lehrer", "Barack Obama", "Ken Bone"}


def test_the_name_of_a_tag_is_bare():
    assert [extract_name(tag) for tag in ("**THE PRESIDENT:**", "Q", "Q:")] == ["THE PRESIDENT", "Q", "Q"]


@pytest.mark.parametrize("run", [".", "?!", " ", "\t", "\n", "(", '"', "A. "])
def test_the_time_grows_with_the_length_whatever_runs_on(run):
    began = time.process_time()
    clean(["So" + run * 100_000 + "x"])
    assert time.process_time() - began < 10  # seconds; a square would be minutes


PIECES = st.sampled_from(
    [
        "(Applause.)",
        "[Laughter]",
        "THE PRESIDENT:",
        "Q ",
        "Q:",
        " ",
        "\n",
        "one",
        "Two.",
        "(a law)",
        "(inaudible)",
        "12:40 P.M. EDT",
        "[00:01:02]",
        ".",
        "\u0301",
        "“",
        "-",
        "(",
        "]",
        "\t",
        "MR. X: ",
    ]
)


@settings(deadline=None)
@given(st.lists(st.lists(PIECES, max_size=12).map("".join).map(str.strip).filter(bool), max_size=6))
def test_offsets_hold_and_no_word_is_lost_whatever_the_marks(blocks):
    cleaned = clean(blocks)
    assert all(0 <= mark.start_char <= len(cleaned.text) for mark in cleaned.marks)
    assert [mark.start_char for mark in cleaned.marks] == sorted(mark.start_char for mark in cleaned.marks)
    for start, end in cleaned.breaks:
        assert cleaned.text[start:end].strip() == cleaned.text[start:end] != ""
    assert "\n\n".join(cleaned.text[start:end] for start, end in cleaned.breaks) == cleaned.text
    put_back, position = [], 0
    for mark in cleaned.marks:
        put_back += [cleaned.text[position : mark.start_char], mark.text]
        position = mark.start_char
    put_back.append(cleaned.text[position:])
    assert "".join("".join(put_back).split()) == "".join("".join(blocks).split())
