"""A question about remembered words is read as the words; a line that only looks like one stays."""

import pytest

from jobs.recommend.asking import find_remembered, take_question
from rostrum_core.types import Draft


@pytest.mark.parametrize(
    ("asked", "sought"),
    [
        ("who said ask not what your country can do for you", "ask not what your country can do for you"),
        ("Which president said tear down this wall?", "tear down this wall"),
        ("where did Kennedy say ich bin ein Berliner", "Kennedy ich bin ein Berliner"),
        ("when did President Bush say axis of evil", "President Bush axis of evil"),
        ("what did he say about money changers", "money changers"),
        ("what's that quote about the better angels", "the better angels"),
        ("the speech with “government is the problem” in it", "“government is the problem”"),
        ("looking for the line we choose to go to the moon", "we choose to go to the moon"),
        ("it goes something like we are all mortal", "we are all mortal"),
        ("as Lincoln said, with charity for all", "Lincoln with charity for all"),
        ("“tear down this wall” who said that", "“tear down this wall”"),
        ("was it Carter who talked of a crisis of confidence?", "Carter a crisis of confidence"),
        ("the one where he says we shall overcome", "we shall overcome"),
        ("could you find me the bit about bearing any burden", "bearing any burden"),
        ("Obama on bin Laden: justice has been done", "Obama justice has been done"),
        ("Lincoln – with malice toward none", "Lincoln with malice toward none"),
        ("do you know who said we shall overcome?", "we shall overcome"),
        ("I remember a line: we all breathe the same air", "we all breathe the same air"),
        ("crisis of confidence quote", "crisis of confidence"),
    ],
)
def test_a_question_is_read_as_what_it_asks_for(asked, sought):
    assert take_question(Draft(left=asked)).left == sought
    assert take_question(Draft(title=asked)).title == sought


@pytest.mark.parametrize(
    "text",
    [
        "freedom of speech",
        "the line between good and evil",
        "State of the Union address",
        "Farewell address",
        "who shall have borne the battle",
        "how many times",
        "the speech",
        "who said",
        "one with all nations",
        "part of the solution",
        "the one thing we fear",
        "",
    ],
)
def test_a_line_that_only_looks_like_a_question_stays(text):
    assert take_question(Draft(left=text)).left == text


LONG_LINE = "we will mend the old road from the harbor to the hills before the first snow falls on it"


@pytest.mark.parametrize(
    ("title", "left"),
    [
        ("", f"Who said this? “{LONG_LINE}”"),
        ("", f"I need the exact words where Lee says that {LONG_LINE}"),
        ("A question", f"Dear all, it is for Sunday. Could you send me the exact words of “{LONG_LINE}”?"),
    ],
)
def test_a_message_that_asks_for_the_wording_of_a_long_line_is_read_as_the_line(title, left):
    assert take_question(Draft(title=title, left=left)) == Draft(left=LONG_LINE)


def test_a_message_that_remembers_more_than_a_line_stays():
    draft = Draft(left=f"I need the exact words of “{LONG_LINE}, and {LONG_LINE}”, please.")
    assert take_question(draft) == draft


def test_a_draft_is_no_question():
    draft = Draft(left="Who said that the war was over? " + "The town waited for an answer all night. " * 3)
    assert take_question(draft) == draft
    assert take_question(Draft(left="who said this", right="is the end")).left == "who said this"


@pytest.mark.parametrize(
    ("title", "left", "words"),
    [
        (
            "Wording",
            "Hi, could you send me the line as he said it? He says that we build for our sons.",
            "we build for our sons.",
        ),
        (
            "exact words please",
            'I remember "with an open hand to all" and need the rest.',
            "with an open hand to all",
        ),
        (
            "",
            "Forty years on: we must act today to keep tomorrow. Who said it? @library",
            "we must act today to keep tomorrow.",
        ),
        (
            "",
            "Please check the quote word for word: he said, we will mend the road.",
            "we will mend the road.",
        ),
        ("The road", "He read out the exact words of the law, and said that it was void for us all.", ""),
        ("The road", "The town asked who said that. It was the mayor, and he was sorry.", ""),
        ("The road", "Nobody knows what we need. The mayor said that the road is long.", ""),
    ],
)
def test_a_message_that_asks_for_the_wording_names_the_words_it_remembers(title, left, words):
    assert find_remembered(Draft(title=title, left=left)) == words


def test_a_draft_that_goes_on_asks_for_no_wording():
    draft = Draft(left='I need the exact words: "we will mend the road".', right="And so it was.")
    assert find_remembered(draft) == ""
