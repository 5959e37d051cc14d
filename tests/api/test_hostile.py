"""Requests over sockets that no honest client sends are refused clearly, and the service goes on."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator

import httpx2
import pytest
import uvicorn

from rostrum.api import app as application
from rostrum.api.edge import header_timeout
from rostrum.api.edge.body_limits import Limits
from rostrum.api.server import make_config

SHORT_S = 0.5
HEAD = b"POST /v1/recommend HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def port(service) -> Iterator[int]:
    """Port of the service as it is served, but with little patience; it must be well at the end, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(application, "BODY", Limits(1 << 20, SHORT_S))
        patch.setattr(header_timeout, "TIMEOUT_S", SHORT_S)
        server = uvicorn.Server(make_config(application.make_app(service)))
        listener = socket.create_server(("127.0.0.1", 0))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        found = listener.getsockname()[1]
        yield found
        health = httpx2.get(f"http://127.0.0.1:{found}/health")
        in_progress = httpx2.get(f"http://127.0.0.1:{found}/metrics").text
        server.should_exit = True
        thread.join()
        listener.close()
    assert health.json() == {"status": "ok"}
    assert "rostrum_requests_in_progress 0" in in_progress


@pytest.fixture
def connection(port) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), 20) as made:
        yield made


def answer(connection: socket.socket) -> tuple[int, bytes]:
    """Status and all that follows until the service closes."""
    response = b""
    try:
        while piece := connection.recv(65_536):
            response += piece
    except ConnectionResetError:  # it closed before it had read what was still being sent
        pass
    return int(response.split(b" ", 2)[1]), response.partition(b"\r\n\r\n")[2]


def code(body: bytes) -> str:
    return json.loads(body)["error"]["code"]


def test_a_body_that_is_announced_too_large_is_refused_before_it_comes(connection) -> None:
    connection.sendall(HEAD + b"Connection: close\r\nContent-Length: 99999999999\r\n\r\n")
    status, body = answer(connection)
    assert (status, code(body)) == (413, "too_large")


def test_a_body_without_end_is_refused_where_it_is_too_large(connection) -> None:
    connection.sendall(HEAD + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n")
    chunk = b"10000\r\n" + b" " * 65_536 + b"\r\n"
    with pytest.raises(ConnectionError):  # 125 MiB do not fit into what the system keeps between both
        connection.sendall(chunk * 2000)


def test_an_address_in_absolute_form_is_read_as_its_path(connection) -> None:
    connection.sendall(b"GET http://127.0.0.1/health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert answer(connection) == (200, b'{"status":"ok"}')


def test_the_host_of_an_absolute_address_counts_in_place_of_the_header(connection) -> None:
    connection.sendall(
        b"GET http://example.org/v1/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"
    )
    status, body = answer(connection)
    assert (status, code(body)) == (421, "foreign_host")


@pytest.mark.parametrize("header", [b"X-A: " + b"a" * 70_000, b"\r\n".join([b"X-A: " + b"a" * 700] * 100)])
def test_a_head_that_is_too_large_is_refused_though_it_comes_at_once(connection, header) -> None:
    connection.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + header + b"\r\n\r\n")
    status, body = answer(connection)
    assert (status, code(body)) == (400, "malformed")


@pytest.mark.parametrize("coding", [b"gzip", b"br", b"identity, zstd"])
def test_a_compressed_body_is_refused_and_says_so(connection, coding) -> None:
    sent = b"Connection: close\r\nContent-Encoding: " + coding + b"\r\nContent-Length: 2\r\n\r\n{}"
    connection.sendall(HEAD + sent)
    status, body = answer(connection)
    assert (status, code(body)) == (415, "unsupported_media_type")
    assert "not compressed" in json.loads(body)["error"]["message"]


@pytest.mark.parametrize("sent", [b"", b'{"left": "a'])
def test_a_body_that_does_not_come_is_given_up(connection, sent) -> None:
    started = time.monotonic()
    connection.sendall(HEAD + b"Connection: close\r\nContent-Length: 1000\r\n\r\n" + sent)
    status, body = answer(connection)
    assert (status, code(body)) == (408, "body_too_slow")
    assert time.monotonic() - started < 15


def test_a_body_that_trickles_in_is_given_up(connection) -> None:
    connection.sendall(HEAD + b"Connection: close\r\nContent-Length: 1000\r\n\r\n")
    trickle(connection, b" ")
    assert answer(connection)[0] == 408


@pytest.mark.parametrize(
    ("head", "refused"),
    [
        (HEAD + b"Content-Length: 99999999\r\n\r\n", 413),
        (b"POST /v1/recommend HTTP/1.1\r\nHost: example.org\r\nContent-Length: 1000\r\n\r\n", 421),
        (b"POST /health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n", 405),
    ],
)
def test_a_body_that_trickles_in_after_its_answer_ends_with_the_connection(connection, head, refused) -> None:
    connection.sendall(head)
    assert int(connection.recv(65_536).split(b" ", 2)[1]) == refused
    with pytest.raises(ConnectionError):
        trickle_on(connection)


def test_a_body_that_comes_after_its_answer_leaves_the_connection_to_the_next_request(connection) -> None:
    connection.sendall(b"POST /health HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\n\r\n")
    assert b" 405 " in connection.recv(65_536)
    connection.sendall(b"body" + HEAD + b"Content-Length: 1000\r\n\r\n")
    time.sleep(SHORT_S * 0.5)
    connection.sendall(b'{"left": "a')
    assert answer_within(connection, 408)


def test_a_request_behind_another_has_its_own_time(connection) -> None:
    first = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    connection.sendall(first + HEAD + b'Connection: close\r\nContent-Length: 1000\r\n\r\n{"left": "a')
    status, response = answer(connection)
    assert status == 200
    assert b" 408 " in response


def trickle_on(connection: socket.socket) -> None:
    """Sends a byte now and then, whatever comes back."""
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        connection.sendall(b" ")
        time.sleep(0.1)


def answer_within(connection: socket.socket, status: int) -> bool:
    """Whether this status comes, whatever of an answer before it is still on its way."""
    response = b""
    while b" %d " % status not in response and (piece := connection.recv(65_536)):
        response += piece
    return b" %d " % status in response


def test_a_head_that_trickles_in_is_given_up(connection) -> None:
    connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
    trickle(connection, b"a")
    assert answer(connection)[0] == 400


def test_the_second_head_of_a_connection_has_no_more_time(connection) -> None:
    connection.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    assert b"200 OK" in connection.recv(65_536)
    connection.sendall(b"GET /hea")
    assert answer(connection)[0] == 400


def test_a_request_that_takes_longer_than_a_head_may_is_answered(connection) -> None:
    body = b" " * 10 + b'{"left": "The world will", "limit": 1}'
    connection.sendall(HEAD + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body))
    for at in range(0, len(body), 12):
        connection.sendall(body[at : at + 12])
    status, response = answer(connection)
    assert status == 200
    assert len(json.loads(response)["recommendations"]) == 1


