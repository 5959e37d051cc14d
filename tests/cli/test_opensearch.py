"""The commands over an archive in OpenSearch."""

import json
import time

import pytest

from opensearch import Connection, OpenSearchStore

SPEECH = """Address

Four score and seven years ago our fathers brought forth, upon this continent, a new nation.

The world will little note, nor long remember what we say here.
"""


@pytest.fixture
def in_opensearch(opensearch_url, opensearch_prefix, monkeypatch):
    """The settings of an archive in OpenSearch, which is removed at the end; its prefix."""
    prefix = f"{opensearch_prefix}cli-"
    settings = {"URL": opensearch_url, "PREFIX": prefix, "ENGINE": "exact", "TIMEOUT_S": "60"}
    for name, value in settings.items():
        monkeypatch.setenv(f"ROSTRUM_OPENSEARCH_{name}", value)
    yield prefix
    server = OpenSearchStore(Connection(opensearch_url, prefix=prefix, timeout_s=60)).server
    server.call("DELETE", f"/{prefix}*", expand_wildcards="all")


def test_commands_work_over_opensearch(rostrum, in_opensearch, opensearch_url, tmp_path):
    (tmp_path / "speeches").mkdir()
    (tmp_path / "speeches" / "gettysburg.txt").write_text(SPEECH)
    assert "nothing is indexed yet" in rostrum("status").out
    assert f"none published yet at {opensearch_url} under {in_opensearch}" in rostrum("doctor").out

    first = rostrum("index", tmp_path / "speeches")
    assert (first.code, "1 added" in first.out) == (0, True), first.err
    assert "1 unchanged" in rostrum("index", tmp_path / "speeches").out

    answer = json.loads(rostrum("recommend", "--left", "The nation is new, he said:", "--json").out)
    [nation] = [item for item in answer["recommendations"] if "a new nation" in item["paragraph"]["text"]]
    assert nation["paragraph"]["document_id"] == "gettysburg"
    assert nation["scores"]["lexical"] > 0
    assert answer["degraded"] == []

    assert "nor long remember" in rostrum("show", "gettysburg", "--paragraph", "3").out
    (tmp_path / "speeches" / "bridge.txt").write_text("We came here to open a bridge.")
    assert "1 added" in rostrum("index", tmp_path / "speeches").out
    assert [line.split("\t")[0] for line in rostrum("documents").out.splitlines()] == ["bridge", "gettysburg"]
    assert "1 deleted" in rostrum("delete", "bridge").out
    assert rostrum("documents", "--json", "--speaker", "x").out == ""
    assert rostrum("documents").out == "gettysburg\t-\t3\t-\tGettysburg\n"
    status = rostrum("status").out
    assert f"archive: {opensearch_url} under {in_opensearch}" in status
    assert "published" in status
    health = rostrum("doctor")
    assert health.code == 0
    for line in (
        r"ok  opensearch: 3.6.0 with opensearch-knn, opensearch-neural-search at",
        "ok  indices: green, ",
        f"ok  archive: 1 documents, 3 paragraphs at {opensearch_url} under {in_opensearch}",
    ):
        assert line in health.out


def test_a_folder_on_the_command_line_wins_over_opensearch(rostrum, monkeypatch, tmp_path):
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_URL", "http://127.0.0.1:1")
    assert "nothing is indexed yet" in rostrum("status", "--archive", tmp_path).out


@pytest.mark.parametrize(
    "command", [["recommend", "--left", "What he said:"], ["status"], ["show", "a"], ["index", "."]]
)
def test_an_opensearch_that_is_away_is_told_in_one_line_within_the_time(rostrum, monkeypatch, command):
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_TIMEOUT_S", "1")
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_USER", "ann")
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_PASSWORD", "open sesame")
    started = time.monotonic()
    outcome = rostrum(*command)
    assert outcome.code == 1
    assert outcome.complaint.startswith("rostrum: OpenSearch at http://127.0.0.1:1 cannot be reached: ")
    assert "sesame" not in outcome.err
    assert time.monotonic() - started < 10


def test_the_doctor_tells_of_an_opensearch_that_is_away(rostrum, monkeypatch):
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_TIMEOUT_S", "0.5")
    outcome = rostrum("doctor")
    assert outcome.code == 1
    assert "bad opensearch: OpenSearch at http://127.0.0.1:1 cannot be reached" in outcome.out
    assert "bad archive: OpenSearch at http://127.0.0.1:1 cannot be reached" in outcome.out


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("URL", "localhost:9200"),
        ("ENGINE", "nmslib"),
        ("PREFIX", "Speeches"),
        ("SHARDS", "0"),
        ("USER", "ann"),
    ],
)
def test_settings_that_cannot_be_are_bad_input(rostrum, monkeypatch, name, value):
    monkeypatch.setenv("ROSTRUM_OPENSEARCH_URL", "http://127.0.0.1:1")
    monkeypatch.setenv(f"ROSTRUM_OPENSEARCH_{name}", value)
    assert rostrum("status").code == 2
