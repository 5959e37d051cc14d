"""How much each shipped rule for boilerplate cuts from transcripts, and a sample of the cuts to read by eye.

    python -m benchmarks.cleaning FILES... [--sample N]

FILES are JSON lines whose rows have `paragraphs`. Writes results/cleaning.json and prints the sample.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.provenance import provenance, write
from indexer.boilerplate import Boilerplate
from indexer.characters import normalised
from indexer.files import lines, opened
from indexer.formats.jsonl import row_of
from indexer.metadata import from_mapping
from indexer.rules import read_rules
from rostrum.archive.shipped_files import shipped

SEED = 2026
Told = tuple[str, str]  # the rule, and what it cut


def main() -> None:
    """Command line of the script."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="so many cuts of all files are printed")
    given = parser.parse_args()
    boilerplate = Boilerplate(read_rules([shipped("rules/boilerplate.toml")]))
    told: list[Told] = []
    figures = {path.parent.name: measured(path, boilerplate, told) for path in given.files}
    for rule, text in random.Random(SEED).sample(told, min(given.sample, len(told))):
        print(f"{rule}\t{text}")
    write("cleaning", {**provenance(None, given.files), "archives": figures})


def measured(path: Path, boilerplate: Boilerplate, told: list[Told]) -> dict[str, Any]:
    """The size of a file, what each rule cut of it, and how long all took."""
    cuts, documents, characters = Counter[str](), Counter[str](), Counter[str]()
    size = Counter[str]()
    elapsed_s = 0.0
    for row in rows(path):
        blocks = [block for block in (normalised(text).strip() for text in row["paragraphs"]) if block]
        began = time.perf_counter()
        found = boilerplate.cuts(blocks, from_mapping(row), "jsonl")
        elapsed_s += time.perf_counter() - began
        size.update(documents=1, paragraphs=len(blocks), characters=sum(map(len, blocks)))
        documents.update({cut.rule for cut in found})
        for block, start, end, rule in found:
            cuts[rule] += 1
            characters[rule] += end - start
            told.append((rule, blocks[block][start:end].strip()))
    rules = {
        rule: {"cuts": cuts[rule], "documents": documents[rule], "characters": characters[rule]}
        for rule, _ in cuts.most_common()
    }
    return {**size, "elapsed_s": round(elapsed_s, 1), "rules": rules}


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    with opened(path) as stream:
        for _, data in lines(stream):
            yield row_of(data)


if __name__ == "__main__":
    main()
