"""End processes together with the process that started them, even if the starting process was killed."""

from __future__ import annotations

import ctypes
import signal
import sys


def end_with_owner() -> None:
    """End this process when the thread that started it ends; for `preexec_fn` on Linux."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
