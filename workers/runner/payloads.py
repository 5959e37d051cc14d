"""The forms in which drafts, paragraphs and results travel to model code and back.

Token arrays of many paragraphs are joined end to end with their lengths, so that a message has few arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rostrum_core.types import Encoding, Placing, Tokens

Payload = Mapping[str, Any]


def joined(tokens: Sequence[Tokens]) -> dict[str, Any]:
    """Tokens of several paragraphs as four int32 arrays: `lengths`, `ids`, `starts`, `ends`."""
    fields = {
        name: np.concatenate([np.empty(0, np.int32), *(getattr(t, name) for t in tokens)])
        for name in ("ids", "starts", "ends")
    }
    return {"lengths": np.array([len(t) for t in tokens], np.int32), **fields}


def parted(found: Payload) -> list[Tokens]:
    """The tokens that `joined` was given."""
    stops = np.cumsum(found["lengths"])
    ranges = zip(stops - found["lengths"], stops, strict=True)
    return [
        Tokens(*(found[name][first:stop] for name in ("ids", "starts", "ends"))) for first, stop in ranges
    ]


def joined_placings(placings: Sequence[Placing | None]) -> dict[str, Any]:
    """The placings of several paragraphs: their `lengths`, -1 where there is none, and two int32 arrays."""
    there = [each for each in placings if each is not None]
    nothing = np.empty(0, np.int32)
    return {
        "lengths": np.array([-1 if each is None else len(each) for each in placings], np.int32),
        "since": np.concatenate([nothing, *(each.words_since for each in there)]),
        "until": np.concatenate([nothing, *(each.words_until for each in there)]),
    }


def parted_placings(found: Payload) -> list[Placing | None]:
    """The placings that `joined_placings` was given."""
    stops = np.cumsum(np.maximum(found["lengths"], 0))
    whole = Placing(found["since"], found["until"])
    return [
        None if length < 0 else whole.cut(stop - length, stop)
        for length, stop in zip(found["lengths"], stops, strict=True)
    ]


def encodings_of(answer: Payload) -> list[Encoding]:
    """The answer of the task `encode` as encodings, in order."""
    return [
        Encoding(tokens, vector)
        for tokens, vector in zip(parted(answer["tokens"]), answer["vectors"], strict=True)
    ]
