"""Download OpenSearch and its plugins from Maven Central, and unpack them once into a cache folder.

The k-NN plugin comes without its native FAISS libraries: only the full distribution has them.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tools.jdk import Missing

VERSION = "3.6.0"
DISTRIBUTION = f"org.opensearch.distribution.integ-test-zip:opensearch:{VERSION}"
PLUGINS = {
    name: f"org.opensearch.plugin:{artifact}:{VERSION}.0"
    for name, artifact in {
        "knn": "opensearch-knn",
        "neural-search": "neural-search",
        "job-scheduler": "opensearch-job-scheduler",
        "ml": "opensearch-ml-plugin",  # 391 MB
    }.items()
}
NEEDS = {"neural-search": ("knn",), "ml": ("job-scheduler",)}
DEFAULT_PLUGINS = ("knn", "neural-search")
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy"


def install_opensearch(java_home: Path, plugins: Sequence[str] = DEFAULT_PLUGINS) -> Path:
    """Return the folder of an OpenSearch with these plugins; the first call downloads and unpacks it.

    Raises:
        Missing: Maven is not installed, or could not download the files.
    """
    chosen = complete(plugins)
    home = cache() / "-".join((f"opensearch-{VERSION}", *chosen))
    if not home.exists():
        home.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home.parent) as folder:
            unpacked = _unpack(Path(folder), java_home, chosen)
            _make_readable(unpacked)
            if not home.exists():  # another process may have been faster
                os.replace(unpacked, home)
    return home


def complete(plugins: Sequence[str]) -> list[str]:
    """Return the plugins in the order of installation, including those they depend on.

    >>> complete(["ml", "neural-search"])
    ['knn', 'neural-search', 'job-scheduler', 'ml']

    Raises:
        Missing: a plugin does not exist.
    """
    if unknown := set(plugins) - set(PLUGINS):
        raise Missing(f"no plugin {', '.join(sorted(unknown))}: there are {', '.join(PLUGINS)}")
    wanted = {*plugins, *(needed for name in plugins for needed in NEEDS.get(name, ()))}
    return [name for name in PLUGINS if name in wanted]


def cache() -> Path:
    """Return the cache folder for unpacked files, readable by the user as which a node runs."""
    if os.geteuid() == 0:
        return Path("/var/cache/rostrum-opensearch")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rostrum-opensearch"


def _unpack(folder: Path, java_home: Path, plugins: Sequence[str]) -> Path:
    shutil.unpack_archive(_fetch(DISTRIBUTION, folder), folder)
    home = folder / f"opensearch-{VERSION}"
    for program in (home / "bin").iterdir():
        program.chmod(0o755)
    for name in plugins:
        _install(home, java_home, _fetch(PLUGINS[name], folder))
    return home


def _fetch(artifact: str, folder: Path) -> Path:
    if shutil.which("mvn") is None:
        raise Missing("Maven is not installed: apt-get install maven, or what your system calls it")
    line = ["mvn", "-B", "-q", COPY, f"-Dartifact={artifact}:zip", f"-DoutputDirectory={folder}"]
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"Maven could not fetch {artifact}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    _, name, version = artifact.split(":")
    return folder / f"{name}-{version}.zip"


def _install(home: Path, java_home: Path, plugin: Path) -> None:
    line = [str(home / "bin" / "opensearch-plugin"), "install", "--batch", plugin.as_uri()]
    environment = {**os.environ, "OPENSEARCH_JAVA_HOME": str(java_home)}
    done = subprocess.run(line, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise Missing(f"{plugin.name} could not be installed: {done.stdout}{done.stderr}")


def _make_readable(folder: Path) -> None:
    for path in (folder, *folder.rglob("*")):
        path.chmod(path.stat().st_mode | (0o755 if path.is_dir() else 0o644))
