"""Time codes of a transcript tell when each paragraph was said."""

import pytest

from indexer.paragraphs import split
from indexer.time_codes import format_time_code, parse_time_code
from rostrum_core.types import Document, Mark


def words(text):
    return len(text.split())


def times(text, *codes, limit=200):
    marks = tuple(Mark("time", code, start) for start, code in codes)
    found = split(Document("d", "t", text, marks=marks), count_tokens=words, limit=limit)
    return [(p.text, p.start_s, p.end_s) for p in found]


def test_a_paragraph_begins_with_the_code_before_it_and_ends_with_the_last_within():
    assert times(
        "One two.\n\nThree.\n\nFour.",
        (0, "0:00:01.000 --> 0:00:02.500"),
        (4, "0:00:03.000 --> 0:00:04.000"),
        (10, "0:00:04.500 --> 1:00:00.000"),
        (18, "1:00:07.250 --> 1:00:09.000"),
    ) == [("One two.", 1.0, 4.0), ("Three.", 4.5, 3600.0), ("Four.", 3607.25, 3609.0)]


def test_a_code_without_an_end_ends_where_the_next_begins():
    assert times("One.\n\nTwo.", (0, "[00:01]"), (6, "[00:00:09]")) == [
        ("One.", 1.0, 9.0),
        ("Two.", 9.0, None),
    ]


def test_a_code_that_ends_at_its_start_ends_where_the_next_begins():
    assert times("One.\n\nTwo.", (0, "0:00:01.000 --> 0:00:01.000"), (6, "0:00:09.000 --> 0:00:09.000")) == [
        ("One.", 1.0, 9.0),
        ("Two.", 9.0, None),
    ]


def test_a_single_code_without_an_end_tells_nothing():
    assert times("One.", (0, "(10:30)")) == [("One.", None, None)]
    assert times("One.", (0, "0:00:01.000 --> 0:00:02.000")) == [("One.", 1.0, 2.0)]


def test_words_before_the_first_time_code_have_no_time():
    assert times("One.\n\nTwo.", (6, "[00:09]"), (7, "[00:10]")) == [
        ("One.", None, None),
        ("Two.", 9.0, None),
    ]


def test_the_pieces_of_an_overlong_paragraph_have_their_own_times():
    assert times("A b. C d.", (0, "[00:01]"), (5, "[00:05]"), limit=2) == [
        ("A b.", 1.0, 5.0),
        ("C d.", 5.0, None),
    ]


def test_times_of_the_day_are_no_time_codes():
    assert times("One.", (0, "12:40 P.M. EDT"), (0, "END 1:05 P.M.")) == [("One.", None, None)]


def test_time_that_runs_back_is_of_several_recordings_and_tells_nothing():
    assert times("One.\n\nTwo.", (0, "[00:09]"), (6, "[00:01]")) == [
        ("One.", None, None),
        ("Two.", None, None),
    ]


def test_time_codes_change_neither_id_nor_hash_of_a_paragraph():
    plain, timed = (
        split(Document("d", "t", "One.", marks=marks), count_tokens=words)[0]
        for marks in ((), (Mark("time", "[00:09]", 0), Mark("time", "[00:10]", 4)))
    )
    assert (plain.id, plain.hash_text()) == (timed.id, timed.hash_text())
    assert timed.start_s == 9.0


@pytest.mark.parametrize(
    ("code", "seconds"),
    [
        ("123:00:01,5", (442_801.5, None)),
        ("(1:02:03.25)", (3723.25, None)),
        ("[00:12]:**", (12.0, None)),
        ("0:00:05 --> 0:00:03", (5.0, None)),
        ("soon", None),
        ("1:2:3:4", None),
    ],
)
def test_a_code_is_read_as_it_is_written(code, seconds):
    assert parse_time_code(code) == seconds


@pytest.mark.parametrize("start_s", [0.0, 0.0004, 59.9996, 3599.9999, 442_801.5])
def test_a_written_code_is_read_again_to_the_millisecond(start_s):
    assert parse_time_code(format_time_code(start_s, start_s + 1)) == (
        pytest.approx(start_s, abs=0.0006),
        pytest.approx(start_s + 1, abs=0.0006),
    )
