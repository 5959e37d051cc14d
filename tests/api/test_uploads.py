"""`/v1/uploads`: speeches that are added after the response, over an archive in this process."""

import json
import re
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from fastapi.testclient import TestClient

from rostrum.api import uploads as module
from rostrum.api.app import make_app
from rostrum.api.uploads import MOST_ATTEMPTS, UploadQueue
from rostrum.assemble import assemble, open_store
from rostrum.client import Client
from rostrum_core.errors import BadInput
from rostrum_core.refresh_jobs import Progress, Report
from rostrum_core.settings import Settings, read_settings
from rostrum_core.uploads import BulkReport, Upload, list_fields
from rostrum_core.whole_files import write_json
from tools.service_process import ServiceProcess

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
LINES = {"Content-Type": "application/x-ndjson"}
ROWS = [{"id": name, "text": f"The world will note {name}."} for name in "abc"]
BODY = "\n".join(map(json.dumps, ROWS)) + "\nno JSON\n"
PATIENCE_S = 60.0


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return replace(read_settings({}), archive=tmp_path / "archive")


@pytest.fixture
def own(settings: Settings):
    with TestClient(make_app(assemble(settings)), base_url="http://127.0.0.1") as client:
        yield client


@contextmanager
def another_writer(settings: Settings) -> Iterator[None]:
    """A writer that is at work on the archive meanwhile."""
    store = open_store(settings).writer()
    store.begin(encoder="e", tokenizer="t")
    try:
        yield
    finally:
        store.close()


def wait(read: Callable[[], dict], *states: str) -> dict:
    deadline = time.monotonic() + PATIENCE_S
    while (upload := read())["state"] not in states:
        assert time.monotonic() < deadline, upload
        time.sleep(0.02)
    return upload


def test_an_upload_is_accepted_at_once_and_its_state_is_followed(own: TestClient) -> None:
    accepted = own.post("/v1/uploads", content=BODY, headers=LINES)
    assert accepted.status_code == 202
    upload = accepted.json()
    assert accepted.headers["location"] == f"/v1/uploads/{upload['id']}"
    assert (upload["state"], upload["size_bytes"], upload["result"]) == ("waiting", len(BODY), None)
    done = wait(lambda: own.get(accepted.headers["location"]).json(), "done", "failed")
    assert (done["state"], done["attempts"], done["error"]) == ("done", 1, None)
    assert done["result"]["report"]["added"] == 3
    assert done["result"]["report"]["without_speaker"] == done["result"]["report"]["without_date"] == 3
    assert done["progress"]["documents"] == 3
    assert [line["line"] for line in done["result"]["refused"]] == [4]
    assert own.get("/v1/documents").json()["documents"][2]["id"] == "c"
    assert own.get("/v1/uploads").json() == {"uploads": [done]}
    assert own.delete(accepted.headers["location"]).json() == done


def test_fields_of_other_names_are_read_as_the_upload_says(own: TestClient) -> None:
    body = json.dumps({"Ref": "road", "Body": "The road is open.", "Author": "Jane Roe"})
    address = "/v1/uploads?map=text%3Dbody&map=id%3DREF"
    upload = own.post(address, content=body, headers=LINES).json()
    assert upload["fields"] == {"body": "text", "ref": "id"}
    wait(lambda: own.get(f"/v1/uploads/{upload['id']}").json(), "done")
    speech = own.get("/v1/documents/road").json()
    assert speech["document"]["speaker"] == "Jane Roe"
    assert [paragraph["text"] for paragraph in speech["paragraphs"]] == ["The road is open."]


def test_nothing_but_its_record_is_left_of_an_upload(own: TestClient, settings: Settings) -> None:
    upload = own.post("/v1/uploads", content=BODY, headers=LINES).json()
    wait(lambda: own.get(f"/v1/uploads/{upload['id']}").json(), "done")
    own.app.state.uploads.stop()
    assert [path.name for path in (settings.archive / "uploads").iterdir()] == [f"{upload['id']}.json"]


@pytest.mark.parametrize("upload_id", ["none", "..", "..%2F..%2Fpublished", "a" * 64])
@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_an_unknown_upload_is_not_found(own: TestClient, method: str, upload_id: str) -> None:
    assert own.request(method, f"/v1/uploads/{upload_id}").status_code == 404


def test_a_media_type_that_is_not_json_lines_is_refused(own: TestClient) -> None:
    assert own.post("/v1/uploads", json=ROWS).status_code == 415


def test_an_upload_waits_for_another_writer(own: TestClient, settings: Settings) -> None:
    with another_writer(settings):
        upload = own.post("/v1/uploads", content=BODY, headers=LINES).json()
        wait(lambda: own.get(f"/v1/uploads/{upload['id']}").json(), "running")
        time.sleep(1.5)
        assert own.get(f"/v1/uploads/{upload['id']}").json()["state"] == "running"
    wait(lambda: own.get(f"/v1/uploads/{upload['id']}").json(), "done")


def test_an_upload_of_a_killed_service_is_begun_again(
    served: Callable[..., ServiceProcess], settings: Settings
) -> None:
    first = served("--archive", settings.archive)
    with another_writer(settings):
        upload = httpx2.post(f"{first.url}/v1/uploads", content=BODY, headers=LINES).json()
        wait(lambda: httpx2.get(f"{first.url}/v1/uploads/{upload['id']}").json(), "running")
        first.kill()
    second = served("--archive", settings.archive)
    with Client(second.url) as client:
        done = wait(lambda: list_fields(client.upload(upload["id"])), "done", "failed")
        assert (done["state"], done["attempts"]) == ("done", 2)
        assert [info.id for info in client.documents()] == ["a", "b", "c"]
        assert [each.id for each in client.uploads()] == [upload["id"]]
        again = client.submit_upload(ROWS)
        assert (
            wait(lambda: list_fields(client.upload(again.id)), "done")["result"]["report"]["unchanged"] == 3
        )
        assert client.cancel_upload(again.id).state == "done"


