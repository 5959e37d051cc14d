"""A client that closes its connection ends the work that only it waited for."""

import json
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest

from tools.service_process import ServiceProcess

LEFT = "A young president stood in a football stadium in Houston and told the crowd why to go to space."
PATIENCE_S = 120.0


def send(url: str, title: str) -> socket.socket:
    """Send a draft of this title, which no other has, so that no cache has its answer."""
    body = json.dumps({"title": title, "left": LEFT, "candidates": 400})
    place = urlsplit(url)
    connection = socket.create_connection((place.hostname, place.port))
    head = f"POST /v1/recommend HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Type: application/json\r\n"
    connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode())
    return connection


def wait_logged(process: ServiceProcess, count: int) -> list[dict]:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        lines = [line for line in process.read_lines() if line.get("route") == "/v1/recommend"]
        if len(lines) >= count:
            return lines
        assert time.monotonic() < deadline
        time.sleep(0.05)


def read_work_s(process: ServiceProcess) -> float:
    """Return the processor time of a process, which other work on the machine does not change."""
    times = Path(f"/proc/{process.process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")


def test_work_ends_when_its_client_leaves(
    served: Callable[..., ServiceProcess], sample_archive: Path
) -> None:
    process = served("--archive", sample_archive, timeout_s="280")
    began_s = read_work_s(process)
    with send(process.url, "One") as connection:
        assert connection.recv(12) == b"HTTP/1.1 200"
        wait_logged(process, 1)
    whole_s = read_work_s(process) - began_s
    began_s = read_work_s(process)
    connection = send(process.url, "Two")
    while read_work_s(process) < began_s + whole_s / 10:
        time.sleep(0.01)
    connection.close()
    left = wait_logged(process, 2)[1]
    assert (left["status"], left["code"]) == (499, "abandoned")
    assert read_work_s(process) - began_s < whole_s / 2
    with send(process.url, "Three") as connection:
        assert connection.recv(12) == b"HTTP/1.1 200"


@pytest.mark.parametrize("size", [10, 700_000, 3_000_000])
def test_a_form_is_read_whole_before_its_client_is_watched(
    served: Callable[..., ServiceProcess], sample_archive: Path, size: int
) -> None:
    process = served("--archive", sample_archive)
    started = time.monotonic()
    answer = httpx2.post(f"{process.url}/v2/check", data={"text": "a" * size, "language": "en"}, timeout=60)
    assert answer.status_code == (200 if size < 500_000 else 422)
    assert time.monotonic() - started < 20
