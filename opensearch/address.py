"""Addresses of servers as operators give them."""

from __future__ import annotations

from urllib.parse import urlsplit

from rostrum_core.errors import BadInput


def check_address(url: str, of: str, field: str) -> None:
    """Nothing, if it is the address of a server and holds no secret: it is shown in messages and registered.

    >>> check_address("http://10.0.0.5:8000", "the service", "address")

    Raises:
        BadInput: it is none, or holds a user or a password.
    """
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  read to be checked
    except ValueError:  # its text may repeat a part of a password
        raise BadInput(f"the address of {of} has a host or a port that cannot be read", field=field) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"the address of {of} must begin with http:// or https://", field=field)
    if parts.username or parts.password:
        raise BadInput(f"the address of {of} must hold no user and no password", field=field)
