"""Time `rostrum verify` over a list of 10,000 quotations, and next to Quid and RapidFuzz.

    python -m benchmarks.verify_speed --pairs PAIRS... --news ROWS --archive FOLDER --speeches DOCUMENTS \
        --quid PYTHON --output JSON

The list is all pairs, and quotations of news up to 10,000. The command runs as a user runs it: with its
progress bar on a terminal, and a record. `--archive` holds the transcripts of the pairs; vectors are not
needed.

The peers read the same 40 quotations against the same ten transcripts, by turns. Quid (PyPI `quid`) looks for
the quotations of an article in one transcript, so each transcript is one call with all 40. It has its own
environment: `--quid` is the Python of one. All times are processor time.
"""

from __future__ import annotations

import json
import os
import pty
import random
import resource
import subprocess
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from benchmarks.archive_without_vectors import build_archive
from benchmarks.provenance import record_provenance
from benchmarks.script import ROSTRUM, make_parser
from benchmarks.verify import SEED
from embedded.store import EmbeddedStore
from evaluation.pairs import read_rows
from jobs.verify.job import Verifier
from jobs.verify.quote_lists import make_row

QUOTES = 10_000
PEER_TRANSCRIPTS, PEER_QUOTES = 10, 40
LEAST_RATIO = 85.0  # of RapidFuzz, in percent, for a quotation that it has found

QUID = """
import json, sys, time
from quid.core.Quid import Quid
task = json.load(sys.stdin)
spans, article = [], ""
for quote in task["quotes"]:
    spans.append((len(article), len(article) + len(quote)))
    article += quote + "\\n\\n"
Quid(min_match_length=4).compare("One two three four five six.", "One two three four five six.")
hits, started = [], time.process_time()
for text in task["texts"]:
    matches = Quid(min_match_length=4).compare(text, article)
    hits.append([(m.target_span.start, m.target_span.end) for m in matches])
seconds = time.process_time() - started
found = [
    [
        n
        for n, (low, high) in enumerate(spans)
        if any(min(high, e) - max(low, s) >= (high - low) / 2 for s, e in hit)
    ]
    for hit in hits
]
print(json.dumps({"cpu_s": seconds, "found": found}))
"""


