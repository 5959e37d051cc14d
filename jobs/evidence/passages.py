"""Split texts into passages (texts that the model reads at once), with the character ranges of their
sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from quotations.text.sentences import split_sentences
from reranker.models.wordpieces import PARAGRAPH_TOKENS, WordPieces
from rostrum_core.types import Paragraph

CACHED_PARAGRAPHS = 20_000
"""Number of paragraphs whose sentence ranges are cached: some megabytes."""

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Passage:
    """Hold a text that the model reads in one pass, and `spans`, the character ranges of its sentences.

    The ranges are half-open, in code points. `paragraph` is set if the passage is from an archive. If the
    passage is from a file, `first` is the index of its first sentence in its document. If the passage is a
    part of a longer text, `start_char` is its offset in that text.
    """

    document: str
    text: str
    spans: Spans
    first: int = 0
    paragraph: Paragraph | None = None
    start_char: int = 0


class SentenceCache:
    """Cache the character ranges of the sentences of paragraphs, by paragraph id.

    A paragraph's id depends on its text, so cached ranges never become wrong.
    """

    def __init__(self) -> None:
        self._spans: dict[str, Spans] = {}

    def make_passage(self, paragraph: Paragraph) -> Passage:
        """Convert a paragraph of an archive to a passage, with the cached ranges of its sentences."""
        spans = self._spans.get(paragraph.id)
        if spans is None:
            spans = tuple(split_sentences(paragraph.text))
            if len(self._spans) >= CACHED_PARAGRAPHS:
                self._spans.clear()
            self._spans[paragraph.id] = spans
        return Passage(paragraph.document_id, paragraph.text, spans, paragraph=paragraph)


def join_sentences(document: str, texts: Sequence[str], pieces: WordPieces) -> list[Passage]:
    """Join the sentences of a document into passages, each as long as the model can read at once.

    >>> from archive.shipped_files import locate_shipped
    >>> pieces = WordPieces(locate_shipped("models") / "tokenizer.json")
    >>> passages = join_sentences("d", ["We go.", "", "They stay."], pieces)
    >>> [(passage.first, passage.text, passage.spans) for passage in passages]
    [(0, 'We go.  They stay.', ((0, 6), (7, 7), (8, 18)))]
    """
    lengths = [len(tokens) for tokens in pieces.tokenise(list(texts))]
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
    return Passage(document, " ".join(texts), tuple(spans), first)
