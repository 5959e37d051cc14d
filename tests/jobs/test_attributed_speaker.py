"""The person to whom a draft attributes the quote is found by name, or nobody is."""

import pytest

from jobs.recommend.attributed_speaker import find_attributed
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
