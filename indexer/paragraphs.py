"""Split a document into paragraphs.

The paragraphs of the file are kept, if the document has them. Otherwise the text is split at blank lines and
at speaker turns. Overlong paragraphs are cut.
"""

from __future__ import annotations

import math
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator

from indexer.speaker_tags import extract_name
from indexer.time_codes import Recording, build_recording
from quotations.text.sentences import split_sentences
from rostrum_core.identifiers import make_paragraph_id
from rostrum_core.types import NOBODY_KNOWN, Document, Paragraph

Range = tuple[int, int]
CountTokens = Callable[[str], int]

# WordPieces of a paragraph that the ranker reads; the rest of its 512 belong to the draft.
LONGEST_PARAGRAPH = 200

# Version of the rules that split text into paragraphs. Increment it when they change, so that a refresh
# splits existing documents again.
SPLITTER = "5"


def split(
    document: Document, *, count_tokens: CountTokens, limit: int = LONGEST_PARAGRAPH
) -> tuple[Paragraph, ...]:
    """Split a document into paragraphs, in order; empty text gives an empty tuple.

    `count_tokens` returns the number of WordPieces of a text. A paragraph with more than `limit` of them is
    cut between sentences into pieces of about equal length. A sentence that is itself too long is cut between
    words. A word that is too long is cut at any character.
    """
    text = document.text
    turns = [(mark.start_char, extract_name(mark.text)) for mark in document.marks if mark.kind == "speaker"]
    starts = [start for start, _ in turns]
    ranges = (
        piece for whole in _split_blocks(document, starts) for piece in _fit(text, whole, count_tokens, limit)
    )
    recorded = build_recording(document.marks)
    return tuple(
        _build_paragraph(
            document, ordinal, start, end, _find_speaker(document, turns, starts, start, end), recorded
        )
        for ordinal, (start, end) in enumerate(ranges)
    )


def _find_speaker(
    document: Document, turns: list[tuple[int, str]], starts: list[int], start: int, end: int
) -> str | None:
    """Return the `Paragraph.speaker` of the text from `start` to `end`: the name in its speaker tag.

    `turns` are the speaker tags of the document as (offset, name), and `starts` their offsets. `None` means
    that the text is by the document's own speaker, if it has one: no tag applies. If the tag names nobody, or
    several speakers share the text, return `NOBODY_KNOWN`; without a speaker of the document, `None` says so.
    """
    first = bisect_right(starts, start)
    names = {turns[first - 1][1] if first else None}
    names.update(name for _, name in turns[first : bisect_left(starts, end)])
    if names == {None}:
        return None
    named = names.pop() if len(names) == 1 else ""
    return named or (NOBODY_KNOWN if document.speaker else None)


def _build_paragraph(
    document: Document, ordinal: int, start: int, end: int, speaker: str | None, recorded: Recording
) -> Paragraph:
    text = document.text[start:end]
    name = make_paragraph_id(document.id, ordinal, text)
    return Paragraph(name, document.id, ordinal, text, start, end, speaker, *recorded.find_times(start, end))


def _split_blocks(document: Document, turns: list[int]) -> Iterator[Range]:
    """Yield the range of each paragraph that is not empty, without surrounding white space.

    These are the paragraphs of the file, `document.breaks`. Without them, the text is split at blank lines
    and at `turns`, the offsets of speaker tags. Overlong paragraphs are cut later.
    """
    if document.breaks is not None:
        ranges = list(document.breaks)
    else:
        blank = [match.span() for match in re.finditer(r"\n[ \t]*(?:\n[ \t]*)+", document.text)]
        cuts = sorted([*blank, *((start, start) for start in turns)])
        ends = [*(start for start, _ in cuts), len(document.text)]
        ranges = list(zip([0, *(end for _, end in cuts)], ends, strict=True))
    for start, end in ranges:
        trimmed = _trim(document.text, start, end)
        if trimmed[0] < trimmed[1]:
            yield trimmed


def _fit(text: str, whole: Range, count_tokens: CountTokens, limit: int) -> list[Range]:
    total = count_tokens(text[whole[0] : whole[1]])
    if total <= limit:
        return [whole]
    pieces: list[tuple[Range, int]] = []
    for start, end in split_sentences(text[whole[0] : whole[1]]):
        sentence = (whole[0] + start, whole[0] + end)
        pieces += _cut(text, sentence, count_tokens, limit)
    return _pack(pieces, total, limit)


def _pack(pieces: list[tuple[Range, int]], total: int, limit: int) -> list[Range]:
    """Join adjacent pieces of a paragraph to ranges of at most `limit` tokens and about equal size.

    Each piece has its range and its number of tokens; `total` is the number of all tokens.
    """
    share = total / math.ceil(total / limit)
    packed: list[tuple[Range, int]] = []
    for (start, end), tokens in pieces:
        if packed and packed[-1][1] + tokens <= limit and packed[-1][1] + tokens / 2 <= share:
            (first, _), before = packed[-1]
            packed[-1] = ((first, end), before + tokens)
        else:
            packed.append(((start, end), tokens))
    return [piece for piece, _ in packed]


def _cut(text: str, piece: Range, count_tokens: CountTokens, limit: int) -> list[tuple[Range, int]]:
    """Halve a piece of text at white space until each part has at most `limit` tokens.

    Return the parts as pairs (range, number of tokens).
    """
    fitting: list[tuple[Range, int]] = []
    waiting = [piece]
    while waiting:
        start, end = _trim(text, *waiting.pop())
        tokens = count_tokens(text[start:end])
        middle = _find_middle(text, start, end)
        if tokens <= limit or middle is None:
            fitting.append(((start, end), tokens))
        else:
            waiting += [(middle, end), (start, middle)]
    return fitting


def _find_middle(text: str, start: int, end: int) -> int | None:
    """Return the offset at which to halve the text from `start` to `end`: the white space nearest its middle.

    A single word is cut at its middle. Return `None` if the text cannot be cut.
    """
    centre = (start + end) // 2
    before = max(text.rfind(space, start, centre) for space in " \n\t")
    after = min((at for space in " \n\t" if (at := text.find(space, centre, end)) >= 0), default=end)
    near = after if before < 0 or after - centre < centre - before else before
    if start < near < end:
        return near
    while centre < end and unicodedata.combining(text[centre]):
        centre += 1
    return centre if start < centre < end else None


def _trim(text: str, start: int, end: int) -> Range:
    piece = text[start:end]
    stripped = piece.strip()
    first = start + piece.find(stripped)
    return first, first + len(stripped)
