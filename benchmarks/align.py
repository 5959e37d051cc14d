"""Measure how well and how fast `rostrum align` finds quotations. Writes results/align.json.

    python -m benchmarks.align --data DATA

Three parts: the aligned pairs of dev, located again from their quotes; all unaligned news quotations, with
time and memory; and a person's verdicts on a sample of the matches (results/align-verdicts.json).
"""

from __future__ import annotations

import json
import resource
import time
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

from benchmarks.provenance import RESULTS, record_provenance, write
from benchmarks.script import make_parser
from evaluation.pairs import read_rows
from jobs.align.transcripts import read_transcripts
from quotations.matching.quotation_matches import Matcher
from quotations.matching.verification import Match
from quotations.matching.word_index import WordIndex
from rostrum_core.errors import TranscriptError

DAYS = 30


def refuse(error: TranscriptError) -> None:
    raise error


def name_outcome(match: object) -> str:
    if isinstance(match, Match):
        return "exact" if match.exact else "edited"
    return str(match)


def locate_pairs(path: Path, matcher: Matcher) -> dict[str, Any]:
    """Locate the pairs of a data set from their quotes alone, and compare with the places in the data set."""
    counts: Counter[str] = Counter()
    for row in read_rows(path):
        counts["n"] += 1
        match = matcher.match([row["quote"]], row["published"])
        counts[name_outcome(match)] += 1
        if isinstance(match, Match):
            place = match.place
            same = place.document == row["document"]
            paragraphs = (place.paragraph, place.last_paragraph) == (row["paragraph"], row["last_paragraph"])
            starts = place.start_char == row["start"] and place.paragraph == row["paragraph"]
            ends = place.end_char == row["end"] and place.last_paragraph == row["last_paragraph"]
            counts["found"] += 1
            counts["document"] += same
            counts["paragraph"] += same and paragraphs
            counts["start"] += same and starts
            counts["end"] += same and ends
            counts["start and end"] += same and starts and ends
    return {**counts, "percent": {name: compute_percent(counts[name], counts["n"]) for name in AGREEMENTS}}


AGREEMENTS = ("found", "document", "paragraph", "start", "end", "start and end")


def match_news(path: Path, matcher: Matcher) -> dict[str, Any]:
    """Match every unaligned quotation; return the counts of outcomes, and the time."""
    counts: Counter[str] = Counter()
    wall, cpu = time.monotonic(), time.process_time()
    for row in read_rows(path):
        counts[name_outcome(matcher.match([row["quote"]], normalise_date(row["published"])))] += 1
    return {
        "n": counts.total(),
        "outcomes": dict(counts),
        "seconds": round(time.monotonic() - wall, 1),
        "cpu_seconds": round(time.process_time() - cpu, 1),
    }


def normalise_date(written: str | None) -> str | None:
    """Return a date, or `None` for an invalid one: some rows have years of one digit."""
    try:
        return date.fromisoformat(written or "").isoformat()
    except ValueError:
        return None


def count_verdicts() -> dict[str, Any]:
    """Count a person's verdicts on a sample."""
    judged = json.loads((RESULTS / "align-verdicts.json").read_text("utf-8"))
    counts = Counter(row["verdict"] for row in judged["rows"])
    return {"n": counts.total(), "seed": judged["seed"], "counts": dict(counts)}


def compute_percent(count: int, of: int) -> float:
    """Return `count` in percent of `of`, to one decimal."""
    return round(100 * count / of, 1)


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that holds `quotations`")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    quotations = options.data / "quotations"
    files = [quotations / f"{name}.jsonl.gz" for name in ("documents", "pairs-dev", "news-quotes")]
    started = time.monotonic(), time.process_time()
    read = read_transcripts(files[:1], count_tokens=len, refused=refuse)
    index = WordIndex(read)
    indexed = {
        "documents": len(index.days),
        "words": len(index.ids),
        "seconds": round(time.monotonic() - started[0], 1),
        "cpu_seconds": round(time.process_time() - started[1], 1),
    }
    matcher = Matcher(index, days=DAYS)
    news_counts = match_news(files[2], matcher)
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    result = {
        "seed": options.seed,
        "days": DAYS,
        "index": indexed,
        "news": {**news_counts, "peak_memory_mib": peak_mib},
        "dev": locate_pairs(files[1], matcher),
        "verdicts": count_verdicts(),
        **record_provenance(None, files),
    }
    write("align", result)


if __name__ == "__main__":
    main()
