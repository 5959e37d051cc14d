"""Export a trained encoder and ranker as a folder for the product: ONNX graphs, weights, word embeddings,
tokenizer.

The graphs contain no weights. The weights are fp16 tensors in safetensors files, which the graphs read as
external data, so that the ranker's two graphs share one file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import torch
from onnx import helper
from safetensors.numpy import save_file
from torch import Tensor, nn

from reranker.models.files import FILES, FUSION, GRAPHS, MANIFEST, TOKENIZER, WORDS
from reranker.models.weights import Manifest, hash_file
from reranker.models.wordpieces import WordPieces
from reranker.pytorch.graphs import EncoderGraph, ParagraphGraph, PrefixGraph
from reranker.signals import FIRST_STAGE, MERGED
from training.encoder import Encoder, make_word_table
from training.kept_encoder import copy_files
from training.loop import read_tensors, report_write_errors
from training.ranker import Ranker

OPSET = 20
UNFITTED = {
    "candidates": {signal.name: float(signal.scale != "log") for signal in FIRST_STAGE},
    "within": {signal.name: float(signal.scale != "log") for signal in FIRST_STAGE},
    "paragraph": dict.fromkeys(MERGED, 0.0),
    "model": 1.0,
    "alpha": 0.0,
    "beta": 1.0,
}


def export(
    base: Path, run: Path, out: Path, encoder_layers: int, ranker_layers: int, kept: Manifest | None = None
) -> None:
    """Write ONNX graphs, fp16 weights, word embeddings and tokenizer of an encoder and a ranker to `out`.

    The weights of the fusion (the weighted sum that ranks paragraphs) are only placeholders; they are fitted
    later. If `kept` is the manifest of other models, the files of their encoder are copied byte for byte.

    Raises:
        ModelError: if a checkpoint or a file of the kept models cannot be read, or if a file cannot be
            written.
    """
    out.mkdir(parents=True, exist_ok=True)
    pieces = WordPieces(base / "tokenizer.json")
    encoder = Encoder(base, encoder_layers, pieces.body_start)
    encoder.load_state_dict(read_tensors(run / "encoder-pairs.safetensors"))
    ranker = Ranker(encoder, ranker_layers, 0.0)
    ranker.load_state_dict(read_tensors(run / "ranker-pairs.safetensors"))
    _write_words(encoder, out / WORDS)
    _write_tokenizer(base / TOKENIZER, out / TOKENIZER)
    _write_weights(EncoderGraph(encoder.trunk), out / "encoder.safetensors")
    _write_weights(ranker, out / "ranker.safetensors")
    _write_graphs(encoder.eval(), ranker.eval(), out)
    if kept is not None:
        copy_files(kept, out)
    (out / FUSION).write_text(json.dumps(UNFITTED, indent=2) + "\n", "utf-8")
    manifest = {"name": "unfitted", "files": {file: hash_file(out / file) for file in FILES}}
    (out / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", "utf-8")


def _write_words(encoder: Encoder, path: Path) -> None:
    small = make_word_table(encoder)
    with report_write_errors(path):
        save_file({"rows": small.rows, "scales": small.scales}, path)


def _write_tokenizer(source: Path, path: Path) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(source))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.save(str(path))


def _write_weights(module: nn.Module, path: Path) -> None:
    state = module.state_dict().items()
    with report_write_errors(path):
        save_file({name: value.numpy().astype(np.float16) for name, value in state}, path)


def _write_graphs(encoder: Encoder, ranker: Ranker, out: Path) -> None:
    width, heads = encoder.trunk.shape.width, encoder.trunk.shape.heads
    words, mask = torch.randn(3, 7, width), torch.ones(3, 7, dtype=torch.bool)
    shape = (len(ranker.trunk.layers), heads, 5, width // heads)
    draft = torch.randn(1, width)
    paragraph = ParagraphGraph(ranker.trunk)
    paragraph.load_state_dict(ranker.state_dict())
    keys, values = (
        torch.randn(shape),
        torch.randn(shape),
    )  # two: the exporter would treat one as the only input
    free = torch.export.Dim.DYNAMIC
    by_batch, by_prefix = {0: free, 1: free}, {2: free}
    graphs: dict[str, tuple[nn.Module, tuple[Tensor, ...], list[str], list[str], tuple[Any, ...]]] = {
        "encoder": (EncoderGraph(encoder.trunk), (words, mask), ["words", "mask"], ["vectors"],
                    (by_batch, by_batch)),
        "prefix": (PrefixGraph(ranker.trunk), (words[:1],), ["words"], ["keys", "values", "draft"],
                   ({1: free},)),
        "paragraph": (paragraph, (words, mask, keys, values, draft),
                      ["words", "mask", "keys", "values", "draft"], ["scores", "edges"],
                      (by_batch, by_batch, by_prefix, by_prefix, None)),
    }  # fmt: skip
    for name, (module, inputs, named, outputs, dynamic) in graphs.items():
        program = torch.onnx.export(
            module.eval(), inputs, dynamo=True, opset_version=OPSET, input_names=named,
            output_names=outputs, dynamic_shapes=dynamic, optimize=False, verbose=False,
        )  # fmt: skip
        onnx.save(_strip_weights(program.model_proto, out / GRAPHS[name].weights), out / f"{name}.onnx")


def _strip_weights(model: onnx.ModelProto, weights: Path) -> onnx.ModelProto:
    """Change a graph so that it reads its learned tensors from the file `weights`, and return the graph.

    The file has the tensors as fp16; the graph converts them to float32.
    """
    clear_notes(model)
    places, casts = read_places(weights), []
    for tensor in model.graph.initializer:
        if tensor.name in places:
            casts.append(widen(tensor.name))
            place_outside(tensor, weights.name, *places[tensor.name])
    nodes = [*casts, *model.graph.node]
    model.graph.ClearField("node")
    model.graph.node.extend(nodes)
    return model


def clear_notes(model: onnx.ModelProto) -> None:
    """Remove the exporter's notes from a graph, such as source lines with paths of this machine."""
    graph = model.graph
    model.ClearField("metadata_props")
    graph.ClearField("metadata_props")
    for part in (*graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        part.ClearField("metadata_props")
        part.ClearField("doc_string")


def widen(name: str) -> onnx.NodeProto:
    """Return a graph node that converts the fp16 tensor `<name>.fp16` to the float32 tensor `name`."""
    return helper.make_node("Cast", [f"{name}.fp16"], [name], to=onnx.TensorProto.FLOAT)


def place_outside(
    tensor: onnx.TensorProto, location: str, offset: int, length: int, *, half: bool = True
) -> None:
    """Change a tensor of a graph so that its data are read from the file `location`, as `length` bytes from
    `offset`.

    If `half` is true, the data in the file are fp16, and the tensor's name gets the suffix `.fp16`.
    """
    tensor.ClearField("raw_data")
    tensor.ClearField("float_data")
    del tensor.external_data[:]
    if half:
        tensor.name += ".fp16"
        tensor.data_type = onnx.TensorProto.FLOAT16
    tensor.data_location = onnx.TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", str(offset)), ("length", str(length))):
        tensor.external_data.add(key=key, value=value)


def read_places(weights: Path) -> dict[str, tuple[int, int]]:
    """Return the position of each tensor in a safetensors file: offset and length in bytes.

    Source: the description of the format. A file has 8 bytes with the length of the header, a JSON header,
    and the data. `data_offsets` in the header count from the end of the header.
    """
    with weights.open("rb") as opened:
        size = int.from_bytes(opened.read(8), "little")
        header = json.loads(opened.read(size))
    header.pop("__metadata__", None)
    ranges = {name: row["data_offsets"] for name, row in header.items()}
    return {name: (8 + size + start, stop - start) for name, (start, stop) in ranges.items()}
