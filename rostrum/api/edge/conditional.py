"""Answer conditional requests: entity tags and `If-None-Match`, as in RFC 9110."""

from __future__ import annotations

import re

from starlette.requests import Request

ENTITY_TAG = re.compile(r'\s*(?:W/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)|\s*(?:,|$)')
CACHE_CONTROL = "private, no-cache"
"""Only the client may cache a response, and it revalidates it each time."""


def tag_headers(tag: str) -> dict[str, str]:
    """Return the headers of a response with a weak tag."""
    return {"ETag": f'W/"{tag}"', "Cache-Control": CACHE_CONTROL}


def has_any(request: Request) -> bool:
    """Return whether the client has some response of this address and wants no other (`If-None-Match: *`)."""
    return request.method in ("GET", "HEAD") and _condition(request) == "*"


def has_answer(request: Request, tag: str) -> bool:
    """Return whether the client has the response with this tag already. Tags are compared weakly."""
    return request.method in ("GET", "HEAD") and tag in parse_tags(_condition(request))


def parse_tags(text: str) -> list[str]:
    r"""Parse a list of entity tags; a malformed list is ignored as a whole.

    >>> parse_tags('W/"a", "b,c"'), parse_tags('xW/"a"'), parse_tags("a")
    (['a', 'b,c'], [], [])

    Source: RFC 9110, sections 8.8.3 and 13.1.2.
    """
    tags, position = [], 0
    while position < len(text):
        match = ENTITY_TAG.match(text, position)
        if match is None or match.end() == position:
            return []
        if match[1] is not None:
            tags.append(match[1])
        position = match.end()
    return tags


def _condition(request: Request) -> str:
    return ",".join(request.headers.getlist("if-none-match")).strip()
