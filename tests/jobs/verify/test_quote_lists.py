"""Test which lists of quotations are refused, and with which words."""

import pytest

from jobs.verify.quote_lists import check_date, parse_quotes
from rostrum_core.errors import BadInput


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("2016-05-03", "2016-05-03"),
        ("2016-05-03T10:00:00Z", "2016-05-03"),
        (" 2016-05-03 10:00 ", "2016-05-03"),
        ("2016-05-03Z", "2016-05-03"),
        ("2016-05", "2016-05"),
        ("2016", "2016"),
        ("", None),
        (None, None),
    ],
)
def test_a_date_is_kept_without_its_time_of_day(written, date) -> None:
    assert check_date(written, "1") == date


@pytest.mark.parametrize(
    "written",
    ["2016-05-031", "2016-13", "2016-05-32", "May 2016", "3 May 2016", "12 September 1962", "20160503000"],
)
def test_what_is_no_date_is_refused_with_the_row(written) -> None:
    with pytest.raises(BadInput, match=r"row 7: '.*' is not a day, month or year"):
        check_date(written, "7")


def test_json_of_too_many_levels_is_refused_like_other_broken_json() -> None:
    nested = '{"quote": ' + "[" * 100_000 + "]" * 100_000 + "}"
    with pytest.raises(BadInput, match="line 1 is not JSON"):
        list(parse_quotes(nested, suffix=".jsonl"))


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
def test_a_json_string_may_contain_characters_that_other_programs_take_for_line_ends(mark) -> None:
    text = f'{{"quote": "We came.{mark}We planted."}}\n{{"quote": "We watered."}}\n'
    assert [(row.id, row.quote) for row in parse_quotes(text, suffix=".jsonl")] == [
        ("1", f"We came.{mark}We planted."),
        ("2", "We watered."),
    ]


def test_a_quotation_on_one_line_is_not_split_at_a_separator_inside_it() -> None:
    [row] = parse_quotes("“We came.\u2028We planted.”\n")
    assert row.quote == "We came.\u2028We planted."


def test_a_quotation_mark_left_open_is_bad_input_that_names_the_row() -> None:
    rows = '"We planted, Lincoln\n' + "a b c d e f g h,Kennedy\n" * 10_000
    with pytest.raises(BadInput, match=r"^row 2: .*is a quotation mark left open\?"):
        list(parse_quotes(f"quote,speaker\nWe came,Lincoln\n{rows}", suffix=".csv"))


def test_a_quotation_mark_left_open_in_the_header_is_bad_input() -> None:
    with pytest.raises(BadInput, match=r"^the head: .*is a quotation mark left open\?"):
        list(parse_quotes('"quote,speaker\n' + "We came,Lincoln\n" * 10_000, suffix=".csv"))
