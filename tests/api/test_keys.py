"""Who may do what: every route by every kind of key, with keys and without, by several names of the host."""

import json
import os
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from archive.service import Service
from rostrum.api.app import PAGES, make_app
from rostrum.api.edge.keys import Keys, KeyScope, add_key, read_last_use, revoke_key
from rostrum.cli import run
from rostrum_core.errors import BadInput

OPEN, READ, WRITE, ADMIN = None, "read", "write", "admin"

# What each route asks for. Whoever is let in is answered by the route itself: what is asked does nothing.
ROUTES = {
    ("GET", "/health"): OPEN,
    ("GET", "/ready"): OPEN,
    ("GET", "/openapi.json"): OPEN,
    ("GET", "/metrics"): READ,
    ("GET", "/"): OPEN,
    ("POST", "/"): READ,
    ("GET", "/check"): READ,
    ("POST", "/check"): READ,
    ("GET", "/search"): READ,
    ("GET", "/documents"): READ,
    ("GET", "/operate"): ADMIN,
    ("POST", "/operate/publish"): ADMIN,
    ("POST", "/operate/rollback"): ADMIN,
    ("POST", "/operate/refresh"): ADMIN,
    ("POST", "/operate/cancel"): ADMIN,
    ("POST", "/operate/retry"): ADMIN,
    ("POST", "/operate/save"): ADMIN,
    ("POST", "/operate/remove"): ADMIN,
    ("GET", "/documents/{document_id:path}"): READ,
    ("POST", "/documents/{document_id:path}"): READ,
    ("GET", "/login"): OPEN,
    ("POST", "/login"): OPEN,
    ("POST", "/logout"): READ,
    ("GET", "/static/{name}"): OPEN,
    ("GET", "/docs"): OPEN,
    ("GET", "/v1/models"): READ,
    ("GET", "/v1/facets"): READ,
    ("GET", "/v1/quoted-by"): READ,
    ("DELETE", "/v1/documents"): ADMIN,
    ("GET", "/info"): READ,
    ("POST", "/v1/recommend"): READ,
    ("POST", "/v1/recommend/batch"): READ,
    ("GET", "/v1/search"): READ,
    ("POST", "/v1/search"): READ,
    ("GET", "/v1/search/words"): READ,
    ("GET", "/v1/documents"): READ,
    ("POST", "/v1/documents"): WRITE,
    ("GET", "/v1/documents/{document_id}"): READ,
    ("DELETE", "/v1/documents/{document_id}"): ADMIN,
    ("POST", "/v1/uploads"): WRITE,
    ("GET", "/v1/uploads"): WRITE,
    ("GET", "/v1/uploads/{upload_id}"): WRITE,
    ("DELETE", "/v1/uploads/{upload_id}"): WRITE,
    ("POST", "/v1/jobs"): ADMIN,
    ("GET", "/v1/jobs"): ADMIN,
    ("GET", "/v1/jobs/{job_id}"): ADMIN,
    ("DELETE", "/v1/jobs/{job_id}"): ADMIN,
    ("GET", "/v1/generations"): ADMIN,
    ("POST", "/v1/generations/rollback"): ADMIN,
    ("POST", "/v1/generations/{name}/publish"): ADMIN,
    ("GET", "/v1/dead-letters"): ADMIN,
    ("POST", "/v1/dead-letters/retry"): ADMIN,
    ("GET", "/v1/canary"): ADMIN,
    ("POST", "/v1/canary"): ADMIN,
    ("DELETE", "/v1/canary/{name}"): ADMIN,
    ("POST", "/v1/canary/compare"): ADMIN,
    ("GET", "/v1/operate"): ADMIN,
    ("POST", "/rerank"): READ,
    ("POST", "/v1/rerank"): READ,
    ("POST", "/v2/rerank"): READ,
    ("POST", "/v1/rerank/opensearch"): READ,
    ("POST", "/v1/highlight/opensearch"): READ,
    ("POST", "/jina/v1/rerank"): READ,
    ("POST", "/v1/verify"): READ,
    ("POST", "/v1/repeats"): READ,
    ("POST", "/v1/counter"): READ,
    ("POST", "/v1/evidence"): READ,
    ("POST", "/v1/famous"): READ,
    ("GET", "/v1/famous/lists"): READ,
    ("POST", "/v2/check"): READ,
    ("GET", "/v2/languages"): READ,
    ("POST", "/infinity/rerank"): READ,
    ("POST", "/voyage/v1/rerank"): READ,
}
WORDS = {
    "no_key": "a key is needed: Authorization: Bearer KEY",
    "foreign_host": "without keys, loopback alone is served: ask 127.0.0.1, or set ROSTRUM_API_KEYS "
    "for the service",
}
KEYS = ("none", "wrong", "revoked", "read", "write", "admin")


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, str]]:
    """A file of keys, and the keys by what they may do."""
    path = tmp_path_factory.mktemp("keys") / "keys.json"
    made = {scope.value: add_key(path, scope.value, scope) for scope in KeyScope}
    made["revoked"] = add_key(path, "revoked", KeyScope.ADMIN)
    revoke_key(path, "revoked")
    return path, made | {"wrong": made["read"][:-1] + ("a" if made["read"][-1] != "a" else "b")}


