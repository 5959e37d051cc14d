"""`/v1/documents`: an archive filled, read and thinned out over HTTP, with the shipped models."""

import asyncio
import errno
import gzip
import json
import logging
import socket
import time
import weakref
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from fastapi.testclient import TestClient

from embedded.store import EmbeddedStore
from rostrum.api.app import make_app
from rostrum.api.routes.bulk import EXAMPLE, KIND, MOST_LISTED, Refusals
from rostrum.assemble import assemble
from rostrum_core.errors import BadInput, DocumentRefused, TranscriptError
from rostrum_core.settings import read_settings

LINES = {"Content-Type": "application/x-ndjson"}
UPLOAD = {
    "type": "http",
    "method": "POST",
    "path": "/v1/documents",
    "query_string": b"",
    "headers": [(b"host", b"127.0.0.1"), (b"content-type", b"application/x-ndjson")],
}


def line(name: str, *paragraphs: str) -> str:
    return json.dumps({"id": name, "title": name.title(), "paragraphs": paragraphs})


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.fixture
def own(archive: Path):
    """A client of an archive of this test's own, empty at first."""
    service = assemble(replace(read_settings({}), archive=archive))
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        yield client


def put(client: TestClient, *lines: str):
    return client.post("/v1/documents", content="\n".join(lines), headers=LINES)


def test_speeches_are_added_replaced_and_left_as_they_are(own) -> None:
    first = put(own, line("a", "One two."), line("b/c d", "Three four.")).json()
    assert (first["report"]["added"], first["report"]["generation"], first["refused"]) == (2, "000001", [])
    second = put(own, line("a", "One two."), line("b/c d", "Five six.")).json()["report"]
    assert (second["unchanged"], second["replaced"], second["encoded"]) == (1, 1, 1)
    speech = own.get("/v1/documents/b%2Fc%20d").json()
    assert speech["document"]["title"] == "B/C D"
    assert [each["text"] for each in speech["paragraphs"]] == ["Five six."]
    found = own.post("/v1/recommend", json={"left": "He counted five, then"}).json()["recommendations"]
    assert found[0]["paragraph"]["text"] == "Five six."


def test_a_speech_without_a_title_has_its_id_s_and_is_the_same_when_it_comes_again(own) -> None:
    untitled = json.dumps({"id": "a", "text": "One two."})
    assert put(own, untitled).json()["report"]["added"] == 1
    assert put(own, untitled).json()["report"]["unchanged"] == 1
    assert own.get("/v1/documents/a").json()["document"]["title"] == "a"


def test_lines_that_are_no_speech_are_told_and_the_rest_is_published(own) -> None:
    answer = put(own, line("a", "One."), "{", line("a", "Another."), line("b", "Two."))
    assert answer.status_code == 200
    report = answer.json()
    assert (report["report"]["added"], report["report"]["refused"]) == (2, 2)
    assert [(each["line"], each["document"]) for each in report["refused"]] == [(2, None), (3, None)]
    assert (
        report["refused"][1]["reason"] == "the same id as another document: 'a' stands in this body, line 1"
    )


def test_speeches_without_a_speaker_or_a_date_are_counted(own) -> None:
    rows = [
        {"id": "a", "text": "One.", "speaker": "Ann Lee", "date": "1962-09-12"},
        {"id": "b", "text": "Two.", "speaker": "Ann Lee"},
        {"id": "c", "text": "Three."},
    ]
    body = "\n".join(map(json.dumps, rows))
    for address in ("/v1/documents?dry_run=true", "/v1/documents"):
        report = own.post(address, content=body, headers=LINES).json()["report"]
        assert (report["without_speaker"], report["without_date"]) == (1, 2)


def test_fields_of_other_names_are_read_as_the_address_says(own) -> None:
    row = json.dumps({"ref": "a", "body": "The road is open."})
    answer = own.post("/v1/documents?map=text=body&map=id=ref", content=row, headers=LINES).json()
    assert (answer["report"]["added"], answer["refused"]) == (1, [])
    assert own.get("/v1/documents/a").json()["paragraphs"][0]["text"] == "The road is open."


