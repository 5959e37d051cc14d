"""Read the claims and stances of the evidence data as text, in the order in which `training.evidence_data`
writes them as token ids.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reranker.models.wordpieces import WordPieces
from training.evidence_data import Arrays, add_citations, add_debater, add_scifact, add_wice
from training.job_data import CLAIM_SETS, SPLITS

SEED = 7  # of the splits, as in the training


class TextArrays(Arrays):
    """Collect claims, sentences and stances as token ids like `Arrays`, and keep their texts, too."""

    def __init__(self, pieces: WordPieces) -> None:
        super().__init__(pieces, SEED)
        self.texts: dict[int, str] = {}
        self.claim_texts: list[tuple[str, str]] = []  # claim, title
        self.of_document: dict[int, list[int]] = defaultdict(list)
        self.stance_rows: list[dict[str, Any]] = []

    def add_document(
        self, texts: Sequence[str], breaks: set[int] | None = None, keep: set[int] | None = None
    ) -> dict[int, int]:
        """Add a document as `Arrays.add_document` does, and also keep the texts of its sentences."""
        document = self.documents
        numbers = super().add_document(texts, breaks, keep)
        for at, number in numbers.items():
            self.texts[number] = texts[at]
            self.of_document[document].append(number)
        return numbers

    def add_claim(
        self, claim: str, kind: str, split: str, document: int, positive: Sequence[int], title: str = ""
    ) -> None:
        """Add a claim to the arrays of token ids, and also keep its text and title."""
        if positive:
            self.claim_texts.append((claim, title))
        super().add_claim(claim, kind, split, document, positive, title)

    def add_stance(self, claim: str, text: str, stance: str, kind: str, split: str) -> None:
        """Add a text with its stance to a claim as `Arrays` does, and keep both texts in `stance_rows`.

        `kind` is the name of the data set.
        """
        self.stance_rows.append({"set": kind, "split": split, "claim": claim, "text": text, "stance": stance})
        super().add_stance(claim, text, stance, kind, split)

    def list_claims(self) -> list[dict[str, Any]]:
        """Return each claim as a dictionary, with the sentences of its document.

        The list `evidence` has one value for each sentence: true if the sentence is evidence for the claim.
        """
        positive: dict[int, set[int]] = defaultdict(set)
        for claim, sentence in self.positive:
            positive[claim].add(sentence)
        rows = []
        for claim, (document, kind, split) in enumerate(self.claim_rows):
            numbers = sorted(self.of_document[document])
            rows.append(
                {
                    "set": CLAIM_SETS[kind],
                    "split": SPLITS[split],
                    "document": document,
                    "claim": self.claim_texts[claim][0],
                    "title": self.claim_texts[claim][1],
                    "sentences": [self.texts[number] for number in numbers],
                    "evidence": [number in positive[claim] for number in numbers],
                }
            )
        return rows


def read_arrays(folder: Path, tokenizer: Path) -> TextArrays:
    """Read the sets debater, scifact and citations in `folder`, and return their claims and stances."""
    arrays = TextArrays(WordPieces(tokenizer))
    add_debater(arrays, folder, SEED, None)
    add_scifact(arrays, folder, SEED, None)
    add_citations(arrays, folder, None)
    return arrays


def read_wice(folder: Path, tokenizer: Path) -> list[dict[str, Any]]:
    """Return the claims of WiCE, each twice: alone, and with its article's title and the text before it."""
    arrays = TextArrays(WordPieces(tokenizer))
    add_wice(arrays, folder, None)
    return arrays.list_claims()


def read_test_rows(folder: Path, tokenizer: Path) -> list[dict[str, Any]]:
    """Return the test claims of debater and scifact, each with the sentences of its document."""
    rows = read_arrays(folder, tokenizer).list_claims()
    return [row for row in rows if row["split"] == "test" and row["set"] in ("debater", "scifact")]
