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

from benchmarks.baselines.full_attention import FullAttention, ranker_loss, span_loss
from benchmarks.baselines.full_graph import WORDS, computed_by_torch, export, load
from benchmarks.baselines.runs import RunRow, make, parser, trained_on
from evaluation.data import NEWS
from evaluation.pairs import Pair
from quotations.transcript import Transcript
from reranker.models.engines import Engine
from reranker.models.ranker import Ranker
from reranker.models.weights import hash_file
from reranker.models.wordpieces import WordPieces
from training.encoder import plan_epochs
from training.groups import Group, GroupData, Quoted, label_tokens
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
    "paragraph": Recipe(ranker_loss, cuts=False, negatives=12, batch=32, rate=2e-5),
    "positive-only": Recipe(span_loss, cuts=True, negatives=0, batch=32, rate=3e-5),
    "shared-norm": Recipe(span_loss, cuts=True, negatives=9, batch=16, rate=3e-5),
}


def started(base: Path, layers: int, dropout: float, encoder: Path | None) -> FullAttention:
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

    def loss(step: int) -> Tensor:
        chance = random.Random(f"{recipe.seed} {step}")
        return recipe.loss(model, [news.group(news.rows[i], recipe.negatives, chance) for i in order[step]])

    run_phase(f"{name}-news", model, loss, Plan(len(order), recipe.rate, seed=recipe.seed), out, log)


def train(name: str, model: FullAttention, aligned: GroupData, out: Path, recipe: Recipe, log: Log) -> None:
    """Train the model on the pairs; write its checkpoints under `name` to `out`."""
    drafts = [row for row in aligned.rows if not recipe.cuts or has_span(row, aligned)]
    order = plan_epochs(len(drafts), recipe.epochs, recipe.batch, recipe.seed)

    def loss(step: int) -> Tensor:
        chance = random.Random(f"{recipe.seed} {step}")
        return recipe.loss(model, [aligned.group(drafts[i], recipe.negatives, chance) for i in order[step]])

    run_phase(name, model, loss, Plan(len(order), recipe.rate, seed=recipe.seed), out, log)


def has_span(row: Quoted, aligned: GroupData) -> bool:
    """Return whether any WordPiece of the paragraph overlaps the quote."""
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
                spans = tuple(each.span for each in ranked)
                yield RunRow(pair, np.array([span.score for span in spans]), spans)
            else:
                yield RunRow(pair, np.array([each.score for each in ranked]))


def trained(name: str, recipe: Recipe, given: argparse.Namespace, pieces: WordPieces) -> FullAttention:
    """Return the model of that name; train it first if it is missing."""
    given.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(recipe.seed)
    model = started(given.base, given.layers, recipe.dropout, given.encoder).to(given.device)
    if not load_finished(name, model, given.out):
        if recipe.news_rows:
            news = NewsGroups(given.data, pieces, recipe.news_rows, recipe.seed)
            train_on_news(name, model, news, given.out, recipe, print)
        train(name, model, GroupData(given.data, "train", pieces), given.out, recipe, print)
    return model.eval()


def ranker_of(name: str, recipe: Recipe, given: argparse.Namespace) -> Ranker:
    """Return the trained model of that name as the product's `Ranker`."""
    pieces, folder = WordPieces(given.base / "tokenizer.json"), given.out / name
    if given.engine == "torch":
        engine = Engine("torch", given.precision, device=given.device)
        return computed_by_torch(trained(name, recipe, given, pieces), pieces, engine)
    if not (folder / WORDS).exists():  # written last
        export(trained(name, recipe, given, pieces).cpu(), folder)
    return load(folder, pieces, Engine(given.engine, given.precision))


def made_from(recipe: Recipe, given: argparse.Namespace) -> dict[str, Any]:
    """Return the inputs of the model: recipe, starting point, and data."""
    values = {name: value for name, value in vars(recipe).items() if name != "loss"}
    if given.name:
        values["layers"] = given.layers  # implied by the usual name
    if recipe.news_rows:
        values["news"] = hash_file(given.data / NEWS)
    else:
        del values["news_rows"]  # as models were begun before there was a choice
    encoder = None if given.encoder is None else hash_file(given.encoder)
    base, tokenizer = (hash_file(given.base / name) for name in ("model.safetensors", "tokenizer.json"))
    return {
        "recipe": values, "base": base, "tokenizer": tokenizer, "encoder": encoder, **trained_on(given.data)
    }  # fmt: skip


def options() -> argparse.ArgumentParser:
    """Define the options of the script."""
    options = parser(__doc__)
    options.add_argument("system", choices=list(RECIPES))
    options.add_argument("--base", type=Path, required=True, help="Hugging Face BERT folder")
    options.add_argument("--encoder", type=Path, help="weights of a trained encoder to start from")
    options.add_argument("--layers", type=int, default=6, help="of the base, the lowest ones")
    options.add_argument("--rate", type=float, help="peak learning rate, where not the paper's")
    options.add_argument("--epochs", type=int, help="where not the paper's 4")
    options.add_argument("--negatives", type=int, help="in a group, where not the paper's")
    options.add_argument("--batch", type=int, help="groups in a step, where not the paper's")
    options.add_argument(
        "--news-rows", type=int, help="news quotations that are learned first; default: none"
    )
    options.add_argument("--name", help="of the run, if there are several of a system; default: of its parts")
    options.add_argument("--seed", type=int, default=7)
    options.add_argument("--device", default="cpu", choices=["cpu", "cuda"], help="what torch computes on")
    options.add_argument("--out", type=Path, required=True, help="folder of checkpoints and graphs")
    options.add_argument("--engine", default="onnxruntime", choices=["onnxruntime", "openvino", "torch"])
    options.add_argument(
        "--precision", default="float32", choices=["float32", "bfloat16"], help="bfloat16: openvino's"
    )
    return options


def main() -> None:
    """Run the command line of the script."""
    arguments = options()
    given = arguments.parse_args()
    if given.engine == "torch" and given.precision != "float32":
        arguments.error("torch makes runs in float32")
    if given.news_rows and not (given.data / NEWS).exists():
        arguments.error(f"there is no {NEWS} in {given.data} to learn from")
    changed = {each: value for each in CHANGEABLE if (value := getattr(given, each)) is not None}
    recipe = replace(RECIPES[given.system], seed=given.seed, **changed)
    name = given.name or f"{given.system}-{given.layers}-{'encoder' if given.encoder else 'base'}"
    made_of = made_from(recipe, given)
    claim(given.out / f"{name}@{given.seed}.json", made_of)
    ranker = ranker_of(f"{name}@{given.seed}", recipe, given)
    pieces = WordPieces(given.base / "tokenizer.json")
    computed = {"engine": given.engine, "precision": given.precision}
    if given.engine == "torch":
        computed["device"] = given.device
        if TF32 in os.environ:
            computed[TF32] = os.environ[TF32]
    make(given, name, BertSystem(ranker, pieces, cuts=recipe.cuts), {**made_of, **computed}, given.seed)


if __name__ == "__main__":
    main()