@pytest.fixture(scope="module")
def guarded(service: Service, keys):
    """A client of an application that asks for keys."""
    settings = replace(service.settings, api_keys=keys[0])
    app = make_app(Service(settings, service.store, service.runner, service.models))
    with TestClient(app, base_url="http://archive.example.org") as client:
        yield client


def ask(client: TestClient, route: tuple[str, str], **headers: str):
    return client.request(route[0], re.sub(r"{\w+}", "none", route[1]), headers=headers)


def code(answer) -> str:
    """The error's code; clients of TEI are told in words only."""
    error = answer.json()["error"]
    if isinstance(error, dict):
        return error["code"]
    [found] = [code for code, words in WORDS.items() if error == words]
    return found


def test_the_matrix_names_every_route(client: TestClient) -> None:
    described = client.get("/openapi.json").json()["paths"]
    found = {(method.upper(), path) for path, each in described.items() for method in each}
    pages = {
        (method, route.path) for page in PAGES for route in page.router.routes for method in route.methods
    }
    assert found | pages | {("GET", path) for path in ("/openapi.json", "/docs")} == set(ROUTES)


@pytest.mark.parametrize("kind", KEYS)
@pytest.mark.parametrize("route", ROUTES, ids="_".join)
def test_a_key_opens_what_it_may_and_nothing_else(guarded, keys, route, kind) -> None:
    needed, key = ROUTES[route], keys[1].get(kind)
    answer = ask(guarded, route, **({"Authorization": f"Bearer {key}"} if key else {}))
    scopes = ["read", "write", "admin"]
    if needed is OPEN or (kind in scopes and scopes.index(kind) >= scopes.index(needed)):
        assert answer.status_code not in (401, 403)
    elif kind in scopes:
        assert (answer.status_code, code(answer)) == (403, "not_allowed")
    else:
        assert (answer.status_code, code(answer)) == (401, "no_key")
        assert answer.headers["www-authenticate"] == "Bearer"
    assert key is None or key not in answer.text


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "localhost", "[::1]:80", "evil.example.org", "127.0.0.1.nip.io", ""]
)
@pytest.mark.parametrize("route", ROUTES, ids="_".join)
def test_without_keys_only_loopback_is_served(client: TestClient, route, host) -> None:
    answer = ask(client, route, Host=host)
    if ROUTES[route] is OPEN or host in ("127.0.0.1:8000", "localhost", "[::1]:80"):
        assert answer.status_code != 421
    else:
        assert (answer.status_code, code(answer)) == (421, "foreign_host")


def test_what_is_not_a_bearer_is_no_key(guarded, keys) -> None:
    for header in (keys[1]["admin"], f"Basic {keys[1]['admin']}", "Bearer", "Bearer ", "Bearer \u00e9"):
        answer = guarded.get("/v1/documents", headers={"Authorization": header.encode("latin-1")})
        assert answer.status_code == 401
    for other in ("Bearer x", f"Bearer {keys[1]['admin']}"):
        two = [("Authorization", f"Bearer {keys[1]['admin']}"), ("Authorization", other)]
        assert guarded.get("/v1/documents", headers=two).status_code == 401


