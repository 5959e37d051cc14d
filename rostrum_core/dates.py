"""Parse and compare calendar dates, as people write them and as filters and stores use them."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date

from rostrum_core.errors import BadInput

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)


def count_day(text: str, field: str | None = None) -> int:
    """Return a calendar date as a number of days since the year 1, so that dates compare as numbers.

    >>> count_day("0001-01-02")
    2

    Raises:
        BadInput: the text is not written like 1863-11-19, or there is no such day; the error names `field`.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"{text!r} is not a date like 1863-11-19", field=field) from error
    if day.isoformat() != text:  # reject the other forms of ISO 8601, which a store need not know
        raise BadInput(f"{text!r} is not a date like 1863-11-19", field=field)
    return day.toordinal()


def get_first_day(text: str, field: str | None = None) -> str:
    """Return the first day of a year, a month or a day, in ISO 8601.

    >>> get_first_day("1962"), get_first_day("1962-09"), get_first_day("1962-09-12")
    ('1962-01-01', '1962-09-01', '1962-09-12')

    Raises:
        BadInput: the text is not a date; the error names `field`.
    """
    return _complete_day(text, field, last=False)


def get_last_day(text: str, field: str | None = None) -> str:
    """Return the last day of a year, a month or a day, in ISO 8601.

    >>> get_last_day("1964"), get_last_day("1964-02"), get_last_day("1964-02-03")
    ('1964-12-31', '1964-02-29', '1964-02-03')

    Raises:
        BadInput: the text is not a date; the error names `field`.
    """
    return _complete_day(text, field, last=True)


def read_whole_day(text: str | None) -> str | None:
    """Return a date if it names a day; return `None` for a month, a year or no date.

    >>> read_whole_day("1962-09-12"), read_whole_day("1962-09")
    ('1962-09-12', None)
    """
    match = DATE.fullmatch(text or "")
    return text if match and match[3] else None


def format_date(text: str) -> str:
    """Format a date as in English print.

    >>> format_date("2023-07-21"), format_date("2023-07"), format_date("2023")
    ('July 21, 2023', 'July 2023', '2023')
    """
    year, _, rest = text.partition("-")
    month, _, day = rest.partition("-")
    if not month:
        return year
    name = MONTHS[int(month) - 1]
    return f"{name} {int(day)}, {year}" if day else f"{name} {year}"


def _complete_day(text: str, field: str | None, *, last: bool) -> str:
    match = DATE.fullmatch(text)
    year, month, day = match.groups() if match else ("0", None, None)
    month = month or ("12" if last else "01")  # a written value is never empty text, not even "00"
    try:
        day = day or (str(monthrange(int(year), int(month))[1]) if last else "01")
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError as error:
        raise BadInput(f"{text!r} is not a date: write 1962, 1962-09 or 1962-09-12", field=field) from error
