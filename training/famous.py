"""Train the quote model, so that the text around a gap gets a vector near that of the missing quote.

There are two encoders: one for contexts (the text around a gap) and one for quotes. Stage one trains both.
The negatives of a context are the other quotes of its batch, or a sample of these. Stage two
freezes the encoder of quotes, and trains the encoder of contexts with the whole list of quotes as negatives.
Source: "QuoteR: A Benchmark of Quote Recommendation for Writing" (ACL 2022).
"""

from __future__ import annotations

import json
import random
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

from reranker.models.wordpieces import Ids, join_around_gap
from reranker.pytorch.engine import read_module
from reranker.pytorch.graphs import ContextGraph, EncoderGraph
from training.adapter_files import compute_factors, convert_to_half
from training.job_data import SPLITS
from training.job_recipe import read_job_recipe
from training.job_training import cut_epochs, make_parser, pack_ids, pad, print_point, read_words
from training.loop import Log, Plan, mix_precision, run_phase
from training.token_rows import load_arrays

FIRST_SCALE = 20.0  # of the cosine, as in the encoder's training
FREQUENT = 5  # least number of contexts of a frequent quote
SIDES = ("both", "left", "right")


@dataclass(frozen=True)
class FamousRecipe:
    """Set the hyper-parameters of the quote model's training.

    `epochs` and `rate` apply to stage one, `final_epochs` and `final_rate` to stage two. Stage one compares
    each context with `negatives` sampled quotes of its batch, or with all of them if `negatives` is 0. If
    `further` is true, contexts whose quotes are in no list are used, too. If `only_clean` is true, contexts
    that contain the quote are left out. A side of a context is dropped with probability `drop_side`, because
    a draft may have only one side.
    """

    epochs: int = 12
    final_epochs: int = 10
    batch: int = 256
    rate: float = 1e-3
    final_rate: float = 5e-4
    negatives: int = 0
    further: bool = True
    only_clean: bool = True
    drop_side: float = 0.15
    dropout: float = 0.1
    lora_rank: int = 16
    seed: int = 7


class FamousData:
    """Read contexts (the text on both sides of a quote) and quotes from a file of `training.famous_data`."""

    def __init__(self, path: Path) -> None:
        texts, arrays = load_arrays(path)
        self.left, self.right, self.quotes = texts["left"], texts["right"], texts["quotes"]
        self.further = (texts["further.left"], texts["further.right"], texts["further.quotes"])
        self.quote: NDArray[np.int32] = arrays["quote"]
        self.clean: NDArray[np.bool_] = arrays["clean"]
        self.split: NDArray[np.int8] = arrays["split"]
        cls, gap, sep = (int(number) for number in arrays["special"])
        self.special = (cls, gap, sep)

    def select_rows(self, split: str, *, only_clean: bool = True) -> NDArray[np.int64]:
        """Return the indices of a split's contexts; `only_clean` omits those that contain their quote."""
        chosen = self.split == SPLITS.index(split)
        return np.flatnonzero(chosen & self.clean if only_clean else chosen)

    def read_context(self, row: int, sides: str = "both") -> tuple[Ids, int]:
        """Return the WordPiece ids of a context, and the index of the gap (where the quote was) among them.

        `row` counts the contexts: first those whose quotes are in the list, then the others. `sides` says
        which text around the gap to include: "both", "left" or "right".
        """
        left, right, at = self.left, self.right, row
        if row >= len(self.left):
            left, right, at = self.further[0], self.further[1], row - len(self.left)
        none = np.array([], np.int32)
        before = left[at] if sides != "right" else none
        after = right[at] if sides != "left" else none
        return join_around_gap(before, after, self.special)

    def get_quote(self, row: int) -> int:
        """Return the number of the quote that belongs to the context `row`.

        This is its index in the list of quotes. The further contexts have quotes that are not in the list;
        their numbers begin after the end of the list.
        """
        return int(self.quote[row]) if row < len(self.quote) else len(self.quotes) + row - len(self.quote)

    def pack(self, quote: int) -> Ids:
        """Return the token ids of a quote as `[CLS] quote [SEP]`."""
        ids = self.quotes[quote] if quote < len(self.quotes) else self.further[2][quote - len(self.quotes)]
        return pack_ids(self.special[0], ids, self.special[2])


