"""Signing in: a cookie in place of a key, forms that carry its token, and pages that nobody else reaches."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from archive.service import Service
from rostrum.api.app import PAGES, make_app
from rostrum.api.edge.keys import KeyScope, add_key, revoke_key

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
VISIT = {"Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document", "Sec-Fetch-User": "?1"}
GET_PAGES = sorted(
    {route.path for page in PAGES for route in page.router.routes if "GET" in route.methods}
    - {"/login", "/static/{name}"}
)


@pytest.fixture
def keys(tmp_path: Path) -> tuple[Path, str]:
    path = tmp_path / "keys.json"
    return path, add_key(path, "desk", KeyScope.READ)


@pytest.fixture
def guarded(service: Service, keys) -> Iterator[TestClient]:
    """A browser-like client of an application that asks for keys, reached by a name of its own."""
    settings = replace(service.settings, api_keys=keys[0])
    app = make_app(Service(settings, service.store, service.runner, service.models))
    with TestClient(app, base_url="http://archive.example.org", follow_redirects=False) as client:
        client.headers.update(HTML)
        yield client


def sign_in(client: TestClient, key: str) -> str:
    """Signs in, and returns the token that forms carry."""
    assert client.post("/login", data={"key": key}).status_code == 303
    return token_of(client.get("/check").text)


def token_of(page: str) -> str:
    [token, *_] = re.findall('name="csrf_token" value="([^"]+)"', page)
    return token


@pytest.mark.parametrize("path", GET_PAGES)
def test_without_a_key_every_page_is_the_form_to_sign_in(guarded, path: str) -> None:
    address = re.sub(r"{[\w:]+}", "none", path)
    answer = guarded.get(address)
    assert answer.status_code == 401
    assert 'name="key" type="password"' in answer.text
    assert f'name="next" value="{address}"' in answer.text


@pytest.mark.parametrize("path", GET_PAGES)
def test_without_keys_a_page_is_shown_to_loopback_alone(client: TestClient, path: str) -> None:
    answer = client.get(re.sub(r"{[\w:]+}", "none", path), headers={**HTML, "Host": "evil.example.org"})
    assert answer.status_code == 421
    assert "<textarea" not in answer.text


def test_the_cookie_is_out_of_reach_of_scripts_and_other_sites(guarded, keys) -> None:
    answer = guarded.post("/login", data={"key": keys[1], "next": "/check"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/check")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "path=/" in cookie
    assert "secure" not in cookie  # this request came without TLS
    assert keys[1].lower() not in cookie


def test_the_cookie_is_for_https_alone_where_the_proxy_says_so(service: Service, keys) -> None:
    settings = replace(service.settings, api_keys=keys[0], api_trusted_proxies=("10.0.0.1",))
    app = make_app(Service(settings, service.store, service.runner, service.models))
    for address, proto, is_secure in (("10.0.0.1", "https", True), ("10.0.0.2", "https", False)):
        with TestClient(app, follow_redirects=False, client=(address, 5000)) as client:
            answer = client.post("/login", data={"key": keys[1]}, headers={"X-Forwarded-Proto": proto})
            assert ("secure" in answer.headers["set-cookie"].lower()) == is_secure


def test_a_session_opens_what_its_key_does_and_nothing_else(guarded, keys) -> None:
    token = sign_in(guarded, keys[1])
    assert guarded.get("/v1/documents").status_code == 200
    answer = guarded.delete("/v1/documents/none", headers={"X-CSRF-Token": token})
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "not_allowed")


@pytest.mark.parametrize("token", [None, "", "wrong"])
def test_a_form_without_its_token_does_nothing(guarded, keys, token: str | None) -> None:
    sign_in(guarded, keys[1])
    fields = {"text": "A word."} | ({} if token is None else {"csrf_token": token})
    for path in ("/check", "/", "/logout"):
        answer = guarded.post(path, data=fields)
        assert answer.status_code == 403
        assert "no_csrf_token" in answer.text
    for path in ("/v1/recommend", "/v1/verify", "/v1/search"):
        headers = {} if token is None else {"X-CSRF-Token": token}
        assert guarded.post(path, json={"left": "A word."}, headers=headers).status_code == 403
    assert guarded.get("/check").status_code == 200


def test_a_form_with_its_token_is_answered(guarded, keys) -> None:
    token = sign_in(guarded, keys[1])
    answer = guarded.post(
        "/check", data={"text": "“We choose to go to the moon,” he said.", "csrf_token": token}
    )
    assert answer.status_code == 200
    assert "verbatim" in answer.text
    search = guarded.post("/v1/search", json={"left": "moon"}, headers={"X-CSRF-Token": token})
    assert search.status_code == 200


@pytest.mark.parametrize(
    "others",
    [
        'prefs={"consent":true}; ',
        "a[b]=1; ",
        "x=hello world; ",
        "theme; ",
        "name=José; ",
        "=; ; ",
        "rostrum_session_2=b; my_rostrum_session=c; ",
    ],
)
def test_a_session_is_found_next_to_malformed_cookies(guarded, keys, others: str) -> None:
    guarded.post("/login", data={"key": keys[1]})
    [(name, token)] = guarded.cookies.items()
    guarded.cookies.clear()
    for cookies in (f"{others}{name}={token}", f"{name}={token}; {others}"):
        assert guarded.get("/check", headers={"Cookie": cookies.encode()}).status_code == 200
    assert guarded.get("/check", headers={"Cookie": f"{others}{name}=wrong".encode()}).status_code == 401
    assert guarded.get("/check", headers={"Cookie": f"{others}x{name}={token}".encode()}).status_code == 401


def test_signing_out_ends_the_session_for_whoever_kept_the_cookie(guarded, keys) -> None:
    token = sign_in(guarded, keys[1])
    cookie = dict(guarded.cookies)
    assert guarded.post("/logout", data={"csrf_token": token}).headers["location"] == "/login"
    guarded.cookies.update(cookie)
    assert guarded.get("/check").status_code == 401


def test_revoking_a_key_ends_its_sessions(guarded, keys) -> None:
    sign_in(guarded, keys[1])
    revoke_key(keys[0], "desk")
    assert guarded.get("/check").status_code == 401


def test_an_unknown_key_opens_no_session(guarded) -> None:
    answer = guarded.post("/login", data={"key": "rostrum_wrong"})
    assert answer.status_code == 422
    assert "set-cookie" not in answer.headers
    assert "rostrum_wrong" not in answer.text


@pytest.mark.parametrize(
    "target", ["//evil.example.org", "https://evil.example.org", "/\\evil.example.org", ""]
)
def test_signing_in_leads_to_no_other_site(guarded, keys, target: str) -> None:
    answer = guarded.post("/login", data={"key": keys[1], "next": target})
    assert answer.headers["location"] == "/"


def test_a_link_on_another_site_leads_back_to_the_page_with_its_session(guarded, keys) -> None:
    sign_in(guarded, keys[1])
    cookie = dict(guarded.cookies)
    guarded.cookies.clear()  # as browsers do for a link on another site
    answer = guarded.get("/check?a=b", headers={"Sec-Fetch-Site": "cross-site", **VISIT})
    assert answer.status_code == 401
    assert '<meta http-equiv="refresh" content="0; url=/check?a=b">' in answer.text
    guarded.cookies.update(cookie)
    assert guarded.get("/check", headers={"Sec-Fetch-Site": "same-origin", **VISIT}).status_code == 200


@pytest.mark.parametrize(
    ("target", "address"),
    [
        ("//evil.example.org/x", "/"),
        ("//evil.example.org/x?a=b", "/"),
        ("///evil.example.org", "/"),
        ("/x//evil.example.org?next=//evil.example.org", "/x//evil.example.org?next=//evil.example.org"),
    ],
)
def test_an_address_with_two_slashes_leads_to_no_other_site(guarded, target: str, address: str) -> None:
    url = f"http://archive.example.org{target}"
    reload = guarded.get(url, headers={"Sec-Fetch-Site": "cross-site", **VISIT})
    assert f'content="0; url={address}"' in reload.text
    assert f'<a href="{address}">' in reload.text
    sign_in_form = guarded.get(url, headers={"Sec-Fetch-Site": "same-origin", **VISIT})
    assert f'name="next" value="{address}"' in sign_in_form.text


def test_another_site_may_link_to_a_page_and_not_embed_or_submit_it(client: TestClient) -> None:
    other = {**HTML, "Sec-Fetch-Site": "cross-site"}
    assert client.get("/check", headers={**other, **VISIT}).status_code == 200
    for changed in ({"Sec-Fetch-Dest": "iframe"}, {"Sec-Fetch-Mode": "no-cors"}, {"Sec-Fetch-User": "?0"}):
        assert client.get("/check", headers={**other, **VISIT, **changed}).status_code == 403
    assert client.post("/check", data={"text": "A"}, headers={**other, **VISIT}).status_code == 403


def test_style_and_scripts_are_kept_for_ever_and_change_their_names(client: TestClient) -> None:
    page = client.get("/", headers=HTML)
    addresses = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    assert len(addresses) == 3
    for address in addresses:
        answer = client.get(address)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
        assert re.search(r"\.[0-9a-f]{12}\.", address)
    assert client.get("/static/page.css").status_code == 404
    assert client.get("/static/..%2Ftext.toml").status_code == 404


def test_the_policy_of_a_page_allows_no_inline_script_and_no_other_site(client: TestClient) -> None:
    for path in ("/", "/check", "/nowhere"):
        page = client.get(path, headers=HTML)
        policy = dict(
            part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";")
        )
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert re.findall(r"<script(?![^>]*src=)|\son\w+=|<style|style=", page.text) == []


def test_errors_are_pages_for_people_and_json_for_programs(client: TestClient) -> None:
    page = client.get("/nowhere", headers=HTML)
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert client.get("/nowhere").json()["error"]["code"] == "not_found"
    assert client.get("/v1/documents/none", headers=HTML).json()["error"]["code"] == "not_found"
