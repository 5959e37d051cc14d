"""Load the models of a folder, each part on first use."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from reranker.evidence_calibration import EvidenceCalibration, read_calibration
from reranker.fusion import FusionWeights, read_weights
from reranker.models.encoder import Encoder
from reranker.models.engines import ON_CPU, Engine
from reranker.models.evidence import Evidence
from reranker.models.famous import Famous
from reranker.models.files import CALIBRATION, EARLY_PARTS, FUSION, PARTS, TOKENIZER
from reranker.models.onnx_session import Graph
from reranker.models.prefixes import SplitGraph
from reranker.models.quotes import Quotes
from reranker.models.ranker import Ranker
from reranker.models.weights import Manifest, read_graph, read_manifest, read_words
from reranker.models.word_table import WordLookup
from reranker.models.wordpieces import WordPieces
from rostrum_core.errors import ModelError


class Models:
    """Load the models of a folder. Each part is loaded on first use.

    The manifest and the hash of every file are checked immediately. `hashes` maps the name of each part to
    its hash. On a GPU, `hashes` omits `EARLY_PARTS`, which estimate scores after a few layers to save time.
    There they would save none, because hidden states must be copied through the host's memory.

    Raises:
        ModelError: the folder does not match its manifest.
    """

    def __init__(self, folder: Path, engine: Engine = ON_CPU) -> None:
        self.manifest: Manifest = read_manifest(folder)
        self.engine = engine
        self.hashes: Mapping[str, str] = {
            name: value
            for name, value in self.manifest.hashes.items()
            if name not in EARLY_PARTS or engine.device == "cpu"
        }
        self._loaded: dict[str, Any] = {}

    def get_part(self, name: str) -> Any:
        """Return a part of the models by its name in `LOADERS`, such as "ranker"; load the part on first use.

        Raises:
            ModelError: the folder has no such part, or it cannot be loaded.
        """
        if name not in self._loaded:
            self.require_part(name)
            self._loaded[name] = LOADERS[name](self)
        return self._loaded[name]

    def require_part(self, name: str) -> None:
        """Check that the folder has a part, without loading the part.

        Raises:
            ModelError: the folder has no part of this name.
        """
        if name not in self.hashes:
            raise ModelError(f"the models {self.manifest.name} have no part {name!r}")

    @property
    def wordpieces(self) -> WordPieces:
        """Return the tokenizer."""
        tokenizer: WordPieces = self.get_part("tokenizer")
        return tokenizer

    @property
    def encoder(self) -> Encoder:
        """Return the encoder of drafts and paragraphs."""
        encoder: Encoder = self.get_part("encoder")
        return encoder

    @property
    def ranker(self) -> Ranker:
        """Return the ranker, which scores paragraphs and the spans in them."""
        ranker: Ranker = self.get_part("ranker")
        return ranker

    @property
    def fusion(self) -> FusionWeights:
        """Return the weights by which the scores of several stages are fused."""
        weights: FusionWeights = self.get_part("fusion")
        return weights

    @property
    def calibration(self) -> EvidenceCalibration:
        """Return the calibration that converts evidence scores to probabilities.

        If the folder of models has no calibration, return the default one.
        """
        if "calibration" not in self.hashes:
            return EvidenceCalibration()
        calibration: EvidenceCalibration = self.get_part("calibration")
        return calibration

    @cached_property
    def words(self) -> WordLookup:
        """Return the table of word embeddings that encoder and ranker share, in the engine's memory."""
        return self.engine.place_words(read_words(self.manifest))


def _load_tokenizer(models: Models) -> WordPieces:
    return WordPieces(models.manifest.folder / TOKENIZER)


def _load_encoder(models: Models) -> Encoder:
    graph = read_graph(models.manifest, "encoder", models.engine)
    return Encoder(graph, models.words, models.wordpieces, models.engine.batch_tokens)


def _load_ranker(models: Models) -> Ranker:
    prefix, paragraph = _read_split(models, "ranker", "early")
    return Ranker(prefix, paragraph, models.words, models.wordpieces, models.engine.rank_tokens)


def _read_split(models: Models, whole: str, early: str) -> tuple[Graph, Graph | SplitGraph]:
    """Load two graphs of a model: one for the prefix (the draft or claim) and one for the paragraphs.

    `whole` and `early` are names of parts (groups of files) of a folder of models, such as "ranker" and
    "early". If the folder has the part `early`, the graphs are loaded from it. Then the graph for paragraphs
    is split into lower and upper layers. Otherwise, they are loaded from the part `whole`.
    """
    part = early if early in models.hashes else whole
    prefix, *graphs = (read_graph(models.manifest, graph, models.engine) for graph in PARTS[part].graphs)
    return prefix, SplitGraph(*graphs) if len(graphs) > 1 else graphs[0]


def _load_fusion(models: Models) -> FusionWeights:
    try:
        weights = json.loads((models.manifest.folder / FUSION).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{FUSION} cannot be read: {error}") from error
    return read_weights(weights)


def _load_famous(models: Models) -> Famous:
    contexts, quotes = (read_graph(models.manifest, graph, models.engine) for graph in PARTS["famous"].graphs)
    return Famous(contexts, quotes, models.words, models.wordpieces, models.engine.batch_tokens)


def _load_evidence(models: Models) -> Evidence:
    prefix, sentences = _read_split(models, "evidence", "evidence_early")
    return Evidence(prefix, sentences, models.words, models.wordpieces, models.engine.rank_tokens)


def _load_quotes(models: Models) -> Quotes:
    encoder, pair = (read_graph(models.manifest, graph, models.engine) for graph in PARTS["quotes"].graphs)
    return Quotes(encoder, pair, models.words, models.wordpieces, models.engine.batch_tokens)


def _load_calibration(models: Models) -> EvidenceCalibration:
    return read_calibration(models.manifest.folder / CALIBRATION)


LOADERS: dict[str, Callable[[Models], Any]] = {
    "tokenizer": _load_tokenizer,
    "encoder": _load_encoder,
    "ranker": _load_ranker,
    "early": lambda models: models.ranker,
    "fusion": _load_fusion,
    "famous": _load_famous,
    "evidence": _load_evidence,
    "evidence_early": lambda models: models.get_part("evidence"),
    "quotes": _load_quotes,
    "calibration": _load_calibration,
}
"""The loader of each part of `reranker.models.files.PARTS`."""
