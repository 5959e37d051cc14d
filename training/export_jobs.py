"""Add the trained model of a job, such as `famous`, to a folder of models: adapters in int8, graphs, and an
entry in the manifest.

    python -m training.export_jobs famous --trained runs/famous --models models

`--trained` is the folder of a training: `famous.safetensors` and `famous.json`. The graphs contain no
weights: they read the layers of the folder's encoder or ranker, and add the products of the low-rank adapters
when they are loaded.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper
from safetensors.numpy import load_file, save_file
from torch import Tensor, nn

from reranker.models.adapters import DOWN, SCALE, UP
from reranker.models.files import GRAPHS, MANIFEST, PARTS
from reranker.models.weights import hash_file
from reranker.pytorch.engine import read_module
from rostrum_core.errors import BadInput
from rostrum_core.whole_files import write_json
from training.adapter_files import quantise_factors
from training.export import OPSET, clear_notes, place_outside, read_places, widen
from training.loop import report_write_errors

JOBS = ("famous", "evidence", "quotes", "early", "evidence_early")
KEPT_FIGURES = (
    "n",
    "mrr",
    "ndcg@5",
    "r@1",
    "r@10",
    "r@100",
    "pairwise",
    "p@1",
    "macro-f1",
    "accuracy",
    "auc",
    "best",
    "best 5",
)


def export_job(job: str, trained: Path, models: Path) -> None:
    """Write the files of a job's trained model into the folder `models`, and add them to its manifest.

    Raises:
        BadInput: if `trained` is not the folder of a finished training.
        ModelError: if a file cannot be written, or `models` lacks the weights that the training started from.
    """
    try:
        tensors = load_file(trained / f"{job}.safetensors")
        report = json.loads((trained / f"{job}.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"{trained} is not the folder of a finished training of {job}: {error}") from error
    part = PARTS[job]
    adapter = f"{job}.safetensors"
    graphs = [graph for graph in part.graphs if adapter in GRAPHS[graph].files]
    with report_write_errors(models / adapter):
        save_file(quantise_factors(tensors), models / adapter)
    for graph in graphs:
        onnx.save(build_graph(graph, models), models / f"{graph}.onnx")
    manifest = json.loads((models / MANIFEST).read_text("utf-8"))
    files = {file: hash_file(models / file) for file in part.files}
    own = {adapter, *(f"{graph}.onnx" for graph in graphs)}
    row = {"recipe": report["recipe"], "base": {file: files[file] for file in files if file not in own}}
    jobs = {**manifest.get("jobs", {}), job: {**row, "figures": keep_figures(report["trained"])}}
    write_json(models / MANIFEST, {**manifest, "jobs": jobs, "files": {**manifest["files"], **files}})


def keep_figures(figures: dict[str, Any]) -> dict[str, Any]:
    """Select the figures of a training's report for the manifest: those named in `KEPT_FIGURES`.

    >>> keep_figures({"dev": {"n": 2, "mrr": 0.5, "ranks": [1, 2]}, "dev ranks": [1, 2]})
    {'dev': {'n': 2, 'mrr': 0.5}}
    """
    rows = {name: row for name, row in figures.items() if isinstance(row, dict)}
    return {name: {key: row[key] for key in KEPT_FIGURES if key in row} for name, row in rows.items()}


def build_graph(name: str, models: Path) -> onnx.ModelProto:
    """Build the ONNX graph `name` of a job's model, which reads its weights from the files in `models`."""
    module, graph = read_module(models / f"{name}.onnx").eval(), GRAPHS[name]
    inputs, outputs, dynamic = make_example(name, module)
    program = torch.onnx.export(
        module, inputs, dynamo=True, opset_version=OPSET, input_names=list(graph.inputs),
        output_names=outputs, dynamic_shapes=dynamic, optimize=False, verbose=False,
    )  # fmt: skip
    model = program.model_proto
    clear_notes(model)
    remove_unused(model.graph)
    files = {file: read_places(models / file) for file in graph.files}
    nodes: list[onnx.NodeProto] = []
    added: list[onnx.TensorProto] = []
    for tensor in model.graph.initializer:
        file = next(
            (name_of_file for name_of_file in reversed(graph.files) if tensor.name in files[name_of_file]),
            None,
        )
        if file is None:
            continue  # a constant of the graph
        own, shape = tensor.name, list(tensor.dims)
        matrix = f"{graph.prefix}.{own.removeprefix('trunk.')}"
        if graph.adapter is not None and f"{matrix}.{UP}" in files[graph.adapter]:
            nodes += add_product(own, matrix, shape, graph.adapter, files[graph.adapter], added)
        else:
            nodes.append(widen(own))
        place_outside(tensor, file, *files[file][own])
    model.graph.initializer.extend(added)
    nodes += model.graph.node
    model.graph.ClearField("node")
    model.graph.node.extend(nodes)
    return model


