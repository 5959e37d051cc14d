"""Measure how well spans for print match what reporters quoted, next to the model's own spans.

    python -m benchmarks.printed_spans --data DATA [--limit 800] [--cuts cuts.jsonl.gz]

Cut the quoted paragraph of each drawn draft of dev, then apply the rules for print to the cut. Report exact
match and F1 of both with the paired permutation test by speech. `--cuts` keeps the model's spans between
runs. Drafts that quote several paragraphs are left out. Writes results/printed-spans.json.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.provenance import load_models, record_provenance, write
from benchmarks.script import make_parser
from evaluation.data import DEV, DOCUMENTS
from evaluation.judging import read_draft_columns
from evaluation.metrics import compute_f1, match_exactly, run_permutation_test
from evaluation.pairs import Pair, read_pairs, read_transcripts, sample_pairs
from evaluation.pairs import read_rows as read_json_lines
from evaluation.row_file import Row, RowFile
from jobs.recommend.printing import Surroundings, choose_printed_spans
from quotations.text.transcript import Transcript
from reranker.models.loaded import Models
from rostrum_core.types import Document, Paragraph, Span

DRAWS = 2_000
MEASURES = {"exact match": lambda cut, quoted: float(match_exactly(cut, quoted)), "F1": compute_f1}


def cut_paragraphs(
    pairs: Sequence[Pair], documents: dict[str, Transcript], models: Models, rows: RowFile
) -> Iterator[tuple[Pair, Row]]:
    """Yield each pair with the model's span of the quoted paragraph."""
    by_document = groupby(sorted(pairs, key=lambda p: (p.document, p.id)), lambda p: p.document)
    for document, group in by_document:
        texts = list(documents[document].paragraphs)
        tokens = models.wordpieces.tokenise(texts)
        for pair in group:
            if pair.fingerprint not in rows:
                at = pair.parts[0].ordinal
                query = models.wordpieces.tokenise_query(pair.title, pair.left)
                _, placings = read_draft_columns(pair, models.wordpieces, texts, tokens)
                (ranked,) = models.ranker.rank(query, [texts[at]], [tokens[at]], [placings[at]])
                span = [ranked.span.start_char, ranked.span.end_char]
                rows.add({"id": pair.fingerprint, "cut": span, "score": ranked.span.score})
            yield pair, rows[pair.fingerprint]


def print_cut(texts: Sequence[str], ordinal: int, cut: Span, speaker: str) -> Span:
    """Return the span that is offered for print instead of `cut`, as the product chooses it."""
    paragraphs = [Paragraph("", "", i, text, 0, len(text)) for i, text in enumerate(texts)]
    surroundings = Surroundings(Document("", "", "", speaker=speaker), paragraphs)
    return choose_printed_spans(paragraphs[ordinal], cut, surroundings)[0]


def compare(ours: Sequence[float], theirs: Sequence[float], speeches: Sequence[str]) -> dict[str, Any]:
    """Return both means in percent, the difference with its 95 % interval, and p of the paired test."""
    differences = 100 * (np.array(ours) - np.array(theirs))
    means = np.random.default_rng(1).choice(differences, (DRAWS, len(differences))).mean(axis=1)
    return {
        "model": round(100 * float(np.mean(theirs)), 1),
        "print": round(100 * float(np.mean(ours)), 1),
        "difference": round(float(differences.mean()), 1),
        "interval": [round(float(np.quantile(means, q)), 1) for q in (0.025, 0.975)],
        "p": round(run_permutation_test(ours, theirs, speeches), 4),
    }


def main() -> None:
    """Run the command line of the script."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--limit", type=int, default=800, help="draw so many drafts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cuts", type=Path, help="file that keeps the model's spans between runs")
    options = parser.parse_args()
    models = load_models(options.models)
    sources = [options.data / DEV, options.data / DOCUMENTS]
    documents = read_transcripts(sources[1])
    speakers = {row["id"]: row.get("speaker") or "" for row in read_json_lines(sources[1])}
    pairs = [pair for pair in read_pairs(sources[0], documents) if len(pair.parts) == 1]
    rows = RowFile(options.cuts)
    chosen = sample_pairs(pairs, options.limit, options.seed)
    judged = list(cut_paragraphs(chosen, documents, models, rows))
    rows.save()
    values: dict[str, dict[str, list[float]]] = {name: {"model": [], "print": []} for name in MEASURES}
    speeches: list[str] = []
    moved = 0
    for pair, row in judged:
        texts, at = documents[pair.document].paragraphs, pair.parts[0].ordinal
        cut = Span(row["cut"][0], row["cut"][1], row["score"])
        printed = print_cut(texts, at, cut, speakers[pair.document])
        speeches.append(pair.document)
        moved += (printed.start_char, printed.end_char) != (cut.start_char, cut.end_char)
        for name, measure in MEASURES.items():
            for kind, span in (("model", cut), ("print", printed)):
                value = measure(texts[at][span.start_char : span.end_char], pair.join_quoted(texts))
                values[name][kind].append(value)
    result = {
        "split": "dev",
        "n": len(speeches),
        "speeches": len(set(speeches)),
        "seed": options.seed,
        "moved": moved,
        **{name: compare(kinds["print"], kinds["model"], speeches) for name, kinds in values.items()},
    }
    write("printed-spans", {**result, **record_provenance(models, sources)})


if __name__ == "__main__":
    main()
