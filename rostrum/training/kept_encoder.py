"""The encoder of models that are there, kept while a ranker is trained: an archive's vectors stay valid."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from reranker.files import GRAPHS
from reranker.weights import Manifest, read_words, sha256
from reranker.wordpieces import WordPieces
from rostrum.core.errors import BadInput
from rostrum.training.encoder import Encoder
from rostrum.training.loop import writing


def check(kept: Manifest, base: Path, layers: int) -> None:
    """Holds the encoder against what a ranker is to begin with.

    Raises:
        BadInput: the models were made of another base, or their encoder has not so many layers.
    """
    if kept.told.get("base", {}).get("sha256") != sha256(base / "model.safetensors"):
        raise BadInput(f"the encoder of {kept.name} was made of another base: name that one", field="base")
    if (found := _layers(kept)) != layers:
        raise BadInput(f"the encoder of {kept.name} has {found} layers, not {layers}: set [encoder] layers")


def lay(kept: Manifest, base: Path, run: Path) -> None:
    """Leaves the encoder in the folder of a training, as if it had been trained there.

    Models keep fp16 tensors; what a ranker begins with is these, widened.
    """
    done = run / "encoder-pairs.safetensors"
    if done.exists():
        return
    body_start = WordPieces(base / "tokenizer.json").body_start
    encoder = Encoder(base, _layers(kept), body_start)
    row = read_words(kept).lookup(np.array(body_start, np.int32))
    encoder.load_state_dict({**_weights(kept), "body_start": torch.from_numpy(row)})
    part = done.with_suffix(".new")
    with writing(done):
        save_file(encoder.state_dict(), part)
    part.replace(done)


def _weights(kept: Manifest) -> dict[str, torch.Tensor]:
    return {name: value.float() for name, value in load_file(kept.folder / GRAPHS["encoder"]).items()}


def _layers(kept: Manifest) -> int:
    names = load_file(kept.folder / GRAPHS["encoder"])
    return len({name.split(".")[2] for name in names if name.startswith("trunk.layers.")})