@pytest.mark.parametrize("option", ["text", "=body", "words=body", "text=a=b"])
def test_fields_that_cannot_be_read_are_refused(own, option) -> None:
    row = json.dumps({"id": "a", "text": "One."})
    answer = own.post("/v1/documents", params={"map": option}, content=row, headers=LINES)
    assert answer.status_code == 422
    assert answer.json()["error"]["field"] in ("map.0", "fields")


def test_a_name_that_may_be_misspelt_is_no_refused_line(own) -> None:
    report = put(own, json.dumps({"id": "a", "titel": "T", "text": "One."})).json()
    assert (report["report"]["added"], report["report"]["refused"], report["refused"]) == (1, 0, [])
    reason = "a field that may be misspelt: 'titel', for 'title'"
    assert report["passed_over"] == [{"line": 1, "document": None, "reason": reason}]


def test_refused_lines_are_counted_and_their_errors_let_go() -> None:
    refusals, alive = Refusals(Path("body")), []
    for number in range(3 * MOST_LISTED):
        error = TranscriptError("body", "body, line 1, says so already", line=number)
        alive.append(weakref.ref(error))
        refusals.add(error)
        del error
    assert refusals.count == 3 * MOST_LISTED
    assert [each.line for each in refusals.first] == list(range(MOST_LISTED))
    assert refusals.first[0].reason == "this body, line 1, says so already"
    assert not any(each() for each in alive)


def test_an_upload_without_room_is_no_fault_of_the_client_s(own, monkeypatch, caplog) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("rostrum.api.routes.bulk.tempfile.TemporaryFile", full)
    answer = put(own, line("a", "One."))
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "no_room")
    assert answer.headers["Retry-After"]
    assert "no_room" in caplog.text


def test_rules_that_were_broken_meanwhile_are_the_operator_s(archive: Path, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text("", "utf-8")
    service = assemble(replace(read_settings({}), archive=archive, rules=rules))
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        rules.write_text('[[rule]]\npattern = "("\n', "utf-8")
        answer = put(client, line("a", "One."))
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "rules_unavailable")
        assert str(tmp_path) not in answer.text
    with pytest.raises(BadInput):
        make_app(service)


def test_a_document_that_the_archive_refuses_is_named(own, monkeypatch) -> None:
    def add(self, generation, entries):
        for each in entries:
            raise DocumentRefused(each.document.id, "a word that cannot be kept")

    monkeypatch.setattr(EmbeddedStore, "add", add)
    report = put(own, line("a", "One.")).json()
    assert report["refused"] == [
        {"line": None, "document": "a", "reason": "the archive refuses it: a word that cannot be kept"}
    ]


@pytest.mark.parametrize("name", [".", ".."])
def test_an_id_that_no_address_can_name_is_refused(own, name) -> None:
    report = put(own, line(name, "One."), line("a", "Two.")).json()
    assert [(each["line"], each["reason"]) for each in report["refused"]] == [
        (1, f"{name!r} is not an id: in an address it names a folder")
    ]


def test_a_file_of_others_says_nothing_of_an_upload(own, tmp_path, monkeypatch) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    (shared / "_meta.yaml").write_text("speaker: Mallory\ndate: 2001-01-01\n")
    monkeypatch.setattr("tempfile.tempdir", str(shared))
    speech = {"id": "a", "speaker": "Abraham Lincoln", "date": "1863-11-19", "paragraphs": ["One."]}
    assert put(own, json.dumps(speech)).json()["report"]["added"] == 1
    kept = own.get("/v1/documents/a").json()["document"]
    assert (kept["speaker"], kept["spoken_on"]) == ("Abraham Lincoln", "1863-11-19")
    assert [each.name for each in shared.iterdir()] == ["_meta.yaml"]


def test_an_archive_of_other_models_gives_speeches_up_and_takes_none(own, archive, models, entry) -> None:
    with EmbeddedStore(archive) as store:
        begun = store.begin(encoder="another", tokenizer=models.hashes["tokenizer"])
        store.add(begun.name, [entry("a", ["four"]), entry("b", ["score"])])
        store.publish(begun.name)
    refused = put(own, line("c", "Three."))
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "other_models")
    assert "Retry-After" not in refused.headers
    assert own.delete("/v1/documents/a").status_code == 200
    assert [each["id"] for each in own.get("/v1/documents").json()["documents"]] == ["b"]


