"""An archive is read by whoever may read its files: nothing is written to a complete generation."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from embedded.store import EmbeddedStore

ROOT = Path(__file__).parents[2]
NOBODY = 65534

READER = f"""
import mmap, os, sys  # mmap: another user may not read the modules of this Python
from pathlib import Path
from embedded.store import EmbeddedStore
from rostrum_core.ports import Query

if os.getuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
store = EmbeddedStore(Path(sys.argv[1]))
found = store.search(Query("spoken", "spoken", None))
print(store.published().documents, store.document_frequency(["spoken"]), found[0].paragraph.text)
print([each.state for each in store.generations()])
"""


@pytest.fixture
def open_to_all() -> Iterator[Path]:
    """A folder that other users reach, as they do not reach those of pytest."""
    with TemporaryDirectory() as made:
        os.chmod(made, 0o777)
        yield Path(made)


def allow(folder: Path, file_mode: int, folder_mode: int) -> None:
    for place, _, names in os.walk(folder, topdown=False):
        for name in names:
            os.chmod(Path(place, name), file_mode)
        os.chmod(place, folder_mode)


def test_every_file_of_an_archive_is_read_by_those_who_read_the_others(tmp_path, entry, publish):
    publish(EmbeddedStore(tmp_path / "archive"), entry("a", ["spoken", "words"]))
    files = [path for path in (tmp_path / "archive").rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o044 for path in files} == {
        (tmp_path / "archive/published").stat().st_mode & 0o044
    }


@pytest.mark.parametrize("folder_mode", [0o555, 0o777], ids=["no file may be added", "none may be changed"])
def test_an_archive_is_read_without_the_right_to_write(open_to_all, entry, publish, folder_mode):
    folder, temporary = open_to_all / "archive", open_to_all / "temporary"
    store = EmbeddedStore(folder)
    publish(store, entry("a", ["spoken", "words"]), entry("b", ["others"]))
    generation = store.published()
    store.begin(encoder=generation.encoder, tokenizer=generation.tokenizer)
    store.close()
    temporary.mkdir()
    os.chmod(temporary, 0o777)
    allow(folder, 0o444, folder_mode)
    try:
        done = subprocess.run(
            [sys.executable, "-c", READER, "archive"],
            cwd=open_to_all,
            env=os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        allow(folder, 0o644, 0o755)
    assert not done.stderr, done.stderr
    assert done.stdout == "2 [1] spoken\n['ready', 'building']\n"
    assert list(temporary.iterdir()) == []
