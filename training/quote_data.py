"""Prepare training data for the quotation model as token ids: printed quotations, the words that were spoken,
and distorted quotations.

The input is JSON lines. A row has the `quote` as printed, and the spoken words as `archive`. `before` and
`after` are the rest of the spoken sentence. `exact` is true if quotation and spoken words are the same.
`coverage` and `kinds` describe how they differ. `split` is train, dev or test. `id` is the id of an aligned
pair; the pair names the article.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reranker.models.wordpieces import PARAGRAPH_TOKENS, Ids, WordPieces
from training.job_data import SPLITS, read_rows
from training.negation import CHANGES, change_text
from training.token_rows import TokenRows, save_arrays

KINDS = (*CHANGES, "truncated", "shifted")
DOUBTFUL = {
    "negation dropped", "negation added", "hedge dropped", "condition dropped", "negation left out",
    "hedge left out", "condition left out",
}  # fmt: skip
CUE = re.compile(
    r"\b(?:if|unless|only when|provided|I think|I believe|some (?:people )?say|not|never)\b|n't\b",
    re.IGNORECASE,
)
CLAUSE = re.compile(r"\s*[,;:]\s+|\s+[-–—]+\s+|\s+(?=but\b|because\b|unless\b|if\b|although\b)")
SHORTEST_WORDS = 5
HONEST_COVERAGE = 0.9


def is_honest(row: dict[str, Any]) -> bool:
    """Return whether a printed quotation, according to its annotations, says the same as the spoken words."""
    return row["coverage"] >= HONEST_COVERAGE and not DOUBTFUL.intersection(row["kinds"])


def truncate(text: str, chance: random.Random) -> str | None:
    """Distort a quotation: drop a clause with a condition, hedge or negation.

    Of the texts before and after this clause, return the longer one. Return `None` if there is no such
    clause, or if the longer text has fewer than `SHORTEST_WORDS` words.

    >>> truncate("If we do nothing, the whole system will fail next year.", random.Random(0))
    'the whole system will fail next year.'
    """
    clauses = [clause for clause in CLAUSE.split(text) if clause.strip()]
    cued = [at for at, clause in enumerate(clauses) if CUE.search(clause)]
    if not cued or len(clauses) < 2:
        return None
    at = chance.choice(cued)
    parts = [", ".join(clauses[:at]), ", ".join(clauses[at + 1 :])]
    longest = max(parts, key=len)
    return longest if len(longest.split()) >= SHORTEST_WORDS else None


def shift(text: str, following: str, chance: random.Random) -> str | None:
    """Distort a quotation: join the end of `text` and the beginning of `following`, another quotation, as if
    they had been spoken in one piece.

    Return `None` if one of the two is too short.
    """
    words, more = text.split(), following.split()
    if min(len(words), len(more)) < 2 * SHORTEST_WORDS:
        return None
    at = chance.randrange(len(words) // 2, len(words) - SHORTEST_WORDS + 1)
    return " ".join(words[at:] + more[: max(SHORTEST_WORDS, at)])


def make_distortions(
    row: dict[str, Any], other: str, chance: random.Random, count: int
) -> list[tuple[str, int]]:
    """Return at most `count` distorted versions of a quotation, each with the index of its kind in `KINDS`.

    `other` is another quotation, which the kind "shifted" joins to this one.
    """
    distorted = []
    makers = [*CHANGES, "truncated", "truncated", "shifted"]
    for kind in chance.sample(makers, len(makers)):
        if kind == "truncated":
            text = truncate(row["archive"], chance)
        elif kind == "shifted":
            text = shift(row["quote"], other, chance) if chance.random() < 0.3 else None
        else:
            altered = change_text(row["quote"], chance, (kind,))
            text = altered and altered[0]
        if text and len(text.split()) >= 4:
            distorted.append((text, KINDS.index(kind)))
        if len(distorted) == count:
            break
    return distorted


def build(
    edits: Path, pairs: Sequence[Path], tokenizer: Path, out: Path, seed: int, limit: int | None
) -> None:
    """Convert quotations to token ids, distort some, and write the file that `training.quotes` reads."""
    pieces, chance = WordPieces(tokenizer), random.Random(seed)
    article = {row["id"]: row["article"] for path in pairs for row in read_rows(path)}
    rows = [row for row in read_rows(edits) if is_honest(row) and len(row["quote"].split()) >= 4][:limit]
    articles = {
        name: at for at, name in enumerate(sorted({article.get(row["id"], row["id"]) for row in rows}))
    }
    distorted, of_row, kinds = [], [], []
    for at, row in enumerate(rows):
        other = chance.choice(rows)["quote"]
        for text, kind in make_distortions(row, other, chance, 3):
            distorted.append(text)
            of_row.append(at)
            kinds.append(kind)
    sources = [f"{row['before']}{row['archive']}{row['after']}" for row in rows]
    texts = {
        "quotes": _encode(pieces, [row["quote"] for row in rows]),
        "sources": _encode(pieces, sources),
        "distorted": _encode(pieces, distorted),
    }
    arrays: dict[str, NDArray[Any]] = {
        "article": np.array([articles[article.get(row["id"], row["id"])] for row in rows], np.int32),
        "split": np.array([SPLITS.index(row["split"]) for row in rows], np.int8),
        "exact": np.array([row["exact"] for row in rows], bool),
        "distorted_of": np.array(of_row, np.int32),
        "kind": np.array(kinds, np.int8),
        "special": np.array([pieces.cls, pieces.sep], np.int32),
    }
    save_arrays(out, texts, arrays)


def _encode(pieces: WordPieces, texts: list[str]) -> TokenRows:
    kept: list[Ids] = [item.ids[:PARAGRAPH_TOKENS] for item in pieces.tokenise(texts)]
    return TokenRows.of(kept)


def main() -> None:
    """Prepare the data as the options of the command line say, and write it to the file `--out`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edits", type=Path, required=True)
    parser.add_argument("--pairs", type=Path, nargs="*", default=[])
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--limit", type=int, help="so many rows at most")
    options = parser.parse_args()
    build(options.edits, options.pairs, options.tokenizer, options.out, options.seed, options.limit)


if __name__ == "__main__":
    main()
