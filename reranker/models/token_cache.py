"""Cache the WordPieces of texts, because the same text is often read again.

For example, the lower layers of a model read a text to estimate its score, then the remaining layers read it,
and then both may read it again for the next claim.
"""

from __future__ import annotations

from threading import Lock

from reranker.models.wordpieces import WordPieces
from rostrum_core.types import Tokens

KEPT_TEXTS = 1_000
"""Texts whose WordPieces are kept: paragraphs of 200 pieces take 3.5 MB, and there are no longer ones."""


class TokenCache:
    """Tokenize texts, and keep the WordPieces of the texts that were used last.

    Threads may share a cache.
    """

    def __init__(self, wordpieces: WordPieces, most: int = KEPT_TEXTS) -> None:
        self._wordpieces, self._most = wordpieces, most
        self._kept: dict[str, Tokens] = {}
        self._lock = Lock()

    def tokenise(self, texts: list[str]) -> list[Tokens]:
        """Return the WordPieces of each text, as `WordPieces.tokenise` does."""
        with self._lock:
            tokens = {text: self._kept.pop(text) for text in dict.fromkeys(texts) if text in self._kept}
        missing = [text for text in dict.fromkeys(texts) if text not in tokens]
        if missing:
            tokens |= dict(zip(missing, self._wordpieces.tokenise(missing), strict=True))
        with self._lock:
            self._kept |= tokens  # the last used ones are the last to go
            for oldest in list(self._kept)[: max(0, len(self._kept) - self._most)]:
                del self._kept[oldest]
        return [tokens[text] for text in texts]
