"""Locate Rostrum's folder in the user's cache, also for other packages that keep files there."""

from __future__ import annotations

import os
from pathlib import Path


def locate_cache_folder() -> Path:
    """Return Rostrum's folder in the user's cache, which need not exist yet.

    Raises:
        RuntimeError: the system knows no home for this user.
    """
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rostrum"


def keep_fonts() -> None:
    """Let matplotlib keep its list of fonts in Rostrum's cache, unless the user has named a folder.

    Call this before matplotlib is imported, which otherwise writes into the user's configuration.
    """
    os.environ.setdefault("MPLCONFIGDIR", str(locate_cache_folder() / "matplotlib"))