class ContextEncoder(nn.Module):
    """Encode contexts (the text around a gap) as vectors.

    Also hold `scale`, a trained factor for the cosines of these vectors with those of quotes.
    """

    def __init__(self, graph: ContextGraph, words: Tensor) -> None:
        super().__init__()
        self.graph = graph
        self.scale = nn.Parameter(torch.tensor(FIRST_SCALE))
        self.register_buffer("words", words, persistent=False)

    def forward(self, contexts: Sequence[tuple[Ids, int]]) -> Tensor:
        """Encode contexts as float32 vectors (contexts, width) of length 1.

        A context consists of its token ids and the index of its gap.
        """
        ids, mask = pad([ids for ids, _ in contexts], self.words.device)
        gap = torch.tensor([gap for _, gap in contexts], device=ids.device)
        return self.graph(self.words[ids], mask, gap)[0].float()


class FamousModel(nn.Module):
    """Hold the encoder of contexts (the text around a gap) and the encoder of quotes.

    Each starts as a copy of the shipped encoder.
    """

    def __init__(self, models: Path, dropout: float) -> None:
        super().__init__()
        context, quotes = (read_module(models / "encoder.onnx").trunk for _ in range(2))
        for trunk in (context, quotes):
            for layer in trunk.layers:
                layer.dropout = dropout
        self.context = ContextEncoder(ContextGraph(context), read_words(models))
        self.quotes = EncoderGraph(quotes)

    def encode_quotes(self, texts: Sequence[Ids]) -> Tensor:
        """Encode quotes, given as token ids, as float32 vectors (texts, width) of length 1."""
        ids, mask = pad(texts, self.context.words.device)
        return self.quotes(self.context.words[ids], mask)[0].float()


def compute_stage_one_loss(
    model: FamousModel, data: FamousData, rows: Sequence[int], recipe: FamousRecipe, chance: random.Random
) -> Tensor:
    """Return the loss of stage one, in which the model learns to find the quote that belongs to a context.

    It is the cross-entropy of the right quote among all quotes of the batch. If `recipe.negatives` is set,
    the right quote is compared with a sample of the others.
    """
    numbers = [data.get_quote(row) for row in rows]
    pool = sorted(set(numbers))
    target = torch.tensor([pool.index(number) for number in numbers])
    vectors = model.context(draw_contexts(data, rows, recipe.drop_side, chance))
    scores = model.context.scale * vectors @ model.encode_quotes([data.pack(number) for number in pool]).T
    target = target.to(scores.device)
    if recipe.negatives:
        scores = scores.masked_fill(~draw_columns(target, len(pool), recipe.negatives, chance), float("-inf"))
    return F.cross_entropy(scores, target)


def draw_columns(target: Tensor, columns: int, count: int, chance: random.Random) -> Tensor:
    """Choose the quotes to compare with each context: its own quote, and `count` random quotes of the batch.

    Return a bool mask (contexts, columns) that is true for the chosen quotes. Each column is a quote of the
    batch. `target` has, for each context, the column of its own quote.
    """
    noise = torch.rand(len(target), columns, generator=torch.Generator().manual_seed(chance.getrandbits(62)))
    noise[torch.arange(len(target)), target.cpu()] = 2.0
    kept = noise.topk(min(1 + count, columns), dim=1).indices
    return torch.zeros(len(target), columns, dtype=torch.bool).scatter_(1, kept, value=True).to(target.device)


