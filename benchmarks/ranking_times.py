"""Requests that rankers are timed with, and their times side by side."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from safetensors import safe_open

from benchmarks.baselines.runs import split
from reranker.models.ranker import Ranker
from reranker.models.wordpieces import WordPieces
from rostrum_core.types import Draft, Tokens


@dataclass(frozen=True)
class Request:
    """A draft and its candidates."""

    draft: Draft
    texts: list[str]
    tokens: list[Tokens]


Rank = Callable[[Request], object]


def requests(data: Path, drafts: int, candidates: int, seed: int, pieces: WordPieces) -> list[Request]:
    """Drafts of dev, each with as many paragraphs, drawn from all transcripts with `seed`.

    WordPieces of paragraphs are made here, as the archive keeps them.
    """
    part, chance = split(data, "dev", drafts), Random(seed)
    every = [text for transcript in part.documents.values() for text in transcript.paragraphs]
    made = []
    for pair in part.pairs:
        texts = chance.sample(every, candidates)
        made.append(Request(Draft(pair.title, pair.left), texts, pieces.pieces(texts)))
    return made


def ranking_by(rankers: Sequence[Ranker], pieces: WordPieces) -> Rank:
    """Tokenises the draft and ranks with each of the models, one after the other."""

    def rank(request: Request) -> None:
        query = pieces.query(request.draft.title, request.draft.left)
        for ranker in rankers:
            ranker.rank(query, request.texts, request.tokens)

    return rank


def times(
    systems: Mapping[str, Rank], asked: Sequence[Request], rounds: int, reference: str
) -> dict[str, dict[str, Any]]:
    """Milliseconds a draft, and how many times the reference's they are.

    The systems take turns, so that a burst of noise falls on all of them.
    """
    took: dict[str, list[float]] = {name: [] for name in systems}
    for rank in systems.values():
        rank(asked[0])
    for request in [*asked] * rounds:
        for name, rank in systems.items():
            began = time.monotonic()
            rank(request)
            took[name].append(1000 * (time.monotonic() - began))
    ratios = {
        name: [a / b for a, b in zip(each, took[reference], strict=True)] for name, each in took.items()
    }
    return {
        name: {
            "p50_ms": round(statistics.median(each), 1),
            "least_ms": round(min(each), 1),
            "ratio": round(statistics.median(ratios[name]), 2),
        }
        for name, each in took.items()
    }


def ranker_layers(models: Path) -> int:
    """How many layers the ranker of a folder of models has."""
    with safe_open(models / "ranker.safetensors", "np") as opened:
        return len({name.split(".")[2] for name in opened.keys() if name.startswith("trunk.layers.")})  # noqa: SIM118
