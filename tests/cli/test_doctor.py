"""What the doctor says of archives that hold nothing yet, and of those that are broken."""

import shutil
from importlib import import_module
from pathlib import Path

import pytest

from archive.canary.saved_drafts import SavedDraft, SavedDrafts
from embedded.store import EmbeddedStore
from rostrum.cli.doctor import check_package, run_checks
from rostrum_core.settings import Settings
from rostrum_core.types import Draft
from tests.engines import QUICK
from tools.redis_server import RedisServer
from tools.worker_process import WorkerProcess


def of_archive(folder: Path) -> tuple[bool, str]:
    [found] = [(fine, text) for fine, text in run_checks(Settings(folder)) if text.startswith("archive: ")]
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


def test_saved_drafts_that_cannot_be_read_are_bad(tmp_path: Path) -> None:
    def read_finding() -> tuple[bool, str]:
        [found] = [finding for finding in run_checks(Settings(tmp_path)) if "saved drafts: " in finding[1]]
        return found

    assert read_finding() == (True, "saved drafts: 0")
    SavedDrafts(tmp_path).save(SavedDraft("moon", Draft("To the moon")))
    assert read_finding() == (True, "saved drafts: 1")
    (tmp_path / "canary.json").write_text("{")
    fine, text = read_finding()
    assert not fine
    assert text.startswith(f"saved drafts: {tmp_path / 'canary.json'} cannot be read: ")


def test_named_archives_are_checked_too_and_lists_of_quotes_are_not(tmp_path: Path) -> None:
    for name in ("articles", "press"):
        with EmbeddedStore(tmp_path / "named" / name) as store:
            store.publish(store.begin(encoder="e", tokenizer="t").name)
    (tmp_path / "named" / "own").mkdir()
    (tmp_path / "named" / "own" / "quotes.npz").write_bytes(b"")
    shutil.rmtree(tmp_path / "named" / "articles" / "generations")
    checks = {text.partition(":")[0]: fine for fine, text in run_checks(Settings(tmp_path))}
    named = {what: fine for what, fine in checks.items() if what.startswith("archive")}
    assert named == {"archive": True, "archive articles": False, "archive press": True}


def of_engine(settings: Settings) -> tuple[bool, str]:
    [found] = [(fine, text) for fine, text in run_checks(settings) if text.startswith("engine: ")]
    return found


def test_the_engine_is_run(tmp_path: Path) -> None:
    well = of_engine(Settings(tmp_path, engine="openvino", precision="float32"))
    assert well == (True, "engine: openvino computes on cpu in float32")


def test_an_engine_without_such_a_precision_is_not_well(tmp_path: Path) -> None:
    fine, text = of_engine(Settings(tmp_path, engine="onnxruntime", precision="bfloat16"))
    assert not fine
    assert "float32" in text


@pytest.mark.parametrize(
    ("there", "message"),
    [({"faiss-gpu-cu12"}, "faiss-gpu-cu12 1"), ({"faiss-cpu", "faiss-gpu-cu12"}, "faiss-cpu 1")],
)
def test_faiss_for_gpus_takes_the_place_of_the_other(monkeypatch, there: set[str], message: str) -> None:
    doctor = import_module("rostrum.cli.doctor")  # the package has the command under this name
    monkeypatch.setattr(doctor, "distributions", lambda name: [name] if name in there else [])
    monkeypatch.setattr(doctor, "version", lambda name: "1")
    assert check_package("faiss-cpu") == (True, message)


def test_a_package_that_is_not_there_is_told_by_its_own_name() -> None:
    assert check_package("no-such-package") == (False, "no-such-package: No module named 'no_such_package'")


def of_workers(redis_url: str, folder: Path) -> tuple[bool, str]:
    settings = Settings(folder, redis_url=redis_url)
    found = {text.partition(":")[0]: (fine, text) for fine, text in run_checks(settings)}
    assert "engine" not in found  # this machine need have none
    return found["workers"]


def test_a_worker_reads_a_draft_where_there_is_a_redis(redis_server: RedisServer, tmp_path: Path) -> None:
    url = redis_server.take_unused()
    fine, message = of_workers(url, tmp_path)
    assert not fine
    assert "no worker takes from the queue" in message
    worker = WorkerProcess(url, tmp_path / "log", settings=QUICK).wait_ready()
    try:
        assert of_workers(url, tmp_path)[0]
    finally:
        worker.stop()
