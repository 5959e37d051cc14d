"""`rostrum canary`: drafts are saved, and compared before something is published."""

import json
import shutil
from pathlib import Path

import pytest

from .conftest import Rostrum

MOON = "We choose to go to the moon in this decade, not because it is easy, but because it is hard."
DRAFT = ("--title", "Why a rocket to the moon is worth its price", "--left", "The president said")


@pytest.fixture
def archive(rostrum: Rostrum, tmp_path: Path) -> Path:
    """An archive of three speeches, one of them on the moon."""
    speeches, archive = tmp_path / "speeches", tmp_path / "archive"
    speeches.mkdir()
    (speeches / "moon.txt").write_text(MOON)
    (speeches / "road.txt").write_text("The road is long, and it is to be mended before the winter.")
    (speeches / "night.txt").write_text("The night is young, and so are all of you.")
    assert rostrum("index", speeches, "--archive", archive).code == 0
    return archive


@pytest.mark.usefixtures("models")
def test_a_refresh_that_loses_the_speech_is_kept_back_shown_and_published_by_force(
    rostrum: Rostrum, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROSTRUM_CANARY", "block")
    saved = rostrum("canary", "save", "moon", *DRAFT, "--expect", "moon", "--archive", archive)
    assert (saved.code, saved.out) == (0, "saved: moon\n")
    (tmp_path / "speeches" / "moon.txt").unlink()

    kept_back = rostrum("index", tmp_path / "speeches", "--mirror", "--archive", archive)

    assert kept_back.code == 1
    assert "generation 000002 is ready and not published; saved drafts: 1 of 1 changed: moon" in kept_back.err
    assert MOON in rostrum("show", "moon", "--archive", archive).out
    compared = rostrum("canary", "compare", "000002", "--archive", archive)
    assert compared.code == 1
    assert compared.out.splitlines()[:2] == [
        "bad moon: keeps 2 of its first 3 results; the first result is another; expected and missing: moon",
        f"  - [moon] {MOON[:60].rstrip()} (its speech was deleted)",
    ]
    assert rostrum("generations", "publish", "000002", "--archive", archive).code == 1
    assert rostrum("generations", "publish", "000002", "--force", "--archive", archive).code == 0
    assert rostrum("show", "moon", "--archive", archive).code == 2
    assert rostrum("generations", "rollback", "--archive", archive).code == 0
    assert MOON in rostrum("show", "moon", "--archive", archive).out


@pytest.mark.usefixtures("models")
def test_a_generation_like_the_published_one_passes_and_other_models_too(
    rostrum: Rostrum, archive: Path, tmp_path: Path
) -> None:
    assert rostrum("canary", "save", "moon", *DRAFT, "--archive", archive).code == 0
    (tmp_path / "speeches" / "new.txt").write_text("A new speech about bridges.")
    published = rostrum("index", tmp_path / "speeches", "--archive", archive)
    assert (published.code, "saved drafts: 1 compared, all keep their top results" in published.out) == (
        0,
        True,
    )

    compared = rostrum("canary", "compare", "000001", "--json", "--archive", archive)

    answer = json.loads(compared.out)
    assert (compared.code, answer["passed"], answer["before"], answer["after"]) == (
        0,
        True,
        "000002",
        "000001",
    )
    assert answer["changes"][0]["is_first_kept"]
    same = rostrum("canary", "compare", "--models", "shipped", "--archive", archive)
    assert (same.code, same.out.splitlines()[0]) == (0, "ok  moon: keeps 4 of its first 4 results")


def test_drafts_are_listed_and_removed(rostrum: Rostrum, archive: Path) -> None:
    assert "no draft is saved yet" in rostrum("canary", "list", "--archive", archive).out
    assert rostrum("canary", "save", "a", *DRAFT, "--expect", "moon", "--archive", archive).code == 0
    name, expects, *words = rostrum("canary", "list", "--archive", archive).out.splitlines()[1].split()
    assert (name, expects, " ".join(words)) == ("a", "moon", DRAFT[1])
    assert rostrum("canary", "remove", "a", "--archive", archive).code == 0
    assert rostrum("canary", "remove", "a", "--archive", archive).complaint == (
        "rostrum: there is no saved draft 'a'"
    )


def test_a_draft_that_cannot_be_saved_or_compared_is_bad_input(rostrum: Rostrum, archive: Path) -> None:
    unknown = rostrum("canary", "save", "a", *DRAFT, "--expect", "sun", "--archive", archive)
    assert (unknown.code, "no document 'sun'" in unknown.err) == (2, True)
    assert rostrum("canary", "save", "a", "--archive", archive).code == 2
    assert rostrum("canary", "compare", "000001", "--archive", archive).code == 2
    assert rostrum("canary", "save", "a", *DRAFT, "--archive", archive).code == 0
    assert rostrum("canary", "compare", "--archive", archive).code == 2
    assert rostrum("canary", "compare", "000009", "--archive", archive).code == 2


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--right", "and so we go"), "the draft is empty"),
        (("--left", " "), "the draft is empty"),
        ((*DRAFT, "--speaker", "Nobody"), "nobody called 'Nobody' speaks in the archive"),
    ],
    ids=["only right", "blank", "unknown speaker"],
)
def test_a_draft_that_has_no_results_is_not_saved(
    rostrum: Rostrum, archive: Path, options: tuple[str, ...], complaint: str
) -> None:
    refused = rostrum("canary", "save", "y", *options, "--archive", archive)
    assert refused.code == 2
    assert complaint in refused.complaint
    assert not (archive / "canary.json").exists()


