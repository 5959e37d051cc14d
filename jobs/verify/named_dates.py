"""Find the day, month or year that a draft names as the date of a quotation."""

from __future__ import annotations

import re
from datetime import date, timedelta

from indexer.dates import parse_day
from quotations.text.meaning import MONTHS

MONTH = "|".join(sorted((name.capitalize() for name in MONTHS), key=len, reverse=True))
DAYS = "Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday"
DATED = re.compile(
    rf"\b(?:[Oo]n|[Ii]n|of|[Ff]rom|[Ll]ast|[Dd]uring)\ (?:(?:early|late|mid|the|his|her)[\ -])?"
    rf"(?:(?:(?:{DAYS}),\ )?(?P<full>(?:{MONTH})\.?\ \d{{1,2}}(?!\d)(?:st|nd|rd|th)?(?:,?\ \d{{4}})?)"
    rf"|(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\ (?:of\ )?(?P<of>(?:{MONTH}))\.?(?:,?\ (?P<in>\d{{4}}))?(?!\d)"
    rf"|(?P<month>(?:{MONTH}))\.?(?:,?\ (?P<year>\d{{4}}))?|(?P<only>(?:1[789]|20)\d\d)\b"
    rf"|(?P<weekday>{DAYS}))"
)
WEEKDAYS = DAYS.split("|")
SAYING = (
    r"(?:said|says|spoke|speaks|told|asked|aired|published|broadcast|delivered|gave|given|made|posted|tweeted"
    r"|speech|interview|address|remarks|rally|debate|conference)"
)
OF_EVENT = re.compile(
    r"\b(?:after|before|since|until|till|by|that|which|who|whose|whom|where|because|than|as\ of)\b"
    rf"(?:(?!\b{SAYING}\b)[^,;:—–()])*$",
    re.IGNORECASE,
)
"""Match the words before the date of another event: "after the ban lapsed in 2004"."""

OF_TOPIC = re.compile(
    r"\b(?:said|says|spoke|speaks|spoken|thought|warned)\ (?:of|about)\ (?:the|a|an|his|her)\b[^,;:]*$"
)
"""Match the words before a date that belongs to the topic: "said of the war that began in 2003"."""


def find_date(text: str, printed_on: str | None = None) -> str | None:
    """Return the first day, month or year in `text` that can be the date of a quotation.

    Weekdays, and days without a year, are resolved relative to `printed_on`, the day of the article. Dates of
    other events are skipped.

    >>> find_date("he told reporters in May 2016"), find_date("after the ban lapsed in 2004")
    ('2016-05', None)
    """
    for match in DATED.finditer(text):
        before = text[: match.start()]
        if OF_EVENT.search(before) or OF_TOPIC.search(before):
            continue
        if (said_on := _resolve(match, printed_on)) is not None:
            return said_on
    return None


def _resolve(match: re.Match[str], printed_on: str | None) -> str | None:
    if match["only"]:
        return match["only"]
    today = date.fromisoformat(printed_on) if printed_on else None
    if match["weekday"]:
        return _resolve_weekday(match["weekday"], today)
    if match["month"]:
        return _resolve_month(match["month"], match["year"], today)
    if match["day"]:
        return _resolve_day(f"{match['of']} {match['day']}, {match['in'] or ''}".strip(" ,"), today)
    return _resolve_day(match["full"], today)


def _resolve_weekday(name: str, today: date | None) -> str | None:
    if today is None:
        return None
    return (today - timedelta((today.weekday() - WEEKDAYS.index(name)) % 7)).isoformat()


def _resolve_month(name: str, year: str | None, today: date | None) -> str | None:
    number = [*dict.fromkeys(MONTHS.values())].index(MONTHS[name.casefold()]) + 1
    if year:
        return f"{int(year):04d}-{number:02d}"
    return f"{_resolve_year(number, 1, today):04d}-{number:02d}" if today else None


def _resolve_year(month: int, day: int, today: date) -> int:
    """Return the latest year in which the day `day` of the month `month` is not after `today`."""
    return today.year if (month, day) <= (today.month, today.day) else today.year - 1


def _resolve_day(text: str, today: date | None) -> str | None:
    if not re.search(r"\d{4}", text):
        if today is None:
            return None
        month = MONTHS[re.split(r"[. ]", text, maxsplit=1)[0].casefold()]
        number = [*dict.fromkeys(MONTHS.values())].index(month) + 1
        day = int(re.search(r"\d+", text)[0])  # type: ignore[index]
        text = f"{text}, {_resolve_year(number, day, today)}"
    try:
        return parse_day(re.sub(r"(?<=\d)(?:st|nd|rd|th)", "", text).replace(".", ""))
    except ValueError:
        return None
