"""Store the scores of a system for every paragraph of each draft's transcript: its run, made once.

Figures, tests and fusions are all computed from runs. A run is `RUNS/SPLIT/SYSTEM@SEED.jsonl.gz`, or
`SYSTEM.jsonl.gz` for a deterministic system.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.data import DOCUMENTS, TRAIN
from evaluation.pairs import Pair, read_pairs, read_transcripts, sample_pairs
from evaluation.row_file import Row, RowFile
from quotations.text.transcript import Transcript
from reranker.models.weights import hash_file
from rostrum_core.errors import BadInput
from rostrum_core.types import Span
from training.run_settings import claim

Floats = NDArray[np.float64]
KEPT_AT_ONCE = 100  # at most this many rows are lost to a kill
SPLITS = ("dev", "test")
DRAWN_BY = 1  # the seed of `--limit`, the same as in `benchmarks.quality`


@dataclass(frozen=True, eq=False)
class RunRow:
    """Hold scores (n,) of the n paragraphs of a draft's transcript, and a span in each if the system cuts."""

    pair: Pair
    scores: Floats
    spans: tuple[Span, ...] = ()

    @property
    def relevant(self) -> set[int]:
        """Ordinals of the quoted paragraphs."""
        return {part.ordinal for part in self.pair.parts}


System = Callable[[Transcript, Sequence[Pair]], Iterable[RunRow]]
"""Map a transcript and the drafts that quote it to a row for each draft."""


@dataclass(frozen=True)
class Split:
    """Hold the rows of one split that are not `repeated`, and the transcripts that they quote."""

    name: str
    pairs: list[Pair]
    documents: dict[str, Transcript]


def split(data: Path, name: str, limit: int | None = None) -> Split:
    """Read a split of the quotation pairs, or sample `limit` rows of it."""
    documents = read_transcripts(data / DOCUMENTS)
    pairs = read_pairs(data / f"pairs-{name}.jsonl.gz", documents)
    return Split(name, sample_pairs(pairs, limit, DRAWN_BY), documents)


def list_sources(data: Path, part: Split) -> list[Path]:
    """Return the files that a split is read from."""
    return [data / f"pairs-{part.name}.jsonl.gz", data / DOCUMENTS]


def run_path(folder: Path, part: str, system: str, seed: int | None = None) -> Path:
    """Return the path of a run.

    >>> run_path(Path("runs"), "dev", "k-nrm", 7).as_posix()
    'runs/dev/k-nrm@7.jsonl.gz'
    """
    return folder / part / f"{system}{'' if seed is None else f'@{seed}'}.jsonl.gz"


def complete_run(path: Path, part: Split, system: System) -> None:
    """Complete the run, transcript by transcript."""
    file = RowFile(path)
    missing = sorted((p for p in part.pairs if p.id not in file), key=lambda p: (p.document, p.id))
    for first in range(0, len(missing), KEPT_AT_ONCE):
        batch = missing[first : first + KEPT_AT_ONCE]
        for document, drafts in groupby(batch, lambda p: p.document):
            for row in system(part.documents[document], list(drafts)):
                file.add(_make_row(row))
        file.save()
        print(f"{path.name}: {first + len(batch)} of {len(missing)} drafts of {part.name}", file=sys.stderr)


def read(path: Path, part: Split) -> list[RunRow]:
    """Return the rows of a whole run, in the split's order.

    Raises:
        BadInput: if there is no such run, or it lacks rows of the split.
    """
    file = RowFile(path)
    lacking = sum(pair.id not in file for pair in part.pairs)
    if lacking:
        raise BadInput(f"the run {path} lacks {lacking} of {len(part.pairs)} drafts: make it whole first")
    return [_read(pair, file[pair.id]) for pair in part.pairs]


def write(path: Path, run: Iterable[RunRow]) -> None:
    """Write a whole run, replacing an existing one."""
    file = RowFile(path, overwrite=True)
    for row in run:
        file.add(_make_row(row))
    file.save()


def _make_row(row: RunRow) -> Row:
    spans = [(span.start_char, span.end_char, span.score) for span in row.spans]
    return {"id": row.pair.id, "scores": row.scores.tolist(), "spans": spans}


def _read(pair: Pair, row: Row) -> RunRow:
    return RunRow(pair, np.array(row["scores"], np.float64), tuple(Span(*span) for span in row["spans"]))


def make_parser(description: str | None) -> argparse.ArgumentParser:
    """Define the options shared by every script of a baseline."""
    options = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--data", type=Path, required=True, help="folder of the quotation pairs")
    options.add_argument("--runs", type=Path, required=True, help="folder of runs; one begun there goes on")
    options.add_argument("--split", nargs="+", choices=SPLITS, default=list(SPLITS))
    options.add_argument("--limit", type=int, help="so many rows of each split, drawn")
    return options


def hash_training_files(data: Path) -> dict[str, str]:
    """Return the files that a system learns from, by their hashes."""
    return {name: hash_file(data / name) for name in (DOCUMENTS, TRAIN)}


def make(
    options: argparse.Namespace,
    name: str,
    system: System,
    made_of: dict[str, Any],
    seed: int | None = None,
) -> None:
    """Make the system's run of each requested split.

    `made_of` lists the inputs of the system. Refuse a run begun by another system of its name, or on other
    drafts.
    """
    for name_of_split in options.split:
        part = split(options.data, name_of_split, options.limit)
        path = run_path(options.runs, part.name, name, seed)
        drafts = {"drafts": hash_file(list_sources(options.data, part)[0])}
        claim(path.with_name(f"{path.name.removesuffix('.jsonl.gz')}.json"), {**made_of, **drafts})
        complete_run(path, part, system)
