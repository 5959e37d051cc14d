"""Words are compared without what print and transcript spell differently, and know their characters."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotations.text.numbers import UNITS, read_number
from quotations.text.words import split_words


def keys(text):
    return [word.key for word in split_words(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("DON'T", "do not"),
        ("It’s", "it is"),
        ("we'll, they've; I'm", "We will they have I am"),
        ("can't and cannot", "can not AND can not"),
        ("e-mail", "Email"),
        ("the U.S.A.", "the USA"),
        ("[T]he people", "The people"),
        ("café—society", "cafe society"),
        ("twelve-year-old", "12-year-old"),
        ("twenty-one", "21"),
        ("two hundred and forty thousand", "240,000"),
        ("the twenty-first century", "the 21st century"),
        ("1,240,000", "1240000"),
        ("1,5", "1.5"),
        ("the 2,000th", "the 2000th"),
        ("first", "1st"),
        ("fifty percent", "50%"),
        ("“quoted” ‘twice’", "\"quoted\" 'twice'"),
        ("don´t", "do not"),
        ("[I]t’s [D]on’t [I]’m", "it is do not I am"),
        ("Boli\u0301var’s demo\u00adcracy coun\u200btry", "Bolívar's democracy country"),
        ("Twenty- two", "22"),
        ("forty–five", "45"),
        ("one thousand, two hundred dollars", "1,200 dollars"),
    ],
)
def test_two_spellings_have_the_same_words(one, other):
    assert keys(one) == keys(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("2015", "2016"),
        ("I was twenty. One day", "I was 21 day"),
        ("a hundred thousand, two hundred thousand people", "a 300000 people"),
        ("a hundred thousand, two hundred thousand people", "a 100200 thousand people"),
        ("one thousand two thousand", "3000"),
        ("twenty, five", "25"),
        ("America's", "America is"),
        ("fourteen", "forty"),
        ("1.5", "15"),
        ("1,5", "15"),
    ],
)
def test_different_words_stay_different(one, other):
    assert keys(one) != keys(other)


@pytest.mark.parametrize("sign", ["ʼ", "ﾞ", "ʼ.ʼ."])  # letters by Unicode, of which comparing leaves nothing
def test_a_letter_of_which_nothing_is_left_is_no_word(sign):
    assert keys(sign) == []
    assert [(word.key, word.start_char) for word in split_words(f"a {sign} b")] == [
        ("a", 0),
        ("b", 3 + len(sign)),
    ]


def test_a_word_knows_its_characters_and_a_contraction_shares_them():
    text = "So, we don't pay two hundred dollars."
    assert [(word.key, text[word.start_char : word.end_char]) for word in split_words(text)] == [
        ("so", "So"),
        ("we", "we"),
        ("do", "don't"),
        ("not", "don't"),
        ("pay", "pay"),
        ("200", "two hundred"),
        ("dollars", "dollars"),
    ]


@pytest.mark.parametrize(
    ("written", "figures"),
    [
        ("nineteen", "19"),
        ("ninety nine", "99"),
        ("one hundred", "100"),
        ("five hundred and six", "506"),
        ("twelve thousand three hundred", "12300"),
        ("three hundred thousand", "300000"),
        ("one hundred third", "103th"),
    ],
)
def test_number_words_are_read(written, figures):
    assert read_number(written.split(), 0) == (figures, len(written.split()))


@pytest.mark.parametrize("written", ["one two", "five twenty", "ten eleven", "two and three", "one zero"])
def test_numbers_that_do_not_go_together_are_two(written):
    first = written.split()[0]
    assert read_number(written.split(), 0) == (str(UNITS[first]), 1)


@given(st.text(max_size=80))
def test_any_text_has_words_in_order_within_it(text):
    found = split_words(text)
    assert all(word.key and 0 <= word.start_char < word.end_char <= len(text) for word in found)
    assert [word.start_char for word in found] == sorted(word.start_char for word in found)


@pytest.mark.slow
def test_numbers_without_end_are_read_in_time_that_grows_with_them():
    def seconds(count):
        started = time.process_time()
        assert len(list(split_words("one two " * count))) == 2 * count
        return time.process_time() - started

    seconds(100)
    assert min(seconds(20_000) for _ in range(3)) < 30 * min(seconds(2_000) for _ in range(3))
