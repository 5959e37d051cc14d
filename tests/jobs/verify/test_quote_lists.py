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
        ("2016-05", "2016-05"),
        ("2016", "2016"),
        ("", None),
        (None, None),
    ],
)
def test_a_date_is_kept_without_its_time_of_day(written, date) -> None:
    assert check_date(written, "1") == date


@pytest.mark.parametrize("written", ["2016-05-031", "2016-13", "2016-05-32", "May 2016", "20160503000"])
def test_what_is_no_date_is_refused_with_the_row(written) -> None:
    with pytest.raises(BadInput, match=r"row 7: '.*' is not a day, month or year"):
        check_date(written, "7")


def test_json_of_too_many_levels_is_refused_like_other_broken_json() -> None:
    nested = '{"quote": ' + "[" * 100_000 + "]" * 100_000 + "}"
    with pytest.raises(BadInput, match="line 1 is not JSON"):
        list(parse_quotes(nested, suffix=".jsonl"))
