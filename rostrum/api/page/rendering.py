"""Render the templates of the pages, escaping all values."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.types import Scope

from rostrum.api.edge.error_shapes import ErrorDetail
from rostrum.api.page.links import keep_local
from rostrum.api.page.static_files import name_asset

PACKAGE: Final = "rostrum.api.page"
UNSAFE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
REPLACEMENT: Final = "\ufffd"
"""Replacement for a character that would affect the page, such as a change of writing direction.

It keeps offsets valid.
"""

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cache-Control": "private, no-store",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
}
NAVIGATION: Final = (
    ("write", "/"),
    ("read", "/documents"),
    ("search", "/search"),
    ("check", "/check"),
    ("operate", "/operate"),
)
"""Pages in the order of the menu; those that the application does not serve are omitted."""


def render(
    request: Request,
    template: str,
    *,
    status: int = 200,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """Render a template of `templates/` as the response to a request.

    Templates can use `text` (the contents of `text.toml`), `navigation`, `path` (this page's path), and
    `session` if somebody signed in.
    """
    return _render(request.scope, template, status, headers, values)


def render_error(
    scope: Scope, status: int, detail: ErrorDetail, headers: Mapping[str, str] | None
) -> HTMLResponse:
    """Render an error as a page.

    If the key is missing, show the form to sign in, which leads back to the requested page.

    There is one exception. When a person follows a link on another site, the browser does not send the
    session cookie, even if the person is signed in. So the error page only reloads itself. This second
    request comes from our own site, and the browser sends the cookie.
    """
    if status != 401:
        return _render(scope, "error.html", status, headers, {"status": status, "detail": detail})
    if Headers(raw=scope["headers"]).get("sec-fetch-site", "").lower() == "cross-site":
        return _render(scope, "reload.html", status, headers, {"address": _read_address(scope)})
    values = {"next": _read_address(scope) if scope["method"] in ("GET", "HEAD") else "/", "failed": False}
    return _render(scope, "login.html", status, headers, values)


def _render(
    scope: Scope, template: str, status: int, headers: Mapping[str, str] | None, values: Mapping[str, Any]
) -> HTMLResponse:
    about = {
        "navigation": _list_navigation(scope),
        "path": scope["path"],
        "session": scope.get("rostrum.session"),
        "key": scope.get("rostrum.key"),
    }
    body = make_environment().get_template(template).render({**about, **values})
    return HTMLResponse(body, status, {**HEADERS, **(headers or {})})


@cache
def make_environment() -> Environment:
    """Return the Jinja environment that finds the templates of the pages and escapes all values."""
    environment = Environment(
        loader=PackageLoader(PACKAGE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_clean,
        auto_reload=False,
    )
    environment.globals.update(text=read_texts(), asset=name_asset)
    environment.filters.update(as_typed=keep_as_typed)
    return environment


@cache
def read_texts() -> dict[str, Any]:
    """Return the texts of the pages from `text.toml`."""
    return tomllib.loads(files(PACKAGE).joinpath("text.toml").read_text("utf-8"))


def keep_as_typed(value: str) -> Markup:
    """Escape text that a person typed, keeping all its characters, to show it in a field again."""
    return Markup.escape(value)


def show(text: str) -> str:
    r"""Replace characters of a text that could disturb the page, such as changes of the writing direction.

    The length of the text stays the same.

    >>> show("a\u202eb")
    'a\ufffdb'
    """
    return UNSAFE.sub(REPLACEMENT, text)


def _clean(value: Any) -> Any:
    return value if isinstance(value, Markup) or not isinstance(value, str) else show(value)


def _list_navigation(scope: Scope) -> list[tuple[str, str]]:
    """Return (name, path) of each page in the menu.

    Pages that this service does not serve are left out. So is the page for operators if the request's key is
    not an operator's.
    """
    served = scope["app"].state.page_paths if "app" in scope else ()
    key = scope.get("rostrum.key")
    may_operate = key is None or key.scope == "admin"
    return [
        (name, path) for name, path in NAVIGATION if path in served and (name != "operate" or may_operate)
    ]


def _read_address(scope: Scope) -> str:
    """Return the requested address, or "/" if it leads to another site, as `//a.example` does."""
    query = scope.get("query_string", b"").decode("latin-1")
    raw = scope.get("raw_path") or scope["path"].encode()
    path = raw.decode("latin-1").partition("?")[0]
    return keep_local(f"{path}?{query}" if query else path)
