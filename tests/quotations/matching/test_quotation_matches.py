"""A quotation is found at its characters, with small edits, within its days; or a reason says why not."""

import pytest

from quotations.matching.quotation_matches import Matcher, Reason
from quotations.matching.verification import Match
from quotations.matching.word_index import WordIndex
from tests.quotations.conftest import speech


@pytest.fixture
def place_of(matcher, speeches):
    """The words found for a quotation of 13 September 1962, `¶` between paragraphs."""

    def words(*parts, published="1962-09-13"):
        match = matcher.match(parts, published)
        assert isinstance(match, Match), match
        place = match.place
        (paragraphs,) = (found.paragraphs for found in speeches if found.id == place.document)
        texts = list(paragraphs[place.paragraph : place.last_paragraph + 1])
        texts[-1] = texts[-1][: place.end_char]
        texts[0] = texts[0][place.start_char :]
        return "¶".join(texts), match.exact, match.coverage

    return words


def test_the_same_words_are_exact_whatever_their_case_and_marks(place_of):
    assert place_of("we choose to go to the Moon in this decade,") == (
        "We choose to go to the moon in this decade",
        True,
        1.0,
    )


def test_numbers_and_contractions_are_the_same_words(place_of):
    found, exact, _ = place_of("It is a distance of 240,000 miles and we do not know")
    assert (found, exact) == (
        "It's a distance of two hundred and forty thousand miles, and we don't know",
        True,
    )


def test_a_quotation_may_go_over_paragraphs(place_of):
    found, exact, _ = place_of("because they are hard. That goal will serve")
    assert (found, exact) == ("because they are hard.¶That goal will serve", True)


@pytest.mark.parametrize(
    ("quote", "found", "coverage"),
    [
        ("That goal will serve to measure the best of our energies", None, 1.0),  # dropped: organize and
        ("That goal will serve us to organize and measure the best of our energies", None, 13 / 14),
        ("That aim will serve to organize and measure the best of our energies", None, 12 / 13),
        ("[The] goal will serve to organize and measure the best of [their] energies", "goal", 1.0),
        ("That goal ... measure the best of our energies", None, 1.0),
        ("That goal will serve to orqanize and measure the best of our energies", None, 1.0),
        ("That goal wil serve to organize and measure tne best of our energies", None, 1.0),
    ],
    ids=["dropped", "added", "changed", "brackets", "ellipsis", "misspelled", "short ones misspelled"],
)
def test_small_edits_are_found_and_no_longer_exact(place_of, quote, found, coverage):
    whole = "That goal will serve to organize and measure the best of our energies"
    expected = whole.removeprefix("That ") if found else whole
    words, exact, covered = place_of(quote)
    assert (words, exact) == (expected, False)
    assert covered == pytest.approx(coverage)


def test_parts_around_he_said_are_one_place(place_of):
    assert place_of("We choose to go to the moon in this decade", "and do the other things,") == (
        "We choose to go to the moon in this decade and do the other things",
        True,
        1.0,
    )


@pytest.mark.parametrize(
    ("parts", "published", "reason"),
    [
        (["We choose to go there"], "1962-09-13", Reason.SHORT),
        (["so " * 501], "1962-09-13", Reason.LONG),
        (["We choose [to go to the moon] now"], "1962-09-13", Reason.SHORT),
        (["We choose to go to the moon"], None, Reason.UNDATED),
        (["We choose to go to the moon"], "1999-01-01", Reason.OUTSIDE),
        (["Nobody ever uttered such phrases anywhere"], "1962-09-13", Reason.UNSEEN),
        (["We choose to go to bed early every evening instead"], "1962-09-13", Reason.DIFFERENT),
        (["We choose to go to the moon", "nobody said"], "1962-09-13", Reason.DIFFERENT),
        (["Ask what you can do for your country"], "1962-09-13", Reason.UNSEEN),
    ],
    ids=[
        "short",
        "long",
        "brackets do not count",
        "no date",
        "no speech",
        "unseen",
        "other",
        "one part",
        "undated speech",
    ],
)
def test_a_reason_says_why_there_is_no_match(matcher, parts, published, reason):
    assert matcher.match(parts, published) is reason


def test_the_word_that_tells_most_must_be_among_those_found():
    filler = "the people of the country want the good of the land and the needs of the American people. " * 20
    matcher = Matcher(WordIndex([speech("s", "2017-02-18", filler)]), days=30)
    assert matcher.match(["the enemy of the American people"], "2017-02-19") is Reason.DIFFERENT
    assert isinstance(matcher.match(["the needs of the American people"], "2017-02-19"), Match)


@pytest.mark.parametrize(
    ("published", "document"),
    [("1962-09-13", "moon"), ("1962-08-30", "before"), ("1962-09-10", "moon"), ("1962-09-09", None)],
    ids=["a day later", "the earlier one", "two days before", "three days before"],
)
def test_a_speech_is_at_most_thirty_days_older_and_two_younger(speeches, published, document):
    matcher = Matcher(WordIndex(speeches), days=30)
    match = matcher.match(["We choose to go to the moon"], published)
    assert (match.place.document if isinstance(match, Match) else None) == document


def test_of_equal_places_the_one_spoken_nearest_is_taken(speeches):
    any_day = Matcher(WordIndex(speeches), days=None)
    quote = ["We choose to go to the moon"]
    assert any_day.match(quote, "1962-07-01").place.document == "before"
    assert any_day.match(quote, "1963-07-01").place.document == "moon"
    assert any_day.match(["Ask what you can do for your country"], None).place.document == "undated"


def test_an_archive_without_a_word_has_nothing(speeches):
    assert Matcher(WordIndex([]), days=None).match(["We choose to go to the moon"], None) is Reason.OUTSIDE
    empty = Matcher(WordIndex([speech("e", "1962-09-12", "", "?!")]), days=None)
    assert empty.match(["We choose to go to the moon"], None) is Reason.UNSEEN


def test_paragraphs_without_words_are_counted():
    matcher = Matcher(
        WordIndex([speech("s", None, "", "* * *", "We choose to go to the moon.", "")]), days=None
    )
    place = matcher.match(["We choose to go to the moon"], None).place
    assert (place.paragraph, place.last_paragraph, place.start_char, place.end_char) == (2, 2, 0, 27)
