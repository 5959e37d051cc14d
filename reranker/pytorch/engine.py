"""Load a graph of the models as a torch module with the shipped weights."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file as load_numpy
from safetensors.torch import load_file
from torch import Tensor, nn

from reranker.models.adapters import expand_factors
from reranker.models.files import GRAPHS
from reranker.models.onnx_session import Array, Graph, open_session
from reranker.pytorch.device import report_lost_device
from reranker.pytorch.graphs import (
    PAIR_FEATURES,
    ContextGraph,
    EarlyHead,
    EncoderGraph,
    EvidenceGraph,
    EvidenceLowerGraph,
    EvidenceUpperGraph,
    LowerGraph,
    PairGraph,
    ParagraphGraph,
    PrefixGraph,
    UpperGraph,
)
from reranker.pytorch.trunk import Shape, Trunk
from rostrum_core.errors import ModelError

MODULES: dict[str, type[nn.Module]] = {
    "encoder": EncoderGraph,
    "prefix": PrefixGraph,
    "paragraph": ParagraphGraph,
    "paragraph_lower": LowerGraph,
    "paragraph_upper": UpperGraph,
    "famous_context": ContextGraph,
    "famous_quote": EncoderGraph,
    "evidence_prefix": PrefixGraph,
    "evidence_sentences": EvidenceGraph,
    "evidence_lower": EvidenceLowerGraph,
    "evidence_upper": EvidenceUpperGraph,
    "quote": EncoderGraph,
    "quote_pair": PairGraph,
}

SPLIT = (LowerGraph, UpperGraph, EvidenceLowerGraph, EvidenceUpperGraph)

PREFIXES = frozenset({"prefix", "evidence_prefix"})
"""Graphs whose outputs are inputs of another graph only, so that they stay on the device."""


def load(path: Path, device: str, precision: str, threads: int) -> tuple[Graph, set[str]]:
    """Return a function that runs a graph of the models with torch, and the names of the graph's inputs.

    `path` is the ONNX file of the graph. Only the name of this file is used, to choose the torch module; the
    weights come from the files next to it. `threads` applies to the whole process; 0 leaves the number
    unchanged. The function takes arrays, or tensors on the device. It returns arrays, except for the graphs
    in `PREFIXES`, for which it returns tensors.

    Raises:
        ModelError: the file is not a graph of the models.
    """
    if path.stem not in MODULES:
        raise ModelError(f"torch computes {', '.join(MODULES)}, not {path.stem}")
    if threads:
        torch.set_num_threads(threads)
    module = read_module(path).eval().to(device)
    if hasattr(module, "trunk"):
        module.trunk.to(getattr(torch, precision))

    def run(inputs: Mapping[str, Array]) -> list[Array]:
        # A training that calls its teacher computes in mixed precision; the models keep their own.
        own_precision = torch.autocast(device, enabled=False)
        with torch.inference_mode(), own_precision, report_lost_device():
            tensors = {name: torch.as_tensor(array).to(device) for name, array in inputs.items()}
            outputs = module(**tensors)
            return list(outputs) if path.stem in PREFIXES else fetch_arrays(outputs)

    return run, set(inspect.signature(module.forward).parameters)


def fetch_arrays(outputs: Sequence[Tensor]) -> list[Array]:
    """Copy the outputs of a module from their device, as float32 arrays.

    All outputs are copied in one transfer, because every transfer waits for the device.
    """
    flat = torch.cat([output.float().flatten() for output in outputs]).cpu().numpy()
    parts = np.split(flat, np.cumsum([output.numel() for output in outputs])[:-1])
    return [part.reshape(output.shape) for part, output in zip(parts, outputs, strict=True)]


def read_module(path: Path) -> nn.Module:
    """Return the torch module of the graph at `path` with the shipped weights, widened to float32."""
    graph, kind = GRAPHS[path.stem], MODULES[path.stem]
    state = {name: value.float() for name, value in load_file(path.with_name(graph.weights)).items()}
    tensors: dict[str, Array] = {}
    for file in graph.files[1:]:
        tensors |= load_numpy(path.with_name(file))
    if kind is PairGraph:
        module: nn.Module = PairGraph(state["judge.0.weight"].shape[1] // PAIR_FEATURES)
    else:
        trunk = Trunk(_read_shape(state, _read_heads(path.with_name("paragraph.onnx"))))
        module = kind(trunk, *_read_early(kind, tensors))
    if graph.adapter is not None:
        for name, change in expand_factors(tensors, graph.prefix).items():
            state[f"trunk.{name}"] += torch.from_numpy(change)
        state |= {
            name: torch.from_numpy(tensors[name]).float() for name in module.state_dict() if name in tensors
        }
    module.load_state_dict({name: state[name] for name in module.state_dict()})
    return module


def _read_early(kind: type[nn.Module], tensors: Mapping[str, Array]) -> tuple[int | EarlyHead, ...]:
    """Return the arguments of the constructor of `kind` that come after `trunk`.

    If `kind` runs only the upper layers, the argument is the number of lower layers. If it runs only the
    lower layers, the early head is a second argument. If it runs all layers, there is no argument.
    """
    if kind not in SPLIT:
        return ()
    layers = int(tensors["early.layers"].item())
    if issubclass(kind, (UpperGraph, EvidenceUpperGraph)):
        return (layers,)
    size, width = tensors["early.paragraph.weight"].shape
    return layers, EarlyHead(width, size, len(tensors["early.inner.bias"]))


def _read_shape(state: Mapping[str, Tensor], heads: int) -> Shape:
    positions, width = state["trunk.positions.weight"].shape
    inner = len(state["trunk.layers.0.grow.bias"])
    layers = sum(name.endswith(".grow.bias") for name in state)
    return Shape(layers, width, heads, inner, positions)


def _read_heads(paragraph: Path) -> int:
    """Read the number of attention heads from the ONNX file `paragraph`; encoder and ranker have the same.

    It is a dimension of the file's input `keys`, whose shape is (layers, heads, p, width / heads).
    """
    inputs = open_session(paragraph, threads=1).get_inputs()
    return int(next(node.shape[1] for node in inputs if node.name == "keys"))
