"""What several commands take: the archive, dates, and the settings they end in."""

from __future__ import annotations

import os
import re
from calendar import monthrange
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import click

from rostrum.core.errors import BadInput
from rostrum.core.settings import ARCHIVE, OPENSEARCH_URL, Settings, read_settings

DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?", re.ASCII)

archive_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--archive",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the archive; else ROSTRUM_OPENSEARCH_URL, ROSTRUM_ARCHIVE, the user's data folder.",
)


def settings_of(archive: Path | None = None) -> Settings:
    """The settings of this run: the environment's, or with the folder of the command line if there is one."""
    told = dict(os.environ)
    if archive:
        told[ARCHIVE] = str(archive)
        told.pop(OPENSEARCH_URL, None)
    return read_settings(told)


def first_day(text: str) -> str:
    """The first day of a year, a month or a day, in ISO 8601.

    >>> first_day("1962"), first_day("1962-09"), first_day("1962-09-12")
    ('1962-01-01', '1962-09-01', '1962-09-12')

    Raises:
        BadInput: it is none.
    """
    return _day(text, last=False)


def last_day(text: str) -> str:
    """The last day of a year, a month or a day, in ISO 8601.

    >>> last_day("1964"), last_day("1964-02"), last_day("1964-02-03")
    ('1964-12-31', '1964-02-29', '1964-02-03')

    Raises:
        BadInput: it is none.
    """
    return _day(text, last=True)


def _day(text: str, *, last: bool) -> str:
    found = DATE.fullmatch(text)
    year, month, day = found.groups() if found else ("0", None, None)
    month = month or ("12" if last else "01")  # what is written is no empty text, "00" neither
    try:
        day = day or (str(monthrange(int(year), int(month))[1]) if last else "01")
        return date(int(year), int(month), int(day)).isoformat()
    except ValueError as error:
        raise BadInput(f"{text!r} is no date: write 1962, 1962-09 or 1962-09-12") from error
