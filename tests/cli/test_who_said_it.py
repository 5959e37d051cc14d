"""Who said it, as a user of the commands sees it."""

from __future__ import annotations

import json
from pathlib import Path

from jobs.attribution import make_attribution
from rostrum.assemble import open_store
from rostrum_core.settings import read_settings
from tests.cli.conftest import Rostrum

DEBATE = (
    "MR. KENNEDY: The bridge is open.\n\nMS. DOE: The bridge is closed.\n\nMR. KENNEDY: Cross the bridge."
)


def test_every_attribution_of_the_sample_archive_is_fit_for_print(sample_archive: Path) -> None:
    store = open_store(read_settings({"ROSTRUM_ARCHIVE": str(sample_archive)}))
    lines = {
        (info.title, make_attribution(info, paragraph.speaker))
        for info in store.documents()
        for _, paragraphs in [store.get(info.id) or (None, ())]
        for paragraph in paragraphs
    }
    assert len({title for title, _ in lines}) > 40
    assert not [title for title, _ in lines if title[:1].islower() or title.islower() or title.isupper()]
    assert not [line for _, line in lines if line.casefold().startswith("the president")]


def test_a_surname_finds_every_turn_and_every_speech_of_those_who_have_it(
    rostrum: Rostrum, tmp_path: Path
) -> None:
    speeches, archive = tmp_path / "speeches", tmp_path / "archive"
    speeches.mkdir()
    (speeches / "debate.txt").write_text(DEBATE)
    (speeches / "moon.txt").write_text("---\nspeaker: John F. Kennedy\n---\nWe chose to build the bridge.")
    (speeches / "road.txt").write_text(
        "---\nspeaker: Jane Roe\n---\nThe bridge of the Kennedy family stands."
    )
    assert rostrum("index", speeches, "--archive", archive).code == 0
    draft = tmp_path / "draft.txt"
    draft.write_text("The bridge")
    answer = rostrum("recommend", draft, "--archive", archive, "--speaker", "Kennedy", "--json")
    texts = {match["paragraph"]["text"] for match in json.loads(answer.out)["recommendations"]}
    assert texts == {"The bridge is open.", "Cross the bridge.", "We chose to build the bridge."}
    listed = rostrum("documents", "--archive", archive, "--speaker", "Kennedy").out
    assert [line.split()[0] for line in listed.splitlines()] == ["debate", "moon"]


def test_speeches_without_a_speaker_or_a_day_are_listed(rostrum: Rostrum, tmp_path: Path) -> None:
    speeches, archive = tmp_path / "speeches", tmp_path / "archive"
    speeches.mkdir()
    (speeches / "2021-03-04-nobody.txt").write_text("The bridge is open.")
    (speeches / "roe.txt").write_text("---\nspeaker: Jane Roe\n---\nThe road is open.")
    done = rostrum("index", speeches, "--archive", archive)
    assert "speeches: 1 without a speaker, 1 without a date; list them with" in done.out
    missing = rostrum("documents", "--archive", archive, "--missing", "speaker").out
    assert "2021-03-04-nobody" in missing
    assert "roe" not in missing
    assert "roe" in rostrum("documents", "--archive", archive, "--missing", "date").out


def test_columns_of_other_names_are_named(rostrum: Rostrum, tmp_path: Path) -> None:
    table, archive = tmp_path / "export.csv", tmp_path / "archive"
    table.write_text("ref,body,who\nroad,The road is open.,Jane Roe\n")
    named = ("--map", "id=ref", "--map", "text=body", "--map", "speaker=who")
    assert rostrum("index", table, "--archive", archive, *named).code == 0
    shown = rostrum("show", "road", "--archive", archive).out
    assert "The road is open." in shown
    assert "Jane Roe" in shown
    wrong = rostrum("index", table, "--archive", archive, "--map", "words=body")
    assert wrong.code == 2
    assert "--map words=body: write NAME=FIELD; NAME is one of id, text," in wrong.err
