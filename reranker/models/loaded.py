"""The models of one folder, loaded: what workers and the laptop run."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from reranker.fusion import FusionWeights, read_weights
from reranker.models.encoder import Encoder
from reranker.models.engines import ON_CPU, Engine
from reranker.models.files import FUSION, TOKENIZER
from reranker.models.ranker import Ranker
from reranker.models.weights import Manifest, read_graph, read_manifest, read_words
from reranker.models.word_table import WordTable
from reranker.models.wordpieces import WordPieces
from rostrum_core.errors import ModelError


@dataclass(frozen=True)
class Hashes:
    """What vectors, token ids and scores depend on: 16 hex digits each."""

    encoder: str
    ranker: str
    tokenizer: str


class Models:
    """Encoder, ranker and fusion weights of a folder, each loaded when it is first asked for.

    The manifest and every file's hash are checked at once.

    Raises:
        ModelError: the folder is not what its manifest says.
    """

    def __init__(self, folder: Path, engine: Engine = ON_CPU) -> None:
        self.manifest: Manifest = read_manifest(folder)
        self.engine = engine
        self.hashes = Hashes(self.manifest.encoder, self.manifest.ranker, self.manifest.tokenizer)

    @cached_property
    def wordpieces(self) -> WordPieces:
        """The tokenizer."""
        return WordPieces(self.manifest.folder / TOKENIZER)

    @cached_property
    def encoder(self) -> Encoder:
        """The encoder of drafts and paragraphs."""
        graph = read_graph(self.manifest, "encoder", self.engine)
        return Encoder(graph, self._words, self.wordpieces, self.engine.batch_tokens)

    @cached_property
    def ranker(self) -> Ranker:
        """The paragraph ranker with its span heads."""
        prefix, paragraph = (
            read_graph(self.manifest, graph, self.engine) for graph in ("prefix", "paragraph")
        )
        return Ranker(prefix, paragraph, self._words, self.wordpieces, self.engine.batch_tokens)

    @cached_property
    def fusion(self) -> FusionWeights:
        """The weights of first stages, ranker and span."""
        try:
            told = json.loads((self.manifest.folder / FUSION).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise ModelError(f"{FUSION} cannot be read: {error}") from error
        return read_weights(told)

    @cached_property
    def _words(self) -> WordTable:
        return read_words(self.manifest)
