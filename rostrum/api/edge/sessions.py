"""Manage sessions of people who signed in with a key: a cookie replaces the key.

The cookie holds a random token. Sessions are stored in memory under the token's hash. After a restart of the
service, people have to sign in again.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import Final

from cachetools import TTLCache
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import Response

from rostrum.api.edge.keys import Key, Keys

COOKIE: Final = "rostrum_session"
LASTS_S: Final = 12 * 3600
"""Seconds after which a session ends: a working day."""

MOST_SESSIONS: Final = 10_000
"""Most sessions at one time; a further one replaces the oldest."""


@dataclass(frozen=True, slots=True)
class Session:
    """Hold the hash of the key with which a person signed in, and the CSRF token of the person's forms."""

    key_hash: str
    csrf_token: str

    def has_token(self, token: str) -> bool:
        """Return whether `token` is the CSRF token of this session's forms."""
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.csrf_token.encode())


class Sessions:
    """Manage the open sessions of people who signed in with a key. Use from one event loop only."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._open: TTLCache[str, Session] = TTLCache(MOST_SESSIONS, LASTS_S)

    def start(self, key: str) -> str | None:
        """Open a session for the owner of a key, and return the session's token for the cookie.

        Return `None` if the key is not accepted.

        Raises:
            BadInput: the file of keys cannot be read.
        """
        accepted = self._keys.find(key)
        if accepted is None:
            return None
        token = secrets.token_urlsafe(32)
        self._open[_hash(token)] = Session(accepted.hash, secrets.token_urlsafe(32))
        return token

    def find(self, headers: Headers) -> tuple[Session, Key] | None:
        """Return the session to which the cookie of a request belongs, and the key that opened the session.

        Return `None` if there is no session, the session has ended, or the key was revoked.

        Raises:
            BadInput: the file of keys cannot be read.
        """
        session = self._open.get(_hash(read_cookie(headers)))
        key = self._keys.find_hash(session.key_hash) if session else None
        return (session, key) if session and key else None

    def end(self, headers: Headers) -> None:
        """End the session to which the cookie of a request belongs, if there is one."""
        self._open.pop(_hash(read_cookie(headers)), None)


def read_cookie(headers: Headers) -> str:
    """Return the session's token from the cookies of a request; "" if there is no such cookie.

    Cookies of other applications on this host may be malformed; they are ignored.

    >>> read_cookie(Headers({"cookie": 'prefs={"consent":true}; rostrum_session=abc'}))
    'abc'
    """
    return cookie_parser(headers.get("cookie", "")).get(COOKIE, "")


def set_cookie(response: Response, token: str, *, secure: bool) -> None:
    """Add the session cookie to a response; browsers send it only to this site and hide it from scripts."""
    response.set_cookie(
        COOKIE, token, max_age=LASTS_S, path="/", secure=secure, httponly=True, samesite="strict"
    )


def drop_cookie(response: Response) -> None:
    """Make the browser that receives this response delete its session cookie."""
    response.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
