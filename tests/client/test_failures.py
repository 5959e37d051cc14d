"""Both clients against services that are slow, busy, away, broken, or none at all."""

import json
import math
import socket
import time
from dataclasses import fields

import pytest

from rostrum.client import (
    Busy,
    DeadlineExceeded,
    RequestRefused,
    ServiceError,
    ServiceFault,
    Unavailable,
    Unreachable,
)
from rostrum.client.calls import delete, get
from rostrum.client.retries import FIRST_WAIT_S, Attempts, choose_backoff_s, is_repeatable
from rostrum_core.errors import BadInput
from rostrum_core.refresh_jobs import Report
from rostrum_core.types import Draft

DRAFT = Draft(left="The world will little note")
ANSWER = json.dumps({"recommendations": [], "candidates": 0, "degraded": [], "timings_s": {}, "models": {}})


def reply(status: int, body: str, *headers: str):
    lines = [
        f"HTTP/1.1 {status} Said",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *headers,
        "",
        body,
    ]
    return lambda connection: connection.sendall("\r\n".join(lines).encode())


def refusal(status: int, code: str, *headers: str):
    return reply(status, json.dumps({"error": {"code": code, "message": f"told {code}"}}), *headers)


def broken(connection: socket.socket) -> None:
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"generation": "00')


def silent(connection: socket.socket) -> None:
    connection.recv(1)


