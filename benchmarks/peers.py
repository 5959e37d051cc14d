"""Compare Rostrum's ranker with what users would install instead: the same candidates, one process, by turns.

    python -m benchmarks.peers --base BERT_FOLDER

Needs the extras `train` and `openvino`, and FlashRank if it is to be compared. All systems have a trunk of
the same shape (MiniLM, 6 layers of 384), so weights do not matter: only times are compared, not quality.
Peers read draft and paragraph as a pair and give a score; Rostrum gives score and span.

FlashRank and the ONNX and OpenVINO back ends of sentence-transformers would download weights, or need
packages that conflict with sentence-transformers 6. FlashRank's own code runs our export of the base, its
linear layers in int8 as in FlashRank's models. The same export replaces these back ends, with their batches:
32 pairs, sorted by length, tokenised by the same tokenizer.

Drafts are made from the sample speeches. Writes results/peers.json and docs/peers.svg.
"""

from __future__ import annotations

import importlib.util
import json
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import torch
from sentence_transformers import CrossEncoder
from tokenizers import Tokenizer
from transformers import AutoModelForSequenceClassification

from archive.shipped_files import locate_shipped
from benchmarks.plots import draw_lines
from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from jobs.recommend.job import RANKED
from reranker.models.engines import Engine
from reranker.models.loaded import Models
from reranker.models.processor import has_bfloat16_products, has_int8_products

BATCH = 32  # sentence-transformers' own default
LONGEST = 512
LEFT_WORDS = 80
BASE = "CrossEncoder float32"
FLASHRANK_NAME, FLASHRANK_FILE = "ms-marco-MiniLM-L-12-v2", "flashrank-MiniLM-L-12-v2_Q.onnx"
"""A name that FlashRank knows; the file in its folder is ours."""

CURVE = ("CrossEncoder float32", "CrossEncoder bfloat16")
"""Peers in the curves; Rostrum's engines are in all of them."""

PLOT = Path(__file__).parents[1] / "docs" / "peers.svg"

Score = Callable[["Ask"], object]


@dataclass(frozen=True, slots=True)
class Ask:
    """Hold a draft and the paragraphs to score for it."""

    title: str
    left: str
    texts: list[str]

    @property
    def query(self) -> str:
        """The draft as a peer reads it."""
        return f"{self.title} {self.left}"


@dataclass
class Times:
    """Hold seconds of wall and of the processor for each call."""

    wall_s: list[float] = field(default_factory=list)
    cpu_s: list[float] = field(default_factory=list)

    def summarise(self, pairs: int) -> dict[str, float]:
        """Return medians and the p95 in milliseconds, and pairs per second by the median."""
        p50 = float(np.median(self.wall_s))
        return {
            "p50_ms": round(1000 * p50, 1),
            "p95_ms": round(1000 * float(np.quantile(self.wall_s, 0.95)), 1),
            "least_ms": round(1000 * min(self.wall_s), 1),
            "cpu_p50_ms": round(1000 * float(np.median(self.cpu_s)), 1),
            "pairs_per_s": round(pairs / p50, 1),
        }


def read_paragraphs() -> list[str]:
    """Return the paragraphs of the sample speeches with at least 40 characters."""
    with locate_shipped("samples/speeches.jsonl").open(encoding="utf-8") as lines:
        every = [text for line in lines for text in json.loads(line)["paragraphs"]]
    return [text for text in every if len(text) >= 40]


def make_asks(count: int, candidates: int, seed: int, *, words: int | None = None) -> list[Ask]:
    """Make drafts from the sample speeches, with paragraphs sampled by the seed.

    With `words`, each paragraph has this number of consecutive words of the speeches.
    """
    drawn, every = Random(seed), read_paragraphs()
    running = " ".join(every).split()
    asks = []
    for _ in range(count):
        left = " ".join(" ".join(drawn.sample(every, 3)).split()[-LEFT_WORDS:])
        texts = drawn.sample(every, candidates) if words is None else _cut(running, candidates, words, drawn)
        asks.append(Ask("A nation and its promise", left, texts))
    return asks