def remove_unused(graph: onnx.GraphProto) -> None:
    """Remove the tensors of a graph that none of its nodes reads.

    A graph with some of a model's layers is exported with the tensors of all layers.
    """
    used = {name for node in graph.node for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in used]
    graph.ClearField("initializer")
    graph.initializer.extend(kept)


Places = dict[str, tuple[int, int]]


def add_product(
    own: str, matrix: str, shape: Sequence[int], file: str, places: Places, added: list[onnx.TensorProto]
) -> list[onnx.NodeProto]:
    """Return graph nodes that compute an adapted matrix: its fp16 base plus (up * scale) @ down.

    `own` is the name of the matrix in the graph, `matrix` its name in `file`, which has the factors. The
    tensors `up`, `scale` and `down` are appended to `added`.
    """
    rank = places[f"{matrix}.{SCALE}"][1] // np.dtype(np.float32).itemsize
    out, into = shape
    dims = {UP: (out, rank), DOWN: (rank, into), SCALE: (rank,)}
    kinds = {UP: TensorProto.INT8, DOWN: TensorProto.INT8, SCALE: TensorProto.FLOAT}
    for name, size in dims.items():
        tensor = TensorProto(name=f"{own}.{name}", data_type=kinds[name], dims=size)
        place_outside(tensor, file, *places[f"{matrix}.{name}"], half=False)
        added.append(tensor)
    return [
        helper.make_node("Cast", [f"{own}.fp16"], [f"{own}.base"], to=TensorProto.FLOAT),
        helper.make_node("Cast", [f"{own}.{UP}"], [f"{own}.{UP}.wide"], to=TensorProto.FLOAT),
        helper.make_node("Cast", [f"{own}.{DOWN}"], [f"{own}.{DOWN}.wide"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{own}.{UP}.wide", f"{own}.{SCALE}"], [f"{own}.{UP}.scaled"]),
        helper.make_node("MatMul", [f"{own}.{UP}.scaled", f"{own}.{DOWN}.wide"], [f"{own}.change"]),
        helper.make_node("Add", [f"{own}.base", f"{own}.change"], [own]),
    ]


def make_example(name: str, module: nn.Module) -> tuple[tuple[Tensor, ...], list[str], tuple[Any, ...]]:
    """Return example inputs to export the graph `name`, the names of its outputs, and its dynamic sizes."""
    free = torch.export.Dim.DYNAMIC
    batch = {0: free, 1: free}
    if name == "quote_pair":
        width = module.judge[0].in_features // 4  # type: ignore[union-attr, index]
        return (torch.randn(3, width), torch.randn(3, width)), ["odds"], ({0: free}, {0: free})
    shape = module.trunk.shape  # type: ignore[union-attr]
    words, mask = torch.randn(3, 7, shape.width), torch.ones(3, 7, dtype=torch.bool)
    if name == "evidence_prefix":
        return (words[:1],), ["keys", "values", "draft"], ({1: free},)
    if name == "famous_context":
        return (words, mask, torch.tensor([1, 2, 3])), ["vectors"], (batch, batch, {0: free})
    kept = (shape.layers, shape.heads, 5, shape.width // shape.heads)
    by_prefix = {2: free}
    if name in ("paragraph_lower", "paragraph_upper"):
        prefix = torch.randn(kept), torch.randn(kept), torch.randn(1, shape.width)
        outputs = ["hidden", "scores"] if name == "paragraph_lower" else ["scores", "edges"]
        return (words, mask, *prefix), outputs, (batch, batch, by_prefix, by_prefix, None)
    if name in ("evidence_sentences", "evidence_lower", "evidence_upper"):
        sentences = torch.zeros(3, 2, 7)
        sentences[:, 0, 1:3], sentences[:, 1, 3:5] = 1, 1
        inputs = (words, mask, sentences, torch.randn(kept), torch.randn(kept), torch.randn(1, shape.width))
        by_sentence = {0: free, 1: free, 2: free}
        outputs = ["hidden", "scores"] if name == "evidence_lower" else ["scores", "stances"]
        return inputs, outputs, (batch, batch, by_sentence, by_prefix, by_prefix, None)
    return (words, mask), ["vectors"], (batch, batch)


def main() -> None:
    """Read the command line and export."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("job", choices=JOBS)
    parser.add_argument("--trained", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True)
    options = parser.parse_args()
    export_job(options.job, options.trained, options.models)


if __name__ == "__main__":
    main()
