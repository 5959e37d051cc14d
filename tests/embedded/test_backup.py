"""An archive is backed up by copying its published generation, as docs/operations.md says."""

import os
import subprocess

import pytest

from embedded.store import EmbeddedStore
from tests.pages import blocks


@pytest.mark.slow
def test_a_copy_of_the_published_generation_is_an_archive(tmp_path, entry, publish):
    folder = tmp_path / "archive"
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken one"]))
    name = publish(store, entry("b", ["spoken two"]))
    publish(store, entry("c", ["spoken three"]))
    store.rollback()
    store.begin(encoder="encoder-1", tokenizer="tokenizer-1")
    backup, restore = blocks("operations.md", "Backup of a folder")
    copying = f"set -eu\n{backup}\n{restore.splitlines()[0]}"
    environment = os.environ | {"ROSTRUM_ARCHIVE": str(folder)}
    subprocess.run(["bash", "-c", copying], cwd=tmp_path, env=environment, check=True)
    store.close()
    with EmbeddedStore(tmp_path / "restored") as restored:
        assert [each.id for each in restored.documents()] == ["a", "b"]
        assert [each.name for each in restored.generations()] == [name]
        publish(restored, entry("d", ["spoken four"]))
        assert restored.count() == (3, 3)
    assert restore.splitlines()[1] == "ROSTRUM_ARCHIVE=restored rostrum doctor"
