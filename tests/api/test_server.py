"""`rostrum serve` as a process of its own."""

import gc
import http.client
import re
import signal
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import httpx2

from rostrum.api.edge.keys import KeyScope, add_key
from rostrum.api.server import _freeze_memory, serve
from rostrum.assemble import assemble
from rostrum.cli import run
from rostrum_core.settings import read_settings

from .conftest import MOON

SECRET = "nobody knows this sentence"


def test_it_serves_without_any_other_server_and_logs_a_line_of_json_for_each_request(
    served, sample_archive
) -> None:
    process = served("--archive", sample_archive, timeout_s="280")
    plain = {"Accept-Encoding": "identity"}
    with httpx2.Client(base_url=process.url, timeout=300, headers=plain) as client:
        assert client.get("/health").json() == {"status": "ok"}
        ready = client.get("/ready").json()
        assert (ready["status"], ready["documents"]) == ("ok", 57)
        answer = client.post("/v1/recommend", json=MOON, headers={"X-Request-ID": "draft-7"})
        assert answer.headers["x-request-id"] == "draft-7"
        assert answer.json()["generation"] == ready["generation"]
        bad = client.post(
            "/v1/recommend", json={"left": SECRET, "limit": -1}, headers={"X-Request-ID": "a b"}
        )
        assert len(bad.headers["x-request-id"]) == 32
        assert client.post(f"/v1/recommend?{SECRET}", json=MOON).status_code == 422
        head, whole = (client.request(method, "/v1/documents?limit=1") for method in ("HEAD", "GET"))
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == whole.headers["content-length"] == str(len(whole.content))
    lines = [line for line in process.read_lines() if line["message"] == "request"]
    assert [(line["method"], line["route"], line["status"]) for line in lines] == [
        ("GET", "/health", 200),
        ("GET", "/ready", 200),
        ("POST", "/v1/recommend", 200),
        ("POST", "/v1/recommend", 422),
        ("POST", "/v1/recommend", 422),
        ("HEAD", "/v1/documents", 200),
        ("GET", "/v1/documents", 200),
    ]
    assert [line["size_bytes"] for line in lines[-2:]] == [0, len(whole.content)]
    assert lines[2]["request_id"] == "draft-7"
    assert lines[2]["size_bytes"] == len(answer.content)
    assert lines[2]["elapsed_s"] > 0
    for private in (SECRET, "Houston", MOON["title"]):
        assert private not in process.read_output()
    assert process.stop() == -signal.SIGTERM  # as a shell expects: it has finished, and says why


def test_models_are_loaded_before_there_is_an_archive(tmp_path, monkeypatch) -> None:
    served_app = []
    service = assemble(replace(read_settings({}), archive=tmp_path / "none"))
    monkeypatch.setattr(service.models, "_loaded", {})  # other tests have loaded them
    monkeypatch.setattr(
        "rostrum.api.server.uvicorn.Server.run", lambda self, sockets: served_app.append(self)
    )
    serve(service, "127.0.0.1", 0)
    assert served_app
    assert {"encoder", "ranker"} <= service.models._loaded.keys()


def test_requests_at_the_same_time_get_the_same_answers_as_one_after_the_other(
    served, sample_archive
) -> None:
    process = served("--archive", sample_archive, timeout_s="280", api_concurrency="4")

    def ask(number: int) -> list:
        draft = {**MOON, "limit": 3 + number, "candidates": 20}
        answer = httpx2.post(f"{process.url}/v1/recommend", json=draft, timeout=300)
        return [each["paragraph"]["id"] for each in answer.json()["recommendations"]]

    one_by_one = [ask(number) for number in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(ask, range(4))) == one_by_one


def test_a_request_that_has_begun_is_answered_before_the_service_ends(served, sample_archive) -> None:
    process = served("--archive", sample_archive, timeout_s="280")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(httpx2.post, f"{process.url}/v1/recommend", json=MOON, timeout=300)
        while "rostrum_requests_in_progress 1" not in httpx2.get(f"{process.url}/metrics").text:
            assert not asked.done()
        assert process.stop() == -signal.SIGTERM
        assert len(asked.result().json()["recommendations"]) == 10


def test_hostile_connections_are_ended_and_the_service_goes_on(served, tmp_path) -> None:
    process = served("--archive", tmp_path)
    address = process.url.removeprefix("http://")
    host, port = address.split(":")
    flood = b"GET /health HTTP/1.1\r\nHost: a\r\n" + b"X-Flood: " + b"a" * 200_000 + b"\r\n\r\n"
    for sent in (
        flood,
        b"\x16\x03\x01\x02\x00\x01",
        b"POST /v1/recommend HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
    ):
        with socket.create_connection((host, int(port)), 10) as connection:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            assert b"HTTP/1.1 400" in connection.recv(1000)
    cut = http.client.HTTPConnection(address, timeout=10)
    cut.putrequest("POST", "/v1/recommend")
    cut.putheader("Content-Length", "1000")
    cut.endheaders(b'{"left"')
    cut.close()
    assert httpx2.get(f"{process.url}/health").status_code == 200
    assert "Traceback" not in process.read_output()