def test_a_key_is_refused_as_soon_as_it_is_revoked(service: Service, tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    key = add_key(path, "a", KeyScope.READ)
    app = make_app(
        Service(replace(service.settings, api_keys=path), service.store, service.runner, service.models)
    )
    with TestClient(app) as client:
        headers = {"Authorization": f"Bearer {key}"}
        assert client.get("/v1/documents", headers=headers).status_code == 200
        revoke_key(path, "a")
        assert client.get("/v1/documents", headers=headers).status_code == 401
        hashes = (json.dumps({"keys": [{"name": "a", "scope": "read", "hash": h}]}) for h in (5, "é", "ab"))
        for damaged in ("{", *hashes):
            path.write_text(damaged)
            answer = client.get("/v1/documents", headers=headers)
            assert (answer.status_code, answer.json()["error"]["code"]) == (503, "keys_unavailable")
            assert str(tmp_path) not in answer.text


def test_a_key_whose_hash_is_none_can_be_revoked(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    good = add_key(path, "good", KeyScope.READ)
    content = json.loads(path.read_text())
    content["keys"].append({"name": "bad", "scope": "read", "hash": "ab"})
    path.write_text(json.dumps(content))
    with pytest.raises(BadInput, match="the hash of 'bad' is not a SHA-256"):
        Keys(path).find(good)
    revoke_key(path, "bad")
    found = Keys(path).find(good)
    assert found is not None
    assert found.name == "good"


def test_the_file_holds_no_key_and_is_its_owner_s_alone(keys) -> None:
    path, made = keys
    text = path.read_text()
    assert all(key not in text for key in made.values())
    assert path.stat().st_mode & 0o777 == 0o600
    assert [(each.name, each.scope) for each in Keys(path).list_keys()] == [
        (name, name) for name in ("read", "write", "admin")
    ]


def test_the_file_keeps_its_mode_so_that_whoever_reads_it_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    add_key(path, "one", KeyScope.READ)
    path.chmod(0o640)
    add_key(path, "two", KeyScope.READ)
    revoke_key(path, "one")
    assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["keys.json"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_the_file_keeps_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    add_key(path, "one", KeyScope.READ)
    os.chown(path, 65_534, 65_534)
    add_key(path, "two", KeyScope.READ)
    assert (path.stat().st_uid, path.stat().st_gid) == (65_534, 65_534)


@pytest.mark.parametrize("is_relative", [True, False])
def test_keys_are_changed_through_a_symbolic_link(tmp_path: Path, is_relative: bool) -> None:
    (tmp_path / "links").mkdir()
    file, link = tmp_path / "keys.json", tmp_path / "links" / "keys.json"
    first = add_key(file, "first", KeyScope.READ)
    link.symlink_to("../keys.json" if is_relative else file)
    second = add_key(link, "second", KeyScope.READ)
    assert Keys(file).find(second)
    revoke_key(link, "first")
    assert Keys(file).find(first) is None
    assert link.is_symlink()
    assert [path.name for path in link.parent.iterdir()] == ["keys.json"]


def test_last_uses_are_the_same_through_a_symbolic_link(tmp_path: Path) -> None:
    file, link = tmp_path / "keys.json", tmp_path / "link.json"
    key = add_key(file, "a", KeyScope.READ)
    link.symlink_to(file)
    assert Keys(link).find(key)
    assert list(read_last_use(file)) == list(read_last_use(link)) == ["a"]
    revoke_key(link, "a")
    assert read_last_use(file) == read_last_use(link) == {}


def test_keys_that_are_made_at_once_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    names = [f"key-{number}" for number in range(24)]
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda name: add_key(path, name, KeyScope.READ), names))
    assert sorted(key.name for key in Keys(path).list_keys()) == sorted(names)
    assert all(Keys(path).find(key) for key in made)


def test_a_name_is_given_once(tmp_path: Path) -> None:
    add_key(tmp_path / "keys.json", "a", KeyScope.READ)
    with pytest.raises(BadInput, match="already"):
        add_key(tmp_path / "keys.json", "a", KeyScope.READ)
    with pytest.raises(BadInput, match="no key"):
        revoke_key(tmp_path / "keys.json", "b")


def test_the_command_makes_lists_and_revokes(capfd, tmp_path: Path) -> None:
    file = ["--file", str(tmp_path / "keys.json")]
    assert run(["key", "add", "newsroom", "--scope", "write", *file]) == 0
    key = capfd.readouterr().out.strip()
    found = Keys(tmp_path / "keys.json").find(key)
    assert found is not None
    assert (found.name, found.scope) == ("newsroom", "write")
    assert run(["key", "list", *file]) == 0
    assert capfd.readouterr().out.startswith("write  newsroom  used ")
    assert run(["key", "revoke", "newsroom", *file]) == 0
    assert Keys(tmp_path / "keys.json").find(key) is None
    assert run(["key", "list"]) == 2
    assert json.loads((tmp_path / "keys.json").read_text()) == {"keys": []}


@pytest.mark.parametrize("mode", [0o666, 0o660, 0o622])
def test_a_file_of_keys_that_others_can_write_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "keys.json"
    key = add_key(path, "a", KeyScope.READ)
    path.chmod(mode)
    with pytest.raises(BadInput, match=r"others can write it .* chmod go-w"):
        Keys(path).find(key)
    path.chmod(0o644)
    assert Keys(path).find(key) is not None
