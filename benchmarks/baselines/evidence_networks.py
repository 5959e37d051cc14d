"""Train small versions of the networks of "Why did they cite that?" (thesis, 2018), with our frozen word
embeddings.

`Pairwise` scores a sentence by [C; C*E; E] over BiLSTMs; with attention, its words attend to the claim's as
in BiDAF ("Bidirectional attention flow for machine comprehension", ICLR 2017). `Document` is a BiRNN over the
vectors of a document's sentences; with attention, they attend to one another. All of them learn from the
hinge loss max(0, 1 - (s1 - s2)) of a sentence that is evidence and one that is not.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from reranker.models.loaded import Models
from training.evidence import judge_ranking

WORDS, WIDTH, HIDDEN = 40, 384, 64
STEPS, BATCH, RATE, MARGIN = 400, 32, 2e-3, 1.0
EVERY = 100  # steps between two looks at dev
DEV_CLAIMS, DEV_SENTENCES = 30, 40

Row = dict[str, Any]
Floats = NDArray[np.float32]
Scorer = Callable[[Row], Floats]
Masked = tuple[Tensor, Tensor]
"""Word vectors (n, `WORDS`, `WIDTH`) and the mask of those that a text has."""


class Texts:
    """Turn texts into word vectors and masks; a text is tokenised once."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._ids: dict[str, NDArray[np.int32]] = {}

    def read(self, texts: Sequence[str]) -> Masked:
        """Return the vectors and the mask of texts; one without a word has a vector of padding."""
        new = [text for text in dict.fromkeys(texts) if text not in self._ids]
        for text, pieces in zip(new, self._models.wordpieces.tokenise(new), strict=True):
            self._ids[text] = pieces.ids[:WORDS]
        width = max(1, *(len(self._ids[text]) for text in texts))
        ids = np.zeros((len(texts), width), np.int32)
        mask = np.zeros((len(texts), width), bool)
        for row, text in enumerate(texts):
            pieces_of = self._ids[text]
            ids[row, : len(pieces_of)], mask[row, : max(1, len(pieces_of))] = pieces_of, True
        return torch.from_numpy(self._models.words.lookup(ids)), torch.from_numpy(mask)


def pool(states: Tensor, mask: Tensor) -> Tensor:
    """Return the mean state of the words of each text."""
    weights = mask.float()[..., None]
    return (states * weights).sum(1) / weights.sum(1)


def make_head() -> nn.Sequential:
    """Return the layers that turn [C; C*E; E] into a score."""
    return nn.Sequential(nn.Linear(6 * HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))


class Pairwise(nn.Module):
    """Score sentences one by one over BiLSTMs of words."""

    def __init__(self, *, attends: bool) -> None:
        super().__init__()
        self.attends = attends
        self.words = nn.LSTM(WIDTH, HIDDEN, batch_first=True, bidirectional=True)
        self.mix = nn.Linear(6 * HIDDEN, 2 * HIDDEN)
        self.score = make_head()

    def forward(self, claim: Masked, texts: Masked) -> Tensor:
        """Return the scores (n,) of n sentences for n claims, or for one."""
        words, mask = self.words(claim[0])[0], claim[1]
        states = self.words(texts[0])[0]
        words, mask = words.expand(len(states), -1, -1), mask.expand(len(states), -1)
        if self.attends:
            weights = (states @ words.transpose(1, 2)).masked_fill(~mask[:, None], -1e9).softmax(-1)
            seen = weights @ words
            states = torch.relu(self.mix(torch.cat([states, seen, states * seen], -1)))
        c, e = pool(words, mask), pool(states, texts[1])
        scores: Tensor = self.score(torch.cat([c, c * e, e], -1))[:, 0]
        return scores


class Document(nn.Module):
    """Score the sentences of a document by a BiRNN over their vectors."""

    def __init__(self, *, attends: bool) -> None:
        super().__init__()
        self.attends = attends
        self.project = nn.Linear(WIDTH, 2 * HIDDEN)
        self.sentences = nn.GRU(2 * HIDDEN, HIDDEN, batch_first=True, bidirectional=True)
        self.mix = nn.Linear(4 * HIDDEN, 2 * HIDDEN)
        self.score = make_head()

    def forward(self, claim: Masked, texts: Masked) -> Tensor:
        """Return the scores (n,) of the sentences of one document."""
        states = self.sentences(self.project(pool(*texts))[None])[0][0]
        if self.attends:
            weights = (states @ states.T / states.shape[1] ** 0.5).softmax(-1)
            states = torch.relu(self.mix(torch.cat([states, weights @ states], -1)))
        c = self.project(pool(*claim)).expand(len(states), -1)
        scores: Tensor = self.score(torch.cat([c, c * states, states], -1))[:, 0]
        return scores


