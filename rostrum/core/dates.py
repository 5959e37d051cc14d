"""Calendar dates, as filters and stores compare them."""

from __future__ import annotations

from datetime import date

from rostrum.core.errors import BadInput


def day(text: str, field: str | None = None) -> int:
    """A calendar date as a number of days, by which dates are compared.

    >>> day("0001-01-02")
    2

    Raises:
        BadInput: the text is not written like 1863-11-19, or there is no such day; `field` names it.
    """
    try:
        found = date.fromisoformat(text)
    except ValueError as error:
        raise BadInput(f"{text!r} is not a date like 1863-11-19", field=field) from error
    if found.isoformat() != text:  # ISO 8601 has other forms, which a store need not know
        raise BadInput(f"{text!r} is not a date like 1863-11-19", field=field)
    return found.toordinal()