def _cut(running: Sequence[str], count: int, words: int, drawn: Random) -> list[str]:
    starts = [drawn.randrange(len(running) - words) for _ in range(count)]
    return [" ".join(running[start : start + words]) for start in starts]


def load_cross_encoder(base: Path, precision: str, device: str = "cpu", batch: int = BATCH) -> Score:
    """Load sentence-transformers' CrossEncoder in a precision of torch."""
    dtype = {"dtype": getattr(torch, precision)}
    model = CrossEncoder(str(base), num_labels=1, device=device, max_length=LONGEST, model_kwargs=dtype)

    def score(ask: Ask) -> object:
        pairs = [(ask.query, text) for text in ask.texts]
        return model.predict(pairs, batch_size=batch, show_progress_bar=False)

    return score


def export_base(base: Path, path: Path) -> None:
    """Export the base with a head of one score to ONNX."""
    model = AutoModelForSequenceClassification.from_pretrained(str(base), num_labels=1).eval()
    ids = torch.ones((2, 16), dtype=torch.int64)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    shape = {0: "rows", 1: "tokens"}
    torch.onnx.export(
        model,
        (),
        str(path),
        kwargs=dict.fromkeys(names, ids) | {"return_dict": False},
        input_names=names,
        output_names=["logits"],
        dynamic_axes=dict.fromkeys(names, shape),
        dynamo=False,
    )


def load_export(base: Path, path: Path, engine: str, precision: str, threads: int) -> Score:
    """Load the export in ONNX Runtime or OpenVINO, with the batches of CrossEncoder."""
    tokenizer = Tokenizer.from_file(str(base / "tokenizer.json"))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.enable_padding()
    run = _open_onnxruntime(path, threads) if engine == "ONNX" else _open_openvino(path, precision, threads)

    def score(ask: Ask) -> object:
        order = sorted(range(len(ask.texts)), key=lambda i: -len(ask.texts[i]))
        scores = np.empty(len(order), np.float32)
        for first in range(0, len(order), BATCH):
            rows = order[first : first + BATCH]
            encoded = tokenizer.encode_batch([(ask.query, ask.texts[i]) for i in rows])
            inputs = {
                "input_ids": np.array([one.ids for one in encoded], np.int64),
                "attention_mask": np.array([one.attention_mask for one in encoded], np.int64),
                "token_type_ids": np.array([one.type_ids for one in encoded], np.int64),
            }
            scores[rows] = run(inputs)[:, 0]
        return scores

    return score


def _open_onnxruntime(path: Path, threads: int) -> Callable[[Mapping[str, Any]], Any]:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    return lambda inputs: session.run(None, dict(inputs))[0]


def _open_openvino(path: Path, precision: str, threads: int) -> Callable[[Mapping[str, Any]], Any]:
    import openvino

    hint = {"float32": "f32", "bfloat16": "bf16"}[precision]
    settings = {
        "INFERENCE_PRECISION_HINT": hint,
        "INFERENCE_NUM_THREADS": threads,
        "PERFORMANCE_HINT": "LATENCY",
    }
    compiled = openvino.Core().compile_model(str(path), "CPU", settings)
    return lambda inputs: compiled(dict(inputs))[0]


def load_flashrank(base: Path, path: Path, folder: Path) -> Score:
    """Load FlashRank over our export, with linear layers in int8."""
    from flashrank import Ranker, RerankRequest
    from onnxruntime.quantization import quantize_dynamic

    own = folder / FLASHRANK_NAME
    if not own.exists():
        shutil.copytree(base, own)
        quantize_dynamic(path, own / FLASHRANK_FILE)
        special = own / "special_tokens_map.json"
        if not special.exists():
            special.write_text("{}", "utf-8")
    ranker = Ranker(model_name=FLASHRANK_NAME, cache_dir=str(folder), max_length=LONGEST, log_level="ERROR")

    def score(ask: Ask) -> object:
        return ranker.rerank(RerankRequest(query=ask.query, passages=[{"text": text} for text in ask.texts]))

    return score


