"""Find a Java that can run OpenSearch 3: version 21 or newer."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

OLDEST = 21
VARIABLES = ("OPENSEARCH_JAVA_HOME", "JAVA_HOME")
FOLDERS = ("/usr/lib/jvm", "/usr/lib64/jvm", "/opt/java", "/Library/Java/JavaVirtualMachines")


class Missing(Exception):
    """Raised if the machine lacks something that a node needs; the message says what, and how to get it."""


def find_jdk() -> Path:
    """Return the home of a JDK: that of the environment if it is new enough, or else the system's newest.

    Raises:
        Missing: no JDK is new enough.
    """
    homes = [Path(os.environ[name]) for name in VARIABLES if os.environ.get(name)]
    for home in (*homes, *sorted(_list_installed(), key=read_version, reverse=True)):
        if read_version(home) >= OLDEST:
            return home
    places = f"{' or '.join(VARIABLES)}, nor in {', '.join(FOLDERS)}"
    raise Missing(f"OpenSearch needs a JDK {OLDEST} or newer, and there is none in {places}")


def read_version(home: Path) -> int:
    """Return the major version of the JDK in a folder, by its `release` file; 0 if the file is missing."""
    try:
        match = re.search(r'^JAVA_VERSION="(\d+)', (home / "release").read_text(), re.MULTILINE)
    except OSError:
        return 0
    return int(match[1]) if match and (home / "bin" / "java").exists() else 0


def _list_installed() -> Iterator[Path]:
    for folder in map(Path, FOLDERS):
        for home in folder.glob("*"):
            yield home / "Contents" / "Home" if (home / "Contents").is_dir() else home
