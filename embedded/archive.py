"""Store documents, paragraphs and encodings of a generation (a version of the archive) in a SQLite file.

All indexes are built from this file. A paragraph's key is its document's key times 2^20 plus its ordinal, so
that a document's paragraphs are contiguous. Texts and ids are stored as bytes (see `rostrum_core.packing`),
so that even text that is not valid Unicode is read back unchanged.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rostrum_core.entry_validation import MOST_PARAGRAPHS
from rostrum_core.packing import unpack, unpack_document, unpack_encoding, unpack_info, unpack_tokens
from rostrum_core.types import Document, DocumentInfo, Encoding, Paragraph, Tokens

ORDINALS = MOST_PARAGRAPHS
"""Size of the key range for the paragraphs of one document."""

SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (
  key INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, content_hash TEXT NOT NULL, paragraphs INTEGER NOT NULL,
  info BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS bodies (document INTEGER PRIMARY KEY, body BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS paragraphs (
  key INTEGER PRIMARY KEY, id BLOB NOT NULL, text BLOB NOT NULL, start_char INTEGER NOT NULL,
  end_char INTEGER NOT NULL, speaker BLOB, start_s REAL, end_s REAL, text_hash TEXT NOT NULL,
  tokens BLOB NOT NULL, vector BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS paragraphs_by_text ON paragraphs (text_hash);
"""

TRACKING = """
CREATE TABLE IF NOT EXISTS written (document INTEGER PRIMARY KEY);
CREATE TRIGGER IF NOT EXISTS track_written AFTER INSERT ON documents
  BEGIN INSERT OR IGNORE INTO written VALUES (new.key); END;
DELETE FROM written;
"""
"""Record in the file which documents are written to it from now on, whoever writes them.

Rows of a document never change; a document that is replaced is deleted and inserted, perhaps with the same
key.
"""

PARAGRAPH = "key, id, text, start_char, end_char, speaker, start_s, end_s"

TOKEN_BYTES = 12
"""Bytes of a stored WordPiece: id, start and end."""

PAGE_BYTES = 8192
"""SQLite page size: a page has room for two or three paragraphs with vector and tokens, instead of one in the
default 4,096.
"""

MAPPED_BYTES = 1 << 40
"""Bytes that SQLite maps into memory, which halves the time to read a candidate's row.

SQLite maps at most 2 GB of a file and reads the rest.
"""


@contextmanager
def report_damage() -> Iterator[None]:
    """Raise `sqlite3.DatabaseError` instead of an error from parsing a text, document or array.

    Such an error means that the file is damaged, which SQLite itself does not detect.

    >>> with report_damage():
    ...     unpack_tokens(b"1234")
    Traceback (most recent call last):
    sqlite3.DatabaseError: it is damaged: cannot reshape array of size 1 into shape (3,newaxis)
    """
    try:
        yield
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise sqlite3.DatabaseError(f"it is damaged: {error}") from error


