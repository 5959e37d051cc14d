"""The parts of a folder of models, and the files of each.

A folder has `manifest.json`, which names every other file with its SHA-256, and the files of each part:
weights (fp16), graphs without weights (`*.onnx`), the word table that encoder and ranker share, tokenizer
and fusion. A new model is one more row of `PARTS`, its graphs in `GRAPHS`, and a loader in
`reranker.models.loaded`.
"""

from __future__ import annotations

from dataclasses import dataclass

MANIFEST = "manifest.json"
TOKENIZER = "tokenizer.json"
WORDS = "words.safetensors"
FUSION = "fusion.json"


@dataclass(frozen=True, slots=True)
class GraphFile:
    """A graph: the file of its weights and the names of its inputs, in order."""

    weights: str
    inputs: tuple[str, ...]


GRAPHS = {
    "encoder": GraphFile("encoder.safetensors", ("words", "mask")),
    "prefix": GraphFile("ranker.safetensors", ("words",)),
    "paragraph": GraphFile("ranker.safetensors", ("words", "mask", "keys", "values", "draft")),
}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the models that is hashed as a whole. A folder may lack an `optional` one."""

    data: tuple[str, ...]
    graphs: tuple[str, ...] = ()
    optional: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """Names of all files of the part, each once."""
        weights = (GRAPHS[graph].weights for graph in self.graphs)
        return tuple(dict.fromkeys((*self.data, *weights, *(f"{graph}.onnx" for graph in self.graphs))))


PARTS = {
    "tokenizer": Part((TOKENIZER,)),
    "encoder": Part((WORDS,), ("encoder",)),
    "ranker": Part((WORDS,), ("prefix", "paragraph")),
    "fusion": Part((FUSION,)),
}
FILES = tuple(dict.fromkeys(file for part in PARTS.values() if not part.optional for file in part.files))
"""Files that every folder of models has."""
