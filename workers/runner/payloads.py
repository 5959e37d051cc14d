"""Convert drafts, paragraphs and results to payloads of model code and back.

Token arrays of many paragraphs are concatenated, with their lengths in a separate array, so that a message
has few arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rostrum_core.types import Encoding, Placing, Tokens

Payload = Mapping[str, Any]


def join_tokens(tokens: Sequence[Tokens]) -> dict[str, Any]:
    """Return the WordPieces of several paragraphs as int32 arrays `lengths`, `ids`, `starts`, `ends`.

    `lengths` has the number of WordPieces of each paragraph; the others have an element for each WordPiece.
    """
    fields = {
        name: np.concatenate([np.empty(0, np.int32), *(getattr(t, name) for t in tokens)])
        for name in ("ids", "starts", "ends")
    }
    return {"lengths": np.array([len(t) for t in tokens], np.int32), **fields}


def split_tokens(message: Payload) -> list[Tokens]:
    """Return the WordPieces of each paragraph from the arrays that `join_tokens` returned."""
    stops = np.cumsum(message["lengths"])
    ranges = zip(stops - message["lengths"], stops, strict=True)
    return [
        Tokens(*(message[name][first:stop] for name in ("ids", "starts", "ends"))) for first, stop in ranges
    ]


def join_placings(placings: Sequence[Placing | None]) -> dict[str, Any]:
    """Join the placings of several paragraphs into three int32 arrays, by name.

    A placing has the distances between a paragraph's WordPieces and the words that the draft quotes (see
    `Placing`). `lengths` has the number of WordPieces of each paragraph, or -1 if its placing is `None`.
    `since` and `until` are the `words_since` and `words_until` of all placings, one after the other.
    """
    there = [placing for placing in placings if placing is not None]
    nothing = np.empty(0, np.int32)
    return {
        "lengths": np.array([-1 if placing is None else len(placing) for placing in placings], np.int32),
        "since": np.concatenate([nothing, *(placing.words_since for placing in there)]),
        "until": np.concatenate([nothing, *(placing.words_until for placing in there)]),
    }


def split_placings(message: Payload) -> list[Placing | None]:
    """Split the arrays of `join_placings` into a placing (distances from quoted words) for each paragraph.

    A paragraph without a placing gets `None`.
    """
    stops = np.cumsum(np.maximum(message["lengths"], 0))
    whole = Placing(message["since"], message["until"])
    return [
        None if length < 0 else whole.cut(stop - length, stop)
        for length, stop in zip(message["lengths"], stops, strict=True)
    ]


def join_spans(spans: Sequence[Sequence[tuple[int, int]]]) -> dict[str, Any]:
    """Return the spans (start, end) of several texts as int32 arrays `lengths`, `starts`, `ends`.

    `lengths` has the number of spans of each text; the others have an element for each span.
    """
    places = np.array([span for row in spans for span in row], np.int32).reshape(-1, 2)
    lengths = np.array([len(row) for row in spans], np.int32)
    return {"lengths": lengths, "starts": places[:, 0].copy(), "ends": places[:, 1].copy()}


def split_spans(message: Payload) -> list[list[tuple[int, int]]]:
    """Return the list of spans of each text from the arrays that `join_spans` returned.

    >>> split_spans(join_spans([[(0, 4), (5, 9)], []]))
    [[(0, 4), (5, 9)], []]
    """
    places = list(zip(message["starts"].tolist(), message["ends"].tolist(), strict=True))
    stops = np.cumsum(message["lengths"]).tolist()
    return [
        places[stop - length : stop] for length, stop in zip(message["lengths"].tolist(), stops, strict=True)
    ]


def read_encodings(answer: Payload) -> list[Encoding]:
    """Return the WordPieces and the vector of each paragraph from the response of the task `encode`."""
    return [
        Encoding(tokens, vector)
        for tokens, vector in zip(split_tokens(answer["tokens"]), answer["vectors"], strict=True)
    ]