def test_pages_of_the_list_fit_together(own) -> None:
    put(own, *(line(name, "Words.") for name in "dbeac"))
    first = own.get("/v1/documents", params={"limit": 2}).json()
    assert ([each["id"] for each in first["documents"]], first["next"]) == (["a", "b"], "b")
    second = own.get("/v1/documents", params={"limit": 3, "after": "b"}).json()
    assert ([each["id"] for each in second["documents"]], second["next"]) == (["c", "d", "e"], None)


def test_a_deleted_document_is_gone_and_the_others_are_not(own) -> None:
    put(own, line("a", "One."), line("b", "Two."))
    assert own.delete("/v1/documents/a").json() == {"generation": "000002"}
    assert own.get("/v1/documents/a").status_code == 404
    assert own.get("/v1/documents/b").status_code == 200
    again = own.delete("/v1/documents/a")
    assert (again.status_code, again.json()["error"]["code"]) == (404, "not_found")


def test_a_parameter_that_nobody_reads_ends_a_change_before_it_begins(own) -> None:
    put(own, line("a", "One."))
    answers = [
        own.delete("/v1/documents/a?try=1"),
        own.post("/v1/documents?try=1", content=line("b", "Two."), headers=LINES),
    ]
    assert [(each.status_code, each.json()["error"]["field"]) for each in answers] == [(422, "try")] * 2
    assert [each["id"] for each in own.get("/v1/documents").json()["documents"]] == ["a"]


def test_a_cancelled_refresh_leaves_nothing_behind_for_an_upload_or_a_delete(own, archive, models) -> None:
    put(own, line("a", "One."), line("b", "Two."))
    hashes = models.hashes
    for change in (lambda: put(own, line("c", "Three.")), lambda: own.delete("/v1/documents/c")):
        with EmbeddedStore(archive) as cancelled:
            begun = cancelled.begin(encoder=hashes["encoder"], tokenizer=hashes["tokenizer"])
            cancelled.delete(begun.name, ["a"])
        assert change().status_code == 200
        assert own.get("/v1/documents/a").status_code == 200


def test_an_id_is_found_as_it_was_given_alone(own) -> None:
    put(own, line("Jos\u00e9 1", "One."))
    for other in ("Jose\u0301 1", "Jos\u00e9\u00a01", "Jos\u00e9 1 "):
        assert own.delete(f"/v1/documents/{quote(other)}").status_code == 404
    assert own.get("/v1/documents/" + quote("Jos\u00e9 1")).status_code == 200
    assert own.delete("/v1/documents/" + quote("Jos\u00e9 1")).status_code == 200


def test_another_writer_is_a_conflict_and_readers_read_on(own, archive: Path, models) -> None:
    put(own, line("a", "One."))
    hashes = models.hashes
    with EmbeddedStore(archive) as other:
        other.begin(encoder=hashes["encoder"], tokenizer=hashes["tokenizer"])
        for answer in (put(own, line("b", "Two.")), own.delete("/v1/documents/a")):
            assert (answer.status_code, answer.json()["error"]["code"]) == (409, "archive_busy")
            assert int(answer.headers["retry-after"]) > 0
        assert own.get("/v1/documents/a").status_code == 200
    assert put(own, line("b", "Two.")).json()["report"]["added"] == 1


