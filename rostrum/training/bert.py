"""Reads the BERT that a training begins with: the lowest layers of a Hugging Face folder as a trunk."""

from __future__ import annotations

import json
from pathlib import Path

from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from torch import Tensor

from reranker.pytorch.trunk import Shape, Trunk
from reranker.wordpieces import PARAGRAPH_POSITION, PARAGRAPH_TOKENS
from rostrum.core.errors import ModelError

HF_NAMES = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "mix": "attention.output.dense",
    "mix_norm": "attention.output.LayerNorm",
    "grow": "intermediate.dense",
    "shrink": "output.dense",
    "norm": "output.LayerNorm",
}

POSITIONS = PARAGRAPH_POSITION + PARAGRAPH_TOKENS + 2  # a draft, a paragraph, [CLS] and [SEP]


def load_bert(folder: Path, layers: int, dropout: float = 0.0) -> tuple[Trunk, Tensor]:
    """The lowest `layers` of a Hugging Face BERT folder, and its word embeddings (vocabulary, width).

    Raises:
        ModelError: it is no such folder, or has fewer layers, or too few positions for draft and paragraph.
    """
    if layers > (found := layers_of(folder)):
        raise ModelError(f"{folder} has {found} layers, not {layers}: ask for fewer layers")
    try:
        state = load_file(folder / "model.safetensors")
        state = {name.removeprefix("bert."): value for name, value in state.items()}
        words = state["embeddings.word_embeddings.weight"]
        shape = _shape(folder, state, layers)
        if shape.positions < POSITIONS:
            raise ModelError(f"{folder} has {shape.positions} positions, not the {POSITIONS} that are needed")
        trunk = Trunk(shape, dropout)
        trunk.load_state_dict(_named(state, layers))
    except (OSError, SafetensorError, ValueError, KeyError, RuntimeError) as error:
        raise ModelError(f"{folder} holds no BERT of {layers} layers: {error!r}") from error
    return trunk, words


def layers_of(folder: Path) -> int:
    """How many layers the BERT of a Hugging Face folder has.

    Raises:
        ModelError: it is no such folder.
    """
    try:
        with safe_open(folder / "model.safetensors", "pt") as opened:
            found = sum(name.endswith(f"{HF_NAMES['query']}.weight") for name in opened.keys())  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{folder} holds no BERT: {error!r}") from error
    if not found:
        raise ModelError(f"{folder} holds no BERT: no tensor is called ...{HF_NAMES['query']}.weight")
    return found


def _shape(folder: Path, state: dict[str, Tensor], layers: int) -> Shape:
    heads = json.loads((folder / "config.json").read_text("utf-8"))["num_attention_heads"]
    positions, width = state["embeddings.position_embeddings.weight"].shape
    inner = len(state["encoder.layer.0.intermediate.dense.bias"])
    return Shape(layers, width, heads, inner, positions)


def _named(state: dict[str, Tensor], layers: int) -> dict[str, Tensor]:
    """The tensors of a BERT under the names of `Trunk`."""
    named = {
        "positions.weight": state["embeddings.position_embeddings.weight"],
        "types.weight": state["embeddings.token_type_embeddings.weight"],
        "norm.weight": state["embeddings.LayerNorm.weight"],
        "norm.bias": state["embeddings.LayerNorm.bias"],
    }
    for i in range(layers):
        for ours, theirs in HF_NAMES.items():
            for kind in ("weight", "bias"):
                named[f"layers.{i}.{ours}.{kind}"] = state[f"encoder.layer.{i}.{theirs}.{kind}"]
    return named
