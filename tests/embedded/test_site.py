"""Messages about an archive's folder name what an operator can do."""

import os
import shutil

import pytest

from embedded.site import FolderSite
from embedded.store import EmbeddedStore
from rostrum_core.errors import StoreError
from rostrum_core.ports import Query


def test_an_archive_that_is_whole_is_told_with_its_counts(folder, entry, publish):
    publish(EmbeddedStore(folder), entry("a", ["spoken", "words"]))
    assert FolderSite(folder).checks()["archive"]() == f"1 documents, 2 paragraphs at {folder}"


def test_a_file_damaged_in_its_middle_is_found(folder, entry, publish):
    said = [f"spoken {number} {'words ' * 300}" for number in range(200)]
    name = publish(EmbeddedStore(folder), *(entry(str(number), [text]) for number, text in enumerate(said)))
    path = folder / "generations" / name / "archive.sqlite"
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 20_000)
    store = EmbeddedStore(folder)
    assert store.count() == (200, 200)
    with pytest.raises(StoreError, match="malformed"):
        list(store.search(Query("", "", None, every=True)))
    with pytest.raises(StoreError, match=r"archive\.sqlite is damaged"):
        FolderSite(folder).checks()["archive"]()


def test_sizes_are_added_up(tmp_path):
    assert FolderSite(tmp_path / "none").size_bytes() == 0
    for name, size_bytes in (("a", 5), ("b/c", 70), ("b/d/e", 900)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(bytes(size_bytes))
    assert FolderSite(tmp_path).size_bytes() == 975


def test_the_size_passes_over_what_is_removed_meanwhile(folder, entry, publish, monkeypatch):
    store, scandir = EmbeddedStore(folder), os.scandir
    publish(store, entry("a", ["spoken"]))
    publish(store, entry("b", ["words"]))
    whole, removed = FolderSite(folder).size_bytes(), []

    def late(path):
        if str(path).endswith("000001") and not removed:
            removed.append(path)
            shutil.rmtree(path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", late)
    assert 0 < FolderSite(folder).size_bytes() < whole
    assert len(removed) == 1
