"""Build stand-ins for the images that Dockerfile and docker-compose.yml name, and tag them with these names.

python -m tools.stand_ins.build     needs root, `docker` with a running daemon, `debootstrap`, Maven and a JDK

Existing images with these names are not replaced.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import yaml

from tools.jdk import find_jdk
from tools.opensearch_files import DEFAULT_PLUGINS, install_opensearch

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
MIRROR = "http://deb.debian.org/debian"
RELEASE = "bookworm"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
KINDS = {
    "python": "python",
    "redis": "redis",
    "opensearchproject/opensearch": "opensearch",
    "prom/prometheus": "prometheus",
}


def build_all() -> list[str]:
    """Build the missing images and return their names."""
    wanted = {name: kind for name, kind in list_images().items() if not _has_image(name)}
    if wanted:
        _build_base()
    for name, kind in wanted.items():
        with _make_context(kind) as context:
            _build(name, kind, context)
    return list(wanted)


def list_images() -> dict[str, str]:
    """Return the foreign images that Dockerfile and docker-compose.yml name, with the kind of stand-in for
    each.
    """
    [version] = re.findall(r"^ARG PYTHON=(\S+)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"].values()
    named = {f"python:{version}", *(service["image"] for service in services)}
    kinds = {name: KINDS.get(name.partition(":")[0]) for name in sorted(named)}
    return {name: kind for name, kind in kinds.items() if kind}


def _build_base() -> None:
    if _has_image("stand-in/base"):
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        _run(["debootstrap", "--variant=minbase", "--include=ca-certificates", RELEASE, str(root), MIRROR])
        archive = subprocess.Popen(["tar", "-C", str(root), "-c", "."], stdout=subprocess.PIPE)
        subprocess.run(["docker", "import", "-", "stand-in/root"], stdin=archive.stdout, check=True)
        shutil.copy(CERTIFICATES, Path(folder) / "certificates.crt")
        shutil.rmtree(root)
        _build("stand-in/base", "base", Path(folder))


@contextmanager
def _make_context(kind: str) -> Iterator[Path]:
    """Yield the folder from which an image is built."""
    with tempfile.TemporaryDirectory() as folder:
        context = Path(folder)
        if kind == "opensearch":
            java_home = find_jdk()
            home = install_opensearch(java_home, [*DEFAULT_PLUGINS, "ml"])
            shutil.copytree(home, context / "opensearch", symlinks=True)
            shutil.copytree(
                java_home, context / "jdk", symlinks=True, ignore=shutil.ignore_patterns("src.zip", "jmods")
            )
            shutil.copy(FOLDER / "opensearch-entrypoint.sh", context)
        if kind == "python":
            _copy_python(context / "python")
        yield context


def _copy_python(target: Path) -> None:
    """Copy the running Python interpreter and its standard library, without packages."""
    prefix, version = Path(sys.base_prefix), f"python{sys.version_info.major}.{sys.version_info.minor}"
    ignored = shutil.ignore_patterns(
        "site-packages", "test", "idlelib", "tkinter", "turtledemo", "__pycache__"
    )
    shutil.copytree(prefix / "lib" / version, target / "lib" / version, ignore=ignored, symlinks=True)
    (target / "lib" / version / "site-packages").mkdir()
    (target / "bin").mkdir()
    shutil.copy(prefix / "bin" / version, target / "bin")
    for library in (prefix / "lib").glob("libpython*"):
        shutil.copy(library, target / "lib", follow_symlinks=False)


def _build(name: str, kind: str, context: Path) -> None:
    line = ["docker", "build", "--quiet", "--network", "host", "-t", name]
    _run([*line, "-f", str(FOLDER / f"{kind}.Dockerfile"), str(context)])


def _has_image(name: str) -> bool:
    return not subprocess.run(["docker", "image", "inspect", name], capture_output=True).returncode


def _run(line: Sequence[str]) -> None:
    print("+", *line, flush=True)
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    missing = [program for program in ("docker", "debootstrap", "mvn") if shutil.which(program) is None]
    if missing:
        sys.exit(f"not installed: {', '.join(missing)}")
    print("built:", ", ".join(build_all()) or "nothing, all were there")
