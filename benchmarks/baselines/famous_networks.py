"""Train small versions of the neural systems that QuoteR compares itself with.

All read 40 words on each side of the gap and score a quote by the product of two vectors. The recurrent
ones learn their word vectors, as no trained ones are at hand. The BERTs are the shipped encoder, frozen,
with trained heads. Each learns for a few minutes on two cores, and keeps the epoch that is best on dev.

Source: section 4.2 of "QuoteR: A Benchmark of Quote Recommendation for Writing" (ACL 2022).
"""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.baselines.famous_rows import FamousRows, Floats, Row, Score, rank_rows

WORD = re.compile(r"[a-z]+|\[quote\]")
SIDE_WORDS, QUOTE_WORDS = 40, 30
PADDING, UNKNOWN = 0, 1
Ids = NDArray[np.int64]


@dataclass(frozen=True)
class NetworkRecipe:
    """Set sizes and length of a training. A side of a context is dropped with probability `drop_side`."""

    width: int = 128
    embedded: int = 100
    batch: int = 128
    epochs: int = 6
    rate: float = 2e-3
    dropout: float = 0.2
    drop_side: float = 0.15
    most_s: float = 300.0
    seed: int = 7


class Vocabulary:
    """Number the words that occur at least twice in training contexts and quotes."""

    def __init__(self, data: FamousRows) -> None:
        counts = Counter(word for row in data.quotes for word in split_words(row["text"]))
        for row in data.splits["train"]:
            counts.update(split_words(f"{row['left']} {row['right']}"))
        common = sorted(word for word, count in counts.items() if count > 1)
        self._numbers = {word: at for at, word in enumerate(["", "?", "[quote]", *common])}

    def __len__(self) -> int:
        return len(self._numbers)

    def read_context(self, left: str, right: str) -> list[int]:
        """Return the words around a gap, with a special word for the gap."""
        before, after = split_words(left)[-SIDE_WORDS:], split_words(right)[:SIDE_WORDS]
        return self._number([*before, "[quote]", *after])

    def read_quote(self, text: str) -> list[int]:
        """Return the words of a quote."""
        return self._number(split_words(text)[:QUOTE_WORDS]) or [UNKNOWN]

    def _number(self, words: Sequence[str]) -> list[int]:
        return [self._numbers.get(word, UNKNOWN) for word in words]


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case.

    >>> split_words("He said: [quote] And 3 more.")
    ['he', 'said', '[quote]', 'and', 'more']
    """
    return WORD.findall(text.lower())


def pad_rows(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Return ids (n, longest), padded with 0, and lengths (n,)."""
    lengths = torch.tensor([len(row) for row in rows])
    ids = torch.zeros(len(rows), int(lengths.max()), dtype=torch.long)
    for at, row in enumerate(rows):
        ids[at, : len(row)] = torch.tensor(row)
    return ids, lengths


class Recurrent(nn.Module):
    """Encode words by an LSTM: the mean of its states, (n, width)."""

    def __init__(self, words: nn.Embedding, recipe: NetworkRecipe) -> None:
        super().__init__()
        self.words, self.dropout = words, nn.Dropout(recipe.dropout)
        self.lstm = nn.LSTM(recipe.embedded, recipe.width, batch_first=True)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Return vectors of padded rows."""
        states, _ = self.lstm(self.dropout(self.words(ids)))
        mask = (ids != PADDING).unsqueeze(-1)
        return (states * mask).sum(1) / lengths.unsqueeze(1).clamp(min=1)


class Attentive(nn.Module):
    """Encode words by one transformer layer, then a matrix to the space of quotes: (n, width)."""

    def __init__(self, words: nn.Embedding, recipe: NetworkRecipe) -> None:
        super().__init__()
        self.words, self.dropout = words, nn.Dropout(recipe.dropout)
        self.into = nn.Linear(recipe.embedded, recipe.width)
        self.places = nn.Embedding(2 * SIDE_WORDS + 1, recipe.width)
        self.layer = nn.TransformerEncoderLayer(
            recipe.width, 4, 2 * recipe.width, recipe.dropout, batch_first=True, norm_first=True
        )
        self.matrix = nn.Linear(recipe.width, recipe.width, bias=False)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Return vectors of padded rows."""
        states = self.into(self.dropout(self.words(ids))) + self.places(torch.arange(ids.shape[1]))
        states = self.layer(states, src_key_padding_mask=ids == PADDING)
        mask = (ids != PADDING).unsqueeze(-1)
        return self.matrix((states * mask).sum(1) / lengths.unsqueeze(1).clamp(min=1))


