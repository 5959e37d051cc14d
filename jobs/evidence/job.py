"""Rank the sentences of documents, or of an archive's best paragraphs, as evidence for a claim.

Source of the task: "Why did they cite that?" (thesis, 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from quotations.sentences import sentences
from reranker.models.evidence import STANCES, Evidence
from reranker.models.wordpieces import PARAGRAPH_TOKENS, WordPieces
from rostrum_core.errors import BadInput
from rostrum_core.types import Tokens

NEUTRAL = STANCES.index("neutral")
LEAST_SHARE = 0.6
"""Least share at which a stance other than neutral is reported; figures in docs/lab/evidence.md."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A text with its sentences, half-open code points, and where it stands: a document and a paragraph."""

    document: str
    paragraph: str
    text: str
    spans: tuple[tuple[int, int], ...]
    first: int = 0


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """A sentence of a passage: its number in the document's list, its place, score and stance.

    `score` is a logit, comparable within one claim only. `share` is that of the stance, from 0 to 1.
    """

    passage: Passage
    number: int
    start_char: int
    end_char: int
    score: float
    stance: str
    share: float

    @property
    def text(self) -> str:
        """The sentence."""
        return self.passage.text[self.start_char : self.end_char]


def make_passage(document: str, paragraph: str, text: str) -> Passage:
    """Return a passage cut into sentences."""
    return Passage(document, paragraph, text, tuple(sentences(text)))


def join_sentences(document: str, texts: Sequence[str], pieces: WordPieces) -> list[Passage]:
    """Return passages of a document that comes as sentences, each as long as the model reads at once.

    >>> from archive.shipped_files import shipped
    >>> pieces = WordPieces(shipped("models") / "tokenizer.json")
    >>> passages = join_sentences("d", ["We go.", "", "They stay."], pieces)
    >>> [(passage.first, passage.text, passage.spans) for passage in passages]
    [(0, 'We go.  They stay.', ((0, 6), (7, 7), (8, 18)))]
    """
    lengths = [len(tokens) for tokens in pieces.pieces(list(texts))]
    passages: list[Passage] = []
    start, used = 0, 0
    for at, length in enumerate([*lengths, PARAGRAPH_TOKENS + 1]):
        if used + length > PARAGRAPH_TOKENS and at > start:
            passages.append(_join(document, start, texts[start:at]))
            start, used = at, 0
        used += length
    return passages


def _join(document: str, first: int, texts: Sequence[str]) -> Passage:
    spans, at = [], 0
    for text in texts:
        spans.append((at, at + len(text)))
        at += len(text) + 1
    return Passage(document, "", " ".join(texts), tuple(spans), first)


def rank_sentences(
    claim: str,
    passages: Sequence[Passage],
    model: Evidence,
    pieces: WordPieces,
    tokens: Sequence[Tokens] | None = None,
) -> list[RankedSentence]:
    """Return all sentences of the passages, best first; equal scores in the order of the passages.

    `tokens` are the pieces of the passages if they are known. A sentence without a word has no place.

    Raises:
        BadInput: the claim is blank.
    """
    if not claim.strip():
        raise BadInput("the claim is empty", field="claim")
    if tokens is None:
        tokens = pieces.pieces([passage.text for passage in passages])
    judged = model.score(claim, tokens, [passage.spans for passage in passages])
    ranked = []
    for passage, row in zip(passages, judged, strict=True):
        for at, (start_char, end_char) in enumerate(passage.spans):
            if np.isfinite(row.scores[at]):
                stance, share = choose_stance(row.stances[at].tolist())
                place = (passage, passage.first + at, start_char, end_char)
                ranked.append(RankedSentence(*place, float(row.scores[at]), stance, share))
    return sorted(ranked, key=lambda sentence: -sentence.score)


def choose_stance(shares: Sequence[float]) -> tuple[str, float]:
    """Return the likeliest stance and its share, or neutral if no other has `LEAST_SHARE`.

    >>> choose_stance([0.5, 0.1, 0.4]), choose_stance([0.7, 0.1, 0.2])
    (('neutral', 0.4), ('supports', 0.7))
    """
    best = max(range(len(shares)), key=lambda at: shares[at])
    if best != NEUTRAL and shares[best] < LEAST_SHARE:
        best = NEUTRAL
    return STANCES[best], float(shares[best])
