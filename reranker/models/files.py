"""List the parts of a folder of models, and the files of each part.

A folder has `manifest.json`, which names every other file with its SHA-256, and the files of each part:
weights (fp16), graphs without weights (`*.onnx`), the table of word embeddings that encoder and ranker share,
the tokenizer, and the fusion weights. To add a model, add a row to `PARTS`, its graphs to `GRAPHS`, and a
loader to `reranker.models.loaded`.
"""

from __future__ import annotations

from dataclasses import dataclass

MANIFEST = "manifest.json"
TOKENIZER = "tokenizer.json"
WORDS = "words.safetensors"
FUSION = "fusion.json"
FAMOUS, EVIDENCE, QUOTES = "famous.safetensors", "evidence.safetensors", "quotes.safetensors"
"""Files with adapters and heads of the models of three jobs."""
EARLY = "early.safetensors"
"""File with the ranker's early head, and the number of the layer after which it reads."""
EVIDENCE_EARLY = "evidence_early.safetensors"
"""File with the early head of the model of evidence, likewise."""
CALIBRATION = "calibration.json"
"""File of the calibration that converts evidence scores to probabilities."""


@dataclass(frozen=True, slots=True)
class GraphFile:
    """Describe a graph: the file of its weights, and the names of its inputs in order.

    Without `adapter`, `weights` is the only file of weights. If `adapter` names a file, `weights` supplies
    the transformer layers (the trunk). The low-rank adapters in `adapter` whose names begin with `prefix` are
    added to the trunk. The output layers (heads) are taken from the file `head` if it is set, else from
    `adapter`.
    """

    weights: str
    inputs: tuple[str, ...]
    adapter: str | None = None
    prefix: str = "trunk"
    head: str | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """Return the names of the graph's weight files.

        If two files have a tensor of the same name, the tensor of the later file is used.
        """
        return tuple(file for file in (self.weights, self.adapter, self.head) if file is not None)


GRAPHS = {
    "encoder": GraphFile("encoder.safetensors", ("words", "mask")),
    "prefix": GraphFile("ranker.safetensors", ("words",)),
    "paragraph": GraphFile("ranker.safetensors", ("words", "mask", "keys", "values", "draft")),
    "paragraph_lower": GraphFile("ranker.safetensors", ("words", "mask", "keys", "values", "draft"), EARLY),
    "paragraph_upper": GraphFile("ranker.safetensors", ("hidden", "mask", "keys", "values", "draft"), EARLY),
    "famous_context": GraphFile("encoder.safetensors", ("words", "mask", "gap"), FAMOUS, "context"),
    "famous_quote": GraphFile("encoder.safetensors", ("words", "mask"), FAMOUS, "quotes"),
    "evidence_prefix": GraphFile("ranker.safetensors", ("words",), EVIDENCE),
    "evidence_sentences": GraphFile(
        "ranker.safetensors", ("words", "mask", "sentences", "keys", "values", "draft"), EVIDENCE
    ),
    "evidence_lower": GraphFile(
        "ranker.safetensors",
        ("words", "mask", "sentences", "keys", "values", "draft"),
        EVIDENCE,
        head=EVIDENCE_EARLY,
    ),
    "evidence_upper": GraphFile(
        "ranker.safetensors",
        ("hidden", "mask", "sentences", "keys", "values", "draft"),
        EVIDENCE,
        head=EVIDENCE_EARLY,
    ),
    "quote": GraphFile("encoder.safetensors", ("words", "mask"), QUOTES),
    "quote_pair": GraphFile(QUOTES, ("quotes", "sources")),
}

QUANTISED = {
    "bfloat16": frozenset({"evidence_upper"}),
    "int8": frozenset({"paragraph", "paragraph_lower", "paragraph_upper", "evidence_upper"}),
}
"""Graphs whose linear layers are computed in int8, by the engine's precision. Those of "bfloat16" have passed
the gate (docs/decisions/0042).
"""


@dataclass(frozen=True, slots=True)
class Part:
    """Describe a part of the models, such as the ranker: its files and graphs, which share one hash.

    A folder of models may lack a part that is `optional`.
    """

    data: tuple[str, ...]
    graphs: tuple[str, ...] = ()
    optional: bool = False

    @property
    def files(self) -> tuple[str, ...]:
        """Return the names of all files of the part, without duplicates."""
        weights = (file for graph in self.graphs for file in GRAPHS[graph].files)
        return tuple(dict.fromkeys((*self.data, *weights, *(f"{graph}.onnx" for graph in self.graphs))))


PARTS = {
    "tokenizer": Part((TOKENIZER,)),
    "encoder": Part((WORDS,), ("encoder",)),
    "ranker": Part((WORDS,), ("prefix", "paragraph")),
    "early": Part((WORDS,), ("prefix", "paragraph_lower", "paragraph_upper"), optional=True),
    "fusion": Part((FUSION,)),
    "famous": Part((WORDS,), ("famous_context", "famous_quote"), optional=True),
    "evidence": Part((WORDS,), ("evidence_prefix", "evidence_sentences"), optional=True),
    "evidence_early": Part((WORDS,), ("evidence_prefix", "evidence_lower", "evidence_upper"), optional=True),
    "quotes": Part((WORDS,), ("quote", "quote_pair"), optional=True),
    "calibration": Part((CALIBRATION,), optional=True),
}
EARLY_PARTS = frozenset({"early", "evidence_early"})
"""Parts with an early head, which a CPU uses in place of the whole graphs."""
FILES = tuple(dict.fromkeys(file for part in PARTS.values() if not part.optional for file in part.files))
"""Files that every folder of models has."""
