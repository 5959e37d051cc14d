"""Versions side by side: one is in use, switched in one step, and never one that is damaged."""

import json
import shutil
from pathlib import Path

import pytest

from archive.model_registry import Registry, locate_weights
from archive.shipped_files import locate_shipped
from reranker.models.files import FILES
from reranker.models.loaded import Models
from reranker.models.weights import hash_file, read_manifest
from rostrum_core.errors import BadInput, ModelError
from rostrum_core.settings import Settings, read_settings


@pytest.fixture
def weights(tmp_path):
    """A folder with a manifest and every file that it must name, none larger than its name."""
    folder = tmp_path / "weights"
    folder.mkdir()
    for file in FILES:
        (folder / file).write_text(file)
    manifest = {"name": "made", "files": {file: hash_file(folder / file) for file in FILES}}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


@pytest.fixture
def registry(tmp_path, weights):
    """A folder of versions with `one` and `two`, the shipped one in use."""
    made = Registry(tmp_path / "versions")
    made.add(weights, "one", {})
    made.add(weights, "two", {"published": {"forced": "a test"}})
    return made


def test_a_folder_that_is_not_there_has_the_shipped_version_in_use(tmp_path):
    registry = Registry(tmp_path / "none")
    assert (registry.list_names(), registry.read_current()) == (["shipped"], "shipped")
    assert not (tmp_path / "none").exists()


def test_an_added_version_is_whole_and_not_yet_in_use(registry, weights):
    manifest = read_manifest(registry.locate("two"))
    assert (manifest.name, manifest.content["published"]) == ("two", {"forced": "a test"})
    assert manifest.files == read_manifest(weights).files
    assert registry.list_names() == ["shipped", "one", "two"]
    assert registry.read_current() == "shipped"
    assert locate_weights(Settings(models=registry.folder)) == locate_shipped("models")


def test_what_is_used_is_what_is_loaded(registry):
    registry.use("one")
    assert Models(locate_weights(Settings(models=registry.folder))).manifest.name == "one"
    registry.use("two")
    assert Models(locate_weights(Settings(models=registry.folder))).manifest.name == "two"


def test_rollback_goes_back_step_by_step_to_the_shipped_version(registry):
    for name in ("one", "two", "two"):
        registry.use(name)
    assert [registry.rollback(), registry.rollback()] == ["one", "shipped"]
    with pytest.raises(BadInput, match="no version was in use before 'shipped'"):
        registry.rollback()


def test_a_rollback_that_is_refused_leaves_no_folder(tmp_path):
    with pytest.raises(BadInput, match="no version was in use before"):
        Registry(tmp_path / "models").rollback()
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_version_is_named_with_those_there_are(registry):
    with pytest.raises(BadInput, match=r"no version 'three'; there are shipped, one, two"):
        registry.use("three")


@pytest.mark.parametrize(
    "name",
    [
        "",
        ".",
        "..",
        "../x",
        "a/b",
        "shipped",
        "é",
        "x" * 65,
        ".hidden",
        "in-use.json",
        "in-use.json.new",
        "switch.lock",
    ],
)
def test_what_is_no_name_is_refused(registry, weights, name):
    with pytest.raises(BadInput, match="name"):
        registry.add(weights, name, {})


def test_a_name_is_taken_once(registry, weights):
    with pytest.raises(BadInput, match="there is a version 'one' already"):
        registry.add(weights, "one", {})


