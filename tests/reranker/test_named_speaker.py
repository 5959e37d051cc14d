"""Whom a draft names."""

import pytest

from quotations.names.speaker_names import SURNAME_ALONE, find_named
from reranker.fit_probability import read_features
from reranker.signals.attributed_speaker import read_tag

PEOPLE = ["John F. Kennedy", "Dwight D. Eisenhower", "George Washington", "Abraham Lincoln", "George W. Bush"]


def named(text: str) -> dict[str, float]:
    found = zip(PEOPLE, find_named(PEOPLE, text).tolist(), strict=True)
    return {name.split()[-1]: weight for name, weight in found if weight}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Abraham Lincoln stood in the mud", {"Lincoln": 1.0}),
        ("John Kennedy and John F. Kennedy", {"Kennedy": 1.0}),
        ("the bit where Kennedy's speech turns", {"Kennedy": SURNAME_ALONE}),
        ("i want kennedys univeristy speach", {"Kennedy": SURNAME_ALONE}),
        ("I want to bring in Eisenhowers fairwell adress", {"Eisenhower": SURNAME_ALONE}),
        ("Eisenhowers fairwell adress", {"Eisenhower": SURNAME_ALONE}),
        ("Eisenhowr warned", {"Eisenhower": SURNAME_ALONE}),
        ("WASHINGTON (AP) — Two weeks after", {}),
        ("a march in Washington, near the Lincoln Memorial", {"Lincoln": SURNAME_ALONE}),
        ("President Washington said", {"Washington": SURNAME_ALONE}),
        ("JFK asked, and DDE warned", {"Kennedy": SURNAME_ALONE, "Eisenhower": SURNAME_ALONE}),
        ("a jfk, the USA", {}),
        ("Winston Churchill warned the House", {}),
        ("", {}),
    ],
)
def test_a_speaker_counts_who_is_named(text, expected):
    assert named(text) == expected


def test_a_namesake_of_a_person_named_in_full_does_not_count():
    people = ["Andrew Johnson", "Lyndon B. Johnson"]
    assert find_named(people, "Lyndon Johnson, or Johnson as he was called").tolist() == [0.0, 1.0]
    assert find_named(people, "Johnson").tolist() == [SURNAME_ALONE] * 2


@pytest.mark.parametrize(
    ("text", "is_named"),
    [
        ("Jimmy Johnson, the coach, spoke in Dallas. Johnson told the players", False),
        ("Caroline Kennedy opened the library, Kennedy said", False),
        ("Robert F. Kennedy stood on a truck. Kennedy said", False),
        ("Jack Kennedy told the crowd", True),
        ("Robert Kennedy listened as President Kennedy said", True),
        ("Caroline Kennedy said that John F. Kennedy told her", True),
        ("When Johnson came to Congress", True),
        ("Kennedy wept. Caroline Kennedy stood by him", True),
    ],
)
def test_a_surname_with_another_given_name_is_somebody_else(text, is_named):
    people = ["Lyndon B. Johnson", "John F. Kennedy"]
    assert any(find_named(people, text)) == is_named


@pytest.mark.parametrize(
    ("right", "words"),
    [
        (
            "” Vice President Jane Lee said, next to the mayor.",
            "” Vice President Jane Lee said, next to the mayor.",
        ),
        (",” said Jane Lee. He left.", ",” said Jane Lee."),
        ("Jane Lee said on Monday.", "Jane Lee said on Monday."),
        ("Jane Lee said the plan was dead.", ""),
        ("Jane Lee left. “Why?” said Ann Fox.", ""),
        ("", ""),
    ],
)
def test_the_words_after_the_quote_name_its_speaker(right, words):
    assert read_tag(right) == words


@pytest.mark.parametrize("name", ["Boris Johnson", "Chelsea Clinton", "Denzel Washington"])
def test_a_namesake_with_another_given_name_is_not_the_speaker(name):
    speakers = ["Lyndon B. Johnson", "Bill Clinton", "George Washington", "Franklin D. Roosevelt"]
    assert not find_named(speakers, f"{name} told the crowd that it was late.").any()


def test_to_quote_a_speaker_makes_an_answer_no_likelier_to_fit_than_to_name_him():
    quoted, named = (read_features({"named": score}, is_query=False) for score in (2.0, 1.0))
    assert quoted == named


@pytest.mark.parametrize(
    ("speaker", "text"),
    [
        ("Kennedy, John F.", "John F. Kennedy said"),
        ("Jane Roe (Lab)", "Jane Roe said"),
        ("Ann Roe, Cy Fir and Bob Lee", "Bob Lee said"),
        ("Ann Roe and Bob Lee", "Ann Roe said"),
        ("Martin Luther King, Jr.", "Martin Luther King said"),
    ],
)
def test_a_name_counts_however_the_archive_writes_it(speaker, text):
    assert find_named([speaker, "Cy Fox", None], text).tolist() == [1.0, 0.0, 0.0]