class Archive:
    """Read and write the SQLite file of one generation. Any number of threads may share an object.

    The last user calls `close`.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        self.guard = threading.RLock()

    @classmethod
    def writable(cls, path: Path) -> Archive:
        """Open or create the archive in `path` for writing; discard a killed writer's uncommitted rows."""
        connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        connection.execute(f"PRAGMA page_size = {PAGE_BYTES}")
        connection.execute("PRAGMA journal_mode = WAL")  # a reader that counts the documents blocks nobody
        connection.execute("PRAGMA synchronous = NORMAL")  # `settle` syncs everything once
        connection.executescript(SCHEMA)
        return cls(connection)

    @classmethod
    def immutable(cls, path: Path) -> Archive:
        """Open a published archive, which is never written to. It stays usable if the file is removed."""
        archive = cls._opened(path, "mode=ro&immutable=1")
        archive.fetch(f"PRAGMA mmap_size = {MAPPED_BYTES}")
        return archive

    @classmethod
    def shared(cls, path: Path) -> Archive:
        """Open an archive that another process may be writing to; reads see the last commit."""
        return cls._opened(path, "mode=rw")

    @classmethod
    def _opened(cls, path: Path, options: str) -> Archive:
        address = f"{path.resolve().as_uri()}?{options}"
        archive = cls(sqlite3.connect(address, uri=True, isolation_level=None, check_same_thread=False))
        archive.fetch("SELECT 1 FROM documents LIMIT 1")  # SQLite opens a file only at the first query
        return archive

    def settle(self) -> None:
        """Write all changes to the single file and flush it to the disk, so that the file can be copied.

        Raises:
            sqlite3.OperationalError: another process kept reading the file for five seconds.
        """
        [(busy, _, _)] = self.fetch("PRAGMA wal_checkpoint(TRUNCATE)")
        if busy:
            raise sqlite3.OperationalError("the archive is being read by another process")

    def track_writes(self) -> None:
        """Start to record which documents are written; `list_written` returns them."""
        with self.guard:
            self.connection.executescript(TRACKING)

    def list_written(self) -> set[int] | None:
        """Return the keys of all documents that were written since `track_writes`, even if deleted again.

        Return `None` if `track_writes` was never called.
        """
        if not self.fetch("SELECT 1 FROM sqlite_master WHERE name = 'written'"):
            return None
        return {key for (key,) in self.fetch("SELECT document FROM written")}

    def close(self) -> None:
        """Close the SQLite file."""
        with self.guard:
            self.connection.close()

    def __del__(self) -> None:
        self.connection.close()

    def count(self) -> tuple[int, int]:
        """Return the numbers of documents and paragraphs in the archive."""
        documents, paragraphs = self.fetch("SELECT count(*), coalesce(sum(paragraphs), 0) FROM documents")[0]
        return documents, paragraphs

    def find_damage(self) -> str | None:
        """Check every page of the file, and return a description of the first fault; `None` if
        there is none.
        """
        [(fault,)] = self.fetch("PRAGMA quick_check(1)")
        return None if fault == "ok" else str(fault)

    def read_width(self) -> int | None:
        """Return the width of the stored vectors; `None` while the archive has no paragraph."""
        sizes = self.fetch("SELECT length(vector) / 4 FROM paragraphs LIMIT 1")
        return sizes[0][0] if sizes else None

    @report_damage()
    def list_documents(self) -> list[tuple[int, str, int]]:
        """Return (key, id, number of paragraphs) for each document, ordered by id."""
        rows = self.fetch("SELECT key, id, paragraphs FROM documents ORDER BY id")
        return [(key, unpack(name), paragraphs) for key, name, paragraphs in rows]

    @report_damage()
    def content_hashes(self) -> dict[str, str]:
        """Return the content hash of each document, by document id."""
        return {unpack(name): digest for name, digest in self.fetch("SELECT id, content_hash FROM documents")}

    @report_damage()
    def encodings(self, text_hashes: Sequence[str]) -> dict[str, Encoding]:
        """Return the stored encodings (tokens and vector) of texts with these hashes, by text hash."""
        rows = self.fetch(
            "SELECT text_hash, tokens, vector FROM paragraphs"
            " WHERE text_hash IN (SELECT value FROM json_each(?)) GROUP BY text_hash",
            json.dumps(list(text_hashes)),
        )
        return {digest: unpack_encoding(tokens, vector) for digest, tokens, vector in rows}

    @report_damage()
    def read_infos(self, keys: Sequence[int]) -> dict[int, DocumentInfo]:
        """Return the metadata of the documents with these keys, as a mapping by key."""
        rows = self.fetch(
            "SELECT key, info, paragraphs FROM documents WHERE key IN (SELECT value FROM json_each(?))",
            json.dumps(list(keys)),
        )
        return {key: unpack_info(info, paragraphs) for key, info, paragraphs in rows}

    @report_damage()
    def read_document(self, key: int) -> tuple[Document, tuple[Paragraph, ...]]:
        """Return the document with this key and its paragraphs in order."""
        [(body,)] = self.fetch("SELECT body FROM bodies WHERE document = ?", key)
        document = unpack_document(body)
        rows = self.fetch(
            f"SELECT {PARAGRAPH} FROM paragraphs WHERE key BETWEEN ? AND ? ORDER BY key",  # noqa: S608
            *bound_paragraph_keys(key),
        )
        return document, tuple(_build_paragraph(document.id, *row) for row in rows)

    @report_damage()
    def read_paragraphs(
        self, keys: Sequence[int], document_ids: Sequence[str]
    ) -> list[tuple[Paragraph, Tokens]]:
        """Return (paragraph, tokens) for each of these paragraph keys, in the order of `keys`.

        `document_ids` has the id of each paragraph's document, in the same order.
        """
        rows = self.fetch(
            f"SELECT {PARAGRAPH}, tokens FROM paragraphs"  # noqa: S608
            " WHERE key IN (SELECT value FROM json_each(?))",
            json.dumps(list(keys)),
        )
        by_key = {row[0]: row for row in rows}
        named_rows = zip(document_ids, map(by_key.__getitem__, keys), strict=True)
        return [(_build_paragraph(name, *row[:-1]), unpack_tokens(row[-1])) for name, row in named_rows]

    @report_damage()
    def read_pieces(
        self, keys: Sequence[int], *, with_vectors: bool
    ) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.float32] | None]:
        """Return (ids, ends, vectors) for the paragraphs with these keys, in the order of `keys`.

        `ids` has the WordPiece ids of all these paragraphs; the ids of the i-th paragraph end before index
        `ends[i]`. `vectors` are float32 (n, width), or `None` if `with_vectors` is false. Finding the rows
        takes most of the time, so everything is read at once.
        """
        rows = self.fetch(
            "SELECT key, length(tokens), substr(tokens, 1, length(tokens) / 3),"  # noqa: S608
            f" {'vector' if with_vectors else 'NULL'} FROM paragraphs"
            " WHERE key IN (SELECT value FROM json_each(?))",
            json.dumps(list(keys)),
        )
        by_key = {row[0]: row for row in rows}
        _, sizes, ids, vectors = zip(*map(by_key.__getitem__, keys), strict=True) if keys else ((),) * 4
        joined = (
            np.frombuffer(b"".join(vectors), "<f4").reshape(len(keys), -1) if with_vectors and keys else None
        )
        return *_join_pieces(sizes, ids), joined

    def read_all_pieces(
        self, documents: Iterable[int]
    ) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int64]]]:
        """Yield (ids, ends) for each of these documents, given by key.

        `ids` has the WordPiece ids of all the document's paragraphs; the ids of the i-th paragraph end before
        index `ends[i]`.
        """
        for key in documents:
            rows = self.fetch(
                "SELECT length(tokens), substr(tokens, 1, length(tokens) / 3) FROM paragraphs"
                " WHERE key BETWEEN ? AND ? ORDER BY key",
                *bound_paragraph_keys(key),
            )
            with report_damage():
                read = _join_pieces([size for size, _ in rows], [ids for _, ids in rows])
            yield read

    def read_texts(self, documents: Iterable[int]) -> Iterator[list[str]]:
        """Yield for each of these documents, given by key, a list of the texts of its paragraphs."""
        for key in documents:
            rows = self.fetch(
                "SELECT text FROM paragraphs WHERE key BETWEEN ? AND ? ORDER BY key",
                *bound_paragraph_keys(key),
            )
            with report_damage():
                read = [unpack(text) for (text,) in rows]
            yield read

    def read_paragraph_texts(self) -> Iterator[tuple[DocumentInfo, list[Paragraph]]]:
        """Yield (metadata, paragraphs) for each document, in the order of `list_documents`."""
        for key, _, _ in self.list_documents():
            rows = self.fetch(
                f"SELECT {PARAGRAPH} FROM paragraphs WHERE key BETWEEN ? AND ? ORDER BY key",  # noqa: S608
                *bound_paragraph_keys(key),
            )
            with report_damage():
                info = self.read_infos([key])[key]
                read = info, [_build_paragraph(info.id, *row) for row in rows]
            yield read

    def read_document_texts(self) -> Iterator[tuple[DocumentInfo, str]]:
        """Yield (metadata, text) for each document, in the order of `list_documents`."""
        for key, _, _ in self.list_documents():
            [(body,)] = self.fetch("SELECT body FROM bodies WHERE document = ?", key)
            with report_damage():
                read = self.read_infos([key])[key], unpack_document(body).text
            yield read

    def read_vectors(self, documents: Iterable[int]) -> Iterator[NDArray[np.float32]]:
        """Yield for each of these documents, given by key, the vectors of its paragraphs, float32 (n, width).

        Documents without paragraphs are skipped.
        """
        for key in documents:
            rows = self.fetch(
                "SELECT vector FROM paragraphs WHERE key BETWEEN ? AND ? ORDER BY key",
                *bound_paragraph_keys(key),
            )
            if rows:
                with report_damage():
                    joined = np.frombuffer(b"".join(vector for (vector,) in rows), "<f4")
                    read = joined.reshape(len(rows), -1)
                yield read

    def fetch(self, statement: str, *parameters: Any) -> list[Any]:
        """Execute an SQL statement, and return all rows of its result."""
        with self.guard, report_damage():  # a message of SQLite may repeat the undecodable value
            return self.connection.execute(statement, parameters).fetchall()


