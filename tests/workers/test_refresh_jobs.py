"""Refresh jobs on a worker of their own: one at a time, told as they go, resumed, cancelled."""

import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from celery.app.task import Context
from celery.exceptions import Reject
from redis.exceptions import TimeoutError as RedisTimeout
from redis.lock import Lock

from archive.refresh_sources import refresh_sources
from archive.service import Service
from archive.shipped_files import locate_shipped
from embedded.store import EmbeddedStore
from rostrum.assemble import assemble
from rostrum_core.errors import ArchiveBusy, BadInput, Overtaken, TaskError
from rostrum_core.ports import Entry
from rostrum_core.refresh_jobs import ENDED, Job, RefreshOutcome, RefreshRequest, Report
from rostrum_core.settings import read_settings
from tests.waiting import LONG_S, wait_until
from tools.redis_server import RedisServer
from tools.worker_process import WorkerProcess
from workers.app import REFRESH, SOCKET_S, make_app
from workers.background.jobs import LEASE_S, MOST_JOBS, Jobs, StillAtWork
from workers.background.refreshing import Leaving, RefreshWorker, Tell
from workers.presence import is_present

from .refreshing import encode

PROGRAM = ("-m", "tests.workers.refreshing")
SPEECHES = 57  # in the sample


@pytest.fixture
def jobs(redis_url: str) -> Jobs:
    return Jobs(make_app(redis_url))


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    """A folder with the sample speeches and one of its own."""
    folder = tmp_path / "sources"
    (folder / "2024").mkdir(parents=True)
    (folder / "speeches.jsonl").write_bytes(locate_shipped("samples/speeches.jsonl").read_bytes())
    (folder / "2024" / "river.txt").write_text("The river runs to the sea.")
    return folder


@pytest.fixture
def start(redis_url: str, sources: Path, tmp_path: Path) -> Iterator[Callable[..., WorkerProcess]]:
    """Starts a refresh worker over the folder and an archive of its own; it ends with the test."""
    started: list[WorkerProcess] = []

    def start_worker(**settings: str) -> WorkerProcess:
        known = {"sources": str(sources), "archive": str(tmp_path / "archive"), **settings}
        log = tmp_path / f"refresher-{len(started)}"
        started.append(WorkerProcess(redis_url, log, "--queues", "refresh", program=PROGRAM, settings=known))
        return started[-1].wait_ready()

    yield start_worker
    for each in started:
        each.kill()


def wait_for(jobs: Jobs, job: Job, fact: Callable[[Job], bool]) -> Job:
    deadline = time.monotonic() + LONG_S
    while not fact(found := jobs.find(job.id)):
        assert time.monotonic() < deadline, found
        time.sleep(0.05)
    return found


def ended(jobs: Jobs, job: Job) -> Job:
    return wait_for(jobs, job, lambda found: found.state in ENDED)


def is_under_way(job: Job) -> bool:
    return job.state == "running" and job.progress.paragraphs > 0


def documents(tmp_path: Path) -> list[str]:
    return [each.id for each in EmbeddedStore(tmp_path / "archive").documents()]


def test_a_folder_of_sources_may_be_written_with_dots(jobs, start, sources: Path) -> None:
    start(sources=f"{sources}/2024/..")
    job = jobs.enqueue(RefreshRequest(paths=("2024",)))
    done = wait_for(jobs, job, lambda job: job.state in ENDED)
    assert done.state == "done", done
    assert done.outcome.report.added == 1


