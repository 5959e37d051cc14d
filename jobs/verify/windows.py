"""Build windows: runs of consecutive paragraphs of one document in which a quotation may stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from quotations.spoken import Spoken, SpokenWord
from rostrum_core.types import Paragraph

RAW_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Window:
    """Consecutive paragraphs of a document, and their words as one row."""

    paragraphs: tuple[Paragraph, ...]
    spoken: Spoken

    @cached_property
    def raw_words(self) -> frozenset[str]:
        """Its words as they are written, in lower case."""
        return frozenset(word for text in self.spoken.texts for word in RAW_WORD.findall(text.casefold()))

    @property
    def document_id(self) -> str:
        """The id of the document."""
        return self.paragraphs[0].document_id

    def get_paragraph(self, word: int) -> Paragraph:
        """Return the paragraph in which word `word` stands."""
        return self.paragraphs[self.spoken.words[word].text]

    def get_speaker(self, word: int) -> str | None:
        """Return who holds the floor at word `word`, if a speaker tag says so."""
        return self.get_paragraph(word).speaker

    def get_word(self, at: int) -> SpokenWord:
        """Return word `at`."""
        return self.spoken.words[at]


def make_window(paragraphs: Sequence[Paragraph]) -> Window:
    """Return the window of consecutive paragraphs."""
    return Window(tuple(paragraphs), Spoken(tuple(item.text for item in paragraphs)))


def make_windows(paragraphs: Sequence[Paragraph], most: int) -> list[Window]:
    """Return at most `most` windows of consecutive paragraphs, in the order of their best paragraph.

    `paragraphs` are ordered from the best on.
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
