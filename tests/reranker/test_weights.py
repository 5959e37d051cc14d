"""A folder of models is what its manifest says, or a clear error."""

import json
import shutil

import pytest

from reranker.models import Models
from reranker.weights import FILES
from rostrum.core.errors import ModelError
from rostrum.service.shipped import shipped


@pytest.fixture
def folder(tmp_path):
    copy = tmp_path / "models"
    shutil.copytree(shipped("models"), copy)
    return copy


def test_the_shipped_weights_are_what_their_manifest_says():
    models = Models(shipped("models"))
    assert {len(h) for h in (models.hashes.encoder, models.hashes.ranker, models.hashes.tokenizer)} == {16}


@pytest.mark.parametrize("file", FILES)
def test_a_damaged_file_is_named(folder, file):
    path = folder / file
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(ModelError, match=f"{file} is damaged or foreign"):
        Models(folder)


@pytest.mark.parametrize("file", FILES)
def test_a_missing_file_is_named(folder, file):
    (folder / file).unlink()
    with pytest.raises(ModelError, match=file):
        Models(folder)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"name": "x", "files": 3}'])
def test_what_is_no_manifest_is_a_model_error(folder, content):
    (folder / "manifest.json").write_text(content)
    with pytest.raises(ModelError, match=r"manifest\.json"):
        Models(folder)


def test_a_truncated_file_with_a_fitting_hash_is_still_a_model_error(folder):
    from reranker.weights import sha256

    path = folder / "encoder.safetensors"
    path.write_bytes(path.read_bytes()[:1000])
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][path.name] = sha256(path)
    (folder / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(ModelError, match=r"encoder\.onnx cannot be loaded"):
        _ = Models(folder).encoder
