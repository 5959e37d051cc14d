"""Authenticate clients by an API key, or by the session of a person who signed in with a key.

A service without keys accepts only requests that are addressed to loopback, such as `127.0.0.1`.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from ipaddress import ip_address
from typing import Annotated, Any
from urllib.parse import urlsplit

from fastapi import Depends, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from rostrum.api.edge.errors import LOG, Refused, answer_to, read_media_type
from rostrum.api.edge.keys import Key, Keys, KeyScope
from rostrum.api.edge.page_requests import is_open
from rostrum.api.edge.proxies import Proxies
from rostrum.api.edge.rate_limits import RateLimits, name_address_counter, name_key_counter
from rostrum.api.edge.sessions import Session, Sessions
from rostrum_core.errors import BadInput

READY = "/ready"
KEY, KNOWN, ADDRESS, SESSION = "rostrum.key", "rostrum.known", "rostrum.address", "rostrum.session"
"""Keys in the scope of a request: its API key, whether it is authenticated, its client address, its
session.
"""

SAFE = ("GET", "HEAD", "OPTIONS")
CSRF_HEADER, CSRF_FIELD = "x-csrf-token", "csrf_token"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")

BEARER = HTTPBearer(auto_error=False, description="A key of `rostrum key add`")


class Authentication:
    """Refuse unauthenticated requests before their body is read.

    If `keys` is `None`, a request needs no key. Instead, it must be addressed to loopback and must not come
    through an untrusted proxy. The rate limit counts requests by key name, or by client address if there is
    no valid key. The callback `failed` gets the reason why a key was not accepted: "missing" or "unknown".
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        keys: Keys | None,
        sessions: Sessions | None,
        rate_limits: RateLimits,
        proxies: Proxies,
        failed: Callable[[str], None],
    ) -> None:
        self._app, self._keys, self._sessions, self._rate_limits = app, keys, sessions, rate_limits
        self._proxies, self._failed = proxies, failed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application if the client is authenticated or no key is needed; refuse other
        requests.
        """
        if scope["type"] == "http":
            scope[ADDRESS] = self._proxies.find_address(scope)
            try:
                if not is_open(scope):
                    scope[KEY] = await self._let_in(scope)
                    scope[KNOWN] = True
                elif scope["path"] == READY:
                    scope[KNOWN] = await self._is_known(scope)
            except Refused as error:
                await answer_to(error)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def _let_in(self, scope: Scope) -> Key | None:
        key = None
        try:
            if self._keys is None:
                self._require_local(scope)
            else:
                key = self._find_key(scope, self._keys)
        finally:
            await self._rate_limits.count(
                name_key_counter(key.name) if key else name_address_counter(scope[ADDRESS])
            )
        return key

    async def _is_known(self, scope: Scope) -> bool:
        """Return whether the client that requests `/ready` may see all details of the response.

        `/ready` needs no key, but shows the details only to a client with a valid key. If the service
        has no keys, a client sees the details if its other requests are accepted (see `Authentication`).

        Raises:
            Refused: the client sent too many requests, perhaps to guess keys.
        """
        if self._keys is not None and "authorization" not in Headers(scope=scope):
            return False
        try:
            await self._let_in(scope)
        except Refused as error:
            if error.status_code == HTTPStatus.TOO_MANY_REQUESTS:
                raise
            return False
        return True

    def _require_local(self, scope: Scope) -> None:
        _require_loopback(Headers(scope=scope))
        self._proxies.require_direct(scope)

    def _find_key(self, scope: Scope, keys: Keys) -> Key:
        headers = Headers(scope=scope)
        try:
            key = self._find_session(scope, headers) or _find_key(headers, keys)
        except Refused as error:
            if error.status_code == HTTPStatus.UNAUTHORIZED:
                self._failed("unknown" if "authorization" in headers else "missing")
            raise
        scope[KEY] = key
        return key

    def _find_session(self, scope: Scope, headers: Headers) -> Key | None:
        """Return the key with which the sender of a request signed in.

        Return `None` if the request has no session, or has a key of its own in the header `Authorization`.
        """
        if self._sessions is None or "authorization" in headers:
            return None
        try:
            match = self._sessions.find(headers)
        except BadInput as error:
            raise _make_unreadable(error) from error
        if match is None:
            return None
        scope[SESSION], key = match
        return key


def require_scope(scope: KeyScope) -> Any:
    """Return a FastAPI dependency that lets a request pass only if its key has the scope, or a wider one.

    The scopes are `read`, `write` and `admin`. The dependency also checks the CSRF token (see
    `require_csrf_token`).

    Raises, when the dependency runs:
        Refused: the key lacks this scope, or the CSRF token is missing or wrong.
    """

    async def check(
        request: Request, _: Annotated[HTTPAuthorizationCredentials | None, Security(BEARER)]
    ) -> None:
        key: Key | None = request.scope.get(KEY)
        if key is not None and not key.scope.is_at_least(scope):
            message = f"this needs a key of scope {scope}; this one has scope {key.scope}"
            raise Refused(HTTPStatus.FORBIDDEN, "not_allowed", message)
        await require_csrf_token(request)

    return Depends(check)


READ, WRITE, ADMIN = map(require_scope, KeyScope)
"""Dependencies of routes: the key's scope must include this one."""


