"""Rank the sentences of passages as evidence for a claim.

Source of the task: "Why did they cite that?" (thesis, 2018).
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jobs.evidence.clauses import is_disowned, is_norm_for_past, match_clause
from jobs.evidence.lexical import score_words
from jobs.evidence.passages import Passage
from reranker.evidence_calibration import NEUTRAL, EvidenceCalibration
from reranker.models.batches import pack_batches
from rostrum_core.errors import BadInput
from rostrum_core.evidence import Claim, Stance
from rostrum_core.ports import Runner
from workers.runner.payloads import join_spans

CHARACTERS_PER_TOKEN = 4.5  # of English speech
SPECIAL_TOKENS = 2

SHORT_TOKENS = 3_000
"""Most WordPieces for which all passages are read by all layers, in some 300 ms on two cores."""

WHOLE_TOKENS = 1_500
"""Fewest WordPieces that are read by all layers if there are more than `SHORT_TOKENS`."""

WHOLE_SHARE = 1 / 3
"""Share of the WordPieces that are read by all layers, if that is more than `WHOLE_TOKENS`."""

WORDS_WEIGHT = 0.8
"""Weight of a sentence's BM25 next to its estimate, when passages are chosen. Of 0 to 1.5 on dev: with less
the model's best sentence is not always among them, with more the evidence in short texts is missed.
"""

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """Hold a sentence of a passage with its position, and with its score and stance as evidence for a claim.

    The stance says whether the sentence supports or contradicts the claim, and `share` is the probability of
    the stance. `score` and `share` are between 0 and 1. `score` is `None` if the sentence was ranked by
    shared words only. `share` is `None` if the stance was not computed. If `is_estimated` is true, `score` is
    an estimate by the first layers of the model. `number` is the index of the sentence in its document.
    """

    passage: Passage
    number: int
    start_char: int
    end_char: int
    score: float | None
    stance: Stance
    share: float | None
    is_estimated: bool = False

    @property
    def text(self) -> str:
        """Return the text of the sentence."""
        return self.passage.text[self.start_char : self.end_char]


@dataclass(frozen=True, eq=False)
class _Scores:
    """Hold the model's output for n sentences: logits (n,), stance probabilities (n, 3) and two masks (n,).

    `is_read` marks the sentences that have words. `is_whole` marks those that ran through all layers of the
    model; the logits of the others are estimates.
    """

    logits: Floats
    shares: Floats
    is_read: Flags
    is_whole: Flags

    def cut(self, part: slice) -> _Scores:
        """Return the scores of the sentences in the range `part`."""
        return _Scores(self.logits[part], self.shares[part], self.is_read[part], self.is_whole[part])


@dataclass(frozen=True, slots=True)
class Ranker:
    """Rank sentences as evidence with one set of models. One task for a worker has about `batch_tokens`
    tokens.

    If `early` is true, the models have an early head, which estimates scores after a few layers. Only the
    best of many passages then run through all layers.
    """

    runner: Runner
    calibration: EvidenceCalibration
    batch_tokens: int
    early: bool = False

    def rank(
        self, claim: Claim, passages: Sequence[Passage], *, limit: int, timeout_s: float
    ) -> list[RankedSentence]:
        """Return all sentences of the passages as evidence for a claim, best first.

        If there is much text, only some passages run through all layers of the model. The sentences of the
        other passages have scores that the first layers estimate, and come last. The first `limit` sentences
        never have estimated scores, and each of them has a stance. Sentences with equal scores stay in the
        order of the passages. Sentences without a word are left out.

        Raises:
            BadInput: the claim is blank.
            TaskError: the model's scores did not come back in time, or not all of them.
            ModelError: the models cannot be loaded, or have no part for evidence.
        """
        (ranked,) = self.rank_apart(claim, [passages], limit=limit, timeout_s=timeout_s)
        return ranked

    def rank_apart(
        self,
        claim: Claim,
        groups: Sequence[Sequence[Passage]],
        *,
        limit: int,
        stances: bool = True,
        timeout_s: float,
    ) -> list[list[RankedSentence]]:
        """Rank the sentences of each group as `rank` does, comparing only sentences of the same group.

        If `stances` is false, all stances are neutral, and no clauses are compared with the claim.

        Raises:
            BadInput, TaskError, ModelError: as `rank`.
        """
        check_claim(claim)
        began = time.monotonic()
        listed = [list_sentences(group) for group in groups]
        words = [score_words(claim.text, [one.text for one in sentences]) for sentences in listed]
        left_s = timeout_s - (time.monotonic() - began)
        scores = self._judge(claim, groups, words, limit, left_s) if any(listed) else None
        ranked: list[list[RankedSentence]] = []
        listed_most = limit if stances else 0
        first = 0
        for sentences, of_group in zip(listed, words, strict=True):
            part = slice(first, first := first + len(sentences))
            ranked.append(
                []
                if scores is None
                else self._order(claim, sentences, scores.cut(part), np.array(of_group), listed_most)
            )
        return ranked

    def _order(
        self, claim: Claim, sentences: Sequence[RankedSentence], scores: _Scores, words: Floats, limit: int
    ) -> list[RankedSentence]:
        """Return the sentences that have words, best score first, and add a stance to the first `limit`.

        Sentences with an estimated score come after all others.
        """
        chances, is_read = np.zeros(len(sentences)), scores.is_read
        chances[is_read] = self.calibration.score(scores.logits[is_read], words[is_read])
        order = [at for at in np.lexsort((-chances, ~scores.is_whole)).tolist() if is_read[at]]
        ranked = [
            replace(sentences[at], score=float(chances[at]), is_estimated=not scores.is_whole[at])
            for at in order
        ]
        listed = zip(ranked[:limit], order, strict=False)
        return [self._add_stance(claim, one, scores.shares[at].tolist()) for one, at in listed] + ranked[
            limit:
        ]

    def _judge(
        self,
        claim: Claim,
        groups: Sequence[Sequence[Passage]],
        words: Sequence[Sequence[float]],
        limit: int,
        timeout_s: float,
    ) -> _Scores:
        """Return the model's output for all sentences of the groups of passages.

        `words` has the BM25 scores of the sentences, one sequence per group. To save time, long passages are
        read in two steps if the models have a part for it: this part estimates all scores after a few layers,
        and only the best passages run through all layers.
        """
        passages = [passage for group in groups for passage in group]
        owners = np.repeat(np.arange(len(passages)), [len(passage.spans) for passage in passages])
        sizes = np.array([estimate_tokens(passage.text) for passage in passages])
        if not self.early or is_short(sizes) or limit >= len(owners):
            return self._read_whole(claim, passages, timeout_s)
        began = time.monotonic()
        estimates, is_read = self._run("evidence_estimate", claim, passages, ("scores", "read"), timeout_s)
        merits = np.where(is_read, estimates + WORDS_WEIGHT * np.concatenate(words), -np.inf)
        group_of = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
        chosen = choose_passages(merits, owners, sizes, group_of, limit)
        whole = self._read_whole(
            claim, [passages[at] for at in chosen], timeout_s - (time.monotonic() - began)
        )
        scores = _Scores(
            estimates.astype(np.float64), np.zeros((len(owners), 3)), is_read, np.isin(owners, chosen)
        )
        scores.logits[scores.is_whole], scores.shares[scores.is_whole] = whole.logits, whole.shares
        return scores

    def _read_whole(self, claim: Claim, passages: Sequence[Passage], timeout_s: float) -> _Scores:
        """Run the sentences of passages through all layers of the model, and return its output."""
        names = ("scores", "stances", "read")
        logits, shares, is_read = self._run("evidence", claim, passages, names, timeout_s)
        return _Scores(
            logits.astype(np.float64), shares.astype(np.float64), is_read, np.ones(len(logits), bool)
        )

    def _run(
        self, task: str, claim: Claim, passages: Sequence[Passage], names: Sequence[str], timeout_s: float
    ) -> list[NDArray[Any]]:
        """Run the task `task` over passages on the workers, and return the arrays `names` of the responses.

        The arrays have one row per sentence, in the order of the passages.
        """
        cuts = pack_batches([estimate_tokens(passage.text) for passage in passages], self.batch_tokens)
        payloads = [
            {
                "claim": write_claim(claim),
                "title": claim.title,
                "texts": [passages[at].text for at in cut],
                "spans": join_spans([passages[at].spans for at in cut]),
            }
            for cut in cuts
        ]
        answers = self.runner.run(task, payloads, timeout_s=timeout_s)
        owners = np.array([at for cut in cuts for at in cut for _ in passages[at].spans])
        order = np.argsort(owners, kind="stable")
        return [np.concatenate([answer[name] for answer in answers])[order] for name in names]

    def _add_stance(self, claim: Claim, sentence: RankedSentence, shares: Sequence[float]) -> RankedSentence:
        """Return a ranked sentence with its stance: whether it supports or contradicts the claim, or is
        neutral.

        `shares` are the probabilities of the stances by the model.
        """
        score = sentence.score or 0.0
        is_near = score >= self.calibration.point  # others are neutral, whatever their clauses say
        match = match_clause(claim.text, sentence.text) if is_near else None
        coverage, differs = (None, False) if match is None else (match.coverage, match.differs)
        stance, share = self.calibration.choose_stance(score, shares, coverage, differs)
        is_unsupported = (match is None and is_disowned(claim.text, sentence.text)) or is_norm_for_past(
            claim.text, sentence.text
        )
        if stance == "supports" and is_unsupported:
            stance, share = "neutral", round(float(shares[NEUTRAL]), 6)
        return replace(sentence, stance=stance, share=share)


def is_short(sizes: NDArray[np.int64]) -> bool:
    """Return whether passages are so short that all of them run through all layers of the model.

    `sizes` are the lengths of the passages in WordPieces. A single passage always counts as short.

    >>> is_short(np.array([5000])), is_short(np.array([200] * 10)), is_short(np.array([200] * 20))
    (True, True, False)
    """
    return len(sizes) < 2 or int(sizes.sum()) <= SHORT_TOKENS


def choose_passages(
    merits: Floats, owners: NDArray[np.int64], sizes: NDArray[np.int64], groups: NDArray[np.int64], limit: int
) -> list[int]:
    """Return the indices of the passages that run through all layers of the model: those with the best
    sentences.

    There are n sentences in m passages, and each passage belongs to a group, such as a document. `merits`
    (n,) are estimates of the sentences' scores, and `owners` (n,) the indices of their passages. `sizes` (m,)
    are the passages' lengths in WordPieces, and `groups` (m,) the numbers of their groups.

    First, choose the best passages of each group, until the group has `limit` sentences. Then add the best
    passages of any group, until the chosen passages have `WHOLE_TOKENS` WordPieces or the share `WHOLE_SHARE`
    of all WordPieces, whichever is more.

    In the example, passages 14 and 29 are the best of their groups. The next best follow, until there are
    2,000 WordPieces, a third of all.

    >>> sizes, groups = np.full(30, 200), np.repeat([0, 1], 15)
    >>> choose_passages(np.arange(30.0), np.arange(30), sizes, groups, 1)
    [14, 21, 22, 23, 24, 25, 26, 27, 28, 29]
    """
    best = np.full(len(sizes), -np.inf)
    np.maximum.at(best, owners, merits)
    counts = np.bincount(owners[np.isfinite(merits)], minlength=len(sizes))
    order = np.argsort(-best, kind="stable").tolist()
    needed: list[int] = []
    listed = dict.fromkeys(groups.tolist(), 0)
    for at in order:
        if listed[group := int(groups[at])] < limit:
            needed.append(at)
            listed[group] += int(counts[at])
    budget = max(WHOLE_TOKENS, WHOLE_SHARE * int(sizes.sum())) - int(sizes[needed].sum())
    for at in order:
        if budget <= 0:
            break
        if at not in needed:
            needed.append(at)
            budget -= int(sizes[at])
    return sorted(needed)


def list_sentences(passages: Sequence[Passage]) -> list[RankedSentence]:
    """Return all sentences of the passages in order, without scores."""
    return [
        RankedSentence(passage, passage.first + at, start_char, end_char, None, "neutral", None)
        for passage in passages
        for at, (start_char, end_char) in enumerate(passage.spans)
    ]


def rank_by_words(claim: Claim, passages: Sequence[Passage]) -> list[RankedSentence]:
    """Return the sentences that share words with the claim, ranked by these words (BM25), best first.

    Their `score` is `None`. Use this as a fallback when the model cannot answer.

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
    """Return the text that the model reads for a claim: the text before the claim in its draft, then the
    claim.

    >>> write_claim(Claim("He left.", before="Lee spoke."))
    'Lee spoke. He left.'
    """
    return f"{claim.before} {claim.text}".strip()
