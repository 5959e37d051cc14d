"""The public face in Python: its example runs, and every call, over a folder and over a service."""

import re
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import rostrum
from rostrum_core.errors import BadInput
from rostrum_core.quote_checks import QuoteRow
from tools.service_process import ServiceProcess

ROOT = Path(__file__).resolve().parents[1]
MOON = {
    "id": "moon",
    "title": "Moon",
    "speaker": "John F. Kennedy",
    "date": "1962-09-12",
    "paragraphs": ["We choose to go to the moon.", "We meet at a college noted for knowledge."],
}


@pytest.fixture(params=["folder", "service"])
def archive(request, tmp_path):
    """An archive of one speech, in a folder and behind a service."""
    with rostrum.open(tmp_path / "archive") as opened:
        report = opened.index(rows=[MOON])
        assert (report.added, report.refused) == (1, 0)
    if request.param == "folder":
        with rostrum.open(tmp_path / "archive") as opened:
            yield opened
        return
    process = ServiceProcess(tmp_path / "log", "--archive", str(tmp_path / "archive"), timeout_s="280")
    try:
        with rostrum.open(process.wait_serving().url) as opened:
            yield opened
    finally:
        process.stop()


def test_each_call_answers_the_same_over_a_folder_and_a_service(archive):
    draft = rostrum.Draft(title="Space", left="Kennedy set a goal for the decade:")
    for answer in (archive.recommend(draft, limit=1), archive.search("a goal: to go to the moon", limit=1)):
        (best,) = answer.recommendations
        assert (best.document.speaker, best.paragraph.text) == ("John F. Kennedy", MOON["paragraphs"][0])
    evidence = archive.evidence("They chose to go to the moon.", documents=["moon"], heat=True, limit=1)
    assert [sentence.text for sentence in evidence.sentences] == [MOON["paragraphs"][0]]
    assert evidence.heat[0].heat == 1 > evidence.heat[1].heat
    assert archive.evidence("They chose to go to the moon.").sentences[0].document == "moon"
    famous = archive.famous("The parties will not speak, and brother is set against brother:", limit=1)
    assert (famous.list, len(famous.quotes), famous.quotes[0].rank) == ("famous", 1, 1)
    assert [info.id for info in archive.documents()] == ["moon"]
    document, paragraphs = archive.get("moon")
    assert (document.title, [paragraph.ordinal for paragraph in paragraphs]) == ("Moon", [0, 1])
    for spoken in (rostrum.Filter(since="1962", until="1962-09"), rostrum.Filter(languages=("en-US",))):
        assert [one.document.id for one in archive.search("the moon", filter=spoken).recommendations] == [
            "moon"
        ] * 2
    with pytest.raises(rostrum.RostrumError):
        archive.recommend("the moon", filter=rostrum.Filter(documents=("nope",)))
    quoted = '"We choose to go," he said, "to the moon."'
    (check,) = archive.verify(quotes=[quoted]).checks
    assert (check.verdict, len(check.row.parts)) == ("verbatim", 2)
    for wrong in (" ", QuoteRow("1", ("We choose",), said_on="September 1962")):
        with pytest.raises(rostrum.RostrumError):
            archive.verify(quotes=[wrong])
    voices = archive.counter("We must never go to the moon.", speaker="Joe Biden")
    assert voices.own == ()
    assert [voice.speaker for voice in voices.others][:1] == ["John F. Kennedy"]
    archive.index(rows=[MOON | {"id": "again"}])
    archive.delete("moon")
    assert [info.id for info in archive.documents()] == ["again"]
    with pytest.raises(rostrum.RostrumError):
        archive.get("moon")
    with pytest.raises(BadInput):
        archive.index()


def test_files_are_indexed_and_the_archive_mirrors_them(tmp_path):
    speeches = tmp_path / "speeches"
    speeches.mkdir()
    for name in ("one", "two"):
        (speeches / f"{name}.txt").write_text(f"We speak of {name}.")
    with rostrum.open(tmp_path / "archive") as archive:
        assert archive.index([speeches]).added == 2
        (speeches / "one.txt").unlink()
        assert archive.index([speeches], mirror=True).deleted == 1


def test_relative_paths_start_at_the_folder_in_which_the_archive_was_opened(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    with rostrum.open("own") as by_place:
        monkeypatch.setenv("ROSTRUM_ARCHIVE", "own")
        with rostrum.open() as by_setting:
            monkeypatch.chdir(tmp_path / "other")
            assert by_place.index(rows=[MOON]).added == 1
            assert [info.id for info in by_setting.documents()] == ["moon"]
    assert (tmp_path / "own").is_dir()
    assert list((tmp_path / "other").iterdir()) == []


def test_an_empty_place_is_refused():
    with pytest.raises(BadInput, match="ROSTRUM_ARCHIVE is empty"):
        rostrum.open("")


def test_rows_take_dates_and_refuse_what_json_cannot_hold(archive):
    days = {"text": "1962-09-12", "day": date(1962, 9, 12), "time": datetime(1962, 9, 12, 10, 0, tzinfo=UTC)}
    report = archive.index(rows=[MOON | {"id": id, "date": day} for id, day in days.items()])
    assert (report.added, report.refused) == (3, 0)
    dates = {info.id: info.spoken_on for info in archive.documents()}
    assert dates == {"moon": "1962-09-12", **dict.fromkeys(days, "1962-09-12")}
    for bad in ({"date": {1962}}, {"date": b"1962"}, {(1, 2): "1962"}):
        with pytest.raises(BadInput, match="row 2 cannot be written as JSON"):
            archive.index(rows=[MOON, MOON | bad])


def test_a_key_needs_an_address(tmp_path):
    with pytest.raises(BadInput, match="a key is for a service"):
        rostrum.open(tmp_path, key="secret")


def test_the_example_of_the_package_runs(tmp_path):
    example = re.search(r"\n\n((?:    .*\n|\n)+)", rostrum.__doc__)[1].replace("\n    ", "\n").strip()
    (tmp_path / "speeches").mkdir()
    (tmp_path / "speeches" / "moon.txt").write_text("We choose to go to the moon.")
    done = subprocess.run(
        [sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True, env=None, check=False
    )
    assert (done.returncode, done.stdout) == (0, "None We choose to go to the moon.\n"), done.stderr


def test_the_import_alone_loads_no_engine():
    code = "import rostrum, sys; print('onnxruntime' in sys.modules, 'faiss' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.split() == ["False", "False"]
