"""The application over the sample archive and the shipped models, in this process or in one of its own."""

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from archive.service import Service
from rostrum.api.app import make_app
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from tests.engines import QUICK
from tools.service_process import ServiceProcess

MOON = {
    "title": "Why a rocket to the moon is worth its price",
    "left": "A young president stood in a football stadium in Houston and told the crowd why the nation "
    "should want to go to space at all.",
}
LOOPBACK = "http://127.0.0.1"
PATIENCE_S = 280.0  # a slow machine is no reason to degrade


@pytest.fixture(autouse=True, scope="session")
def _no_settings_of_this_machine() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("ROSTRUM_")]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def service(sample_archive: Path) -> Service:
    """The service of the sample archive, which nobody writes to."""
    return assemble(replace(read_settings({}), archive=sample_archive, timeout_s=PATIENCE_S))


@pytest.fixture(scope="session")
def client(service: Service) -> Iterator[TestClient]:
    """A client of the application in this process."""
    with TestClient(make_app(service), base_url=LOOPBACK) as client:
        yield client


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Callable[..., ServiceProcess]]:
    """Starts `rostrum serve` with these options and settings; it ends after the test."""
    started: list[ServiceProcess] = []

    def start(*options: str | Path, **settings: str) -> ServiceProcess:
        log = tmp_path / f"log-{len(started)}"
        started.append(ServiceProcess(log, *map(str, options), **QUICK | settings))
        return started[-1].wait_serving()

    yield start
    for each in started:
        each.kill()