def test_a_job_brings_the_archive_up_to_date_and_tells_what_it_did(jobs, start, sources, tmp_path) -> None:
    (sources / "song.mp3").write_bytes(b"ID3")
    start()
    done = ended(jobs, jobs.submit(RefreshRequest()))
    assert (done.state, done.attempts, done.error) == ("done", 1, None)
    assert done.outcome is not None
    assert (done.outcome.report.added, done.outcome.report.refused) == (SPEECHES + 1, 0)
    assert done.outcome.passed_over == ((1, "no kind of file that is known by its suffix"),)
    [letter] = (tmp_path / "archive" / "dead-letters.jsonl").read_text().splitlines()
    assert json.loads(letter)["file"] == str(sources / "song.mp3")
    assert len(documents(tmp_path)) == SPEECHES + 1

    (sources / "2024" / "road.txt").write_text("The road is long.")
    again = ended(jobs, jobs.submit(RefreshRequest(("2024",))))
    assert again.outcome is not None
    assert (again.outcome.report.added, again.outcome.report.unchanged) == (1, 1)
    assert {"2024/river", "2024/road"} <= set(documents(tmp_path))
    assert [each.id for each in jobs.list_all()] == [again.id, done.id]

    mirrored = ended(jobs, jobs.submit(RefreshRequest(("2024/*.txt",), mirror=True)))
    assert mirrored.outcome is not None
    assert mirrored.outcome.report.deleted == SPEECHES
    assert documents(tmp_path) == ["2024/river", "2024/road"]


@pytest.mark.parametrize("name", ["none.txt", "*.none", "../other", "/etc/passwd", "2024/link"])
def test_file_outside_the_sources_is_not_read(jobs, start, sources, tmp_path, name) -> None:
    (tmp_path / "other").mkdir()
    (sources / "2024" / "link").symlink_to(tmp_path / "other")
    start()
    failed = ended(jobs, jobs.submit(RefreshRequest((name,))))
    assert failed.state == "failed"
    assert failed.error is not None
    assert failed.error.startswith(f"{name!r} ")
    assert failed.error.endswith(" the sources of the worker")


def test_a_second_refresh_is_refused_while_the_first_is_at_work(jobs, start) -> None:
    start()
    first = jobs.submit(RefreshRequest())
    with pytest.raises(ArchiveBusy, match=f"refresh job {first.id} is at work already"):
        jobs.submit(RefreshRequest())
    wait_for(jobs, first, is_under_way)
    with pytest.raises(ArchiveBusy, match=f"refresh job {first.id} is at work already"):
        jobs.submit(RefreshRequest())
    assert ended(jobs, first).state == "done"
    assert ended(jobs, jobs.submit(RefreshRequest())).state == "done"


def test_a_refresh_that_finds_another_writer_at_work_fails_and_says_so(jobs, start, tmp_path) -> None:
    start()
    (tmp_path / "archive").mkdir(exist_ok=True)
    with EmbeddedStore(tmp_path / "archive") as writer:
        writer.begin(encoder="e", tokenizer="t")
        failed = ended(jobs, jobs.submit(RefreshRequest()))
    assert failed.state == "failed"
    assert failed.error is not None
    assert "another writer is at work" in failed.error


def test_a_cancelled_job_leaves_what_is_published_and_the_next_goes_on(jobs, start, tmp_path) -> None:
    start()
    assert ended(jobs, jobs.submit(RefreshRequest(("2024",)))).state == "done"
    job = jobs.submit(RefreshRequest())
    wait_for(jobs, job, is_under_way)
    jobs.cancel(job.id)
    assert ended(jobs, job).state == "cancelled"
    assert documents(tmp_path) == ["2024/river"]
    assert jobs.cancel(job.id).state == "cancelled"
    done = ended(jobs, jobs.submit(RefreshRequest()))
    assert done.outcome is not None
    report = done.outcome.report
    assert (report.added, report.unchanged) == (SPEECHES, 1)
    stored = EmbeddedStore(tmp_path / "archive").count()[1]
    assert 0 < report.paragraphs < stored - 1  # the others were written by the job that was cancelled
    assert len(documents(tmp_path)) == SPEECHES + 1


def test_a_job_whose_worker_is_killed_is_taken_up_by_another(jobs, start, tmp_path) -> None:
    first = start()
    job = jobs.submit(RefreshRequest())
    wait_for(jobs, job, is_under_way)
    first.kill()
    start()
    done = ended(jobs, job)
    assert (done.state, done.attempts) == ("done", 2)
    assert len(documents(tmp_path)) == SPEECHES + 1


def test_a_worker_that_is_asked_to_leave_gives_its_job_back_at_once(jobs, start, tmp_path) -> None:
    first = start()
    job = jobs.submit(RefreshRequest())
    wait_for(jobs, job, is_under_way)
    first.process.send_signal(signal.SIGTERM)
    assert first.process.wait(30) == 0
    assert documents_published(tmp_path) == 0
    assert jobs.find(job.id).state == "waiting"
    start()
    assert ended(jobs, job).state == "done"
    assert len(documents(tmp_path)) == SPEECHES + 1


