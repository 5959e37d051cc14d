"""Train the encoder of quotations, which gives a printed quotation and the spoken words similar vectors.

If a quotation says something else than the spoken words, the two vectors should be far apart.

Stage one is contrastive, with a two-layer projection. The spoken words are the anchor and the printed
quotation its positive; distorted quotations and other quotations of the article are hard negatives. Stage two
trains a classifier together with the encoder. The classifier reads (u, v, |u - v|, u * v), where u and v are
the vectors of quotation and spoken words.

Source: "Detecting Contextomized Quotes in News Headlines by Contrastive Learning" (EACL Findings 2023).
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import Tensor, nn
from torch.nn import functional as F

from reranker.models.wordpieces import Ids
from reranker.pytorch.engine import read_module
from reranker.pytorch.graphs import EncoderGraph, PairGraph
from training.adapter_files import compute_factors, convert_to_half
from training.job_data import SPLITS
from training.job_recipe import read_job_recipe
from training.job_training import cut_epochs, make_parser, pack_ids, pad, print_point, read_words
from training.loop import Log, Plan, mix_precision, run_phase
from training.quote_data import KINDS
from training.token_rows import load_arrays


@dataclass(frozen=True)
class QuoteRecipe:
    """Set the hyper-parameters of the quotation model's training.

    `epochs` and `rate` apply to the contrastive stage, `final_epochs` and `final_rate` to the classifier's.
    Without `hard_negatives`, the contrastive stage compares only with the other rows of a batch.
    """

    epochs: int = 8
    batch: int = 128
    rate: float = 1e-3
    temperature: float = 0.05
    hard_negatives: bool = True
    final_epochs: int = 12
    final_rate: float = 7e-4
    dropout: float = 0.1
    lora_rank: int = 16
    seed: int = 7


class QuoteData:
    """Read printed quotations, sources (the spoken words) and distorted quotations from a file that
    `training.quote_data` wrote.
    """

    def __init__(self, path: Path) -> None:
        texts, arrays = load_arrays(path)
        self.quotes, self.sources, self.distorted = texts["quotes"], texts["sources"], texts["distorted"]
        self.split: NDArray[np.int8] = arrays["split"]
        self.exact: NDArray[np.bool_] = arrays["exact"]
        self.of_row: NDArray[np.int32] = arrays["distorted_of"]
        self.kind: NDArray[np.int8] = arrays["kind"]
        self.cls, self.sep = (int(item) for item in arrays["special"])
        self.having: dict[int, list[int]] = defaultdict(list)
        for at, row in enumerate(self.of_row.tolist()):
            self.having[row].append(at)
        self.article: NDArray[np.int32] = arrays["article"]
        self.of_article: dict[int, list[int]] = defaultdict(list)
        for row, article in enumerate(self.article.tolist()):
            self.of_article[article].append(row)

    def select_rows(self, split: str) -> list[int]:
        """Return the indices of the quotations of a split: "train", "dev" or "test"."""
        return np.flatnonzero(self.split == SPLITS.index(split)).tolist()

    def pack(self, ids: Ids) -> Ids:
        """Return the token ids of a text as `[CLS] ids [SEP]`."""
        return pack_ids(self.cls, ids, self.sep)


class QuoteModel(nn.Module):
    """Combine an encoder, the projection of the contrastive stage, and the classifier of quotations.

    The classifier reads the vectors of a quotation and of the words that were spoken.
    """

    def __init__(self, models: Path, dropout: float) -> None:
        super().__init__()
        trunk = read_module(models / "encoder.onnx").trunk
        for layer in trunk.layers:
            layer.dropout = dropout
        width = trunk.shape.width
        self.encoder, self.pair = EncoderGraph(trunk), PairGraph(width)
        self.projection = nn.Sequential(nn.Linear(width, width), nn.Tanh(), nn.Linear(width, width))
        self.register_buffer("words", read_words(models), persistent=False)

    def encode(self, texts: Sequence[Ids]) -> Tensor:
        """Encode texts, given as token ids, as float32 vectors (texts, width) of length 1."""
        ids, mask = pad(texts, self.words.device)
        return self.encoder(self.words[ids], mask)[0].float()


def compute_contrast(
    model: QuoteModel, data: QuoteData, rows: Sequence[int], recipe: QuoteRecipe, chance: random.Random
) -> Tensor:
    """Return the contrastive loss InfoNCE of the rows' spoken words against the rows' printed quotations.

    With hard negatives, the spoken words are also compared with distorted quotations, and with other
    quotations of the same articles.
    """
    candidates = [data.quotes[row] for row in rows]
    owners = list(range(len(rows)))
    if recipe.hard_negatives:
        for at, row in enumerate(rows):
            for number in data.having[row][:2]:
                candidates.append(data.distorted[number])
                owners.append(at)
            others = [other for other in data.of_article[int(data.article[row])] if other not in rows]
            if others:
                candidates.append(data.quotes[chance.choice(others)])
                owners.append(-1)
    vectors = model.encode([data.pack(ids) for ids in [*data.sources.take(rows), *candidates]])
    projected = F.normalize(model.projection(vectors).float(), dim=-1)
    scores = projected[: len(rows)] @ projected[len(rows) :].T / recipe.temperature
    return F.cross_entropy(scores, torch.arange(len(rows), device=scores.device))


def classify(model: QuoteModel, quotes: Sequence[Ids], sources: Sequence[Ids]) -> Tensor:
    """Return the log odds (pairs,) that each quotation differs in meaning from its source.

    A source is the spoken words that are quoted.
    """
    vectors = model.encode([*quotes, *sources])
    return model.pair(vectors[: len(quotes)], vectors[len(quotes) :])[0]


def train(
    data: QuoteData, model: QuoteModel, recipe: QuoteRecipe, out: Path, log: Log, steps: int | None = None
) -> None:
    """Train the model in both stages, contrastive and classifier, each for at most `steps` steps."""
    rows = data.select_rows("train")
    order = cut_epochs(rows, recipe.epochs, recipe.batch, recipe.seed)[:steps]

    def compute_first(step: int) -> Tensor:
        return compute_contrast(model, data, order[step], recipe, random.Random(f"{recipe.seed} {step}"))

    run_phase(
        "quotes-one",
        model,
        compute_first,
        Plan(len(order), recipe.rate, recipe.lora_rank, recipe.seed),
        out,
        log,
    )
    last = cut_epochs(rows, recipe.final_epochs, recipe.batch, recipe.seed + 1)[:steps]

    def compute_second(step: int) -> Tensor:
        chance = random.Random(f"{recipe.seed} two {step}")
        quotes = [data.pack(data.quotes[row]) for row in last[step]]
        sources = [data.pack(data.sources[row]) for row in last[step]]
        bad = [row for row in last[step] if data.having[row]]
        quotes += [data.pack(data.distorted[chance.choice(data.having[row])]) for row in bad]
        sources += [data.pack(data.sources[row]) for row in bad]
        labels = [0.0] * len(last[step]) + [1.0] * len(bad)
        odds = classify(model, quotes, sources)
        return F.binary_cross_entropy_with_logits(odds, torch.tensor(labels, device=odds.device))

    plan = Plan(len(last), recipe.final_rate, recipe.lora_rank, recipe.seed + 1)
    run_phase("quotes-two", model, compute_second, plan, out, log)


def compute_auc(scores: NDArray[np.float64], labels: NDArray[np.bool_]) -> float | None:
    """Return the area under the ROC curve, 0 to 1; `None` if there is no positive or no negative.

    This is the share of pairs (positive, negative) in which the positive has the higher score. Ties count
    half.

    >>> compute_auc(np.array([0.1, 0.4, 0.4]), np.array([False, True, False]))
    0.75
    """
    positive, negative = scores[labels], np.sort(scores[~labels])
    if not len(positive) or not len(negative):
        return None
    below = np.searchsorted(negative, positive, "left") + np.searchsorted(negative, positive, "right")
    return round(float(below.sum() / (2 * len(positive) * len(negative))), 4)


@torch.no_grad()
def evaluate(model: QuoteModel, data: QuoteData, limit: int | None = None) -> dict[str, Any]:
    """Measure how well the model separates distorted quotations from honest ones, by kind of distortion.

    The figures are areas under the ROC curve of two scores: the classifier's score, and the cosine between
    quotation and source.
    """
    model.eval()
    figures: dict[str, Any] = {}
    for split in ("dev", "test"):
        rows = data.select_rows(split)[:limit]
        bad = [number for row in rows for number in data.having[row]]
        quotes = data.quotes.take(rows) + data.distorted.take(bad)
        sources = data.sources.take(rows) + data.sources.take(data.of_row[bad].tolist())
        odds, cosine = [], []
        for at in range(0, len(quotes), 512):
            batch = [[data.pack(ids) for ids in item[at : at + 512]] for item in (quotes, sources)]
            with mix_precision(model.words.device.type):
                u, v = model.encode(batch[0]), model.encode(batch[1])
            odds += model.pair(u, v)[0].float().cpu().tolist()
            cosine += (u * v).sum(-1).cpu().tolist()
        labels = np.arange(len(quotes)) >= len(rows)
        kinds = np.concatenate([np.full(len(rows), -1), data.kind[bad]])
        edited = np.concatenate([~data.exact[rows], np.zeros(len(bad), bool)]) | labels
        for name, scores in (("classifier", np.array(odds)), ("cosine", -np.array(cosine))):
            row: dict[str, float | None] = {
                "n": len(rows),
                "distorted": len(bad),
                "auc": compute_auc(scores, labels),
            }
            row["auc against edited"] = compute_auc(scores[edited], labels[edited])
            for at, kind in enumerate(KINDS):
                chosen = (kinds == -1) | (kinds == at)
                row[f"auc {kind}"] = compute_auc(scores[chosen], labels[chosen])
            figures[f"{split} {name}"] = row
        figures[f"{split} odds"] = [round(value, 3) for value in odds]
    return figures


def save(model: QuoteModel, models: Path, recipe: QuoteRecipe, out: Path) -> None:
    """Write the trained model to `quotes.safetensors`, in fp16.

    The file has the classifier and, for each matrix of the encoder, the change by training as two low-rank
    factors.
    """
    base = read_module(models / "encoder.onnx").trunk
    factors = compute_factors(base, model.encoder.trunk, 2 * recipe.lora_rank or 32)
    tensors = {f"trunk.{name}": value for name, value in factors.items()}
    tensors |= model.pair.state_dict()
    save_file(convert_to_half(tensors), out / "quotes.safetensors")


def main() -> None:
    """Train the encoder of quotations as the command line says, evaluate it before and after, and save it."""
    options = make_parser(__doc__, "quotes").parse_args()
    recipe = read_job_recipe(QuoteRecipe, options.recipe, options.set)
    options.out.mkdir(parents=True, exist_ok=True)
    data = QuoteData(options.data)
    torch.manual_seed(recipe.seed)
    model = QuoteModel(options.models, recipe.dropout).to(options.device)
    limit = options.steps and 16 * options.steps
    begun = evaluate(model, data, limit)
    train(data, model, recipe, options.out, print_point, options.steps)
    figures = {"recipe": asdict(recipe), "untrained": begun, "trained": evaluate(model, data, limit)}
    (options.out / "quotes.json").write_text(json.dumps(figures, indent=1), "utf-8")
    save(model, options.models, recipe, options.out)


if __name__ == "__main__":
    main()
