"""Both clients, and services for them: a real one, and scripted ones that fail as real ones may."""

import asyncio
import inspect
import re
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from rostrum.client import AsyncClient, Client
from tools.service_process import ServiceProcess

Serve = Callable[[socket.socket], None]


class Blocking:
    """An `AsyncClient` whose calls are waited for."""

    def __init__(self, url: str, **options) -> None:
        self._runner = asyncio.Runner()
        self._client = AsyncClient(url, **options)

    def __getattr__(self, name: str):
        call = getattr(self._client, name)

        def waited(*arguments, **options):
            given = call(*arguments, **options)
            return self._runner.run(given if inspect.isawaitable(given) else listed(given))

        return waited

    def end(self) -> None:
        self._runner.run(self._client.close())
        self._runner.close()


async def listed(found) -> list:
    return [each async for each in found]


@pytest.fixture(params=[Client, Blocking], ids=["threads", "asyncio"])
def connect(request) -> Iterator[Callable[..., Client]]:
    """Makes a client of either kind; it is closed after the test."""
    made = []

    def client(url: str, **options):
        made.append(request.param(url, **options))
        return made[-1]

    yield client
    for each in made:
        each.end() if isinstance(each, Blocking) else each.close()


def request(connection: socket.socket) -> bytes:
    """A whole request: what its Content-Length announces, or a head alone."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += connection.recv(1 << 16)
    head, _, body = heard.partition(b"\r\n\r\n")
    announced = re.search(rb"(?i)content-length: (\d+)", head)
    while announced and len(body) < int(announced[1]):
        body += connection.recv(1 << 16)
    return head + b"\r\n\r\n" + body


class Scripted:
    """A server on loopback that treats its connections as it is told, one after the other, the last again."""

    def __init__(self, script: Sequence[Serve]) -> None:
        self._script = script
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.heard: list[bytes] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            treat = self._script[min(len(self.heard), len(self._script) - 1)]
            self.heard.append(b"")
            threading.Thread(target=self._treat, args=(connection, treat), daemon=True).start()

    def _treat(self, connection: socket.socket, treat: Serve) -> None:
        with connection:
            connection.settimeout(30)
            try:
                self.heard[-1] = request(connection)
                treat(connection)
            except OSError:  # the client has had enough
                return

    def close(self) -> None:
        self._listener.close()


@pytest.fixture
def scripted() -> Iterator[Callable[..., Scripted]]:
    """Starts scripted servers."""
    started = []

    def start(*script: Serve) -> Scripted:
        started.append(Scripted(script))
        return started[-1]

    yield start
    for each in started:
        each.close()


@pytest.fixture(scope="session")
def service_url(sample_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of a `rostrum serve` over the sample archive, which ranks few candidates."""
    log = tmp_path_factory.mktemp("service") / "log"
    process = ServiceProcess(log, "--archive", str(sample_archive), timeout_s="280", candidates="8")
    yield process.wait_serving().url
    process.stop()