def test_connections_that_say_nothing_keep_nobody_out(port) -> None:
    silent = [socket.create_connection(("127.0.0.1", port), 20) for _ in range(300)]
    try:
        assert httpx2.get(f"http://127.0.0.1:{port}/health", timeout=20).status_code == 200
        assert all(answer(each)[0] == 400 for each in silent)
    finally:
        for each in silent:
            each.close()


def test_a_client_that_leaves_in_mid_body_leaves_nothing_behind(port) -> None:
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", port), 20) as made:
            made.sendall(HEAD + b'Content-Length: 1000\r\n\r\n{"left": "a')


@pytest.mark.parametrize(
    "head",
    [
        b"GET /health HTTP/1.1\r\nHost: a\r\n" + b"X-Flood: a\r\n" * 20_000 + b"\r\n",
        b"GET /" + b"a" * 200_000 + b" HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"POST /v1/recommend HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        b"POST /v1/recommend HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"\x00\x01\x02\r\n\r\n",
    ],
    ids=["headers", "address", "two hosts", "two lengths", "no chunk", "no HTTP"],
)
def test_what_is_no_http_is_a_400(connection, head) -> None:
    try:
        connection.sendall(head)
    except ConnectionError:  # refused before all of it was sent
        return
    status, response = answer(connection)
    assert (status, code(response)) == (400, "malformed")


@pytest.mark.parametrize(
    "body",
    [
        b'{"left": ' + b"[" * 200_000,
        b'{"left": ' + b'{"a":' * 100_000 + b"1" + b"}" * 100_001,
        b'{"filter": {"documents": ' + b"[" * 500 + b"]" * 500 + b"}}",
    ],
    ids=["arrays", "objects", "closed"],
)
def test_json_that_is_nested_deeply_is_refused(connection, body) -> None:
    connection.sendall(HEAD + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    status, response = answer(connection)
    assert (status, code(response)) in [(400, "malformed"), (413, "too_large"), (422, "bad_input")]
    assert len(response) < 1000


def trickle(connection: socket.socket, byte: bytes) -> None:
    """Sends a byte now and then until the service has had enough."""
    deadline = time.monotonic() + 15
    connection.settimeout(0.05)
    while time.monotonic() < deadline:
        try:
            connection.sendall(byte)
            if connection.recv(1, socket.MSG_PEEK):
                break
        except TimeoutError:
            continue
        except ConnectionError:
            break
    connection.settimeout(20)


def test_a_length_that_is_ambiguous_ends_the_connection(connection) -> None:
    second = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    length = f"Content-Length: {len(second) + 5}\r\n".encode()
    connection.sendall(HEAD + length + b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + second)
    status, body = answer(connection)
    assert (status, code(body)) == (400, "malformed")
    assert body.count(b"HTTP/1.1") == 0  # what follows is not served as a second request


@pytest.mark.parametrize("path", [b"/v1/rerank", b"/rerank", b"/v1/rerank/opensearch", b"/v1/recommend"])
@pytest.mark.parametrize("piece", [b"[],", b"{},", b'{"a":[]},', b"1,"])
def test_a_large_body_of_small_values_keeps_no_other_request_waiting(port, path, piece) -> None:
    body = b'{"query": "q", "documents": ["a"], "texts": ["a"], "x": [' + piece * (900_000 // len(piece))
    head = b"POST " + path + HEAD.removeprefix(b"POST /v1/recommend") + b"Connection: close\r\n"
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(head + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
        began = time.monotonic()
        assert httpx2.get(f"http://127.0.0.1:{port}/health").status_code == 200
        assert time.monotonic() - began < 5
        assert answer(connection)[0] in (400, 413)
