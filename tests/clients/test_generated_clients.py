"""Clients that two generators make of `/openapi.json`, and what they are answered."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import httpx2
import pytest

from rostrum.api.edge.keys import KeyScope, add_key
from tools.service_process import ServiceProcess

HERE = Path(__file__).parent
ANSWERS = {
    "added": 1,
    "recommended": "moon/1",
    "searched": 1,
    "listed": "moon/1",
    "got": "We choose to go to the moon in this decade.",
    "cohere": 1,
    "wrong": "bad_input",
}
CONFIG = "content_type_overrides:\n  application/x-ndjson: application/octet-stream\n"


@pytest.fixture
def service(tmp_path: Path):
    """Address and key of a service with an empty archive."""
    key = add_key(tmp_path / "keys.json", "client", KeyScope.WRITE)
    settings = {"api_keys": str(tmp_path / "keys.json"), "timeout_s": "280"}
    process = ServiceProcess(tmp_path / "log", "--archive", str(tmp_path / "archive"), **settings)
    yield process.wait_serving().url, key
    process.kill()


@pytest.fixture
def document(service, tmp_path: Path) -> Path:
    """The description of the service, in a file."""
    path = tmp_path / "openapi.json"
    path.write_bytes(httpx2.get(f"{service[0]}/openapi.json").content)
    return path


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [str(each) for each in command],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_generated_python_client_is_whole_and_works(
    python, service, document: Path, tmp_path: Path
) -> None:
    (tmp_path / "config.yml").write_text(CONFIG, "utf-8")
    generator = Path(python).with_name("openapi-python-client")
    options = ("--meta", "none", "--output-path", "rostrum_generated", "--config", "config.yml")
    said = run(generator, "generate", "--path", document, *options, cwd=tmp_path)
    assert "not be generated" not in said
    assert "WARNING" not in said
    asked = run(python, HERE / "ask_generated.py", *service, cwd=tmp_path, PYTHONPATH=str(tmp_path))
    assert json.loads(asked) == ANSWERS


def test_a_generated_typescript_client_compiles_strictly_and_works(
    node: Path, service, document: Path, tmp_path: Path
) -> None:
    (tmp_path / "node_modules").symlink_to(node / "node_modules")
    shutil.copy(HERE / "package.json", tmp_path)
    shutil.copy(HERE / "ask_typescript.mts", tmp_path)
    bin = node / "node_modules" / ".bin"
    run(bin / "openapi-typescript", document, "-o", "schema.d.ts", cwd=tmp_path)
    options = ("--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2022", "--types", "node")
    run(
        bin / "tsc",
        *options,
        "--allowImportingTsExtensions",
        "--rewriteRelativeImportExtensions",
        "ask_typescript.mts",
        cwd=tmp_path,
    )
    asked = run("node", "ask_typescript.mjs", *service, cwd=tmp_path)
    assert json.loads(asked) == ANSWERS | {"tei": 200}