def compute_pair_loss(model: nn.Module, texts: Texts, rows: Sequence[Row], chance: random.Random) -> Tensor:
    """Return the hinge loss of `BATCH` claims, one pair of sentences from the document of each."""
    claims, marked, others = [], [], []
    for row in chance.choices(rows, k=BATCH):
        claims.append(row["claim"])
        marked.append(chance.choice(select_sentences(row, evidence=True)))
        others.append(chance.choice(select_sentences(row, evidence=False)))
    claim = texts.read(claims)
    difference = model(claim, texts.read(marked)) - model(claim, texts.read(others))
    return torch.relu(MARGIN - difference).mean()


def compute_document_loss(
    model: nn.Module, texts: Texts, rows: Sequence[Row], chance: random.Random
) -> Tensor:
    """Return the hinge loss of all pairs of the sentences of four documents, the mean over documents."""
    losses = []
    for row in chance.choices(rows, k=4):
        marks = torch.tensor(row["evidence"], dtype=torch.bool)
        scores = model(texts.read([row["claim"]]), texts.read(row["sentences"]))
        losses.append(torch.relu(MARGIN - (scores[marks][:, None] - scores[~marks][None])).mean())
    return torch.stack(losses).mean()


def select_sentences(row: Row, *, evidence: bool) -> list[str]:
    """Return the sentences of a claim's document that are evidence, or those that are not."""
    pairs = zip(row["sentences"], row["evidence"], strict=True)
    return [text for text, mark in pairs if bool(mark) == evidence]


def has_pairs(row: Row) -> bool:
    """Return True if a claim's document has evidence and other sentences."""
    return any(row["evidence"]) and not all(row["evidence"])


Loss = Callable[[nn.Module, Texts, Sequence[Row], random.Random], Tensor]


def train(
    model: nn.Module, loss_of: Loss, texts: Texts, rows: Sequence[Row], dev: Sequence[Row], seed: int
) -> Scorer:
    """Train a network; return a scorer with the weights that had the best pairwise accuracy on dev."""
    chance, sample = random.Random(seed), shorten_documents(dev, seed)
    rows = [row for row in rows if has_pairs(row)]
    optimizer = torch.optim.Adam(model.parameters(), RATE)
    best, kept = -1.0, model.state_dict()
    for step in range(1, STEPS + 1):
        loss = loss_of(model, texts, rows, chance)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % EVERY == 0:
            accuracy = compute_accuracy(make_scorer(model, texts), sample)
            print(
                f"  step {step}: loss {loss.item():.3f}, pairwise accuracy on dev {accuracy:.4f}", flush=True
            )
            if accuracy > best:
                best, kept = accuracy, copy.deepcopy(model.state_dict())
    model.load_state_dict(kept)
    return make_scorer(model, texts)


def shorten_documents(rows: Sequence[Row], seed: int) -> list[Row]:
    """Return at most `DEV_CLAIMS` claims; shorten their documents to `DEV_SENTENCES` consecutive sentences
    around the evidence.
    """
    chance = random.Random(seed)
    rows = [row for row in rows if has_pairs(row)]
    result = []
    for row in chance.sample(rows, min(DEV_CLAIMS, len(rows))):
        start = max(0, row["evidence"].index(True) - chance.randrange(DEV_SENTENCES))
        window = slice(start, start + DEV_SENTENCES)
        result.append({**row, "sentences": row["sentences"][window], "evidence": row["evidence"][window]})
    return result


def compute_accuracy(scorer: Scorer, rows: Sequence[Row]) -> float:
    """Return the mean pairwise accuracy over claims."""
    return float(
        np.mean([judge_ranking(scorer(row), np.array(row["evidence"], bool))["pairwise"] for row in rows])
    )


def make_scorer(model: nn.Module, texts: Texts) -> Scorer:
    """Return a function from a claim's row to the scores of its sentences."""

    @torch.no_grad()
    def score(row: Row) -> Floats:
        scores: Floats = model(texts.read([row["claim"]]), texts.read(row["sentences"])).numpy()
        return scores

    return score


def train_network(
    kind: str, rows: Sequence[Row], dev: Sequence[Row], texts: Texts, seed: int, *, attends: bool
) -> Scorer:
    """Train a `pairwise` or `document` network and return its scorer."""
    torch.manual_seed(seed)
    if kind == "pairwise":
        return train(Pairwise(attends=attends), compute_pair_loss, texts, rows, dev, seed)
    return train(Document(attends=attends), compute_document_loss, texts, rows, dev, seed)
