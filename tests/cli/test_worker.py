"""`rostrum worker`, and `rostrum recommend` over as many of them as there are."""

import json
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from archive.shipped_files import locate_shipped
from embedded.store import EmbeddedStore
from rostrum_core.extras import install_command
from rostrum_core.identifiers import hash_text
from rostrum_core.types import Answer, Encoding
from tests.engines import QUICK
from tools.redis_server import RedisServer
from tools.worker_process import WorkerProcess

from .conftest import Rostrum

MOON = locate_shipped("samples/drafts/moon.md")
NO_TORCH = "the engine torch, which ROSTRUM_DEVICE=cuda asks for, needs the extra: " + install_command("gpu")
without_torch = pytest.mark.skipif(find_spec("torch") is not None, reason="torch is installed here")


@pytest.fixture
def workers(redis_server: RedisServer, tmp_path: Path) -> Iterator[list[WorkerProcess]]:
    """The workers that a test has started; they end after it."""
    started: list[WorkerProcess] = []
    yield started
    for each in started:
        each.kill()


def test_one_two_and_four_workers_print_the_same_top_ten_as_none(
    rostrum: Rostrum,
    sample_archive: Path,
    redis_server: RedisServer,
    workers: list[WorkerProcess],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = ("recommend", MOON, "--archive", sample_archive, "--explain")
    monkeypatch.setenv("ROSTRUM_THREADS", "1")
    monkeypatch.setenv("ROSTRUM_ENGINE", QUICK["engine"])
    inline = rostrum(*line)
    assert inline.out.count("\n- ") == 10
    url = redis_server.take_unused()
    monkeypatch.setenv("ROSTRUM_REDIS_URL", url)
    for number in (1, 2, 4):
        logs = [tmp_path / f"log-{n}" for n in range(len(workers), number)]
        fresh = [WorkerProcess(url, log, settings=QUICK) for log in logs]
        workers += fresh
        for each in fresh:
            each.wait_ready()
        shown = rostrum(*line)
        assert "degraded" not in shown.err
        assert shown.out == inline.out


def test_without_redis_the_answer_comes_degraded_and_says_why(
    rostrum: Rostrum, sample_archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROSTRUM_REDIS_URL", "redis://:secret@127.0.0.1:1/0")
    shown = rostrum("recommend", MOON, "--archive", sample_archive, "--json")
    assert shown.code == 0
    assert "degraded: dense: Redis cannot be used" in shown.err
    assert "secret" not in shown.out + shown.err
    answer = json.loads(shown.out)
    assert len(answer["recommendations"]) == 10
    assert all(each["scores"]["dense"] is None for each in answer["recommendations"])
    assert answer.keys() == Answer.__dataclass_fields__.keys()


@pytest.mark.parametrize(
    ("options", "code", "complaint"),
    [
        (["--queues", "rerank.cpu,rerank"], 2, "no queue is named 'rerank'"),
        (["--queues", ","], 2, "name at least one queue"),
        (["--concurrency", "0"], 2, "'--concurrency'"),
        (["--device", "tpu"], 2, "'--device'"),
        (["--device", "cuda", "--concurrency", "2"], 2, "a GPU is worked by one process"),
        pytest.param(["--device", "cuda"], 1, NO_TORCH, marks=without_torch),
    ],
)
def test_what_a_worker_cannot_be_is_told_in_one_line(
    rostrum: Rostrum, options: list[str], code: int, complaint: str
) -> None:
    shown = rostrum("worker", *options)
    assert (shown.code, shown.out) == (code, "")
    assert complaint in shown.complaint


@without_torch
def test_a_gpu_that_nothing_can_use_is_refused_without_workers_too(
    rostrum: Rostrum, sample_archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROSTRUM_DEVICE", "cuda")
    shown = rostrum("recommend", MOON, "--archive", sample_archive)
    assert shown.code == 1
    assert NO_TORCH in shown.complaint


def test_an_archive_that_workers_encoded_is_that_of_one_process(
    rostrum: Rostrum,
    redis_server: RedisServer,
    workers: list[WorkerProcess],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ROSTRUM_ENGINE", "onnxruntime")  # one thread and two differ by less than in bfloat16
    lines = sorted(locate_shipped("samples/speeches.jsonl").read_text("utf-8").splitlines(), key=len)[:6]
    (tmp_path / "speeches.jsonl").write_text("\n".join(lines), "utf-8")
    assert rostrum("index", tmp_path / "speeches.jsonl", "--archive", tmp_path / "inline").code == 0
    url = redis_server.take_unused()
    worker = WorkerProcess(url, tmp_path / "log", "--concurrency", "2", settings={"engine": "onnxruntime"})
    workers.append(worker.wait_ready())
    monkeypatch.setenv("ROSTRUM_REDIS_URL", url)
    assert rostrum("index", tmp_path / "speeches.jsonl", "--archive", tmp_path / "workers").code == 0
    alone, shared = (encodings(tmp_path / name) for name in ("inline", "workers"))
    assert len(alone) > 20
    assert alone.keys() == shared.keys()
    for name, encoding in alone.items():
        np.testing.assert_allclose(shared[name].vector, encoding.vector, atol=1e-6)
        assert shared[name].tokens.ids.tolist() == encoding.tokens.ids.tolist()


def encodings(archive: Path) -> Mapping[str, Encoding]:
    store = EmbeddedStore(archive)
    published = next(each.name for each in store.generations() if each.published)
    speeches = [store.get(info.id) or pytest.fail(info.id) for info in store.documents()]
    texts = {hash_text(each.text) for _, paragraphs in speeches for each in paragraphs}
    return store.encodings(published, sorted(texts))
