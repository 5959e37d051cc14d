"""Group documents into batches, and encode the paragraphs of a batch."""

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
    """Hold documents with their content hashes and paragraphs.

    Encodings are keyed by text hash: `reusable` has the existing ones, `missing` the texts that still need
    one. `made` has the hashes of texts that were encoded for this batch.
    """

    documents: Sequence[tuple[Document, str]]
    paragraphs: Sequence[tuple[Paragraph, ...]]
    reusable: Mapping[str, Encoding]
    missing: Mapping[str, str]
    made: frozenset[str] = frozenset()

    def encode(self, encode: Encode) -> Batch:
        """Encode every missing text, and return a batch without missing texts."""
        encodings, waiting = dict(self.reusable), iter(self.missing)
        while batch := list(islice(waiting, ENCODED_AT_ONCE)):
            encodings.update(
                zip(batch, encode([self.missing[text_hash] for text_hash in batch]), strict=True)
            )
        return Batch(self.documents, self.paragraphs, encodings, {}, frozenset(self.missing))

    def build_entries(self) -> dict[str, Entry]:
        """Build the entries for the store, by document id. No encoding may be missing."""
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
        """Count the texts in `entries` that were encoded for this batch."""
        return len(self.made & {paragraph.hash_text() for entry in entries for paragraph in entry.paragraphs})


def gather_batches(documents: Iterable[tuple[Document, str]]) -> Iterator[list[tuple[Document, str]]]:
    """Group documents in order into batches that end as soon as they have `BATCH_CHARACTERS`."""
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
