"""Prepare training data for the quote model as token ids: contexts (the text on both sides), and quotes.

The input is JSON lines: contexts with `left`, `right`, `ref` (the id of the quote) and `split`, and the list
of quotes with `ref` and `text`. Further contexts have a quote that is not in the list. They have its printed
text as `quote` instead of `ref`, and are used only for training.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from reranker.models.wordpieces import SIDE_TOKENS, WordPieces
from training.job_data import SPLITS, read_rows
from training.token_rows import TokenRows, save_arrays

QUOTE_TOKENS = 64


def is_clean(row: dict[str, Any]) -> bool:
    """Return whether the text around a row's quote does not repeat the quote.

    If the quote is from a verse, the text must not contain the rest of the verse either.
    """
    return not (row.get("repeated") or row.get("verse_in_context"))


def encode(pieces: WordPieces, texts: Iterable[str], most: int, *, from_end: bool = False) -> TokenRows:
    """Return at most `most` token ids of each text: its first ones, or its last ones with `from_end`."""
    encoded = pieces.tokenise(list(texts))
    return TokenRows.of([tokens.ids[-most:] if from_end else tokens.ids[:most] for tokens in encoded])


def build(
    contexts: Path,
    quotes: Path,
    further: Path | None,
    tokenizer: Path,
    out: Path,
    *,
    only_clean: bool = False,
    limit: int | None = None,
) -> None:
    """Convert contexts and quotes to token ids, and write them to the file that `training.famous` reads.

    In this file, `quote`, `clean` and `split` have a value for each context: the index of its quote in the
    list, the result of `is_clean`, and an index into `SPLITS`. Contexts from `further` have a quote of their
    own: row i of `further.quotes` is the quote of row i of `further.left`.
    """
    pieces = WordPieces(tokenizer)
    listed = read_rows(quotes)[:limit]
    place = {row["ref"]: at for at, row in enumerate(listed)}
    rows = [row for row in read_rows(contexts) if row["ref"] in place and (is_clean(row) or not only_clean)]
    rows = rows[:limit]
    texts = {
        "left": encode(pieces, (row["left"] for row in rows), SIDE_TOKENS, from_end=True),
        "right": encode(pieces, (row["right"] for row in rows), SIDE_TOKENS),
        "quotes": encode(pieces, (row["text"] for row in listed), QUOTE_TOKENS),
    }
    more = read_rows(further)[:limit] if further is not None else []
    texts["further.left"] = encode(pieces, (row["left"] for row in more), SIDE_TOKENS, from_end=True)
    texts["further.right"] = encode(pieces, (row["right"] for row in more), SIDE_TOKENS)
    texts["further.quotes"] = encode(pieces, (row["quote"] for row in more), QUOTE_TOKENS)
    arrays = {
        "quote": np.array([place[row["ref"]] for row in rows], np.int32),
        "clean": np.array([is_clean(row) for row in rows], bool),
        "split": np.array([SPLITS.index(row["split"]) for row in rows], np.int8),
        "special": np.array([pieces.cls, pieces.gap, pieces.sep], np.int32),
    }
    save_arrays(out, texts, arrays)


def main() -> None:
    """Prepare the data as the options of the command line say, and write it to the file `--out`."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--contexts", type=Path, required=True)
    parser.add_argument("--quotes", type=Path, required=True)
    parser.add_argument("--further", type=Path)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only-clean", action="store_true", help="leave out contexts that hold the quote")
    parser.add_argument("--limit", type=int, help="so many quotes, contexts and further contexts at most")
    options = parser.parse_args()
    build(
        options.contexts,
        options.quotes,
        options.further,
        options.tokenizer,
        options.out,
        only_clean=options.only_clean,
        limit=options.limit,
    )


if __name__ == "__main__":
    main()
