"""BERT as a plain torch module, with the query prefix: the trunk of encoder and ranker.

A paragraph's tokens attend to themselves and, in the ranker, to the query's keys and values, which are
computed once per draft because query tokens attend only to the query.

Source: "Investigating the Effects of Sparse Attention on Cross-Encoders" (ECIR 2024), query tokens masked
from the paragraph; BERT's layer as in "BERT" (NAACL 2019), post-norm, exact GELU.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional as F

from rostrum.core.errors import ModelError

KeysValues = tuple[Tensor, Tensor]


@dataclass(frozen=True)
class Shape:
    """Sizes of a trunk. `width` must be a multiple of `heads`."""

    layers: int
    width: int = 384
    heads: int = 12
    inner: int = 1536
    positions: int = 512


class Layer(nn.Module):
    """One transformer layer: (b, n, width) -> (b, n, width), with its keys and values."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.heads, self.dropout = shape.heads, dropout
        self.query = nn.Linear(shape.width, shape.width)
        self.key = nn.Linear(shape.width, shape.width)
        self.value = nn.Linear(shape.width, shape.width)
        self.mix = nn.Linear(shape.width, shape.width)
        self.mix_norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.grow = nn.Linear(shape.width, shape.inner)
        self.shrink = nn.Linear(shape.inner, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=1e-12)

    def forward(self, x: Tensor, bias: Tensor | None, prefix: KeysValues | None) -> tuple[Tensor, KeysValues]:
        """`bias` broadcasts to (b, heads, n, p + n); `prefix` is keys and values (b, heads, p, size)."""
        b, n, width = x.shape
        query, key, value = (
            project(x).view(b, n, self.heads, width // self.heads).transpose(1, 2)
            for project in (self.query, self.key, self.value)
        )
        own = (key, value)
        if prefix is not None:
            key, value = torch.cat([prefix[0], key], 2), torch.cat([prefix[1], value], 2)
        mixed = attend(query, key, value, bias)
        mixed = self.mix(mixed.transpose(1, 2).reshape(b, n, width))
        x = self.mix_norm(x + F.dropout(mixed, self.dropout, self.training))
        inner = self.shrink(F.gelu(self.grow(x)))
        return self.norm(x + F.dropout(inner, self.dropout, self.training)), own


def attend(query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None) -> Tensor:
    """Scaled dot-product attention over (b, heads, n, width / heads).

    Written out because torch's fused kernel is 1.4-2.6 times slower here, forward and backward
    together, in bf16 on a CPU (torch 2.15), and because it exports to ONNX as it stands.
    """
    scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2)
    if bias is not None:
        scores = scores + bias
    return torch.softmax(scores, -1).to(value.dtype) @ value


class Trunk(nn.Module):
    """Position and type embeddings and the layers; word embeddings are looked up outside."""

    def __init__(self, shape: Shape, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.positions = nn.Embedding(shape.positions, shape.width)
        self.types = nn.Embedding(2, shape.width)
        self.norm = nn.LayerNorm(shape.width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))

    def embed(self, words: Tensor, first_position: int, kind: int) -> Tensor:
        """Word embeddings (b, n, width) -> input of the first layer, positions from `first_position`."""
        positions = self.positions.weight[first_position : first_position + words.shape[1]]
        out: Tensor = self.norm(words + positions + self.types.weight[kind])
        return out

    def forward(
        self, x: Tensor, bias: Tensor | None, prefixes: list[KeysValues] | None = None
    ) -> tuple[Tensor, list[KeysValues]]:
        """Hidden states (b, n, width) of the last layer, and every layer's keys and values."""
        kept = []
        for i, layer in enumerate(self.layers):
            x, own = layer(x, bias, prefixes[i] if prefixes else None)
            kept.append(own)
        return x, kept


def bias_of(mask: Tensor) -> Tensor:
    """A bool mask (b, n) of real tokens -> what attention adds to its scores, (b, 1, 1, n)."""
    return torch.zeros(mask.shape, device=mask.device).masked_fill(~mask, -1e4)[:, None, None, :]


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


def load_bert(folder: Path, layers: int, dropout: float = 0.0) -> tuple[Trunk, Tensor]:
    """The lowest `layers` of a Hugging Face BERT folder, and its word embeddings (vocabulary, width).

    Raises:
        ModelError: it is no such folder, or has fewer layers.
    """
    try:
        state = load_file(folder / "model.safetensors")
        state = {name.removeprefix("bert."): value for name, value in state.items()}
        words = state["embeddings.word_embeddings.weight"]
        trunk = Trunk(_shape(folder, state, layers), dropout)
        trunk.load_state_dict(_named(state, layers))
    except (OSError, SafetensorError, ValueError, KeyError, RuntimeError) as error:
        raise ModelError(f"{folder} holds no BERT of {layers} layers: {error!r}") from error
    return trunk, words


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
