"""Answer conditional requests: entity tags, `If-None-Match` and `If-Match`, as in RFC 9110.

An entity tag names one version of a response.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from http import HTTPStatus

from starlette.requests import Request

from rostrum.api.edge.errors import Refused

ENTITY_TAG = re.compile(r'\s*(W/)?"([\x21\x23-\x7e\x80-\xff]*)"\s*(?:,|$)|\s*(?:,|$)')
CACHE_CONTROL = "private, no-cache"
"""Header that lets only the client cache a response, revalidating it each time."""


def make_tag_headers(tag: str) -> dict[str, str]:
    """Return the headers of a response with a weak entity tag: "a" -> `ETag: W/"a"`.

    A second header, `Cache-Control`, lets only the client cache the response, and makes the client ask each
    time whether it is still current.
    """
    return {"ETag": f'W/"{tag}"', "Cache-Control": CACHE_CONTROL}


def has_any(request: Request) -> bool:
    """Return whether a `GET` or `HEAD` request has the header `If-None-Match: *`.

    With this header, the client says that it already has a response, whatever its entity tag.
    """
    return request.method in ("GET", "HEAD") and _read_condition(request) == "*"


def has_answer(request: Request, tag: str) -> bool:
    """Return whether the client already has the response with this entity tag, according to `If-None-Match`.

    The result is false for methods other than `GET` and `HEAD`. A weak tag equals a strong one with the same
    text.
    """
    return request.method in ("GET", "HEAD") and tag in parse_tags(_read_condition(request))


def parse_tags(text: str) -> list[str]:
    r"""Return the texts of the entity tags in a header such as `If-None-Match`, without quotation marks and
    `W/`.

    A malformed list is ignored as a whole.

    >>> parse_tags('W/"a", "b,c"'), parse_tags('xW/"a"'), parse_tags("a")
    (['a', 'b,c'], [], [])

    Source: RFC 9110, sections 8.8.3 and 13.1.2.
    """
    return [tag for _, tag in _parse_entity_tags(text)]


def require_match(request: Request, tags: Collection[str]) -> None:
    """Check the headers `If-Match` and `If-None-Match` of a request that changes a resource.

    `tags` are the strong entity tags of the resource as it is now. `If-Match` must name one of them, or be
    `*`. `If-None-Match` must name none of them, and must not be `*`. A missing header sets no condition.

    Raises:
        Refused: a condition is not met.

    Source: RFC 9110, sections 13.1.1 and 13.1.2.
    """
    wanted = _read_condition(request, "if-match") if "if-match" in request.headers else "*"
    strong = {tag for weak, tag in _parse_entity_tags(wanted) if not weak}
    if wanted != "*" and not strong.intersection(tags):
        message = "it is not what If-Match names any more, or that tag is of something else: get it again"
        raise Refused(HTTPStatus.PRECONDITION_FAILED, "precondition_failed", message, field="If-Match")
    unwanted = _read_condition(request)
    if unwanted == "*" or not set(parse_tags(unwanted)).isdisjoint(tags):
        message = "it is there, and If-None-Match forbids it"
        raise Refused(HTTPStatus.PRECONDITION_FAILED, "precondition_failed", message, field="If-None-Match")


def _parse_entity_tags(text: str) -> list[tuple[bool, str]]:
    """Parse a list of entity tags into pairs (is weak, text): `W/"a", "b"` -> (true, "a") and (false, "b").

    If the text is not such a list, return an empty list.
    """
    tags, position = list[tuple[bool, str]](), 0
    while position < len(text):
        match = ENTITY_TAG.match(text, position)
        if match is None or match.end() == position:
            return []
        if match[2] is not None:
            tags.append((match[1] is not None, match[2]))
        position = match.end()
    return tags


def _read_condition(request: Request, name: str = "if-none-match") -> str:
    return ",".join(request.headers.getlist(name)).strip()
