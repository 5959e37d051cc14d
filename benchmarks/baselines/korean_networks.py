"""Train QuoteCSE's projection and classifier over the vectors of a frozen trunk.

Source: "Detecting contextomized quotes in news headlines by contrastive learning" (EACL Findings 2023).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy, normalize

HIDDEN, WIDTH, DROPOUT = 200, 100, 0.1
TEMPERATURE, LEAST = 0.05, 0.75
"""Those of the paper: of InfoNCE, and the least cosine of a headline's quote and its positive."""
EPOCHS, BATCH, RATE = 10, 64, 1e-3
CLASSIFIER_HIDDEN, CLASSIFIER_EPOCHS, CLASSIFIER_BATCH, CLASSIFIER_RATE = 64, 20, 16, 1e-3

Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Article:
    """Hold the vector of a headline's quote (width,), the vectors of its article's quotes (n, width), and the
    label.
    """

    quote: Floats
    body: Floats
    label: int


class Projection(nn.Module):
    """Project vectors of the trunk to vectors of length 1, by two layers."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Dropout(DROPOUT),
            nn.Linear(width, HIDDEN),
            nn.ReLU(),
            nn.Dropout(DROPOUT),
            nn.Linear(HIDDEN, WIDTH),
        )

    def forward(self, vectors: Tensor) -> Tensor:
        """Return the projected vectors."""
        return normalize(self.layers(vectors), dim=-1)

    @torch.no_grad()
    def apply(self, vectors: Floats) -> Floats:  # type: ignore[override]
        """Return the projected vectors, without dropout."""
        self.eval()
        projected: Floats = self(torch.from_numpy(vectors)).numpy()
        return projected


def assign_pairs(
    articles: Sequence[Article], project: Projection | None, chance: np.random.Generator
) -> list[tuple[int, int, int]]:
    """Return (article, positive, hard negative) for each article that has a quote with a cosine of at least
    `LEAST` to the headline's quote. The positive is the nearest quote; the negative is another quote of the
    same article, or -1 if there is none. Cosines are those of projected vectors, or without a projection,
    those of the trunk's vectors.

    >>> head, other = np.eye(2, dtype=np.float32)
    >>> assign_pairs([Article(head, np.stack([other, head]), 0)], None, np.random.default_rng(0))
    [(0, 1, 0)]
    """
    pairs = []
    for at, article in enumerate(articles):
        quote, body = article.quote[None], article.body
        if project is not None:
            quote, body = project.apply(quote), project.apply(body)
        cosines = body @ quote[0]
        positive = int(cosines.argmax())
        if cosines[positive] >= LEAST:
            others = [place for place in range(len(body)) if place != positive]
            pairs.append((at, positive, int(chance.choice(others)) if others else -1))
    return pairs


def compute_contrast(anchors: Tensor, positives: Tensor, negatives: Tensor | None) -> Tensor:
    """Return the InfoNCE loss: each anchor's positive is compared with the other positives and all hard
    negatives.
    """
    candidates = positives if negatives is None else torch.cat([positives, negatives])
    places = torch.arange(len(anchors), device=anchors.device)
    return cross_entropy(anchors @ candidates.T / TEMPERATURE, places)


def train_projection(articles: Sequence[Article], seed: int, *, hard: bool, itself: bool) -> Projection:
    """Train a projection.

    Positives are assigned by the trunk's vectors in the first epoch, and by the projected vectors in later
    ones. `hard` adds hard negatives. With `itself`, the positive of a quote is the same quote under another
    dropout.
    """
    torch.manual_seed(seed)
    chance = np.random.default_rng(seed)
    project = Projection(len(articles[0].quote))
    optimizer = torch.optim.AdamW(project.parameters(), RATE)
    for epoch in range(EPOCHS):
        pairs = assign_pairs(articles, project if epoch else None, chance)
        if itself:
            pairs = [(at, -1, -1) for at in range(len(articles))]
        order = chance.permutation(len(pairs))
        project.train()
        for start in range(0, len(order), BATCH):
            batch = [pairs[place] for place in order[start : start + BATCH]]
            if len(batch) < 2:
                continue
            anchors = np.stack([articles[at].quote for at, _, _ in batch])
            chosen = anchors if itself else np.stack([articles[at].body[place] for at, place, _ in batch])
            others = [articles[at].body[place] for at, _, place in batch if place >= 0]
            negatives = project(torch.from_numpy(np.stack(others))) if hard and others else None
            loss = compute_contrast(
                project(torch.from_numpy(anchors)), project(torch.from_numpy(chosen)), negatives
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return project


def join_features(articles: Sequence[Article], project: Projection | None) -> Tensor:
    """Return (u, v, |u - v|, u * v) of each article, scaled to about 1; v is the nearest quote."""
    rows = []
    for article in articles:
        quote, body = article.quote[None], article.body
        if project is not None:
            quote, body = project.apply(quote), project.apply(body)
        u, v = quote[0], body[int((body @ quote[0]).argmax())]
        rows.append(np.concatenate([u, v, np.abs(u - v), u * v]) * len(u) ** 0.5)
    return torch.from_numpy(np.stack(rows).astype(np.float32))


def make_classifier(width: int) -> nn.Sequential:
    """Return the layers from features (n, width) to the log odds of both labels."""
    return nn.Sequential(
        nn.Dropout(DROPOUT),
        nn.Linear(width, CLASSIFIER_HIDDEN),
        nn.ReLU(),
        nn.Linear(CLASSIFIER_HIDDEN, 2),
    )


def train_classifier(
    articles: Sequence[Article], tested: Sequence[Article], project: Projection | None, seed: int
) -> Floats:
    """Train the classifier, and return the probability of label 1 for each test article, (n,)."""
    torch.manual_seed(seed)
    features, labels = join_features(articles, project), torch.tensor([row.label for row in articles])
    model = make_classifier(features.shape[1])
    optimizer = torch.optim.AdamW(model.parameters(), CLASSIFIER_RATE, weight_decay=0.1)
    for _ in range(CLASSIFIER_EPOCHS):
        for batch in torch.randperm(len(labels)).split(CLASSIFIER_BATCH):
            loss = cross_entropy(model(features[batch]), labels[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        chances: Floats = model(join_features(tested, project)).softmax(-1)[:, 1].numpy()
    return chances
