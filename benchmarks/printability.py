"""Measure spans for print and fair cuts against sheets that a person judged.

    python -m benchmarks.printability [--data DATA]

`judged/prints.jsonl` holds spans that the ranker cut from the sample archive for the drafts of
`print-drafts.jsonl`, with the range that was offered instead, and a verdict on that range with its reason.
Verdicts: P printable as marked, C needs context or a trim, G broken grammar, B cut at a bad place, M meaning
changed. A span whose offered range has changed since counts as unjudged.

`judged/voices.jsonl` has invented paragraphs with a marked sentence that is the speaker's own, or is not.

`judged/cuts.jsonl` holds cuts of news articles by pair and offset, each fair or not. With DATA, the folder
of the quotation pairs, they are judged again. Writes results/printability.json.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.provenance import record_provenance, write
from benchmarks.script import make_parser
from evaluation.pairs import read_rows, read_transcripts
from quotations.grammar.passages import is_quoted_statement, read_passage
from quotations.printing.doubts import find_doubt, is_ready
from quotations.printing.fair_cut import check_fair_cut
from quotations.printing.mending import mend
from quotations.printing.print_rules import find_flaws
from quotations.printing.print_spans import Flaw, FlawKind, PrintSpan
from quotations.printing.printability import estimate_printability
from rostrum_core.types import UNFIT_BELOW

JUDGED = Path(__file__).with_name("judged")
PRINTS, CUTS, VOICES = JUDGED / "prints.jsonl", JUDGED / "cuts.jsonl", JUDGED / "voices.jsonl"
VERDICTS = ("P", "C", "B", "G", "M")
KINDS = {
    FlawKind.MEANING: "M",
    FlawKind.GRAMMAR: "G",
    FlawKind.BOUNDARY: "B",
    FlawKind.CONTEXT: "C",
    FlawKind.LENGTH: "P",
}

Row = Mapping[str, Any]


def read_span(row: Row) -> PrintSpan:
    """Return the span as the model cut it."""
    passage = read_passage(row["text"], row["speaker"] or "")
    start, end = row["cut"]
    return PrintSpan(
        passage,
        start,
        end,
        tuple(row["laughter"]),
        row["following"],
        row.get("preceding", ""),
        row.get("turn", ""),
    )


def judge_ready(span: PrintSpan, flaws: Sequence[Flaw]) -> bool:
    """Return whether the product calls the span ready to print."""
    doubt = find_doubt(span, flaws, estimate_printability(span, flaws))
    return doubt is None and is_ready([flaw for flaw in flaws if flaw.rule != "short"])


def measure_prints(rows: Sequence[Row]) -> dict[str, Any]:
    """Count verdicts on the offered ranges, and how often the rules gave the same verdict."""
    offered = [(row, *mend(read_span(row))) for row in rows]
    judged = [
        (row, flaws, span)
        for row, span, flaws in offered
        if [span.start_char, span.end_char] == row["offered"]
    ]
    verdicts = Counter(row["verdict"] for row, _, _ in judged)
    ready = Counter(row["verdict"] for row, flaws, span in judged if judge_ready(span, flaws))
    unfit = Counter(
        row["verdict"] for row, flaws, span in judged if estimate_printability(span, flaws) < UNFIT_BELOW
    )
    by_rule = Counter((row["verdict"], KINDS[flaws[0].kind] if flaws else "P") for row, flaws, _ in judged)
    return {
        "n": len(rows),
        "unjudged": len(rows) - len(judged),
        "moved": sum([span.start_char, span.end_char] != row["cut"] for row, span, _ in offered),
        "verdicts": {verdict: verdicts[verdict] for verdict in VERDICTS},
        "ready": {verdict: ready[verdict] for verdict in VERDICTS},
        "unfit": {verdict: unfit[verdict] for verdict in VERDICTS},
        "meaning_changed_without_warning": verdicts["M"] - by_rule["M", "M"],
        "agreement": sum(count for (verdict, ruled), count in by_rule.items() if verdict == ruled),
    }


def measure_raw(rows: Sequence[Row]) -> dict[str, int]:
    """Count the rules' verdicts on the model's own cuts, before the rules change them."""
    counts = Counter(KINDS[flaws[0].kind] if (flaws := find_flaws(read_span(row))) else "P" for row in rows)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def measure_voices(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    """Count the states of marked sentences that are the speaker's own, and that are not.

    "grown" are offered with the sentence before, which says whose they are.
    """
    counts = {own: Counter(dict.fromkeys(STATES, 0)) for own in (True, False)}
    for row in rows:
        text, start = row["text"], row["text"].index(row["marked"])
        end = start + len(row["marked"].rstrip("."))
        span, flaws = mend(PrintSpan(read_passage(text, ""), start, end))
        is_warned = any(flaw.kind > FlawKind.LENGTH for flaw in flaws)
        state = "ready" if judge_ready(span, flaws) else "warned" if is_warned else "doubt"
        counts[row["own"]]["grown" if span.start_char < start else state] += 1
    return {"own": dict(counts[True]), "of another": dict(counts[False])}


STATES = ("ready", "doubt", "warned", "grown")


def judge_cuts(rows: Sequence[Row], data: Path) -> Iterator[tuple[Row, bool]]:
    """Yield each cut, and whether the rules warned about it."""
    documents = read_transcripts(data / "documents.jsonl.gz")
    speakers = {row["id"]: row.get("speaker") or "" for row in read_rows(data / "documents.jsonl.gz")}
    for row in rows:
        paragraphs = documents[row["document"]].paragraphs
        result = check_fair_cut(
            paragraphs[row["paragraph"]],
            row["start_char"],
            row["end_char"],
            speaker=speakers[row["document"]],
            is_statement=is_quoted_statement(list(paragraphs)),
        )
        yield row, not result.is_fair


def measure_cuts(rows: Sequence[Row], data: Path) -> dict[str, Any]:
    """Count right and wrong warnings, by part of the sheet."""
    cuts = list(judge_cuts(rows, data))
    return {
        part: _summarise([(row, warned) for row, warned in cuts if row["part"] == part])
        for part in sorted({row["part"] for row in rows})
    }


def _summarise(cuts: Sequence[tuple[Row, bool]]) -> dict[str, Any]:
    unfair = [warned for row, warned in cuts if row["verdict"] == "unfair"]
    honest = [warned for row, warned in cuts if row["verdict"] == "fair"]
    right, wrong = sum(unfair), sum(honest)
    return {
        "n": len(cuts),
        "unfair": len(unfair),
        "recall": round(right / len(unfair), 3),
        "precision": round(right / (right + wrong), 3),
        "honest_warned": round(wrong / len(honest), 3),
        "missed_by_kind": Counter(
            row["kind"] for row, warned in cuts if row["verdict"] == "unfair" and not warned
        ),
    }


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, help="folder of the quotation pairs, for the cuts")
    arguments = parser.parse_args()
    rows = [*read_rows(PRINTS)]
    parts = list(dict.fromkeys(row["part"] for row in rows))
    sources = [PRINTS, CUTS, VOICES]
    voices = [*read_rows(VOICES)]
    result: dict[str, Any] = {
        "prints": {part: measure_prints([row for row in rows if row["part"] == part]) for part in parts},
        "raw": {part: measure_raw([row for row in rows if row["part"] == part]) for part in parts},
    }
    result["voices"] = {
        part: measure_voices([row for row in voices if row["part"] == part]) for part in ("first", "second")
    }
    if arguments.data:
        sources.append(arguments.data / "documents.jsonl.gz")
        result["cuts"] = measure_cuts([*read_rows(CUTS)], arguments.data)
    write("printability", result | record_provenance(None, sources))


if __name__ == "__main__":
    main()