def test_a_redis_that_comes_back_with_nothing_costs_a_job_nothing(
    redis_server: RedisServer, sources: Path, tmp_path: Path
) -> None:
    own, settings = RedisServer(), {"sources": str(sources), "archive": str(tmp_path / "archive")}
    worker = WorkerProcess(
        own.url, tmp_path / "log", "--queues", "refresh", program=PROGRAM, settings=settings
    )
    try:
        worker.wait_ready()
        app = make_app(own.url)
        jobs = Jobs(app)
        job = jobs.submit(RefreshRequest())
        wait_for(jobs, job, is_under_way)
        own.end()
        wait_until(lambda: "the end of a job waits for Redis" in worker.read_output())
        own.start()
        wait_until(lambda: [each.state for each in jobs.list_all()] == ["done"])
        assert (jobs.list_all()[0].id, jobs.list_all()[0].attempts) == (job.id, 1)
        assert len(documents(tmp_path)) == SPEECHES + 1
        wait_until(lambda: is_present(app, REFRESH))  # its worker says so once it is connected again
        again = ended(jobs, jobs.submit(RefreshRequest()))
        assert again.outcome is not None
        assert again.outcome.report.unchanged == SPEECHES + 1
    finally:
        worker.kill()
        own.close()


def documents_published(tmp_path: Path) -> int:
    store = EmbeddedStore(tmp_path / "archive")
    return sum(each.documents for each in store.generations() if each.published)


def test_a_long_job_is_not_given_to_a_second_worker_while_the_first_lives(jobs, start, tmp_path) -> None:
    first, second = start(), start()
    job = jobs.submit(RefreshRequest())
    wait_for(jobs, job, lambda found: found.state == "running")
    processes = {each.process.pid for each in (first, second)}
    for each in processes:
        os.kill(each, signal.SIGCONT)
    done = ended(jobs, job)
    assert (done.state, done.attempts) == ("done", 1)


def test_without_a_worker_a_job_is_refused(jobs) -> None:
    with pytest.raises(TaskError, match="no worker takes from the queue refresh"):
        jobs.submit(RefreshRequest())
    assert jobs.list_all() == []


def test_a_job_that_nobody_took_up_is_told_interrupted_can_be_cancelled_and_gives_way(jobs) -> None:
    job = jobs.enqueue(RefreshRequest())
    assert jobs.find(job.id).state == "waiting"
    jobs._client.delete("rostrum.refresh")  # as time does
    assert jobs.find(job.id).state == "interrupted"
    assert jobs.cancel(job.id).state == "cancelled"
    other = jobs.enqueue(RefreshRequest())
    assert jobs.take(job.id) is None
    taken = jobs.take(other.id)
    assert taken is not None
    assert (taken.state, taken.attempts) == ("running", 1)


def test_a_message_that_comes_twice_leaves_its_job_to_the_worker_that_has_it(redis_server) -> None:
    app = make_app(redis_server.take_unused())
    jobs, done = Jobs(app), RefreshOutcome(Report(*[0] * 10, elapsed_s=0.0, generation=None))
    job = jobs.enqueue(RefreshRequest())
    message = Context(id=job.id, properties={"delivery_tag": "1"})
    states = []

    def refresh(request: RefreshRequest, tell: Tell) -> RefreshOutcome:
        with pytest.raises(Reject) as rejected:
            RefreshWorker(app, lambda *_: done)._work(message)
        jobs.cancel(job.id)
        with pytest.raises(Reject):
            RefreshWorker(app, lambda *_: done)._work(message)
        states.append((rejected.value.requeue, jobs.find(job.id).state, jobs.find(job.id).attempts))
        with pytest.raises(ArchiveBusy):
            jobs.enqueue(RefreshRequest())
        return done

    RefreshWorker(app, refresh)._work(message)
    assert states == [(True, "running", 1)]
    assert jobs.find(job.id).state == "done"
    RefreshWorker(app, refresh)._work(message)  # the second message, when all is over
    assert len(states) == 1


