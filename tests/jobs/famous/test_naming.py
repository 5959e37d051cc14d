"""Whose words a sentence announces: authors and works of a list, and proverbs."""

from collections.abc import Sequence

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
    return find_in(QUOTES, left, right)


def find_in(quotes: Sequence[FamousQuote], left: str, right: str = "") -> list[str]:
    named = NamedQuotes(quotes).find(left, right)
    return [quote.id for quote, is_named in zip(quotes, named, strict=True) if is_named]


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


AUTHORS = (
    "Alexander Pope",
    "Anatole France",
    "Carl von Clausewitz",
    "Cato the Elder",
    "Francis Bacon",
    "Franklin D. Roosevelt",
    "George Eliot",
    "J.R.R. Tolkien",
    "John F. Kennedy",
    "Martin Luther",
    "Martin Luther King Jr.",
    "Paul",
    "Percy Bysshe Shelley",
    "Robert Burns",
    "T. S. Eliot",
    "Theodore Roosevelt",
)


@pytest.mark.parametrize(
    ("left", "authors"),
    [
        ("As Martin Luther King said,", ["Martin Luther King Jr."]),
        ("As Martin Luther King, Jr., said,", ["Martin Luther King Jr."]),
        ("As Luther said,", ["Martin Luther"]),
        ("As Pope Francis said,", []),
        ("As Pope wrote,", ["Alexander Pope"]),
        ("As Kevin Bacon said,", []),
        ("As Bacon, Lord Verulam, said,", ["Francis Bacon"]),
        ("As Tony Burns said:", []),
        ("As Bob Burns said:", ["Robert Burns"]),
        ("As Ted Kennedy said,", []),
        ("As Jack Kennedy said,", ["John F. Kennedy"]),
        ("As Eleanor Roosevelt said,", []),
        ("As President Roosevelt said,", ["Franklin D. Roosevelt", "Theodore Roosevelt"]),
        ("As Franklin D. Roosevelt said,", ["Franklin D. Roosevelt"]),
        ("As F. D. Roosevelt said,", ["Franklin D. Roosevelt"]),
        ("AS TEDDY ROOSEVELT SAID,", ["Theodore Roosevelt"]),
        ("As Thomas Eliot said,", ["T. S. Eliot"]),
        ("As George Eliot said,", ["George Eliot"]),
        ("As Eliot said,", ["George Eliot", "T. S. Eliot"]),
        ("As John Tolkien said,", ["J.R.R. Tolkien"]),
        ("As J. R. R. Tolkien said,", ["J.R.R. Tolkien"]),
        ("As von Clausewitz said,", ["Carl von Clausewitz"]),
        ("As Cato said,", ["Cato the Elder"]),
        ("As Pliny the Elder said,", []),
        ("As Paul said,", ["Paul"]),
        ("As Ron Paul said,", []),
        ("As Paul Krugman said,", []),
    ],
)
def test_a_name_means_an_author_and_no_namesake(left, authors):
    assert find_in([FamousQuote(author, "x", author) for author in AUTHORS], left) == authors


@pytest.mark.parametrize(
    ("left", "authors"),
    [
        ("In France, the minister said:", []),
        ("At the Kennedy Center, the minister said:", []),
        ("In the words of France:", ["Anatole France"]),
        ("In France’s words:", ["Anatole France"]),
        ("In Burns’ words:", ["Robert Burns"]),
        ("In Burns we read:", ["Robert Burns"]),
        ("In Shelley, the poet says:", ["Percy Bysshe Shelley"]),
        ("In Paul we find:", ["Paul"]),
        ("At Fort Burns the minister said:", []),
        ("She chalked two lines of Shelley:", ["Percy Bysshe Shelley"]),
        ("He had learnt from Shelley, and the word went to Burns:", ["Percy Bysshe Shelley", "Robert Burns"]),
        ("The Kennedy Center was full. Or, as the Kennedy Center has it, Kennedy said:", ["John F. Kennedy"]),
    ],
)
def test_a_name_means_an_author_and_no_place(left, authors):
    assert find_in([FamousQuote(author, "x", author) for author in AUTHORS], left) == authors


ROMANS = ("Cato the Elder", "Paul", "Pauline Frederick", "Seneca the Elder", "Seneca the Younger")


@pytest.mark.parametrize(
    ("left", "authors"),
    [
        ("As Seneca the Elder said,", ["Seneca the Elder"]),
        ("AS SENECA THE YOUNGER SAID,", ["Seneca the Younger"]),
        ("In Seneca the Younger’s words:", ["Seneca the Younger"]),
        ("As Seneca said,", ["Seneca the Elder", "Seneca the Younger"]),
        ("As Seneca the great thinker said,", ["Seneca the Elder", "Seneca the Younger"]),
        ("As Seneca, the Great Stoic, said,", ["Seneca the Elder", "Seneca the Younger"]),
        ("As Seneca the Great Stoic said,", ["Seneca the Elder", "Seneca the Younger"]),
        ("As Cato the Younger said,", []),
        ("As Frederick the Great said,", []),
        ("As Paul the Apostle said,", ["Paul"]),
    ],
)
def test_the_elder_the_younger_and_the_great_are_parts_of_a_name(left, authors):
    assert find_in([FamousQuote(author, "x", author) for author in ROMANS], left) == authors


def test_a_surname_means_whom_the_sentence_names_in_full():
    quotes = [FamousQuote(author, "x", author) for author in AUTHORS]
    assert find_in(quotes, "As Roosevelt said,", "Theodore Roosevelt that is.") == ["Theodore Roosevelt"]
    assert find_in(quotes, "As Ted Kennedy said of Kennedy’s dream,") == []
