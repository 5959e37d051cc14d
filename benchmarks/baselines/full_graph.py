"""Run full attention with the product's `Ranker`, as an ONNX graph or a torch module.

Windows, batches and the rule of spans are the same. So a comparison with the product's query prefix
compares only the attention.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import load_file, save_file
from torch import Tensor, nn

from benchmarks.baselines.full_attention import FullAttention, compute_hidden_states
from reranker.models.engines import Engine
from reranker.models.onnx_session import Array, Graph
from reranker.models.ranker import Ranker
from reranker.models.word_table import WordTable
from reranker.models.wordpieces import WordPieces
from reranker.pytorch.trunk import build_bias
from rostrum_core.whole_files import replace_file
from training.encoder import make_word_table

OPSET = 20
GRAPH, WORDS = "full.onnx", "words.safetensors"
INPUTS = ["words", "mask", "query"]
NOTHING = np.zeros(0, np.float32)


class FullGraph(nn.Module):
    """Map words (b, n, width), mask (b, n), query (1, q, width) to scores (b,), edges (b, n, 2)."""

    def __init__(self, model: FullAttention) -> None:
        super().__init__()
        self.trunk, self.score, self.edges = model.encoder.trunk, model.score, model.edges

    def forward(self, words: Tensor, mask: Tensor, query: Tensor) -> tuple[Tensor, Tensor]:
        """Replace the paragraph's own [CLS] by the draft; its edges are those of the draft's [SEP]."""
        b, q = words.shape[0], query.shape[1]
        packed = torch.cat([query.expand(b, -1, -1), words[:, 1:]], 1)
        kinds = torch.cat([torch.zeros_like(query[0, :, 0]), torch.ones_like(words[0, 1:, 0])]).long()
        real = torch.cat([torch.ones_like(query[..., 0], dtype=torch.bool).expand(b, -1), mask[:, 1:]], 1)
        hidden = compute_hidden_states(self.trunk, packed, kinds[None], build_bias(real))
        return self.score(hidden[:, 0])[:, 0], self.edges(hidden)[:, q - 1 :]


def export(model: FullAttention, folder: Path) -> None:
    """Write the graph with its weights in float32, and the word table, to `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    width, free = model.encoder.trunk.shape.width, torch.export.Dim.DYNAMIC
    inputs = (torch.randn(3, 7, width), torch.ones(3, 7, dtype=torch.bool), torch.randn(1, 5, width))
    torch.onnx.export(
        FullGraph(model).eval(), inputs, folder / GRAPH, dynamo=True, opset_version=OPSET,
        input_names=INPUTS, output_names=["scores", "edges"],
        dynamic_shapes=({0: free, 1: free}, {0: free, 1: free}, {1: free}), optimize=False, verbose=False,
        external_data=False,
    )  # fmt: skip
    small = make_word_table(model.encoder)
    with replace_file(folder / WORDS) as part:
        save_file({"rows": small.rows, "scales": small.scales}, part)


def load(folder: Path, pieces: WordPieces, engine: Engine) -> Ranker:
    """Load the exported model as a `Ranker`."""
    return _make_ranker(
        engine.load(folder / GRAPH, INPUTS), WordTable(**load_file(folder / WORDS)), pieces, engine
    )


def wrap_module(model: FullAttention, pieces: WordPieces, engine: Engine) -> Ranker:
    """Wrap the model as a `Ranker` on the engine's device, in float32.

    Raises:
        ModelError: if the device is missing.
    """
    engine.check()
    module = FullGraph(model).eval().to(engine.device)

    def run_graph(inputs: Mapping[str, Array]) -> list[Array]:
        with torch.inference_mode():
            tensors = {name: torch.from_numpy(value).to(engine.device) for name, value in inputs.items()}
            return [output.cpu().numpy() for output in module(**tensors)]

    return _make_ranker(run_graph, make_word_table(model.encoder), pieces, engine)


def _make_ranker(graph: Graph, words: WordTable, pieces: WordPieces, engine: Engine) -> Ranker:
    """Wrap the graph as a `Ranker`.

    In place of the keys of a prefix, pass the draft's word embeddings, which are packed with each
    paragraph. Spans are the paper's: the length of quotes plays no part.
    """

    def pass_words(inputs: Mapping[str, Array]) -> list[Array]:
        return [inputs["words"], NOTHING, NOTHING]

    def run_paragraph(inputs: Mapping[str, Array]) -> list[Array]:
        return graph({"words": inputs["words"], "mask": inputs["mask"], "query": inputs["keys"]})

    return Ranker(pass_words, run_paragraph, words, pieces, engine.rank_tokens, length_weight=0.0)
