"""Mark the words that a query asks for: a writer who remembers a line wants that line marked, not another
one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from quotations.sentences import split_sentences
from reranker.signals.exact_words import score_words
from reranker.signals.word_forms import match_forms, read_forms
from rostrum_core.types import Span

LEAST_SCORE = 0.6
"""Minimum score of a sentence's words for it to be marked, the same as for a paragraph that a query seeks."""

LEAST_GAIN = 0.3
"""Minimum gain in score over the model's span.

Below it, the model's span is kept, as the better one to print.
"""

LONG_SENTENCE = 40
"""Number of words above which only a part of a sentence is marked."""

PART = re.compile(r"[;:]\s+|\s*(?:—|--)\s*|\s–\s")


def mark_asked(asked_words: Sequence[str], text: str, span: Span) -> Span:
    """Return `span`, or if it lacks the query's words, the sentence that has most of them.

    `asked_words` are the word forms that `read_forms` returns for the query. If the sentence is long, only
    the part with the words is marked.

    >>> text = "Let them come. I am a free man. So I go."
    >>> span = mark_asked(["a", "free", "man"], text, Span(0, 13, 2.5))
    >>> text[span.start_char : span.end_char], span.score
    ('I am a free man', 2.5)
    """
    spoken = read_forms(text)
    words = [word for word in match_forms(asked_words, [spoken]) if word in set(spoken)]
    own = _score_place(words, text[span.start_char : span.end_char])
    scored = [(_score_place(words, text[start:end]), start, end) for start, end in _list_places(text)]
    best, start, end = max(scored, key=lambda place: place[0], default=(0.0, 0, 0))
    if best < max(LEAST_SCORE, own + LEAST_GAIN):
        return span
    return replace(span, start_char=start, end_char=start + len(text[start:end].rstrip(" .,;:")))


def is_without_words(asked_words: Sequence[str], text: str, before: Span, after: Span) -> bool:
    """Return whether a span lacks words of the query that another span, `before`, has."""
    if not asked_words:
        return False
    words = match_forms(asked_words, [read_forms(text)])
    had, has = (_score_place(words, text[span.start_char : span.end_char]) for span in (before, after))
    return had > has + LEAST_GAIN


def _score_place(words: Sequence[str], text: str) -> float:
    return score_words(words, dict.fromkeys(words, 1.0), read_forms(text))


def _list_places(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the parts of long sentences, then the ranges of all sentences."""
    sentences = split_sentences(text)
    for start, end in sentences:
        if len(text[start:end].split()) > LONG_SENTENCE:
            cuts = [start, *(match.end() for match in PART.finditer(text, start, end)), end]
            for first, last in pairwise(cuts):
                yield first, first + len(text[first:last].rstrip(" —–-;:"))
    yield from sentences
