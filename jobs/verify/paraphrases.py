"""Find sentences of the archive that paraphrase a quotation, by content words and by vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from embedded.analysis import build_analyser
from quotations.text.meaning import MeaningClass, compare_meaning, normalise_word, select_content_words
from quotations.text.sentences import split_sentences
from quotations.text.words import split_words
from rostrum_core.ports import ParagraphStore, Query
from rostrum_core.types import Paragraph

DEPTH: Final = 20
LEAST_COSINE: Final = 0.45
LEAST_OVERLAP: Final = 0.4
LEAST_SHARED: Final = 3
"""Minimum number of shared content words: two, such as "change" and "come", occur together in any archive."""

LEAST_SUM: Final = 1.15
"""Minimum sum of cosine and overlap.

Of 17 paraphrases of lines of the sample archive, written for this, 11 pass (one is of a line that is not in
it). Of 16 quotations that were made up or are of other speeches, none pass.
"""


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """Locate sentences that paraphrase a quotation: `paragraph.text[start_char:end_char]`.

    `cosine` compares the vectors of quotation and paragraph. `shared` is the number of the quotation's
    content words that the sentences have. `overlap` is the same as a share, from 0 to 1.
    """

    paragraph: Paragraph
    start_char: int
    end_char: int
    cosine: float
    overlap: float
    shared: int

    @property
    def score(self) -> float:
        """Return the score by which paraphrases are sorted: the sum of `cosine` and `overlap`."""
        return self.cosine + self.overlap


def find_paraphrase(
    store: ParagraphStore, quote: str, vector: NDArray[np.float32] | None
) -> Paraphrase | None:
    """Return the best paraphrase of a quotation in the archive; `None` without one."""
    stems = stem_words(quote)
    if vector is None or len(stems) < 2:
        return None
    candidates = store.search(Query(quote, "", vector, depth=DEPTH))
    scored = [_read(item.paragraph, stems, item.scores["dense"] or 0.0) for item in candidates]
    best = max(scored, key=lambda item: item.score, default=None)
    return best if best is not None and is_paraphrase(best) else None


def is_paraphrase(result: Paraphrase) -> bool:
    """Return whether sentences are similar enough to a quotation to be a paraphrase of it."""
    is_near = result.cosine >= LEAST_COSINE and result.overlap >= LEAST_OVERLAP
    return is_near and result.score >= LEAST_SUM and result.shared >= LEAST_SHARED


def find_contradiction(quote: str, source: str) -> set[MeaningClass]:
    """Return the classes of the differences by which a quotation may say the opposite of its source.

    These are `NEGATION` ("not") and `OPPOSITE` (a word such as "rise" for "fall"). The result is empty if
    there is no such difference.
    """
    mine, theirs = ([normalise_word(word.key) for word in split_words(text)] for text in (quote, source))
    return compare_meaning(mine, theirs) & {MeaningClass.NEGATION, MeaningClass.OPPOSITE}


def stem_words(text: str) -> frozenset[str]:
    """Return the stems of a text's content words.

    >>> sorted(stem_words("The nations were united in their hopes"))
    ['hope', 'nation', 'unit']
    """
    kept = select_content_words(normalise_word(word.key) for word in split_words(text))
    return frozenset(_make_analyser().analyze(" ".join(kept)))


@cache
def _make_analyser() -> Any:
    return build_analyser()


def _read(paragraph: Paragraph, stems: frozenset[str], cosine: float) -> Paraphrase:
    start, end, overlap = _find_best_sentences(paragraph.text, stems)
    return Paraphrase(paragraph, start, end, cosine, overlap, round(overlap * len(stems)))


def _find_best_sentences(text: str, stems: frozenset[str]) -> tuple[int, int, float]:
    """Find the sentence, or the two consecutive sentences, of a text with the largest share of `stems`.

    Return (start, end, share). `stems` are the stems of the content words of a quotation.
    """
    ranges: Sequence[tuple[int, int]] = split_sentences(text) or [(0, len(text))]
    best = (ranges[0][0], ranges[0][1], 0.0)
    having = [stem_words(text[start:end]) for start, end in ranges]
    for at in range(len(ranges)):
        for stop in range(at + 1, min(at + 2, len(ranges)) + 1):
            union = frozenset().union(*having[at:stop])
            share = len(stems & union) / len(stems)
            if share > best[2]:
                best = (ranges[at][0], ranges[stop - 1][1], share)
    return best