def draw_contexts(
    data: FamousData, rows: Sequence[int], drop_side: float, chance: random.Random
) -> list[tuple[Ids, int]]:
    """Return the contexts of `rows`: for each, the token ids and the index of the gap.

    With probability `drop_side`, either the text before the gap or the text after it is left out.
    """
    weights = (
        1 - drop_side,
        drop_side * 0.7,
        drop_side * 0.3,
    )  # drafts without a right side are the more common
    return [data.read_context(row, chance.choices(SIDES, weights)[0]) for row in rows]


def train(
    data: FamousData, model: FamousModel, recipe: FamousRecipe, out: Path, log: Log, steps: int | None = None
) -> None:
    """Train the model in two stages of at most `steps` steps each, and write their checkpoints to `out`."""
    listed = data.select_rows("train", only_clean=recipe.only_clean).tolist()
    further = list(range(len(data.left), len(data.left) + len(data.further[0]))) if recipe.further else []
    order = cut_epochs(listed + further, recipe.epochs, recipe.batch, recipe.seed)[:steps]

    def compute_first(step: int) -> Tensor:
        return compute_stage_one_loss(
            model, data, order[step], recipe, random.Random(f"{recipe.seed} {step}")
        )

    run_phase(
        "famous-one",
        model,
        compute_first,
        Plan(len(order), recipe.rate, recipe.lora_rank, recipe.seed),
        out,
        log,
    )
    listed_vectors = encode_list(model, data)
    order_two = cut_epochs(listed, recipe.final_epochs, recipe.batch, recipe.seed + 1)[:steps]

    def compute_second(step: int) -> Tensor:
        chance = random.Random(f"{recipe.seed} two {step}")
        vectors = model.context(draw_contexts(data, order_two[step], recipe.drop_side, chance))
        target = torch.tensor([data.get_quote(row) for row in order_two[step]], device=vectors.device)
        return F.cross_entropy(model.context.scale * vectors @ listed_vectors.T, target)

    plan = Plan(len(order_two), recipe.final_rate, recipe.lora_rank, recipe.seed + 1)
    run_phase("famous-two", model.context, compute_second, plan, out, log)


@torch.no_grad()
def encode_list(model: FamousModel, data: FamousData, batch: int = 1024) -> Tensor:
    """Return the vectors (quotes, width) of all quotes in the list."""
    model.eval()
    device = model.context.words.device
    with mix_precision(device.type):
        parts = [
            model.encode_quotes([data.pack(q) for q in range(at, min(at + batch, len(data.quotes)))])
            for at in range(0, len(data.quotes), batch)
        ]
    return torch.cat(parts)


@torch.no_grad()
def rank_quotes(
    model: FamousModel, data: FamousData, rows: Sequence[int], sides: str, among: Tensor, quotes: Tensor
) -> list[int]:
    """Rank certain quotes for each context, and return the rank of the context's own quote, from 1.

    `among` has the numbers of the quotes to rank, `quotes` the vectors of all quotes.
    """
    model.eval()
    ranks: list[int] = []
    for at in range(0, len(rows), 512):
        batch = rows[at : at + 512]
        with mix_precision(quotes.device.type):
            vectors = model.context([data.read_context(row, sides) for row in batch])
        scores = vectors @ quotes[among].T
        own = torch.tensor([data.get_quote(row) for row in batch], device=quotes.device)
        gold = (vectors * quotes[own]).sum(-1, keepdim=True)
        others = among[None] != own[:, None]
        ranks += (1 + ((scores > gold) & others).sum(1)).tolist()
    return ranks


def summarise(ranks: Sequence[int]) -> dict[str, float]:
    """Return MRR, NDCG@5, recall at 1, 10 and 100 in percent, and median, mean and standard deviation of
    ranks.

    `ranks` has the rank of the right quote for each context.

    >>> summary = summarise([1, 2])
    >>> summary["mrr"], summary["r@1"], summary["median"]
    (0.75, 50.0, 1.5)
    """
    if not ranks:
        return {"n": 0}
    values = np.array(ranks, float)
    gain = np.where(values <= 5, 1 / np.log2(1 + values), 0.0)
    recalls = {f"r@{k}": round(100 * float((values <= k).mean()), 2) for k in (1, 10, 100)}
    return {
        "n": len(ranks),
        "mrr": round(float((1 / values).mean()), 4),
        "ndcg@5": round(float(gain.mean()), 4),
        **recalls,
        "median": float(np.median(values)),
        "mean": round(float(values.mean()), 1),
        "deviation": round(float(values.std()), 1),
    }