def load_rostrum(folder: Path, engine: Engine, *, early: bool = False) -> Score:
    """Load the product's ranker.

    Tokenising paragraphs is not timed, because the product does it when it indexes them. With `early`, all
    paragraphs run through the lower layers, and only the best `RANKED` through the others.
    """
    models = Models(folder, engine)
    ranker, kept = models.ranker, {}

    def score(ask: Ask) -> object:
        if id(ask) not in kept:
            kept[id(ask)] = (ask, models.wordpieces.tokenise(ask.texts))
        query = models.wordpieces.tokenise_query(ask.title, ask.left)
        ranker.forget_drafts()  # a draft that is new
        tokens = kept[id(ask)][1]
        if not early:
            return ranker.rank(query, ask.texts, tokens)
        best = np.argsort(-ranker.estimate(query, tokens), kind="stable")[:RANKED]
        return ranker.rank(query, [ask.texts[i] for i in best], [tokens[i] for i in best])

    return score


def list_loaders(
    base: Path, models: Path, folder: Path, threads: int, *, only: Sequence[str] | None = None
) -> dict[str, Callable[[], Score]]:
    """Return a function that loads it for each system that this machine can run, by the system's name."""
    path = folder / "base.onnx"
    if not path.exists():
        export_base(base, path)
    loaders: dict[str, Callable[[], Score]] = {
        BASE: partial(load_cross_encoder, base, "float32"),
        "the same graph, ONNX Runtime float32": partial(load_export, base, path, "ONNX", "float32", threads),
        "the same graph, OpenVINO float32": partial(load_export, base, path, "OV", "float32", threads),
    }
    if importlib.util.find_spec("flashrank"):
        loaders["FlashRank, int8"] = partial(load_flashrank, base, path, folder)
    engines = [Engine("onnxruntime", "float32", threads), Engine("openvino", "float32", threads)]
    if has_bfloat16_products():
        loaders["CrossEncoder bfloat16"] = partial(load_cross_encoder, base, "bfloat16")
        loaders["the same graph, OpenVINO bfloat16"] = partial(
            load_export, base, path, "OV", "bfloat16", threads
        )
        engines.append(Engine("openvino", "bfloat16", threads))
    if has_int8_products():
        engines.append(Engine("openvino", "int8", threads))
    for engine in engines:
        name = f"Rostrum, {engine.name} {engine.precision}"
        loaders[name] = partial(load_rostrum, models, engine)
        loaders[f"{name}, {RANKED} to the end"] = partial(load_rostrum, models, engine, early=True)
    return {name: load for name, load in loaders.items() if only is None or name in only}


def load_systems(loaders: Mapping[str, Callable[[], Score]], ask: Ask) -> tuple[dict[str, Score], Any]:
    """Load the systems one after the other; note the seconds to the first answer and the memory added."""
    systems, starts = {}, {}
    for name, load in loaders.items():
        before, began = _read_rss_mb(), time.monotonic()
        systems[name] = load()
        systems[name](ask)
        starts[name] = {
            "start_s": round(time.monotonic() - began, 2),
            "added_rss_mb": round(_read_rss_mb() - before),
        }
    return systems, starts


def _read_rss_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text("utf-8").split()[1])
    return pages * resource.getpagesize() / 2**20


def time_systems(
    systems: Mapping[str, Score], asks: Sequence[Ask], rounds: int
) -> dict[str, dict[str, float]]:
    """Time each system over the drafts, by turns."""
    times = {name: Times() for name in systems}
    for _ in range(rounds):
        for ask in asks:
            for name, score in systems.items():
                began, cpu = time.monotonic(), time.process_time()
                score(ask)
                times[name].wall_s.append(time.monotonic() - began)
                times[name].cpu_s.append(time.process_time() - cpu)
    summary = {name: taken.summarise(len(asks[0].texts)) for name, taken in times.items()}
    for row in summary.values():
        for kind in ("p50_ms", "cpu_p50_ms"):
            row[f"ratio_{kind}"] = round(summary[BASE][kind] / row[kind], 2) if BASE in summary else 0.0
    return summary


