"""Requests that rankers are timed with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.baselines.runs import split
from reranker.wordpieces import WordPieces
from rostrum.core.types import Draft, Tokens


@dataclass(frozen=True)
class Request:
    """A draft and its candidates."""

    draft: Draft
    texts: list[str]
    tokens: list[Tokens]


def requests(data: Path, drafts: int, candidates: int, seed: int, pieces: WordPieces) -> list[Request]:
    """Drafts of dev, each with as many paragraphs, drawn from all transcripts with `seed`."""
    part, chance = split(data, "dev", drafts), Random(seed)
    every = [text for transcript in part.documents.values() for text in transcript.paragraphs]
    made = []
    for pair in part.pairs:
        texts = chance.sample(every, candidates)
        made.append(Request(Draft(pair.title, pair.left), texts, pieces.pieces(texts)))
    return made
