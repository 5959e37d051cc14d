"""The two seams of Rostrum: where paragraphs are kept, and where model code runs.

Everything else is the same code, embedded on a laptop or spread over servers. A method more needs a
decision record.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rostrum_core.candidates import Candidates
from rostrum_core.types import (
    Document,
    DocumentInfo,
    Encoding,
    Filter,
    Generation,
    Paragraph,
)

DEPTH = 1000
"""How many paragraphs each stage contributes. BM25 alone, 3,080 transcripts, dev, n = 150: recall@100 is 38.7
at 60 ms a query, and 35.3 at 17 ms with 200."""

WORDINGS = 24
"""How many paragraphs that share runs of words with a text are returned. Of quotes of dev, n = 1,055, the
right one is among them for 99.8 % of those printed exactly and 98.1 % of those edited, of 238,785
paragraphs."""


@dataclass(frozen=True, eq=False, slots=True)
class Query:
    """What the first stage looks for.

    `paragraph_text` is matched with paragraphs by BM25, `document_text` with whole documents (title and
    speaker included) by BM25, `vector` (float32 (width,), length 1) with paragraphs by inner product. An
    empty text or `None` skips its stage; a term counts as often as a text repeats it. `depth` is how many
    paragraphs each stage contributes, of all and of the best `documents`. With `every`, each paragraph that
    passes the filter is a candidate. Paragraphs that share most runs of words with `wording` are candidates,
    too, at most `WORDINGS`.
    """

    paragraph_text: str
    document_text: str
    vector: NDArray[np.float32] | None
    filter: Filter = Filter()
    depth: int = DEPTH
    documents: int = 30
    every: bool = False
    wording: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """One document as it is stored: its paragraphs, in order, with an encoding for each."""

    document: Document
    content_hash: str
    paragraphs: tuple[Paragraph, ...]
    encodings: tuple[Encoding, ...]


class ParagraphStore(Protocol):
    """An archive of paragraphs in generations; readers see the published one only.

    Every method may raise `StoreError`. Reading methods without a `generation` read the published one and
    raise `StoreError` where there is none.
    """

    def search(self, query: Query) -> Candidates:
        """Return the candidates, ordered by document id and ordinal, with the columns of the store's signals.

        Those are `lexical`, `document` and, unless it was skipped, `dense`. A score is missing only where its
        stage was skipped or the paragraph matched nothing of it.
        """

    def find_wording(
        self, texts: Sequence[str], *, limit: int = WORDINGS, filter: Filter = Filter()
    ) -> list[list[Paragraph]]:
        """Return, for each text, at most `limit` paragraphs that share runs of words with it, best first.

        The paragraphs before and after each of them follow, in no promised order. Words are compared as they
        are written, in any case: neither stop words nor endings are taken away.
        """

    def get(self, document_id: str) -> tuple[Document, tuple[Paragraph, ...]] | None:
        """A document and its paragraphs in order; `None` where it is not in the archive."""

    def documents(self, ids: Sequence[str] | None = None, *, after: str = "") -> Iterable[DocumentInfo]:
        """What is known of the documents, ordered by id; of those named only, where `ids` is given.

        With `after`, only those that follow this id, whether it is there or not; those before are not read.
        """

    def count(self) -> tuple[int, int]:
        """How many documents and how many paragraphs are published."""

    def document_frequency(self, words: Sequence[str]) -> list[int]:
        """In how many paragraphs each word occurs once analysed; a stop word counts as in none."""

    def begin(self, *, encoder: str, tokenizer: str, fresh: bool = False, resume: bool = True) -> Generation:
        """Opens a generation to write to: a copy of the published one, or an empty one if `fresh`.

        An unfinished one of an earlier, interrupted run is taken up again if its hashes are these and it
        began alike: fresh, or from what is published now. Any other is gone, as is each unless `resume`.
        Raises `ArchiveBusy` if another writer is at work, `StoreError` if other models encoded what is
        published and `fresh` is not asked for.
        """

    def content_hashes(self, generation: str) -> Mapping[str, str]:
        """Content hash by document id of all that the generation holds."""

    def encodings(self, generation: str, text_hashes: Sequence[str]) -> Mapping[str, Encoding]:
        """Encodings by text hash that may be reused, from the generation or the published one.

        None is given that another encoder or tokenizer made.
        """

    def add(self, generation: str, entries: Iterable[Entry]) -> None:
        """Adds documents, replacing those of the same id; where an entry is wrong in itself, none is kept.

        Raises `DocumentRefused` for one that the store cannot hold. Then, and if the store itself fails
        meanwhile, each document is there as it was or as it was to be.
        """

    def delete(self, generation: str, document_ids: Sequence[str]) -> None:
        """Removes documents; an unknown id is no error."""

    def published(self) -> Generation | None:
        """The generation that readers see; `None` before the first. No other is looked at for it."""

    def generations(self) -> list[Generation]:
        """All generations, oldest first."""

    def publish(self, generation: str) -> None:
        """Completes a generation and shows it to readers, at once and whole; releases the writer's lock.

        Raises `Overtaken` if what it began from is not published any more: another was, or was rolled back
        to.
        """

    def writer(self) -> ParagraphStore:
        """Another store over the same archive, by the same connections: one writer more."""

    def close(self) -> None:
        """Ends writing without publishing and releases the writer's lock; the store can be used again."""

    def rollback(self, generation: str | None = None) -> Generation:
        """Publishes again what is ready: the generation that is named, or that before the published one.

        That is the one it began from; for a fresh one, which began from none, the one before it by name.
        Waits for no writer. Raises `NoSuchGeneration` if there is none such, `NothingPublished` before the
        first.
        """

    def prune(self, keep: int) -> list[str]:
        """Removes all but the newest `keep` ready generations, never the published one; their names.

        With a `keep` of 2 and more, what the published one began from stays: a rollback goes to it.
        """


class Runner(Protocol):
    """Where model code runs."""

    def run(
        self, task: str, payloads: Sequence[Mapping[str, Any]], *, timeout_s: float
    ) -> list[Mapping[str, Any]]:
        """The answer to each payload, in order. All of them, or a `TaskError`."""
