"""Train the thesis's models of evidence, small, and judge them on test claims next to the product's model.

    python -m benchmarks.baselines.evidence --data EVIDENCE --models models --report REPORT [--claims 100]

Models of "Why did they cite that?" (thesis, 2018): pairwise ranking with hinge loss over BiLSTMs of claim and
sentence, with and without attention between them; a BiRNN over the sentences of the document; the best ten by
sentence vectors; BM25; the encoder untouched. Word vectors are the shipped table's, frozen. REPORT is the
`evidence.json` of the product's training, with the results of each test claim. `--claims` draws so many test
claims of debater; SciFact has all. Writes `results/evidence-baselines.json`.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from benchmarks.provenance import provenance, write
from evaluation.metrics import run_permutation_test
from jobs.evidence.lexical import score_words
from reranker.models.loaded import Models
from training.evidence import judge_ranking
from training.evidence_rows import read_arrays

WORDS, WIDTH, HIDDEN = 40, 384, 64
STEPS, BATCH, RATE, MARGIN = 300, 32, 2e-3, 1.0
TOP = 10
FIGURES = ("pairwise", "mrr", "p@1", "ndcg@10")

Row = dict[str, Any]
Scorer = Callable[[Row], NDArray[np.float32]]


class Texts:
    """Turn texts into rows of word vectors, (n, `WORDS`, `WIDTH`), and masks; a text is read once."""

    def __init__(self, models: Models) -> None:
        self._models = models
        self._ids: dict[str, NDArray[np.int32]] = {}

    def read(self, texts: Sequence[str]) -> tuple[Tensor, Tensor]:
        """Return the vectors and the mask of texts."""
        new = [text for text in dict.fromkeys(texts) if text not in self._ids]
        for text, pieces in zip(new, self._models.wordpieces.tokenise(new), strict=True):
            self._ids[text] = pieces.ids[:WORDS]
        ids = np.zeros((len(texts), WORDS), np.int32)
        mask = np.zeros((len(texts), WORDS), bool)
        for row, text in enumerate(texts):
            pieces_of = self._ids[text]
            ids[row, : len(pieces_of)], mask[row, : max(1, len(pieces_of))] = pieces_of, True
        return torch.from_numpy(self._models.words.lookup(ids)), torch.from_numpy(mask)


def pool(states: Tensor, mask: Tensor) -> Tensor:
    """Return the mean state of the words of each text."""
    weights = mask.float()[..., None]
    return (states * weights).sum(1) / weights.sum(1)


class Pairwise(nn.Module):
    """Score a sentence by [C; C*E; E] over BiLSTMs; with attention, its words attend to the claim's."""

    def __init__(self, *, attends: bool) -> None:
        super().__init__()
        self.attends = attends
        self.words = nn.LSTM(WIDTH, HIDDEN, batch_first=True, bidirectional=True)
        self.mix = nn.Linear(6 * HIDDEN, 2 * HIDDEN)
        self.score = nn.Sequential(nn.Linear(6 * HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))

    def forward(self, claim: tuple[Tensor, Tensor], texts: tuple[Tensor, Tensor]) -> Tensor:
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

    def __init__(self) -> None:
        super().__init__()
        self.project = nn.Linear(WIDTH, 2 * HIDDEN)
        self.sentences = nn.GRU(2 * HIDDEN, HIDDEN, batch_first=True, bidirectional=True)
        self.score = nn.Sequential(nn.Linear(6 * HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, 1))

    def forward(self, claim: tuple[Tensor, Tensor], texts: tuple[Tensor, Tensor]) -> Tensor:
        """Return the scores (n,) of the sentences of one document."""
        vectors = self.project(pool(*texts))
        states = self.sentences(vectors[None])[0][0]
        c = self.project(pool(*claim)).expand(len(states), -1)
        scores: Tensor = self.score(torch.cat([c, c * states, states], -1))[:, 0]
        return scores


def draw_pairs(rows: Sequence[Row], chance: random.Random) -> list[tuple[str, str, str]]:
    """Return a batch of claims, each with a sentence that is evidence and one that is not."""
    pairs: list[tuple[str, str, str]] = []
    while len(pairs) < BATCH:
        row = chance.choice(rows)
        marked = [text for text, mark in zip(row["sentences"], row["evidence"], strict=True) if mark]
        others = [text for text, mark in zip(row["sentences"], row["evidence"], strict=True) if not mark]
        if marked and others:
            pairs.append((row["claim"], chance.choice(marked), chance.choice(others)))
    return pairs


def train_pairwise(rows: Sequence[Row], texts: Texts, seed: int, *, attends: bool) -> Scorer:
    """Return the scorer of a pairwise model."""
    torch.manual_seed(seed)
    model, chance = Pairwise(attends=attends), random.Random(seed)
    optimizer = torch.optim.Adam(model.parameters(), RATE)
    for _ in range(STEPS):
        claims, marked, others = zip(*draw_pairs(rows, chance), strict=True)
        claim = texts.read(claims)
        difference = model(claim, texts.read(marked)) - model(claim, texts.read(others))
        loss = torch.relu(MARGIN - difference).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return make_scorer(model, texts)


