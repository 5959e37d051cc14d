"""Train vectors of quotes with and without WordNet synsets; vectors of contexts stay those of the shipped
model.

    python -m benchmarks.baselines.famous_synsets --data FOLDER --wordnet FOLDER --vectors FILE --out FILE

QuoteR adds the sememes of HowNet to the words of its quotes. Here the synsets of WordNet 3.0 (Debian's
package `wordnet-base`) replace the sememes. Every synset, or every word, or both, have a trained vector. The
mean of a quote's trained vectors is added to its shipped vector. Trained vectors begin at zero, so training
starts from the shipped model. The loss is the softmax over the whole list; the best epoch is chosen on dev.
Needs torch.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmarks.baselines.famous_rows import (
    FamousRows,
    Floats,
    Ranks,
    Row,
    compare_ranks,
    describe_ranks,
    rank_rows,
)
from benchmarks.provenance import record_provenance
from embedded.analysis import build_analyser
from jobs.famous.encoding import cut_sides
from rostrum.assemble import open_models
from rostrum_core.settings import read_settings

EPOCHS, BATCH, RATE, DECAY, SCALE = 12, 512, 1e-3, 0.01, 20.0
SEEDS = (1, 2, 3)
ENDINGS = {
    "noun": (
        ("s", ""),
        ("ses", "s"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "verb": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "adj": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "adv": (),
}
"""Endings of inflected words, and those of the lemmas, by part of speech."""

Bags = Sequence[Sequence[int]]
"""The features of each quote, by number; a repeated one counts again."""


def read_synsets(folder: Path) -> Callable[[str], list[str]]:
    """Return a function that looks up the synsets of a word in all parts of speech.

    `folder` has the files `index.noun` and `noun.exc`, and those of the other parts of speech. Source of the
    endings: WordNet's manual page morphy(7WN).
    """
    synsets: dict[tuple[str, str], list[str]] = {}
    forms: dict[tuple[str, str], list[str]] = {}
    for part in ENDINGS:
        for line in (folder / f"index.{part}").read_text("ascii").splitlines():
            if not line.startswith(" "):  # as the licence does
                lemma, _, count, *rest = line.split()
                synsets[part, lemma] = [f"{part}-{offset}" for offset in rest[-int(count) :]]
        for line in (folder / f"{part}.exc").read_text("ascii").splitlines():
            form, *lemmas = line.split()
            forms[part, form] = lemmas

    def list_synsets(word: str) -> list[str]:
        named: dict[str, None] = {}
        for part, endings in ENDINGS.items():
            cut = [word.removesuffix(ending) + base for ending, base in endings if word.endswith(ending)]
            for lemma in (word, *forms.get((part, word), cut)):
                named |= dict.fromkeys(synsets.get((part, lemma), ()))
        return list(named)

    return list_synsets


def number_features(texts: Sequence[str], list_features: Callable[[str], Sequence[str]]) -> tuple[Bags, int]:
    """Number the features of the words of texts, except those that occur in only one text; return them and
    their number.
    """
    named = [
        [feature for word in text.split() for feature in list_features(word.strip(".,;:!?()").lower())]
        for text in texts
    ]
    holders: dict[str, int] = {}
    for features in named:
        for feature in set(features):
            holders[feature] = holders.get(feature, 0) + 1
    kept = sorted(feature for feature, count in holders.items() if count > 1)
    numbers = {feature: number for number, feature in enumerate(kept)}
    return [[numbers[feature] for feature in features if feature in numbers] for features in named], len(kept)


class FeaturedQuotes(nn.Module):
    """Add to each quote's vector the mean of the trained vectors of its features, for each kind of
    features.
    """

    def __init__(self, quotes: Floats, kinds: Sequence[tuple[Bags, int]]) -> None:
        super().__init__()
        self.register_buffer("quotes", torch.from_numpy(quotes))
        self.tables = nn.ModuleList(
            nn.EmbeddingBag(size + 1, quotes.shape[1], mode="mean", padding_idx=size) for _, size in kinds
        )
        for number, ((bags, size), table) in enumerate(zip(kinds, self.tables, strict=True)):
            nn.init.zeros_(table.weight)
            lengths = [max(1, len(bag)) for bag in bags]
            self.register_buffer(
                f"flat_{number}", torch.tensor([item for bag in bags for item in bag or [size]])
            )
            self.register_buffer(f"starts_{number}", torch.tensor([0, *np.cumsum(lengths)[:-1]]))

    def forward(self) -> Tensor:
        """Return the vectors of all quotes, of length 1: float32 (quotes, width)."""
        vectors = self.quotes
        for number, table in enumerate(self.tables):
            flat, starts = (self.get_buffer(f"{name}_{number}") for name in ("flat", "starts"))
            vectors = vectors + table(flat, starts)
        return F.normalize(vectors, dim=-1)


def train_quotes(
    quotes: FeaturedQuotes, contexts: Tensor, gold: Tensor, judge: Callable[[Floats], float], seed: int
) -> tuple[Floats, float]:
    """Train the quotes' vectors; return those of the epoch that is best on dev, or the untrained ones if they
    are better, and the figure on dev.
    """
    torch.manual_seed(seed)
    optimizer = torch.optim.AdamW(quotes.parameters(), RATE, weight_decay=DECAY)
    with torch.no_grad():
        vectors = quotes().numpy().copy()
    best = judge(vectors)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(gold)).split(BATCH):
            loss = F.cross_entropy(SCALE * contexts[rows] @ quotes().T, gold[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            trained = quotes().numpy().copy()
        if (figure := judge(trained)) > best:
            best, vectors = figure, trained
    return vectors, best


def encode(data: FamousRows, path: Path) -> dict[str, Floats]:
    """Return the shipped model's vectors of the list and the contexts, from the file `path` if it exists."""
    if path.exists():
        with np.load(path) as opened:
            return dict(opened)
    famous = open_models(read_settings({}), threads=1).get_part("famous")
    vectors = {"quotes": famous.encode_quotes([row["text"] for row in data.quotes])}
    for split, rows in data.splits.items():
        vectors[split] = famous.encode_contexts([cut_sides(row["left"], row["right"]) for row in rows])
    np.savez(path, **vectors)
    return vectors


