"""Who is let in: whoever has a key; where no keys are set, whoever asks for loopback."""

from __future__ import annotations

from http import HTTPStatus
from ipaddress import ip_address
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from rostrum.api.edge.errors import LOG, Refused, answer_to
from rostrum.api.edge.keys import Key, Keys, KeyScope
from rostrum.api.edge.rate_limits import RateLimits, of_address, of_key
from rostrum_core.errors import BadInput

OPEN = ("/health", "/ready", "/openapi.json")
"""What tells nothing of drafts or speeches: whoever watches over the service needs no key."""

BEARER = HTTPBearer(auto_error=False, description="A key of `rostrum key add`")


class Authentication:
    """Refuses a request before its body is read. `keys` `None`: the service is on loopback, for all there.

    Clients are counted by their keys, whoever has none that is known by its address.
    """

    def __init__(self, app: ASGIApp, *, keys: Keys | None, rate_limits: RateLimits) -> None:
        self._app, self._keys, self._rate_limits = app, keys, rate_limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request."""
        if scope["type"] == "http" and scope["path"] not in OPEN:
            try:
                scope["rostrum.key"] = await self._let_in(scope)
            except Refused as error:
                await answer_to(error)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _let_in(self, scope: Scope) -> Key | None:
        headers, key = Headers(scope=scope), None
        try:
            if self._keys is None:
                _check_loopback(headers)
            else:
                key = _key(headers, self._keys)
        finally:
            await self._rate_limits.count(of_key(key.name) if key else of_address(_address(scope)))
        return key


def needs(scope: KeyScope) -> Any:
    """What a route declares that asks for a scope.

    Raises, when it is asked:
        Refused: the key has not this scope.
    """

    async def check(
        request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Security(BEARER)]
    ) -> None:
        key: Key | None = request.scope["rostrum.key"]
        if key is not None and not key.scope.includes(scope):
            told = f"this needs a key of scope {scope}; this one has scope {key.scope}"
            raise Refused(HTTPStatus.FORBIDDEN, "not_allowed", told)

    return Depends(check)


def _key(headers: Headers, keys: Keys) -> Key:
    kind, _, given = headers.get("authorization", "").partition(" ")
    try:
        found = keys.find(given.strip()) if kind.lower() == "bearer" else None
    except BadInput as error:
        LOG.error("keys_unavailable", extra={"reason": str(error)})
        told = "the keys of this service cannot be read"
        raise Refused(HTTPStatus.SERVICE_UNAVAILABLE, "keys_unavailable", told) from error
    if found is None:
        asked = {"WWW-Authenticate": "Bearer"}
        told = "a key is needed: Authorization: Bearer KEY"
        raise Refused(HTTPStatus.UNAUTHORIZED, "no_key", told, headers=asked)
    return found


def _check_loopback(headers: Headers) -> None:
    """Nothing, where loopback is what was asked for.

    A page elsewhere can have its own name lead to this machine; a browser's requests then bear that name.

    Raises:
        Refused: it is another host.
    """
    if not is_loopback(_host(headers)):
        told = (
            "without keys, loopback alone is served: ask 127.0.0.1, or set ROSTRUM_API_KEYS for the service"
        )
        raise Refused(HTTPStatus.MISDIRECTED_REQUEST, "foreign_host", told)


def _address(scope: Scope) -> str:
    """Where the connection comes from; a socket without addresses has one client."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def is_loopback(host: str) -> bool:
    """Whether a name or an address is that of loopback.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("127.0.0.1"), is_loopback("10.0.0.1")
    (True, True, True, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _host(headers: Headers) -> str:
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:  # brackets that hold no address
        return ""
