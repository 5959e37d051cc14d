"""Train the early head of the evidence model: predict a sentence's score from the states of a lower layer.

    python -m training.evidence_early --data evidence.npz --models models --out runs/early --device cuda
    python -m training.export_jobs evidence_early --trained runs/early --models models

The heads read the mean hidden state of a sentence, and the hidden state of its chunk at [CLS]. They learn
like the ranker's early head (`training.early`): claims of the training split take the place of drafts, and
the sentences of the claims' documents the place of candidates. A straight line that maps estimates to scores
is fitted on dev and multiplied into the head, so that estimates have the scale of scores.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from reranker.models.batches import split_batches
from reranker.models.files import EVIDENCE_EARLY
from reranker.pytorch.engine import read_module
from reranker.pytorch.graphs import EvidenceGraph, average_sentences
from training.early import (
    PASS_TOKENS,
    EarlyRecipe,
    Features,
    LayerReader,
    estimate,
    read_options,
    save,
    train,
)
from training.evidence import EvidenceData, mark_members
from training.job_data import SPLITS

CHUNKS = 16  # of a document in training; of dev all
CITATIONS_SHARE = 0.35  # of the claims with the labels of a machine
LEAST_CHUNKS = 8  # of the documents of the report
KEPT_SHARES = (0.25, 1 / 3, 0.5)
"""Shares of the pieces of a document that run through all layers, in the report."""


class SentenceReader(LayerReader):
    """Run the evidence model on documents, and keep the hidden states that its early heads are trained on.

    An early head estimates the model's scores from the hidden states after one layer. The states after all
    layers except the last are kept.
    """

    def __init__(self, models: Path, device: str) -> None:
        self.graph = read_module(models / "evidence_sentences.onnx").eval().requires_grad_(False).to(device)
        if not isinstance(self.graph, EvidenceGraph):
            raise TypeError(f"{models} has no model of evidence")
        super().__init__(self.graph.trunk, models, device)

    @torch.no_grad()
    def read(self, data: EvidenceData, claims: Sequence[int], chunks: Sequence[Sequence[int]]) -> Features:
        """Run the model on chunks of each claim's document, and return what the early heads learn from.

        `chunks` has the chunks to read for each claim; a chunk is several sentences. The result has the
        hidden states and the model's scores of all these sentences, in order.
        """
        counts = [sum(len(data.spans[chunk]) for chunk in own) for own in chunks]
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        shape = (int(starts[-1]), len(self.early_layers), 2, self.words.shape[1])
        states = torch.empty(shape, dtype=torch.bfloat16, device=self.device)
        scores = torch.empty(shape[0], device=self.device)
        directions = []
        for at, (claim, own) in enumerate(zip(claims, chunks, strict=True)):
            prefixes, prefix_mask, direction = self.read_prefixes([data.claims[claim]])
            directions.append(direction)
            first = int(starts[at]) + np.cumsum([0, *(len(data.spans[chunk]) for chunk in own)])
            texts = [data.pack(data.chunks[chunk]) for chunk in own]
            for batch in split_batches([len(text) for text in texts], PASS_TOKENS[self.device]):
                spans = [data.spans[own[i]] for i in batch]
                rows = torch.tensor(
                    [int(first[i]) + j for i in batch for j in range(len(data.spans[own[i]]))]
                )
                shared = torch.zeros(len(batch), dtype=torch.long, device=self.device)
                own_prefixes = [(keys[shared], values[shared]) for keys, values in prefixes]
                layers = self.read_layers([texts[i] for i in batch], own_prefixes, prefix_mask[shared])
                for number, (hidden, mask) in enumerate(layers):
                    members = torch.from_numpy(mark_members(spans, mask.shape[1])).to(self.device)
                    real = members.sum(-1) > 0
                    if number < len(self.early_layers):
                        means = average_sentences(hidden, members)
                        opening = hidden[:, :1].expand_as(means)
                        pair = torch.stack([opening, means], 2)[real]
                        states[rows.to(self.device), number] = pair.to(states.dtype)
                    else:
                        logits, _ = self.graph.judge(hidden.float(), members, direction)
                        scores[rows.to(self.device)] = logits[real]
        return Features(states, scores, torch.cat(directions), starts)


def choose_claims(data: EvidenceData, split: str, limit: int | None, seed: int) -> list[int]:
    """Return claims of a split: all that people labelled, and a sample of those that a machine labelled.

    If these are more than `limit`, return only `limit` of them, chosen at random.
    """
    chance = random.Random(seed)
    chosen = [
        claim
        for kind in ("debater", "scifact", "motions", "citations")
        for claim in data.select_rows(kind, split)
        if kind != "citations" or chance.random() < CITATIONS_SHARE
    ]
    return chosen if limit is None else chance.sample(chosen, min(limit, len(chosen)))


def choose_chunks(data: EvidenceData, claims: Sequence[int], most: int | None, seed: int) -> list[list[int]]:
    """Return the chunks of each claim's document, or a sample of `most` chunks if there are more."""
    chance, chosen = random.Random(seed), []
    for claim in claims:
        own = data.of_document[int(data.claim[claim, 0])]
        chosen.append(own if most is None or len(own) <= most else sorted(chance.sample(own, most)))
    return chosen


