"""Processes that end with whoever started them, even if that was killed."""

from __future__ import annotations

import ctypes
import signal
import sys


def end_with_owner() -> None:
    """For `preexec_fn`: Linux ends the process when the thread that started it is gone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
