"""Run a Redis on loopback with a scratch folder, for tests and benchmarks; it ends with the process that
started it.
"""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from itertools import count

from redis import Redis
from redis.exceptions import RedisError

from tools.owner import end_with_owner

START_TIMEOUT_S = 20.0
STOP_TIMEOUT_S = 10.0
DATABASES = 10_000
PORTS = 5  # ports to try: another program may take one between the check and the start


class RedisMissing(Exception):
    """Raised if this machine has no redis-server, or if it does not start."""


class RedisServer:
    """Run a Redis server that stores nothing on disk.

    After `end`, `start` starts an empty server at the same address.

    Raises:
        RedisMissing: the server cannot be started.
    """

    def __init__(self, *, password: str = "") -> None:
        program = shutil.which("redis-server")
        if program is None:
            raise RedisMissing("redis-server is not installed (Debian: apt-get install redis-server)")
        self.folder = tempfile.mkdtemp(prefix="rostrum-redis-")
        self._password, self._unused = password, count(1)
        self._command = [program, "--bind", "127.0.0.1", "--dir", self.folder, "--save", ""]
        self._command += ["--appendonly", "no", "--databases", str(DATABASES)]
        self._command += ["--requirepass", password] if password else []
        self._start_anywhere()

    @property
    def url(self) -> str:
        """Return the address of the first database."""
        return f"redis://{f':{self._password}@' if self._password else ''}127.0.0.1:{self.port}/0"

    def take_unused(self) -> str:
        """Return the address of a database that was not used yet."""
        return f"{self.url[:-1]}{next(self._unused)}"

    def start(self) -> None:
        """Start the process at its port and wait until it responds."""
        command = [*self._command, "--port", str(self.port)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=end_with_owner
        )
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._is_answering():
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RedisMissing(f"redis-server does not answer at port {self.port}")
            time.sleep(0.05)

    def _start_anywhere(self) -> None:
        """Start the process at a free port; if the port is taken before the start, try another port."""
        for attempt in range(1, PORTS + 1):
            self.port = _find_free_port()
            try:
                self.start()
                return
            except RedisMissing:
                if attempt == PORTS or self.process.poll() is None:
                    self.close()
                    raise

    def end(self) -> None:
        """End the process; its data is lost."""
        self.process.send_signal(signal.SIGCONT)
        self.process.terminate()
        try:
            self.process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def close(self) -> None:
        """End the process and remove its folder."""
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _is_answering(self) -> bool:
        """Return whether the Redis that responds at the port is this process, and not another Redis."""
        try:
            with Redis.from_url(self.url, socket_timeout=1) as client:
                return bool(client.info("server")["process_id"] == self.process.pid)
        except RedisError:
            return False


def _find_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
