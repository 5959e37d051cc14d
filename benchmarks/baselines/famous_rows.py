"""Read contexts of well-known quotes.

Rank the quote of each context among all quotes, and among the frequent ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.baselines.jobs import rank_of
from evaluation.metrics import run_permutation_test
from training.famous import FREQUENT, summarise
from training.famous_data import is_clean
from training.job_data import read_rows

Floats = NDArray[np.float32]
Row = Mapping[str, Any]
Score = Callable[[Sequence[Row], str], Floats]
"""Score all quotes for rows with `sides`, both or left: float (rows, quotes)."""

SIDES = ("both", "left")
BUCKETS = {"0": (0, 0), "1": (1, 1), "2-4": (2, 4), "5-19": (5, 19), "20 and more": (20, 1 << 30)}
"""Test contexts by how many contexts of their quote there are to train on."""


@dataclass(frozen=True)
class FamousRows:
    """Hold the list of quotes and the clean contexts of each split."""

    quotes: tuple[Row, ...]
    splits: Mapping[str, tuple[Row, ...]]

    @classmethod
    def read(cls, folder: Path, *, only_frequent: bool = False) -> FamousRows:
        """Read `kjv-verses.jsonl.gz` and `kjv-contexts.jsonl.gz`; optionally only frequent quotes."""
        rows = [row for row in read_rows(folder / "kjv-contexts.jsonl.gz") if is_clean(row)]
        counts = Counter(row["ref"] for row in rows)
        least = FREQUENT if only_frequent else 0
        rows = [row for row in rows if counts[row["ref"]] >= least]
        listed = read_rows(folder / "kjv-verses.jsonl.gz")
        quotes = tuple(row for row in listed if counts[row["ref"]] >= least)
        names = sorted({row["split"] for row in rows})
        return cls(quotes, {name: tuple(row for row in rows if row["split"] == name) for name in names})

    @cached_property
    def place(self) -> dict[str, int]:
        """The index of each quote."""
        return {row["ref"]: at for at, row in enumerate(self.quotes)}

    @cached_property
    def trained(self) -> Counter[str]:
        """Count the training contexts of each quote."""
        return Counter(row["ref"] for row in self.splits["train"])

    @cached_property
    def frequent(self) -> list[int]:
        """The quotes with `FREQUENT` contexts or more in all splits."""
        counts = Counter(row["ref"] for rows in self.splits.values() for row in rows)
        return [at for at, row in enumerate(self.quotes) if counts[row["ref"]] >= FREQUENT]

    def find_gold(self, rows: Sequence[Row]) -> NDArray[np.int64]:
        """Return the index of each row's quote."""
        return np.array([self.place[row["ref"]] for row in rows], np.int64)


@dataclass(frozen=True)
class Ranks:
    """Hold the rank of each test row's quote among all quotes, and the rank of frequent quotes among the
    frequent ones.
    """

    all: tuple[int, ...]
    frequent: tuple[int, ...]


def rank_rows(data: FamousRows, score: Score, sides: str, split: str = "test") -> Ranks:
    """Rank the quote of each row of a split."""
    rows, gold = data.splits[split], data.find_gold(data.splits[split])
    scores = np.concatenate([score(rows[at : at + 256], sides) for at in range(0, len(rows), 256)])
    column = {at: place for place, at in enumerate(data.frequent)}
    overall = tuple(rank_of(own, int(at)) for own, at in zip(scores, gold, strict=True))
    among = scores[:, data.frequent]
    pairs = [(own, column[int(at)]) for own, at in zip(among, gold, strict=True) if int(at) in column]
    return Ranks(overall, tuple(rank_of(own, at) for own, at in pairs))


def describe_ranks(data: FamousRows, ranks: Ranks) -> dict[str, Any]:
    """Return the figures of the test rows: for all quotes, for frequent ones, and by the number of training
    contexts of a quote.
    """
    counts = [data.trained[row["ref"]] for row in data.splits["test"]]
    figures: dict[str, Any] = {"all": summarise(ranks.all), "frequent": summarise(ranks.frequent)}
    figures["trained on"] = {
        name: summarise([rank for rank, n in zip(ranks.all, counts, strict=True) if least <= n <= most])
        for name, (least, most) in BUCKETS.items()
    }
    return figures


def compare_ranks(data: FamousRows, ours: Ranks, theirs: Ranks) -> dict[str, float]:
    """Return the p-values of the differences in MRR: rows of one document are permuted together."""
    rows, frequent = data.splits["test"], set(data.frequent)
    documents = [row["doc"] for row in rows]
    among = [row["doc"] for row in rows if data.place[row["ref"]] in frequent]
    return {
        "all": run_permutation_test(_invert(ours.all), _invert(theirs.all), documents),
        "frequent": run_permutation_test(_invert(ours.frequent), _invert(theirs.frequent), among),
    }


def _invert(ranks: Sequence[int]) -> list[float]:
    return [1 / rank for rank in ranks]
