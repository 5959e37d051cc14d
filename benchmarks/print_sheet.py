"""Draw a sheet of spans for print, to be read by a person.

    python -m benchmarks.print_sheet --archive ARCHIVE --seed 41 --rows sheet.json

Makes drafts from the speeches of the sample archive, sends them to it as a user does, and keeps the model's
span of each of the first three answers, until there are enough of paragraphs that are not in
`judged/prints.jsonl` nor in a sheet of `--without`. `--show` prints a sheet as it is read: whether the span
is called ready to print, the words before, the span in brackets, the words after, and the rules' warnings.
`--blind` prints it for readers who do not know what Rostrum says of a span: only the span in brackets, and
what is around it. Judgments are added to `judged/prints.jsonl` by hand (docs/spans.md).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from archive.service import Service
from archive.shipped_files import locate_shipped
from benchmarks.draft_kinds import make_draft
from benchmarks.printability import PRINTS, judge_ready, read_span
from benchmarks.query_kinds import read_speeches
from benchmarks.script import make_parser, open_service
from evaluation.pairs import read_rows
from jobs.recommend.printing import PRECEDING, Surroundings
from quotations.printing.mending import mend

KINDS = ("draft", "topical draft", "begun", "retold", "last topic")
BEFORE, AFTER, FOLLOWING = 170, 70, 160  # characters
Place = tuple[str, int]


def draw_rows(service: Service, seed: int, without: set[Place]) -> Iterator[dict[str, Any]]:
    """Yield rows of a sheet without an end; add their places to `without`."""
    speeches, random = read_speeches(locate_shipped("samples/speeches.jsonl")), Random(seed)
    number = -1
    while True:
        number += 1
        made = make_draft(KINDS[number % len(KINDS)], random.choice(speeches), random)
        if made is None:
            continue
        answer = service.recommend(made.draft, limit=3, timeout_s=600.0)
        for recommendation in answer.recommendations:
            paragraph = recommendation.paragraph
            stored = service.store.get(paragraph.document_id)
            cut = recommendation.cut
            if stored is None or cut is None or (paragraph.document_id, paragraph.ordinal) in without:
                continue
            without.add((paragraph.document_id, paragraph.ordinal))
            speech = Surroundings(*stored)
            yield {
                "draft": number,
                "rank": recommendation.rank,
                "document": paragraph.document_id,
                "ordinal": paragraph.ordinal,
                "speaker": speech.document.speaker,
                "text": paragraph.text,
                "cut": [cut.start_char, cut.end_char],
                "laughter": speech.find_laughter(paragraph),
                "following": speech.get_text(paragraph.ordinal + 1)[:FOLLOWING],
                "turn": paragraph.speaker or "",
                "preceding": speech.get_text(paragraph.ordinal - 1)[-PRECEDING:],
            }


def show_row(number: int, row: dict[str, Any]) -> str:
    """Return a row as it is read."""
    span, flaws = mend(read_span(row))
    text = row["text"]
    before = text[max(0, span.start_char - BEFORE) : span.start_char]
    after = text[span.end_char : span.end_char + AFTER]
    state = "READY" if judge_ready(span, flaws) else "CHECK"
    return f"{number}. {state} …{before}[[{span.text}]]{after}… {[flaw.message for flaw in flaws]}"


def show_blind(number: int, row: dict[str, Any]) -> str:
    """Return a row without any verdict, with more of what is around the span."""
    span, _ = mend(read_span(row))
    return show_offered(number, row, span.start_char, span.end_char)


def show_offered(number: int, row: Mapping[str, Any], start: int, end: int) -> str:
    """Return a row with its span in brackets, and what is around the span, as a blind reader sees it."""
    text = row["text"]
    before, after = text[max(0, start - READ_CHARS) : start], text[end : end + READ_CHARS]
    preceding = row["preceding"][-PRECEDING:] if start < READ_CHARS else ""
    following = row["following"][:FOLLOWING] if len(text) - end < READ_CHARS else ""
    speaker = row["speaker"]
    return f"{number}. {speaker}: ({preceding}) …{before}[[{text[start:end]}]]{after}… ({following})"


READ_CHARS = 300


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--archive", type=Path, help="the sample archive")
    parser.add_argument("--rows", type=Path, required=True, help="the sheet")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--without", type=Path, nargs="*", default=[], help="sheets that were read before")
    parser.add_argument("--blind", action="store_true", help="print the sheet without verdicts")
    parser.add_argument("--show", action="store_true", help="print the sheet instead of drawing it")
    options = parser.parse_args()
    if options.show or options.blind:
        rows, show = json.loads(options.rows.read_text("utf-8")), show_blind if options.blind else show_row
        print("\n".join(show(number, row) for number, row in enumerate(rows)))
        return
    service = open_service(archive=options.archive)
    read = [
        *read_rows(PRINTS),
        *(row for path in options.without for row in json.loads(path.read_text("utf-8"))),
    ]
    drawn = draw_rows(service, options.seed, {(row["document"], row["ordinal"]) for row in read})
    rows = [next(drawn) for _ in range(options.limit)]
    options.rows.write_text(json.dumps(rows, ensure_ascii=False), "utf-8")


if __name__ == "__main__":
    main()
