"""Build the queries of the first stage from a draft.

The lengths of the queries were chosen by measurement (mAP is mean average precision, in %):

- Words before the quote, BM25 within source transcripts: mAP is 37.6 with the last 40 words and 34.7 with the
  last 100 (test, n = 1,600).
- Repeated words: mAP is 32.0 if each word counts once, and 30.8 if it counts as often as it occurs (dev, n =
  1,051).
- Whole documents: the source is among the first 20 for 67 % of drafts if repeated words count, and for 62 %
  if each word counts once (test, n = 300). The query has all text before the quote.
- Words after the quote, for drafts that have some: mAP is 36.4 without them, and 41.6, 44.6 and 43.8 with the
  first 10, 20 and 40 words (dev, n = 106).
"""

from __future__ import annotations

from collections import Counter

import re2

from indexer import characters
from rostrum_core.ports import ParagraphStore
from rostrum_core.rarest_words import select_rarest
from rostrum_core.types import Draft

CONTEXT_WORDS = 40
WORDS_AFTER = 20
MOST_TERMS = 48
MOST_ASKED = 500  # terms whose frequency is looked up: a draft has some 80, one without spaces thousands
MOST_WORDS = (
    1000  # different ones of a draft: OpenSearch refuses more than 1,024 terms, and both stores read alike
)
PART = re2.compile(r"[\p{L}\p{M}\p{N}]")
"""Match a character of a word, including vowel signs and accents, which a plain word pattern excludes.

Each store splits words further in its own way.
"""

LONGEST_TERM = 200  # characters: what runs on without a gap is cut, as OpenSearch takes no 1,025 parts of one


def normalise_draft(draft: Draft) -> Draft:
    r"""Return the draft with its characters normalised like those of speeches, whatever program it was copied
    from.

    For example, accents are joined with their letters, and soft hyphens are removed.

    >>> normalise_draft(Draft(title="Cafe\u0301", left="The presi\u00addent")).left
    'The president'
    """
    title, left, right = map(characters.normalise, (draft.title, draft.left, draft.right))
    return Draft(title, left, right, draft.written_on)


def build_paragraph_query(draft: Draft) -> str:
    """Return the query by which paragraphs are searched for a draft: distinct words in lower case.

    They are the words of the title, the last 40 words before the quote, and the first 20 words after it.

    >>> build_paragraph_query(Draft(title="The Moon", left="We go to the moon. " * 30, right="We choose it."))
    'the moon we go to choose it'
    """
    before, after = draft.left.split()[-CONTEXT_WORDS:], draft.right.split()[:WORDS_AFTER]
    return " ".join(list_terms(" ".join([draft.title, *before, *after])))


def build_document_query(draft: Draft) -> str:
    """Return the query by which whole documents are searched for a draft: the title and all text before the
    quote.

    If there are more than `MOST_WORDS` distinct words, only the most frequent ones are kept. Of equally
    frequent words, the earlier are kept.
    """
    text = f"{draft.title} {draft.left}".strip()
    said = _split_words(text)
    counted = Counter(said)
    if len(counted) <= MOST_WORDS:
        return text
    kept = {word for word, _ in counted.most_common(MOST_WORDS)}
    return " ".join(word for word in said if word in kept)


def limit_terms(text: str) -> str:
    """Return the last `MOST_ASKED` distinct words of a text in lower case, so that a search stays fast.

    >>> limit_terms("The Moon, the moon")
    'the moon'
    """
    return " ".join(list_terms(text)[-MOST_ASKED:])


def prune_query(text: str, store: ParagraphStore, *, most: int = MOST_TERMS) -> str:
    """Return the words of `text` that are rarest in the archive: at most `most` distinct words, in the order
    of the text.

    Words that the archive does not have are left out. A search for `limit_terms(text)` with the option
    `rarest=most` matches the same words.
    """
    words = limit_terms(text).split()
    return " ".join(select_rarest(words, store.document_frequency(words), most))


def list_terms(text: str) -> list[str]:
    """Return the distinct words of a text in lower case, in the order of the text."""
    return list(dict.fromkeys(_split_words(text)))


def _split_words(text: str) -> list[str]:
    """Return the words of a text in lower case; a word of more than `LONGEST_TERM` characters is cut into
    pieces.
    """
    return [
        word[at : at + LONGEST_TERM].lower()
        for word in text.translate(SEPARATING).split()
        for at in range(0, len(word), LONGEST_TERM)
    ]


class _Separating(dict[int, int]):
    """Map each character for `str.translate`: characters of words stay, all others become a blank.

    Half an emoji (a lone surrogate) becomes a blank, too.
    """

    def __missing__(self, code: int) -> int:
        is_surrogate = 0xD800 <= code <= 0xDFFF
        self[code] = ord(" ") if is_surrogate or not PART.match(chr(code)) else code
        return self[code]


SEPARATING = _Separating()