class WordNetwork(nn.Module):
    """Score quotes by learned word vectors. `kind` is one of `KINDS`."""

    def __init__(self, kind: str, data: FamousRows, vocabulary: Vocabulary, recipe: NetworkRecipe) -> None:
        super().__init__()
        words = nn.Embedding(len(vocabulary), recipe.embedded, padding_idx=PADDING)
        nn.init.normal_(words.weight, std=0.1)
        self.kind, self.vocabulary, self.recipe = kind, vocabulary, recipe
        self.context = (Attentive if kind == "transform" else Recurrent)(words, recipe)
        self.quotes = Recurrent(words, recipe)
        books = [row["ref"].split(" ")[0] for row in data.quotes]
        numbers = {book: at for at, book in enumerate(sorted(set(books)))}
        self.register_buffer("book", torch.tensor([numbers[book] for book in books]))
        self.author = nn.Embedding(len(numbers), recipe.width)
        nn.init.zeros_(self.author.weight)
        self.texts = [vocabulary.read_quote(row["text"]) for row in data.quotes]
        self.scale = nn.Parameter(torch.tensor(10.0))

    def encode_contexts(self, sides: Sequence[tuple[str, str]]) -> Tensor:
        """Return the vectors of contexts, of length 1."""
        rows = [self.vocabulary.read_context(left, right) for left, right in sides]
        return F.normalize(self.context(*pad_rows(rows)), dim=-1)

    def encode_quotes(self, numbers: Sequence[int]) -> Tensor:
        """Return the vectors of quotes, of length 1; except for the plain LSTM, they include the author's
        vector.
        """
        vectors = self.quotes(*pad_rows([self.texts[number] for number in numbers]))
        if self.kind in ("nnqr", "n-qrm"):
            vectors = vectors + self.author(self.book[list(numbers)])
        return F.normalize(vectors, dim=-1)


class HeadNetwork(nn.Module):
    """Score quotes by a head on frozen vectors: `bert-sim` has two matrices, `bert-cls` a class per quote."""

    def __init__(
        self, kind: str, contexts: Callable[[Sequence[tuple[str, str]]], Floats], quotes: Floats
    ) -> None:
        super().__init__()
        width = quotes.shape[1]
        self.kind, self._encode = kind, contexts
        self.register_buffer("listed", torch.from_numpy(quotes))
        self.into, self.out = (nn.Linear(width, width, bias=False) for _ in range(2))
        for matrix in (self.into, self.out):
            nn.init.eye_(matrix.weight)
        self.classes = nn.Embedding(len(quotes), width)
        nn.init.zeros_(self.classes.weight)
        self.scale = nn.Parameter(torch.tensor(20.0))

    def encode_contexts(self, sides: Sequence[tuple[str, str]]) -> Tensor:
        """Return the vectors of contexts."""
        vectors = torch.from_numpy(self._encode(sides))
        return vectors if self.kind == "bert-cls" else F.normalize(self.into(vectors), dim=-1)

    def encode_quotes(self, numbers: Sequence[int]) -> Tensor:
        """Return the vectors of quotes."""
        chosen = list(numbers)
        if self.kind == "bert-cls":
            return self.classes(torch.tensor(chosen))
        return F.normalize(self.out(self.listed[chosen]), dim=-1)


