"""Answer requests from one generation (published version) of the archive, with entity tags.

So the pages of a list fit together, even if another generation is published meanwhile.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from http import HTTPStatus
from importlib.metadata import version
from typing import Any

from fastapi import Request, Response

from rostrum.api.edge.conditional import has_answer, has_any, make_tag_headers
from rostrum.api.edge.errors import Refused
from rostrum_core.errors import StoreError
from rostrum_core.ports import ParagraphStore

ATTEMPTS = 3
"""Number of attempts to read from one generation while others publish."""

NOT_MODIFIED: dict[int | str, dict[str, Any]] = {
    304: {"description": "The client has this answer: its `ETag` is one of `If-None-Match`"}
}


def answer_once(
    request: Request,
    response: Response,
    store: ParagraphStore,
    read: Callable[[str | None], Any],
    *,
    wanted: str | None = None,
) -> Any:
    """Call `read` for the published generation of the archive, return its result, and set the `ETag`.

    `read` gets the name of the generation. It is called again if another generation is published meanwhile.
    If the client already has this result, return a response with status 304.

    Raises:
        Refused: `wanted` is set, and is not the published generation.
        StoreError: other processes published a generation during each attempt.
    """
    for _ in range(ATTEMPTS):
        generation = get_published_name(store)
        require_generation(generation, wanted)
        headers = make_tag_headers(_tag(request, generation))
        if has_answer(request, headers["ETag"][3:-1]):
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        body = read(generation)
        if get_published_name(store) == generation:
            if has_any(request):
                return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
            response.headers.update(headers)
            return body
    raise StoreError(f"others published the archive during each of {ATTEMPTS} attempts")


def require_generation(generation: str | None, wanted: str | None) -> None:
    """Check that `wanted`, unless it is `None`, is the published generation (version) of the archive.

    Otherwise, the requested page of a list would not fit the pages that the client already has.

    Raises:
        Refused: the published generation is not the `wanted` one.
    """
    if wanted is not None and wanted != generation:
        message = f"the generation {wanted} is no longer published: begin again from what is"
        raise Refused(HTTPStatus.CONFLICT, "other_generation", message, field="generation")


def get_published_name(store: ParagraphStore) -> str | None:
    """Return the name of the archive's published generation; `None` if none was ever published."""
    generation = store.published()
    return generation.name if generation else None


def _tag(request: Request, generation: str | None) -> str:
    facts = f"{version('rostrum-quotes')} {generation} {request.url.path} {request.url.query}"
    return hashlib.sha256(facts.encode()).hexdigest()[:32]
