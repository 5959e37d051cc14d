"""Compare answers with and without the ranker's early head, over an archive of all transcripts.

    python -m benchmarks.early_answers --data DATA --archive ARCHIVE [--kept 15 20 30]

Drafts of a split are asked as a user asks, by turns: all candidates run through all layers, or only the kept
ones, within the product's budget of WordPieces. Writes results/early-answers.json.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from archive.service import Service
from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser, open_service
from evaluation.data import DOCUMENTS
from evaluation.fit import filter_until_publication, is_quoted
from evaluation.metrics import run_permutation_test
from evaluation.pairs import Pair, read_pairs, read_transcripts, sample_pairs
from jobs.recommend import job

EVERY = 10**6  # kept candidates: all
RANKED_TOKENS = job.RANKED_TOKENS
LISTED = 10
FAR = LISTED + 1


@dataclass(frozen=True)
class Outcome:
    """Hold one answer: its paragraphs, the rank of the quoted one, and seconds."""

    paragraphs: tuple[str, ...]
    rank: int
    cpu_s: float
    rank_s: float


def ask(service: Service, pair: Pair, candidates: int, kept: int) -> Outcome:
    """Answer a draft with at most `kept` candidates run through all layers, or all with `EVERY`."""
    job.RANKED, job.RANKED_TOKENS = kept, EVERY if kept == EVERY else RANKED_TOKENS
    began = time.process_time()
    answer = service.recommend(
        pair.draft,
        filter=filter_until_publication(pair),
        limit=LISTED,
        candidates=candidates,
        printed=False,
    )
    cpu_s = time.process_time() - began
    quoted = (one.rank for one in answer.recommendations if is_quoted(one.paragraph, pair))
    return Outcome(
        tuple(one.paragraph.id for one in answer.recommendations),
        next(quoted, FAR),
        cpu_s,
        answer.timings_s["rank"],
    )


def summarise(
    rows: Sequence[Outcome], whole: Sequence[Outcome], speeches: Sequence[str]
) -> dict[str, object]:
    """Return shares of hits and of equal answers in percent, times, and p of the reciprocal ranks."""
    gains = [_invert(a.rank) - _invert(b.rank) for a, b in zip(rows, whole, strict=True)]
    shares: dict[str, float] = {}
    for most in (1, 3, LISTED):
        shares[f"first {most}"] = _compute_percent([row.rank <= most for row in rows])
        shares[f"equal {most}"] = _compute_percent(
            [
                len({*a.paragraphs[:most]} & {*b.paragraphs[:most]}) / max(1, len(b.paragraphs[:most]))
                for a, b in zip(rows, whole, strict=True)
            ]
        )
    return {
        "n": len(rows),
        **shares,
        "better": sum(gain > 0 for gain in gains),
        "worse": sum(gain < 0 for gain in gains),
        "p": round(run_permutation_test(gains, [0.0] * len(gains), speeches), 3),
        "cpu_ms": round(1000 * float(np.mean([row.cpu_s for row in rows]))),
        "rank_ms_p50": round(1000 * float(np.median([row.rank_s for row in rows]))),
    }


def _invert(rank: int) -> float:
    return 1 / rank if rank < FAR else 0.0


def _compute_percent(values: Sequence[float]) -> float:
    return round(100 * float(np.mean(values)), 1)


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--archive", type=Path, required=True, help="archive of all transcripts")
    parser.add_argument("--split", choices=("dev", "test"), default="test")
    parser.add_argument("--limit", type=int, default=300, help="draw so many drafts")
    parser.add_argument("--kept", type=int, nargs="+", default=[20], help="candidates that stay")
    parser.add_argument("--candidates", type=int, nargs="+", default=[50], help="of the first stage")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    service = open_service(archive=options.archive, timeout_s=600.0)
    sources = [options.data / f"pairs-{options.split}.jsonl.gz", options.data / DOCUMENTS]
    pairs = sample_pairs(read_pairs(sources[0], read_transcripts(sources[1])), options.limit, options.seed)
    settings = [(count, kept) for count in options.candidates for kept in (EVERY, *options.kept)]
    outcomes: dict[tuple[int, int], list[Outcome]] = defaultdict(list)
    for number, pair in enumerate(pairs, 1):
        for setting in settings[number % len(settings) :] + settings[: number % len(settings)]:
            outcomes[setting].append(ask(service, pair, *setting))
        if number % 25 == 0:
            print(f"{number} of {len(pairs)} drafts", file=sys.stderr, flush=True)
    whole = outcomes[options.candidates[0], EVERY]
    rows = {
        f"{count} candidates, {'all' if kept == EVERY else kept} through all layers": summarise(
            outcomes[count, kept], whole, [pair.document for pair in pairs]
        )
        for count, kept in settings
    }
    write("early-answers", {**record_provenance(service.models, sources), "rows": rows})


if __name__ == "__main__":
    main()
