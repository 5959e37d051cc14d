"""Train the early head of a ranker, which predicts a paragraph's final score from the hidden states of a
lower layer.

    python -m training.early --data early.npz --models models --out runs/early --device cuda
    python -m training.export_jobs early --trained runs/early --models models

With these predictions, Rostrum runs only the most promising paragraphs through all layers. The ranker's
layers are not changed. A candidate is a paragraph that a draft may quote. For every candidate and layer, the
hidden state at [CLS] and the mean hidden state are computed once. One head per layer learns the ranker's own
scores from these states. The loss has two terms: the cross-entropy of the softmax over a draft's candidates,
and the difference between estimates and scores. The second term is needed because Rostrum gives an estimate
the same weight as a score. The head of `--layer` is written to `--out`, and the head of every layer to a
folder of its own, such as `layer-1`.

Source: distillation to early exits as in "FastBERT: a Self-distilling BERT with Adaptive Inference Time" (ACL
2020). There easy inputs leave early; here candidates that are unlikely to win do.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save_file
from torch import Tensor, nn
from torch.nn import functional as F

from reranker.models.batches import split_batches
from reranker.models.files import EARLY
from reranker.models.wordpieces import PARAGRAPH_POSITION, Ids
from reranker.pytorch.engine import read_module
from reranker.pytorch.graphs import PARAGRAPH_KIND, QUERY_KIND, EarlyHead, ParagraphGraph
from reranker.pytorch.trunk import KeysValues, Layer, Trunk, average_direction
from training.adapter_files import convert_to_half
from training.job_data import SPLITS
from training.job_training import pad, read_words
from training.loop import mix_precision
from training.token_rows import TokenRows, load_arrays

DRAFTS = 16  # whose candidates are read at once
PASS_TOKENS = {"cpu": 4096, "cuda": 98_304}
KEPT = (10, 15, 20, 25, 30)
"""Numbers of candidates that run through all layers, for the report."""


@dataclass(frozen=True)
class EarlyRecipe:
    """Set the hyper-parameters of the early head's training.

    The head learns to estimate the ranker's scores. A step uses the candidate paragraphs of `drafts` drafts.
    The first term of the loss is a cross-entropy: scores and estimates are divided by `temperature` before
    the softmax. The second term is the difference between estimates and scores, times `difference_weight`.
    """

    epochs: int = 24
    drafts: int = 64
    rate: float = 2e-3
    weight_decay: float = 0.05
    temperature: float = 1.5
    difference_weight: float = 0.5
    seed: int = 7


@dataclass(frozen=True, eq=False)
class Features:
    """Hold what the early heads learn from: n candidates of several drafts, with the ranker's scores.

    `states` (n, layers, 2, width) has two hidden states for each candidate and layer: the one at [CLS] and
    the mean. `scores` (n,) are the ranker's scores, which the heads learn. `drafts` (rows, width) has each
    draft's mean hidden state, scaled to length 1. `starts` (rows + 1,) has the number of each draft's first
    candidate, and n at the end.
    """

    states: Tensor
    scores: Tensor
    drafts: Tensor
    starts: NDArray[np.int64]


class EarlyData:
    """Read drafts and their candidate paragraphs as token ids, from a file of `training.early_data`."""

    def __init__(self, path: Path) -> None:
        texts, arrays = load_arrays(path)
        self.paragraphs: TokenRows = texts["paragraphs"]
        self.queries: TokenRows = texts["queries"]
        self.rows: NDArray[np.int32] = arrays["rows"]
        self.positive: NDArray[np.int32] = arrays["positive"]
        owners, self.candidates = arrays["candidates"].T
        self.starts = np.searchsorted(owners, np.arange(len(self.rows) + 1))

    def select_drafts(self, split: str, limit: int | None) -> list[int]:
        """Return the indices of the drafts of a split, "train" or "dev": the first `limit`, or all."""
        return np.flatnonzero(self.rows[:, 0] == SPLITS.index(split))[:limit].tolist()

    def list_candidates(self, draft: int) -> NDArray[np.int32]:
        """Return the indices of a draft's candidate paragraphs, beginning with those of the quoted speech."""
        own: NDArray[np.int32] = self.candidates[self.starts[draft] : self.starts[draft + 1]]
        return own

    def find_positive(self, draft: int) -> NDArray[np.int64]:
        """Return which candidates of a draft it quotes, as indices into the result of `list_candidates`."""
        quoted = self.positive[self.positive[:, 0] == draft, 1]
        return np.flatnonzero(np.isin(self.list_candidates(draft), quoted))


