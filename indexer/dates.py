"""Calendar dates as transcripts write them, in ISO 8601."""

from __future__ import annotations

import re
from datetime import date

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = r"(?P<month>(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\.?"
DAY, YEAR = r"(?:the\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
# Dates all in figures count only with the year first: 02/03/2016 is two days in two countries.
FIGURES = re.compile(r"(?P<year>\d{4})([-/.]?)(?P<month>\d{2})\2(?P<day>\d{2})(?!\d)")
# With one figure for January or the 5th: where a date is told, and not in running text.
SHORT_FIGURES = re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)")
WORDS = (
    re.compile(rf"\b{MONTH}\s+{DAY},?\s+{YEAR}\b", re.IGNORECASE),
    re.compile(rf"\b{DAY}\s+(?:of\s+)?{MONTH},?\s+{YEAR}\b", re.IGNORECASE),
)
WEEKDAY = re.compile(
    r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+", re.IGNORECASE
)


def calendar_date(written: str) -> str:
    """The date that `written` is, as "1863-11-19"; a time of day after it is left out.

    >>> calendar_date("November 19, 1863"), calendar_date("2016-09-28T20:00:00-04:00")
    ('1863-11-19', '2016-09-28')
    >>> calendar_date("Thursday, the 19th of November, 1863"), calendar_date("2016-9-8")
    ('1863-11-19', '2016-09-08')

    Raises:
        ValueError: it is not one calendar date, or one that no calendar has.
    """
    plain = WEEKDAY.sub("", written.strip(), count=1) if WEEKDAY.match(written.strip()) else written.strip()
    found = FIGURES.match(plain) or SHORT_FIGURES.match(plain)
    if found and re.fullmatch(r"(?:[T ].*)?", plain[found.end() :]):
        return _iso(found)
    for pattern in WORDS:
        if found := pattern.fullmatch(plain):
            return _iso(found)
    raise ValueError(f"not a calendar date with year, month and day: {written[:60]!r}")


def date_in(text: str) -> str | None:
    """The first date that stands in `text`; `None` where there is none.

    >>> date_in("Delivered at Gettysburg on 19 November 1863, in the afternoon"), date_in("in 1863")
    ('1863-11-19', None)
    """
    for pattern in (FIGURES, *WORDS):
        for found in pattern.finditer(text):
            try:
                return _iso(found)
            except ValueError:  # figures that only look like a date: the next may be one
                continue
    return None


def _iso(found: re.Match[str]) -> str:
    month = found["month"].lower()
    number = int(month) if month.isdigit() else MONTHS.index(month[:3]) + 1
    try:
        return date(int(found["year"]), number, int(found["day"])).isoformat()
    except ValueError as error:
        raise ValueError(f"not a calendar date: {found[0]!r}, {error}") from error
