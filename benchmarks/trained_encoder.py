"""Writes the encoder of a folder of models as the checkpoint that a training of its ranker starts from.

    python -m benchmarks.trained_encoder --base BASE --out RUN/encoder-pairs.safetensors

`rostrum train` takes it for a finished encoder, so that other seeds and other shapes of the ranker need not
learn it again. Models keep fp16 tensors, so that a weight is off by a two-thousandth at most.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from reranker.weights import Manifest, read_manifest, read_words
from reranker.wordpieces import WordPieces
from rostrum.training.encoder import Encoder


def checkpoint(models: Manifest, base: Path) -> dict[str, Tensor]:
    """The state of an `Encoder` over `base` that encodes as these models do; all float32.

    Raises:
        RuntimeError: the models are not of this base's shape.
    """
    learned = load_file(models.folder / "encoder.safetensors")
    layers = len({name.split(".")[2] for name in learned if name.startswith("trunk.layers.")})
    body_start = WordPieces(base / "tokenizer.json").body_start
    encoder = Encoder(base, layers, body_start)
    row = torch.from_numpy(read_words(models).lookup(np.array(body_start, np.int32)))
    encoder.load_state_dict({**{name: value.float() for name, value in learned.items()}, "body_start": row})
    state: dict[str, Tensor] = encoder.state_dict()
    return state


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--base", type=Path, required=True, help="BERT folder that the models were made of")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--out", type=Path, required=True, help="the checkpoint")
    given = parser.parse_args()
    given.out.parent.mkdir(parents=True, exist_ok=True)
    save_file(checkpoint(read_manifest(given.models), given.base), given.out)


if __name__ == "__main__":
    main()
