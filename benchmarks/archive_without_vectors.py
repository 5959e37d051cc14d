"""Build an archive that can be searched by words only, which takes minutes instead of hours.

    python -m benchmarks.archive_without_vectors SPEECHES FOLDER

Quotations are found by their words, so benchmarks of `verify` need no vectors. All paragraphs get the same
vector, and no WordPieces. Paragraphs are split as `rostrum index` splits them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from archive.refresh import Hashes, Preparation, refresh
from benchmarks.script import make_parser
from embedded.store import EmbeddedStore
from indexer.ingest import read
from indexer.paragraphs import SPLITTER, split
from reranker.models.wordpieces import WordPieces
from rostrum_core.types import Encoding, Tokens

TOKENIZER = Path(__file__).parents[1] / "models" / "tokenizer.json"
WIDTH = 8


def build_archive(speeches: Path, folder: Path) -> None:
    """Build an archive of the speeches in a file, or update an existing one."""
    pieces = WordPieces(TOKENIZER)
    preparation = Preparation(
        partial(split, count_tokens=lambda text: len(pieces.tokenise([text])[0])),
        encode_alike,
        Hashes("none", "none", SPLITTER),
    )
    documents = read([speeches], refused=lambda error: print(error))
    report = refresh(documents, EmbeddedStore(folder), preparation)
    print(f"{report.paragraphs} paragraphs, {report.elapsed_s:.0f} s")


def encode_alike(texts: Sequence[str]) -> list[Encoding]:
    """Return the same vector for each text, and no WordPieces."""
    none = np.zeros(0, np.int32)
    vector = np.zeros(WIDTH, np.float32)
    vector[0] = 1
    return [Encoding(Tokens(none, none, none), vector)] * len(texts)


def main() -> None:
    """Build the archive."""
    parser = make_parser(__doc__)
    parser.add_argument("speeches", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    build_archive(options.speeches, options.folder)


if __name__ == "__main__":
    main()
