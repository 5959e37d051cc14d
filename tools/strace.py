"""Trace a command with strace, to find its network connections and the files that it writes.

Unlike a guard inside Python, strace also sees native code.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path

NETWORK = "connect,sendto,sendmsg,sendmmsg,bind"
FILES = (
    "open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,mknod,mknodat"
)
OPTIONS = ("-f", "-qq", "-y", "-s", "4096", "--seccomp-bpf")

FAILED = re.compile(r" = -1 E\w+ \(.*\)$")
ADDRESS = re.compile(r'sin6?_port=htons\((\d+)\).*?(?:inet_addr\("|inet_pton\(AF_INET6, ")([^"]+)"')
FOLDER_AND_NAME = re.compile(r'(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"')
WRITING = re.compile(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC")
DEVICES = ("/dev/", "/proc/")
DNS = 53
TIMEOUT_S = 200.0


class StraceMissing(Exception):
    """Raised if this machine has no strace, or does not permit it."""


@dataclass(frozen=True, slots=True)
class Trace:
    """Hold the network addresses and files that a command used, and how the command ended.

    `addresses` are the internet addresses, as pairs (address, port), that the command connected to, sent to
    or bound. `written` are the absolute paths of all files and folders that the command created, opened for
    writing or renamed.
    """

    code: int
    output: str
    addresses: frozenset[tuple[str, int]]
    written: frozenset[Path]

    def list_foreign(self) -> list[tuple[str, int]]:
        """Return the addresses that are not on this machine, and all name servers."""
        return sorted(
            (host, port)
            for host, port in self.addresses
            if port == DNS or not ip_address(host.partition("%")[0]).is_loopback
        )

    def list_outside(self, *folders: Path) -> list[Path]:
        """Return the files written outside `folders`, except devices."""
        return sorted(
            path
            for path in self.written
            if not str(path).startswith(DEVICES) and not any(path.is_relative_to(own) for own in folders)
        )


def trace(
    command: Sequence[str],
    *,
    folder: Path,
    environment: Mapping[str, str],
    ready: Callable[[str], bool] | None = None,
) -> Trace:
    """Run a command under strace in `folder` and return its trace.

    If `ready` is set, the command gets SIGTERM as soon as `ready` returns true for its output so far.

    Raises:
        StraceMissing: strace cannot be used on this machine.
        RuntimeError: the command was not ready in time.
        TimeoutExpired: it did not end in time.
    """
    log, output = folder / "strace.log", folder / "output.log"
    line = [*_find_strace(), *OPTIONS, "-e", f"trace={NETWORK},{FILES}", "-o", str(log), *command]
    with output.open("wb") as out:
        process = subprocess.Popen(
            line, cwd=folder, env=dict(environment), stdout=out, stderr=out, stdin=subprocess.DEVNULL
        )
    try:
        if ready is not None:
            _wait(process, output, ready)
            os.kill(_find_child(process.pid), signal.SIGTERM)
        code = process.wait(TIMEOUT_S)
    finally:
        _kill(process)
    lines = log.read_text("utf-8", "replace").splitlines()
    return Trace(
        code,
        output.read_text("utf-8", "replace"),
        frozenset(_read_addresses(lines)),
        frozenset(_read_written(lines, folder)),
    )


def _find_strace() -> list[str]:
    program = shutil.which("strace")
    if program is None:
        raise StraceMissing("strace is not installed (Debian: apt-get install strace)")
    if subprocess.run([program, "-o", os.devnull, "true"], capture_output=True).returncode:
        raise StraceMissing("strace may not trace a process here (ptrace is forbidden)")
    return [program]


def _find_child(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill strace and the traced processes, if they are still running."""
    if process.poll() is None:
        os.kill(_find_child(process.pid), signal.SIGKILL)
        process.kill()
        process.wait()


def _wait(process: subprocess.Popen[bytes], output: Path, ready: Callable[[str], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not ready(output.read_text("utf-8", "replace")):
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"the command is not ready:\n{output.read_text('utf-8', 'replace')}")
        time.sleep(0.1)


def _read_calls(lines: Sequence[str], names: str) -> Iterator[tuple[str, str]]:
    """Yield pairs (name, rest) for the system calls in `names`, in order.

    `names` is a list with commas. `rest` is the text of the call after its name. Unfinished calls are
    included.
    """
    wanted = set(names.split(","))
    for line in lines:
        name, _, rest = line.partition(" ")[2].lstrip().partition("(")
        if name in wanted:
            yield name, rest


def _read_addresses(lines: Sequence[str]) -> Iterator[tuple[str, int]]:
    for _, rest in _read_calls(lines, NETWORK):
        for port, host in ADDRESS.findall(rest):
            yield host, int(port)


def _read_written(lines: Sequence[str], folder: Path) -> Iterator[Path]:
    for name, rest in _read_calls(lines, FILES):
        if FAILED.search(rest) or (name in ("open", "openat") and not WRITING.search(rest)):
            continue
        paths = FOLDER_AND_NAME.findall(rest)
        for base, path in paths[-1:] if "link" in name else paths:  # the target of a link is not written
            yield Path(os.path.normpath(Path(base or folder) / path))