class LayerReader:
    """Run paragraphs through the layers of a model, and return the hidden states after each layer.

    Each paragraph also attends to the tokens of its draft or claim, which are computed once as a prefix.
    """

    def __init__(self, trunk: Trunk, models: Path, device: str) -> None:
        self.trunk, self.words, self.device = trunk, read_words(models).to(device), device
        self.early_layers = tuple(range(1, len(trunk.layers)))

    def read_prefixes(self, queries: Sequence[Ids]) -> tuple[list[KeysValues], Tensor, Tensor]:
        """Encode drafts as prefixes: return keys and values of every layer, a mask, and directions.

        The mask is false for padding. A direction is the mean hidden state of a draft, scaled to length 1.
        """
        ids, mask = pad(queries, self.device)
        x = self.trunk.embed(self.words[ids], 0, QUERY_KIND)
        kept = []
        with mix_precision(self.device):
            for layer in self.trunk.layers:
                x, own = run_layer(layer, x, mask[:, None, None], None)
                kept.append(own)
        return kept, mask, average_direction(x, mask)

    def read_layers(
        self, texts: Sequence[Ids], prefixes: Sequence[KeysValues], prefix_mask: Tensor
    ) -> Iterator[tuple[Tensor, Tensor]]:
        """Run paragraphs through the layers; yield their hidden states after each layer, with a mask.

        The mask is false for padding. `prefixes` has the keys and values of the prefixes for each layer. The
        paragraphs attend to them, too.
        """
        ids, mask = pad(texts, self.device)
        x = self.trunk.embed(self.words[ids], PARAGRAPH_POSITION, PARAGRAPH_KIND)
        seen = torch.cat([prefix_mask, mask], 1)[:, None, None].expand(-1, 1, ids.shape[1], -1)
        for layer, prefix in zip(self.trunk.layers, prefixes, strict=True):
            with mix_precision(self.device):
                x, _ = run_layer(layer, x, seen, prefix)
            yield x, mask


class Reader(LayerReader):
    """Run a ranker on candidate paragraphs, keeping the hidden states after every layer except the last."""

    def __init__(self, models: Path, device: str) -> None:
        self.graph = read_module(models / "paragraph.onnx").eval().requires_grad_(False).to(device)
        if not isinstance(self.graph, ParagraphGraph):
            raise TypeError(f"{models} has no ranker")
        super().__init__(self.graph.trunk, models, device)

    @torch.no_grad()
    def read(self, data: EarlyData, drafts: Sequence[int]) -> Features:
        """Return the hidden states that the early heads read, and the ranker's scores, for all candidates of
        these drafts.
        """
        counts = [len(data.list_candidates(draft)) for draft in drafts]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        shape = (int(starts[-1]), len(self.early_layers), 2, self.words.shape[1])
        states = torch.empty(shape, dtype=torch.bfloat16, device=self.device)
        scores = torch.empty(shape[0], device=self.device)
        directions = []
        for at in range(0, len(drafts), DRAFTS):
            part = drafts[at : at + DRAFTS]
            prefixes, prefix_mask, direction = self.read_prefixes([data.queries[draft] for draft in part])
            directions.append(direction)
            owners = np.repeat(np.arange(len(part)), counts[at : at + DRAFTS])
            texts = data.paragraphs.take(np.concatenate([data.list_candidates(draft) for draft in part]))
            for batch in split_batches([len(text) for text in texts], PASS_TOKENS[self.device]):
                rows = torch.tensor(batch, device=self.device) + int(starts[at])
                owner = torch.from_numpy(owners[batch]).to(self.device)
                own = [(keys[owner], values[owner]) for keys, values in prefixes]
                every = self.read_layers([texts[i] for i in batch], own, prefix_mask[owner])
                for number, (hidden, mask) in enumerate(every):
                    if number < len(self.early_layers):
                        real = mask[..., None].float()
                        states[rows, number, 0] = hidden[:, 0].to(states.dtype)
                        mean = (hidden.float() * real).sum(1) / real.sum(1)
                        states[rows, number, 1] = mean.to(states.dtype)
                    else:
                        similar = (average_direction(hidden, mask) * direction[owner]).sum(-1)
                        first = self.graph.score(hidden[:, 0].float())[:, 0]
                        scores[rows] = first + self.graph.scale * similar
        return Features(states, scores, torch.cat(directions), starts)


