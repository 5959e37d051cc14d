"""Whoever asks whether the service is ready has the models run no more often than anybody."""

import asyncio
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from archive.service import Service
from embedded.store import EmbeddedStore
from reranker.models.loaded import Models
from rostrum.api.edge import readiness
from rostrum.api.edge.readiness import Readiness
from rostrum_core.errors import StoreError, TaskError
from rostrum_core.ports import Entry
from rostrum_core.settings import read_settings


class Slow:
    """A runner that counts how often it is asked, and fails as long as it is told to."""

    def __init__(self) -> None:
        self.runs, self.fails = 0, False

    def run(self, task: str, payloads: Sequence[Mapping[str, Any]], *, timeout_s: float) -> list[Any]:
        self.runs += 1
        time.sleep(0.05)
        if self.fails:
            raise TaskError("no worker")
        return [{"vector": None}]


@pytest.fixture
def runner() -> Slow:
    return Slow()


@pytest.fixture
def asked(
    tmp_path: Path, runner: Slow, models: Models, entry: Callable[..., Entry], publish: Callable[..., str]
) -> Readiness:
    """What tells whether a service over an archive of one speech is ready."""
    store = EmbeddedStore(tmp_path / "archive")
    publish(store, entry("a", ["seven", "years"]))
    return Readiness(Service(read_settings({}), store, runner, models))


def test_many_who_ask_at_once_have_the_models_run_once(asked: Readiness, runner: Slow) -> None:
    async def all_at_once() -> list[readiness.Ready]:
        return await asyncio.gather(*(asked.check() for _ in range(20)))

    results = asyncio.run(all_at_once())
    assert {(each.generation, each.documents, each.paragraphs) for each in results} == {("000001", 1, 2)}
    assert runner.runs == 1


def test_what_was_found_is_soon_looked_for_again(
    asked: Readiness, runner: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "KEPT_S", 60.0)

    async def twice_and_later() -> None:
        await asked.check()
        await asked.check()
        assert runner.runs == 1
        monkeypatch.setattr(readiness, "KEPT_S", 0.0)  # as if a minute had passed
        await asked.check()

    asyncio.run(twice_and_later())
    assert runner.runs == 2


def test_a_failure_is_told_to_all_who_ask_and_not_for_ever(
    asked: Readiness, runner: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "KEPT_S", 60.0)
    runner.fails = True

    async def failing_then_well() -> readiness.Ready:
        found = await asyncio.gather(*(asked.check() for _ in range(5)), return_exceptions=True)
        assert [str(each) for each in found] == ["no worker"] * 5
        assert runner.runs == 1
        runner.fails = False
        monkeypatch.setattr(readiness, "KEPT_S", 0.0)
        return await asked.check()

    assert asyncio.run(failing_then_well()).documents == 1


def test_an_archive_that_cannot_be_searched_is_not_ready(service: Service, tmp_path: Path) -> None:
    shutil.copytree(service.settings.archive, tmp_path / "archive")
    [vectors] = (tmp_path / "archive").rglob("vectors.faiss")
    vectors.unlink()
    broken = Service(service.settings, EmbeddedStore(tmp_path / "archive"), service.runner, service.models)
    with pytest.raises(StoreError):
        readiness.check_readiness(broken)
    assert readiness.check_readiness(service).documents > 0
