"""A folder of models is what its manifest says, or a clear error."""

import json
import os
import shutil

import pytest

from archive.shipped_files import locate_shipped
from reranker.models.files import EARLY, EVIDENCE_EARLY, FILES, PARTS
from reranker.models.loaded import Models
from reranker.models.weights import hash_file, read_graph
from rostrum_core.errors import ModelError


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    return shutil.copytree(locate_shipped("models"), tmp_path_factory.mktemp("copied") / "models")


@pytest.fixture
def folder(copied, tmp_path):
    """The shipped models as links to one copy: `replace_file` writes another file in place of a link."""
    return shutil.copytree(copied, tmp_path / "models", copy_function=os.link)


def replace_file(path, content):
    path.unlink()
    path.write_bytes(content)


def test_the_shipped_weights_are_what_their_manifest_says():
    models = Models(locate_shipped("models"))
    assert {
        len(h) for h in (models.hashes["encoder"], models.hashes["ranker"], models.hashes["tokenizer"])
    } == {16}


@pytest.mark.parametrize("file", FILES)
def test_a_damaged_file_is_named(folder, file):
    path = folder / file
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    replace_file(path, content)
    with pytest.raises(ModelError, match=f"{file} is damaged or foreign"):
        Models(folder)


@pytest.mark.parametrize("file", FILES)
def test_a_missing_file_is_named(folder, file):
    (folder / file).unlink()
    with pytest.raises(ModelError, match=file):
        Models(folder)


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"name": "x", "files": 3}'])
def test_invalid_manifest_is_a_model_error(folder, content):
    replace_file(folder / "manifest.json", content.encode())
    with pytest.raises(ModelError, match=r"manifest\.json"):
        Models(folder)


def republished(folder, file, content):
    """The folder with another file in place, and its hash in the manifest: only loading can tell."""
    replace_file(folder / file, content)
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["files"][file] = hash_file(folder / file)
    replace_file(folder / "manifest.json", json.dumps(manifest).encode())


def load(folder, file):
    """Load the first part of the models that reads a file."""
    models = Models(folder)
    if file == "paragraph.onnx":  # of models without an early head
        return read_graph(models.manifest, "paragraph", models.engine)
    return models.get_part(next(name for name, part in PARTS.items() if file in part.files))


@pytest.mark.parametrize("file", [*FILES, EARLY, "paragraph_lower.onnx", "paragraph_upper.onnx"])
def test_a_truncated_file_with_a_fitting_hash_is_still_a_model_error(folder, file):
    content = (folder / file).read_bytes()
    republished(folder, file, content[: len(content) // 2])
    with pytest.raises(ModelError, match=r"tokenizer|words|fusion|encoder|prefix|paragraph"):
        load(folder, file)


@pytest.mark.parametrize("file", [EVIDENCE_EARLY, "evidence_lower.onnx", "evidence_upper.onnx"])
def test_a_truncated_file_of_evidence_with_a_fitting_hash_is_a_model_error(folder, file):
    content = (folder / file).read_bytes()
    republished(folder, file, content[: len(content) // 2])
    with pytest.raises(ModelError, match="evidence"):
        Models(folder).get_part("evidence")


@pytest.mark.parametrize(
    ("file", "other"),
    [
        ("encoder.onnx", "prefix.onnx"),
        ("prefix.onnx", "paragraph.onnx"),
        ("paragraph.onnx", "encoder.onnx"),
        ("paragraph_lower.onnx", "prefix.onnx"),
        ("paragraph_upper.onnx", "paragraph_lower.onnx"),
        ("words.safetensors", "encoder.safetensors"),
        ("tokenizer.json", "fusion.json"),
        ("fusion.json", "tokenizer.json"),
    ],
)
def test_a_foreign_file_with_a_fitting_hash_is_still_a_model_error(folder, file, other):
    republished(folder, file, (folder / other).read_bytes())
    with pytest.raises(ModelError):
        load(folder, file)


@pytest.mark.parametrize("weight", ["NaN", "Infinity", "null", '"x"'])
def test_a_weight_of_the_fusion_that_is_no_number_is_a_model_error(folder, weight):
    content_read = json.loads((folder / "fusion.json").read_text())
    content = json.dumps({**content_read, "alpha": "?"}).replace('"?"', weight)
    republished(folder, "fusion.json", content.encode())
    with pytest.raises(ModelError, match="fusion weights cannot be read"):
        load(folder, "fusion.json")
