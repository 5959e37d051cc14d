"""Wrap a trained ranker as a teacher; another ranker learns from the scores of the teacher."""

from __future__ import annotations

from collections.abc import Sequence

from reranker.models.loaded import Models
from rostrum_core.types import Draft


class Teacher:
    """Score paragraphs with a trained ranker, so that a new ranker can learn its scores.

    The tokenizers of the two rankers may differ.
    """

    def __init__(self, models: Models) -> None:
        self.models = models

    def __call__(self, draft: Draft, paragraphs: Sequence[str]) -> tuple[float, ...]:
        """Return a logit for each paragraph: the higher it is, the better the paragraph fits the draft.

        Logits of different drafts cannot be compared.
        """
        pieces = self.models.wordpieces
        query = pieces.tokenise_query(draft.title, draft.left)
        ranked = self.models.ranker.rank(query, paragraphs, pieces.tokenise(list(paragraphs)))
        return tuple(candidate.score for candidate in ranked)
