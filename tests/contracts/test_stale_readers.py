"""A store that answers readers may know an older state of the archive; no decision to write rests on it."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from archive.canary.gate import publish_generation
from archive.history import History
from archive.refresh import RefreshOptions
from archive.service import Service
from archive.withdraw import withdraw
from rostrum.api.app import make_app
from rostrum_core.errors import Overtaken, StoreError
from rostrum_core.ports import ParagraphStore
from rostrum_core.settings import read_settings
from rostrum_core.types import Document
from workers.runner.inline import InlineRunner

HASHES = {"encoder": "encoder-1", "tokenizer": "tokenizer-1"}
KEPT = Document("keep", "Kept", "Something else entirely stays here for ever and ever.")
LIT = Document("x", "Lit", "The lighthouse was lit again after forty dark years.")
TORN_DOWN = Document("x", "Torn down", "The lighthouse was torn down, and a better one was built.")


def ids(store: ParagraphStore) -> list[str]:
    return [info.id for info in store.documents()]


@pytest.fixture
def names(place) -> Callable[[], list[str]]:
    """The names of the generations that are stored now, oldest first."""
    return lambda: [generation.name for generation in place.open().generations()]


@pytest.fixture
def reader(place, entry, publish) -> ParagraphStore:
    """A store that has read a generation with the documents a and b; another one has c as well now."""
    reader, other = place.open_reader(), place.open()
    publish(other, entry("a", ["seven"]), entry("b", ["years"]))
    assert reader.count() == (2, 2)
    publish(other, entry("c", ["score"]))
    return reader


def test_a_writer_reads_what_others_published(reader, names):
    writer = reader.writer()
    assert writer.published().name == names()[1]
    assert writer.count() == (3, 3)
    assert ids(reader.writer()) == ["a", "b", "c"]
    assert reader.writer().get("c") is not None


def test_a_store_that_has_begun_to_write_reads_what_others_published(reader, names):
    assert reader.begin(**HASHES).documents == 3
    assert reader.published().name == names()[1]
    assert reader.get("c") is not None
    reader.close()


def test_a_store_that_writes_sees_a_rollback_by_others(place, reader, names):
    first, second = names()
    reader.begin(**HASHES, fresh=True)
    assert reader.published().name == second
    place.open().rollback()
    assert reader.published().name == first
    reader.close()


def test_a_deletion_from_another_generation_than_the_published_one_is_overtaken(place, reader, names):
    first, second = names()
    for store in (reader, reader.writer()):
        with pytest.raises(Overtaken, match=first):
            withdraw(["a"], store, base=first)
    assert ids(place.open()) == ["a", "b", "c"]
    assert withdraw(["a"], reader.writer(), base=second) > second
    assert ids(place.open()) == ["b", "c"]


def test_a_rollback_goes_back_from_what_others_published(place, entry, publish, reader, names):
    publish(place.open(), entry("d", ["seven"]))
    assert reader.rollback().name == names()[1]
    assert ids(place.open()) == ["a", "b", "c"]


def test_nothing_is_written_through_the_writer_of_a_view(reader, names):
    with pytest.raises(StoreError, match="only read"):
        reader.view(names()[0]).writer().begin(**HASHES)


@pytest.fixture
def serve(tmp_path, models) -> Callable[[ParagraphStore], Service]:
    """A service over a store."""
    settings = replace(read_settings({}), archive=tmp_path / "service")

    def act(store: ParagraphStore) -> Service:
        return Service(settings, store, InlineRunner(lambda: models), models)

    return act


@pytest.fixture
def service(place, serve) -> Service:
    """A service that has read a generation with the documents keep and x."""
    service = serve(place.open_reader())
    service.refresh([KEPT, LIT])
    assert service.store.count()[0] == 2
    return service


def test_a_speech_that_others_deleted_is_added_again(place, serve, service):
    serve(place.open()).withdraw(["x"])
    foreseen, report = service.preview([LIT]), service.refresh([LIT])
    assert (foreseen.added, foreseen.unchanged) == (report.added, report.unchanged) == (1, 0)
    assert ids(place.open()) == ["keep", "x"]


def test_a_speech_that_others_replaced_is_replaced_again(place, serve, service):
    serve(place.open()).refresh([TORN_DOWN])
    report = service.refresh([LIT])
    assert (report.replaced, report.unchanged) == (1, 0)
    assert place.open().get("x")[0] == LIT


def test_a_mirror_deletes_what_others_added(place, serve, service):
    serve(place.open()).refresh([replace(LIT, id="y")])
    assert service.refresh([KEPT, LIT], RefreshOptions(mirror=True)).deleted == 1
    assert ids(place.open()) == ["keep", "x"]


def test_a_publication_records_which_generation_it_replaced(place, serve, service, names):
    serve(place.open()).refresh([TORN_DOWN])
    first, second = names()
    publish_generation(service.settings, service.store, None, lambda: service)
    [event] = [event for event in History(service.settings.archive).read() if event.kind == "publication"]
    assert (event.facts["previous"], event.generation) == (second, first)


@pytest.fixture
def client(service):
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        yield client


def status(answer) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_a_newer_version_is_not_deleted_by_the_tag_of_an_older_one(place, serve, client):
    tag = client.get("/v1/documents/x").headers["etag"]
    serve(place.open()).refresh([TORN_DOWN])
    refused = client.delete("/v1/documents/x", headers={"If-Match": tag})
    assert status(refused) == (412, "precondition_failed")
    assert place.open().get("x")[0] == TORN_DOWN


def test_a_document_that_others_added_can_be_deleted_at_once(place, serve, client):
    serve(place.open()).refresh([replace(LIT, id="y")])
    assert client.delete("/v1/documents/y").status_code == 200
    assert ids(place.open()) == ["keep", "x"]


def test_changes_are_bound_to_the_generation_that_is_published_now(place, serve, client, names):
    serve(place.open()).refresh([TORN_DOWN])
    lines = {"content": '{"id": "z", "text": "Zeal."}', "headers": {"Content-Type": "application/x-ndjson"}}
    old, new = (f"generation={name}" for name in names())
    other = (409, "other_generation")
    assert status(client.delete(f"/v1/documents?document=x&{old}")) == other
    assert status(client.post(f"/v1/documents?{old}", **lines)) == other
    assert ids(place.open()) == ["keep", "x"]
    assert client.delete(f"/v1/documents?document=x&dry_run=true&{new}").json()["deleted"] == 1
    assert client.post(f"/v1/documents?{new}", **lines).json()["report"]["added"] == 1
    assert ids(place.open()) == ["keep", "x", "z"]


def test_an_upload_is_refused_if_others_have_encoded_the_archive_by_other_models(
    place, entry, publish, client
):
    publish(place.open(), entry("a", ["seven"]), fresh=True)
    lines = {"content": '{"id": "z", "text": "Zeal."}', "headers": {"Content-Type": "application/x-ndjson"}}
    assert status(client.post("/v1/documents", **lines)) == (503, "other_models")
    assert ids(place.open()) == ["a"]
