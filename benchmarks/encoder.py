"""Compare the encoder with sentence-transformers' `encode`: the same weights, paragraphs and run.

    python -m benchmarks.encoder --texts whitehouse/speeches.jsonl.gz --base BERT_FOLDER

Needs the extras `train` and `openvino`. The systems take turns, so that a burst of noise affects all of
them. The time includes tokenising each text. Writes results/encoder.json.
"""

from __future__ import annotations

import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load_file, save_file
from sentence_transformers import SentenceTransformer

from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from evaluation.pairs import read_rows
from reranker.models.engines import Engine
from reranker.models.loaded import Models
from reranker.models.wordpieces import PARAGRAPH_TOKENS, WordPieces
from training.bert import BERT

Floats = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Floats]
PEER = "sentence-transformers float32"
ENGINES = (("onnxruntime", "float32"), ("openvino", "float32"), ("openvino", "bfloat16"))
BATCH = 32  # sentence-transformers' own default


def sample_paragraphs(path: Path, count: int, seed: int, wordpieces: WordPieces) -> list[str]:
    """Sample `count` paragraphs of a file of speeches with `seed`, none longer than one pass of the model.

    An archive splits longer ones; here the peer would read all of one, and we its windows.
    """
    every = [text for row in read_rows(path) for text in row["paragraphs"]]
    drawn = Random(seed).sample(every, 2 * count)
    sizes = map(len, wordpieces.tokenise(drawn))
    return [text for text, size in zip(drawn, sizes, strict=True) if size <= PARAGRAPH_TOKENS][:count]


def write_bert(models: Path, base: Path, folder: Path) -> None:
    """Write the shipped encoder as a sentence-transformers folder, with settings and tokenizer of `base`."""
    shutil.copytree(base, folder)
    ours = {
        name: value.astype(np.float32) for name, value in load_file(models / "encoder.safetensors").items()
    }
    words = load_file(models / "words.safetensors")
    layers = 1 + max(int(name.split(".")[2]) for name in ours if name.startswith("trunk.layers."))
    state = {
        "embeddings.word_embeddings.weight": words["rows"] * words["scales"][:, None],
        "embeddings.position_embeddings.weight": ours["trunk.positions.weight"],
        "embeddings.token_type_embeddings.weight": ours["trunk.types.weight"],
        "embeddings.LayerNorm.weight": ours["trunk.norm.weight"],
        "embeddings.LayerNorm.bias": ours["trunk.norm.bias"],
        **{
            f"encoder.layer.{layer}.{theirs}.{kind}": ours[f"trunk.layers.{layer}.{name}.{kind}"]
            for layer in range(layers)
            for name, theirs in BERT.names.items()
            for kind in ("weight", "bias")
        },
    }
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, "num_hidden_layers": layers}), "utf-8")


def load_peer(folder: Path, precision: str) -> Encode:
    """Load sentence-transformers over a folder."""
    model = SentenceTransformer(str(folder), device="cpu", model_kwargs={"dtype": getattr(torch, precision)})
    model.max_seq_length = 512

    def encode(texts: Sequence[str]) -> Floats:
        return np.asarray(model.encode(list(texts), batch_size=BATCH, normalize_embeddings=True), np.float32)

    return encode


def load_ours(folder: Path, engine: Engine) -> Encode:
    """Load the product's encoder."""
    encoder = Models(folder, engine).encoder

    def encode(texts: Sequence[str]) -> Floats:
        return np.stack([encoding.vector for encoding in encoder.encodings(texts)])

    return encode


def measure_systems(systems: dict[str, Encode], texts: Sequence[str], rounds: int) -> dict[str, Any]:
    """Measure paragraphs per second of each system, and against the peer the ratio and the least cosine."""
    seconds: dict[str, list[float]] = {name: [] for name in systems}
    vectors: dict[str, Floats] = {}
    for encode in systems.values():
        encode(texts[:64])
    for _ in range(rounds):
        for name, encode in systems.items():
            began = time.monotonic()
            vectors[name] = encode(texts)
            seconds[name].append(time.monotonic() - began)
    base = statistics.median(seconds[PEER])
    directions = {name: rows / np.linalg.norm(rows, axis=1, keepdims=True) for name, rows in vectors.items()}
    return {
        name: {
            "paragraphs_per_s": round(len(texts) / statistics.median(took), 1),
            "best": round(len(texts) / min(took), 1),
            "ratio": round(base / statistics.median(took), 2),
            "least_cosine": round(float((directions[name] * directions[PEER]).sum(1).min()), 6),
        }
        for name, took in seconds.items()
    }


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--texts", type=Path, required=True, help="speeches as JSON lines, gzip")
    parser.add_argument("--base", type=Path, required=True, help="sentence-transformers folder of the base")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--count", type=int, default=2048)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    texts = sample_paragraphs(options.texts, options.count, options.seed, Models(options.models).wordpieces)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "bert"
        write_bert(options.models, options.base, folder)
        systems = {
            PEER: load_peer(folder, "float32"),
            "sentence-transformers bfloat16": load_peer(folder, "bfloat16"),
            **{
                f"{name} {precision}": load_ours(options.models, Engine(name, precision, options.threads))
                for name, precision in ENGINES
            },
        }
        figures = measure_systems(systems, texts, options.rounds)
    values = {"n": len(texts), "rounds": options.rounds, "threads": options.threads, "seed": options.seed}
    write(
        "encoder",
        {**values, "systems": figures, **record_provenance(Models(options.models), [options.texts])},
    )


if __name__ == "__main__":
    main()
