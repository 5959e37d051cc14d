"""Train a trunk on the Korean headlines: first contrastively (SimCSE, QuoteCSE and its variants), then with
the classifier.

Source: "Detecting contextomized quotes in news headlines by contrastive learning" (EACL Findings 2023).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, normalize

from benchmarks.baselines.e5_trunk import Trunk
from benchmarks.baselines.korean_networks import (
    Article,
    Projection,
    assign_pairs,
    compute_contrast,
    make_classifier,
)

Floats = NDArray[np.float32]
Numbers = NDArray[np.integer[Any]]

HEAD_RATE, DECAY, WARM = 1e-3, 0.01, 0.1
AT_ONCE = 32768  # tokens that are encoded together without training
ROUND = 16  # padded lengths are multiples of it


@dataclass(frozen=True)
class Recipe:
    """Set a stage's learning rate of the trunk, number of epochs and batch size."""

    rate: float
    epochs: int
    batch: int


CONTRAST = Recipe(rate=5e-5, epochs=4, batch=64)
CLASSIFIER = Recipe(rate=1e-4, epochs=8, batch=32)
FROZEN = Recipe(rate=0.0, epochs=20, batch=32)


class Headlines:
    """Read the file that `korean_tokens` wrote: the token ids of every text, and the texts of every
    headline.
    """

    def __init__(
        self, arrays: Mapping[str, NDArray[Any]], device: torch.device, limit: int | None = None
    ) -> None:
        """Read the rows, or the first `limit` of the labelled and of the later ones."""
        self.device = device
        labelled = int(arrays["labelled"])
        rows = np.r_[0:labelled, labelled : len(arrays["labels"])]
        if limit:
            rows = np.concatenate([rows[:labelled][:limit], rows[labelled:][:limit]])
        self.labelled = int((rows < labelled).sum())
        bodies = np.split(arrays["bodies"], np.cumsum(arrays["counts"])[:-1])
        used, places = np.unique(
            np.concatenate([arrays["quotes"][rows], *(bodies[row] for row in rows)]), return_inverse=True
        )
        texts = np.split(arrays["tokens"].astype(np.int64), np.cumsum(arrays["lengths"])[:-1])
        self.texts: list[Numbers] = [texts[at] for at in used]
        self.quotes: Numbers = places[: len(rows)]
        self.bodies: list[Numbers] = np.split(places[len(rows) :], np.cumsum(arrays["counts"][rows])[:-1])
        self.labels: NDArray[np.int64] = arrays["labels"][rows]
        self.nearest: Numbers = arrays["nearest"][rows]
        self.letters: Floats = arrays["letters"][rows]

    def pack(self, texts: Sequence[Numbers]) -> tuple[Tensor, Tensor, int]:
        """Return the concatenated token ids of texts, their lengths, and the padded length."""
        lengths = np.array([len(ids) for ids in texts])
        longest = -(-int(lengths.max()) // ROUND) * ROUND
        ids, counts = torch.from_numpy(np.concatenate(texts)), torch.from_numpy(lengths)
        return ids.to(self.device), counts.to(self.device), longest

    def join(self, row: int, place: int) -> Numbers:
        """Return the token ids of a headline's quote and a quote of its article as one text, with two end
        tokens between them.
        """
        quote, other = self.texts[self.quotes[row]], self.texts[self.bodies[row][place]]
        return np.concatenate([quote, quote[-1:], other[1:]])


def encode(trunk: Trunk, data: Headlines, texts: Sequence[Numbers]) -> Tensor:
    """Return the vectors (texts, width) of texts in one batch; dropout depends on the trunk's mode."""
    device = data.device.type
    with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
        vectors: Tensor = trunk(*data.pack(texts))
    return vectors.float()


@torch.no_grad()
def encode_every(trunk: Trunk, data: Headlines, texts: Sequence[Numbers]) -> Tensor:
    """Return the vectors of texts, without dropout, in batches of similar length."""
    trunk.eval()
    order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    parts, start = [], 0
    while start < len(order):
        stop = start
        while stop < len(order) and (stop - start + 1) * len(texts[order[stop]]) <= AT_ONCE:
            stop += 1
        parts.append(encode(trunk, data, [texts[at] for at in order[start:stop]]))
        start = stop
    vectors = torch.cat(parts)
    result = torch.empty_like(vectors)
    result[torch.tensor(order, device=vectors.device)] = vectors
    return result


class Space(nn.Module):
    """Subtract `center`, the mean of the untrained trunk's vectors, from vectors, and scale them to
    length 1.
    """

    center: Tensor

    def __init__(self, vectors: Tensor) -> None:
        super().__init__()
        self.register_buffer("center", normalize(vectors, dim=-1).mean(0))

    def forward(self, vectors: Tensor) -> Tensor:
        """Return vectors of length 1."""
        return normalize(normalize(vectors, dim=-1) - self.center, dim=-1)


def make_articles(data: Headlines, rows: Sequence[int], vectors: Tensor) -> list[Article]:
    """Return the rows with vectors instead of texts; `vectors` are those of all texts."""
    values = vectors.cpu().numpy()
    return [
        Article(values[data.quotes[row]], values[data.bodies[row]], int(data.labels[row])) for row in rows
    ]


def make_optimizer(heads: nn.Module, trunk: Trunk | None, rate: float, steps: int) -> tuple[Any, Any]:
    """Return AdamW for the heads and the trunk, if there is one, and its learning-rate schedule: linear
    warm-up, then decay to 0.
    """
    groups = [{"params": list(heads.parameters()), "lr": HEAD_RATE}]
    if trunk is not None:
        groups.append({"params": list(trunk.parameters()), "lr": rate})
    fused = next(heads.parameters()).is_cuda
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY, fused=fused)
    warm = max(1, round(WARM * steps))
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm, max(0.0, (steps - step) / max(1, steps - warm)))
    )
    return optimizer, schedule


