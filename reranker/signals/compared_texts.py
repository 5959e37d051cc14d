"""Choose the candidates to compare with a draft word by word, and weigh words by their rarity there.

BM25 knows stems and no order, vectors know neither. Reading a text costs more than a column, so only those
with the rarest WordPieces of the draft are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from reranker.signals.signal import Context

COMPARED = 200
"""Candidates to compare word by word: those with the rarest WordPieces of title and last words."""

NEAR_PIECES = 60
"""WordPieces before the place of the quote by which they are chosen, in addition to the title."""

TITLE_PIECES = 20
LEAST_RARITY = 0.1

APOSTROPHES = re.compile(r"(?<=\w)['’‘ʼ](?=\w)")
WORD = re.compile(r"[^\W_]+")


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without apostrophes.

    >>> split_words("Don't tear down THIS wall!")
    ['dont', 'tear', 'down', 'this', 'wall']
    """
    return WORD.findall(APOSTROPHES.sub("", text.casefold()))


def read_compared(context: Context) -> dict[int, str]:
    """Return the texts of the candidates that have most of the draft's WordPieces, by ascending row."""
    candidates = context.candidates
    if context.pieces is None or not len(candidates):
        return {}
    before = context.pieces.before
    near = np.unique(np.concatenate([before[:TITLE_PIECES], before[-NEAR_PIECES:]]))
    weights = np.zeros(len(candidates))
    is_near = np.zeros(1 + max(int(near.max(initial=0)), int(candidates.piece_ids.max(initial=0))), np.bool_)
    is_near[near] = True
    at = np.flatnonzero(is_near[candidates.piece_ids])
    owners = np.searchsorted(candidates.piece_ends, at, side="right")
    pairs = np.unique(np.stack([candidates.piece_ids[at].astype(np.int64), owners]), axis=1)
    counts = np.bincount(pairs[0], minlength=len(is_near))
    np.add.at(weights, pairs[1], np.log(1 + len(candidates) / np.maximum(counts[pairs[0]], 1)))
    rows = np.sort(np.argsort(-weights, kind="stable")[:COMPARED]).tolist()
    return {row: paragraph.text for row, (paragraph, _) in zip(rows, candidates.read(rows), strict=True)}


def compare_words(context: Context) -> dict[int, list[str]]:
    """Return the words of the compared candidates, by row."""
    return {row: split_words(text) for row, text in context.compute(read_compared).items()}


def measure_rarity(words: Iterable[str], texts: Iterable[Sequence[str]], count: int) -> dict[str, float]:
    """Return the log of `count` candidates over those that have a word, at least `LEAST_RARITY`.

    >>> measure_rarity(["a", "b"], [["a", "b"], ["a"]], 4)["b"].__round__(2)
    0.69
    """
    having = [set(text) for text in texts]
    counts = {word: sum(word in text for text in having) for word in words}
    most = max(count, 2)
    return {word: max(LEAST_RARITY, float(np.log(most / (1 + n)))) for word, n in counts.items()}


def spread_scores(scores: Mapping[int, float], count: int) -> np.ndarray:
    """Return a column, float64 (count,), with the scores of some rows, and 0 in all others."""
    column = np.zeros(count)
    for row, score in scores.items():
        column[row] = score
    return column
