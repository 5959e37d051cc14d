"""Run the stack of docker-compose.yml as docs/operations.md describes, and check that it works.

python -m tools.stack_trial          needs root and what tools.stand_ins.build needs, and docker-compose

First the demo is run, then the production stack without the security plugin: a refresh, a recommendation, a
worker that is killed, and a restart that keeps the volumes. A line is printed for each step; the first
failing step ends the program with exit code 1. Everything happens in a copy of the checkout, in a compose
project of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from tools.stand_ins.build import build_all

ROOT = Path(__file__).resolve().parents[1]
PATIENCE_S = 300.0
BUILT_IN = "Docker version 20."
"""Clients in which BuildKit is built in."""
SPEECH = "1962-09-12-address-space-effort"
SPEECHES = ("1961", "1962")  # prefix of a few ids
DRAFT = {"left": "The president told the crowd in Houston why the nation should go to space", "limit": 3}
PLAIN = "http://opensearch:9200"
LIMITS: dict[str, Any] = {
    "ulimits": {
        name: dict(zip(("soft", "hard"), resource.getrlimit(kind), strict=True))
        for name, kind in (("nofile", resource.RLIMIT_NOFILE), ("memlock", resource.RLIMIT_MEMLOCK))
    },
    "environment": {"bootstrap.memory_lock": "false"},
}
"""Limits of this machine for a process, which may be lower than OpenSearch requires."""

DEMO_OVERRIDE = {"services": {"opensearch-demo": LIMITS}}
CHECK = "http://localhost:9200/_cluster/health?wait_for_status=yellow"
OVERRIDE: dict[str, Any] = {
    "services": {
        "opensearch": LIMITS | {"healthcheck": {"test": ["CMD", "curl", "-fsS", CHECK]}},
        "api": {"environment": {"ROSTRUM_OPENSEARCH_URL": PLAIN}},
        "refresh": {"environment": {"ROSTRUM_OPENSEARCH_URL": PLAIN}},
    }
}
"""Compose override for a production stack without the security plugin, so without TLS and users of the
cluster.
"""


class Stack:
    """Run one compose project in a folder."""

    def __init__(self, folder: Path, project: str, *files: str) -> None:
        self._folder = folder
        options = [option for name in files for option in ("-f", name)]
        self._line = [*find_compose(), "-p", project, *options]
        secrets = ("OPENSEARCH_INITIAL_ADMIN_PASSWORD", "OPENSEARCH_PASSWORD", "REDIS_PASSWORD")
        self._environment = os.environ | dict.fromkeys(secrets, "trial") | choose_builder()

    def run(self, *arguments: str, check: bool = True) -> str:
        """Run a compose command and return its standard output.

        Raises:
            SystemExit: the command failed.
        """
        done = subprocess.run(
            [*self._line, *arguments],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
        if check and done.returncode:
            sys.exit(f"{' '.join(arguments)}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done.stdout.strip()

    def run_rostrum(self, service: str, *arguments: str) -> str:
        """Run a `rostrum` command in the container of a service and return its output."""
        return self.run("run", "--rm", "-T", "--no-deps", service, *arguments)

    def wait_healthy(self, *services: str) -> None:
        """Wait until all these services are healthy."""
        for service in services:
            wait_until(f"{service} is healthy", partial(self._is_healthy, service))

    def end_processes(self, service: str) -> None:
        """Kill everything in the container of a service, as a failed health check does."""
        self.run("exec", "-T", service, "sh", "-c", "kill -KILL -1", check=False)

    def _is_healthy(self, service: str) -> bool:
        container = self.run("ps", "-q", service)
        template = "{{.State.Health.Status}}"
        done = subprocess.run(
            ["docker", "inspect", "-f", template, container], capture_output=True, text=True
        )
        return done.stdout.strip() == "healthy"


def try_demo(folder: Path, *, builds: bool) -> None:
    """Run the demo's commands from the documentation."""
    (folder / "trial-demo.yml").write_text(yaml.safe_dump(DEMO_OVERRIDE))
    stack = Stack(folder, "rostrum-trial-demo", "docker-compose.yml", "trial-demo.yml")
    with remove_at_the_end(stack, "--profile", "demo"):
        if builds:
            with step("build the image"):
                stack.run("--profile", "demo", "build", "api-demo")
        with step("make a key"):
            key = stack.run_rostrum("api-demo", "key", "add", "me", "--scope", "admin").splitlines()[-1]
        with step("start the demo"):
            stack.run("--profile", "demo", "up", "-d", "api-demo")
            stack.wait_healthy("opensearch-demo", "redis", "worker", "encoder", "api-demo")
        with step("index the samples"):
            stack.run_rostrum("api-demo", "index", "/transcripts")
        with step("recommend"):
            require_recommendation("http://127.0.0.1:8001", key)


