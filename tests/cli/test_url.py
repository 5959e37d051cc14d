"""Commands that ask a service in place of an archive here."""

import json
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from archive.shipped_files import locate_shipped
from rostrum.api.edge.keys import KeyScope, add_key
from tools.service_process import ServiceProcess

from .conftest import Rostrum

SPACE = "1962-09-12-address-space-effort"
MOON = locate_shipped("samples/drafts/moon.md")


@pytest.fixture(scope="module")
def guarded(sample_archive: Path, tmp_path_factory) -> Iterator[tuple[str, str]]:
    """Address and key of a service over the sample archive."""
    folder = tmp_path_factory.mktemp("service")
    key = add_key(folder / "keys.json", "desk", KeyScope.READ)
    settings = {"api_keys": str(folder / "keys.json"), "timeout_s": "280"}
    process = ServiceProcess(folder / "log", "--archive", str(sample_archive), **settings)
    yield process.wait_serving().url, key
    process.stop()


@pytest.fixture
def asked(guarded, monkeypatch) -> str:
    """The address of the service, whose key is set."""
    monkeypatch.setenv("ROSTRUM_API_KEY", guarded[1])
    return guarded[0]


def test_an_answer_is_printed_as_that_of_the_archive_itself(rostrum: Rostrum, sample_archive, asked) -> None:
    line = ("recommend", MOON, "--limit", "3", "--candidates", "8", "--explain", "--json")
    there, here = rostrum(*line, "--url", asked), rostrum(*line, "--archive", sample_archive)
    assert there.code == 0
    answer, expected = json.loads(there.out), json.loads(here.out)
    assert answer.pop("timings_s").keys() == expected.pop("timings_s").keys()
    assert answer == expected


def test_counter_voices_are_those_of_the_archive_itself(rostrum: Rostrum, sample_archive, asked) -> None:
    line = ("recommend", MOON, "--limit", "2", "--candidates", "8", "--counter", "--json")
    there, here = rostrum(*line, "--url", asked), rostrum(*line, "--archive", sample_archive)
    assert there.code == 0, there.err
    voices = json.loads(there.out)["counter"]
    assert len(voices) == 2
    assert voices == json.loads(here.out)["counter"]
    assert voices[0]["others"][0]["text"]
    printed = rostrum("recommend", MOON, "--printed", "show", "--url", asked)
    assert printed.code == 2
    assert "there are no articles" in printed.err


def test_a_speech_is_shown_as_that_of_the_archive_itself(rostrum: Rostrum, sample_archive, asked) -> None:
    there = rostrum("show", SPACE, "--url", asked)
    assert there.out.startswith("John F. Kennedy, ")
    assert there == rostrum("show", SPACE, "--archive", sample_archive)


def test_the_speeches_of_a_service_are_listed_as_those_of_the_archive_itself(
    rostrum: Rostrum, sample_archive, asked
) -> None:
    there = rostrum("documents", "--since", "1963", "--url", asked)
    assert len(there.out.splitlines()) > 10
    assert there == rostrum("documents", "--since", "1963", "--archive", sample_archive)


def test_the_state_of_a_service_is_what_is_published(rostrum: Rostrum, asked) -> None:
    shown = rostrum("status", "--url", asked).out
    assert re.fullmatch(r"ready: generation \d{6}, 57 documents, 4,208 paragraphs\n", shown)


def test_what_is_refused_is_one_line(rostrum: Rostrum, guarded, asked, monkeypatch) -> None:
    unknown = rostrum("show", "none", "--url", asked)
    assert (unknown.code, unknown.complaint) == (2, "rostrum: no document 'none' in the archive")
    both = rostrum("status", "--url", asked, "--archive", "a")
    assert (both.code, "not both" in both.complaint) == (2, True)
    assert rostrum("status", "--url", "desk").code == 2
    monkeypatch.delenv("ROSTRUM_API_KEY")
    refused = rostrum("show", SPACE, "--url", asked)
    assert (refused.code, "a key is needed" in refused.complaint) == (1, True)


def test_a_field_that_the_service_refuses_is_named(rostrum: Rostrum, asked) -> None:
    refused = rostrum("recommend", MOON, "--url", asked, "--candidates", "5000")
    assert (refused.code, refused.complaint.startswith("rostrum: candidates: ")) == (2, True)
    elsewhere = rostrum("status", "--url", f"{asked}/elsewhere")
    assert (elsewhere.code, elsewhere.complaint) == (2, "rostrum: there is no such address here")


def test_a_service_without_an_archive_says_so_at_once(rostrum: Rostrum, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ROSTRUM_TIMEOUT_S", "60")
    process = ServiceProcess(tmp_path / "log", "--archive", str(tmp_path / "none")).wait_serving()
    try:
        for command in (("status",), ("recommend", MOON)):
            started = time.monotonic()
            answer = rostrum(*command, "--url", process.url)
            assert (answer.code, "nothing is published" in answer.complaint) == (1, True)
            assert time.monotonic() < started + 5
    finally:
        process.stop()


@pytest.mark.parametrize("url", ["http://..:80", "http://a..b"])
def test_an_address_that_no_name_server_takes_is_one_line(rostrum: Rostrum, monkeypatch, url) -> None:
    monkeypatch.setenv("ROSTRUM_TIMEOUT_S", "60")
    started = time.monotonic()
    refused = rostrum("status", "--url", url)
    assert (refused.code, refused.complaint.startswith("rostrum: ")) == (2, True)
    assert time.monotonic() < started + 20


def test_a_proxy_of_a_kind_that_cannot_be_used_is_one_line(rostrum: Rostrum, monkeypatch) -> None:
    monkeypatch.setenv("all_proxy", "socks://127.0.0.1:9")
    refused = rostrum("status", "--url", "http://archive.example")
    assert (refused.code, "a proxy that the environment names" in refused.complaint) == (2, True)


def test_a_service_that_is_away_is_told_in_time(rostrum: Rostrum, monkeypatch) -> None:
    monkeypatch.setenv("ROSTRUM_TIMEOUT_S", "0.5")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        away = rostrum("status", "--url", f"http://127.0.0.1:{probe.getsockname()[1]}")
    assert (away.code, "cannot be reached" in away.complaint) == (1, True)
