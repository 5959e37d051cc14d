"""The person to whom a draft attributes the quote is found by name, or nobody is."""

import time

import pytest

from reranker.signals.attributed_speaker import attribute_quote, find_attributed
from rostrum_core.types import Draft


@pytest.mark.parametrize(
    ("left", "right", "person"),
    [
        ("Then Petra Olsen walked to the sea and told the crowd,", "", "Petra Olsen"),
        ("Petra Olsen came late. With this, she told the crowd,", "", "Petra Olsen"),
        ("Petra Olsen came late. The work was hard, Olsen said:", "", "Petra Olsen"),
        ("The crowd waited at the sea.", "”, Petra Olsen said.", "Petra Olsen"),
        ("Petra Olsen and Ada Lee came late. Then she said:", "", None),
        ("Petra Olsen came late. The mayor said:", "", None),
        ("The White House said that", "", None),
        ("The crowd waited at the sea.", "", None),
    ],
)
def test_the_person_is_who_says_the_next_words_and_nobody_if_that_is_open(left, right, person):
    assert find_attributed(Draft(left=left, right=right)) == person


SPEAKERS = ["Abraham Lincoln", "Franklin D. Roosevelt", "Rand Paul", "Ronald Reagan"]


@pytest.mark.parametrize(
    ("left", "right", "speakers"),
    [
        ("Abraham Lincoln asked the nation to act without hatred:", "", ["Abraham Lincoln"]),
        ("It was a cold day. Lincoln asked the nation to act without hatred:", "", ["Abraham Lincoln"]),
        ("President Roosevelt warned them about fear,", "", ["Franklin D. Roosevelt"]),
        ("Reagan called the empire evil when he said", "", ["Ronald Reagan"]),
        ("Lincoln was read to the crowd. As Reagan came to the stage he said “", "", []),
        ("The crowd waited.", "”, Abraham Lincoln said.", ["Abraham Lincoln"]),
        ("Lincoln asked the nation to act without hatred.", "", []),
        ("As Paul Ryan said,", "", []),
        ("After Lincoln and Reagan, the mayor said:", "", []),
        ("Lincoln, and then Reagan, and Roosevelt", "", []),
        ("lincoln", "", []),
        ("Critics of Abraham Lincoln said:", "", []),
        ("The widow of Abraham Lincoln, Mary, said:", "", []),
        ("The crowd waited. “", "” said Abraham Lincoln.", ["Abraham Lincoln"]),
        ("The crowd waited. “", "” said President Reagan, in Berlin.", ["Ronald Reagan"]),
        ("Lincoln freed the slaves. Later Reagan came to town. To this crowd, “", "” he said.", []),
        ("Later Reagan came to town. To this crowd, “", "” he said.", ["Ronald Reagan"]),
    ],
)
def test_a_quote_is_attributed_to_the_subject_of_the_unfinished_sentence(left, right, speakers):
    assert sorted(attribute_quote(Draft(left=left, right=right), SPEAKERS)) == speakers


def test_an_attribution_has_the_words_by_which_the_draft_names_the_speaker():
    draft = Draft(left="Franklin Roosevelt warned Reagan:")
    assert attribute_quote(draft, SPEAKERS) == {"Franklin D. Roosevelt": frozenset(["franklin", "roosevelt"])}


@pytest.mark.parametrize("unit", ["A", "Aa", "A-", "Aa ", "He said "])
def test_an_attribution_is_searched_in_the_same_time_whatever_the_words(unit):
    text = unit * 50_000
    began = time.process_time()
    attribute_quote(Draft(left=text), SPEAKERS)
    attribute_quote(Draft(left="He", right=f"” {text}"), SPEAKERS)
    find_attributed(Draft(left=text))
    assert time.process_time() - began < 5.0