KINDS = ("lstm", "nnqr", "n-qrm", "transform", "bert-sim", "bert-cls")


def train_network(
    network: Any, data: FamousRows, recipe: NetworkRecipe, report: Callable[[str], None]
) -> float:
    """Train against the other quotes of each batch; keep the best epoch on dev. Return its MRR there.

    `bert-cls` is trained against all quotes. For `n-qrm` the contexts of each epoch are shortened at random,
    so that none is memorised. The loss of `transform` also moves a context's vector towards its quote's.
    """
    chance, best, kept = random.Random(recipe.seed), -1.0, {}
    optimizer = torch.optim.AdamW(network.parameters(), recipe.rate, weight_decay=0.01)
    begun = time.monotonic()
    for epoch in range(recipe.epochs):
        network.train()
        for rows in cut_batches(data.splits["train"], recipe.batch, chance):
            loss = compute_loss(network, data, rows, recipe, chance)
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
        ranks = rank_rows(data, make_score(network, data), "both", "dev").all
        mrr = float(np.mean([1 / rank for rank in ranks]))
        report(f"{network.kind} epoch {epoch + 1}: dev MRR {mrr:.4f} after {time.monotonic() - begun:.0f} s")
        if mrr > best:
            best, kept = mrr, {name: value.clone() for name, value in network.state_dict().items()}
        if time.monotonic() - begun > recipe.most_s:
            break
    network.load_state_dict(kept)
    return best


def compute_loss(
    network: Any, data: FamousRows, rows: Sequence[Row], recipe: NetworkRecipe, chance: random.Random
) -> Tensor:
    """Return the cross-entropy of each context's quote among those of the batch, or among all."""
    gold = data.find_gold(rows).tolist()
    pool = list(range(len(data.quotes))) if network.kind == "bert-cls" else sorted(set(gold))
    place = {number: at for at, number in enumerate(pool)}
    contexts = network.encode_contexts([draw_sides(network.kind, row, recipe, chance) for row in rows])
    quotes = network.encode_quotes(pool)
    target = torch.tensor([place[number] for number in gold])
    loss = F.cross_entropy(network.scale * contexts @ quotes.T, target)
    if network.kind == "transform":
        loss = loss + F.mse_loss(contexts, quotes[target])
    return loss


def draw_sides(kind: str, row: Row, recipe: NetworkRecipe, chance: random.Random) -> tuple[str, str]:
    """Return the text on both sides of a gap; at random, drop one side, or for `n-qrm` shorten it."""
    left, right = row["left"], row["right"]
    if chance.random() < recipe.drop_side:
        left, right = (left, "") if chance.random() < 0.7 else ("", right)
    if kind == "n-qrm":
        words = chance.randint(SIDE_WORDS // 4, SIDE_WORDS)
        left, right = " ".join(left.split()[-words:]), " ".join(right.split()[:words])
    return left, right


def cut_batches(rows: Sequence[Row], size: int, chance: random.Random) -> Iterator[list[Row]]:
    """Yield the rows in random order, `size` at a time; the last few are left out."""
    order = list(rows)
    chance.shuffle(order)
    for at in range(0, len(order) - size + 1, size):
        yield order[at : at + size]


def make_score(network: Any, data: FamousRows) -> Score:
    """Return a function that scores quotes with the network's current weights."""
    network.eval()
    with torch.no_grad():
        parts = [range(at, min(at + 512, len(data.quotes))) for at in range(0, len(data.quotes), 512)]
        quotes = torch.cat([network.encode_quotes(part) for part in parts])

    @torch.no_grad()
    def score(rows: Sequence[Row], sides: str) -> Floats:
        network.eval()
        texts = [(row["left"], row["right"] if sides == "both" else "") for row in rows]
        return (network.encode_contexts(texts) @ quotes.T).numpy()

    return score
