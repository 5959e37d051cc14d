"""Check addresses of servers that operators enter."""

from __future__ import annotations

from urllib.parse import urlsplit

from rostrum_core.errors import BadInput


def check_address(url: str, of: str, field: str) -> None:
    """Raise an error unless `url` is the address of a server and contains no secrets.

    `of` is the server's name in the error's message. `field` is the name of the input that is checked.

    >>> check_address("http://10.0.0.5:8000", "the service", "address")

    Raises:
        BadInput: `url` is not an address, or contains a user or a password.
    """
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  read to be checked
    except ValueError:  # the parser's message may repeat a part of a password
        raise BadInput(f"the address of {of} has a host or a port that cannot be read", field=field) from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput(f"the address of {of} must begin with http:// or https://", field=field)
    if parts.username or parts.password:
        raise BadInput(f"the address of {of} must hold no user and no password", field=field)
