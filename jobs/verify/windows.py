"""Build windows: runs of consecutive paragraphs of one document in which to look for a quotation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from quotations.text.spoken import Spoken, SpokenWord
from rostrum_core.types import Paragraph

RAW_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Window:
    """Hold consecutive paragraphs of one document, with their words as one sequence, numbered from 0."""

    paragraphs: tuple[Paragraph, ...]
    spoken: Spoken

    @cached_property
    def raw_words(self) -> frozenset[str]:
        """Return the words of the paragraphs as written, in lower case."""
        return frozenset(word for text in self.spoken.texts for word in RAW_WORD.findall(text.casefold()))

    @property
    def document_id(self) -> str:
        """Return the id of the document that contains the paragraphs."""
        return self.paragraphs[0].document_id

    def get_paragraph(self, word: int) -> Paragraph:
        """Return the paragraph that contains word number `word`."""
        return self.paragraphs[self.spoken.words[word].text]

    def get_speaker(self, word: int) -> str | None:
        """Return the name in the speaker tag that applies to word number `word`, if there is one."""
        return self.get_paragraph(word).speaker

    def get_word(self, at: int) -> SpokenWord:
        """Return word number `at` of the window, counted from 0."""
        return self.spoken.words[at]


def make_window(paragraphs: Sequence[Paragraph]) -> Window:
    """Build a window from consecutive paragraphs."""
    return Window(tuple(paragraphs), Spoken(tuple(item.text for item in paragraphs)))


def make_windows(paragraphs: Sequence[Paragraph], most: int) -> list[Window]:
    """Build windows from paragraphs, which are sorted best first; return at most `most` windows, best first.

    Paragraphs that follow each other in a document share a window. A window is as good as its best paragraph.
    """
    rank = {(item.document_id, item.ordinal): place for place, item in reversed([*enumerate(paragraphs)])}
    runs: list[list[Paragraph]] = []
    for item in sorted(paragraphs, key=lambda paragraph: (paragraph.document_id, paragraph.ordinal)):
        last = runs[-1][-1] if runs else None
        if last and (last.document_id, last.ordinal + 1) == (item.document_id, item.ordinal):
            runs[-1].append(item)
        elif last and (last.document_id, last.ordinal) == (item.document_id, item.ordinal):
            continue
        else:
            runs.append([item])
    runs.sort(key=lambda run: min(rank[item.document_id, item.ordinal] for item in run))
    return [make_window(run) for run in runs[:most]]