def evaluate(model: FamousModel, data: FamousData, *, limit: int | None = None) -> dict[str, Any]:
    """Return figures and ranks for the splits dev and test: among all quotes, and among frequent quotes only.

    Each context is ranked with both sides, with the left side alone, and with the right side alone. A
    frequent quote has at least `FREQUENT` contexts. `limit` is the largest number of contexts in a split.
    """
    quotes = encode_list(model, data)
    counts = np.bincount(data.quote[data.clean], minlength=len(data.quotes))
    seen = np.bincount(data.quote[data.select_rows("train", only_clean=False)], minlength=len(data.quotes))
    whole = torch.arange(len(data.quotes), device=quotes.device)
    frequent = torch.from_numpy(np.flatnonzero(counts >= FREQUENT)).to(quotes.device)
    figures: dict[str, Any] = {"quotes": len(whole), "frequent quotes": len(frequent)}
    for split in ("dev", "test"):
        rows = data.select_rows(split)[:limit].tolist()
        often = [row for row in rows if counts[data.quote[row]] >= FREQUENT]
        unseen = np.array([seen[data.quote[row]] == 0 for row in rows])
        for sides in SIDES:
            ranks = rank_quotes(model, data, rows, sides, whole, quotes)
            name = f"{split} {sides}"
            figures[name] = summarise(ranks)
            figures[f"{name} unseen"] = summarise([r for r, new in zip(ranks, unseen, strict=True) if new])
            among = rank_quotes(model, data, often, sides, frequent, quotes)
            figures[f"{name} frequent"] = summarise(among)
            figures[f"{name} ranks"] = ranks
            figures[f"{name} frequent ranks"] = among
    return figures


def save(model: FamousModel, models: Path, recipe: FamousRecipe, out: Path) -> None:
    """Write the trained weights in fp16 to the file `famous.safetensors` in the folder `out`.

    The file has low-rank factors of the changes to both encoders, the weight of `at_gap`, and the scale.
    """
    base = read_module(models / "encoder.onnx").trunk
    context = compute_factors(base, model.context.graph.trunk, 2 * recipe.lora_rank or 32)
    quotes = compute_factors(base, model.quotes.trunk, recipe.lora_rank or 32)
    tensors = {f"context.{name}": value for name, value in context.items()}
    tensors |= {f"quotes.{name}": value for name, value in quotes.items()}
    tensors["at_gap.weight"] = model.context.graph.at_gap.weight
    tensors["scale"] = model.context.scale
    save_file(convert_to_half(tensors), out / "famous.safetensors")


def main() -> None:
    """Read the command line, train, evaluate and save."""
    options = make_parser(__doc__, "famous").parse_args()
    recipe = read_job_recipe(FamousRecipe, options.recipe, options.set)
    options.out.mkdir(parents=True, exist_ok=True)
    data = FamousData(options.data)
    torch.manual_seed(recipe.seed)
    model = FamousModel(options.models, recipe.dropout).to(options.device)
    limit = options.steps and 16 * options.steps
    begun = evaluate(model, data, limit=limit)
    train(data, model, recipe, options.out, print_point, options.steps)
    figures = {"recipe": asdict(recipe), "untrained": begun, "trained": evaluate(model, data, limit=limit)}
    (options.out / "famous.json").write_text(json.dumps(figures, indent=1), "utf-8")
    save(model, options.models, recipe, options.out)


if __name__ == "__main__":
    main()