def test_the_example_of_the_page_runs(
    served: Callable[..., ServiceProcess], settings: Settings, tmp_path: Path
) -> None:
    url = served("--archive", settings.archive).url
    (tmp_path / "speeches.jsonl").write_text(BODY)
    [block] = re.findall(r"^    UPLOADS=.*\n((?:    .*\n)+)", PAGE.read_text("utf-8"), re.MULTILINE)
    submit, look, cancel = (line.strip() for line in block.splitlines())

    def run(line: str, upload_id: str = "") -> dict:
        command = f"UPLOADS={url}/v1/uploads ID={upload_id}; {line}"
        return json.loads(subprocess.check_output(["bash", "-c", command], cwd=tmp_path))

    upload = run(submit)
    done = wait(lambda: run(look, upload["id"]), "done")
    assert run(cancel, upload["id"]) == done


class Filling:
    """A fill that reports progress until it is let go."""

    def __init__(self) -> None:
        self.is_over = False
        self.bodies: list[str] = []

    def __call__(
        self, body: Path, fields: Mapping[str, str], watch: Callable[[Progress], None]
    ) -> BulkReport:
        self.bodies.append(body.read_text())
        while not self.is_over:
            watch(Progress(documents=1))
            time.sleep(0.01)
        return BulkReport(Report(*[0] * 10, elapsed_s=0.0, generation="000001"), ())


@pytest.fixture
def filling():
    filling = Filling()
    yield filling
    filling.is_over = True


@pytest.fixture
def queue(tmp_path: Path, filling: Filling):
    queue = UploadQueue(tmp_path / "uploads", filling)
    yield queue
    filling.is_over = True
    queue.stop()


@pytest.fixture
def body(tmp_path: Path) -> Path:
    path = tmp_path / "body"
    path.write_text("one")
    return path


def state(queue: UploadQueue, upload: Upload) -> dict:
    return list_fields(queue.find(upload.id))


def test_uploads_run_one_by_one_in_their_order(queue: UploadQueue, filling: Filling, body: Path) -> None:
    first = queue.submit(body)
    body.write_text("two")
    second = queue.submit(body)
    wait(lambda: state(queue, first), "running")
    assert queue.find(second.id).state == "waiting"
    filling.is_over = True
    wait(lambda: state(queue, second), "done")
    assert filling.bodies == ["one", "two"]
    assert [upload.id for upload in queue.list_all()] == [second.id, first.id]


def test_waiting_and_running_uploads_are_cancelled(queue: UploadQueue, body: Path) -> None:
    running, waiting = queue.submit(body), queue.submit(body)
    wait(lambda: state(queue, running), "running")
    assert queue.cancel(waiting.id).state == "cancelled"
    queue.cancel(running.id)
    assert wait(lambda: state(queue, running), "cancelled")["progress"]["documents"] == 1


def test_a_service_that_stops_leaves_its_upload_to_the_next(
    tmp_path: Path, queue: UploadQueue, filling: Filling, body: Path
) -> None:
    upload = queue.submit(body)
    wait(lambda: state(queue, upload), "running")
    queue.stop()
    assert (queue.find(upload.id).state, queue.find(upload.id).attempts) == ("waiting", 0)
    other = UploadQueue(tmp_path / "uploads", filling)
    assert other.has_unfinished()
    filling.is_over = True
    other.start()
    wait(lambda: state(other, upload), "done")
    other.stop()
    assert not other.has_unfinished()


def test_two_services_of_one_folder_do_not_run_an_upload_twice(
    tmp_path: Path, queue: UploadQueue, filling: Filling, body: Path
) -> None:
    upload = queue.submit(body)
    wait(lambda: state(queue, upload), "running")
    other = UploadQueue(tmp_path / "uploads", filling)
    other.start()
    time.sleep(0.2)
    assert filling.bodies == ["one"]
    other.cancel(upload.id)  # a request to the other service
    wait(lambda: state(queue, upload), "cancelled")
    other.stop()


def test_an_upload_that_ends_the_service_again_and_again_fails(tmp_path: Path, filling: Filling) -> None:
    folder = tmp_path / "uploads"
    folder.mkdir()
    lost = Upload("a" * 32, "2026-01-01T00:00:00+00:00", 3, state="running", attempts=MOST_ATTEMPTS)
    write_json(folder / f"{lost.id}.json", list_fields(lost))
    (folder / f"{lost.id}.jsonl").write_text("one")
    queue = UploadQueue(folder, filling)
    queue.start()
    assert "5 times" in wait(lambda: state(queue, lost), "failed")["error"]
    queue.stop()
    assert filling.bodies == []


def test_no_more_uploads_wait_than_may(queue: UploadQueue, body: Path, monkeypatch) -> None:
    monkeypatch.setattr(module, "MOST_WAITING", 2)
    queue.submit(body)
    queue.submit(body)
    with pytest.raises(module.TooManyUploads):
        queue.submit(body)


def test_records_of_ended_uploads_are_kept_for_a_week(
    tmp_path: Path, queue: UploadQueue, filling: Filling, body: Path
) -> None:
    filling.is_over = True
    old = Upload("b" * 32, "2020-01-01T00:00:00+00:00", 3, state="done")
    (tmp_path / "uploads").mkdir()
    write_json(tmp_path / "uploads" / f"{old.id}.json", list_fields(old))
    assert queue.find(old.id) == old
    queue.submit(body)
    with pytest.raises(BadInput):
        queue.find(old.id)