async def require_csrf_token(request: Request) -> None:
    """Check the CSRF token that a signed-in person's request must have if it changes something.

    Pages of other sites do not know the token, so they cannot send such a request in the person's name. A
    request without a session needs no token, nor does a `GET`, `HEAD` or `OPTIONS`.

    Raises:
        Refused: the token is missing in header and form, or belongs to another session.
    """
    session: Session | None = request.scope.get(SESSION)
    if session is None or request.method in SAFE:
        return
    token = request.headers.get(CSRF_HEADER)
    if token is None and read_media_type(request) in FORMS:
        field = (await request.form()).get(CSRF_FIELD)
        token = field if isinstance(field, str) else None
    if not session.has_token(token or ""):
        message = "this form is not of your session: open its page again and repeat"
        raise Refused(HTTPStatus.FORBIDDEN, "no_csrf_token", message)


def _make_unreadable(error: BadInput) -> Refused:
    LOG.error("keys_unavailable", extra={"reason": str(error)})
    message = "the keys of this service cannot be read"
    return Refused(HTTPStatus.SERVICE_UNAVAILABLE, "keys_unavailable", message)


def _find_key(headers: Headers, keys: Keys) -> Key:
    # of two headers a proxy may have checked the other one
    kind, _, token = ", ".join(headers.getlist("authorization")).partition(" ")
    try:
        key = keys.find(token.strip()) if kind.lower() == "bearer" else None
    except BadInput as error:
        raise _make_unreadable(error) from error
    if key is None:
        challenge = {"WWW-Authenticate": "Bearer"}
        message = "a key is needed: Authorization: Bearer KEY"
        raise Refused(HTTPStatus.UNAUTHORIZED, "no_key", message, headers=challenge)
    return key


def _require_loopback(headers: Headers) -> None:
    """Check that the header `Host` of a request names loopback, this machine.

    A page of another site can make its own host name resolve to this machine. The browser then sends its
    requests to this service, with the name of the other site as host.

    Raises:
        Refused: the request is addressed to another host.
    """
    if not is_loopback(_read_host(headers)):
        message = (
            "without keys, loopback alone is served: ask 127.0.0.1, or set ROSTRUM_API_KEYS for the service"
        )
        raise Refused(HTTPStatus.MISDIRECTED_REQUEST, "foreign_host", message)


def is_loopback(host: str) -> bool:
    """Return whether a host name or address means loopback.

    >>> is_loopback("localhost"), is_loopback("::1"), is_loopback("127.0.0.1"), is_loopback("10.0.0.1")
    (True, True, True, False)
    """
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _read_host(headers: Headers) -> str:
    try:
        return urlsplit(f"//{headers.get('host', '')}").hostname or ""
    except ValueError:  # brackets without an address
        return ""
