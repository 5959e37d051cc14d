"""What the doctor says of archives that hold nothing yet, and of those that are broken."""

import shutil
from pathlib import Path

import pytest

from embedded.store import EmbeddedStore
from rostrum.cli.doctor import findings
from rostrum.core.settings import Settings


def of_archive(folder: Path) -> tuple[bool, str]:
    [found] = [(fine, text) for fine, text in findings(Settings(folder)) if text.startswith("archive: ")]
    return found


def test_an_archive_whose_first_run_was_interrupted_is_well(tmp_path: Path) -> None:
    with EmbeddedStore(tmp_path) as store:
        store.begin(encoder="e", tokenizer="t")
    assert of_archive(tmp_path) == (True, f"archive: none published yet at {tmp_path}")


def test_an_empty_folder_is_well(tmp_path: Path) -> None:
    assert of_archive(tmp_path) == (True, f"archive: none published yet at {tmp_path}")


@pytest.mark.parametrize("damage", ["published", "generations"])
def test_an_archive_that_lost_what_it_published_is_not(tmp_path: Path, damage: str) -> None:
    with EmbeddedStore(tmp_path) as store:
        store.publish(store.begin(encoder="e", tokenizer="t").name)
    if damage == "published":
        (tmp_path / "published").write_text("{")
    else:
        shutil.rmtree(tmp_path / "generations")
    assert not of_archive(tmp_path)[0]
