"""docs/opensearch-plugin.md, from an index that is there to reranked hits and back, run as it stands."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "opensearch-plugin.md"
SHELL = ("export ", "rostrum opensearch ", "curl ")
SHOWN = ("pip install ", '"_score"', "POST ")
"""The service, which a fixture runs; an answer and a request in short form, which are shown."""


def blocks() -> list[str]:
    """The indented blocks of the page."""
    found = re.findall(r"(?:^    .*\n|^\n(?=    ))+", PAGE.read_text("utf-8"), re.MULTILINE)
    return [dedent(block).strip() for block in found]


def script(ml_url: str, service_url: str, index: str) -> str:
    """The page's commands as one, at the servers of this run."""
    lines = []
    for block in blocks():
        if block.startswith("import "):
            lines.append(f"{sys.executable} - <<'PYTHON'\n{block}\nPYTHON")
        elif block.startswith(SHELL):
            lines.append(block)
        else:
            assert block.startswith(SHOWN), block
    text = (
        "\n".join(lines)
        .replace("http://127.0.0.1:9200", ml_url)
        .replace("http://127.0.0.1:8000", service_url)
    )
    text = text.replace("/speeches/", f"/{index}/").replace('"speeches"', f'"{index}"')
    return text.replace("curl -s", "curl -s --fail-with-body -w '\\n'")


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_page_leads_from_an_index_to_reranked_hits_and_back(ml_url, road, index, key_file) -> None:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("ROSTRUM_")}
    environment |= {"RERANK_KEY": key_file[1], "PATH": f"{Path(sys.executable).parent}:{environment['PATH']}"}
    environment |= {"ROSTRUM_OPENSEARCH_TIMEOUT_S": "60"}
    patient = script(ml_url, road.url, index).replace("--yes", "--yes --timeout-s 120 --connect-timeout-s 5")
    ran = subprocess.run(["bash", "-e"], input=patient, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("ok  ") == 15  # of install, of status, and of install --highlighter
    assert '"span"' in ran.stdout
    assert "removed: pipeline" in ran.stderr


def test_the_page_shows_how_the_service_is_started() -> None:
    [start] = [block for block in blocks() if block.startswith("pip install ")]
    assert start.splitlines()[1:] == [
        "rostrum key add opensearch --file keys.json",
        "ROSTRUM_API_KEYS=keys.json rostrum serve --host 0.0.0.0",
    ]
