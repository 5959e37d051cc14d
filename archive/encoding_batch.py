"""Group documents into batches, and encode the paragraphs of each batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rostrum_core.ports import Entry
from rostrum_core.types import Document, Encoding, Paragraph

BATCH_CHARACTERS = 200_000  # some 50,000 WordPieces: a few seconds of encoding are lost by a kill, not more
ENCODED_AT_ONCE = 512  # texts: sorted by length, batches of them are 10 % padding (128: 30 %, 4096: 2 %)

Encode = Callable[[Sequence[str]], Sequence[Encoding]]


@dataclass(frozen=True, eq=False, slots=True)
class Batch:
    """Hold a batch of documents with their content hashes, paragraphs and encodings.

    `documents` are pairs (document, content hash). `reusable` has the encodings that exist, and `missing` the
    paragraph texts that still need one; the keys of both are hashes of the texts. `encode` moves all texts
    from `missing` to `reusable`, and stores their hashes in `made`.
    """

    documents: Sequence[tuple[Document, str]]
    paragraphs: Sequence[tuple[Paragraph, ...]]
    reusable: Mapping[str, Encoding]
    missing: Mapping[str, str]
    made: frozenset[str] = frozenset()

    def encode(self, encode: Encode) -> Batch:
        """Encode all missing texts, and return a batch whose `reusable` also has their encodings."""
        encodings, waiting = dict(self.reusable), iter(self.missing)
        while batch := list(islice(waiting, ENCODED_AT_ONCE)):
            encodings.update(
                zip(batch, encode([self.missing[text_hash] for text_hash in batch]), strict=True)
            )
        return Batch(self.documents, self.paragraphs, encodings, {}, frozenset(self.missing))

    def build_entries(self) -> dict[str, Entry]:
        """Return the document, paragraphs and encodings to store (an `Entry`), by document id.

        Call `encode` before, so that every text has its encoding.
        """
        return {
            document.id: Entry(
                document,
                content_hash,
                several,
                tuple(self.reusable[paragraph.hash_text()] for paragraph in several),
            )
            for (document, content_hash), several in zip(self.documents, self.paragraphs, strict=True)
        }

    def count_encoded(self, entries: Iterable[Entry]) -> int:
        """Count the distinct paragraph texts in `entries` whose encoding was computed for this batch."""
        return len(self.made & {paragraph.hash_text() for entry in entries for paragraph in entry.paragraphs})


def gather_batches(documents: Iterable[tuple[Document, str]]) -> Iterator[list[tuple[Document, str]]]:
    """Group pairs (document, content hash) in order into batches.

    A batch ends as soon as its documents have `BATCH_CHARACTERS` characters.
    """
    batch: list[tuple[Document, str]] = []
    size_chars = 0
    for document, content_hash in documents:
        batch.append((document, content_hash))
        size_chars += len(document.text)
        if size_chars >= BATCH_CHARACTERS:
            yield batch
            batch, size_chars = [], 0
    if batch:
        yield batch
