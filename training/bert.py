"""Load the lowest layers of a BERT from a Hugging Face folder, as the `Trunk` from which a training starts.

RoBERTa-like models, ELECTRA and DistilBERT have the same layers. They differ in names, positions and token
types. In layer normalisation, a trunk always adds 1e-12 to the variance, whatever the folder's config says.
RoBERTa's own 1e-5 would change the hidden states by only about 0.0001.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file
from torch import Tensor

from reranker.models.batches import round_length
from reranker.models.wordpieces import PARAGRAPH_POSITION, PARAGRAPH_TOKENS
from reranker.pytorch.trunk import Shape, Trunk
from rostrum_core.errors import ModelError

POSITIONS = PARAGRAPH_POSITION + round_length(PARAGRAPH_TOKENS + 2)  # a draft, a paragraph, [CLS] and [SEP]


@dataclass(frozen=True)
class Family:
    """Map the tensor names of a family of BERT models to those of `Trunk`.

    A tensor of BERT is, for example, "encoder.layer.0.attention.self.query.weight". `layers` is the part
    before the number: "encoder.layer.". `names` maps a name in `Trunk`, such as "query", to the part after
    the number: "attention.self.query". If the folder's model has a head, `prefix` ("bert.") precedes all
    names. `heads` and `activation` are keys in config.json. If `counted_from_padding` is true, the position
    of the first token is the id of the padding token plus 1; otherwise it is 0.
    """

    prefix: str
    layers: str
    names: Mapping[str, str]
    heads: str = "num_attention_heads"
    activation: str = "hidden_act"
    counted_from_padding: bool = False


BERT = Family(
    "bert.",
    "encoder.layer.",
    {
        "query": "attention.self.query",
        "key": "attention.self.key",
        "value": "attention.self.value",
        "mix": "attention.output.dense",
        "mix_norm": "attention.output.LayerNorm",
        "grow": "intermediate.dense",
        "shrink": "output.dense",
        "norm": "output.LayerNorm",
    },
)
ROBERTA = replace(BERT, prefix="roberta.", counted_from_padding=True)
DISTILBERT = Family(
    "distilbert.",
    "transformer.layer.",
    {
        "query": "attention.q_lin",
        "key": "attention.k_lin",
        "value": "attention.v_lin",
        "mix": "attention.out_lin",
        "mix_norm": "sa_layer_norm",
        "grow": "ffn.lin1",
        "shrink": "ffn.lin2",
        "norm": "output_layer_norm",
    },
    heads="n_heads",
    activation="activation",
)
FAMILIES = {
    "bert": BERT,
    "electra": replace(BERT, prefix="electra."),
    "roberta": ROBERTA,
    "camembert": ROBERTA,
    "xlm-roberta": ROBERTA,
    "distilbert": DISTILBERT,
}
"""Families by the `model_type` of a folder's config.json."""


def load_bert(folder: Path, layers: int, dropout: float = 0.0) -> tuple[Trunk, Tensor]:
    """Load the lowest `layers` layers of the BERT in a Hugging Face folder as a trunk; return the trunk and
    the word embeddings (vocabulary, width).

    Raises:
        ModelError: the folder has no BERT, or a BERT of a type or with settings that are not supported. Also
            if it has too few layers, or too few positions for a draft and a paragraph.
    """
    family, config = _read_config(folder)
    if layers > (available := count_layers(folder)):
        raise ModelError(f"{folder} has {available} layers, not {layers}: ask for fewer layers")
    try:
        state = load_file(folder / "model.safetensors")
        state = {_rename_tensor(name.removeprefix(family.prefix)): value for name, value in state.items()}
        words = state["embeddings.word_embeddings.weight"]
        first = config.get("pad_token_id", 1) + 1 if family.counted_from_padding else 0
        named = _rename_tensors(family, state, layers, first)
        positions, width = named["positions.weight"].shape
        if positions < POSITIONS:
            raise ModelError(f"{folder} has {positions} positions, not the {POSITIONS} that are needed")
        heads, inner = config[family.heads], len(named["layers.0.grow.bias"])
        if heads < 1 or width % heads:
            raise ModelError(f"{folder} has {heads} heads, which do not part its width of {width}")
        trunk = Trunk(Shape(layers, width, heads, inner, positions), dropout)
        trunk.load_state_dict(named)
    except (OSError, SafetensorError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise ModelError(f"{folder} holds no BERT of {layers} layers: {error!r}") from error
    return trunk, words


def count_layers(folder: Path) -> int:
    """Return the number of layers of the BERT in a Hugging Face folder.

    Raises:
        ModelError: if the folder has no BERT.
    """
    query = f"{_read_config(folder)[0].names['query']}.weight"
    try:
        with safe_open(folder / "model.safetensors", "pt") as opened:
            count = sum(name.endswith(query) for name in opened.keys())  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise ModelError(f"{folder} holds no BERT: {error!r}") from error
    if not count:
        raise ModelError(f"{folder} holds no BERT: no tensor is called ...{query}")
    return count


def _read_config(folder: Path) -> tuple[Family, dict[str, Any]]:
    """Return the `Family` of the BERT in a Hugging Face folder, and the content of its config.json.

    Raises:
        ModelError: if config.json cannot be read, or if a `Trunk` does not support the model's type or
            settings.
    """
    try:
        config: dict[str, Any] = json.loads((folder / "config.json").read_text("utf-8"))
        kind = str(config.get("model_type", "bert"))
    except (OSError, ValueError, AttributeError) as error:
        raise ModelError(f"{folder} holds no BERT: {error}") from error
    if kind not in FAMILIES:
        raise ModelError(f"{folder} holds a model of type {kind}, not one of {', '.join(FAMILIES)}")
    family = FAMILIES[kind]
    wanted = {
        family.activation: "gelu",
        "position_embedding_type": "absolute",
        "embedding_size": config.get("hidden_size"),
    }
    for name, usual in wanted.items():
        if (value := config.get(name)) not in (None, usual):
            raise ModelError(f"{folder} has {name} {value} in its config.json: only {usual} can be trained")
    return family, config


def _rename_tensor(name: str) -> str:
    """Return the current name of a tensor in a Hugging Face folder.

    Folders converted from TensorFlow have older names for layer norms: "LayerNorm.gamma" ->
    "LayerNorm.weight".
    """
    return name.replace("LayerNorm.gamma", "LayerNorm.weight").replace("LayerNorm.beta", "LayerNorm.bias")


def _rename_tensors(
    family: Family, state: dict[str, Tensor], layers: int, first_position: int
) -> dict[str, Tensor]:
    """Return the tensors of the lowest `layers` layers in a Hugging Face folder, with the names in `Trunk`.

    `first_position` is the position of a text's first token. Embeddings of earlier positions are dropped. If
    the model has only one token type, drafts and paragraphs both use it. If it has none, both use zeros.
    """
    positions = state["embeddings.position_embeddings.weight"][first_position:]
    kinds = state.get("embeddings.token_type_embeddings.weight", torch.zeros_like(positions[:1]))
    named = {
        "positions.weight": positions,
        "types.weight": kinds[:2] if len(kinds) > 1 else kinds.repeat(2, 1),
        "norm.weight": state["embeddings.LayerNorm.weight"],
        "norm.bias": state["embeddings.LayerNorm.bias"],
    }
    for i in range(layers):
        for ours, theirs in family.names.items():
            for part in ("weight", "bias"):
                named[f"layers.{i}.{ours}.{part}"] = state[f"{family.layers}{i}.{theirs}.{part}"]
    return named