def damaged(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("file", FILES)
def test_a_version_with_a_damaged_file_is_not_put_in_use(registry, file):
    damaged(registry.folder / "one" / file)
    with pytest.raises(ModelError, match=file):
        registry.use("one")
    assert registry.read_current() == "shipped"


def test_nor_is_it_gone_back_to(registry):
    registry.use("one")
    registry.use("two")
    (registry.folder / "one" / "fusion.json").unlink()
    with pytest.raises(ModelError, match=r"fusion\.json"):
        registry.rollback()
    assert registry.read_current() == "two"


def test_damaged_weights_are_not_added(registry, weights):
    damaged(weights / "words.safetensors")
    with pytest.raises(ModelError, match=r"words\.safetensors"):
        registry.add(weights, "three", {})
    assert "three" not in registry.list_names()


def test_what_is_published_is_what_was_compared(registry, weights):
    compared = read_manifest(weights)
    (weights / "fusion.json").write_text("other weights")
    manifest = json.loads((weights / "manifest.json").read_text())
    manifest["files"]["fusion.json"] = hash_file(weights / "fusion.json")
    (weights / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match=r"fusion\.json"):
        registry.publish(compared, "three", {}, "shipped")
    assert (registry.list_names(), registry.read_current()) == (["shipped", "one", "two"], "shipped")
    registry.publish(read_manifest(weights), "three", {}, "shipped")
    assert registry.read_current() == "three"


def test_a_comparison_with_what_is_not_in_use_any_more_publishes_nothing(registry, weights):
    registry.use("one")
    with pytest.raises(BadInput, match="'one' was put in use meanwhile"):
        registry.publish(read_manifest(weights), "three", {}, "shipped")
    assert "three" not in registry.list_names()


def test_a_copy_that_fails_leaves_nothing_behind(registry, weights, monkeypatch):
    before = sorted(registry.folder.iterdir())
    full = OSError(28, "No space left on device")
    monkeypatch.setattr(shutil, "copyfile", lambda *_: (_ for _ in ()).throw(full))
    with pytest.raises(OSError, match="No space left"):
        registry.add(weights, "three", {})
    assert sorted(registry.folder.iterdir()) == before


def test_a_version_in_use_that_is_gone_is_an_error_and_not_the_shipped_one(registry):
    registry.use("one")
    shutil.rmtree(registry.folder / "one")
    with pytest.raises(ModelError, match="no version 'one'"):
        locate_weights(Settings(models=registry.folder))


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"used": []}', '{"used": 3}', '{"used": [3]}', '{"used": ["../one"]}']
)
def test_a_damaged_switch_is_an_error_and_not_the_shipped_one(registry, content):
    (registry.folder / "in-use.json").write_text(content)
    with pytest.raises(ModelError, match=r"in-use\.json cannot be read"):
        locate_weights(Settings(models=registry.folder))


def test_a_folder_of_weights_is_used_as_it_is_and_keeps_no_versions(weights):
    assert locate_weights(Settings(models=weights)) == weights
    with pytest.raises(BadInput, match="holds weights, not versions"):
        Registry(weights)


@pytest.mark.parametrize("made", [True, False])
def test_a_folder_of_neither_is_an_error(tmp_path, made):
    folder = tmp_path / "empty"
    if made:
        folder.mkdir()
    with pytest.raises(ModelError, match="neither weights"):
        locate_weights(Settings(models=folder))


def test_versions_in_the_users_data_folder_are_used_once_there_are_some(tmp_path):
    settings = read_settings({"XDG_DATA_HOME": str(tmp_path)})
    assert locate_weights(settings) == locate_shipped("models")
    registry = Registry(tmp_path / "rostrum" / "models")
    registry.use("shipped")
    assert locate_weights(settings) == registry.locate("shipped")
    assert json.loads((tmp_path / "rostrum" / "models" / "in-use.json").read_text()) == {"used": ["shipped"]}


def test_a_data_folder_that_cannot_be_read_is_an_error_that_names_the_setting(monkeypatch):
    def unreadable(self, **_):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "stat", unreadable)
    with pytest.raises(
        BadInput, match=r"/somewhere/.* cannot be read \(Permission denied\): set ROSTRUM_MODELS"
    ):
        locate_weights(read_settings({"XDG_DATA_HOME": "/somewhere"}))
    assert read_settings({"ROSTRUM_MODELS": "m"}).models == Path("m")
