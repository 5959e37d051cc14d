"""Recognise browsers' requests for pages, and addresses that need no key."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.types import Scope

OPEN = ("/docs", "/health", "/ready", "/openapi.json", "/login")
"""Paths that reveal nothing about drafts or speeches, so that monitoring and signing in need no key."""

STATIC = "/static/"
"""Prefix of the paths of styles and scripts, which need no key either."""

START = "/"
PROGRAMS = ("/v1/", "/v2/")
"""Prefixes of paths whose responses are always for programs."""


def is_for_page(scope: Scope) -> bool:
    """Return whether a browser requests a page or a part of a page, and not JSON.

    Requests below `/v1/` and `/v2/` are always for JSON.

    >>> is_for_page({"path": "/check", "headers": [(b"accept", b"text/html,*/*;q=0.8")]})
    True
    >>> is_for_page({"path": "/v1/models", "headers": [(b"accept", b"text/html")]})
    False
    """
    if scope["path"].startswith(PROGRAMS):
        return False
    return "text/html" in Headers(raw=scope["headers"]).get("accept", "")


def is_open(scope: Scope) -> bool:
    """Return whether a request needs no key.

    The path `/` needs a key when a browser requests the page, but not when a program requests the list of
    addresses.

    >>> is_open({"path": "/", "method": "GET", "headers": []})
    True
    >>> is_open({"path": "/", "method": "GET", "headers": [(b"accept", b"text/html")]})
    False
    """
    if scope["path"] == START:
        return scope["method"] in ("GET", "HEAD") and not is_for_page(scope)
    return scope["path"] in OPEN or scope["path"].startswith(STATIC)


def is_visit(scope: Scope) -> bool:
    """Return whether a person follows a link to a page, possibly from another site.

    Source: W3C, Fetch Metadata Request Headers.
    """
    headers = Headers(raw=scope["headers"])
    return (
        scope["method"] in ("GET", "HEAD")
        and is_for_page(scope)
        and headers.get("sec-fetch-mode") == "navigate"
        and headers.get("sec-fetch-dest") == "document"
        and headers.get("sec-fetch-user") == "?1"
    )