def take_step(loss: Tensor, optimizer: Any, schedule: Any) -> None:
    """Change the weights once."""
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
    schedule.step()


def choose_pairs(
    articles: Sequence[Article], chance: np.random.Generator, *, hard: bool, itself: bool
) -> list[tuple[int, int, int]]:
    """Return (article, positive, hard negative): -1 stands for the quote itself, and for no negative."""
    if itself and not hard:
        return [(at, -1, -1) for at in range(len(articles))]
    pairs = assign_pairs(articles, None, chance)
    return [(at, -1 if itself else positive, other if hard else -1) for at, positive, other in pairs]


def train_contrast(
    trunk: Trunk, data: Headlines, rows: Sequence[int], recipe: Recipe, seed: int, *, hard: bool, itself: bool
) -> Projection:
    """Train the trunk and a projection contrastively on the headlines `rows`, and return the projection.

    Positives are chosen before each epoch: in the first by the untrained trunk, later by the trained one with
    the projection. `hard` adds hard negatives. With `itself`, the positive of a quote is the same quote under
    another dropout.
    """
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    project = Projection(trunk.words.embedding_dim).to(data.device)
    steps = recipe.epochs * -(-len(rows) // recipe.batch)
    optimizer, schedule = make_optimizer(project, trunk, recipe.rate, steps)
    for epoch in range(recipe.epochs):
        vectors = torch.zeros(len(data.texts), 1)
        if hard or not itself:
            vectors = encode_every(trunk, data, data.texts)
            vectors = project_vectors(project, vectors) if epoch else Space(vectors)(vectors)
        pairs = choose_pairs(make_articles(data, rows, vectors), chance, hard=hard, itself=itself)
        trunk.train()
        project.train()
        for batch in cut(chance.permutation(len(pairs)), recipe.batch):
            texts = list_texts(data, rows, [pairs[at] for at in batch])
            projected = project(encode(trunk, data, texts))
            anchors, positives = projected[: len(batch)], projected[len(batch) : 2 * len(batch)]
            negatives = projected[2 * len(batch) :] if len(texts) > 2 * len(batch) else None
            take_step(compute_contrast(anchors, positives, negatives), optimizer, schedule)
    return project


def cut(order: Numbers, size: int) -> Iterator[Numbers]:
    """Yield batches of two or more."""
    for start in range(0, len(order), size):
        if len(order) - start > 1:
            yield order[start : start + size]


def list_texts(data: Headlines, rows: Sequence[int], pairs: Sequence[tuple[int, int, int]]) -> list[Numbers]:
    """Return the anchors, the positives, and the existing hard negatives, as token ids."""
    anchors = [data.texts[data.quotes[rows[at]]] for at, _, _ in pairs]
    positives = [
        data.texts[data.bodies[rows[at]][place]] if place >= 0 else anchors[number]
        for number, (at, place, _) in enumerate(pairs)
    ]
    negatives = [data.texts[data.bodies[rows[at]][place]] for at, _, place in pairs if place >= 0]
    return [*anchors, *positives, *negatives]


@torch.no_grad()
def project_vectors(project: Projection, vectors: Tensor) -> Tensor:
    """Return the projected vectors, without dropout."""
    project.eval()
    projected: Tensor = project(vectors)
    return projected


def join_pairs(quotes: Tensor, others: Tensor) -> Tensor:
    """Return (u, v, |u - v|, u * v), scaled to about 1."""
    joined = torch.cat([quotes, others, (quotes - others).abs(), quotes * others], dim=-1)
    return joined * quotes.shape[-1] ** 0.5


def choose_nearest(data: Headlines, vectors: Tensor) -> Numbers:
    """Return for every row the index of the article's quote that is nearest to the headline's quote."""
    values = vectors.cpu().numpy()
    pairs = zip(data.quotes, data.bodies, strict=True)
    return np.array([int((values[body] @ values[quote]).argmax()) for quote, body in pairs])


def scale_letters(data: Headlines, rows: Sequence[int] | Numbers) -> Tensor:
    """Return BM25 and edit distance of every row, standardised by the mean and standard deviation over
    `rows`.
    """
    mean, spread = data.letters[rows].mean(0), data.letters[rows].std(0)
    return torch.from_numpy((data.letters - mean) / spread).to(data.device)


@dataclass(frozen=True, eq=False)
class Task:
    """Hold the input of a classifier: training and test rows, the article's quote v of each row, and further
    features. With `together`, the trunk reads u and v as one text, instead of comparing two vectors.
    """

    data: Headlines
    space: Space
    learned: Numbers
    tested: Numbers
    nearest: Numbers
    letters: Tensor | None = None
    together: bool = False

    def list_pairs(self, rows: Sequence[int] | Numbers) -> list[Numbers]:
        """Return the texts of rows as token ids: all u, then all v; with `together`, u and v of each row as
        one text.
        """
        data = self.data
        if self.together:
            return [data.join(row, int(self.nearest[row])) for row in rows]
        quotes = [data.texts[data.quotes[row]] for row in rows]
        return [*quotes, *(data.texts[data.bodies[row][self.nearest[row]]] for row in rows)]

    def join(self, vectors: Tensor, rows: Sequence[int] | Numbers) -> Tensor:
        """Return the features of rows, from the vectors of their texts."""
        vectors = self.space(vectors)
        count = len(rows)
        if self.together:
            features = vectors * vectors.shape[-1] ** 0.5
        else:
            features = join_pairs(vectors[:count], vectors[count:])
        if self.letters is None:
            return features
        return torch.cat([features, self.letters[torch.as_tensor(rows, device=features.device)]], dim=-1)


def train_classifier(trunk: Trunk, task: Task, recipe: Recipe, seed: int) -> Floats:
    """Train a classifier, and the trunk too if its learning rate is above 0; return the probability of label
    1 for the test rows.
    """
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    data, frozen = task.data, recipe.rate == 0
    kept = encode_every(trunk, data, task.list_pairs(task.learned)) if frozen else None
    sides = 1 if task.together else 2
    trunk.eval() if frozen else trunk.train()
    width = trunk.words.embedding_dim * (1 if task.together else 4)
    model = make_classifier(width + (0 if task.letters is None else task.letters.shape[1])).to(data.device)
    labels = torch.from_numpy(data.labels).to(data.device)
    steps = recipe.epochs * -(-len(task.learned) // recipe.batch)
    optimizer, schedule = make_optimizer(model, None if frozen else trunk, recipe.rate, steps)
    for _ in range(recipe.epochs):
        for batch in cut(chance.permutation(len(task.learned)), recipe.batch):
            rows = task.learned[batch]
            if kept is None:
                vectors = encode(trunk, data, task.list_pairs(rows))
            else:
                places = np.concatenate([batch + side * len(task.learned) for side in range(sides)])
                vectors = kept[torch.from_numpy(places).to(data.device)]
            logits = model(task.join(vectors, rows))
            take_step(
                cross_entropy(logits, labels[torch.from_numpy(rows).to(data.device)]), optimizer, schedule
            )
    model.eval()
    with torch.no_grad():
        vectors = encode_every(trunk, data, task.list_pairs(task.tested))
        chances: Floats = model(task.join(vectors, task.tested)).float().softmax(-1)[:, 1].cpu().numpy()
    return chances
