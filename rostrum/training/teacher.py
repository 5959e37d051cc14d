"""A trained ranker whose judgement another one learns: distillation."""

from __future__ import annotations

from collections.abc import Sequence

from reranker.models.loaded import Models
from rostrum_core.types import Draft


class Teacher:
    """Scores paragraphs for a draft with the ranker of any models; their tokenizer may be another one."""

    def __init__(self, models: Models) -> None:
        self.models = models

    def __call__(self, draft: Draft, paragraphs: Sequence[str]) -> tuple[float, ...]:
        """A score for each paragraph, a logit: comparable for one draft."""
        pieces = self.models.wordpieces
        query = pieces.query(draft.title, draft.left)
        ranked = self.models.ranker.rank(query, paragraphs, pieces.pieces(list(paragraphs)))
        return tuple(each.score for each in ranked)
