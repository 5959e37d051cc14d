"""Choose the sentences to highlight in texts, as answers to a question."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from jobs.evidence.job import CHARACTERS_PER_TOKEN, RankedSentence, Ranker
from jobs.evidence.passages import Passage
from quotations.text.sentences import split_sentences
from rostrum_core.deadline import get_left_s, limit_time
from rostrum_core.evidence import Claim

ALL_TOKENS = 16_384
"""Approximate number of WordPieces read for all texts of one request: some seconds on two cores."""

LEAST_TOKENS = 200
"""Approximate number of WordPieces read of each text at least."""

PART_TOKENS = 160
"""Approximate size of the largest part of a text in WordPieces: a text of 300 is split into two halves."""

LOOKAHEAD = 100
"""Number of characters after the limit of a text that show whether a sentence ends at the limit."""

LONGEST_SENTENCE = 1_000
"""Number of characters after the limit of a text up to which its first sentence is still read whole."""

LEAST_SCORE = 0.15
"""Minimum score of a highlighted sentence."""

LEAST_SHARE = 0.8
"""Minimum score of a highlighted sentence, as a share of the best score in its text."""


@dataclass(frozen=True, slots=True)
class Question:
    """Hold a question and a text, `context`, in which sentences that answer the question are highlighted."""

    question: str
    context: str


def highlight(
    questions: Sequence[Question], ranker: Ranker, *, timeout_s: float
) -> list[list[tuple[int, int]]]:
    """Return for each text the character ranges of the sentences that answer its question.

    The ranges are half-open, in code points, in order and without overlap. A blank text or question gets an
    empty list. Of a long text, only the first sentences are read, each of them whole if it
    ends soon (see `keep_whole_sentences`). If there are many
    texts, only the best part of each text runs through all layers of the model. Nothing in the other parts is
    highlighted.

    Raises:
        TaskError: the model's scores did not come back in time.
        ModelError: the models cannot be run, or have no part for evidence.
    """
    most = share_characters(len(questions))
    groups: dict[str, list[int]] = defaultdict(list)
    for at, item in enumerate(questions):
        if item.question.strip() and item.context.strip():
            groups[item.question].append(at)
    ranges: list[list[tuple[int, int]]] = [[] for _ in questions]
    with limit_time(timeout_s):
        for question, places in groups.items():
            texts = [cut_text(keep_whole_sentences(questions[at].context, most)) for at in places]
            ranked = ranker.rank_apart(Claim(question), texts, limit=1, stances=False, timeout_s=get_left_s())
            for at, of_text in zip(places, ranked, strict=True):
                ranges[at] = choose_ranges(of_text)
    return ranges


def choose_ranges(ranked: Sequence[RankedSentence]) -> list[tuple[int, int]]:
    """Return the character ranges of the sentences to highlight in one text, in text order.

    `ranked` has all sentences of the text, best first. Sentences that did not run through all layers of the
    model are never highlighted, because their scores are only estimates.
    """
    ranked = [item for item in ranked if not item.is_estimated]
    best = ranked[0].score or 0.0 if ranked else 0.0
    least = max(LEAST_SCORE, LEAST_SHARE * best)
    return sorted(
        (item.passage.start_char + item.start_char, item.passage.start_char + item.end_char)
        for item in ranked
        if (item.score or 0.0) >= least
    )


def share_characters(texts: int) -> int:
    """Return how many characters of each text to read in a request with `texts` texts.

    The limit lets a request with many or long texts end in time.

    >>> share_characters(1), share_characters(50), share_characters(1000)
    (73728, 1474, 900)
    """
    tokens = max(LEAST_TOKENS, ALL_TOKENS / max(1, texts))
    return int(tokens * CHARACTERS_PER_TOKEN)


def keep_whole_sentences(text: str, most: int) -> str:
    """Return the beginning of a text, at most `most` characters, up to the end of its last whole sentence.

    If not even the first sentence ends there, return the whole first sentence. If it is longer by more than
    `LONGEST_SENTENCE` characters, as in text without full stops, cut it at its last comma or word.

    >>> keep_whole_sentences("We won. They lost.", 17), keep_whole_sentences("We won. They lost.", 6)
    ('We won.', 'We won.')
    """
    if len(text) <= most:
        return text
    spans = split_sentences(text[: most + LONGEST_SENTENCE + LOOKAHEAD])
    ends = [end for _, end in spans if end <= most + LONGEST_SENTENCE]
    if not ends:
        return _cut_at_word(text, most)
    return text[: max((end for end in ends if end <= most), default=ends[0])]


def _cut_at_word(text: str, most: int) -> str:
    """Return the beginning of a text, at most `most` characters, up to its last comma or else its last word.

    A comma in the first half does not count.
    """
    at = text.rfind(", ", most // 2, most)
    if at < 0:
        at = text.rfind(" ", 0, most + 1)
    return text[: at if at > 0 else most]


def cut_text(text: str) -> list[Passage]:
    """Split a text into parts of similar length, each of whole sentences.

    A part has about `PART_TOKENS` WordPieces at most.

    >>> parts = cut_text("We choose to go to the moon in this decade. " * 20)
    >>> [(part.start_char, len(part.text), len(part.spans)) for part in parts]
    [(0, 439, 10), (440, 439, 10)]
    """
    spans = split_sentences(text)
    count = math.ceil(len(text) / (PART_TOKENS * CHARACTERS_PER_TOKEN))
    parts: list[list[tuple[int, int]]] = [[] for _ in range(max(1, count))]
    for start, end in spans:
        parts[min((start + end) * count // (2 * len(text)), count - 1)].append((start, end))
    return [_make_passage(text, part) for part in parts if part]


def _make_passage(text: str, spans: Sequence[tuple[int, int]]) -> Passage:
    begin, end = spans[0][0], spans[-1][1]
    own = tuple((start - begin, stop - begin) for start, stop in spans)
    return Passage("", text[begin:end], own, start_char=begin)
