"""Mark the sentence of a paragraph that has the words of a draft or query.

A writer may type words of a speech from memory to find them. Then the sentence with these words is marked in
the paragraph, instead of the span that the model chose.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from quotations.text.sentences import split_sentences
from quotations.text.stems import FREQUENT
from reranker.signals.attributed_speaker import ATTRIBUTION
from reranker.signals.begun_sentence import has_run, is_open, list_begun
from reranker.signals.compared_texts import split_words
from reranker.signals.exact_words import CACHED_DRAFTS, SHORT_WORDS, score_words
from reranker.signals.word_forms import match_forms, read_forms
from rostrum_core.types import Draft, Span

LEAST_SCORE = 0.6
"""Minimum score of a sentence's words for it to be marked, the same as for a paragraph that a query seeks."""

LEAST_GAIN = 0.3
"""Minimum gain in score over the model's span.

Below it, the model's span is kept, as the better one to print.
"""

SHORT_LINE, LONG_LINE = SHORT_WORDS + 1, 30
"""Fewest and most words of a draft that may be a remembered line, too long to be a query."""

LONGEST_LINE = 600  # characters

LEAST_CONTINUED = 5
FEWEST_BEGUN = 3
"""Fewest words that a text continues, and fewest of a sentence that is begun with nothing else."""

PHRASES_OF_STATE = frozenset(("united", "states", "america", "american", "americans", "people", "president"))
"""Words that with small words make phrases that every speech has."""

MOST_SENTENCES = 4
"""Most sentences in a row that are marked because a line goes over their ends."""

LEAST_GAIN_OF_SENTENCE = 0.1
"""Minimum gain in score for each further sentence."""

LONG_SENTENCE = 40
"""Number of words above which only a part of a sentence is marked."""

CLOSED = re.compile(r"[“\"][^“”\"]+[”\"]")
"""Match words that a draft quotes, so that the next quote follows them."""

PART = re.compile(r"[;:]\s+|\s*(?:—|--)\s*|\s–\s")


@lru_cache(CACHED_DRAFTS)
def read_line(draft: Draft) -> str:
    """Return the text of a draft if it may be words of a speech, typed from memory; otherwise return "".

    The text is not taken as words of a speech if it is too short or too long, if it ends with a colon, if it
    says who speaks ("he said"), or if the draft has text after the place of the quote.

    >>> line = "the old road that leads from the sea up to the hills is never closed"
    >>> read_line(Draft(left=line)) == line, read_line(Draft(left=f"{line}:"))
    (True, '')
    """
    text = (draft.left.strip() or draft.title).strip()
    if len(text) > LONGEST_LINE:
        return ""
    is_line = SHORT_LINE <= len(split_words(text)) <= LONG_LINE and not text.endswith(":")
    is_story = draft.right.strip() or ATTRIBUTION.search(text)
    return text if is_line and not is_story else ""


def has_line(asked_words: Sequence[str], text: str) -> bool:
    """Return whether a text has most of `asked_words` close together.

    Close together means within `MOST_SENTENCES` consecutive sentences of the text.
    """
    words = match_forms(asked_words, [read_forms(text)])
    scored = ((_score_place(words, text[start:end]), start, end) for start, end in _list_places(text))
    best = max(scored, default=(0.0, 0, 0))
    return best[0] > 0 and _add_sentences(words, text, best)[0] >= LEAST_SCORE


def read_continued(left: str, text: str) -> list[str]:
    """Return the last words of a draft's unfinished sentence, as many as `text` has in a row.

    At least five words must match, or the whole unfinished sentence if it has only three or four words. The
    list is empty if fewer words match, or if the words are common to many speeches, such as "the people of
    the united states". It is also empty if the unfinished sentence already quotes something.

    >>> read_continued("She hoped, she said, that the old bridge would", "That the old bridge would hold!")
    ['that', 'the', 'old', 'bridge', 'would']
    """
    begun = _read_begun(left)
    if len(begun) < FEWEST_BEGUN:
        return []
    words, counts = split_words(text), range(len(begun), min(len(begun), LEAST_CONTINUED) - 1, -1)
    run = next((begun[-count:] for count in counts if has_run(words, begun[-count:])), ())
    return list(run) if any(word not in FREQUENT and word not in PHRASES_OF_STATE for word in run) else []


