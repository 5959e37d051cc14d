"""Read the test claims of evidence as text, in the order of the arrays."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reranker.models.wordpieces import WordPieces
from training.evidence_data import Arrays, add_debater, add_scifact
from training.job_data import CLAIM_SETS, SPLITS

SEED = 7  # of the splits, as in the training


class TextArrays(Arrays):
    """Collect arrays together with the text of claims and sentences."""

    def __init__(self, pieces: WordPieces, seed: int) -> None:
        super().__init__(pieces, seed)
        self.texts: dict[int, str] = {}
        self.claim_texts: list[str] = []
        self.of_document: dict[int, list[int]] = defaultdict(list)

    def add_document(
        self, texts: Sequence[str], breaks: set[int] | None = None, keep: set[int] | None = None
    ) -> dict[int, int]:
        """Pack sentences as `Arrays` does, and keep them."""
        document = self.documents
        numbers = super().add_document(texts, breaks, keep)
        for at, number in numbers.items():
            self.texts[number] = texts[at]
            self.of_document[document].append(number)
        return numbers

    def add_claim(
        self, claim: str, kind: str, split: str, document: int, positive: Sequence[int], title: str = ""
    ) -> None:
        """Add a claim as `Arrays` does, and keep it."""
        if positive:
            self.claim_texts.append(claim)
        super().add_claim(claim, kind, split, document, positive, title)


def read_test_rows(folder: Path, tokenizer: Path) -> list[dict[str, Any]]:
    """Return test claims of debater and scifact with the sentences of their documents."""
    arrays = TextArrays(WordPieces(tokenizer), SEED)
    add_debater(arrays, folder, SEED, None)
    add_scifact(arrays, folder, SEED, None)
    positive: dict[int, set[int]] = defaultdict(set)
    for claim, sentence in arrays.positive:
        positive[claim].add(sentence)
    rows = []
    for claim, (document, kind, split) in enumerate(arrays.claim_rows):
        if SPLITS[split] != "test":
            continue
        numbers = sorted(arrays.of_document[document])
        rows.append(
            {
                "set": CLAIM_SETS[kind],
                "document": document,
                "claim": arrays.claim_texts[claim],
                "sentences": [arrays.texts[number] for number in numbers],
                "evidence": [number in positive[claim] for number in numbers],
            }
        )
    return rows