def test_an_address_that_others_can_reach_needs_keys(capfd, monkeypatch) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1"):
        assert run(["serve", "--host", host]) == 2
        assert "no keys are set" in capfd.readouterr().err
    assert run(["serve", "--host", "example.org"]) == 2
    monkeypatch.setenv("ROSTRUM_API_KEYS", "none.json")
    assert run(["serve", "--host", "0.0.0.0"]) == 2
    assert "none.json cannot be read" in capfd.readouterr().err


def test_a_service_with_keys_asks_for_one(served, sample_archive, tmp_path) -> None:
    key = add_key(tmp_path / "keys.json", "newsroom", KeyScope.READ)
    process = served("--archive", sample_archive, api_keys=str(tmp_path / "keys.json"))
    assert httpx2.get(f"{process.url}/v1/documents").status_code == 401
    answer = httpx2.get(f"{process.url}/v1/documents?limit=1", headers={"Authorization": f"Bearer {key}"})
    assert len(answer.json()["documents"]) == 1
    assert key not in process.read_output()


def test_a_port_that_is_taken_is_told_in_one_line(capfd, tmp_path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert run(["serve", "--port", str(port), "--archive", str(tmp_path)]) == 2
    assert capfd.readouterr().err.count("\n") == 1


def test_every_line_of_the_log_says_who_asked(served, tmp_path) -> None:
    names = {scope: add_key(tmp_path / "keys.json", f"the {scope} one", scope) for scope in KeyScope}
    process = served(archive=str(tmp_path / "archive"), api_keys=str(tmp_path / "keys.json"))
    lines = {"Content-Type": "application/x-ndjson"}
    with httpx2.Client(base_url=process.url, timeout=300) as client:

        def ask(method: str, path: str, key: str | None, **options) -> int:
            headers = options.pop("headers", {}) | ({"Authorization": f"Bearer {key}"} if key else {})
            return client.request(method, path, headers=headers, **options).status_code

        row = f'{{"id": "a/b", "text": "{SECRET}"}}'
        assert ask("POST", "/v1/documents", names[KeyScope.WRITE], content=row, headers=lines) == 200
        assert ask("DELETE", "/v1/documents/a/b", names[KeyScope.READ]) == 403
        assert ask("DELETE", "/v1/documents/a/b", names[KeyScope.ADMIN]) == 200
        assert ask("GET", "/v1/documents", "guessed") == 401
        assert ask("GET", "/v1/documents", None) == 401
        assert ask("GET", "/ready", "guessed") == 200  # without counts, and the guess is counted
        assert client.get("/ready").json().get("generation") is None
        metrics = client.get("/metrics", headers={"Authorization": f"Bearer {names[KeyScope.READ]}"}).text
    found = [line for line in process.read_lines() if line["message"] == "request"]
    assert {line["address"] for line in found} == {"127.0.0.1"}
    assert [(line["status"], line.get("key"), line.get("code")) for line in found[:6]] == [
        (200, "the write one", None),
        (403, "the read one", "not_allowed"),
        (200, "the admin one", None),
        (401, None, "no_key"),
        (401, None, "no_key"),
        (200, None, None),
    ]
    assert (found[0]["documents"], found[0]["generation"], found[0]["added"]) == (["a/b"], "000001", 1)
    assert (found[2]["documents"], found[2]["generation"]) == (["a/b"], "000002")
    assert 'rostrum_failed_keys_total{reason="unknown"} 2.0' in metrics
    assert 'rostrum_failed_keys_total{reason="missing"} 1.0' in metrics
    for private in (SECRET, "guessed", *names.values()):
        assert private not in process.read_output()


def test_the_filter_of_the_docs_finds_who_guesses_keys(served, tmp_path) -> None:
    add_key(tmp_path / "keys.json", "one", KeyScope.READ)
    process = served(archive=str(tmp_path / "archive"), api_keys=str(tmp_path / "keys.json"))
    for path in ("/v1/documents", "/health"):
        httpx2.get(process.url + path, headers={"Authorization": "Bearer guessed"})
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    expression = re.search(r"^failregex = (.*)$", page, re.MULTILINE)[1].replace(
        "<HOST>", r"(?P<host>[^\"]+)"
    )
    hosts = [
        match["host"] for line in process.read_output().splitlines() if (match := re.search(expression, line))
    ]
    assert hosts == ["127.0.0.1"]


def test_open_shows_the_address_to_the_users_browser(served, sample_archive, tmp_path, monkeypatch) -> None:
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    process = served("--archive", sample_archive, "--open")
    deadline = time.monotonic() + 30
    while not (seen.exists() and seen.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert seen.read_text().strip() == process.url


def test_what_is_loaded_is_left_out_of_collections_of_garbage_while_it_serves() -> None:
    loaded: list[object] = [[]]
    with _freeze_memory():
        assert gc.get_freeze_count() > 0
        assert not any(one is loaded for one in gc.get_objects())
    assert gc.get_freeze_count() == 0