def train_document(rows: Sequence[Row], texts: Texts, seed: int) -> Scorer:
    """Return the scorer of the model that reads the whole document."""
    torch.manual_seed(seed)
    model, chance = Document(), random.Random(seed)
    optimizer = torch.optim.Adam(model.parameters(), RATE)
    for _ in range(STEPS):
        row = chance.choice(rows)
        marks = torch.tensor(row["evidence"], dtype=torch.bool)
        if marks.all() or not marks.any():
            continue
        scores = model(texts.read([row["claim"]]), texts.read(row["sentences"]))
        loss = torch.relu(MARGIN - (scores[marks][:, None] - scores[~marks][None])).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return make_scorer(model, texts)


def make_scorer(model: nn.Module, texts: Texts) -> Scorer:
    """Return a function from a row to the scores of its sentences."""
    model.eval()

    @torch.no_grad()
    def score(row: Row) -> NDArray[np.float32]:
        scores: NDArray[np.float32] = model(texts.read([row["claim"]]), texts.read(row["sentences"])).numpy()
        return scores

    return score


def score_by_words(row: Row) -> NDArray[np.float32]:
    """Return the BM25 of the sentences."""
    return np.array(score_words(row["claim"], row["sentences"]), np.float32)


def rank_top(row: Row, models: Models, pairwise: Scorer) -> NDArray[np.float32]:
    """Return the scores of the best ten by cosine in the order of a pairwise model, above all others."""
    return keep_top(score_cosine(row, models), pairwise(row))


def score_cosine(row: Row, models: Models) -> NDArray[np.float32]:
    """Return the cosines of the sentences' vectors and the claim's, by the shipped encoder."""
    vectors = np.stack([item.vector for item in models.encoder.encodings(row["sentences"])])
    claim = models.encoder.encode_query(models.wordpieces.tokenise_query("", row["claim"]))
    return np.asarray(vectors @ claim, np.float32)


def keep_top(cosines: NDArray[np.float32], scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return `scores` for the best ten by cosine, above all others, which keep the order of the cosines."""
    kept = np.argsort(-cosines, kind="stable")[:TOP]
    result = cosines.astype(np.float32).copy()
    span = float(scores.max() - scores.min()) or 1.0
    result[kept] = 2 + (scores[kept] - scores.min()) / span
    return result


def judge(rows: Sequence[Row], scorers: dict[str, Scorer], product: dict[str, list[float]]) -> Row:
    """Return the figures of each scorer, and p of the product's differences from it."""
    clusters = [str(row["document"]) for row in rows]
    figures: Row = {"n": len(rows)}
    for name, scorer in scorers.items():
        judged = [judge_ranking(scorer(row), np.array(row["evidence"], bool)) for row in rows]
        means = {figure: round(float(np.mean([item[figure] for item in judged])), 4) for figure in FIGURES}
        p_values = {
            figure: run_permutation_test(product[figure], [item[figure] for item in judged], clusters)
            for figure in ("pairwise", "mrr")
        }
        figures[name] = {**means, "p": p_values}
        print(name, figures[name], flush=True)
    figures["model"] = {figure: round(float(np.mean(product[figure])), 4) for figure in product}
    return figures


def main() -> None:
    """Read the command line, train, judge, and write the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--models", type=Path, required=True)
    parser.add_argument("--report", type=Path, required=True)
    parser.add_argument("--claims", type=int, default=100)
    parser.add_argument("--sets", nargs="+", default=["scifact", "debater"])
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    models = Models(options.models)
    texts = Texts(models)
    claims = read_arrays(options.data, options.models / "tokenizer.json").list_claims()
    report = json.loads(options.report.read_text("utf-8"))["trained"]
    result: Row = {"seed": options.seed, "steps": STEPS, "batch": BATCH}
    for kind in options.sets:
        train = [row for row in claims if (row["set"], row["split"]) == (kind, "train")]
        test = [row for row in claims if (row["set"], row["split"]) == (kind, "test")]
        places = list(range(len(test)))
        if len(places) > options.claims:
            places = sorted(random.Random(options.seed).sample(places, options.claims))
        plain = train_pairwise(train, texts, options.seed, attends=False)
        attentive = train_pairwise(train, texts, options.seed, attends=True)
        scorers: dict[str, Scorer] = {
            "bm25": score_by_words,
            "pairwise BiLSTM": plain,
            "pairwise BiLSTM, attention": attentive,
            "document BiRNN": train_document(train, texts, options.seed),
            "encoder untouched": partial(score_cosine, models=models),
            "best ten by encoder, then pairwise": partial(rank_top, models=models, pairwise=plain),
        }
        product = {
            figure: [report[f"{kind} test"][f"{figure} of each"][at] for at in places]
            for figure in ("pairwise", "mrr")
        }
        result[kind] = judge([test[at] for at in places], scorers, product)
        write("evidence-baselines", {**result, **provenance(models, sorted(options.data.glob("*.gz")))})


if __name__ == "__main__":
    main()
