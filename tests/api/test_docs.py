"""The examples of docs/api.md that ask a service, run against one."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
ADDRESS = "http://127.0.0.1:8000"


def examples(begins: str) -> list[str]:
    """The indented blocks of the page that begin so."""
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", PAGE.read_text("utf-8"), re.MULTILINE)
    return [dedent(block).strip() for block in blocks if dedent(block).strip().startswith(begins)]


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_examples_of_the_page_run(served, sample_archive, tmp_path) -> None:
    own = shutil.copytree(sample_archive, tmp_path / "archive")
    process = served("--archive", own, timeout_s="280")
    for example in (*examples("curl"), *examples("printf")):
        for line in re.split(r"\n(?=curl)", example.replace(ADDRESS, process.url)):
            ran = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True)
            assert "/metrics" in line or "error" not in json.loads(ran.stdout), line
    [program] = examples("import json")
    ran = subprocess.run(
        [sys.executable, "-c", program.replace(ADDRESS, process.url)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.startswith("1 John F. Kennedy ")
    assert len(ran.stdout.splitlines()) == 10