def try_production(folder: Path) -> None:
    """Try the production stack: a refresh, requests, a killed worker and a restart."""
    (folder / "trial.yml").write_text(yaml.safe_dump(OVERRIDE))
    stack = Stack(folder, "rostrum-trial", "docker-compose.yml", "trial.yml")
    url = "http://127.0.0.1:8000"
    with remove_at_the_end(stack):
        key = stack.run_rostrum("api", "key", "add", "newsroom", "--scope", "read").splitlines()[-1]
        with step("start production, without the security plugin"):
            stack.run("up", "-d")
            stack.wait_healthy("opensearch", "redis", "worker", "encoder", "refresh", "beat", "api")
        with step("refresh"):
            stack.run_rostrum("api", "refresh")
        with step("recommend"):
            require_recommendation(url, key)
        with step("kill a worker and recommend again"):
            stack.end_processes("worker")
            wait_until("an answer that is not degraded", lambda: is_recommended(url, key))
        with step("restart with the volumes kept and recommend"):
            stack.run("down")
            stack.run("up", "-d")
            stack.wait_healthy("opensearch", "redis", "worker", "api")
            wait_until("an answer that is not degraded", lambda: is_recommended(url, key))
        with step("doctor"):
            stack.run_rostrum("api", "doctor")


def require_recommendation(url: str, key: str) -> None:
    """End with a message unless the service recommends the speech that the draft is about."""
    answer = recommend(url, key)
    names = [item["paragraph"]["document_id"] for item in answer["recommendations"]]
    if answer["degraded"] or not any(name.endswith(SPEECH) for name in names):
        sys.exit(f"a wrong answer: {json.dumps(answer)[:2000]}")


def is_recommended(url: str, key: str) -> bool:
    """Return whether the service's answer to the draft has recommendations and is not degraded."""
    try:
        answer = recommend(url, key)
    except OSError:
        return False
    return bool(answer["recommendations"]) and not answer["degraded"]


def recommend(url: str, key: str) -> dict[str, Any]:
    """Return the service's answer to the draft."""
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    draft = DRAFT | {"title": f"Space, {time.time_ns()}"}  # prevents a cached response
    request = urllib.request.Request(f"{url}/v1/recommend", json.dumps(draft).encode(), headers)
    with urllib.request.urlopen(request, timeout=120) as response:
        answer: dict[str, Any] = json.load(response)
        return answer


def wait_until(what: str, is_so: Callable[[], bool]) -> None:
    """Wait until a condition holds; end with a message if that takes too long."""
    deadline = time.monotonic() + PATIENCE_S
    while not is_so():
        if time.monotonic() > deadline:
            sys.exit(f"not so after {PATIENCE_S:.0f} s: {what}")
        time.sleep(2)


@contextmanager
def step(what: str) -> Iterator[None]:
    """Run a step, and print what was done and how long it took."""
    began = time.monotonic()
    yield
    print(f"ok  {what}: {time.monotonic() - began:.0f} s", flush=True)


@contextmanager
def remove_at_the_end(stack: Stack, *options: str) -> Iterator[None]:
    """Remove the stack's containers and volumes at the end; if a step failed, print the logs of its services
    first.
    """
    try:
        yield
    except SystemExit:
        print(stack.run(*options, "ps", check=False))
        print(stack.run(*options, "logs", "--no-color", "--tail", "20", check=False)[-12_000:])
        raise
    finally:
        stack.run(*options, "down", "--volumes", check=False)


def choose_builder() -> dict[str, str]:
    """Return variables that select BuildKit if docker has it, because the old builder builds all stages."""
    old = subprocess.run(["docker", "--version"], capture_output=True, text=True).stdout.startswith(BUILT_IN)
    if old or not subprocess.run(["docker", "buildx", "version"], capture_output=True).returncode:
        return {"DOCKER_BUILDKIT": "1", "COMPOSE_DOCKER_CLI_BUILD": "1"}
    return {}


def find_compose() -> list[str]:
    """Return the compose command: docker's plug-in, or Debian's program."""
    if not subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        return ["docker", "compose"]
    return ["docker-compose"]


def main() -> None:
    """Build the stand-ins, copy the checkout and try both stacks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--keep-image", action="store_true", help="uses the image rostrum:cpu that is there")
    parser.add_argument("--parts", nargs="+", default=["demo", "production"], choices=["demo", "production"])
    options = parser.parse_args()
    with step("build stand-ins for the base images"):
        build_all()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        files = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=True).stdout
        for name in files.decode().split("\0"):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, folder / name)
        for name in ("transcripts", "snapshots", "secrets/certificates"):
            (folder / name).mkdir(parents=True)
        for name in ("metrics-key", "internal_users.yml", "certificates/ca.pem"):
            (folder / "secrets" / name).touch()
        speeches = (folder / "samples" / "speeches.jsonl").read_text("utf-8").splitlines()
        chosen = [line for line in speeches if json.loads(line)["id"].startswith(SPEECHES)]
        (folder / "transcripts" / "speeches.jsonl").write_text("\n".join(chosen), "utf-8")
        folder.chmod(0o755)
        shutil.chown(folder / "snapshots", 1000)
        if "demo" in options.parts:
            try_demo(folder, builds=not options.keep_image)
        if "production" in options.parts:
            try_production(folder)


if __name__ == "__main__":
    main()
