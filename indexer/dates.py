"""Parse the dates in transcripts to ISO 8601: days, or months or years if the day is unknown."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

from rostrum_core.dates import get_first_day

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
# Months in the languages of parliaments whose transcripts were tried, and of their neighbours. A row is one
# month; forms that are spelt alike in several languages stand once.
OTHER_MONTHS = (
    "gener enero janeiro janvier januar jänner gennaio januari",
    "febrer febrero fevereiro février februar feber febbraio februari",
    "març marzo março mars märz maart",
    "abril avril april aprile",
    "maig mayo maio mai maggio mei",
    "juny junio junho juin juni giugno",
    "juliol julio julho juillet juli luglio",
    "agost agosto août august augustus",
    "setembre septiembre setembro septembre september settembre",
    "octubre outubro octobre oktober ottobre",
    "novembre noviembre novembro november",
    "desembre diciembre dezembro décembre dezember dicembre december",
)
MONTH_NUMBERS = {name: n for n, names in enumerate(OTHER_MONTHS, 1) for name in names.split()}
OTHER_MONTH = rf"(?P<month>{'|'.join(sorted(MONTH_NUMBERS, key=len, reverse=True))})"
DAY, YEAR = r"(?:the\s+)?(?P<day>\d{1,2})(?:st|nd|rd|th)?", r"(?P<year>\d{4})"
WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
# All-numeric dates count with the year first. With the year last they count only if one number cannot be a
# month, or if both are the same: 02/03/2016 is a different day in different countries.
FIGURES = re.compile(r"(?P<year>\d{4})([-/.]?)(?P<month>\d{2})\2(?P<day>\d{2})(?!\d)")
# Allow one figure for January or the 5th where a date is expected, but not in running text.
SHORT_FIGURES = re.compile(r"(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?!\d)")
YEAR_LAST = re.compile(r"(?P<first>\d{1,2})([-/.])(?P<second>\d{1,2})\2(?P<year>\d{4})(?!\d)")
WORDS = (
    re.compile(rf"\b{WEEKDAY}{MONTH}\s+{DAY},?\s+{YEAR}\b", re.IGNORECASE),
    re.compile(rf"\b{WEEKDAY}{DAY}\s+(?:(?:day\s+)?of\s+)?{MONTH},?\s+{YEAR}\b", re.IGNORECASE),
    re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:er|[.º°])?\s+(?:de\s+|d['’]\s?)?{OTHER_MONTH}\s+(?:del?\s+)?{YEAR}\b",
        re.IGNORECASE,
    ),
)
TIME_OF_DAY = re.compile(r"(?:[T ,].*)?", re.DOTALL)
YEAR_ALONE = re.compile(YEAR)
MONTH_ALONE = (
    re.compile(rf"{MONTH},?\s+(?:of\s+)?{YEAR}", re.IGNORECASE),
    re.compile(r"(?P<year>\d{4})[-/](?P<month>\d{1,2})"),
    re.compile(r"(?P<month>\d{1,2})[-/.](?P<year>\d{4})"),
)
# Seconds or milliseconds since 1970, as programs store a time: ten or thirteen figures, 2001 to 2286.
SECONDS, MILLISECONDS = re.compile(r"[1-9]\d{9}(?:\.\d+)?"), re.compile(r"[1-9]\d{12}")
IN_NAME = re.compile(r"(?<!\d)(?P<year>\d{4})(?P<gap>[-_. ]?)(?P<month>\d{2})(?P=gap)(?P<day>\d{2})(?!\d)")
IN_NAME_YEAR_LAST = re.compile(
    r"(?<!\d)(?P<first>\d{2})(?P<gap>[-_. ]?)(?P<second>\d{2})(?P=gap)(?P<year>\d{4})(?!\d)"
)
YEARS_IN_NAMES = range(1600, 2200)  # for eight figures in a row: a wider range would take numbers for days


def parse_day(written: str) -> str:
    """Parse a day and return it as "1863-11-19"; a time of day after it is ignored.

    >>> parse_day("November 19, 1863"), parse_day("2016-09-28T20:00:00-04:00")
    ('1863-11-19', '2016-09-28')
    >>> parse_day("Thursday, the 19th of November, 1863"), parse_day("2016-9-8")
    ('1863-11-19', '2016-09-08')
    >>> parse_day("25/12/1863"), parse_day("1614816000")
    ('1863-12-25', '2021-03-04')
    >>> parse_day("٢٠٢١-٠٣-٠٤"), parse_day("２０２１-０３-０４")
    ('2021-03-04', '2021-03-04')

    Raises:
        ValueError: the text is not exactly one date, or the date does not exist.
    """
    plain = _convert_digits(written.strip())
    for pattern in (FIGURES, SHORT_FIGURES, *WORDS):
        if (match := pattern.match(plain)) and TIME_OF_DAY.fullmatch(plain, match.end()):
            return _read_match(match)
    if (match := YEAR_LAST.match(plain)) and TIME_OF_DAY.fullmatch(plain, match.end()):
        return _read_year_last(match)
    if SECONDS.fullmatch(plain) or MILLISECONDS.fullmatch(plain):
        seconds = int(plain[:10])
        return datetime.fromtimestamp(seconds, UTC).date().isoformat()
    raise ValueError(f"not a calendar date with year, month and day: {written[:60]!r}")


def parse_date(written: str) -> str:
    """Parse a day, month or year and return it as "1863-11-19", "1863-11" or "1863".

    >>> parse_date("19 November 1863"), parse_date("March 2021"), parse_date("2021")
    ('1863-11-19', '2021-03', '2021')

    Raises:
        ValueError: the text is none of these, or the date does not exist.
    """
    plain = _convert_digits(written.strip())
    if YEAR_ALONE.fullmatch(plain) and int(plain):
        return plain
    for pattern in MONTH_ALONE:
        match = pattern.fullmatch(plain)
        if match and int(match["year"]) and 1 <= (month := _parse_month(match["month"])) <= 12:
            return f"{match['year']}-{month:02d}"
    return parse_day(written)


def find_day(text: str) -> str | None:
    """Return the first complete date in a text as "1863-11-19"; `None` if the text has no date.

    >>> find_day("Delivered at Gettysburg on 19 November 1863, in the afternoon"), find_day("in 1863")
    ('1863-11-19', None)
    """
    text = _convert_digits(text)
    for pattern in (FIGURES, *WORDS):
        for match in pattern.finditer(text):
            try:
                return _read_match(match)
            except ValueError:  # figures that only look like a date: the next match may be one
                continue
    return None


def find_day_in_name(stem: str) -> tuple[str, tuple[int, int]] | None:
    """Return the first complete date in a file's name, with its range; `None` without a date.

    If the year comes last and the order of day and month is unclear, only the year is returned.

    >>> find_day_in_name("Roe_2021-03-04_bridge"), find_day_in_name("debates2021-03-04a")
    (('2021-03-04', (4, 14)), ('2021-03-04', (7, 17)))
    >>> find_day_in_name("20210304 Roe"), find_day_in_name("report 12345678"), find_day_in_name("2021-02-31")
    (('2021-03-04', (0, 8)), None, None)
    >>> find_day_in_name("PCAT-0101-17012018"), find_day_in_name("sitting 12-03-2021")
    (('2018-01-17', (10, 18)), ('2021', (8, 18)))
    """
    stem = _convert_digits(stem)
    for pattern in (IN_NAME, *WORDS):
        for match in pattern.finditer(stem if pattern is IN_NAME else re.sub("[-_]", " ", stem)):
            if pattern is IN_NAME and not match["gap"] and int(match["year"]) not in YEARS_IN_NAMES:
                continue
            try:
                return _read_match(match), match.span()
            except ValueError:
                continue
    for match in IN_NAME_YEAR_LAST.finditer(stem):
        if int(match["year"]) in YEARS_IN_NAMES and (days := _list_orders(match)):
            return (days[0] if len(days) == 1 else match["year"]), match.span()
    return None


def is_to_come(spoken_on: str, today: date | None = None) -> bool:
    """Return whether a date is certainly later than `today`, by default the current day in UTC.

    A year or a month, such as "1863" or "2021-12", is later only if all its days are. Tomorrow does not
    count, because it may already be that day in another time zone.

    >>> is_to_come("3000-01-01"), is_to_come("1863"), is_to_come("2021-12", date(2021, 11, 30))
    (True, False, False)
    """
    tomorrow = (today or datetime.now(UTC).date()) + timedelta(days=1)
    return get_first_day(spoken_on) > tomorrow.isoformat()


def _read_year_last(match: re.Match[str]) -> str:
    """Return the day of a numeric date with the year last, such as "25/12/1863", as "1863-12-25".

    The month may come first or second. "25/12/1863" has only one possible order; "05/12/1863" has two.

    Raises:
        ValueError: both orders are possible, or neither is.
    """
    days = _list_orders(match)
    if len(days) > 1:
        raise ValueError(f"{match[0]!r} may be two days: write the year first, or the month as a word")
    if not days:
        raise ValueError(f"not a calendar date: {match[0]!r}")
    return days[0]


def _list_orders(match: re.Match[str]) -> list[str]:
    """Return the days that a date of two numbers and a year may mean, such as "12-03-2021".

    Either number may be the month. Days that do not exist are left out.
    """
    days = []
    for month, day in {(match["second"], match["first"]), (match["first"], match["second"])}:
        with suppress(ValueError):
            days.append(date(int(match["year"]), int(month), int(day)).isoformat())
    return days


def _convert_digits(text: str) -> str:
    """Return a text with the decimal digits of other scripts as ASCII digits; its length stays the same.

    >>> _convert_digits("٠٥-０６-2021")
    '05-06-2021'
    """
    return text if text.isascii() else re.sub(r"\d", lambda digit: str(int(digit[0])), text)


def _parse_month(month: str) -> int:
    if month.isdigit():
        return int(month)
    return MONTH_NUMBERS.get(month.lower()) or MONTHS.index(month[:3].lower()) + 1


def _read_match(match: re.Match[str]) -> str:
    try:
        return date(int(match["year"]), _parse_month(match["month"]), int(match["day"])).isoformat()
    except ValueError as error:
        raise ValueError(f"not a calendar date: {match[0]!r}, {error}") from error
