"""Compare Rostrum's ranker on a GPU with sentence-transformers: the same candidates, one process, by turns.

    python -m benchmarks.peers_gpu

Needs the extra `train` and a GPU (`--device cpu` tries the script out). As in `benchmarks.peers` all systems
have a trunk of the same shape, and only the time counts. The peer's weights are random unless `--base` names
a folder. Every shape is computed once before the clock runs.

The scores, spans and vectors of torch on the device are compared with ONNX Runtime's on the CPU. Drafts are
made from the sample speeches. Writes results/peers-gpu.json, or the file that `--output` names, after each
part.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import BertConfig, BertForSequenceClassification, PreTrainedTokenizerFast

from archive.shipped_files import locate_shipped
from benchmarks.peers import (
    Ask,
    Score,
    count_gflop,
    load_cross_encoder,
    load_systems,
    make_asks,
    time_systems,
)
from benchmarks.provenance import RESULTS, record_provenance
from benchmarks.script import make_parser
from reranker.models.batches import split_batches
from reranker.models.engines import ON_CPU, PRECISIONS, Engine
from reranker.models.loaded import Models

SIZES = (50, 100, 300)
LARGE_BATCH = 128
BUDGETS = (1024, 2048, 4096, 8192, 16_384, 32_768)
ROSTRUM = "Rostrum, torch {}"
PEAK_SIZES = {"cuda": 8192, "cpu": 1024}
COMPARED = 120
"""Paragraphs whose scores, spans and vectors are compared."""


def make_base(models: Path, folder: Path) -> Path:
    """Write a BERT of the ranker's shape with random weights and the shipped tokenizer."""
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(models / "tokenizer.json"),
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
        mask_token="[MASK]",
        model_max_length=512,
    )
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=384,
        num_hidden_layers=6,
        num_attention_heads=12,
        intermediate_size=1536,
        num_labels=1,
    )
    torch.manual_seed(0)
    BertForSequenceClassification(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def load_rostrum(folder: Path, engine: Engine, budget: int | None = None) -> Score:
    """Load the product's ranker, with another token budget if one is given.

    Tokenising paragraphs is not timed, because the product does it when it indexes them.
    """
    models = Models(folder, engine)
    ranker, kept = models.ranker, {}
    ranker._batch_tokens = budget or ranker._batch_tokens

    def score(ask: Ask) -> object:
        if id(ask) not in kept:
            kept[id(ask)] = (ask, models.wordpieces.tokenise(ask.texts))
        query = models.wordpieces.tokenise_query(ask.title, ask.left)
        ranker.forget_drafts()  # a draft that is new
        return ranker.rank(query, ask.texts, kept[id(ask)][1])

    return score


def list_loaders(base: Path, models: Path, device: str) -> dict[str, Callable[[], Score]]:
    """Return a function that loads it for each system, by the system's name."""
    peers = {
        f"CrossEncoder {precision}{note}": partial(load_cross_encoder, base, precision, device, batch)
        for precision in ("float32", "bfloat16")
        for batch, note in ((32, ""), (LARGE_BATCH, f", batches of {LARGE_BATCH}"))
    }
    ours = {
        ROSTRUM.format(precision): partial(load_rostrum, models, Engine("torch", precision, 0, device))
        for precision in ("float32", "bfloat16")
    }
    return {**peers, **ours}


def time_warm(systems: Mapping[str, Score], asks: Sequence[Ask], rounds: int) -> dict[str, dict[str, float]]:
    """Time systems by turns, after one untimed round."""
    time_systems(systems, asks, 1)
    return time_systems(systems, asks, rounds)


def measure_peak(precision: str, device: str) -> float:
    """Measure torch's product of matrices on random numbers: TFLOP per second, the best of ten."""
    size = PEAK_SIZES[device]
    a, b = (torch.randn((size, size), device=device).to(getattr(torch, precision)) for _ in range(2))
    best = 0.0
    for _ in range(10):
        _wait_for(device)
        began = time.monotonic()
        a @ b
        _wait_for(device)
        best = max(best, 2 * size**3 / (time.monotonic() - began) / 1e12)
    return round(best, 3)


def _wait_for(device: str) -> None:
    if device == "cuda":
        torch.cuda.synchronize()


def compare_engines(folder: Path, device: str) -> dict[str, Any]:
    """Compare scores, spans and vectors with ONNX Runtime's, for each precision of torch."""
    ask = make_asks(1, COMPARED, seed=7)[0]
    expected = _compute(Models(folder, ON_CPU), ask)
    agreement: dict[str, Any] = {
        "paragraphs": COMPARED,
        "score_deviation": round(float(expected[0].std()), 3),
    }
    for precision in ("float32", "bfloat16"):
        scores, spans, vectors = _compute(Models(folder, Engine("torch", precision, 0, device)), ask)
        agreement[precision] = {
            "most_score_difference": float(np.abs(scores - expected[0]).max()),
            "same_spans": float(np.mean([a == b for a, b in zip(spans, expected[1], strict=True)])),
            "least_cosine": float((vectors * expected[2]).sum(1).min()),
            "most_vector_difference": float(np.abs(vectors - expected[2]).max()),
            "same_best_ten": len({*np.argsort(-scores)[:10]} & {*np.argsort(-expected[0])[:10]}),
        }
    return agreement


def _compute(models: Models, ask: Ask) -> tuple[Any, list[tuple[int, int]], Any]:
    encoded = models.encoder.encodings(ask.texts)
    query = models.wordpieces.tokenise_query(ask.title, ask.left)
    ranked = models.ranker.rank(query, ask.texts, [one.tokens for one in encoded])
    spans = [(one.span.start_char, one.span.end_char) for one in ranked]
    return np.array([one.score for one in ranked]), spans, np.stack([one.vector for one in encoded])


def measure_budgets(models: Path, device: str, rounds: int, seed: int) -> dict[str, Any]:
    """Time the ranker in bfloat16 with several token budgets, by turns, and count its padded tokens."""
    engine = Engine("torch", "bfloat16", 0, device)
    systems = {str(budget): load_rostrum(models, engine, budget) for budget in BUDGETS}
    table: dict[str, Any] = {}
    for size in SIZES:
        asks = make_asks(4, size, seed)
        table[str(size)] = time_warm(systems, asks, rounds)
        lengths = [len(one) + 2 for one in Models(models).wordpieces.tokenise(asks[0].texts)]
        for budget in BUDGETS:
            cuts = split_batches(lengths, budget)
            padded = sum(len(cut) * lengths[cut[-1]] for cut in cuts)
            row = table[str(size)][str(budget)]
            times = {name: value for name, value in row.items() if not name.startswith("ratio_")}
            table[str(size)][str(budget)] = times | {
                "passes": len(cuts),
                "real_share": round(sum(lengths) / padded, 3),
            }
    return table


def measure_peers(options: argparse.Namespace) -> dict[str, Any]:
    """Time Rostrum and the peers over numbers of candidates, with the share of the matrix product's peak."""
    device, models = options.device, options.models
    peaks = {name: measure_peak(name, device) for name in PRECISIONS["torch"]}
    asks = {size: make_asks(options.drafts, size, options.seed) for size in SIZES}
    with tempfile.TemporaryDirectory() as folder:
        base = options.base or make_base(models, Path(folder))
        systems, starts = load_systems(list_loaders(base, models, device), asks[SIZES[0]][0])
    times = {size: time_warm(systems, asks[size], options.rounds) for size in SIZES}
    gflop = {size: count_gflop(Models(models), asks[size]) for size in SIZES}
    for size in SIZES:
        for name, peak in peaks.items():
            row = times[size][ROSTRUM.format(name)]
            row["share_of_peak"] = gflop[size] / row["p50_ms"] / peak
    return {"peak_tflops": peaks, "systems": starts, "candidates": times, "gflop_per_draft": gflop}


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--base", type=Path, help="sentence-transformers folder of the base")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--drafts", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path, default=RESULTS / "peers-gpu.json")
    options = parser.parse_args()
    result = {name: getattr(options, name) for name in ("device", "drafts", "rounds", "seed")}
    result |= {"gpu": torch.cuda.get_device_name() if options.device == "cuda" else None}
    result |= {"torch": torch.__version__, "sentence_transformers": version("sentence-transformers")}
    result |= record_provenance(Models(options.models), [locate_shipped("samples/speeches.jsonl")])
    result["agreement"] = compare_engines(options.models, options.device)
    _write(options.output, result)
    result |= measure_peers(options)
    _write(options.output, result)
    result["budgets"] = measure_budgets(options.models, options.device, options.rounds, options.seed)
    result["load"] = [round(average, 1) for average in os.getloadavg()]
    _write(options.output, result)


def _write(path: Path, result: dict[str, Any]) -> None:
    path.write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
