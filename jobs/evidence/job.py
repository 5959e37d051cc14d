"""Rank the sentences of passages as evidence for a claim.

Source of the task: "Why did they cite that?" (thesis, 2018).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from jobs.evidence.clauses import match_clause
from jobs.evidence.lexical import score_words
from jobs.evidence.passages import Passage
from reranker.evidence_calibration import EvidenceCalibration
from reranker.models.batches import split_batches
from rostrum_core.errors import BadInput
from rostrum_core.evidence import Claim, Stance
from rostrum_core.ports import Runner
from workers.runner.payloads import join_spans

CHARACTERS_PER_TOKEN = 4.5  # of English speech
SPECIAL_TOKENS = 2

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """Hold a sentence of a passage with its position, score and stance.

    `score` and `share` are between 0 and 1. Both are `None` if the sentence was ranked by shared words only.
    """

    passage: Passage
    number: int
    start_char: int
    end_char: int
    score: float | None
    stance: Stance
    share: float | None

    @property
    def text(self) -> str:
        """Return the text of the sentence."""
        return self.passage.text[self.start_char : self.end_char]


@dataclass(frozen=True, slots=True)
class Ranker:
    """Rank sentences with one set of models. One task reads about `batch_tokens` tokens."""

    runner: Runner
    calibration: EvidenceCalibration
    batch_tokens: int

    def rank(self, claim: Claim, passages: Sequence[Passage], *, timeout_s: float) -> list[RankedSentence]:
        """Return all sentences of the passages, best first.

        Equal scores stay in the order of the passages. Sentences without a word are left out.

        Raises:
            BadInput: the claim is blank.
            TaskError: the model's scores did not come back in time, or not all of them.
            ModelError: the models cannot be loaded, or have no part for evidence.
        """
        (ranked,) = self.rank_apart(claim, [passages], timeout_s=timeout_s)
        return ranked

    def rank_apart(
        self, claim: Claim, groups: Sequence[Sequence[Passage]], *, timeout_s: float
    ) -> list[list[RankedSentence]]:
        """Rank the sentences of each group as `rank` does, comparing only sentences of the same group.

        Raises:
            BadInput, TaskError, ModelError: as `rank`.
        """
        check_claim(claim)
        passages = [passage for group in groups for passage in group]
        judged = self._judge(claim, passages, timeout_s) if any(item.spans for item in passages) else None
        ranked: list[list[RankedSentence]] = []
        first = 0
        for group in groups:
            sentences = list_sentences(group)
            part = slice(first, first := first + len(sentences))
            if judged is None:
                ranked.append([])
            else:
                logits, shares, is_read = judged
                ranked.append(self._order(claim, sentences, logits[part], shares[part], is_read[part]))
        return ranked

    def _order(
        self,
        claim: Claim,
        sentences: Sequence[RankedSentence],
        logits: Floats,
        shares: Floats,
        is_read: NDArray[np.bool_],
    ) -> list[RankedSentence]:
        words = np.array(score_words(claim.text, [sentence.text for sentence in sentences]), np.float64)
        scores = np.zeros(len(sentences))
        scores[is_read] = self.calibration.score(logits[is_read], words[is_read])
        return [
            self._finish(claim, sentences[at], float(scores[at]), shares[at].tolist())
            for at in np.argsort(-scores, kind="stable").tolist()
            if is_read[at]
        ]

    def _judge(
        self, claim: Claim, passages: Sequence[Passage], timeout_s: float
    ) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Return logits (n,), stance probabilities (n, 3), and a mask of the sentences that have words
        (n,).
        """
        cuts = split_batches([estimate_tokens(passage.text) for passage in passages], self.batch_tokens)
        payloads = [
            {
                "claim": write_claim(claim),
                "title": claim.title,
                "texts": [passages[at].text for at in cut],
                "spans": join_spans([passages[at].spans for at in cut]),
            }
            for cut in cuts
        ]
        answers = self.runner.run("evidence", payloads, timeout_s=timeout_s)
        owners = np.array([at for cut in cuts for at in cut for _ in passages[at].spans])
        order = np.argsort(owners, kind="stable")
        logits, shares, is_read = (
            np.concatenate([answer[name] for answer in answers])[order]
            for name in ("scores", "stances", "read")
        )
        return logits.astype(np.float64), shares.astype(np.float64), is_read

    def _finish(
        self, claim: Claim, sentence: RankedSentence, score: float, shares: Sequence[float]
    ) -> RankedSentence:
        match = match_clause(claim.text, sentence.text)
        coverage, differs = (None, False) if match is None else (match.coverage, match.differs)
        stance, share = self.calibration.choose_stance(score, shares, coverage, differs)
        return replace(sentence, score=score, stance=stance, share=share)


def list_sentences(passages: Sequence[Passage]) -> list[RankedSentence]:
    """Return all sentences of the passages in order, without scores."""
    return [
        RankedSentence(passage, passage.first + at, start_char, end_char, None, "neutral", None)
        for passage in passages
        for at, (start_char, end_char) in enumerate(passage.spans)
    ]


def rank_by_words(claim: Claim, passages: Sequence[Passage]) -> list[RankedSentence]:
    """Rank the sentences that share a word with the claim, best first, without scores.

    Use this as a fallback when the model cannot answer.

    Raises:
        BadInput: the claim is blank.
    """
    check_claim(claim)
    sentences = list_sentences(passages)
    words = score_words(claim.text, [sentence.text for sentence in sentences])
    order = sorted(range(len(sentences)), key=lambda at: -words[at])
    return [sentences[at] for at in order if words[at] > 0]


def estimate_tokens(text: str) -> int:
    """Estimate the number of WordPieces of a text, to split work into tasks of similar size.

    >>> estimate_tokens("We choose to go to the moon.")
    8
    """
    return round(len(text) / CHARACTERS_PER_TOKEN) + SPECIAL_TOKENS


def check_claim(claim: Claim) -> None:
    """Raise `BadInput` if a claim is blank."""
    if not claim.text.strip():
        raise BadInput("the claim is empty", field="claim")


def write_claim(claim: Claim) -> str:
    """Return the claim as input of the model: preceded by the text before it.

    >>> write_claim(Claim("He left.", before="Lee spoke."))
    'Lee spoke. He left.'
    """
    return f"{claim.before} {claim.text}".strip()
