"""What the begun sentence and the text after the quote are worth, on the dev rows that have them.

    python -m benchmarks.draft_parts --data DATA --judged JUDGED --archive ARCHIVE

The data set has no text after a quote; where a later quotation of the same article has the quote in its
context, what follows there is taken for it. Such text reaches the first stage only (BM25, and what the draft
quotes already), so ranker and encoder are as judged without. Writes results/draft-parts-dev.json.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.provenance import models_at, provenance, write
from benchmarks.quality import tell
from embedded.lexical import LexicalIndex
from embedded.store import EmbeddedStore
from quotations.transcript import Transcript
from reranker.models.loaded import Models
from reranker.models.wordpieces import WordPieces
from rostrum.evaluation.fit import is_quoted
from rostrum.evaluation.judging import JudgedRow, judged_file, judged_rows, placed
from rostrum.evaluation.metrics import permutation_test
from rostrum.evaluation.pairs import Pair, pairs, rows, sampled, transcripts
from rostrum.evaluation.tallies import percent, tally
from rostrum.evaluation.variants import begun, varied
from rostrum.jobs.recommend.candidates import Reading, ordered, search
from rostrum.jobs.recommend.queries import paragraph_text
from rostrum_core.types import Candidate, Draft, Filter

FEWEST_WORDS = 3  # of a part of a draft that is worth trying
SYSTEMS = ("bm25", "first_stage", "model")
RECALLS = (10, 100)
KEY_CHARACTERS = 60  # of a quote, to find it in another row's context

Precisions = Mapping[str, Sequence[float]]


def texts_after(told: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """What follows a quote in the context of another quotation of its article, the longest, by pair id."""
    articles: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in told:
        articles[row["article"]].append(row)
    found = {}
    for some in articles.values():
        for row in some:
            after = [_after(row["quote"], other["left"]) for other in some if other is not row]
            found[row["id"]] = max(after, key=len, default="")
    return found


def _after(quote: str, context: str) -> str:
    start = context.find(quote[:KEY_CHARACTERS])
    return "" if start < 0 else context[start + len(quote) :].strip(' "”“’,.')


def compared(without: Precisions, with_it: Precisions, speeches: Sequence[str]) -> dict[str, Any]:
    """The mAP of each system without and with a part of the draft, and p; `speeches` are those quoted."""
    return {
        system: {
            "without": percent(without[system]),
            "with": percent(with_it[system]),
            "p": permutation_test(without[system], with_it[system], speeches),
        }
        for system in SYSTEMS
    }


def with_text_after(row: JudgedRow, after: str, transcript: Transcript, pieces: WordPieces) -> JudgedRow:
    """The row with BM25 and `follows` of a draft that the text after the quote joins; spans stay."""
    pair = replace(row.pair, right=after)
    lexical = LexicalIndex.in_memory(transcript.paragraphs).scores(paragraph_text(pair.draft))
    texts = list(transcript.paragraphs)
    follows, _ = placed(pair, pieces, texts, pieces.pieces(texts))
    return replace(row, lexical=lexical, follows=follows)


def recalls(followed: Mapping[Pair, str], store: EmbeddedStore, models: Models) -> dict[str, Any]:
    """Recall of an archive's candidates without and with the text after the quote, and p."""
    ranks: dict[str, list[int]] = {"without": [], "with": []}
    for done, (pair, after) in enumerate(followed.items(), 1):
        query = models.wordpieces.query(pair.title, pair.left)
        vector = models.encoder.query(query)
        for name, right in (("without", ""), ("with", after)):
            reading = Reading(query, models.wordpieces.draft(pair.title, pair.left, right), vector)
            found = search(store, Draft(pair.title, pair.left, right), reading, Filter())
            ranks[name].append(rank_of(pair, ordered(found, models.fusion.candidates, max(RECALLS))))
        tell(done, len(followed))
    speeches = [pair.document for pair in followed]
    return {f"recall@{k}": _recall(ranks, k, speeches) for k in RECALLS}


def rank_of(pair: Pair, best: Sequence[Candidate]) -> int:
    """The rank of the first quoted paragraph, past the last one where none is quoted."""
    ranks = (rank for rank, candidate in enumerate(best, 1) if is_quoted(candidate, pair))
    return next(ranks, max(RECALLS) + 1)


def _recall(ranks: Mapping[str, Sequence[int]], k: int, speeches: Sequence[str]) -> dict[str, float]:
    reached = {name: [float(rank <= k) for rank in some] for name, some in ranks.items()}
    means = {name: percent(some) for name, some in reached.items()}
    return {**means, "p": permutation_test(reached["without"], reached["with"], speeches)}


def measured(
    data: Path, models: Models, archive: Path, keep: Path | None, limit: int, seed: int
) -> dict[str, Any]:
    """The worth of both parts, each over the drawn rows that have it."""
    sources = [data / "pairs-dev.jsonl.gz", data / "documents.jsonl.gz"]
    documents = transcripts(sources[1])
    chosen, after = sampled(pairs(sources[0], documents), limit, seed), texts_after(rows(sources[0]))
    beginning = [pair for pair in chosen if len(pair.lead_in.split()) >= FEWEST_WORDS]
    followed = {pair: after[pair.id] for pair in chosen if len(after[pair.id].split()) >= FEWEST_WORDS}
    path = judged_file(keep, models, *sources) if keep else None

    def judged(some: Iterable[Pair]) -> list[JudgedRow]:
        return judged_rows(path, list(some), documents, models, tell)

    def precisions(some: Sequence[JudgedRow]) -> Precisions:
        return tally(some, documents, models.fusion).precisions

    def both(without: Sequence[JudgedRow], with_it: Sequence[JudgedRow]) -> dict[str, Any]:
        speeches = [row.pair.document for row in without]
        return {"n": len(without), **compared(precisions(without), precisions(with_it), speeches)}

    plain = judged(followed)
    joined = [
        with_text_after(row, followed[row.pair], documents[row.pair.document], models.wordpieces)
        for row in plain
    ]
    begun_rows = judged(varied(beginning, "begun", begun))
    return {
        "split": "dev",
        "rows": {"drawn": limit, "seed": seed},
        "lead_in": both(judged(beginning), begun_rows),
        "right": both(plain, joined),
        "archive": {"n": len(followed), **recalls(followed, EmbeddedStore(archive), models)},
        **provenance(models, sources),
    }


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--archive", type=Path, required=True, help="archive of all transcripts")
    parser.add_argument("--judged", type=Path, help="folder that keeps what was judged between runs")
    parser.add_argument("--limit", type=int, default=300, help="draw so many rows")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    models = models_at(given.models)
    found = measured(given.data, models, given.archive, given.judged, given.limit, given.seed)
    write("draft-parts-dev", found)


if __name__ == "__main__":
    main()
