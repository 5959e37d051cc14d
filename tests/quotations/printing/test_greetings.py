"""Greetings, thanks and addresses say nothing that a reader could quote."""

import pytest

from quotations.printing.greetings import is_greeting

GREETINGS = [
    "Mr. President, Mr. Speaker, members of the 77th Congress:",
    "Fellow-Countrymen:",
    "My fellow Americans,",
    "Thank you very much.",
    "(Applause.) Thank you, thank you, thank you.",
    "Thank you, and God bless you all.",
    "Well, good afternoon, Mr. Mayor.",
    "Hello, Chicago!",
    "Mr. Speaker, Mr. Vice President, Members of Congress, my fellow Americans:",
    "President Macron, Mrs. Macron, Secretary Austin, distinguished guests.",
    "(Laughter.)",
    "…",
]
STATEMENTS = [
    "We thank God for the harvest.",
    "Thank you for what you did at Pointe du Hoc.",
    "Thanks to you, we passed the law.",
    "My fellow Americans, we won.",
    "Fellow citizens, the Union is dissolved.",
    "Good jobs and good schools.",
    "Ban assault weapons and high-capacity magazines.",
    "God bless America.",
    "[I still have a suitcase in Berlin.]",
    "Welcome the stranger, and feed the hungry.",
    "The people of Berlin.",
    "Mr. Gorbachev, tear down this wall!",
]


@pytest.mark.parametrize("sentence", GREETINGS)
def test_a_sentence_that_only_greets_thanks_or_addresses_is_recognized(sentence):
    assert is_greeting(sentence)


@pytest.mark.parametrize("sentence", STATEMENTS)
def test_a_sentence_that_states_something_is_no_greeting(sentence):
    assert not is_greeting(sentence)
