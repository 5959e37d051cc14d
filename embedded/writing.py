"""Add documents to an archive (the SQLite file of `Archive`) and delete documents from it; each call is
atomic.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from embedded.archive import Archive, bound_paragraph_keys
from rostrum_core.entry_validation import check
from rostrum_core.packing import pack, pack_document, pack_encoding, pack_info
from rostrum_core.ports import Entry
from rostrum_core.types import Encoding, Paragraph


def add(archive: Archive, entries: Iterable[Entry]) -> None:
    """Add documents to an archive, replacing documents that have the same id.

    Raises:
        DocumentRefused: the date of a document is invalid; none of the entries was added.
        StoreError: an entry is invalid; none of the entries was added.
    """
    with _run_transaction(archive):
        width = archive.read_width()
        for entry in entries:
            width = check(entry, width)
            _remove(archive, entry.document.id)
            _insert(archive, entry)


def delete(archive: Archive, document_ids: Sequence[str]) -> None:
    """Remove the documents with these ids from an archive; ignore ids of documents that the archive does not
    have.
    """
    with _run_transaction(archive):
        for document_id in document_ids:
            _remove(archive, document_id)


@contextmanager
def _run_transaction(archive: Archive) -> Iterator[None]:
    with archive.guard:
        archive.connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            archive.connection.execute("COMMIT")
        except BaseException:
            if archive.connection.in_transaction:  # SQLite ends it by itself if the disk is full
                archive.connection.execute("ROLLBACK")
            raise


def _remove(archive: Archive, document_id: str) -> None:
    for (key,) in archive.fetch("SELECT key FROM documents WHERE id = ?", pack(document_id)):
        archive.fetch("DELETE FROM paragraphs WHERE key BETWEEN ? AND ?", *bound_paragraph_keys(key))
        archive.fetch("DELETE FROM bodies WHERE document = ?", key)
        archive.fetch("DELETE FROM documents WHERE key = ?", key)


def _insert(archive: Archive, entry: Entry) -> None:
    document = entry.document
    row = (pack(document.id), entry.content_hash, len(entry.paragraphs), pack_info(entry))
    [(key,)] = archive.fetch(
        "INSERT INTO documents (id, content_hash, paragraphs, info) VALUES (?, ?, ?, ?) RETURNING key", *row
    )
    archive.fetch("INSERT INTO bodies VALUES (?, ?)", key, pack_document(document))
    first, _ = bound_paragraph_keys(key)
    pairs = zip(entry.paragraphs, entry.encodings, strict=True)
    archive.connection.executemany(
        "INSERT INTO paragraphs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(first + paragraph.ordinal, *_build_columns(paragraph, encoding)) for paragraph, encoding in pairs],
    )


def _build_columns(paragraph: Paragraph, encoding: Encoding) -> tuple[bytes | int | float | str | None, ...]:
    speaker = None if paragraph.speaker is None else pack(paragraph.speaker)
    said = (pack(paragraph.id), pack(paragraph.text), paragraph.start_char, paragraph.end_char, speaker)
    times = (paragraph.start_s, paragraph.end_s)
    return (*said, *times, paragraph.hash_text(), *pack_encoding(encoding))