@pytest.mark.usefixtures("models")
def test_models_that_lose_the_results_are_not_put_in_use(
    rostrum: Rostrum, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from archive.model_registry import Registry
    from archive.shipped_files import locate_shipped

    registry = Registry(tmp_path / "data" / "rostrum" / "models")
    registry.add(locate_shipped("models"), "mine", {})
    monkeypatch.setenv("ROSTRUM_ARCHIVE", str(archive))
    assert rostrum("canary", "save", "moon", *DRAFT, "--expect", "moon").code == 0
    monkeypatch.setenv("ROSTRUM_CANARY", "block")
    used = rostrum("models", "use", "mine")
    assert (used.code, used.out) == (0, "in use: mine\n")
    assert "saved drafts: 1 compared, all keep their top results" in used.err
    back = rostrum("models", "rollback")
    assert (back.code, back.out) == (0, "in use: shipped\n")
    monkeypatch.setattr("archive.canary.comparison.LEAST_KEPT", 1.1)  # now nothing is like before

    refused = rostrum("models", "use", "mine")

    assert (refused.code, registry.read_current()) == (1, "shipped")
    assert "models mine are not put in use: saved drafts: 1 of 1 changed" in refused.err
    assert rostrum("models", "use", "mine", "--force").code == 0
    lines = (archive / "history.jsonl").read_text().splitlines()
    assert [json.loads(line)["message"] for line in lines if '"models"' in line] == [
        "in use: mine",
        "in use: shipped",
        "in use: mine",
    ]


@pytest.mark.usefixtures("models")
@pytest.mark.parametrize("damage", ["damaged", "gone"])
def test_damaged_models_can_be_replaced_and_block_no_forced_publication(
    rostrum: Rostrum, archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    from archive.model_registry import Registry
    from archive.shipped_files import locate_shipped

    registry = Registry(tmp_path / "data" / "rostrum" / "models")
    for name in ("mine", "theirs"):
        registry.add(locate_shipped("models"), name, {})
    monkeypatch.setenv("ROSTRUM_ARCHIVE", str(archive))
    (tmp_path / "speeches" / "new.txt").write_text("A new speech about bridges.")
    assert rostrum("index", tmp_path / "speeches").code == 0
    assert rostrum("canary", "save", "moon", *DRAFT).code == 0
    registry.use("mine")
    if damage == "gone":
        shutil.rmtree(registry.folder / "mine")
        assert rostrum("models", "list").complaint == ("mine is in use and gone: rostrum models use shipped")
    else:
        (registry.folder / "mine" / "fusion.json").write_text("{")
        assert rostrum("models", "list").err == ""

    monkeypatch.setenv("ROSTRUM_CANARY", "block")
    withheld = rostrum("generations", "publish", "000001")
    assert (withheld.code, "saved drafts were not compared: " in withheld.err) == (1, True)
    forced = rostrum("generations", "publish", "000001", "--force")
    assert (forced.code, "saved drafts were not compared: " in forced.err) == (0, True)
    refused = rostrum("models", "use", "shipped")
    assert (refused.code, registry.read_current()) == (1, "mine")
    assert "models shipped are not put in use: saved drafts were not compared: " in refused.err
    monkeypatch.setenv("ROSTRUM_CANARY", "warn")
    used = rostrum("models", "use", "shipped")
    assert (used.code, used.out, registry.read_current()) == (0, "in use: shipped\n", "shipped")
    assert used.complaint.startswith("saved drafts were not compared: ")
    (registry.folder / "theirs" / "fusion.json").write_text("{")
    assert rostrum("models", "use", "theirs").code == 1
    assert registry.read_current() == "shipped"


@pytest.mark.usefixtures("models")
def test_a_draft_with_a_lone_surrogate_blocks_no_later_run(
    rostrum: Rostrum, archive: Path, tmp_path: Path
) -> None:
    draft = tmp_path / "draft.json"
    draft.write_text('{"title": "To the moon", "left": "we sail \\ud83d on"}')
    assert rostrum("canary", "save", "a", draft, "--archive", archive).code == 0
    assert rostrum("canary", "save", "caf\udce9", "--left", "caf\udce9", "--archive", archive).code == 0
    assert rostrum("canary", "list", "--archive", archive).code == 0
    (tmp_path / "speeches" / "new.txt").write_text("A new speech about bridges.")
    published = rostrum("index", tmp_path / "speeches", "--archive", archive)
    assert (published.code, "saved drafts: 2 compared" in published.out) == (0, True)
    assert rostrum("canary", "remove", "caf\udce9", "--archive", archive).code == 0
