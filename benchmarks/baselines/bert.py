"""Train one of the paper's BERTs with full attention, and make its run.

    python -m benchmarks.baselines.bert paragraph --data DATA --base BERT_FOLDER --out OUT --runs RUNS

`paragraph` is the paragraph ranker. `positive-only` and `shared-norm` are the span predictors, which rank
by the score of their best span. With `--encoder` it starts from the same trunk as the product's ranker,
otherwise from the BERT folder. With `--news-rows` it learns from that many news quotations before the pairs,
as the product's ranker does. An interrupted training or run resumes where it stopped.
"""

from __future__ import annotations

import argparse
import os
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from benchmarks.baselines.full_attention import FullAttention, compute_ranker_loss, compute_span_loss
from benchmarks.baselines.full_graph import WORDS, export, load, wrap_module
from benchmarks.baselines.runs import RunRow, hash_training_files, make, make_parser
from evaluation.data import NEWS
from evaluation.pairs import Pair
from quotations.text.transcript import Transcript
from reranker.models.engines import Engine
from reranker.models.ranker import Ranker
from reranker.models.weights import hash_file
from reranker.models.wordpieces import WordPieces
from training.encoder import plan_epochs
from training.groups import Group, GroupData, QuotedDraft, label_tokens
from training.loop import Log, Plan, load_finished, read_tensors, run_phase
from training.news_groups import NewsGroups
from training.run_settings import claim

Loss = Callable[[FullAttention, Sequence[Group]], Tensor]


@dataclass(frozen=True)
class Recipe:
    """Set the data and length of a training; defaults are the paper's best, by its section on the
    experiments.

    `negatives` are sampled uniformly from the transcript; with `cuts`, spans are learned.
    """

    loss: Loss
    cuts: bool
    negatives: int
    batch: int
    rate: float
    epochs: int = 4
    news_rows: int = 0
    dropout: float = 0.1
    seed: int = 7


TF32 = "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE"
"""Set this variable to 1 to let torch multiply float32 in TF32 on a GPU."""

CHANGEABLE = ("rate", "epochs", "negatives", "batch", "news_rows")
RECIPES = {
    "paragraph": Recipe(compute_ranker_loss, cuts=False, negatives=12, batch=32, rate=2e-5),
    "positive-only": Recipe(compute_span_loss, cuts=True, negatives=0, batch=32, rate=3e-5),
    "shared-norm": Recipe(compute_span_loss, cuts=True, negatives=9, batch=16, rate=3e-5),
}


def create_model(base: Path, layers: int, dropout: float, encoder: Path | None) -> FullAttention:
    """Create a model with new heads on the lowest layers of `base`, or of a trained encoder."""
    model = FullAttention(base, layers, WordPieces(base / "tokenizer.json").body_start, dropout)
    if encoder is not None:
        wanted = model.encoder.state_dict()
        model.encoder.load_state_dict({n: v for n, v in read_tensors(encoder).items() if n in wanted})
    return model


def train_on_news(
    name: str, model: FullAttention, news: NewsGroups, out: Path, recipe: Recipe, log: Log
) -> None:
    """Train the model for one epoch on paragraphs composed of news quotations."""
    order = plan_epochs(len(news.rows), 1, recipe.batch, recipe.seed)

    def compute_loss(step: int) -> Tensor:
        chance = random.Random(f"{recipe.seed} {step}")
        return recipe.loss(model, [news.group(news.rows[i], recipe.negatives, chance) for i in order[step]])

    run_phase(f"{name}-news", model, compute_loss, Plan(len(order), recipe.rate, seed=recipe.seed), out, log)


def train(name: str, model: FullAttention, aligned: GroupData, out: Path, recipe: Recipe, log: Log) -> None:
    """Train the model on the pairs; write its checkpoints under `name` to `out`."""
    drafts = [row for row in aligned.rows if not recipe.cuts or has_span(row, aligned)]
    order = plan_epochs(len(drafts), recipe.epochs, recipe.batch, recipe.seed)

    def compute_loss(step: int) -> Tensor:
        chance = random.Random(f"{recipe.seed} {step}")
        return recipe.loss(model, [aligned.group(drafts[i], recipe.negatives, chance) for i in order[step]])

    run_phase(name, model, compute_loss, Plan(len(order), recipe.rate, seed=recipe.seed), out, log)


def has_span(row: QuotedDraft, aligned: GroupData) -> bool:
    """Return whether at least one WordPiece of the paragraph overlaps the quote."""
    return label_tokens(aligned.tokens[row.document][row.ordinal], row.start_char, row.end_char)[1] >= 0


class BertSystem:
    """Score with an exported model; if it `cuts`, also return spans, and rank by the spans' scores."""

    def __init__(self, ranker: Ranker, pieces: WordPieces, *, cuts: bool) -> None:
        self.ranker, self.pieces, self.cuts = ranker, pieces, cuts

    def __call__(self, transcript: Transcript, drafts: Sequence[Pair]) -> Iterator[RunRow]:
        """Yield a row for each draft."""
        texts = list(transcript.paragraphs)
        tokens = self.pieces.tokenise(texts)
        for pair in drafts:
            ranked = self.ranker.rank(self.pieces.tokenise_query(pair.title, pair.left), texts, tokens)
            if self.cuts:
                spans = tuple(result.span for result in ranked)
                yield RunRow(pair, np.array([span.score for span in spans]), spans)
            else:
                yield RunRow(pair, np.array([result.score for result in ranked]))


