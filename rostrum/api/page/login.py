"""`/login` and `/logout`: sign in with a key, which opens a session."""

from __future__ import annotations

from dataclasses import dataclass
from http import HTTPStatus

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from rostrum.api.edge.auth import ADDRESS, READ
from rostrum.api.edge.proxies import Proxies
from rostrum.api.edge.rate_limits import RateLimits, name_address_counter
from rostrum.api.edge.sessions import Sessions, drop_cookie, set_cookie
from rostrum.api.page.forms import FormBody
from rostrum.api.page.links import keep_local
from rostrum.api.page.rendering import render

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class SignIn:
    """Hold the objects that the sign-in form needs; `sessions` is `None` if the service needs no key."""

    sessions: Sessions | None
    rate_limits: RateLimits
    proxies: Proxies


@router.get("/login")
async def show_login(request: Request) -> Response:
    """Show the form to sign in; without keys, say that signing in is not needed."""
    sign_in: SignIn = request.app.state.sign_in
    if sign_in.sessions is None:
        return RedirectResponse("/", HTTPStatus.SEE_OTHER)
    return render(request, "login.html", next=keep_local(request.query_params.get("next")), failed=False)


@router.post("/login", dependencies=[FormBody])
async def open_session(request: Request) -> Response:
    """Open a session with the key of the form, and redirect to the page that required it."""
    sign_in: SignIn = request.app.state.sign_in
    if sign_in.sessions is None:
        return RedirectResponse("/", HTTPStatus.SEE_OTHER)
    await sign_in.rate_limits.count(name_address_counter(request.scope[ADDRESS]))
    form = await request.form()
    key, target = form.get("key"), form.get("next")
    address = keep_local(target if isinstance(target, str) else None)
    token = sign_in.sessions.start(key.strip() if isinstance(key, str) else "")
    if token is None:
        return render(
            request, "login.html", status=HTTPStatus.UNPROCESSABLE_ENTITY, next=address, failed=True
        )
    response = RedirectResponse(address, HTTPStatus.SEE_OTHER)
    set_cookie(response, token, secure=sign_in.proxies.is_secure(request.scope))
    return response


@router.post("/logout", dependencies=[FormBody, READ])
async def end_session(request: Request) -> Response:
    """End the session, and redirect to the form to sign in."""
    sign_in: SignIn = request.app.state.sign_in
    if sign_in.sessions is not None:
        sign_in.sessions.end(request.headers)
    response = RedirectResponse("/login", HTTPStatus.SEE_OTHER)
    drop_cookie(response)
    return response