def measure_peak(precision: str, threads: int) -> float:
    """Measure torch's product of matrices: GFLOP per second of the processor, the best of ten."""
    torch.set_num_threads(threads)
    size = 1536
    a, b = (torch.randn((size, size)).to(getattr(torch, precision)) for _ in range(2))
    best = 0.0
    for _ in range(10):
        began = time.process_time()
        a @ b
        best = max(best, 2 * size**3 / (time.process_time() - began) / 1e9)
    return round(best, 1)


def count_gflop(models: Models, asks: Sequence[Ask]) -> float:
    """Count the GFLOP that ranking a draft needs in linear layers and attention, without padding."""
    layers, width, inner = 6, 384, 1536
    total = 0.0
    for ask in asks:
        prefix = len(models.wordpieces.tokenise_query(ask.title, ask.left))
        lengths = [len(tokens) + 2 for tokens in models.wordpieces.tokenise(ask.texts)]
        tokens = prefix + sum(lengths)
        linear = 2 * tokens * (4 * width * width + 2 * width * inner)
        attention = 4 * width * (prefix * prefix + sum(n * (n + prefix) for n in lengths))
        total += layers * (linear + attention) / 1e9
    return round(total / len(asks), 1)


def measure_curves(systems: Mapping[str, Score], seed: int, rounds: int) -> dict[str, Any]:
    """Time some systems over numbers of candidates and lengths of paragraphs: the least milliseconds."""
    ours = (name for name in systems if name.startswith("Rostrum"))
    shown = {*CURVE, *(name for name in ours if not ("float32" in name and "to the end" in name))}
    chosen = {name: score for name, score in systems.items() if name in shown}
    curves: dict[str, Any] = {"candidates": {}, "words": {}}
    for candidates in (10, 30, 100, 300):
        curves["candidates"][candidates] = time_systems(chosen, make_asks(1, candidates, seed), rounds)
    for words in (20, 60, 120):
        curves["words"][words] = time_systems(chosen, make_asks(1, 50, seed, words=words), rounds)
    return curves


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--base", type=Path, required=True, help="sentence-transformers folder of the base")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--candidates", type=int, default=100)
    parser.add_argument("--drafts", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-curves", action="store_true")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    asks = make_asks(options.drafts, options.candidates, options.seed)
    with tempfile.TemporaryDirectory() as folder:
        loaders = list_loaders(options.base, options.models, Path(folder), options.threads)
        systems, starts = load_systems(loaders, asks[0])
        summary = time_systems(systems, asks, options.rounds)
        curves = {} if options.no_curves else measure_curves(systems, options.seed, options.rounds)
        one = list_loaders(
            options.base, options.models, Path(folder), 1, only=[n for n in loaders if "Rostrum" in n]
        )
        single = {} if options.no_curves else time_systems(load_systems(one, asks[0])[0], asks[:1], 2)
    peaks = {name: measure_peak(name, options.threads) for name in ("float32", "bfloat16")}
    models = Models(options.models)
    result = {
        "candidates": options.candidates,
        "drafts": options.drafts,
        "rounds": options.rounds,
        "threads": options.threads,
        "seed": options.seed,
        "load": [round(average, 1) for average in os.getloadavg()],
        "systems": {name: {**summary[name], **starts[name]} for name in systems},
        "one_thread": single,
        "curves": curves,
        "peak_gflops_per_cpu_s": peaks,
        "gflop_per_draft": count_gflop(models, asks),
        "not_run": [] if importlib.util.find_spec("flashrank") else ["FlashRank: not installed"],
    }
    write("peers", {**result, **record_provenance(models, [locate_shipped("samples/speeches.jsonl")])})
    if curves:
        lines = {
            name: [(count, rows[name]["cpu_p50_ms"]) for count, rows in curves["candidates"].items()]
            for name in curves["candidates"][10]
        }
        draw_lines(PLOT, lines, "candidates", "ms of processor time")


if __name__ == "__main__":
    main()