def make_list(pairs: Sequence[dict[str, Any]], news: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rows for the command: the pairs with their day, then randomly sampled quotations of news."""
    rows = [{"id": row["id"], "quote": row["quote"], "date": row["published"]} for row in pairs][:QUOTES]
    drawn = random.Random(SEED).sample(news, QUOTES - len(rows))
    return rows + [{"id": f"n{n}", "quote": row["quote"]} for n, row in enumerate(drawn)]


def time_command(rows: Sequence[dict[str, Any]], archive: Path) -> dict[str, Any]:
    """Run `rostrum verify --quotes` over the rows; return times, memory and what was written."""
    with tempfile.TemporaryDirectory() as folder:
        quotes, record = Path(folder, "rows.jsonl"), Path(folder, "record.json")
        quotes.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
        command = [
            *ROSTRUM,
            "verify",
            "--json",
            "--quotes",
            str(quotes),
            "--record",
            str(record),
            "--archive",
            str(archive),
        ]
        load, started, before = os.getloadavg()[0], time.monotonic(), _read_child_seconds()
        lines, screen = run_on_terminal(command)
        wall_s, cpu_s = time.monotonic() - started, _read_child_seconds() - before
        verdicts = Counter(json.loads(line)["verdict"] for line in lines)
        return {
            "quotations": len(lines),
            "wall_s": round(wall_s, 1),
            "cpu_s": round(cpu_s, 1),
            "load before": round(load, 1),
            "peak_memory_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024,
            "progress bar reached the end": f"{len(rows)}/{len(rows)}" in screen.replace(",", ""),
            "quotations in the record": len(json.loads(record.read_text("utf-8"))["checks"]),
            "verdicts": dict(verdicts.most_common()),
        }


def run_on_terminal(command: Sequence[str]) -> tuple[list[str], str]:
    """Run a command whose stderr is a terminal; return the lines of its output, and what the terminal shows.

    Raises:
        CalledProcessError: the command fails.
    """
    own, theirs = pty.openpty()
    shown: list[bytes] = []

    def read_screen() -> None:
        while True:
            try:
                data = os.read(own, 65536)
            except OSError:  # the other end is closed
                return
            shown.append(data)

    reader = threading.Thread(target=read_screen)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs, text=True) as process:
        os.close(theirs)
        reader.start()
        output = process.communicate()[0]
        reader.join()
    os.close(own)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, output)
    return output.splitlines(), b"".join(shown).decode("utf-8", "replace")


def _read_child_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def choose_part(
    pairs: Sequence[dict[str, Any]], documents: Sequence[dict[str, Any]]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return ten random transcripts of those with at least four quotations, and four quotations of each."""
    counts = Counter(pair["document"] for pair in pairs)
    often = sorted(identity for identity, count in counts.items() if count >= PEER_QUOTES // PEER_TRANSCRIPTS)
    source = random.Random(SEED)
    chosen = source.sample(often, PEER_TRANSCRIPTS)
    own = {name: [pair for pair in pairs if pair["document"] == name] for name in chosen}
    quotes = [pair for name in chosen for pair in source.sample(own[name], PEER_QUOTES // PEER_TRANSCRIPTS)]
    return quotes, [document for document in documents if document["id"] in own]


def compare_peers(
    quotes: Sequence[dict[str, Any]], documents: Sequence[dict[str, Any]], quid: Path
) -> dict[str, Any]:
    """Look up quotations in transcripts with Rostrum, RapidFuzz and Quid; return the seconds, and the number
    of right answers.
    """
    texts = ["\n\n".join(document["paragraphs"]) for document in documents]
    right = [next(n for n, item in enumerate(documents) if item["id"] == q["document"]) for q in quotes]
    words = sum(len(text.split()) for text in texts)
    return {
        "quotations": len(quotes),
        "transcripts": len(texts),
        "words": words,
        "Rostrum": look_up(quotes, documents),
        "RapidFuzz": run_rapidfuzz([quote["quote"] for quote in quotes], texts, right),
        "Quid": run_quid([quote["quote"] for quote in quotes], texts, right, quid),
    }


def look_up(quotes: Sequence[dict[str, Any]], documents: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Check the quotations against an archive of the transcripts; the index is built before."""
    with tempfile.TemporaryDirectory() as folder:
        speeches = Path(folder, "speeches.jsonl")
        speeches.write_text("".join(f"{json.dumps(item)}\n" for item in documents), "utf-8")
        started = time.process_time()
        build_archive(speeches, Path(folder, "archive"))
        built_s = time.process_time() - started
        verifier = Verifier(EmbeddedStore(Path(folder, "archive")))
        rows = [make_row(quote["id"], quote["quote"]) for quote in quotes]
        list(verifier.check_rows(rows[:1]))
        started = time.process_time()
        checks = list(verifier.check_rows(rows))
        seconds = time.process_time() - started
    hits = [
        any(place.document == quote["document"] for place in check.places)
        for check, quote in zip(checks, quotes, strict=True)
    ]
    return {
        "cpu_s": round(seconds, 3),
        "right transcript": sum(hits),
        "index built, cpu_s": round(built_s, 1),
    }


def run_rapidfuzz(quotes: Sequence[str], texts: Sequence[str], right: Sequence[int]) -> dict[str, float]:
    """Find for each quotation the transcript with the highest partial ratio."""
    started, hits = time.process_time(), 0
    for quote, wanted in zip(quotes, right, strict=True):
        ratios = [getattr(fuzz.partial_ratio_alignment(quote, text), "score", 0.0) for text in texts]
        best = max(range(len(texts)), key=ratios.__getitem__)
        hits += best == wanted and ratios[best] >= LEAST_RATIO
    return {"cpu_s": round(time.process_time() - started, 3), "right transcript": hits}


def run_quid(
    quotes: Sequence[str], texts: Sequence[str], right: Sequence[int], python: Path
) -> dict[str, float]:
    """Compare an article of all quotations with each transcript, in Quid's own environment."""
    task = json.dumps({"quotes": list(quotes), "texts": list(texts)})
    done = subprocess.run([python, "-c", QUID], input=task, capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout.splitlines()[-1])
    hits = sum(number in answer["found"][wanted] for number, wanted in enumerate(right))
    return {"cpu_s": round(answer["cpu_s"], 3), "right transcript": hits}


def main() -> None:
    """Run all and write the figures."""
    parser = make_parser(__doc__)
    parser.add_argument("--pairs", type=Path, nargs="+", required=True)
    for name in ("news", "archive", "speeches", "quid", "output"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    pairs = [row for path in options.pairs for row in read_rows(path)]
    quotes, documents = choose_part(pairs, [*read_rows(options.speeches)])
    whole = time_command(make_list(pairs, [*read_rows(options.news)]), options.archive)
    peers = compare_peers(quotes, documents, options.quid)
    result = {
        **record_provenance(None, [*options.pairs, options.news, options.speeches]),
        "seed": SEED,
        "archive": dict(
            zip(("documents", "paragraphs"), EmbeddedStore(options.archive).count(), strict=True)
        ),
        "list": whole,
        "peers": peers,
    }
    options.output.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(json.dumps(result, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
