"""Measure the answers to queries and drafts of several kinds, and the calibration of their fit.

    python -m benchmarks.query_kinds ask --archive ARCHIVE --others documents.jsonl.gz --rows rows.json
        [--off-topic sermon-pairs.jsonl.gz] [--whole ARCHIVE --data DATA]
    python -m benchmarks.query_kinds few --archive FOLDER --data DATA --rows few.json
    python -m benchmarks.query_kinds fit --rows rows.json few.json

`ask` makes drafts of each of `KINDS` from the speeches of the sample archive, and as many of each kind from
speeches outside it, some of them under the name of a speaker whom it does not hold, and sends all of them to
the archive. It also sends the texts before quotes of `--off-topic`. With `--whole`, the archive of all
transcripts of the quotation pairs, it sends drafts of reporters (dev) twice: to all speeches, and to those
before the day of the speech that they quote. `few` fills an archive with few speeches of dev, and asks drafts
that quote them, and drafts that quote others. `fit` fits `FIT_WEIGHTS` of `reranker.fit_probability` on these
rows, and writes results/query-kinds.json: recall by kind, the area under the ROC curve of rows held out by
their speech, and the calibration.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from random import Random
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from archive.refresh import RefreshOptions
from archive.service import Service
from archive.shipped_files import locate_shipped
from benchmarks.draft_kinds import KINDS, LEAST_WORDS, MadeDraft, make_draft
from benchmarks.plots import draw_calibration
from benchmarks.provenance import write
from benchmarks.script import make_parser, open_service
from evaluation.data import DEV, DOCUMENTS
from evaluation.pairs import read_pairs, read_rows, read_transcripts
from quotations.text.stems import shorten_word
from reranker.fit_probability import FEATURES, LIKELY, read_features
from reranker.signals.compared_texts import split_words
from reranker.signals.exact_words import is_query
from rostrum_core.types import Draft, Filter
from training.data_archive import read_documents

HEADED = frozenset(["Remembering", "What", "A"])
Floats = NDArray[np.float64]
Speech = Mapping[str, Any]
EACH = 20
"""Number of drafts of each kind from speeches of the archive, and equally from others."""

REPORTERS = "draft of a reporter"
FEW_REPORTERS = "draft of a reporter, few speeches"
FEW_SPEECHES = 60
OFF_TOPIC = 40
ABSENT = ("Winston Churchill", "Margaret Thatcher", "Nelson Mandela", "Angela Merkel", "Jawaharlal Nehru")
ABSENT_SHARE = 0.3
"""Share of the drafts from other speeches that name one of `ABSENT` as the speaker."""

PLOT = Path(__file__).parents[1] / "docs" / "calibration.svg"
FOLDS = 5
RIDGE = 1.0
BINS = 5


def ask(service: Service, made: MadeDraft, *, is_held: bool, filter: Filter | None = None) -> dict[str, Any]:
    """Return the answer of an archive, which holds the speech of the draft or not."""
    answer = service.recommend(made.draft, filter=filter, limit=50, timeout_s=600.0, printed=False)
    wanted = " ".join(made.text.split())
    paragraphs = [" ".join(r.paragraph.text.split()) for r in answer.recommendations]
    right = [bool(wanted) and is_held and _is_part(text, wanted) for text in paragraphs]
    documents = [is_held and r.document.id == made.speech for r in answer.recommendations]
    return {
        "kind": made.kind,
        "speech": made.speech,
        "held": is_held,
        "query": is_query(made.draft),
        "rank": right.index(True) + 1 if True in right else None,
        "document_rank": documents.index(True) + 1 if True in documents else None,
        "has_words": bool(paragraphs) and _has_words(paragraphs[0], made.draft.title),
        "draft": [made.draft.title, made.draft.left],
        "first": paragraphs[0][:300] if paragraphs else "",
        "scores": dict(answer.recommendations[0].scores) if paragraphs else {},
    }


def _is_part(text: str, wanted: str) -> bool:
    """Return whether a paragraph of the archive equals a paragraph of the file, or is a part of it."""
    return text in wanted or wanted in text


def _has_words(text: str, title: str) -> bool:
    """Return whether a paragraph has all names of a headline, or all words of one without."""
    names = [name for name in re.findall(r"[^\W\d_]+", title) if name[0].isupper() and name not in HEADED]
    stems = {shorten_word(word) for word in split_words(text)}
    return bool(names) and all(shorten_word(name.casefold()) in stems for name in names)


def is_fitting(row: Mapping[str, Any]) -> bool:
    """Return whether the first answer fits.

    It has the words of a name or title, or all words of another query in order; or it is from the speech of
    a title or draft, or the very paragraph of another query.
    """
    if row["query"] and (row["scores"].get("exact") or 0.0) > 1.0:
        return True
    is_sought = row["rank"] if row["query"] and row["kind"] != "title" else row["document_rank"]
    has_words = row["kind"] in ("name", "title") and row["has_words"]
    return bool(has_words or (row["held"] and is_sought == 1))


def balance(labels: Floats, queries: NDArray[np.bool_]) -> Floats:
    """Return weights of rows by which half of the queries fit, and half of the drafts.

    The share of queries that an archive can answer depends on its user, not on these rows.
    """
    weights = np.ones(len(labels))
    for group in (queries, ~queries):
        for label in (0.0, 1.0):
            mask = group & (labels == label)
            weights[mask] = group.sum() / (2 * max(1, mask.sum()))
    return weights


def fit_logistic(features: Floats, labels: Floats, row_weights: Floats) -> Floats:
    """Return the weights of a logistic regression, the intercept last, with a ridge on the others."""
    design = np.column_stack([features, np.ones(len(features))])
    weights = np.zeros(design.shape[1])
    ridge = RIDGE * np.diag([1.0] * (len(weights) - 1) + [0.0])
    for _ in range(30):
        p = 1 / (1 + np.exp(-design @ weights))
        gradient = design.T @ (row_weights * (p - labels)) + ridge @ weights
        hessian = (design * (row_weights * p * (1 - p))[:, None]).T @ design + ridge
        weights -= np.linalg.solve(hessian + 1e-9 * np.eye(len(weights)), gradient)
    return weights


def fit_monotone(features: Floats, labels: Floats) -> Floats:
    """Return weights as `fit_logistic` does, none below 0 but that of the first feature and the intercept.

    A better score must not make an answer less likely to fit. The most negative weight is set to 0 until none
    is left. The first feature tells queries from drafts.
    """
    row_weights = balance(labels, features[:, 0] > 0)
    kept = np.ones(features.shape[1], np.bool_)
    while True:
        weights = np.zeros(features.shape[1] + 1)
        weights[np.append(kept, True)] = fit_logistic(features[:, kept], labels, row_weights)
        least = 1 + int(np.argmin(weights[1:-1]))
        if weights[least] >= 0:
            return weights
        kept[least] = False


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
    labels = np.array([is_fitting(row) for row in rows], np.float64)
    folds = np.array([crc32(row["speech"].encode()) % FOLDS for row in rows])
    held_out = np.zeros(len(rows))
    for fold in range(FOLDS):
        weights = fit_monotone(features[folds != fold], labels[folds != fold])
        held_out[folds == fold] = 1 / (1 + np.exp(-features[folds == fold] @ weights[:-1] - weights[-1]))
    weights = fit_monotone(features, labels)
    return {
        "n": len(rows),
        "fitting": int(labels.sum()),
        "auc": round(measure_auc(held_out, labels), 3),
        "auc_by_kind": {
            name: round(measure_auc(held_out[mask], labels[mask]), 3)
            for name, mask in _list_masks(rows)
            if 0 < labels[mask].sum() < mask.sum()
        },
        "accuracy": round(float(((held_out >= LIKELY) == (labels > 0)).mean()), 3),
        "calibration": list(_calibrate(held_out, labels, balance(labels, features[:, 0] > 0))),
        "kinds": {
            kind: _describe([row for row in rows if row["kind"] == kind])
            for kind in dict.fromkeys(row["kind"] for row in rows if row["held"])
        },
        "weights": dict(zip((*FEATURES, "intercept"), weights.round(3).tolist(), strict=True)),
    }


def _list_masks(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    queries = np.array([row["query"] for row in rows])
    yield "queries", queries
    yield "drafts", ~queries
    for name in (REPORTERS, FEW_REPORTERS):
        yield name, np.array([row["kind"] == name for row in rows])
    yield "made", np.array([row["kind"] not in (REPORTERS, FEW_REPORTERS) for row in rows])


def _calibrate(scores: Floats, labels: Floats, weights: Floats) -> Iterator[dict[str, float]]:
    for first in np.linspace(0, 1, BINS, endpoint=False):
        mask = (scores >= first) & (scores < first + 1 / BINS + 1e-12)
        if mask.any():
            yield {
                "from": round(float(first), 2),
                "n": int(mask.sum()),
                "said": round(float(np.average(scores[mask], weights=weights[mask])), 3),
                "fits": round(float(np.average(labels[mask], weights=weights[mask])), 3),
            }


def _describe(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    in_archive = [row for row in rows if row["held"]]
    count: Callable[[str, int], float] = lambda name, most: round(  # noqa: E731
        100 * sum(bool(row[name] and row[name] <= most) for row in in_archive) / max(len(in_archive), 1), 1
    )
    return {
        "n": len(in_archive),
        "paragraph@1": count("rank", 1),
        "paragraph@3": count("rank", 3),
        "speech@1": count("document_rank", 1),
        "not_held": len(rows) - len(in_archive),
    }


def read_speeches(path: Path) -> list[Speech]:
    """Return the speeches of a file of JSON lines that have enough paragraphs."""
    speeches = read_rows(path)
    return [s for s in speeches if sum(len(text.split()) >= LEAST_WORDS for text in s["paragraphs"][1:]) > 2]


def list_made(speeches: Sequence[Speech], drawn: Random, count: int) -> Iterator[MadeDraft]:
    """Yield `each` drafts of each kind."""
    for _ in range(count):
        for kind in KINDS:
            made = make_draft(kind, drawn.choice(speeches), drawn)
            if made is not None:
                yield made


def rename_some(speeches: Sequence[Speech], drawn: Random) -> list[Speech]:
    """Return the speeches, some under the name of a speaker whom the archive does not hold."""
    return [
        {**speech, "speaker": drawn.choice(ABSENT)} if drawn.random() < ABSENT_SHARE else speech
        for speech in speeches
    ]


def ask_reporters(service: Service, data: Path, drawn: Random, count: int) -> Iterator[dict[str, Any]]:
    """Yield the answers to drafts of dev, from all speeches and from those before the quoted one."""
    documents = read_transcripts(data / DOCUMENTS)
    for pair in drawn.sample(read_pairs(data / DEV, documents), count):
        transcript = documents[pair.document]
        text = transcript.paragraphs[pair.parts[0].ordinal]
        made = MadeDraft(REPORTERS, replace(pair.draft, written_on=None), pair.document, text)
        yield ask(service, made, is_held=True)
        if transcript.spoken_on:
            day = date.fromisoformat(transcript.spoken_on[:10]) - timedelta(days=1)
            yield ask(service, made, is_held=False, filter=Filter(until=str(day)))


def ask_few(service: Service, data: Path, drawn: Random, count: int) -> Iterator[dict[str, Any]]:
    """Fill an archive with `FEW_SPEECHES` of dev; yield the answers to drafts that quote them, and others."""
    documents = read_transcripts(data / DOCUMENTS)
    pairs = read_pairs(data / DEV, documents)
    ids = sorted({pair.document for pair in pairs})
    chosen = set(drawn.sample(ids, min(FEW_SPEECHES, len(ids) // 2)))
    speeches = (document for document in read_documents(data / DOCUMENTS) if document.id in chosen)
    service.refresh(speeches, RefreshOptions())
    for is_held in (True, False):
        quoting = [pair for pair in pairs if (pair.document in chosen) == is_held]
        for pair in drawn.sample(quoting, count):
            text = documents[pair.document].paragraphs[pair.parts[0].ordinal]
            made = MadeDraft(FEW_REPORTERS, replace(pair.draft, written_on=None), pair.document, text)
            yield ask(service, made, is_held=is_held)


def _run_few(options: argparse.Namespace) -> None:
    service = open_service(archive=options.archive, candidates=options.candidates)
    rows = list(ask_few(service, options.data, Random(options.seed), options.each))
    values = {"rows": rows, "seed": options.seed, "ranked": options.candidates}
    options.rows.write_text(json.dumps(values), "utf-8")


def _run_ask(options: argparse.Namespace) -> None:
    drawn = Random(options.seed)
    service = open_service(archive=options.archive, candidates=options.candidates)
    ours = read_speeches(locate_shipped("samples/speeches.jsonl"))
    titles = {speech["title"] for speech in ours}
    others = [speech for speech in read_speeches(options.others) if speech["title"] not in titles]
    rows = [ask(service, made, is_held=True) for made in list_made(ours, drawn, options.each)]
    renamed = rename_some(others, drawn)
    rows += [ask(service, made, is_held=False) for made in list_made(renamed, drawn, options.each)]
    off_topic = [*read_rows(options.off_topic)] if options.off_topic else []
    for i, row in enumerate(drawn.sample(off_topic, min(OFF_TOPIC, len(off_topic)))):
        made = MadeDraft("off topic", Draft(row["title"], row["left"]), f"off topic {i}", "")
        rows.append(ask(service, made, is_held=False))
    if options.whole:
        whole = open_service(archive=options.whole, candidates=options.candidates)
        rows += ask_reporters(whole, options.data, drawn, 2 * options.each)
    values = {"rows": rows, "seed": options.seed, "ranked": options.candidates}
    options.rows.write_text(json.dumps(values), "utf-8")


def _run_fit(options: argparse.Namespace) -> None:
    files = [json.loads(path.read_text("utf-8")) for path in options.rows]
    result = fit_rows([row for file in files for row in file["rows"]])
    seeds = [file["seed"] for file in files]
    write("query-kinds", {**result, "seeds": seeds, "ranked": files[0]["ranked"]})
    points = [(row["said"], row["fits"]) for row in result["calibration"]]
    draw_calibration(PLOT, {"held-out rows": points}, "probability that it fits", "share that fits")


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    steps = parser.add_subparsers(required=True)
    asking = steps.add_parser("ask")
    asking.add_argument("--rows", type=Path, required=True, help="file to write")
    asking.add_argument("--archive", type=Path, required=True, help="archive of the sample speeches")
    asking.add_argument("--others", type=Path, required=True, help="speeches that it does not hold")
    asking.add_argument("--off-topic", type=Path, help="JSON lines with `title` and `left`")
    asking.add_argument("--whole", type=Path, help="archive of all transcripts")
    asking.add_argument("--data", type=Path, help="folder of the quotation pairs")
    asking.add_argument("--candidates", type=int, default=50)
    asking.add_argument("--each", type=int, default=EACH)
    asking.add_argument("--seed", type=int, default=7)
    asking.set_defaults(run=_run_ask)
    few = steps.add_parser("few")
    few.add_argument("--rows", type=Path, required=True, help="file to write")
    few.add_argument("--archive", type=Path, required=True, help="folder of an archive to fill")
    few.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    few.add_argument("--candidates", type=int, default=50)
    few.add_argument("--each", type=int, default=60, help="drafts with an answer, and without")
    few.add_argument("--seed", type=int, default=7)
    few.set_defaults(run=_run_few)
    fitting = steps.add_parser("fit")
    fitting.add_argument("--rows", type=Path, nargs="+", required=True, help="files of `ask`")
    fitting.set_defaults(run=_run_fit)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