def evaluate(
    data: EvidenceData,
    chunks: Sequence[Sequence[int]],
    features: Features,
    estimates: NDArray[np.float32],
) -> dict[str, Any]:
    """Measure how many of the model's best sentences are kept if an early head selects chunks.

    A chunk is several sentences of a document. An early head estimates scores after one layer. It keeps the
    chunks with the best estimates; only these would run through all layers. For each layer and each share of
    the text that is kept, the result has two means over all claims. "best" is how often the best sentence is
    kept, "best 5" is the share of the five best that is kept. Documents of fewer than `LEAST_CHUNKS` chunks
    are left out.
    """
    scores, rows = features.scores.cpu().numpy(), {}
    for number in range(estimates.shape[1]):
        for share in KEPT_SHARES:
            parts = []
            for at, own in enumerate(chunks):
                if len(own) >= LEAST_CHUNKS:
                    part = slice(int(features.starts[at]), int(features.starts[at + 1]))
                    owners = np.repeat(np.arange(len(own)), [len(data.spans[chunk]) for chunk in own])
                    sizes = np.array([len(data.chunks[chunk]) for chunk in own])
                    parts.append(judge(scores[part], estimates[part, number], owners, sizes, share))
            best, best_five = np.mean(parts, axis=0) if parts else (0.0, 0.0)
            rows[f"layer {number + 1}, {share:.2f} kept"] = {
                "n": len(parts),
                "best": round(float(best), 4),
                "best 5": round(float(best_five), 4),
            }
    return rows


def judge(
    scores: NDArray[np.float32],
    estimates: NDArray[np.float32],
    owners: NDArray[np.int64],
    sizes: NDArray[np.int64],
    share: float,
) -> tuple[float, float]:
    """Measure, for one claim, how many of the best sentences are in the chunks that an early head keeps.

    A chunk is several sentences of the claim's document. The chunks with the best estimates are kept, until
    they have at least `share` of all WordPieces. `owners` has the index of each sentence's chunk, `sizes` the
    number of WordPieces of each chunk. Return two numbers. The first is 1 if the best sentence by `scores` is
    kept, else 0. The second is the share of the five best sentences that is kept.

    >>> owners, sizes = np.array([0, 0, 1]), np.array([10, 10])
    >>> judge(np.array([1.0, 3.0, 2.0]), np.array([0.0, 5.0, 4.0]), owners, sizes, 0.5)
    (1.0, 0.6666666666666666)
    """
    best = np.full(len(sizes), -np.inf)
    np.maximum.at(best, owners, estimates)
    order = np.argsort(-best, kind="stable")
    count = int(np.searchsorted(np.cumsum(sizes[order]), share * sizes.sum())) + 1
    is_kept = np.isin(owners, order[:count])
    by_score = np.argsort(-scores, kind="stable")
    return float(is_kept[by_score[0]]), float(is_kept[by_score[:5]].mean())


@torch.no_grad()
def fit_line(head: nn.Module, estimates: NDArray[np.float32], scores: NDArray[np.float32]) -> None:
    """Change the weights of a head so that its estimates are on the scale of the scores.

    The change is the straight line that fits best from `estimates` to `scores`.
    """
    slope, intercept = np.polyfit(estimates.astype(np.float64), scores.astype(np.float64), 1)
    head.scale.mul_(slope)  # type: ignore[operator, union-attr]
    head.out.weight.mul_(slope)  # type: ignore[operator, union-attr]
    head.out.bias.mul_(slope).add_(intercept)  # type: ignore[operator, union-attr]


def main() -> None:
    """Read the command line, then train, evaluate and save the early head of the evidence model."""
    options = read_options(
        __doc__, data="file of training.evidence_data", models="folder with a model of evidence"
    )
    began, recipe = time.monotonic(), EarlyRecipe()
    data, reader = EvidenceData(options.data), SentenceReader(options.models, options.device)
    claims = choose_claims(data, SPLITS[0], options.limit, recipe.seed)
    heads = train(reader.read(data, claims, choose_chunks(data, claims, CHUNKS, recipe.seed)), recipe)
    claims = choose_claims(data, "dev", options.limit, recipe.seed)
    chunks = choose_chunks(data, claims, None, recipe.seed)
    features = reader.read(data, claims, chunks)
    estimates = estimate(heads, features)
    figures = evaluate(data, chunks, features, estimates)
    fit_line(heads[options.layer - 1], estimates[:, options.layer - 1], features.scores.float().cpu().numpy())
    seconds = round(time.monotonic() - began)
    report = {"recipe": {**asdict(recipe), "layer": options.layer}, "trained": figures, "seconds": seconds}
    (options.out / "evidence_early.json").write_text(json.dumps(report, indent=1), "utf-8")
    save(heads[options.layer - 1], options.layer, options.out, EVIDENCE_EARLY)


if __name__ == "__main__":
    main()