def test_a_job_that_is_cancelled_when_all_is_written_is_not_published(
    jobs, redis_url, sources, tmp_path, monkeypatch
) -> None:
    service = assemble(replace(read_settings({}), archive=tmp_path / "archive"))
    job, add = jobs.enqueue(RefreshRequest(("2024",))), EmbeddedStore.add

    def add_and_cancel(store: EmbeddedStore, generation: str, entries: Iterable[Entry]) -> None:
        add(store, generation, entries)
        jobs.cancel(job.id)

    monkeypatch.setattr(EmbeddedStore, "add", add_and_cancel)
    monkeypatch.setattr(Service, "_encode", encode)
    worker = RefreshWorker(make_app(redis_url), partial(refresh_sources, service, sources))
    worker._work(Context(id=job.id, properties={"delivery_tag": "1"}))
    assert jobs.find(job.id).state == "cancelled"
    assert service.store.published() is None


def test_a_running_job_that_is_cancelled_after_its_worker_died_ends(jobs) -> None:
    job = jobs.enqueue(RefreshRequest())
    assert jobs.take(job.id) is not None
    assert jobs.cancel(job.id).state == "running"
    with pytest.raises(StillAtWork):
        jobs.take(job.id)
    jobs.let_go(job.id)  # as time does, once a worker is dead
    assert jobs.take(job.id) is None  # as the next worker does, to which the message comes
    assert jobs.find(job.id).state == "cancelled"
    assert jobs.enqueue(RefreshRequest()).state == "waiting"


def test_a_job_whose_worker_died_unheard_is_cancelled_at_once(jobs) -> None:
    job = jobs.enqueue(RefreshRequest())
    assert jobs.take(job.id) is not None
    jobs.let_go(job.id)  # as time does, once a worker is dead
    assert jobs.find(job.id).state == "running"
    assert jobs.cancel(job.id).state == "cancelled"
    assert jobs.enqueue(RefreshRequest()).state == "waiting"


def test_a_job_is_named_by_its_id_alone(jobs) -> None:
    job = jobs.enqueue(RefreshRequest())
    jobs.take(job.id)
    jobs.cancel(job.id)
    with pytest.raises(BadInput, match="there is no job"):
        jobs.find(f"{job.id}.cancel")


@pytest.mark.parametrize(("times", "state"), [(3, "done"), (4, "failed")])
def test_a_job_that_another_writer_overtook_begins_again(redis_server, times, state) -> None:
    app = make_app(redis_server.take_unused())
    jobs, left = Jobs(app), iter(range(times))
    done = RefreshOutcome(Report(*[0] * 10, elapsed_s=0.0, generation=None))

    def refresh(request: RefreshRequest, tell: Tell) -> RefreshOutcome:
        if next(left, None) is not None:
            raise Overtaken("another run has published meanwhile")
        return done

    job = jobs.enqueue(RefreshRequest())
    RefreshWorker(app, refresh)._work(Context(id=job.id, properties={"delivery_tag": "1"}))
    assert jobs.find(job.id).state == state


def test_jobs_expire_and_their_number_is_bounded(jobs) -> None:
    made = []
    for _ in range(MOST_JOBS + 5):
        made.append(jobs.enqueue(RefreshRequest()))
        jobs.end(made[-1], "done")
    assert [each.id for each in jobs.list_all()] == [each.id for each in reversed(made[5:])]
    keys = jobs._client.keys("rostrum.*")
    assert all(jobs._client.ttl(key) > 0 for key in keys)
    job = jobs.enqueue(RefreshRequest())
    assert 0 < jobs._client.ttl("rostrum.refresh") <= LEASE_S
    assert jobs.find(job.id).state == "waiting"


def test_a_job_that_redis_did_not_tell_of_goes_back_to_its_queue(jobs, start) -> None:
    job = jobs.enqueue(RefreshRequest(("2024",)))
    lease = jobs._client.get("rostrum.refresh")
    jobs._client.delete("rostrum.refresh")
    jobs._client.rpush("rostrum.refresh", "what Redis refuses to read")
    worker = start()
    wait_until(lambda: "a job goes back to its queue: WRONGTYPE" in worker.read_output())
    jobs._client.delete("rostrum.refresh")
    jobs._client.set("rostrum.refresh", lease)
    assert ended(jobs, job).state == "done"


