"""Refreshes over OpenSearch whose processes are killed: nothing doubled, lost or half-published."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from archive.cleaning_rules import load_boilerplate
from archive.shipped_files import locate_shipped
from embedded.store import EmbeddedStore
from indexer.ingest import read
from opensearch import Connection, OpenSearchStore
from opensearch.failures import NotFound
from rostrum_core.ports import Query
from rostrum_core.refresh_jobs import ENDED, RefreshRequest
from tools.worker_process import WorkerProcess
from workers.app import make_app
from workers.background.jobs import Jobs

from .strange import ENCODE_GATE

CHEAP = ("-m", "tests.workers.refreshing")
STRANGE = ("-m", "tests.workers.strange")
KILLS, LONGEST_S = 10, 90.0  # of killing, however slow the machine is


@pytest.fixture
def jobs(redis_url: str) -> Jobs:
    return Jobs(make_app(redis_url))


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    folder = tmp_path / "sources"
    folder.mkdir()
    (folder / "old.txt").write_text("The river runs to the sea.")
    return folder


@pytest.fixture
def start(redis_url: str, sources: Path, tmp_path: Path) -> Iterator[Callable[..., WorkerProcess]]:
    """Starts a worker of this program with these options; all end with the test."""
    started: list[WorkerProcess] = []

    def act(program: tuple[str, ...], *options: str, **settings: str) -> WorkerProcess:
        known = {"sources": str(sources), "archive": str(tmp_path / "archive"), **settings}
        log = tmp_path / f"worker-{len(started)}"
        started.append(WorkerProcess(redis_url, log, *options, program=program, settings=known))
        return started[-1].wait_ready()

    yield act
    for each in started:
        each.kill()


@pytest.fixture
def prefix(opensearch_prefix: str) -> str:
    """Of the archive that refreshers write."""
    return f"{opensearch_prefix}killed-"


@pytest.fixture
def store(opensearch_url: str, prefix: str) -> Iterator[OpenSearchStore]:
    """A reader of the archive, which is removed at the end."""
    found = OpenSearchStore(Connection(opensearch_url, prefix=prefix, timeout_s=60))
    yield found
    found.server.call("DELETE", f"/{prefix}*", expand_wildcards="all")
    with suppress(NotFound):
        found.server.call("DELETE", f"/_ingest/pipeline/{prefix}guard")
    found.server.close()


@pytest.fixture
def start_refresher(
    start: Callable[..., WorkerProcess], opensearch_url: str, prefix: str
) -> Callable[[], WorkerProcess]:
    names = {"url": opensearch_url, "prefix": prefix, "engine": "exact", "timeout_s": "60"}
    settings = {f"opensearch_{name}": value for name, value in names.items()}
    return lambda: start(CHEAP, "--queues", "refresh", **settings)


def ended(jobs: Jobs, job_id: str, within_s: float) -> bool:
    """Return whether a job ends within so many seconds."""
    return happened(lambda: jobs.find(job_id).state in ENDED, within_s)


def happened(fact: Callable[[], bool], within_s: float) -> bool:
    """Return whether a condition becomes true within so many seconds."""
    deadline = time.monotonic() + within_s
    while not fact():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def held(store: OpenSearchStore) -> list[str]:
    """Ids of what readers see, each paragraph once and each document whole, all of one publication."""
    while True:
        published = store.published()
        ids = [each.id for each in store.documents()]
        found = store.search(Query("the", "", None, every=True))
        paragraphs = store.count()[1]
        if store.published() == published:  # otherwise a run has published between two of the questions
            break
    assert len({each.paragraph.id for each in found}) == len(found)
    if len(found) < 10_000:  # no search gives more
        assert len(found) == paragraphs
    return ids


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_refresher_killed_ten_times_publishes_each_speech_once_and_the_old_state_till_then(
    jobs: Jobs, start_refresher: Callable[[], WorkerProcess], store: OpenSearchStore, sources: Path
) -> None:
    first = start_refresher()
    assert ended(jobs, jobs.submit(RefreshRequest()).id, 60)
    first.kill()  # or it would do the work while the others are killed
    assert held(store) == ["old"]
    (sources / "speeches.jsonl").write_bytes(locate_shipped("samples/speeches.jsonl").read_bytes())
    rules = load_boilerplate(None)
    expected = sorted(each.id for each in read([sources], refused=pytest.fail, boilerplate=rules))
    chance, began = random.Random(1863), time.monotonic()
    job, kills = jobs.submit(RefreshRequest()).id, 0
    while kills < KILLS and time.monotonic() < began + LONGEST_S:
        worker = start_refresher()
        if ended(jobs, job, chance.uniform(0.1, 4.0)):
            job = jobs.submit(RefreshRequest(fresh=True)).id
            time.sleep(chance.uniform(0.1, 4.0))
        worker.kill()
        kills += 1
        assert held(store) in (["old"], expected)
    start_refresher()
    assert ended(jobs, job, 120), jobs.find(job)
    done = jobs.find(job)
    assert (done.state, done.error) == ("done", None)
    assert kills >= KILLS // 2, "the machine is too slow for this test"
    assert held(store) == expected
    for document in read([sources], refused=pytest.fail, boilerplate=rules):
        found = store.get(document.id)
        assert found is not None
        assert found[0] == document
        assert [each.ordinal for each in found[1]] == list(range(len(found[1])))
    again = jobs.submit(RefreshRequest()).id
    assert ended(jobs, again, 60)
    outcome = jobs.find(again).outcome
    assert outcome is not None
    assert (outcome.report.unchanged, outcome.report.generation) == (len(expected), None)


def test_a_document_that_opensearch_refuses_is_a_dead_letter_of_the_job(
    jobs: Jobs,
    start_refresher: Callable[[], WorkerProcess],
    store: OpenSearchStore,
    sources: Path,
    tmp_path: Path,
    prefix: str,
) -> None:
    start_refresher()
    assert ended(jobs, jobs.submit(RefreshRequest()).id, 60)
    script = {"source": "if (ctx.document_id == 'bad') throw new IllegalArgumentException('not this one')"}
    store.server.call("PUT", f"/_ingest/pipeline/{prefix}guard", {"processors": [{"script": script}]})
    guarded = {"index.default_pipeline": f"{prefix}guard"}
    store.server.call("PUT", f"/{prefix}paragraphs,{prefix}documents/_settings", guarded)
    (sources / "bad.txt").write_text("What OpenSearch does not keep.")
    (sources / "good.txt").write_text("What it keeps.")
    job = jobs.submit(RefreshRequest()).id
    assert ended(jobs, job, 60)
    outcome = jobs.find(job).outcome
    assert outcome is not None
    assert (outcome.report.added, outcome.report.refused) == (1, 1)
    assert held(store) == ["good", "old"]
    letter = (tmp_path / "archive" / "dead-letters.jsonl").read_text()
    assert '"file": "bad"' in letter
    assert "the archive refuses it: " in letter
    assert "not this one" in letter


def test_an_encoder_killed_in_mid_refresh_loses_nothing(
    jobs: Jobs,
    start: Callable[..., WorkerProcess],
    sources: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    gate = tmp_path / "gate"
    monkeypatch.setenv(ENCODE_GATE, str(gate))
    lines = sorted(locate_shipped("samples/speeches.jsonl").read_text("utf-8").splitlines(), key=len)[:10]
    (sources / "speeches.jsonl").write_text("\n".join(lines), "utf-8")
    first = start(STRANGE)
    start(("-c", "from rostrum.cli import main; main()"), "--queues", "refresh")
    gate.touch()
    job = jobs.submit(RefreshRequest()).id
    assert happened(lambda: gate.read_text() != "", 60)
    first.kill()
    gate.unlink()
    start(STRANGE)
    assert ended(jobs, job, 120)
    done = jobs.find(job)
    assert (done.state, done.error, done.attempts) == ("done", None, 1)
    store = EmbeddedStore(tmp_path / "archive")
    assert store.count()[0] == 11
    assert len({each.id for each in store.documents()}) == 11