def load_trained(name: str, recipe: Recipe, options: argparse.Namespace, pieces: WordPieces) -> FullAttention:
    """Return the model of that name; train it first if it is missing."""
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    model = create_model(options.base, options.layers, recipe.dropout, options.encoder).to(options.device)
    if not load_finished(name, model, options.out):
        if recipe.news_rows:
            news = NewsGroups(options.data, pieces, recipe.news_rows, recipe.seed)
            train_on_news(name, model, news, options.out, recipe, print)
        train(name, model, GroupData(options.data, "train", pieces), options.out, recipe, print)
    return model.eval()


def make_ranker(name: str, recipe: Recipe, options: argparse.Namespace) -> Ranker:
    """Return the trained model of that name as the product's `Ranker`."""
    pieces, folder = WordPieces(options.base / "tokenizer.json"), options.out / name
    if options.engine == "torch":
        engine = Engine("torch", options.precision, device=options.device)
        return wrap_module(load_trained(name, recipe, options, pieces), pieces, engine)
    if not (folder / WORDS).exists():  # written last
        export(load_trained(name, recipe, options, pieces).cpu(), folder)
    return load(folder, pieces, Engine(options.engine, options.precision))


def describe_inputs(recipe: Recipe, options: argparse.Namespace) -> dict[str, Any]:
    """Return the inputs of the model: recipe, starting point, and data."""
    values = {name: value for name, value in vars(recipe).items() if name != "loss"}
    if options.name:
        values["layers"] = options.layers  # implied by the usual name
    if recipe.news_rows:
        values["news"] = hash_file(options.data / NEWS)
    else:
        del values["news_rows"]  # as models were begun before there was a choice
    encoder = None if options.encoder is None else hash_file(options.encoder)
    base, tokenizer = (hash_file(options.base / name) for name in ("model.safetensors", "tokenizer.json"))
    return {
        "recipe": values,
        "base": base,
        "tokenizer": tokenizer,
        "encoder": encoder,
        **hash_training_files(options.data),
    }


def define_options() -> argparse.ArgumentParser:
    """Define the options of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("system", choices=list(RECIPES))
    parser.add_argument("--base", type=Path, required=True, help="Hugging Face BERT folder")
    parser.add_argument("--encoder", type=Path, help="weights of a trained encoder to start from")
    parser.add_argument("--layers", type=int, default=6, help="of the base, the lowest ones")
    parser.add_argument("--rate", type=float, help="peak learning rate, where not the paper's")
    parser.add_argument("--epochs", type=int, help="where not the paper's 4")
    parser.add_argument("--negatives", type=int, help="in a group, where not the paper's")
    parser.add_argument("--batch", type=int, help="groups in a step, where not the paper's")
    parser.add_argument("--news-rows", type=int, help="news quotations that are learned first; default: none")
    parser.add_argument("--name", help="of the run, if there are several of a system; default: of its parts")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"], help="what torch computes on")
    parser.add_argument("--out", type=Path, required=True, help="folder of checkpoints and graphs")
    parser.add_argument("--engine", default="onnxruntime", choices=["onnxruntime", "openvino", "torch"])
    parser.add_argument(
        "--precision", default="float32", choices=["float32", "bfloat16"], help="bfloat16: openvino's"
    )
    return parser


def main() -> None:
    """Run the command line of the script."""
    arguments = define_options()
    chosen = arguments.parse_args()
    if chosen.engine == "torch" and chosen.precision != "float32":
        arguments.error("torch makes runs in float32")
    if chosen.news_rows and not (chosen.data / NEWS).exists():
        arguments.error(f"there is no {NEWS} in {chosen.data} to learn from")
    changed = {field: value for field in CHANGEABLE if (value := getattr(chosen, field)) is not None}
    recipe = replace(RECIPES[chosen.system], seed=chosen.seed, **changed)
    name = chosen.name or f"{chosen.system}-{chosen.layers}-{'encoder' if chosen.encoder else 'base'}"
    made_of = describe_inputs(recipe, chosen)
    claim(chosen.out / f"{name}@{chosen.seed}.json", made_of)
    ranker = make_ranker(f"{name}@{chosen.seed}", recipe, chosen)
    pieces = WordPieces(chosen.base / "tokenizer.json")
    computed = {"engine": chosen.engine, "precision": chosen.precision}
    if chosen.engine == "torch":
        computed["device"] = chosen.device
        if TF32 in os.environ:
            computed[TF32] = os.environ[TF32]
    make(chosen, name, BertSystem(ranker, pieces, cuts=recipe.cuts), {**made_of, **computed}, chosen.seed)


if __name__ == "__main__":
    main()
