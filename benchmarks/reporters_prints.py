"""Compare spans for print with what reporters printed of the same paragraphs, as blind readers judge both.

    python -m benchmarks.reporters_prints draw --data DATA --seed 1 --sheets sheet-a.json sheet-b.json
    python -m benchmarks.reporters_prints show sheet-a.json
    python -m benchmarks.reporters_prints keep --sheets sheet-a.json sheet-b.json --verdicts a.json b.json
    python -m benchmarks.reporters_prints measure

`draw` takes drafts of dev that quote `LEAST_WORDS` words or more of one paragraph. Of each, one sheet has the
reporter's span, and the other has Rostrum's span for print of the model's cut of that paragraph; chance
decides which has which. So no reader sees two spans of a paragraph, nor knows who chose a span. `show` prints
a sheet as it is read. `keep` adds the verdicts, lists in the order of the sheets, to
`judged/reporters-prints.jsonl`, which holds places and verdicts but no text. The verdicts are those of
`benchmarks.printability`. `measure` writes results/reporters-prints.json.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.first_answers import describe_hits
from benchmarks.print_sheet import show_offered
from benchmarks.printability import JUDGED, VERDICTS
from benchmarks.printed_spans import cut_paragraphs, print_cut
from benchmarks.provenance import load_models, write
from benchmarks.script import make_parser
from evaluation.data import DEV, DOCUMENTS
from evaluation.pairs import Pair, read_pairs, read_rows, read_transcripts
from evaluation.row_file import RowFile
from rostrum_core.types import Span

KEPT = JUDGED / "reporters-prints.jsonl"
LEAST_WORDS = 6  # shorter quotes are phrases inside a reporter's sentence, which Rostrum does not offer
SOURCES = ("reporter", "rostrum")
KEYS = ("sheet", "pair", "document", "ordinal", "source", "span", "ready")
Row = Mapping[str, Any]


def draw_rows(pairs: Sequence[Pair], options: argparse.Namespace) -> Iterator[tuple[Row, Row]]:
    """Yield for each pair the row of the reporter's span and the row of Rostrum's."""
    documents = read_transcripts(options.data / DOCUMENTS)
    speakers = {row["id"]: row.get("speaker") or "" for row in read_rows(options.data / DOCUMENTS)}
    models = load_models(options.models)
    for pair, judged in cut_paragraphs(pairs, documents, models, RowFile(None)):
        texts, (part,) = documents[pair.document].paragraphs, pair.parts
        text = texts[part.ordinal]
        printed = print_cut(
            texts,
            part.ordinal,
            Span(judged["cut"][0], judged["cut"][1], judged["score"]),
            speakers[pair.document],
        )
        row = {
            "pair": pair.fingerprint,
            "document": pair.document,
            "ordinal": part.ordinal,
            "speaker": speakers[pair.document],
            "text": text,
            "preceding": texts[part.ordinal - 1] if part.ordinal else "",
            "following": texts[part.ordinal + 1] if part.ordinal + 1 < len(texts) else "",
        }
        reporter = {**row, "source": "reporter", "span": [part.start_char, part.end_char], "ready": None}
        span = [printed.start_char, printed.end_char]
        yield reporter, {**row, "source": "rostrum", "span": span, "ready": printed.ready}


def _run_draw(options: argparse.Namespace) -> None:
    random, documents = Random(options.seed), read_transcripts(options.data / DOCUMENTS)
    pairs = [
        pair
        for pair in read_pairs(options.data / DEV, documents)
        if len(pair.parts) == 1
        and len(pair.join_quoted(documents[pair.document].paragraphs).split()) >= LEAST_WORDS
    ]
    by_paragraph = {(pair.document, pair.parts[0].ordinal): pair for pair in random.sample(pairs, len(pairs))}
    chosen = random.sample(list(by_paragraph.values()), options.limit)
    sheets: tuple[list[Row], list[Row]] = ([], [])
    for pair_rows in draw_rows(chosen, options):
        for sheet, row in zip(random.sample(sheets, 2), pair_rows, strict=True):
            sheet.append(row)
    for path, sheet in zip(options.sheets, sheets, strict=True):
        rows = random.sample(sheet, len(sheet))
        path.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")


def _run_show(options: argparse.Namespace) -> None:
    rows = json.loads(options.sheet.read_text("utf-8"))
    print("\n".join(show_offered(number, row, *row["span"]) for number, row in enumerate(rows)))


def _run_keep(options: argparse.Namespace) -> None:
    with KEPT.open("a", encoding="utf-8") as file:
        for path, judged in zip(options.sheets, options.verdicts, strict=True):
            rows, verdicts = (json.loads(file_path.read_text("utf-8")) for file_path in (path, judged))
            for row, verdict in zip(rows, verdicts, strict=True):
                kept = {key: value for key, value in {**row, "sheet": path.stem}.items() if key in KEYS}
                file.write(json.dumps({**kept, "verdict": verdict}) + "\n")


def compare_sources(rows: Sequence[Row]) -> dict[str, Any]:
    """Return the verdicts on the spans of each source, and a paired test of what is printable."""
    verdicts = {
        source: {row["pair"]: row["verdict"] for row in rows if row["source"] == source} for source in SOURCES
    }
    ready = [row["verdict"] for row in rows if row["ready"]]
    printable = [[verdicts[source][pair] == "P" for source in SOURCES] for pair in verdicts["reporter"]]
    won = sum(ours and not theirs for theirs, ours in printable)
    lost = sum(theirs and not ours for theirs, ours in printable)
    return {
        "n": len(printable),
        **{source: describe_verdicts(list(verdicts[source].values())) for source in SOURCES},
        "ready": describe_verdicts(ready),
        "only_ours_printable": won,
        "only_theirs_printable": lost,
        "p": round(compute_sign_test(won, lost), 4),
    }


def describe_verdicts(verdicts: Sequence[str]) -> dict[str, Any]:
    """Return the number of each verdict, and the share of the printable, the unprintable and the changed."""
    kinds = {"printable": "P", "unprintable": "GBM", "changed": "M"}
    return {
        "n": len(verdicts),
        "verdicts": {verdict: verdicts.count(verdict) for verdict in VERDICTS},
        **{name: describe_hits([verdict in kind for verdict in verdicts], 1) for name, kind in kinds.items()},
    }


def compute_sign_test(won: int, lost: int) -> float:
    """Return the two-sided p of the exact sign test.

    >>> compute_sign_test(5, 5), compute_sign_test(0, 5)
    (1.0, 0.0625)
    """
    count = won + lost
    tail: float = sum(math.comb(count, i) for i in range(min(won, lost) + 1)) / 2**count
    return min(1.0, 2 * tail)


def _run_measure(_: argparse.Namespace) -> None:
    write("reporters-prints", compare_sources([*read_rows(KEPT)]))


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    steps = parser.add_subparsers(required=True)
    drawing = steps.add_parser("draw")
    drawing.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    drawing.add_argument("--models", type=Path, default=Path("models"))
    drawing.add_argument("--sheets", type=Path, nargs=2, required=True, help="files to write")
    drawing.add_argument("--limit", type=int, default=100, help="draw so many drafts")
    drawing.add_argument("--seed", type=int, default=1)
    drawing.set_defaults(run=_run_draw)
    showing = steps.add_parser("show")
    showing.add_argument("sheet", type=Path)
    showing.set_defaults(run=_run_show)
    keeping = steps.add_parser("keep")
    keeping.add_argument("--sheets", type=Path, nargs="+", required=True, help="sheets that were read")
    keeping.add_argument(
        "--verdicts", type=Path, nargs="+", required=True, help="a list of verdicts for each"
    )
    keeping.set_defaults(run=_run_keep)
    steps.add_parser("measure").set_defaults(run=_run_measure)
    options = parser.parse_args()
    options.run(options)


if __name__ == "__main__":
    main()