@lru_cache(CACHED_DRAFTS)
def _read_begun(left: str) -> tuple[str, ...]:
    """Return the last words of the unfinished sentence at the end of `left`, the text before a quote.

    Return an empty tuple if the last sentence is finished, or if it already has a quotation.
    """
    bounds = split_sentences(left)
    has_quoted = bool(bounds) and CLOSED.search(left, bounds[-1][0])
    return tuple(list_begun(left)) if is_open(left) and not has_quoted else ()


def mark_continued(words: Sequence[str], text: str, span: Span) -> Span:
    """Return the span of the sentence in `text` that contains `words`, the last words of a draft.

    In a long sentence, the span begins with `words`. If `span` already has these words, or if the text does
    not have them, return `span`.

    >>> text = "Let them come. I am a free man, and I go."
    >>> span = mark_continued(["i", "am", "a"], text, Span(0, 13, 2.5))
    >>> text[span.start_char : span.end_char]
    'I am a free man, and I go'
    """
    match = re.search(r"\W+".join(map(re.escape, words)), text, re.IGNORECASE)
    if match is None or (span.start_char <= match.start() and match.end() <= span.end_char):
        return span
    start, end = next((s, e) for s, e in split_sentences(text) if match.start() < e)
    if len(text[start:end].split()) > LONG_SENTENCE:
        start = match.start()
    return replace(span, start_char=start, end_char=start + len(text[start:end].rstrip(" .,;:")))


def mark_asked(asked_words: Sequence[str], text: str, span: Span) -> Span:
    """Move a span to the sentence of `text` that has the most words of a query, and return it.

    The span stays unchanged if no sentence has enough of the words, or if the span has about as many. In a
    long sentence, only the part with the words is marked. If the words extend over several sentences, all
    these sentences are marked. `asked_words` are the words of the query, as `read_forms` returns them.

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
    if best:
        best, start, end = _add_sentences(words, text, (best, start, end))
    if best < max(LEAST_SCORE, own + LEAST_GAIN):
        return span
    return replace(span, start_char=start, end_char=start + len(text[start:end].rstrip(" .,;:")))


def is_without_words(asked_words: Sequence[str], text: str, before: Span, after: Span) -> bool:
    """Return whether the span `after` has clearly fewer words of a query than the span `before`."""
    if not asked_words:
        return False
    words = match_forms(asked_words, [read_forms(text)])
    had, has = (_score_place(words, text[span.start_char : span.end_char]) for span in (before, after))
    return had > has + LEAST_GAIN


def _score_place(words: Sequence[str], text: str) -> float:
    return score_words(words, dict.fromkeys(words, 1.0), read_forms(text))


def _add_sentences(words: Sequence[str], text: str, place: tuple[float, int, int]) -> tuple[float, int, int]:
    """Extend a place in a text to several consecutive sentences, if these have clearly more of `words`.

    If they do not, return `place`. A place is a tuple (score, start, end). The score is higher the more of
    `words` the characters `start` to `end` have. There are at most `MOST_SENTENCES` sentences.
    """
    sentences = split_sentences(text)
    best, start, end = place
    for count in range(2, min(MOST_SENTENCES, len(sentences)) + 1):
        for run in zip(*(sentences[i:] for i in range(count)), strict=False):
            first, last = run[0][0], run[-1][1]
            if first > place[1] or last < place[2]:
                continue
            score = _score_place(words, text[first:last])
            if score >= max(best, place[0] + (count - 1) * LEAST_GAIN_OF_SENTENCE):
                best, start, end = (score, first, last) if score > best else (best, start, end)
    return best, start, end


def _list_places(text: str) -> Iterator[tuple[int, int]]:
    """Yield the character ranges of a text that may be marked.

    First come the parts of long sentences, which are split at semicolons, colons and dashes. Then come all
    sentences.
    """
    sentences = split_sentences(text)
    for start, end in sentences:
        if len(text[start:end].split()) > LONG_SENTENCE:
            cuts = [start, *(match.end() for match in PART.finditer(text, start, end)), end]
            for first, last in pairwise(cuts):
                yield first, first + len(text[first:last].rstrip(" —–-;:"))
    yield from sentences
