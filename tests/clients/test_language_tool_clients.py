"""Clients of LanguageTool, unchanged, against a real service over the sample archive."""

import json
import subprocess
from pathlib import Path

import pytest

from tools.service_process import ServiceProcess

PROGRAM = Path(__file__).with_name("ask_language_tool.py")
QUOTE = "Ask what your country can do for you, ask what you can do for your country."
TEXT = f"The rocket 🚀 rose. John F. Kennedy said: “{QUOTE}”"
EXACT = "ask not what your country can do for you—ask what you can do for your country"


@pytest.fixture(scope="module")
def address(sample_archive, tmp_path_factory):
    """Address of a service without keys: such clients send none."""
    process = ServiceProcess(
        tmp_path_factory.mktemp("service") / "log", "--archive", str(sample_archive), timeout_s="280"
    )
    yield process.wait_serving().url
    process.kill()


def test_a_dropped_not_is_underlined_and_the_exact_words_are_suggested(python, address) -> None:
    ran = subprocess.run([python, str(PROGRAM), address, TEXT], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    match, command = map(json.loads, ran.stdout.splitlines())
    assert match == {"rule": "ROSTRUM_ALTERED", "marked": QUOTE, "suggestions": [EXACT]}
    assert EXACT in command["shown"]
    assert "leaves out “not”" in command["shown"]
