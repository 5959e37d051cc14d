"""Score the sentences of a paragraph as evidence for a claim, with the stance of each.

The claim's keys and values are computed once and shared by all paragraphs, like a draft's in the ranker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.models.batches import BATCH_TOKENS, pad_batch, split_batches
from reranker.models.onnx_session import Graph
from reranker.models.word_table import WordLookup
from reranker.models.wordpieces import PARAGRAPH_TOKENS, WordPieces
from rostrum_core.evidence import Stance
from rostrum_core.types import Tokens

STANCES: tuple[Stance, ...] = ("supports", "contradicts", "neutral")


@dataclass(frozen=True, slots=True)
class SentenceScores:
    """Hold the scores of one paragraph's sentences (n,), comparable for one claim only, and stance
    probabilities (n, 3).

    The columns of `stances` are in the order of `STANCES`; each row sums to 1.
    """

    scores: NDArray[np.float32]
    stances: NDArray[np.float32]


class Evidence:
    """Score sentences for a claim, with at most `batch_tokens` in one pass. Threads may share this."""

    def __init__(
        self,
        prefix: Graph,
        sentences: Graph,
        words: WordLookup,
        wordpieces: WordPieces,
        batch_tokens: int = BATCH_TOKENS,
    ) -> None:
        self._prefix, self._sentences, self._batch_tokens = prefix, sentences, batch_tokens
        self._words, self._wordpieces = words, wordpieces

    def score(
        self,
        claim: str,
        tokens: Sequence[Tokens],
        spans: Sequence[Sequence[tuple[int, int]]],
        title: str = "",
    ) -> list[SentenceScores]:
        """Return the scores of each paragraph's sentences for a claim.

        `tokens` are the WordPieces of the paragraphs, `spans` the half-open character ranges of their
        sentences. An overlong paragraph is read in parts that end with a sentence.
        """
        scores = [np.full(len(sentences), -np.inf, np.float32) for sentences in spans]
        stances = [np.tile(np.array([0, 0, 1], np.float32), (len(sentences), 1)) for sentences in spans]
        cuts = [
            (at, *cut) for at, sentences in enumerate(spans) for cut in cut_sentences(tokens[at], sentences)
        ]
        if cuts:
            claim_words = self._words.lookup(self._wordpieces.tokenise_query(title, claim)[None])
            keys, values, draft = self._prefix({"words": claim_words})
            packed = [self._wordpieces.pack(tokens[at].cut(first, last)) for at, first, last, _ in cuts]
            for batch in split_batches([len(ids) for ids in packed], self._batch_tokens):
                ids, mask = pad_batch([packed[i] for i in batch])
                members = mark_members([cuts[i][3] for i in batch], ids.shape[1])
                inputs = {"words": self._words.lookup(ids), "mask": mask, "sentences": members}
                logits, stance_logits = self._sentences(
                    {**inputs, "keys": keys, "values": values, "draft": draft}
                )
                for row, i in enumerate(batch):
                    paragraph, _, _, places = cuts[i]
                    for column, (sentence, _, _) in enumerate(places):
                        scores[paragraph][sentence] = logits[row, column]
                        stances[paragraph][sentence] = _compute_softmax(stance_logits[row, column])
        return [SentenceScores(*pair) for pair in zip(scores, stances, strict=True)]


Place = tuple[int, int, int]
"""A sentence as its index in the paragraph, its first piece, and the piece after its last; [CLS] counts as
piece 0.
"""


def cut_sentences(tokens: Tokens, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int, list[Place]]]:
    """Split a paragraph into parts that fit into one pass: first piece, end, and the sentences of each.

    A part has at most `PARAGRAPH_TOKENS` pieces. A longer sentence is cut to its first pieces. A sentence
    without a piece is in no part.

    >>> tokens = Tokens(np.array([7, 8, 9]), np.array([0, 2, 5]), np.array([1, 4, 9]))
    >>> cut_sentences(tokens, [(0, 4), (5, 9)])
    [(0, 3, [(0, 1, 3), (1, 3, 4)])]
    """
    parts: list[tuple[int, int, list[Place]]] = []
    for number, (start_char, end_char) in enumerate(spans):
        inside = np.flatnonzero((tokens.ends > start_char) & (tokens.starts < end_char))
        if not len(inside):
            continue
        first, last = int(inside[0]), min(int(inside[-1]) + 1, int(inside[0]) + PARAGRAPH_TOKENS)
        if not parts or last - parts[-1][0] > PARAGRAPH_TOKENS:
            parts.append((first, last, []))
        begin, _, places = parts[-1]
        places.append((number, 1 + first - begin, 1 + last - begin))
        parts[-1] = (begin, last, places)
    return parts


def mark_members(parts: Sequence[Sequence[Place]], width: int) -> NDArray[np.float32]:
    """Return a mask of the pieces of each sentence: float32 (parts, most sentences, width), 1 or 0.

    >>> mark_members([[(0, 1, 3)]], 4).tolist()
    [[[0.0, 1.0, 1.0, 0.0]]]
    """
    most = max(len(places) for places in parts)
    members = np.zeros((len(parts), most, width), np.float32)
    for row, places in enumerate(parts):
        for column, (_, first, last) in enumerate(places):
            members[row, column, first:last] = 1
    return members


def _compute_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    powers: NDArray[np.float32] = np.exp(logits - logits.max())
    shares: NDArray[np.float32] = powers / powers.sum()
    return shares
