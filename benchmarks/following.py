"""Where the next quote of a speech begins that the draft quotes already: counts over the training pairs.

    python -m benchmarks.following --data DATA

`reranker/signals/following.py` has its numbers from here. Counted is, for each draft that shares a phrase
with the speech which it quotes next, how many words behind such a phrase the quote begins, and how many words
stand as far behind. Writes results/following.json.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.provenance import provenance, write
from quotations.transcript import Transcript
from reranker.models.wordpieces import WordPieces, word_bounds, word_edges
from reranker.signals.following import log_lift
from rostrum.archive.shipped_files import shipped
from rostrum.evaluation.judging import placed
from rostrum.evaluation.pairs import Pair, pairs, transcripts
from rostrum_core.types import Placing, Tokens

MOST = 10**7
KINDS = {
    "nothing quoted before": Placing.NOTHING,
    "quoted already": Placing.QUOTED,
    "the next word": 0,
    "1 to 2": 1,
    "3 to 7": 3,
    "8 to 29": 8,
    "30 to 119": 30,
    "120 to 599": 120,
    "600 and more": 600,
}
"""Where a word stands: the least distance of each kind, in words."""

EDGES = (*KINDS.values(), MOST)


def counted(rows: Iterable[Pair], documents: dict[str, Transcript], pieces: WordPieces) -> dict[str, Any]:
    """Drafts that quote their speech already; by kind, words that quotes begin with, all, and log lifts."""
    tokens: dict[str, list[Tokens]] = {}
    begins: dict[str, NDArray[np.bool_]] = {}
    drafts, quotes, words, lifted = 0, *np.zeros((3, len(KINDS)))
    for row in rows:
        texts = documents[row.document].paragraphs
        if row.document not in tokens:
            tokens[row.document] = pieces.pieces(list(texts))
            edges = [
                word_edges(word_bounds(text), found)[0]
                for text, found in zip(texts, tokens[row.document], strict=True)
            ]
            begins[row.document] = np.concatenate(edges)
        _, placings = placed(row, pieces, texts, tokens[row.document])
        part, own = row.parts[0], [each.words_since for each in placings if each is not None]
        if not own:
            continue
        first = int(np.argmax(tokens[row.document][part.ordinal].ends > part.start_char))
        every = np.concatenate(own)[begins[row.document]]
        drafts += 1
        quotes += np.histogram(own[part.ordinal][first], EDGES)[0]
        words += np.histogram(every, EDGES)[0]
        lifted += np.histogram(every, EDGES, weights=np.exp(log_lift(every)))[0]
    lifts = np.log(quotes / words)
    columns = (quotes, words, lifts - lifts[0], np.log(lifted / words))
    return {
        "drafts": drafts,
        "kinds": {
            kind: {"quotes": int(q), "words": int(w), "lift": round(lift, 2), "used": round(used, 2)}
            for kind, q, w, lift, used in zip(KINDS, *(each.tolist() for each in columns), strict=True)
        },
    }


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    given = parser.parse_args()
    sources = [given.data / "pairs-train.jsonl.gz", given.data / "documents.jsonl.gz"]
    documents = transcripts(sources[1])
    pieces = WordPieces(shipped("models/tokenizer.json"))
    found = counted(pairs(sources[0], documents), documents, pieces)
    write("following", {"split": "train", **found, **provenance(None, sources)})


if __name__ == "__main__":
    main()