def trickling(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while True:
        connection.sendall(b" ")
        time.sleep(0.02)


def at_port(port: int) -> str:
    return f"http://127.0.0.1:{port}"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.mark.parametrize(("status", "code"), [(429, "too_many_requests"), (503, "archive_unavailable")])
def test_it_comes_again_when_the_service_says(connect, scripted, status, code) -> None:
    service = scripted(refusal(status, code, "Retry-After: 1"), reply(200, ANSWER))
    started = time.monotonic()
    assert connect(service.url).recommend(DRAFT).candidates == 0
    assert time.monotonic() - started >= 1
    assert len(service.heard) == 2


def test_it_does_not_come_again_after_its_deadline(connect, scripted) -> None:
    service = scripted(refusal(429, "too_many_requests", "Retry-After: 60"))
    started = time.monotonic()
    with pytest.raises(Busy, match="told too_many_requests") as busy:
        connect(service.url, timeout_s=50).recommend(DRAFT)
    assert (busy.value.retry_after_s, len(service.heard)) == (60.0, 1)
    assert time.monotonic() - started < 40


def test_an_archive_that_is_empty_or_not_ready_is_not_waited_for(connect, scripted) -> None:
    service = scripted(refusal(503, "nothing_published", "Retry-After: 0"))
    with pytest.raises(Unavailable):
        connect(service.url).recommend(DRAFT)
    assert len(service.heard) == 1
    away = scripted(refusal(503, "archive_unavailable", "Retry-After: 0"))
    for check in ("ready", "health"):
        before = len(away.heard)
        with pytest.raises(Unavailable):
            getattr(connect(away.url), check)()
        assert len(away.heard) == before + 1


def test_a_bulk_that_fails_half_way_tells_what_was_published(connect, scripted) -> None:
    counts = [each.name for each in fields(Report) if each.name not in ("generation", "canary", "elapsed_s")]
    report = dict.fromkeys(counts, 2) | {"generation": "000007", "elapsed_s": 1.0}
    sent = {"report": report, "refused": [{"line": 2, "reason": "no text"}]}
    service = scripted(reply(200, json.dumps(sent)), refusal(503, "no_room"))
    rows = [{"id": name, "text": "One."} for name in "abc"]
    with pytest.raises(Unavailable, match="told no_room") as failed:
        connect(service.url).upsert(rows, batch_bytes=2 * (len(json.dumps(rows[0])) + 1))
    assert failed.value.upserted is not None
    assert (failed.value.upserted.report.generation, failed.value.upserted.refused[0].line) == ("000007", 2)


@pytest.mark.parametrize("name", ["a\udcff", ".", ".."])
def test_an_id_that_no_address_can_bear_is_bad_input_and_names_no_other(connect, scripted, name) -> None:
    service = scripted(refusal(404, "not_found"))
    for ask in (lambda client: client.get(name), lambda client: client.delete(name)):
        with pytest.raises(BadInput, match="no document has the id"):
            ask(connect(service.url))
    assert service.heard == []


def test_what_broke_off_is_asked_again_where_it_changes_nothing(connect, scripted) -> None:
    service = scripted(broken, reply(200, ANSWER))
    assert connect(service.url).recommend(DRAFT).candidates == 0
    assert len(service.heard) == 2


@pytest.mark.parametrize("fails", [broken, refusal(503, "archive_unavailable", "Retry-After: 0")])
def test_what_changes_the_archive_and_may_have_been_done_is_not_repeated(connect, scripted, fails) -> None:
    service = scripted(fails)
    for change in (lambda c: c.delete("a"), lambda c: c.upsert([{"id": "a", "text": "One."}])):
        before = len(service.heard)
        with pytest.raises((Unreachable, Unavailable)):
            change(connect(service.url, timeout_s=5))
        assert len(service.heard) == before + 1


def test_what_was_refused_before_it_began_is_repeated(connect, scripted) -> None:
    done = reply(200, '{"generation": "000002"}')
    service = scripted(refusal(409, "archive_busy", "Retry-After: 0"), refusal(429, "x"), done)
    assert connect(service.url).delete("a") == "000002"
    assert len(service.heard) == 3


def test_a_service_that_is_down_is_asked_until_the_deadline(connect) -> None:
    started = time.monotonic()
    with pytest.raises(Unreachable, match="cannot be reached") as away:
        connect(at_port(free_port()), timeout_s=1).recommend(DRAFT)
    assert not away.value.sent
    assert 0.3 < time.monotonic() - started < 30


@pytest.mark.parametrize("slow", [silent, trickling])
def test_a_slow_answer_ends_at_the_deadline(connect, scripted, slow) -> None:
    service = scripted(slow)
    started = time.monotonic()
    with pytest.raises(DeadlineExceeded, match="POST /v1/recommend was not answered in time"):
        connect(service.url, timeout_s=0.5).recommend(DRAFT)
    assert time.monotonic() - started < 30
    assert len(service.heard) == 1


def test_the_service_is_told_how_long_it_has(connect, scripted) -> None:
    service = scripted(reply(200, ANSWER))
    connect(service.url, timeout_s=10).recommend(DRAFT)
    timeout_ms = json.loads(service.heard[0].partition(b"\r\n\r\n")[2])["timeout_ms"]
    assert 4_000 < timeout_ms <= 9_000  # nine tenths of what is left


@pytest.mark.parametrize("body", ["", "<html>", "[]", '{"recommendations": 5}'])
def test_an_answer_that_is_none_of_the_service_s_is_a_fault(connect, scripted, body) -> None:
    service = scripted(reply(200, body))
    with pytest.raises(ServiceFault, match="cannot read"):
        connect(service.url).recommend(DRAFT)


@pytest.mark.parametrize(
    ("status", "kind"), [(413, RequestRefused), (500, ServiceFault), (302, ServiceFault), (502, Unavailable)]
)
def test_a_stranger_s_refusal_is_told_by_its_status_and_its_words(connect, scripted, status, kind) -> None:
    service = scripted(reply(status, "nginx says no"))
    with pytest.raises(kind, match=f"{status} Said: nginx says no") as refused:
        connect(service.url, timeout_s=0.1).recommend(DRAFT)
    assert refused.value.code is None


@pytest.mark.parametrize("url", ["", "127.0.0.1:8000", "ftp://a", "http://", "http://a:port", "https:///v1"])
def test_what_is_no_address_is_bad_input(connect, url) -> None:
    with pytest.raises(BadInput, match="not an address of a service"):
        connect(url)


def test_a_key_that_cannot_be_sent_is_bad_input_and_not_repeated(connect) -> None:
    with pytest.raises(BadInput) as refused:
        connect("http://127.0.0.1:1", key="schl\u00fcssel\n")
    assert "schl" not in str(refused.value)


@pytest.mark.parametrize("timeout_s", [0.0, -1.0, math.inf, math.nan])
def test_a_time_that_no_call_can_have_is_bad_input(connect, timeout_s) -> None:
    with pytest.raises(BadInput, match="timeout_s must be above 0"):
        connect("http://127.0.0.1:1", timeout_s=timeout_s).health()


def test_waits_double_and_stay_below_their_bound() -> None:
    for failed, whole in ((1, 0.2), (2, 0.4), (4, 1.6), (40, 10.0)):
        waits = [choose_backoff_s(failed) for _ in range(200)]
        assert whole / 2 <= min(waits)
        assert max(waits) <= whole
        assert len(set(waits)) > 1


def test_only_what_is_harmless_is_repeated() -> None:
    cases = {
        Busy("b"): (True, True),
        Unavailable("u"): (True, False),
        Unreachable("never sent", sent=False): (True, True),
        Unreachable("sent", sent=True): (True, False),
        ServiceFault("f"): (False, False),
        DeadlineExceeded("d"): (False, False),
    }
    for error, expected in cases.items():
        assert (is_repeatable(get("a"), error), is_repeatable(delete("a"), error)) == expected


def test_there_is_no_attempt_after_the_last() -> None:
    busy = Busy("b", retry_after_s=5.0)
    assert Attempts(get("a"), 60).compute_wait_s(busy) == 5.0
    with pytest.raises(ServiceError):
        Attempts(get("a"), 4).compute_wait_s(busy)


def test_a_service_that_asks_for_no_wait_is_not_asked_without_one() -> None:
    attempts, hasty = Attempts(get("a"), 60), Busy("b", retry_after_s=0.0)
    waits = [attempts.compute_wait_s(hasty) for _ in range(4)]
    assert waits[0] >= FIRST_WAIT_S / 2
    assert waits[3] >= 4 * FIRST_WAIT_S
