"""Read the lines of a PDF, page by page, in a separate process: a harmful file only raises an error."""

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


class PdfLine(NamedTuple):
    """Hold a line of text on a page, with its position and its type size in points.

    `base` is the height of the base line above the lower edge of the page. `unseen` is "off", "white" or
    "invisible" for letters that are not visible on the page.
    """

    text: str
    left: float
    right: float
    base: float
    size: float
    unseen: str = ""


@dataclass(frozen=True, slots=True)
class PdfLines:
    """Hold the lines of each page of a PDF, in the order of the file, and the title in its metadata."""

    pages: tuple[tuple[PdfLine, ...], ...]
    title: str


def read_print(data: bytes, file: str, *, timeout_s: float = TIMEOUT_S) -> PdfLines:
    """Return the lines of text on all pages of a PDF, and its title, read in a separate process.

    Raises:
        TranscriptError: the PDF is damaged, encrypted, too large, or takes too much time or memory to read.
    """
    answer = json.loads(_run_child(data, file, timeout_s), parse_constant=lambda name: 0.0)
    if "error" in answer:
        raise TranscriptError(file, answer["error"])
    return _build_print(answer)


def _run_child(data: bytes, file: str, timeout_s: float) -> bytes:
    try:
        # "-P" excludes the current folder from the module search path.
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-P", str(CHILD)], input=data, capture_output=True, timeout=timeout_s
        )
    except subprocess.TimeoutExpired as error:
        raise TranscriptError(file, f"a PDF that takes more than {timeout_s:g} s to read") from error
    if done.returncode:
        raise TranscriptError(file, f"a PDF that breaks its reader: {_explain_exit(done)}")
    return done.stdout


def _explain_exit(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return why a process failed: the signal that ended it, or the last line of its standard error."""
    if done.returncode < 0:
        return signal.strsignal(-done.returncode) or f"signal {-done.returncode}"
    last = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
    return last[:200] or f"exit code {done.returncode}"


def _build_print(answer: dict[str, Any]) -> PdfLines:
    pages = tuple(tuple(PdfLine(*line) for line in page) for page in answer["pages"])
    return PdfLines(pages, answer["information"]["Title"])