def bound_paragraph_keys(document: int) -> tuple[int, int]:
    """Return the lowest and the highest key that a paragraph can have in the document with this key.

    >>> bound_paragraph_keys(2)
    (2097152, 3145727)
    """
    return document * ORDINALS, (document + 1) * ORDINALS - 1


def _join_pieces(
    sizes: Sequence[int], ids: Sequence[bytes | None]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return (ids, ends): the WordPiece ids of several rows in one array, and the end of each row in it.

    The argument `ids` has the ids of each row as bytes. `sizes` has the number of bytes of each row's tokens;
    a token (the id, start and end of a WordPiece) takes `TOKEN_BYTES`.
    """
    pieces, rest = np.divmod(np.array(sizes, np.int64), TOKEN_BYTES)
    if rest.any():
        raise ValueError("tokens are of no whole number")
    return np.frombuffer(b"".join(part or b"" for part in ids), "<i4"), np.cumsum(pieces)


def _build_paragraph(
    document_id: str,
    key: int,
    name: bytes,
    text: bytes,
    start_char: int,
    end_char: int,
    speaker: bytes | None,
    *times: float | None,
) -> Paragraph:
    where = (key % ORDINALS, unpack(text), start_char, end_char)
    return Paragraph(unpack(name), document_id, *where, None if speaker is None else unpack(speaker), *times)
