"""Counter-voices, freshness and repeats over a small archive of speeches and one of articles."""

import json
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

import rostrum
from jobs.evidence.counter import Statement
from rostrum.api.app import make_app
from rostrum.assemble import assemble
from rostrum.cli import run
from rostrum_core.errors import BadInput
from rostrum_core.settings import read_settings
from rostrum_core.types import Filter
from tools.service_process import ServiceProcess

LINE = "Ask not what your country can do for you, ask what you can do for your country."
TAXES = "We will not raise taxes on the middle class."
SPEECHES = [
    {
        "id": "oath",
        "title": "Oath",
        "speaker": "John Day",
        "date": "1961-01-20",
        "paragraphs": [LINE, "Thank you."],
    },
    {
        "id": "echo",
        "title": "Echo",
        "speaker": "Ann Lee",
        "date": "1999-05-01",
        "paragraphs": [f"A president once said: {LINE} I agree.", TAXES],
    },
    {
        "id": "turn",
        "title": "Turn",
        "speaker": "Ann Lee",
        "date": "2001-05-01",
        "paragraphs": ["The time has come. We will raise taxes on the middle class."],
    },
    {
        "id": "other",
        "title": "Other",
        "speaker": "Bo Day",
        "date": "2000-05-01",
        "paragraphs": ["Taxes on the middle class must fall, not rise."],
    },
]
ARTICLES = [
    {
        "id": "times",
        "title": "A day in January",
        "source": "The Times",
        "date": "1961-01-21",
        "paragraphs": ["He said: “Ask not what your country can do for you,” and was cheered."],
    },
    {"id": "post", "title": "Rain", "source": "The Post", "date": "1962-01-21", "paragraphs": ["It rained."]},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """An archive of speeches with one of articles in it, filled by the commands."""
    base = tmp_path_factory.mktemp("companions")
    for name, rows in (("speeches", SPEECHES), ("articles", ARTICLES)):
        (base / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    archive = base / "archive"
    assert run(["index", str(base / "speeches.jsonl"), "--archive", str(archive)]) == 0
    assert run(["index", str(base / "articles.jsonl"), "--as", "articles", "--archive", str(archive)]) == 0
    return archive


@pytest.fixture(scope="module")
def service(folder):
    return assemble(replace(read_settings({}), archive=folder, timeout_s=280))


@pytest.fixture(scope="module")
def client(service):
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        yield client


@pytest.fixture(scope="module")
def served(folder, tmp_path_factory):
    """The address of a service over the archive."""
    process = ServiceProcess(
        tmp_path_factory.mktemp("log") / "log", "--archive", str(folder), timeout_s="280"
    )
    yield process.wait_serving().url
    process.stop()


def test_articles_are_an_archive_of_their_own(service) -> None:
    assert [info.id for info in service.store.documents()] == ["echo", "oath", "other", "turn"]
    assert service.has_articles()


def test_a_paragraph_is_found_where_it_was_repeated_and_printed(folder, capfd) -> None:
    assert run(["repeats", "oath", "1", "--archive", str(folder), "--json"]) == 0
    printed, repeated = map(json.loads, capfd.readouterr().out.splitlines())
    assert (printed["archive"], printed["document"], printed["source"]) == ("articles", "times", "The Times")
    assert printed["words"] == "Ask not what your country can do for you"
    assert (repeated["archive"], repeated["document"], repeated["speaker"]) == (None, "echo", "Ann Lee")
    assert repeated["words"] == LINE.rstrip(".")
    text = SPEECHES[1]["paragraphs"][0]
    assert text[repeated["start_char"] : repeated["end_char"]] == repeated["words"]
    assert LINE[repeated["own_start_char"] : repeated["own_end_char"]] == repeated["words"]


def test_a_paragraph_that_nobody_repeats_says_so(folder, capfd) -> None:
    assert run(["repeats", "oath", "2", "--archive", str(folder)]) == 0
    assert capfd.readouterr().out == "Nobody repeats it.\n"
    assert run(["repeats", "oath", "9", "--archive", str(folder)]) == 2
    assert run(["repeats", "nowhere", "1", "--archive", str(folder)]) == 2
    assert run(["repeats", "oath", "--archive", str(folder)]) == 2


def test_the_same_speaker_contradicts_herself_and_another_speaks_to_the_point(client) -> None:
    form = {"text": TAXES, "speaker": "Ann Lee", "document": "echo", "paragraph": 1}
    answer = client.post("/v1/counter", json=form).json()
    first = answer["own"][0]
    assert (first["document"], first["stance"], first["spoken_on"]) == ("turn", "contradicts", "2001-05-01")
    assert {voice["speaker"] for voice in answer["others"]} <= {"Bo Day", "John Day"}
    assert answer["others"][0]["document"] == "other"
    assert client.post("/v1/counter", json={"text": " "}).status_code == 422


@pytest.mark.parametrize(
    ("chosen", "own", "others"),
    [
        (Filter(), {"turn"}, {"other"}),
        (Filter(speakers=("Day",)), set(), {"other"}),
        (Filter(speakers=("lee",)), {"turn"}, set()),
        (Filter(speakers=("Lee", "Day")), {"turn"}, {"other"}),
        (Filter(since="2001-01-01"), {"turn"}, set()),
        (Filter(until="2000-12-31"), set(), {"other"}),
        (Filter(since="2050-01-01"), set(), set()),
    ],
)
def test_counter_voices_are_from_paragraphs_that_pass_the_filter(service, chosen, own, others) -> None:
    voices = service.counter(Statement(TAXES, "Ann Lee", "echo", 1), filter=chosen)
    assert {item.document for item in voices.own} & {"other", "turn"} == own
    assert {item.document for item in voices.others} & {"other", "turn"} == others


def test_counter_voices_of_nobody_are_bad_input(service) -> None:
    with pytest.raises(BadInput, match="nobody called 'Nobody'"):
        service.counter(Statement(TAXES), filter=Filter(speakers=("Nobody",)))


def test_repeats_over_http_take_a_text_or_a_paragraph(client) -> None:
    by_place = client.post("/v1/repeats", json={"document": "oath", "paragraph": 0}).json()
    assert [row["document"] for row in by_place["repeats"]] == ["times", "echo"]
    assert by_place["archives"] == ["", "articles"]
    by_text = client.post("/v1/repeats", json={"text": LINE}).json()
    assert [row["document"] for row in by_text["repeats"]] == ["oath", "times", "echo"]
    for form in ({}, {"text": LINE, "document": "oath", "paragraph": 0}, {"document": "oath"}):
        assert client.post("/v1/repeats", json=form).status_code == 422
    for place in ({"document": "nowhere", "paragraph": 0}, {"document": "oath", "paragraph": 7}):
        assert client.post("/v1/repeats", json=place).status_code == 422


def recommend(client, **form):
    draft = {"left": "The president asked the citizens what they can do for their country:", "limit": 2}
    response = client.post("/v1/recommend", json=draft | form)
    assert response.status_code == 200, response.text
    return response.json()


def test_recommendations_say_where_their_words_were_printed(client) -> None:
    shown = recommend(client, printed="show")
    first = shown["recommendations"][0]["paragraph"]["document_id"]
    assert first in ("oath", "echo")
    assert [row["document"] for row in shown["printed"][0]] == ["times"]
    fresh = recommend(client, printed="leave-out")
    assert fresh["printed"] == [[]] * len(fresh["recommendations"])
    assert not {"oath"} & {row["paragraph"]["document_id"] for row in fresh["recommendations"]}
    assert recommend(client, printed="last", limit=10)["printed"][0] == []
    assert "printed" not in recommend(client)


@pytest.mark.parametrize("printed", ["show", "leave-out"])
def test_a_service_says_where_words_were_printed_as_the_archive_does(folder, served, printed, capfd) -> None:
    line = ["recommend", "--left", "The president asked the citizens what they can do for their country:"]
    line += ["--limit", "2", "--counter", "--printed", printed, "--json"]
    answers = []
    for place in (["--url", served], ["--archive", str(folder)]):
        assert run([*line, *place]) == 0
        answers.append(json.loads(capfd.readouterr().out))
        assert answers[-1].pop("timings_s")
    assert answers[0] == answers[1]
    documents = {row["document"] for repeats in answers[0]["printed"] for row in repeats}
    assert documents == ({"times"} if printed == "show" else set())
    assert len(answers[0]["printed"]) == len(answers[0]["recommendations"]) > 0


def test_recommendations_come_with_counter_voices(folder, client, capfd) -> None:
    voices = recommend(client, left="On taxes on the middle class, Ann Lee promised:", counter=True)[
        "counter"
    ]
    assert voices
    stances = {voice["stance"] for side in voices for voice in (*side["own"], *side["others"])}
    assert stances <= {"supports", "contradicts", "neutral"}
    options = ["--left", "Ann Lee promised on taxes on the middle class:", "--limit", "1", "--counter"]
    assert run(["recommend", *options, "--printed", "show", "--archive", str(folder)]) == 0
    assert "1. same speaker: " in capfd.readouterr().out


def test_a_long_stored_paragraph_is_cut_and_a_long_text_is_refused(tmp_path, capfd) -> None:
    folder, long = tmp_path / "archive", {**SPEECHES[0], "id": "long", "paragraphs": ["x" * 30_000]}
    rows = [long, SPEECHES[1]]
    for name, speeches in (("speeches", rows), ("articles", ARTICLES)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, speeches)), "utf-8")
    assert run(["index", str(tmp_path / "speeches.jsonl"), "--archive", str(folder)]) == 0
    assert run(["index", str(tmp_path / "articles.jsonl"), "--as", "articles", "--archive", str(folder)]) == 0
    capfd.readouterr()
    assert run(["repeats", "long", "1", "--archive", str(folder)]) == 0
    assert capfd.readouterr().out == "Nobody repeats it.\n"
    assert run(["recommend", "--left", "He said:", "--printed", "show", "--archive", str(folder)]) == 0
    service = assemble(replace(read_settings({}), archive=folder, timeout_s=280))
    assert max(len(item.text) for item in service.store.get("long")[1]) == 30_000
    with TestClient(make_app(service), base_url="http://127.0.0.1") as client:
        answer = client.post("/v1/repeats", json={"document": "long", "paragraph": 0})
        assert (answer.status_code, answer.json()["repeats"]) == (200, [])
        assert client.post("/v1/repeats", json={"text": "x" * 30_000}).status_code == 422
    assert run(["repeats", "--text", "x" * 30_000, "--archive", str(folder)]) == 2


def test_without_articles_freshness_is_refused(tmp_path, folder, capfd) -> None:
    with rostrum.open(tmp_path / "alone") as archive:
        archive.index(rows=SPEECHES[:1])
        assert archive.repeats(LINE).archives == ("",)
        assert archive.counter(LINE, speaker="John Day").own == ()
    options = ["--left", "He asked:", "--printed", "show", "--archive", str(tmp_path / "alone")]
    assert run(["recommend", *options]) == 2
    assert "--as articles" in capfd.readouterr().err


def test_thanks_have_a_heat_and_are_no_evidence(client) -> None:
    form = {"claim": "Citizens ask what they can do for their country.", "documents": ["oath"], "heat": True}
    answer = client.post("/v1/evidence", json=form).json()
    assert [row["text"] for row in answer["sentences"]] == [LINE]
    assert (answer["read"], len(answer["heat"])) == (2, 2)
    assert answer["heat"][0]["heat"] == 1.0