def run_layer(layer: Layer, x: Tensor, mask: Tensor, prefix: KeysValues | None) -> tuple[Tensor, KeysValues]:
    """Run one layer on `x` with torch's fused attention, which is faster on a GPU; return the output, and the
    layer's keys and values for `x`.

    `mask` is true for tokens to attend to. `prefix` has keys and values of earlier tokens to attend to.
    """
    query, key, value = layer.project(x)
    own = (key, value)
    if prefix is not None:
        key, value = torch.cat([prefix[0], key], 2), torch.cat([prefix[1], value], 2)
    return layer.mix_in(x, F.scaled_dot_product_attention(query, key, value, attn_mask=mask)), own


def train(features: Features, recipe: EarlyRecipe) -> nn.ModuleList:
    """Train one early head for each layer except the last, and return the heads.

    An early head estimates the ranker's final score from the hidden states of its layer.
    """
    torch.manual_seed(recipe.seed)
    device, width = features.states.device, features.states.shape[-1]
    heads = nn.ModuleList(EarlyHead(width) for _ in range(features.states.shape[1])).to(device)
    count = len(features.starts) - 1
    size = min(recipe.drafts, count)
    steps = recipe.epochs * (count // size)
    optimizer = torch.optim.AdamW(heads.parameters(), lr=recipe.rate, weight_decay=recipe.weight_decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.rate, total_steps=steps, pct_start=0.1)
    order = torch.Generator().manual_seed(recipe.seed)
    queue: list[int] = []
    for _ in range(steps):
        if len(queue) < size:
            queue = torch.randperm(count, generator=order).tolist()
        drafts, queue = queue[:size], queue[size:]
        loss = compute_loss(heads, features, drafts, recipe)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimizer.step()
        schedule.step()
    return heads.eval()


def compute_loss(
    heads: nn.ModuleList, features: Features, drafts: Sequence[int], recipe: EarlyRecipe
) -> Tensor:
    """Return the loss of all early heads together, over the candidates of the drafts with these indices."""
    device = features.states.device
    first = torch.from_numpy(features.starts[:-1][drafts]).to(device)
    counts = torch.from_numpy(np.diff(features.starts)[drafts]).to(device)
    place = torch.arange(int(counts.max()), device=device)[None]
    real = place < counts[:, None]
    rows = first[:, None] + torch.where(real, place, 0)
    states, scores = features.states[rows].float(), features.scores[rows]
    directions = features.drafts[drafts][:, None].expand(-1, rows.shape[1], -1)
    target = _compute_log_shares(scores, real, recipe.temperature).exp()
    total = torch.zeros((), device=device)
    for number, head in enumerate(heads):
        estimates = head(states[:, :, number, 0], states[:, :, number, 1], directions)
        entropy = -(target * _compute_log_shares(estimates, real, recipe.temperature)).sum(-1).mean()
        difference = F.smooth_l1_loss(estimates[real], scores[real])
        total = total + entropy + recipe.difference_weight * difference
    return total


def _compute_log_shares(scores: Tensor, real: Tensor, temperature: float) -> Tensor:
    return torch.log_softmax(scores.masked_fill(~real, -1e4) / temperature, -1)


@torch.no_grad()
def estimate(heads: nn.ModuleList, features: Features) -> NDArray[np.float32]:
    """Return each early head's estimate of each candidate's score, float32 (n, heads)."""
    owners = np.repeat(np.arange(len(features.starts) - 1), np.diff(features.starts))
    every = []
    for at in range(0, len(owners), 65_536):
        states = features.states[at : at + 65_536].float()
        drafts = features.drafts[owners[at : at + 65_536]]
        every.append(
            torch.stack([h(states[:, i, 0], states[:, i, 1], drafts) for i, h in enumerate(heads)], 1)
        )
    return torch.cat(every).cpu().numpy()


def evaluate(
    data: EarlyData, drafts: Sequence[int], features: Features, estimates: NDArray[np.float32]
) -> dict[str, Any]:
    """Measure how often the early heads keep the ranker's best candidates.

    An early head estimates the ranker's scores after a few layers. It keeps the candidates with the best
    estimates; only these would run through all layers. Candidates are the paragraphs of the quoted speech.
    For each head and each number in `KEPT`, the result has the means of the values that `judge` returns.
    """
    scores, rows = features.scores.cpu().numpy(), {}
    for number in range(estimates.shape[1]):
        for kept in KEPT:
            parts = []
            for at, draft in enumerate(drafts):
                of_draft = slice(features.starts[at], features.starts[at] + data.rows[draft, 1])
                parts.append(
                    judge(scores[of_draft], estimates[of_draft, number], data.find_positive(draft), kept)
                )
            means = {name: round(float(np.mean([part[name] for part in parts])), 4) for name in parts[0]}
            rows[f"layer {number + 1}, {kept} kept"] = {"n": len(parts), **means}
    return rows


def judge(
    scores: NDArray[np.float32], estimates: NDArray[np.float32], positive: NDArray[np.int64], kept: int
) -> dict[str, float]:
    """Measure how the ranking for one draft changes if only `kept` candidates run through all layers.

    These are the candidates with the best `estimates`. `positive` has the indices of the quoted candidates.
    Return four values, 0 to 1. "best" is 1 if the candidate with the best score is kept, else 0. "best 3" is
    the share of the three best that is kept. "map" is the average precision if the kept candidates rank
    first, by score, and the others after them, by estimate. "full map" is the average precision by score
    alone.

    >>> judge(np.array([1.0, 2.0, 3.0]), np.array([3.0, 2.0, 1.0]), np.array([2]), 2)
    {'best': 0.0, 'best 3': 0.6666666666666666, 'map': 0.3333333333333333, 'full map': 1.0}
    """
    by_score, by_estimate = np.argsort(-scores, kind="stable"), np.argsort(-estimates, kind="stable")
    first = by_estimate[:kept]
    merged = np.concatenate([by_score[np.isin(by_score, first)], by_estimate[kept:]])
    return {
        "best": float(by_score[0] in first),
        "best 3": float(np.isin(by_score[:3], first).mean()),
        "map": _compute_precision(merged, positive),
        "full map": _compute_precision(by_score, positive),
    }


def _compute_precision(order: NDArray[np.int64], positive: NDArray[np.int64]) -> float:
    ranks = np.flatnonzero(np.isin(order, positive)) + 1
    return float(np.mean((1 + np.arange(len(ranks))) / ranks))


def save(head: nn.Module, layer: int, out: Path, file: str = EARLY) -> None:
    """Write the weights of an early head, and the number of the layer that it reads, to `out` as `file`."""
    tensors = {f"early.{name}": value for name, value in head.state_dict().items()}
    save_file(convert_to_half({**tensors, "early.layers": torch.tensor(float(layer))}), out / file)


def read_options(description: str | None, *, data: str, models: str) -> argparse.Namespace:
    """Read the command line of a script that trains early heads, and create the folder for its results.

    An early head predicts the final score of a text from a lower layer. `data` and `models` are the help
    texts of the options `--data` and `--models`.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help=data)
    parser.add_argument("--models", type=Path, required=True, help=models)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--layer", type=int, default=1, help="after which the written head reads")
    parser.add_argument("--device", choices=tuple(PASS_TOKENS), default="cpu")
    parser.add_argument("--limit", type=int, help="so many drafts or claims of each split at most")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def main() -> None:
    """Read the command line, train, evaluate and save."""
    options = read_options(__doc__, data="file of training.early_data", models="folder with the ranker")
    began, recipe = time.monotonic(), EarlyRecipe()
    data, reader = EarlyData(options.data), Reader(options.models, options.device)
    heads = train(reader.read(data, data.select_drafts("train", options.limit)), recipe)
    drafts = data.select_drafts("dev", options.limit)
    features = reader.read(data, drafts)
    figures = evaluate(data, drafts, features, estimate(heads, features))
    seconds = round(time.monotonic() - began)
    report = {"recipe": {**asdict(recipe), "layer": options.layer}, "trained": figures, "seconds": seconds}
    (options.out / "early.json").write_text(json.dumps(report, indent=1), "utf-8")
    save(heads[options.layer - 1], options.layer, options.out)
    for number, head in enumerate(heads, 1):
        folder = options.out / f"layer-{number}"
        folder.mkdir(exist_ok=True)
        save(head, number, folder)


if __name__ == "__main__":
    main()
