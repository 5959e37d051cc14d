"""Define the two ports (interfaces) of Rostrum: the store of paragraphs, and the runner of model code.

Each has an implementation for a laptop and another for a cluster. All other code is the same on both. Adding
a method to a port needs a decision record.
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
"""Number of paragraphs that each stage contributes.

BM25 alone, 3,080 transcripts, dev, n = 150: recall@100 is 38.7 at 60 ms a query with this depth, and 35.3 at
17 ms with 200.
"""

WORDINGS = 24
"""Maximum number of paragraphs returned that share runs of words with a text.

Quotes of dev, n = 1,055, of 238,785 paragraphs: the right one is among them for 99.8 % of the quotes printed
exactly and 98.1 % of those edited.
"""


@dataclass(frozen=True, eq=False, slots=True)
class Query:
    """Describe a search of the first stage, which finds candidates for the ranker.

    `paragraph_text` is matched with paragraphs by BM25, and `document_text` with whole documents (title and
    speaker included) by BM25. `vector` (float32 (width,), length 1) is matched with paragraphs by inner
    product. An empty text or `None` skips its stage. A repeated term counts each time.

    If `rarest` is set, only that number of words of `paragraph_text` are matched: those in the fewest
    paragraphs (`rostrum_core.rarest_words`). The text must then consist of distinct words separated by
    spaces. The store looks up the frequencies itself, which saves a separate request.

    Each stage contributes its `depth` best paragraphs of all documents. It also contributes its `depth` best
    paragraphs of the best documents, `documents` of them. At most `WORDINGS` paragraphs that share most runs
    of words with `wording` are added. If `every` is true, every paragraph that passes the filter is a
    candidate.
    """

    paragraph_text: str
    document_text: str
    vector: NDArray[np.float32] | None
    filter: Filter = Filter()
    depth: int = DEPTH
    documents: int = 30
    every: bool = False
    wording: str = ""
    rarest: int | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Entry:
    """Hold one document as a store keeps it: its paragraphs in order, and the encoding of each paragraph.

    An encoding is the tokens and the vector of a paragraph.
    """

    document: Document
    content_hash: str
    paragraphs: tuple[Paragraph, ...]
    encodings: tuple[Encoding, ...]


class ParagraphStore(Protocol):
    """Store an archive of paragraphs in generations, which are states of the archive.

    Readers see only the published generation. Every method may raise `StoreError`. Methods that read without
    a `generation` read the published one. They raise `StoreError` if no generation is published.
    """

    def search(self, query: Query) -> Candidates:
        """Return the candidates for a query, ordered by document id and ordinal, with their scores as
        columns.

        The columns are `lexical` (BM25 of the paragraph), `document` (BM25 of its document) and, unless the
        dense stage was skipped, `dense` (inner product of the vectors). A score is missing only if its stage
        was skipped or the paragraph has no match in it.
        """

    def find_wording(
        self, texts: Sequence[str], *, limit: int = WORDINGS, filter: Filter = Filter()
    ) -> list[list[Paragraph]]:
        """Find paragraphs that have the same wording as each text: return a list of paragraphs per text.

        A list begins with at most `limit` paragraphs that share runs of words with the text, best first.
        Then the paragraphs directly before and after each of them follow, in any order. Words are compared
        as written, except for case: neither stop words nor endings are removed.
        """

    def get(self, document_id: str) -> tuple[Document, tuple[Paragraph, ...]] | None:
        """Return a document and its paragraphs in order; `None` if the archive does not have it."""

    def documents(self, ids: Sequence[str] | None = None, *, after: str = "") -> Iterable[DocumentInfo]:
        """Return the metadata of all documents, or only of those in `ids`, ordered by id.

        With `after`, return only the documents that follow this id, whether the id exists or not. The
        documents before it are not read.
        """

    def count(self) -> tuple[int, int]:
        """Return the numbers of published documents and paragraphs."""

    def document_frequency(self, words: Sequence[str]) -> list[int]:
        """Return for each word the number of paragraphs that contain it; 0 for a stop word.

        Words are compared after the text analysis of the store.
        """

    def begin(self, *, encoder: str, tokenizer: str, fresh: bool = False, resume: bool = True) -> Generation:
        """Open a generation to write to: a copy of the published one, or an empty one if `fresh`.

        If there is an unfinished generation that was started in the same way, resume it. This means with the
        same `encoder` and `tokenizer` (hashes of the models), and from the same base: nothing if `fresh`, or
        else the currently published generation. Delete all other unfinished generations. If `resume` is
        false, resume none.

        Raises:
            ArchiveBusy: another writer holds the lock.
            StoreError: other models encoded the published generation, and `fresh` is false.
        """

    def content_hashes(self, generation: str) -> Mapping[str, str]:
        """Return the content hash of each document in a generation, by document id."""

    def encodings(self, generation: str, text_hashes: Sequence[str]) -> Mapping[str, Encoding]:
        """Return the stored encodings (tokens and vector) of texts, by text hash, so that they can be reused.

        They are read from the generation, and if it lacks a text, from the published generation. Encodings by
        another encoder or tokenizer are skipped.
        """

    def add(self, generation: str, entries: Iterable[Entry]) -> None:
        """Add documents to a generation, replacing documents with the same id.

        If an entry is invalid in itself, add none of the entries. After `DocumentRefused`, or if the store
        itself fails, each document is either unchanged or completely replaced.

        Raises:
            DocumentRefused: the store cannot hold one of the documents.
        """

    def delete(self, generation: str, document_ids: Sequence[str]) -> None:
        """Remove the documents with these ids from a generation; ignore unknown ids."""

    def published(self) -> Generation | None:
        """Return the generation that readers see, or `None` if none was published yet.

        Other generations are not read. A store that answers readers may return a cached state, which is
        seconds old. A store that has begun to write, and one from `writer`, may not.
        """

    def generations(self) -> list[Generation]:
        """Return all generations, oldest first."""

    def complete(self, generation: str) -> None:
        """Complete a generation without publishing it, so that only `view` can read it.

        The writer keeps its lock. If the generation is not published now, `rollback` can still publish it
        later.
        """

    def publish(self, generation: str) -> None:
        """Complete a generation, show it to readers atomically, and release the writer's lock.

        Raises:
            Overtaken: the generation from which this one was begun is no longer published, because another
                writer has published or rolled back.
        """

    def view(self, generation: str) -> ParagraphStore:
        """Return a read-only store that reads this ready generation instead of the published one.

        Raises:
            NoSuchGeneration: no ready generation has this name.
        """

    def writer(self) -> ParagraphStore:
        """Return a second store over the same archive and connections.

        The two stores count as different writers: while one of them writes, the other cannot begin. The
        returned store never reads a cached state of the archive, so that decisions to write can rest on what
        it reads.
        """

    def close(self) -> None:
        """Stop writing without publishing and release the writer's lock. The store can be used again."""

    def rollback(self, generation: str | None = None) -> Generation:
        """Publish a ready generation again: the named one, or the predecessor of the published one.

        The predecessor is the generation of which the published one began as a copy. If the published one
        began empty, the predecessor is the generation that it replaced. A rollback does not wait for writers.

        Raises:
            NoSuchGeneration: no ready generation has the name, or none precedes the published one.
            StoreError: the generation is damaged; the published one stays.
            NothingPublished: nothing is published yet.
        """

    def prune(self, keep: int) -> list[str]:
        """Remove old ready generations, and return their names.

        The newest `keep` ready generations stay, and so does the published one. With a `keep` of 2 or more,
        the one before the published generation stays too, so that a rollback can return to it.
        """


class Runner(Protocol):
    """Run model code, in this process or on workers."""

    def run(
        self, task: str, payloads: Sequence[Mapping[str, Any]], *, timeout_s: float
    ) -> list[Mapping[str, Any]]:
        """Run a task of the models on each payload, and return the responses in order.

        Raise `TaskError` unless all of them succeed.
        """
