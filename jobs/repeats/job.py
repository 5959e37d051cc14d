"""Find paragraphs of an archive that repeat words of a text.

The sentences of the text are looked up in the archive, and then the words are compared.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

from jobs.repeats.runs import LEAST_WORDS, find_runs
from quotations.text.sentences import split_sentences
from quotations.text.words import Word, split_words
from rostrum_core.companions import Repeat
from rostrum_core.errors import BadInput
from rostrum_core.ports import WORDINGS, ParagraphStore
from rostrum_core.types import DocumentInfo, Paragraph

LONGEST_TEXT = 20_000  # characters: a paragraph, never a whole speech
LONGEST_LEAD = LONGEST_TEXT // 2  # characters before the words for which a paragraph is cut


def find_repeats(
    text: str, store: ParagraphStore, *, archive: str | None = None, except_document: str | None = None
) -> list[Repeat]:
    """Return the repeats of a text: for each paragraph of the archive, the longest run of words that both
    share.

    A run must have at least `LEAST_WORDS` words. `except_document` is the id of the document that contains
    the text itself; its paragraphs are ignored. `archive` is the name of the archive, which each repeat
    records. An empty archive gives an empty list.

    Raises:
        BadInput: the text is blank or longer than `LONGEST_TEXT`.
        StoreError: the archive cannot be read.
    """
    check_text(text)
    if store.published() is None:
        return []
    own = split_words(text)
    queries = split_queries(text)
    candidates = {
        paragraph.id: paragraph
        for paragraphs in _look_up(queries, store, except_document)
        for paragraph in paragraphs
        if paragraph.document_id != except_document
    }
    infos = {
        info.id: info for info in store.documents(sorted({item.document_id for item in candidates.values()}))
    }
    repeats = (_compare(text, own, paragraph, infos, archive) for paragraph in candidates.values())
    return sort_repeats([repeat for repeat in repeats if repeat is not None])


def _look_up(
    queries: Sequence[str], store: ParagraphStore, except_document: str | None
) -> list[list[Paragraph]]:
    """Return the paragraphs that share words with each query.

    If all paragraphs found are in `except_document`, for example a refrain, the query is repeated with a
    higher limit.
    """
    if not queries:
        return []
    results = store.find_wording(queries)
    limit = WORDINGS
    while limit < MOST_LOOKED_UP:
        limit *= 8
        again = [
            at
            for at, paragraphs in enumerate(results)
            if paragraphs and all(item.document_id == except_document for item in paragraphs)
        ]
        if not again:
            break
        more = store.find_wording([queries[at] for at in again], limit=limit)
        for at, paragraphs in zip(again, more, strict=True):
            results[at] = paragraphs
    return results


MOST_LOOKED_UP = 1_500


def split_queries(text: str) -> list[str]:
    """Split a text into the sentences that are looked up in the archive; each has at least `LEAST_WORDS`
    words.

    Sentences with fewer words are joined to the following ones. If the last ones have too few words together,
    they are joined to the ones before. A text with too few words gives an empty list. A sentence of more than
    `MOST_WORDS` words, as in captions without full stops, is cut into several queries.

    >>> split_queries("We came. We saw. We won a war. We left it in the morning. Then we slept.")
    ['We came. We saw. We won a war.', 'We left it in the morning. Then we slept.']
    """
    ranges: list[tuple[int, int]] = []
    words = LEAST_WORDS
    for start, end in split_sentences(text):
        if words >= LEAST_WORDS:
            ranges.append((start, end))
            words = 0
        else:
            ranges[-1] = (ranges[-1][0], end)
        words += len(split_words(text[start:end]))
    if words < LEAST_WORDS:
        _, last_end = ranges.pop()
        ranges[-1:] = [(start, last_end) for start, _ in ranges[-1:]]
    return [text[start:end] for whole in ranges for start, end in _cut_range(text, *whole)]


MOST_WORDS = 200
"""Most words of a query: a cluster looks up the first 500 words of one."""


def _cut_range(text: str, start_char: int, end_char: int) -> list[tuple[int, int]]:
    """Cut the range of a long query into ranges of about equal numbers of words, at most `MOST_WORDS`."""
    words = split_words(text[start_char:end_char])
    count = max(1, math.ceil(len(words) / MOST_WORDS))
    firsts = [words[len(words) * number // count].start_char for number in range(1, count)]
    bounds = [start_char, *(start_char + first for first in firsts), end_char]
    return list(pairwise(bounds))


def sort_repeats(repeats: list[Repeat]) -> list[Repeat]:
    """Sort repeats (places that share words with a text) by day, oldest first; repeats without a day come
    last.
    """
    return sorted(repeats, key=lambda item: (item.day is None, item.day or "", item.document, item.paragraph))


def cut_paragraph(text: str, place: int = 0) -> tuple[int, str]:
    """Cut a stored paragraph to `LONGEST_TEXT` characters; return the offset of the cut text, and the text.

    The cut text contains the character at the offset `place`, with text before it. A paragraph of at most
    `LONGEST_TEXT` characters is returned whole.

    >>> cut_paragraph("We go.")
    (0, 'We go.')
    >>> start, text = cut_paragraph("a" * 30_000, 15_000)
    >>> start, len(text)
    (5000, 20000)
    """
    start = max(0, min(place - LONGEST_LEAD, len(text) - LONGEST_TEXT))
    return start, text[start : start + LONGEST_TEXT]


def check_text(text: str) -> None:
    """Raise `BadInput` if a text is blank or has more than `LONGEST_TEXT` characters."""
    if not text.strip():
        raise BadInput("the text is empty", field="text")
    if len(text) > LONGEST_TEXT:
        raise BadInput(f"the text has more than {LONGEST_TEXT:,} characters", field="text")


def _compare(
    text: str,
    own: list[Word],
    paragraph: Paragraph,
    infos: Mapping[str, DocumentInfo],
    archive: str | None,
) -> Repeat | None:
    other = split_words(paragraph.text)
    runs = find_runs(own, other)
    if not runs:
        return None
    run = runs[0]
    start, end = other[run.other].start_char, other[run.other + run.length - 1].end_char
    info = infos.get(paragraph.document_id) or DocumentInfo(paragraph.document_id, paragraph.document_id)
    return Repeat(
        archive,
        info.id,
        paragraph.ordinal,
        start,
        end,
        own[run.own].start_char,
        own[run.own + run.length - 1].end_char,
        paragraph.text[start:end],
        info.title,
        info.find_holder(paragraph),
        info.spoken_on,
        info.source,
        info.url,
    )
