"""Refuse requests that pages of other sites make from a user's browser."""

from __future__ import annotations

from collections.abc import Callable, Collection
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from rostrum.api.edge.errors import Refused, answer_to
from rostrum.api.edge.page_requests import is_visit

CROSS_SITE = "cross-site"


class ForeignPages:
    """Refuse requests that a page of another site makes in a user's browser, unless `origins` lists the site.

    Otherwise any page could make the user's browser use the service, for example by an image whose address is
    a search. Two kinds of such requests are accepted: those to addresses that need no key (`is_open`), and
    those of a person who follows a link to a page.

    Source: W3C, Fetch Metadata Request Headers. Only browsers send these headers, so other programs pass.
    """

    def __init__(self, app: ASGIApp, *, origins: Collection[str], is_open: Callable[[Scope], bool]) -> None:
        self._app, self._origins, self._is_open = app, origins, is_open

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, unless a page of another site made the browser send it."""
        if scope["type"] == "http" and not self._is_open(scope) and self._is_foreign(scope):
            message = "pages of other sites may not ask: list their origin in ROSTRUM_API_ORIGINS"
            refused = Refused(HTTPStatus.FORBIDDEN, "foreign_page", message)
            await answer_to(refused)(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _is_foreign(self, scope: Scope) -> bool:
        headers = Headers(scope=scope)
        is_cross_site = headers.get("sec-fetch-site", "").lower() == CROSS_SITE
        return is_cross_site and headers.get("origin") not in self._origins and not is_visit(scope)
