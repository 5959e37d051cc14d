"""Choose the candidates to compare with a draft word by word, and weight words by their rarity.

This finds what the other signals miss: BM25 uses stems without order, and vectors use no words. Reading a
text costs more than computing a column of scores. So only the candidates that share the rarest WordPieces
with the draft are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from itertools import chain

import numpy as np

from quotations.text.kept_words import KEPT
from reranker.models.wordpieces import Ids
from reranker.signals.signal import Context, Floats
from rostrum_core.candidates import Candidates
from rostrum_core.word_rows import WordRows

COMPARED = 200
"""Number of candidates to compare word by word: those with the rarest WordPieces of title and last words."""

NEAR_PIECES = 60
"""Number of WordPieces before the place of the quote by which candidates are chosen, in addition to the
title.
"""

TITLE_PIECES = 20
LEAST_RARITY = 0.1

APOSTROPHES = re.compile(r"['’‘ʼ](?<=\w.)(?=\w)")
WORD = re.compile(r"[^\W_]+")
DASHES_AND_QUOTES = "—–“”’‘…\u00a0"
BLANKS = {code: " " for code in range(128) if not chr(code).isalnum()}


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without apostrophes.

    >>> split_words("Don't tear down THIS wall!")
    ['dont', 'tear', 'down', 'this', 'wall']
    """
    joined = plain = APOSTROPHES.sub("", text.casefold())
    if not plain.isascii():
        for mark in DASHES_AND_QUOTES:
            plain = plain.replace(mark, " ")
    return plain.translate(BLANKS).split() if plain.isascii() else WORD.findall(joined)


def choose_compared(context: Context) -> list[int]:
    """Choose the candidates to compare with the draft word by word; return their row numbers, ascending.

    At most `COMPARED` candidates are chosen: those that share the most WordPieces with the draft, where rare
    WordPieces count more.
    """
    candidates = context.candidates
    if context.pieces is None or not len(candidates):
        return []
    before = context.pieces.before
    near = np.unique(np.concatenate([before[:TITLE_PIECES], before[-NEAR_PIECES:]]))
    weights = _weigh_pieces(near, candidates)
    rows: list[int] = np.sort(np.argsort(-weights, kind="stable")[:COMPARED]).tolist()
    return rows


def read_compared(context: Context) -> dict[int, str]:
    """Return the texts of the candidates to compare with the draft word by word, by row number.

    `choose_compared` chooses these candidates. The row numbers are in ascending order.
    """
    rows = context.compute(choose_compared)
    read = context.candidates.read(rows) if rows else []
    return {row: paragraph.text for row, (paragraph, _) in zip(rows, read, strict=True)}


def read_kept(context: Context, name: str) -> WordRows:
    """Return the stems or the names in each candidate that is compared with the draft word by word.

    `name` is "stems" or "names" (see `KEPT`). The candidates are those of `choose_compared`, by row number.
    If the archive does not store their words, they are read from the texts.
    """
    read = context.candidates.words.get(name)
    if read is not None:
        return read(context.compute(choose_compared))
    return WordRows.of(map(KEPT[name], context.compute(read_compared).values()))


def _weigh_pieces(near: Ids, candidates: Candidates) -> Floats:
    """Return the weight of each candidate: the summed rarity of the WordPieces that it shares with `near`.

    `near` are distinct WordPieces of the draft.
    """
    ids, count = candidates.piece_ids, len(candidates)
    # A table has a cell for each piece and candidate: a line for each piece, and a last one for all others.
    lines = np.full(1 + max(int(near.max(initial=0)), int(ids.max(initial=0))), len(near) * count, np.int32)
    lines[near] = np.arange(len(near)) * count
    has = np.zeros((len(near) + 1) * count, np.bool_)
    rows = np.repeat(np.arange(count, dtype=np.int32), np.diff(candidates.piece_ends, prepend=0))
    has[lines.take(ids) + rows] = True
    table = has.reshape(-1, count)[:-1]
    rarities = np.log(1 + count / np.maximum(np.count_nonzero(table, axis=1), 1))
    sums = np.zeros(count)
    for line, rarity in zip(table, rarities.tolist(), strict=True):
        sums += line * rarity
    return sums


def compare_words(context: Context) -> dict[int, list[str]]:
    """Return the words of the candidates that `choose_compared` chooses, by row number."""
    return {row: split_words(text) for row, text in context.compute(read_compared).items()}


def measure_rarity(words: Iterable[str], texts: Iterable[Collection[str]], count: int) -> dict[str, float]:
    """Return the rarity of each word: log(`count` / (1 + number of texts with it)), at least `LEAST_RARITY`.

    `texts` has the words of each text that was read. `count` is the number of all texts, also of those that
    were not read. A `count` below 2 counts as 2.

    >>> measure_rarity(["a", "b"], [["a", "b"], ["a"]], 4)["b"].__round__(2)
    0.69
    """
    wanted, most = frozenset(words), max(count, 2)
    counts = Counter(chain.from_iterable(wanted.intersection(text) for text in texts))
    return {word: max(LEAST_RARITY, float(np.log(most / (1 + counts[word])))) for word in wanted}


def spread_scores(scores: Mapping[int, float], count: int) -> np.ndarray:
    """Return a column of `count` scores, float64: `scores` by row number, and 0 in all other rows."""
    column = np.zeros(count)
    for row, score in scores.items():
        column[row] = score
    return column
