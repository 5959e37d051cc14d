"""Detect articles that copy an earlier article, such as an agency report that many papers print."""

from __future__ import annotations

from collections import Counter, defaultdict
from zlib import crc32

from jobs.align.articles import Article
from quotations.text.extraction import Quotation
from quotations.text.words import split_words

SHINGLE_WORDS = 5
KEPT_OF = 8  # one of so many shingles is kept, the same ones in every article
FEWEST_KEPT = 5  # of an article that can be recognised: about 45 words of its writer
COPIED = 0.7  # share of the shingles of the shorter one

# A copy may be cut short or have a paragraph more. So the share is of the shorter one's shingles, not of
# both. Those within quotations do not count: two reports on one speech are no copies of each other.


class Copies:
    """Index the articles seen so far by shingles (overlapping runs of words), to detect later copies of them.

    Source: Manber, "Finding similar files in a large file system" (1994): keep only the hashes that are 0
    modulo `KEPT_OF`. Containment: Broder, "On the resemblance and containment of documents", 1997.
    """

    def __init__(self) -> None:
        self._having: defaultdict[int, list[int]] = defaultdict(list)
        self._articles: list[tuple[str, int]] = []

    def find_original(self, article: Article, quotations: list[Quotation]) -> str | None:
        """Return the id of an earlier article that `article` copies.

        If there is none, add `article` to the index and return `None`. Words within the article's
        `quotations` are ignored, because two reports on one speech are not copies of each other.
        """
        kept = _hash_shingles(_drop_quotations(article.text, quotations))
        shared = Counter(number for shingle in kept for number in self._having.get(shingle, ()))
        for number, count in shared.most_common():
            identity, size = self._articles[number]
            shorter = min(size, len(kept))
            if shorter >= FEWEST_KEPT and count >= COPIED * shorter:
                return identity
        for shingle in kept:
            self._having[shingle].append(len(self._articles))
        self._articles.append((article.id, len(kept)))
        return None


def _drop_quotations(text: str, quotations: list[Quotation]) -> str:
    """Return the text of an article without the words that it quotes."""
    own, at = [], 0
    for start, end in (part for quotation in quotations for part in quotation.parts):
        own.append(text[at:start])
        at = max(at, end)  # one that is nested ends before the one around it
    return " ".join([*own, text[at:]])


def _hash_shingles(text: str) -> set[int]:
    keys = [word.key for word in split_words(text)]
    runs = (" ".join(keys[at : at + SHINGLE_WORDS]) for at in range(len(keys) - SHINGLE_WORDS + 1))
    return {number for run in runs if (number := crc32(run.encode())) % KEPT_OF == 0}
