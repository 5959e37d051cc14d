"""Captions from the file to the link that leads to the second."""

import json
import shutil
from pathlib import Path

import pytest

from .conftest import Rostrum

CAPTIONS = Path(__file__).parents[1] / "indexer" / "captions" / "1962-09-12-moon.srt"
LINK = "https://example.org/moon"
DRAFT = ("--left", "He spoke of the spacecraft on its way to Venus.", "--document", CAPTIONS.stem)


@pytest.fixture
def archive(rostrum: Rostrum, tmp_path: Path) -> Path:
    folder = tmp_path / "speeches"
    folder.mkdir()
    shutil.copy(CAPTIONS, folder)
    (folder / f"{CAPTIONS.stem}.meta.yaml").write_text(
        f"title: Moon\nspeaker: John F. Kennedy\nurl: {LINK}\n"
    )
    assert rostrum("index", folder, "--archive", tmp_path / "archive").code == 0
    return tmp_path / "archive"


def test_a_result_tells_its_moment_and_links_to_its_second(rostrum: Rostrum, archive: Path) -> None:
    shown = rostrum("recommend", *DRAFT, "--archive", archive)
    lines = shown.out.splitlines()
    place = lines.index(f"[{CAPTIONS.stem}, 10] {LINK}#t=212")
    assert lines[place - 1].endswith(", Moon, September 12, 1962, at 0:03:32")
    answer = json.loads(rostrum("recommend", *DRAFT, "--archive", archive, "--json", "--limit", "99").out)
    paragraphs = {each["paragraph"]["ordinal"]: each["paragraph"] for each in answer["recommendations"]}
    assert (paragraphs[9]["start_s"], paragraphs[9]["end_s"]) == (212.1, 229.48)


def test_a_speech_is_shown_with_the_moment_of_each_paragraph(rostrum: Rostrum, archive: Path) -> None:
    shown = rostrum("show", CAPTIONS.stem, "--archive", archive)
    assert "\n[1] 0:00:02 ANNOUNCER: Ladies and gentlemen," in shown.out
    assert "\n[10] 0:03:32 THE PRESIDENT: The Mariner spacecraft" in shown.out
