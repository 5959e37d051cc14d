"""Measure the answers to queries and drafts of several kinds, and the calibration of their fit.

    python -m benchmarks.query_kinds ask --archive ARCHIVE --others documents.jsonl.gz --rows rows.json
    python -m benchmarks.query_kinds fit --rows rows.json

`ask` makes queries from the speeches of the sample archive, and as many of each kind from speeches outside
it, and sends all of them to the archive. It also sends the texts before quotes of `--off-topic`. `fit` fits
`FIT_WEIGHTS` of `reranker.fit_probability` on these rows, and writes results/query-kinds.json: recall by
kind, the area under the ROC curve of rows held out by their speech, and the calibration.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from archive.service import Service
from archive.shipped_files import locate_shipped
from benchmarks.provenance import write
from reranker.fit_probability import FEATURES, read_features
from reranker.signals.exact_words import is_query
from rostrum.assemble import assemble
from rostrum_core.settings import read_settings
from rostrum_core.types import Draft

Floats = NDArray[np.float64]
Speech = Mapping[str, Any]
COUNTS = {"words": 50, "wrong word": 25, "topic": 25, "draft": 50, "topical draft": 25}
"""Number of queries of each kind from speeches of the archive, and equally from others."""

OFF_TOPIC = 50
PLOT = Path(__file__).parents[1] / "docs" / "calibration.svg"
FOLDS = 5
RIDGE = 1.0
BINS = 5
LEAST_WORDS = 12  # of a paragraph that a query is made of
LEAST_LETTERS = 6  # of a word of a topic
WRONG = ("never", "people", "great", "many")


def make_query(kind: str, speech: Speech, drawn: Random) -> tuple[Draft, str]:
    """Return a query of a kind and the paragraph to be found."""
    texts = speech["paragraphs"]
    place = drawn.choice([i for i in range(1, len(texts)) if len(texts[i].split()) >= LEAST_WORDS])
    text, before = texts[place], texts[place - 1]
    if kind == "words":
        return Draft(left=_take_line(text, drawn.randrange(4, 8), drawn)), text
    if kind == "wrong word":
        words = _take_line(text, 6, drawn).split()
        words[drawn.randrange(1, len(words))] = drawn.choice(WRONG)
        return Draft(left=" ".join(words)), text
    if kind == "topic":
        return Draft(title=_take_topic(text, 3, drawn)), text
    topics = f"{_take_topic(text, 6, drawn)} and {_take_topic(before, 4, drawn)}"
    if kind == "draft":
        speaker = speech.get("speaker") or "He"
        title = re.sub(r"[,:–—].*", "", speech["title"])
        left = f"In {speech['date'][:4]} {speaker} spoke to the country. The speech turned to {topics}."
        return Draft(title, f"{left} As {speaker.split()[-1]} put it:"), text
    return Draft(
        left=f"The matter came up again this week. It was about {topics}. One president had said:"
    ), text


def _take_line(text: str, count: int, drawn: Random) -> str:
    words = text.split()
    first = drawn.randrange(0, max(1, len(words) - count))
    return " ".join(words[first : first + count]).strip('.,;:—-"“”')


def _take_topic(text: str, count: int, drawn: Random) -> str:
    words = [word.strip('.,;:—-"“”()').lower() for word in text.split()]
    long = [word for word in words if len(word) >= LEAST_LETTERS]
    drawn.shuffle(long)
    return " ".join(long[:count])


def ask(service: Service, kind: str, draft: Draft, speech: Speech, text: str | None) -> dict[str, Any]:
    """Return the answer of an archive; `text` is the paragraph to find, `None` if the archive has none."""
    answer = service.recommend(draft, limit=50, timeout_s=600.0)
    paragraphs = [" ".join(r.paragraph.text.split()) for r in answer.recommendations]
    right = [text is not None and _is_part(found, " ".join(text.split())) for found in paragraphs]
    documents = [r.document.id == speech["id"] for r in answer.recommendations]
    return {
        "kind": kind,
        "speech": speech["id"],
        "held": text is not None,
        "query": is_query(draft),
        "rank": right.index(True) + 1 if True in right else None,
        "document_rank": documents.index(True) + 1 if True in documents else None,
        "scores": dict(answer.recommendations[0].scores),
    }


def _is_part(found: str, text: str) -> bool:
    """Return whether a paragraph of the archive equals that of the file, or is a part of it."""
    return found in text or text in found


def fits(row: Mapping[str, Any]) -> bool:
    """Return whether the first answer fits: the exact paragraph of a query, the right speech of a draft."""
    return bool(row["held"] and (row["rank"] if row["query"] else row["document_rank"]) == 1)


def fit_logistic(features: Floats, labels: Floats) -> Floats:
    """Return the weights of a logistic regression, the intercept last, with a ridge on the others."""
    design = np.column_stack([features, np.ones(len(features))])
    weights = np.zeros(design.shape[1])
    ridge = RIDGE * np.diag([1.0] * (len(weights) - 1) + [0.0])
    for _ in range(30):
        p = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (p - labels) + ridge @ weights
        hessian = (design * (p * (1 - p))[:, None]).T @ design + ridge
        weights -= np.linalg.solve(hessian + 1e-9 * np.eye(len(weights)), gradient)
    return weights


def measure_auc(scores: Floats, labels: Floats) -> float:
    """Return the share of pairs of a fitting and another row in which the fitting one scores higher.

    >>> measure_auc(np.array([0.9, 0.4, 0.5, 0.1]), np.array([1.0, 1.0, 0.0, 0.0]))
    0.75
    """
    ours, others = scores[labels > 0], scores[labels == 0]
    wins = (ours[:, None] > others).sum() + 0.5 * (ours[:, None] == others).sum()
    return float(wins / (len(ours) * len(others)))


def fit_rows(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return weights, held-out AUC and calibration, and the figures by kind."""
    features = np.array(
        [
            [values[name] for name in FEATURES]
            for values in (read_features(row["scores"], is_query=row["query"]) for row in rows)
        ]
    )
    labels = np.array([fits(row) for row in rows], np.float64)
    folds = np.array([crc32(row["speech"].encode()) % FOLDS for row in rows])
    held_out = np.zeros(len(rows))
    for fold in range(FOLDS):
        weights = fit_logistic(features[folds != fold], labels[folds != fold])
        held_out[folds == fold] = 1 / (1 + np.exp(-features[folds == fold] @ weights[:-1] - weights[-1]))
    weights = fit_logistic(features, labels)
    return {
        "n": len(rows),
        "fitting": int(labels.sum()),
        "auc": round(measure_auc(held_out, labels), 3),
        "auc_by_kind": {
            name: round(measure_auc(held_out[mask], labels[mask]), 3)
            for name, mask in _masks(rows)
            if 0 < labels[mask].sum() < mask.sum()
        },
        "accuracy": round(float(((held_out >= 0.5) == (labels > 0)).mean()), 3),
        "calibration": list(_calibrate(held_out, labels)),
        "kinds": {kind: _describe([row for row in rows if row["kind"] == kind]) for kind in COUNTS},
        "weights": dict(zip((*FEATURES, "intercept"), weights.round(3).tolist(), strict=True)),
    }


