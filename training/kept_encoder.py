"""Reuse the encoder of existing models while a new ranker is trained, so that an archive's vectors stay
valid.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from reranker.models.files import GRAPHS, PARTS, TOKENIZER
from reranker.models.weights import Manifest, hash_file, read_words
from reranker.models.wordpieces import WordPieces
from rostrum_core.errors import BadInput, ModelError
from training.encoder import Encoder
from training.loop import read_tensors, report_write_errors


def check_fits(kept: Manifest, base: Path, layers: int) -> None:
    """Check that an existing encoder can be reused: trained from the base model `base`, with `layers` layers.

    `kept` is the manifest of the models with that encoder.

    Raises:
        BadInput: if the encoder was trained from another base, or has another number of layers.
        ModelError: if the weights of the encoder cannot be read.
    """
    trained_from = kept.content.get("base")
    made_of = (
        (trained_from.get("sha256"), trained_from.get("tokenizer"))
        if isinstance(trained_from, dict)
        else None
    )
    if made_of != (hash_file(base / "model.safetensors"), hash_file(base / TOKENIZER)):
        raise BadInput(f"the encoder of {kept.name} was made of another base: name that one", field="base")
    if (available := _count_layers(kept)) != layers:
        raise BadInput(
            f"the encoder of {kept.name} has {available} layers, the recipe's {layers}: set [encoder] layers",
            field="recipe",
        )


def write_checkpoint(kept: Manifest, base: Path, run: Path) -> None:
    """Write the weights of the reused encoder to the folder `run`, as a training writes those of a new one.

    The training of the ranker starts from these weights. The stored fp16 tensors are converted to float32.

    Raises:
        ModelError: if the weights cannot be read, or do not fit the base.
    """
    body_start = WordPieces(base / TOKENIZER).body_start
    encoder = Encoder(base, _count_layers(kept), body_start)
    row = read_words(kept).lookup(np.array(body_start, np.int32))
    weights = {name: value.float() for name, value in read_tensors(_locate_weights(kept)).items()}
    try:
        encoder.load_state_dict({**weights, "body_start": torch.from_numpy(row)})
    except RuntimeError as error:
        raise ModelError(f"the encoder of {kept.name} does not fit the base: {error}") from error
    part = run / "encoder-pairs.new"
    with report_write_errors(part):
        save_file(encoder.state_dict(), part)
    part.replace(run / "encoder-pairs.safetensors")


def copy_files(kept: Manifest, out: Path) -> None:
    """Copy the files of the reused encoder and its tokenizer to the folder `out`, byte for byte.

    Raises:
        ModelError: if a file cannot be copied, or no longer matches the manifest `kept`.
    """
    for file in (*PARTS["encoder"].files, TOKENIZER):
        try:
            shutil.copyfile(kept.folder / file, out / file)
        except OSError as error:
            raise ModelError(f"{kept.folder / file} cannot be copied: {error}") from error
        if hash_file(out / file) != kept.files[file]:
            raise ModelError(f"{kept.folder / file} was changed while a ranker was trained upon it")


def _locate_weights(kept: Manifest) -> Path:
    return kept.folder / GRAPHS["encoder"].weights


def _count_layers(kept: Manifest) -> int:
    try:
        with safe_open(_locate_weights(kept), "np") as opened:
            names = list(opened.keys())
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{_locate_weights(kept)} cannot be read: {error}") from error
    return len({name.split(".")[2] for name in names if name.startswith("trunk.layers.")})