def test_what_is_not_said_to_be_json_lines_is_refused(own) -> None:
    answer = own.post("/v1/documents", content=line("a", "One."), headers={"Content-Type": "text/plain"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "unsupported_media_type")


def test_lines_that_are_compressed_are_refused_as_a_whole(own) -> None:
    answer = own.post(
        "/v1/documents", content=gzip.compress(b'{"id": "a"}'), headers=LINES | {"Content-Encoding": "gzip"}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "unsupported_media_type")
    assert "not compressed" in answer.json()["error"]["message"]


def test_a_client_that_leaves_in_mid_upload_is_no_fault_of_ours(archive: Path, caplog) -> None:
    app = make_app(assemble(replace(read_settings({}), archive=archive)))
    came = iter(
        [{"type": "http.request", "body": b'{"id": ', "more_body": True}, {"type": "http.disconnect"}]
    )
    sent = []

    async def receive():
        return next(came)

    async def send(message) -> None:
        sent.append(message)

    with caplog.at_level(logging.INFO, "rostrum.api"):
        asyncio.run(app({**UPLOAD}, receive, send))
    assert sent == []
    assert [(each.msg, each.status) for each in caplog.records if each.name == "rostrum.api"] == [
        ("request", None)
    ]


def test_a_slow_upload_holds_no_place(archive: Path) -> None:
    """Two uploads that never end are under way while a third is published."""
    app = make_app(assemble(replace(read_settings({}), archive=archive)))
    assert asyncio.run(_upload_beside_two_that_never_end(app)) == 200
    assert app.state.assembly.places.count_taken() == 0


async def _upload_beside_two_that_never_end(app) -> int:
    async def trickle():
        await asyncio.sleep(0.05)
        return {"type": "http.request", "body": b" ", "more_body": True}

    async def whole():
        return {"type": "http.request", "body": line("a", "One.").encode()}

    async def ignore(message) -> None:
        pass

    statuses: list[int] = []

    async def note(message) -> None:
        statuses.extend([message["status"]] if "status" in message else [])

    slow = [asyncio.create_task(app({**UPLOAD}, trickle, ignore)) for _ in range(2)]
    await asyncio.sleep(0.3)
    await app({**UPLOAD}, whole, note)
    for task in slow:
        task.cancel()
    await asyncio.gather(*slow, return_exceptions=True)
    return statuses[0]


def test_nothing_of_an_upload_is_left_when_the_service_is_killed(archive: Path, served, tmp_path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TMPDIR", str(temporary))
        process = served(archive=str(archive))
    port = int(process.url.rpartition(":")[2])
    head = f"POST /v1/documents HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {KIND}\r\n"
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(head.encode() + b"Content-Length: 9000000\r\n\r\n" + b" " * 3_000_000)
        time.sleep(1)
        process.kill()
    assert list(temporary.rglob("*")) == []


def test_the_example_of_the_openapi_document_is_a_speech(own) -> None:
    body = own.get("/openapi.json").json()["paths"]["/v1/documents"]["post"]["requestBody"]
    example = body["content"]["application/x-ndjson"]["example"]
    assert example == EXAMPLE
    assert put(own, example).json()["report"]["added"] == 1


@pytest.mark.parametrize(
    "other", ["a\u200b", "\u202ea", " a", "a ", "a\u00ad", "a\n", "e\u0301", "a\ud800", "a  b"]
)
def test_two_ids_never_mean_one_document(own, other: str) -> None:
    put(own, line("a", "One."), line("\u00e9", "Two."), line("a b", "Three."))
    report = put(own, line(other, "Other.")).json()
    assert (report["report"]["refused"], report["report"]["replaced"], report["report"]["added"]) == (1, 0, 0)
    assert "is not an id" in report["refused"][0]["reason"]
    address = "/v1/documents/" + quote(other.encode("utf-8", "replace"))
    assert own.get(address).status_code == 404
    assert own.delete(address).status_code == 404
    assert own.get("/v1/documents/a").json()["document"]["text"] == "One."


def test_fields_of_any_row_that_are_not_read_are_named_once(own) -> None:
    rows = [{"text": "One."}, {"titel": "T", "venue": "V"}, {"Venue": "W", "titel": "U"}, {"spekaer": "S"}]
    lines = [json.dumps({"id": str(i), "text": "Two."} | row) for i, row in enumerate(rows)]
    report = put(own, *lines).json()
    assert report["report"]["added"] == 4
    assert [(each["line"], each["reason"]) for each in report["passed_over"]] == [
        (2, "a field that may be misspelt: 'titel', for 'title'"),
        (2, "a field that is not read: 'venue'"),
        (4, "a field that may be misspelt: 'spekaer', for 'speaker'"),
    ]
