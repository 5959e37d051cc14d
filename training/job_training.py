"""Provide what the training scripts of all jobs share: command line, word embeddings, batches, progress."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file
from torch import Tensor

from reranker.models.batches import pad_batch
from reranker.models.files import WORDS
from reranker.models.word_table import WordTable
from reranker.models.wordpieces import Ids
from training.curves import Point


def make_parser(description: str | None, job: str) -> argparse.ArgumentParser:
    """Return the command-line parser of a job's training script.

    The default recipe is `<job>.toml` in this folder.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--data", type=Path, required=True, help="file that the job's data script wrote")
    parser.add_argument("--models", type=Path, required=True, help="folder of models to start from")
    parser.add_argument("--recipe", type=Path, default=Path(__file__).with_name(f"{job}.toml"))
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--steps", type=int, help="end each stage after so many steps")
    parser.add_argument("--set", nargs="*", default=[], metavar="NAME=VALUE", help="change the recipe")
    return parser


def read_words(models: Path) -> Tensor:
    """Return the word embeddings of a folder of models, float32 (words, width)."""
    tensors = load_file(models / WORDS)
    table = WordTable(tensors["rows"], tensors["scales"])
    return torch.from_numpy(table.lookup(np.arange(len(table.rows), dtype=np.int32)))


def pack_ids(cls: int, ids: Ids, sep: int) -> Ids:
    """Return the token ids of a text as `[CLS] ids [SEP]`."""
    return np.concatenate([[cls], ids, [sep]]).astype(np.int32)


def print_point(point: Point) -> None:
    """Print a point of the learning curve to standard error."""
    sys.stderr.write(f"{point.phase} {point.step}/{point.of} loss {point.loss} {point.steps_per_s}/s\n")
    sys.stderr.flush()


def pad(texts: Sequence[Ids], device: torch.device) -> tuple[Tensor, Tensor]:
    """Pad token ids with 0; return ids (texts, longest) and a mask that is false for padding, on `device`."""
    ids, mask = pad_batch(texts)
    return torch.from_numpy(ids).long().to(device), torch.from_numpy(mask).to(device)


def cut_epochs(rows: Sequence[int], epochs: int, batch: int, seed: int) -> list[list[int]]:
    """Split rows into batches for several epochs, each in a new random order; drop incomplete batches."""
    chance = random.Random(seed)
    size = min(batch, len(rows))
    batches: list[list[int]] = []
    for _ in range(epochs):
        order = list(rows)
        chance.shuffle(order)
        batches += [order[at : at + size] for at in range(0, len(order) - size + 1, size)]
    return batches
