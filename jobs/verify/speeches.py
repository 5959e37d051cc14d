"""Look up the speeches and speakers of an archive, and locate words in the speeches."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

from jobs.attribution import get_info
from jobs.verify.places import make_place
from jobs.verify.speakers import Roster, RosterCache
from jobs.verify.windows import Window
from rostrum_core.ports import ParagraphStore
from rostrum_core.quote_checks import QuotePlace
from rostrum_core.types import Document, Paragraph

CACHED_DOCUMENTS: Final = 64


class Speeches:
    """Read speeches and speakers of one archive; both are cached."""

    def __init__(self, store: ParagraphStore, rosters: RosterCache) -> None:
        self._store, self._rosters = store, rosters
        self._documents: OrderedDict[str, tuple[Document, tuple[Paragraph, ...]] | None] = OrderedDict()
        self._roster: Roster | None = None
        self._surnames: frozenset[str] | None = None

    @property
    def roster(self) -> Roster:
        """Return the speakers of the archive with the days of their speeches; they are read only once."""
        if self._roster is None:
            self._roster = self._rosters.read(self._store)
        return self._roster

    def get(self, document_id: str) -> tuple[Document, tuple[Paragraph, ...]] | None:
        """Return a document and its paragraphs; `None` if the archive does not have it."""
        if document_id not in self._documents:
            self._documents[document_id] = self._store.get(document_id)
            if len(self._documents) > CACHED_DOCUMENTS:
                self._documents.popitem(last=False)
        self._documents.move_to_end(document_id)
        return self._documents[document_id]

    def find_holder(self, paragraph: Paragraph) -> str | None:
        """Return the name of the speaker of a paragraph; `None` if unknown."""
        return get_info(self.roster.infos, paragraph.document_id).find_holder(paragraph)

    def make_place(self, window: Window, first: int, last: int) -> QuotePlace:
        """Return the place of words `first` to `last` of a window (consecutive paragraphs): document,
        paragraphs, character range and speaker.
        """
        info = get_info(self.roster.infos, window.document_id)
        if self._surnames is None:
            self._surnames = self.roster.list_surnames()
        return make_place(window, first, last, info, self._surnames)
