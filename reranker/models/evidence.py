"""Score the sentences of a paragraph as evidence for or against a claim, and judge their stances.

The stance is "supports", "contradicts" or "neutral". The transformer's keys and values of the claim are
computed once and shared by all paragraphs, like those of a draft in the ranker. Models with an early head can
first estimate the scores after a few layers (`Evidence.estimate`), so that only the best paragraphs run
through the remaining layers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reranker.models.batches import RANK_TOKENS, pack_batches, pad_batch
from reranker.models.onnx_session import Array, Graph
from reranker.models.prefixes import Prefix, PrefixCache, SplitGraph, States, cut_states
from reranker.models.token_cache import TokenCache
from reranker.models.word_table import WordLookup
from reranker.models.wordpieces import PARAGRAPH_TOKENS, Ids, WordPieces
from rostrum_core.errors import ModelError
from rostrum_core.evidence import Stance
from rostrum_core.types import Tokens

STANCES: tuple[Stance, ...] = ("supports", "contradicts", "neutral")


@dataclass(frozen=True, slots=True)
class SentenceScores:
    """Hold the scores and the stance probabilities of one paragraph's n sentences.

    `scores` (n,) are logits, comparable only with those for the same claim. The columns of `stances` (n, 3)
    are in the order of `STANCES`; each row sums to 1.
    """

    scores: NDArray[np.float32]
    stances: NDArray[np.float32]


class Evidence:
    """Score sentences as evidence for a claim, with at most `batch_tokens` padded tokens in one pass.

    Threads may share an object of this class. `sentences` is the graph of all layers, or a `SplitGraph` of
    the lower and the upper layers.
    """

    def __init__(
        self,
        prefix: Graph,
        sentences: Graph | SplitGraph,
        words: WordLookup,
        wordpieces: WordPieces,
        batch_tokens: int = RANK_TOKENS,
    ) -> None:
        self._prefixes = PrefixCache(prefix, words)
        self._sentences, self._batch_tokens = sentences, batch_tokens
        self._words, self._wordpieces = words, wordpieces
        self._tokens = TokenCache(wordpieces)

    def tokenise(self, texts: list[str]) -> list[Tokens]:
        """Return the WordPieces of each text; texts that were used recently are not tokenized again."""
        return self._tokens.tokenise(texts)

    def score(
        self,
        claim: str,
        tokens: Sequence[Tokens],
        spans: Sequence[Sequence[tuple[int, int]]],
        title: str = "",
    ) -> list[SentenceScores]:
        """Return the scores of each paragraph's sentences for a claim.

        `tokens` are the WordPieces of the paragraphs, `spans` the half-open character ranges of their
        sentences. An overlong paragraph is read in parts that end with a sentence. A sentence without a
        WordPiece has the score minus infinity and is neutral.
        """
        scores = [np.full(len(sentences), -np.inf, np.float32) for sentences in spans]
        stances = [np.tile(np.array([0, 0, 1], np.float32), (len(sentences), 1)) for sentences in spans]
        prefix = self._prefixes.encode(self._wordpieces.tokenise_query(title, claim))
        for batch in self._split_parts(tokens, spans):
            logits, stance_logits = self._score(batch, prefix)
            for row, part in enumerate(batch):
                for column, (sentence, _, _) in enumerate(part.places):
                    scores[part.paragraph][sentence] = logits[row, column]
                    stances[part.paragraph][sentence] = _compute_softmax(stance_logits[row, column])
        return [SentenceScores(*pair) for pair in zip(scores, stances, strict=True)]

    def estimate(
        self,
        claim: str,
        tokens: Sequence[Tokens],
        spans: Sequence[Sequence[tuple[int, int]]],
        title: str = "",
    ) -> list[NDArray[np.float32]]:
        """Estimate the scores that `score` returns: float32 (n,) for each paragraph, which has n sentences.

        Only the lower layers are run. If `score` is then called for the same paragraphs, it runs only the
        other layers.

        Raises:
            ModelError: the models have no early head (which estimates scores from the lower layers).
        """
        if not isinstance(self._sentences, SplitGraph):
            raise ModelError("these models have no early head for evidence")
        estimates = [np.full(len(sentences), -np.inf, np.float32) for sentences in spans]
        prefix = self._prefixes.encode(self._wordpieces.tokenise_query(title, claim))
        for batch in self._split_parts(tokens, spans):
            packed, places = [part.ids for part in batch], [part.places for part in batch]
            states, values = self._run_lower(self._sentences.lower, packed, places, prefix)
            self._prefixes.keep_hidden(prefix, states)
            for row, part in enumerate(batch):
                for column, (sentence, _, _) in enumerate(part.places):
                    estimates[part.paragraph][sentence] = values[row, column]
        return estimates

    def _split_parts(
        self, tokens: Sequence[Tokens], spans: Sequence[Sequence[tuple[int, int]]]
    ) -> list[list[_Part]]:
        """Split paragraphs into parts that fit into one pass, and return batches of similarly long parts."""
        parts = [
            _Part(at, self._wordpieces.pack(tokens[at].cut(first, last)), places)
            for at, sentences in enumerate(spans)
            for first, last, places in cut_sentences(tokens[at], sentences)
        ]
        batches = pack_batches([len(part.ids) for part in parts], self._batch_tokens)
        return [[parts[i] for i in batch] for batch in batches]

    def _score(self, parts: Sequence[_Part], prefix: Prefix) -> tuple[Array, Array]:
        """Return the scores (b, s) and the stance logits (b, s, 3) of the sentences in b parts of paragraphs.

        s is the largest number of sentences in a part.
        """
        packed = [part.ids for part in parts]
        ids, mask = pad_batch(packed)
        members = mark_members([part.places for part in parts], ids.shape[1])
        shared = {"mask": mask, "sentences": members, **prefix.outputs}
        if not isinstance(self._sentences, SplitGraph):
            scores, stances = self._sentences({"words": self._words.lookup(ids), **shared})
            return scores, stances
        lower = self._sentences.lower
        hidden = self._prefixes.take_hidden(
            prefix, packed, ids.shape[1], lambda missing: self._run_lower(lower, missing, None, prefix)[0]
        )
        scores, stances = self._sentences.upper({"hidden": hidden, **shared})
        return scores, stances

    def _run_lower(
        self, lower: Graph, packed: Sequence[Ids], places: Sequence[Sequence[Place]] | None, prefix: Prefix
    ) -> tuple[States, Array]:
        """Run the lower layers on b parts of paragraphs; return their hidden states and estimated scores.

        `packed` has the token ids of each part, from `[CLS]` to `[SEP]`, and `prefix` is the encoded claim.
        The hidden states of a part are stored under the bytes of its ids. The estimates (b, s) are scores of
        the sentences at `places`, at most s in a part. Without `places` they have no meaning.
        """
        ids, mask = pad_batch(packed)
        members = mark_members([[]] * len(packed) if places is None else places, ids.shape[1])
        inputs = {"words": self._words.lookup(ids), "mask": mask, "sentences": members}
        hidden, estimates = lower({**inputs, **prefix.outputs})
        return cut_states(packed, hidden), estimates


@dataclass(frozen=True, slots=True)
class _Part:
    """Hold a part of a paragraph that is read in one pass: its token ids and the positions of its sentences.

    `paragraph` is the index of the paragraph.
    """

    paragraph: int
    ids: Ids
    places: list[Place]


Place = tuple[int, int, int]
"""A sentence as its index in the paragraph, its first piece, and the piece after its last; [CLS] counts as
piece 0.
"""


def cut_sentences(tokens: Tokens, spans: Sequence[tuple[int, int]]) -> list[tuple[int, int, list[Place]]]:
    """Group the sentences of a paragraph into parts that fit into one pass of the model.

    Return a triple (first, end, sentences) for each part. The part has the paragraph's WordPieces `first` to
    `end` (exclusive). `sentences` has a triple (index, first, end) for each sentence of the part: its index
    in the paragraph, and the range of its WordPieces in the part, where `[CLS]` is piece 0. In the example,
    one part has both sentences: pieces 1 and 2, and piece 3.

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
    """Return a mask that is 1 for the WordPieces of each sentence, else 0: float32 (parts, sentences, width).

    A part with fewer sentences than others has rows of zeros at its end. `width` is the padded length of the
    parts.

    >>> mark_members([[(0, 1, 3)]], 4).tolist()
    [[[0.0, 1.0, 1.0, 0.0]]]
    """
    most = max(1, *(len(places) for places in parts))
    members = np.zeros((len(parts), most, width), np.float32)
    for row, places in enumerate(parts):
        for column, (_, first, last) in enumerate(places):
            members[row, column, first:last] = 1
    return members


def _compute_softmax(logits: NDArray[np.float32]) -> NDArray[np.float32]:
    powers: NDArray[np.float32] = np.exp(logits - logits.max())
    shares: NDArray[np.float32] = powers / powers.sum()
    return shares
