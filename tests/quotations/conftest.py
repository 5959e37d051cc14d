"""Speeches to quote, and what finds quotations in them."""

import pytest

from quotations.matching.quotation_matches import Matcher
from quotations.matching.word_index import WordIndex
from quotations.text.transcript import Transcript

MOON = (
    "We meet at a college noted for knowledge, in a city noted for progress.",
    "We choose to go to the moon. We choose to go to the moon in this decade and do the other things, not "
    "because they are easy, but because they are hard.",
    "That goal will serve to organize and measure the best of our energies and skills.",
    "It's a distance of two hundred and forty thousand miles, and we don't know what lies there.",
)


def speech(name, spoken_on, *paragraphs):
    return Transcript(name, name, None, spoken_on, None, paragraphs)


@pytest.fixture
def speeches():
    """The moon speech of 12 September 1962, and one a month before that has a sentence of it."""
    return [
        speech("moon", "1962-09-12", *MOON),
        speech("before", "1962-08-01", "Nothing yet.", "We choose to go to the moon, friends. Not today."),
        speech("undated", None, "Ask what you can do for your country, and for the freedom of man."),
    ]


@pytest.fixture
def matcher(speeches):
    return Matcher(WordIndex(speeches), days=30)
