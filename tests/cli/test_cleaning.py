"""What is cut from a transcript on the way into the archive, and how it is shown again."""

from pathlib import Path

import pytest

from .conftest import Rostrum

RELEASE = """FOR IMMEDIATE RELEASE

MR. KIRBY: The govern-
ment of the sea begins here. (Applause.)

Overheard on Channel Nine

END
"""
RULE = '[[rule]]\nname = "channel"\nwhere = "line"\npattern = "Overheard on .*"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "speeches").mkdir()
    (tmp_path / "speeches" / "sea.txt").write_text(RELEASE)
    (tmp_path / "rules.toml").write_text(RULE)
    return tmp_path


def paragraphs(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("[")]


def test_boilerplate_is_cut_and_shown_in_its_place_by_raw(rostrum: Rostrum, folder: Path) -> None:
    rostrum("index", folder / "speeches", "--archive", folder / "archive")
    shown = rostrum("show", "sea", "--archive", folder / "archive")
    assert paragraphs(shown.out) == [
        "[1] MR. KIRBY: The government of the sea begins here.",
        "[2] MR. KIRBY: Overheard on Channel Nine",
    ]
    raw = rostrum("show", "sea", "--raw", "--archive", folder / "archive")
    assert paragraphs(raw.out) == [
        "[1] [-FOR IMMEDIATE RELEASE-] [-MR. KIRBY:-] The govern[---]ment of the sea begins here."
        " [-(Applause.)-]",
        "[2] Overheard on Channel Nine [-END-]",
    ]
    second = rostrum("show", "sea", "--raw", "--paragraph", "2", "--archive", folder / "archive")
    assert paragraphs(second.out) == ["[2] Overheard on Channel Nine [-END-]"]


def test_a_new_rule_writes_the_documents_it_changes_anew_and_encodes_nothing(
    rostrum: Rostrum, folder: Path
) -> None:
    (folder / "speeches" / "river.txt").write_text("The river runs.")
    rostrum("index", folder / "speeches", "--archive", folder / "archive")
    arguments = (
        "index",
        folder / "speeches",
        "--archive",
        folder / "archive",
        "--rules",
        folder / "rules.toml",
    )
    done = rostrum(*arguments)
    assert "documents: 1 replaced, 1 unchanged\nparagraphs: 1 written, 0 encoded, 1 reused" in done.out
    assert "2 unchanged" in rostrum(*arguments).out
    shown = rostrum("show", "sea", "--archive", folder / "archive")
    assert paragraphs(shown.out) == ["[1] MR. KIRBY: The government of the sea begins here."]


def test_the_rules_of_the_environment_hold_as_those_of_the_option(
    rostrum: Rostrum, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROSTRUM_RULES", str(folder / "rules.toml"))
    rostrum("index", folder / "speeches", "--archive", folder / "archive")
    assert len(paragraphs(rostrum("show", "sea", "--archive", folder / "archive").out)) == 1
    (folder / "other.toml").write_text('off = ["end"]\n')
    rostrum("index", folder / "speeches", "--archive", folder / "archive", "--rules", folder / "other.toml")
    shown = rostrum("show", "sea", "--archive", folder / "archive")
    assert paragraphs(shown.out)[1:] == ["[2] MR. KIRBY: Overheard on Channel Nine", "[3] MR. KIRBY: END"]


def test_a_rule_that_is_none_is_bad_input_and_nothing_is_indexed(rostrum: Rostrum, folder: Path) -> None:
    (folder / "rules.toml").write_text(RULE.replace("Overheard on .*", "("))
    done = rostrum(
        "index", folder / "speeches", "--archive", folder / "archive", "--rules", folder / "rules.toml"
    )
    assert (done.code, done.out) == (2, "")
    assert "rules.toml, rule 1: '(' is not a pattern of RE2: missing )" in done.complaint
    assert not (folder / "archive" / "published").exists()