def test_a_worker_that_leaves_while_redis_is_away_leaves_its_job_to_another(
    redis_server: RedisServer,
) -> None:
    own = RedisServer()
    try:
        app = make_app(own.url)
        job = Jobs(app).enqueue(RefreshRequest())

        def refresh(request: RefreshRequest, tell: Tell) -> RefreshOutcome:
            own.end()
            raise Leaving

        worker = RefreshWorker(app, refresh)
        message = Context(id=job.id, properties={"delivery_tag": "1"})
        with pytest.raises(Reject) as rejected:
            worker._work(message)
        assert rejected.value.requeue
    finally:
        own.close()


def test_a_job_that_could_not_be_sent_keeps_no_other_out(jobs) -> None:
    jobs._client.set("refresh", "where Redis lets nobody queue")
    with pytest.raises(TaskError, match="Redis cannot be used"):
        jobs.enqueue(RefreshRequest())
    [failed] = jobs.list_all()
    assert failed.state == "failed"
    assert failed.error is not None
    assert failed.error.startswith("it was not sent to a worker: ")
    jobs._client.delete("refresh")
    assert jobs.enqueue(RefreshRequest()).state == "waiting"


def test_an_unknown_job_is_bad_input(jobs) -> None:
    for act in (jobs.find, jobs.cancel):
        with pytest.raises(BadInput, match="there is no job 'x'"):
            act("x")


def test_a_redis_that_stalls_while_a_job_is_begun_keeps_nobody_out_in_its_name(
    redis_server: RedisServer,
) -> None:
    own = RedisServer()
    jobs = Jobs(make_app(own.url))
    try:
        assert jobs.list_all() == []
        own.process.send_signal(signal.SIGSTOP)
        resumed = threading.Timer(3 * SOCKET_S, own.process.send_signal, (signal.SIGCONT,))
        resumed.start()
        with pytest.raises(TaskError):
            jobs.enqueue(RefreshRequest())
        resumed.join()
        assert jobs.enqueue(RefreshRequest()).state == "waiting"
    finally:
        own.process.send_signal(signal.SIGCONT)
        own.close()


def test_a_lease_of_a_job_that_is_over_gives_way(jobs: Jobs) -> None:
    over = jobs.enqueue(RefreshRequest())
    jobs.end(over, "failed")
    assert jobs._open_lease(over.id).do_acquire(over.id)
    job = jobs.enqueue(RefreshRequest())
    with pytest.raises(ArchiveBusy, match=job.id):
        jobs.enqueue(RefreshRequest())
    assert [each.id for each in jobs.list_all()] == [job.id, over.id]


def test_a_lease_that_is_let_go_while_its_holder_is_looked_up_is_the_next_job_s(
    jobs: Jobs, monkeypatch
) -> None:
    first = jobs.enqueue(RefreshRequest())
    do_acquire = Lock.do_acquire

    def refused_at_the_last_moment(lock: Lock, token: str) -> bool:
        is_ours = bool(do_acquire(lock, token))
        jobs.end(first, "done")
        return is_ours

    monkeypatch.setattr(Lock, "do_acquire", refused_at_the_last_moment)
    second = jobs.enqueue(RefreshRequest())
    assert [(each.id, each.state) for each in jobs.list_all()] == [(second.id, "waiting"), (first.id, "done")]


def test_a_job_whose_lease_was_taken_and_the_answer_lost_keeps_nobody_out(jobs: Jobs, monkeypatch) -> None:
    do_acquire = Lock.do_acquire

    def lost(lock: Lock, token: str) -> bool:
        do_acquire(lock, token)
        raise RedisTimeout("the answer was lost")

    with monkeypatch.context() as patched:
        patched.setattr(Lock, "do_acquire", lost)
        with pytest.raises(TaskError):
            jobs.enqueue(RefreshRequest())
    assert jobs.cancel(jobs.enqueue(RefreshRequest()).id).state == "cancelled"
