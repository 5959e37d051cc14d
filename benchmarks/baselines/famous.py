"""Compare the job famous with the systems of its paper, on the clean test rows of one data set.

    python -m benchmarks.baselines.famous --data FOLDER --out benchmarks/results/famous.json

Everything runs on a CPU, the networks as small versions: see `benchmarks.baselines.famous_networks`. Needs
torch. An interrupted run resumes after the last system that was done, whose ranks are in the folder --runs.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.baselines.famous_counts import (
    ContextVectors,
    make_bm25,
    make_classifier,
    make_relevance_model,
    multiply_ranks,
)
from benchmarks.baselines.famous_networks import (
    HeadNetwork,
    NetworkRecipe,
    Vocabulary,
    WordNetwork,
    make_score,
    train_network,
)
from benchmarks.baselines.famous_rows import (
    SIDES,
    FamousRows,
    Floats,
    Ranks,
    Row,
    Score,
    compare_ranks,
    describe_ranks,
    rank_rows,
)
from benchmarks.baselines.jobs import join_sides
from benchmarks.provenance import record_provenance
from benchmarks.script import make_parser
from jobs.famous.encoding import QuoteEncoder, Vectors
from jobs.famous.job import UNRELATED
from jobs.famous.quote_list import BARE, Weights
from jobs.famous.uses import EarlierUses
from rostrum.assemble import open_models
from rostrum_core.settings import read_settings
from workers.runner.inline import InlineRunner

WORD_RECIPE = NetworkRecipe()
HEAD_RECIPE = NetworkRecipe(epochs=20, rate=5e-4, drop_side=0.0)
CLASS_RECIPE = NetworkRecipe(epochs=12, rate=2e-2, drop_side=0.0)
PATIENCE_S = 3600.0
PRODUCT = "Rostrum"


class Product:
    """Encode texts with the shipped models, each only once: the vectors are saved in the file `path`."""

    def __init__(self, data: FamousRows, path: Path) -> None:
        settings = read_settings({})
        models = open_models(settings, threads=settings.threads)
        self._encoder = QuoteEncoder(InlineRunner(lambda: models), models.hashes)
        self._path, self._kept = path, self._read(path)
        self._texts = [row["text"] for row in data.quotes]

    @cached_property
    def quotes(self) -> Vectors:
        """The vectors of the quotes."""
        if self._path.exists():
            with np.load(self._path) as opened:
                return Vectors(opened["quotes_own"], opened["quotes_general"])
        return self._encoder.encode_quotes(self._texts, self._texts, timeout_s=PATIENCE_S)

    def encode(self, sides: Sequence[tuple[str, str]]) -> Vectors:
        """Return the vectors of gaps."""
        new = [pair for pair in dict.fromkeys(sides) if pair not in self._kept]
        for at in range(0, len(new), 256):
            part = new[at : at + 256]
            vectors = self._encoder.encode_gaps(part, timeout_s=PATIENCE_S)
            self._kept.update(zip(part, zip(vectors.own, vectors.general, strict=True), strict=True))
        pairs = [self._kept[pair] for pair in sides]
        return Vectors(np.stack([own for own, _ in pairs]), np.stack([general for _, general in pairs]))

    def save(self) -> None:
        """Keep what was encoded."""
        if not self._kept:
            return
        keys = list(self._kept)
        np.savez(
            self._path,
            sides=np.array(json.dumps(keys)),
            own=np.stack([self._kept[key][0] for key in keys]),
            general=np.stack([self._kept[key][1] for key in keys]),
            quotes_own=self.quotes.own,
            quotes_general=self.quotes.general,
        )

    def _read(self, path: Path) -> dict[tuple[str, str], tuple[Floats, Floats]]:
        if not path.exists():
            return {}
        with np.load(path) as opened:
            keys = [(left, right) for left, right in json.loads(str(opened["sides"]))]
            return dict(zip(keys, zip(opened["own"], opened["general"], strict=True), strict=True))


def make_product(product: Product, weights: Weights, uses: EarlierUses | None = None) -> Score:
    """Return a function that computes the job's scores for a list without authors, optionally with earlier
    uses.
    """

    def score(rows: Sequence[Row], sides: str) -> Floats:
        vectors = product.encode([(row["left"], row["right"] if sides == "both" else "") for row in rows])
        own, general = vectors.own @ product.quotes.own.T, vectors.general @ product.quotes.general.T
        scores = _standardise(own) + weights.general * _standardise(general)
        if uses is not None:
            similar = np.stack([uses.score(join_sides(row, sides)) for row in rows])
            scores += weights.uses * _standardise(np.log(similar + UNRELATED))
        return scores

    return score


def index_uses(data: FamousRows) -> EarlierUses:
    """Convert the training contexts to earlier uses of their quotes."""
    uses: list[list[str]] = [[] for _ in data.quotes]
    for row, at in zip(data.splits["train"], data.find_gold(data.splits["train"]), strict=True):
        uses[at].append(join_sides(row, "both"))
    return EarlierUses(uses)


def _standardise(scores: Floats) -> Floats:
    return (scores - scores.mean(1, keepdims=True)) / scores.std(1, keepdims=True)


def train_system(
    kind: str, data: FamousRows, vocabulary: Vocabulary, product: Product, recipe: NetworkRecipe
) -> Score:
    """Return the scores of a trained network."""
    torch.manual_seed(recipe.seed)
    network: Any
    if kind.startswith("bert"):
        network = HeadNetwork(kind, lambda sides: product.encode(sides).general, product.quotes.general)
    else:
        network = WordNetwork(kind, data, vocabulary, recipe)
    train_network(network, data, recipe, lambda line: print(line, flush=True))
    return make_score(network, data)


def limit_rows(data: FamousRows, most: int) -> FamousRows:
    """Return the data with at most this number of training contexts, sampled at random; 0 means all."""
    rows = data.splits["train"]
    if not 0 < most < len(rows):
        return data
    chosen = random.Random(HEAD_RECIPE.seed).sample(rows, most)
    return replace(data, splits={**data.splits, "train": tuple(chosen)})


def run_system(name: str, make: Callable[[], Score], data: FamousRows, runs: Path) -> dict[str, Ranks]:
    """Return the ranks by a system, with both sides of the contexts and with only the left side; read them
    from its file if it exists.
    """
    path = runs / f"{name.replace(' ', '-')}.json"
    if path.exists():
        return {sides: Ranks(**ranks) for sides, ranks in json.loads(path.read_text("utf-8")).items()}
    score = make()
    ranks = {sides: rank_rows(data, score, sides) for sides in SIDES}
    path.write_text(json.dumps({sides: asdict(item) for sides, item in ranks.items()}), "utf-8")
    print(name, *(describe_ranks(data, item)["all"]["mrr"] for item in ranks.values()), flush=True)
    return ranks


def main() -> None:
    """Read the command line, run each system, and write the figures."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--runs", type=Path, required=True, help="folder of ranks and vectors")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--frequent", action="store_true", help="only quotes with five contexts or more")
    parser.add_argument("--heads", type=int, default=0, help="contexts that the BERTs learn from; 0 is all")
    parser.add_argument("--only", nargs="*", help="run these systems and write nothing")
    parser.add_argument("--most-s", type=float, default=WORD_RECIPE.most_s, help="begin no epoch after it")
    options = parser.parse_args()
    options.runs.mkdir(parents=True, exist_ok=True)
    data = FamousRows.read(options.data, only_frequent=options.frequent)
    product, vectors, vocabulary = (
        Product(data, options.runs / "vectors.npz"),
        ContextVectors(data),
        Vocabulary(data),
    )
    recipes = dict.fromkeys(("lstm", "nnqr", "n-qrm", "transform"), WORD_RECIPE)
    recipes |= {"bert-sim": HEAD_RECIPE, "bert-cls": CLASS_RECIPE}
    scores: dict[str, Score] = {}

    def train(kind: str) -> Score:
        if kind not in scores:
            recipe = replace(recipes[kind], most_s=options.most_s)
            rows = limit_rows(data, options.heads) if kind.startswith("bert") else data
            scores[kind] = train_system(kind, rows, vocabulary, product, recipe)
        return scores[kind]

    relevance = make_relevance_model(data, vectors)
    makers: dict[str, Callable[[], Score]] = {
        PRODUCT: lambda: make_product(product, BARE, index_uses(data)),
        "Rostrum without uses": lambda: make_product(product, BARE),
        "model alone": lambda: make_product(product, Weights()),
        "BM25": lambda: make_bm25(data),
        "CRM": lambda: relevance,
        "LSTM": lambda: train("lstm"),
        "top-k RM": lambda: multiply_ranks(
            [relevance, make_classifier(data, vectors), make_bm25(data), train("lstm")]
        ),
        "NNQR": lambda: train("nnqr"),
        "N-QRM": lambda: train("n-qrm"),
        "Transform": lambda: train("transform"),
        "BERT-Sim": lambda: train("bert-sim"),
        "BERT-Cls": lambda: train("bert-cls"),
    }
    chosen = options.only or list(makers)
    ranks = {name: run_system(name, makers[name], data, options.runs) for name in chosen}
    product.save()
    if options.only:
        return
    ours = ranks[PRODUCT]
    figures = {
        name: {
            sides: describe_ranks(data, item)
            | ({} if name == PRODUCT else {"p": compare_ranks(data, ours[sides], item)})
            for sides, item in by_sides.items()
        }
        for name, by_sides in ranks.items()
    }
    result = {
        "systems": figures,
        "both against left": compare_ranks(data, ours["both"], ours["left"]),
        "frequent only": options.frequent,
        "contexts of the BERTs": options.heads,
        "recipes": {
            "words": asdict(WORD_RECIPE),
            "BERT-Sim": asdict(HEAD_RECIPE),
            "BERT-Cls": asdict(CLASS_RECIPE),
        },
        **record_provenance(None, sorted(options.data.glob("kjv-*.gz"))),
    }
    options.out.write_text(json.dumps(result, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
