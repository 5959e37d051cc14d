"""Measure how often the first answers over all transcripts are what a reporter quoted.

    python -m benchmarks.first_answers --data DATA --archive ARCHIVE --rows rows.jsonl.gz [--named 500]

Drafts of test are asked as a user asks, with the default number of candidates: of the whole archive, and with
the speech named. The archive is that of `benchmarks.candidates`. An interrupted run resumes from the rows.
Writes results/first-answers.json.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser, open_service
from evaluation.archive_wide import AnswerRanks, judge_answers
from evaluation.data import DOCUMENTS
from evaluation.pairs import read_pairs, read_transcripts, sample_pairs
from evaluation.row_file import RowFile

DRAWS = 2_000


def describe_hits(hits: list[bool], seed: int) -> dict[str, float | list[float]]:
    """Return the share of hits in percent, with the 95 % interval of a bootstrap over drafts."""
    drawn = np.random.default_rng(seed).choice(np.array(hits, float), (DRAWS, len(hits))).mean(axis=1)
    low, high = (round(100 * float(np.quantile(drawn, q)), 1) for q in (0.025, 0.975))
    return {"percent": round(100 * float(np.mean(hits)), 1), "interval": [low, high]}


def summarise(outcomes: list[AnswerRanks], seed: int) -> dict[str, object]:
    """Return how often a quoted paragraph is first, and among the first three."""
    return {
        "n": len(outcomes),
        "first": describe_hits([1 in outcome.answer for outcome in outcomes], seed),
        "first_three": describe_hits([min(outcome.answer, default=4) <= 3 for outcome in outcomes], seed),
        "degraded": sum(bool(outcome.degraded) for outcome in outcomes),
    }


def print_progress(done: int, of: int) -> None:
    """Print a line of progress now and then."""
    if done % 25 == 0:
        print(f"{done} of {of} drafts", file=sys.stderr, flush=True)


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--archive", type=Path, required=True, help="archive of all transcripts")
    parser.add_argument("--rows", type=Path, required=True, help="file that keeps the answers between runs")
    parser.add_argument("--limit", type=int, default=500, help="draw so many drafts")
    parser.add_argument("--named", type=int, default=500, help="ask so many of them with the speech named")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    service = open_service(archive=options.archive)
    sources = [options.data / "pairs-test.jsonl.gz", options.data / DOCUMENTS]
    documents = read_transcripts(sources[1])
    chosen = sample_pairs(read_pairs(sources[0], documents), options.limit, options.seed)
    pairs_by_setting = {"archive": chosen, "source": chosen[: options.named]}
    file = RowFile(options.rows)
    outcomes: dict[str, list[AnswerRanks]] = {}
    for setting, pairs in pairs_by_setting.items():
        outcomes |= judge_answers(
            pairs,
            documents,
            service,
            file,
            print_progress,
            settings=[setting],
            candidates=service.settings.candidates,
        )
    count_documents, count_paragraphs = service.store.count()
    result = {
        "split": "test",
        "seed": options.seed,
        "candidates": service.settings.candidates,
        "documents": count_documents,
        "paragraphs": count_paragraphs,
        **{setting: summarise(outcomes[setting], options.seed) for setting in pairs_by_setting},
    }
    write("first-answers", {**result, **record_provenance(service.models, sources)})


if __name__ == "__main__":
    main()
