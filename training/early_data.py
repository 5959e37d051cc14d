"""Prepare drafts and their candidates as token ids, to train a ranker's early head (see `training.early`).

    python -m training.early_data --data DATA --tokenizer models/tokenizer.json --out early.npz

The ranker learns to find the quoted paragraph among the candidates. These are paragraphs of the quoted
speech, and the best paragraphs by BM25 from the other speeches in the same split (train or dev).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from embedded.lexical import LexicalIndex
from evaluation.data import DOCUMENTS
from evaluation.pairs import Pair, read_pairs, read_transcripts
from jobs.recommend.queries import build_paragraph_query
from quotations.text.transcript import Transcript
from reranker.models.wordpieces import PARAGRAPH_TOKENS, Ids, WordPieces
from training.groups import select_comparable
from training.job_data import SPLITS
from training.token_rows import TokenRows, save_arrays

OWN = 60  # paragraphs of the quoted speech in training; of dev all
FOREIGN = 60  # of other speeches
READ = 200  # of the best paragraphs, until as many of other speeches are seen
DEV_ROWS = 600


class Arrays:
    """Collect drafts and their candidate paragraphs as token ids, and write them to one file."""

    def __init__(self, pieces: WordPieces, seed: int) -> None:
        self.pieces, self.chance = pieces, random.Random(seed)
        self.paragraphs: list[Ids] = []
        self.queries: list[Ids] = []
        self.candidates: list[tuple[int, int]] = []  # draft, paragraph
        self.positive: list[tuple[int, int]] = []
        self.rows: list[tuple[int, int]] = []  # split, candidates of the quoted speech

    def add_split(
        self, split: str, pairs: Sequence[Pair], documents: dict[str, Transcript], own: int | None
    ) -> None:
        """Add the drafts of a split, "train" or "dev", with their candidate paragraphs.

        If the quoted speech has more than `own` paragraphs, only `own` of these are sampled as candidates.
        The quoted paragraphs are always candidates.
        """
        texts: list[str] = []
        first: dict[str, int] = {}
        for name in sorted({pair.document for pair in pairs}):
            first[name] = len(texts)
            texts += documents[name].paragraphs
        index, begin = LexicalIndex.in_memory(texts), len(self.paragraphs)
        self.paragraphs += [
            self.pieces.pack(tokens.cut(0, PARAGRAPH_TOKENS)) for tokens in self.pieces.tokenise(texts)
        ]
        for pair in pairs:
            start, count = first[pair.document], len(documents[pair.document].paragraphs)
            quoted = {start + part.ordinal for part in pair.parts}
            near = set(range(start, start + count))
            if own is not None and count > own:
                near = quoted | set(self.chance.sample(sorted(near), own))
            best = index.search_best(build_paragraph_query(pair.draft), READ).tolist()
            far = [number for number in best if not start <= number < start + count][:FOREIGN]
            draft = len(self.queries)
            self.queries.append(self.pieces.tokenise_query(pair.title, pair.left))
            self.candidates += [(draft, begin + number) for number in (*sorted(near), *far)]
            self.positive += [(draft, begin + number) for number in sorted(quoted)]
            self.rows.append((SPLITS.index(split), len(near)))

    def save(self, out: Path) -> None:
        """Write the collected drafts, candidates and labels to the file `out`."""
        texts = {"paragraphs": TokenRows.of(self.paragraphs), "queries": TokenRows.of(self.queries)}
        arrays = {
            "candidates": np.array(self.candidates, np.int32).reshape(-1, 2),
            "positive": np.array(self.positive, np.int32).reshape(-1, 2),
            "rows": np.array(self.rows, np.int32).reshape(-1, 2),
        }
        save_arrays(out, texts, arrays)


def main() -> None:
    """Prepare the data as the options of the command line say, and write it to the file `--out`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder of pairs and documents")
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    documents = read_transcripts(options.data / DOCUMENTS)
    arrays = Arrays(WordPieces(options.tokenizer), options.seed)
    for split, own in (("train", OWN), ("dev", None)):
        pairs = select_comparable(read_pairs(options.data / f"pairs-{split}.jsonl.gz", documents), documents)
        if split == "dev":
            pairs = random.Random(options.seed).sample(pairs, min(DEV_ROWS, len(pairs)))
        arrays.add_split(split, pairs, documents, own)
    arrays.save(options.out)


if __name__ == "__main__":
    main()
