"""Whose words a sentence announces: authors and works of a list, and proverbs."""

import pytest

from jobs.famous.naming import NamedQuotes
from rostrum_core.famous_quotes import FamousQuote

QUOTES = (
    FamousQuote("twain", "Always do right.", "Mark Twain", "Speech"),
    FamousQuote("king", "I have a dream.", "Martin Luther King Jr.", "Address at the Lincoln Memorial"),
    FamousQuote("truth", "Ye shall know the truth.", "", "King James Bible"),
    FamousQuote("hamlet", "The rest is silence.", "William Shakespeare", "Hamlet"),
    FamousQuote("if", "If you can keep your head", "Rudyard Kipling", "If—"),
    FamousQuote("proverb", "A stitch in time saves nine."),
    FamousQuote("ortega", "I am I and my circumstance.", "José Ortega y Gasset", "Meditations on Quixote"),
)


def find(left: str, right: str = "") -> list[str]:
    named = NamedQuotes(QUOTES).find(left, right)
    return [quote.id for quote, is_named in zip(QUOTES, named, strict=True) if is_named]


@pytest.mark.parametrize(
    ("left", "right", "ids"),
    [
        ("As Mark Twain put it,", "", ["twain"]),
        ("He said it with Twain’s words:", "", ["twain"]),
        ("The nation remembers the hour,", "as King told the crowd that day.", ["king"]),
        ("The preacher opened the Bible:", "", ["truth"]),
        ("She ended with Hamlet:", "", ["hamlet"]),
        ("Or, as the old proverb has it,", "", ["proverb"]),
        ("JOSÉ ORTEGA Y GASSET wrote:", "", ["ortega"]),
        ("The twain shall meet, the king is dead,", "", []),
        ("If they had known,", "", []),
        ("Twain was right. Nobody doubts it:", "", []),
        ("It is so:", "That is settled. Twain knew.", []),
        ("", "", []),
    ],
)
def test_the_sentence_of_the_gap_names_the_source(left, right, ids):
    assert find(left, right) == ids


def test_names_are_found_on_both_sides_and_all_count():
    assert find("Twain and Shakespeare agree:", "said Kipling") == ["twain", "hamlet", "if"]