def _masks(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    yield "queries", np.array([row["query"] for row in rows])
    yield "drafts", np.array([not row["query"] for row in rows])


def _calibrate(scores: Floats, labels: Floats) -> Iterator[dict[str, float]]:
    for first in np.linspace(0, 1, BINS, endpoint=False):
        mask = (scores >= first) & (scores < first + 1 / BINS + 1e-12)
        if mask.any():
            yield {
                "from": round(float(first), 2),
                "n": int(mask.sum()),
                "said": round(float(scores[mask].mean()), 3),
                "fits": round(float(labels[mask].mean()), 3),
            }


def _describe(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    held = [row for row in rows if row["held"]]
    count: Callable[[str, int], float] = lambda name, most: round(  # noqa: E731
        100 * sum(bool(row[name] and row[name] <= most) for row in held) / max(len(held), 1), 1
    )
    return {
        "n": len(held),
        "paragraph@1": count("rank", 1),
        "paragraph@3": count("rank", 3),
        "speech@1": count("document_rank", 1),
        "not_held": len(rows) - len(held),
    }


def draw_calibration(bins: Sequence[Mapping[str, float]]) -> str:
    """Return an SVG of 300 by 300: the share of fitting answers against the predicted probability."""
    points = [(20 + 260 * row["said"], 280 - 260 * row["fits"], row["n"]) for row in bins]
    line = " ".join(f"{x:.0f},{y:.0f}" for x, y, _ in points)
    dots = "".join(f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{2 + n**0.5 / 3:.1f}"/>' for x, y, n in points)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300" width="300" height="300">'
        "<title>Calibration: said against observed, held-out rows</title>"
        '<rect width="300" height="300" fill="white"/>'
        '<path d="M20 20V280H280" fill="none" stroke="black"/>'
        '<path d="M20 280L280 20" stroke="gray" stroke-dasharray="4"/>'
        f'<polyline points="{line}" fill="none" stroke="#06c"/><g fill="#06c">{dots}</g>'
        '<text x="100" y="296" font-size="11">probability that it fits</text>'
        '<text x="24" y="16" font-size="11">share that fits</text></svg>\n'
    )


def read_lines(path: Path) -> list[Any]:
    """Return the rows of a file of JSON lines, plain or gzip."""
    data = path.read_bytes()
    text = gzip.decompress(data) if path.suffix == ".gz" else data
    return [json.loads(line) for line in text.decode("utf-8").splitlines()]


def read_speeches(path: Path) -> list[Speech]:
    """Return the speeches of a file of JSON lines that have enough paragraphs."""
    speeches = read_lines(path)
    return [s for s in speeches if sum(len(text.split()) >= LEAST_WORDS for text in s["paragraphs"][1:]) > 2]


def main() -> None:
    """Run the command line of the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("step", choices=("ask", "fit"))
    parser.add_argument("--rows", type=Path, required=True)
    parser.add_argument("--archive", type=Path, help="archive of the sample speeches")
    parser.add_argument("--others", type=Path, help="speeches that it does not hold")
    parser.add_argument("--off-topic", type=Path, help="JSON lines with `left`")
    parser.add_argument("--candidates", type=int, default=50)
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    if given.step == "fit":
        kept = json.loads(given.rows.read_text("utf-8"))
        result = fit_rows(kept["rows"])
        write("query-kinds", {**result, **{k: v for k, v in kept.items() if k != "rows"}})
        PLOT.write_text(draw_calibration(result["calibration"]), "utf-8")
        return
    drawn = Random(given.seed)
    settings = replace(read_settings({}), archive=given.archive, candidates=given.candidates)
    service = assemble(settings)
    held, others = read_speeches(locate_shipped("samples/speeches.jsonl")), read_speeches(given.others)
    rows = []
    for kind, count in COUNTS.items():
        for speeches, is_held in ((held, True), (others, False)):
            for _ in range(count):
                speech = drawn.choice(speeches)
                draft, text = make_query(kind, speech, drawn)
                rows.append(ask(service, kind, draft, speech, text if is_held else None))
    off_topic = read_lines(given.off_topic) if given.off_topic else []
    for i, row in enumerate(drawn.sample(off_topic, min(OFF_TOPIC, len(off_topic)))):
        rows.append(ask(service, "off topic", Draft(left=row["left"]), {"id": str(i)}, None))
    values = {"rows": rows, "seed": given.seed, "ranked": given.candidates}
    given.rows.write_text(json.dumps(values), "utf-8")


if __name__ == "__main__":
    main()
