"""Locate Rostrum's folder in the user's cache, and make other packages store their files there, too."""

from __future__ import annotations

import os
from pathlib import Path


def locate_cache_folder() -> Path:
    """Return Rostrum's folder in the user's cache; it may not exist yet.

    An empty or relative `XDG_CACHE_HOME` is ignored.

    Raises:
        RuntimeError: the user has no home folder.
    """
    named = os.environ.get("XDG_CACHE_HOME", "")
    return Path(named if os.path.isabs(named) else Path.home() / ".cache") / "rostrum"


def keep_fonts() -> None:
    """Make matplotlib store its list of fonts in Rostrum's cache, unless the user has set another folder.

    Call this before matplotlib is imported; otherwise it writes into the user's configuration.
    """
    os.environ.setdefault("MPLCONFIGDIR", str(locate_cache_folder() / "matplotlib"))
