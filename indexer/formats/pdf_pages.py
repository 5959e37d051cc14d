"""Lines of a PDF, page by page, read by a process of its own: a file that harms it costs an error."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rostrum_core.errors import TranscriptError

CHILD = Path(__file__).with_name("pdf_child.py")
TIMEOUT_S = 120.0


class Line(NamedTuple):
    """A line of text; places and `size` of type are in points, `base` is the way up from the lower edge.

    `unseen` is "off", "white" or "invisible" for letters that nobody sees on the page.
    """

    text: str
    left: float
    right: float
    base: float
    size: float
    unseen: str = ""


@dataclass(frozen=True, slots=True)
class Print:
    """The lines of each page as they follow each other in the file, and what the file says of itself."""

    pages: tuple[tuple[Line, ...], ...]
    title: str


def printed(data: bytes, file: str, *, timeout_s: float = TIMEOUT_S) -> Print:
    """What a PDF prints.

    Raises:
        TranscriptError: it is damaged, encrypted, too large, or takes too long or too much memory to read.
    """
    found = json.loads(_answer(data, file, timeout_s), parse_constant=lambda name: 0.0)
    if "error" in found:
        raise TranscriptError(file, found["error"])
    return _print(found)


def _answer(data: bytes, file: str, timeout_s: float) -> bytes:
    try:
        # "-P" keeps the folder that a run is started in out of the places that modules are looked for.
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-P", str(CHILD)], input=data, capture_output=True, timeout=timeout_s
        )
    except subprocess.TimeoutExpired as error:
        raise TranscriptError(file, f"a PDF that takes more than {timeout_s:g} s to read") from error
    if done.returncode:
        raise TranscriptError(file, f"a PDF that breaks its reader: {_cause(done)}")
    return done.stdout


def _cause(done: subprocess.CompletedProcess[bytes]) -> str:
    """The signal that ended a process, or the last line that it wrote of its error."""
    if done.returncode < 0:
        return signal.strsignal(-done.returncode) or f"signal {-done.returncode}"
    last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return last[:200] or f"exit code {done.returncode}"


def _print(found: dict[str, Any]) -> Print:
    pages = tuple(tuple(Line(*line) for line in page) for page in found["pages"])
    return Print(pages, found["information"]["Title"])
