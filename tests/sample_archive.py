"""Build the archive of the sample speeches once per version of the code, in the user's cache folder.

The vectors, which take nearly all of the time, are kept as long as the models are the same: an archive of
changed code starts from the newest one and encodes only paragraphs whose text is new.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from archive.shipped_files import locate_shipped
from embedded.generations import FORMAT
from reranker.models.files import PARTS

ROOT = Path(__file__).resolve().parents[1]
CODE = ("rostrum_core", "indexer", "embedded", "archive", "reranker/models")
KEPT = 8
"""Archives of so many versions of the code are kept, 18 MB each."""


def copy_sample_archive(folder: Path) -> Path:
    """Copy the archive of this version of the code to `folder`; build it first if there is none."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rostrum" / "tests"
    cache = cache / f"{FORMAT}-{_hash_files(_list_encoder())}"
    cache.mkdir(parents=True, exist_ok=True)
    built = cache / _hash_files([*_list_code(), locate_shipped("samples/speeches.jsonl")])
    with _hold_lock(cache / "lock"):
        if not built.exists():
            _build(built, sorted(cache.glob("[0-9a-f]*"), key=lambda path: path.stat().st_mtime))
        os.utime(built)
    shutil.copytree(built, folder)
    return folder


def _build(built: Path, older: list[Path]) -> None:
    from archive.cleaning_rules import load_boilerplate
    from archive.refresh import RefreshOptions
    from indexer.ingest import read
    from rostrum.assemble import assemble
    from rostrum_core.settings import read_settings

    unfinished = built.with_name(f"unfinished-{built.name}")
    shutil.rmtree(unfinished, ignore_errors=True)
    if older:
        shutil.copytree(older[-1], unfinished)
    for path in older[: max(0, len(older) + 1 - KEPT)]:
        shutil.rmtree(path)
    refused: list[Exception] = []
    service = assemble(replace(read_settings({"ROSTRUM_ENGINE": "onnxruntime"}), archive=unfinished))
    speeches = read(
        [locate_shipped("samples/speeches.jsonl")], refused=refused.append, boilerplate=load_boilerplate(None)
    )
    service.refresh(speeches, RefreshOptions(fresh=True))
    service.store.prune(keep=1)
    service.store.close()
    if refused:
        raise refused[0]
    unfinished.rename(built)


def _list_encoder() -> list[Path]:
    """Return the files that vectors and token ids come from; the folder's other models may change."""
    return [locate_shipped("models") / name for name in PARTS["tokenizer"].files + PARTS["encoder"].files]


def _list_code() -> Iterator[Path]:
    for folder in CODE:
        yield from sorted((ROOT / folder).rglob("*.py"))


def _hash_files(paths: list[Path]) -> str:
    digest = hashlib.sha256()
    for path in sorted(paths):
        digest.update(path.name.encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


@contextmanager
def _hold_lock(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
