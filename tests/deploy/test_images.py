"""The Dockerfile agrees with the package, lets nothing else in, and is what its linter asks for."""

import fnmatch
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from .conftest import ROOT, ours

DOCKERFILE = (ROOT / "Dockerfile").read_text()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
STAGES = re.findall(r"^FROM \S+ AS (\S+)$", DOCKERFILE, re.MULTILINE)


def lets_in(path):
    """Whether the build sees a file or a folder at the root: the last line that fits decides."""
    seen = True
    for line in (ROOT / ".dockerignore").read_text().splitlines():
        if line and not line.startswith("#") and fnmatch.fnmatchcase(path, line.removeprefix("!")):
            seen = line.startswith("!")
    return seen


def test_the_linter_has_nothing_to_say():
    linter = Path(sys.executable).parent / "hadolint"
    done = subprocess.run([linter, ROOT / "Dockerfile"], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_build_sees_all_that_the_wheel_is_made_of():
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = [*wheel["packages"], *wheel["force-include"], *PROJECT["project"]["license-files"]]
    for name in (*needed, PROJECT["project"]["readme"], "pyproject.toml", "constraints.txt"):
        assert (ROOT / name).exists()
        assert lets_in(name), name


@pytest.mark.parametrize("name", [".env", "secrets", "snapshots", "transcripts"])
def test_what_an_operator_puts_beside_the_files_comes_neither_into_an_image_nor_into_git(name):
    assert not lets_in(name)
    ignored = ["git", "-c", "safe.directory=*", "check-ignore", "-q", f"{name}/x" if name != ".env" else name]
    assert subprocess.run(ignored, cwd=ROOT).returncode == 0


def test_nothing_else_comes_into_an_image():
    assert not any(map(lets_in, ("tests", "shared", ".git", "docs", "benchmarks", ".venv")))


def test_extras_and_packages_are_those_of_the_project():
    extras = PROJECT["project"]["optional-dependencies"]
    assert set(re.findall(r"\$1\[([\w,]+)\]", DOCKERFILE)) == {"api,cluster,openvino,otel", "gpu"}
    assert {"api", "cluster", "openvino", "otel", "gpu"} <= set(extras)
    swapped = [re.match(r"[\w-]+", line)[0] for line in (*PROJECT["project"]["dependencies"], *extras["gpu"])]
    assert {"faiss-cpu", "faiss-gpu-cu12"} <= set(swapped)
    assert "faiss-gpu-cu12==" in (ROOT / "constraints.txt").read_text()


def test_python_has_a_whole_version_that_the_project_takes():
    [version] = re.findall(r"^ARG PYTHON=(\d+\.\d+\.\d+)-slim-bookworm$", DOCKERFILE, re.MULTILINE)
    assert version in SpecifierSet(PROJECT["project"]["requires-python"])


def test_images_run_as_nobody_of_the_machine_and_keep_what_they_write(services):
    runtime = DOCKERFILE[DOCKERFILE.index("AS runtime") :]
    assert re.findall(r"^USER (\d+)$", runtime, re.MULTILINE) == ["10001"]
    assert "ROSTRUM_ARCHIVE=/var/lib/rostrum/" in runtime
    assert "VOLUME /var/lib/rostrum\n" in runtime
    for name in ("api", "api-demo"):
        assert any(each.endswith(":/var/lib/rostrum") for each in services[name]["volumes"])


def test_services_are_built_from_stages_that_are_there(services):
    assert {each["build"]["target"] for each in services.values() if ours(each)} == {"cpu", "gpu"}
    assert STAGES[-1] == "cpu"
    assert "gpu" in STAGES