def rank(data: FamousRows, vectors: Mapping[str, Floats], quotes: Floats, split: str) -> Ranks:
    """Return the ranks of a split's quotes, given both sides of the gaps."""
    place = {id(row): at for at, row in enumerate(data.splits[split])}

    def score(rows: Sequence[Row], sides: str) -> Floats:
        return vectors[split][[place[id(row)] for row in rows]] @ quotes.T

    return rank_rows(data, score, "both", split)


def main() -> None:
    """Read the command line, train each kind, and write the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--wordnet", type=Path, required=True)
    parser.add_argument("--vectors", type=Path, required=True, help="file that keeps the shipped vectors")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    data = FamousRows.read(options.data)
    vectors = encode(data, options.vectors)
    texts, analyse = [row["text"] for row in data.quotes], build_analyser().analyze
    words = number_features(texts, analyse)
    synsets = number_features(texts, read_synsets(options.wordnet))
    kinds: dict[str, list[tuple[Bags, int]]] = {
        "words": [words],
        "synsets": [synsets],
        "words and synsets": [words, synsets],
    }
    contexts, gold = (
        torch.from_numpy(vectors["train"]),
        torch.from_numpy(data.find_gold(data.splits["train"])),
    )
    figures: dict[str, Any] = {
        "shipped": describe_ranks(data, rank(data, vectors, vectors["quotes"], "test"))
    }
    ranks: dict[tuple[str, int], Ranks] = {}
    for name, features in kinds.items():
        for seed in SEEDS:
            trained, dev = train_quotes(
                FeaturedQuotes(vectors["quotes"], features),
                contexts,
                gold,
                lambda quotes: float(np.mean([1 / at for at in rank(data, vectors, quotes, "dev").all])),
                seed,
            )
            ranks[name, seed] = rank(data, vectors, trained, "test")
            figures[f"{name}, seed {seed}"] = {"dev MRR": dev} | describe_ranks(data, ranks[name, seed])
            print(name, seed, dev, figures[f"{name}, seed {seed}"]["all"]["mrr"], flush=True)
    result = {
        "features": {"words": words[1], "synsets": synsets[1]},
        "systems": figures,
        "synsets with words against words": {
            str(seed): compare_ranks(data, ranks["words and synsets", seed], ranks["words", seed])
            for seed in SEEDS
        },
        **record_provenance(None, sorted(options.data.glob("kjv-*.gz"))),
    }
    options.out.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
