"""Rows of the two indices: what is written of an entry, and what is read of them.

A paragraph's `_id` is its document's, the batch it was written in, and its ordinal. The document's row names
the batch that counts, so that one write replaces a document as a whole.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rostrum_core.dates import get_first_day, get_last_day
from rostrum_core.identifiers import hash_text
from rostrum_core.packing import (
    INFO,
    holders_of,
    list_speakers,
    make_document,
    make_info,
    pack_encoding,
    unpack_tokens,
)
from rostrum_core.ports import Entry
from rostrum_core.types import Document, DocumentInfo, Encoding, Paragraph, Tokens

DOCUMENT = [field.name for field in fields(Document) if field.name != "id"]
PARAGRAPH = [field.name for field in fields(Paragraph)]

Row = dict[str, Any]


def document_key(document_id: str) -> str:
    """The `_id` of a document's row, of 32 characters whatever the document is called."""
    return hash_text(document_id)


def document_of_key(key: str) -> str:
    """The `_id` of the document's row, of that of any row of the document.

    >>> document_of_key(f"{document_key('a')}-b7-0") == document_key("a")
    True
    """
    return key[:32]


def paragraph_keys(document_id: str, batch: str, paragraphs: int) -> Iterator[str]:
    """The `_id` of each paragraph of a document that was written in a batch.

    >>> [key[32:] for key in paragraph_keys("a", "b7", 2)]
    ['-b7-0', '-b7-1']
    """
    return (f"{document_key(document_id)}-{batch}-{ordinal}" for ordinal in range(paragraphs))


def paragraph_rows(entry: Entry, batch: str) -> Iterator[tuple[str, Row]]:
    """The row of each paragraph by its `_id`; filters find paragraphs by what is known of the document."""
    about = _about(entry.document)
    keys = paragraph_keys(entry.document.id, batch, len(entry.paragraphs))
    rows = zip(keys, entry.paragraphs, entry.encodings, holders_of(entry), strict=True)
    for key, paragraph, encoding, holder in rows:
        yield (
            key,
            {
                **{name: getattr(paragraph, name) for name in PARAGRAPH},
                **about,
                "speaker_folded": _folded([holder]),
                "text_hash": paragraph.text_hash(),
                "packed": _packed(paragraph, encoding),
                "embedding": encoding.vector.tolist(),
                "batch": batch,
            },
        )


def document_row(entry: Entry, batch: str) -> tuple[str, Row]:
    """The row of a document by its `_id`."""
    row = {**asdict(entry.document), **_about(entry.document), "document_id": entry.document.id}
    del row["id"]
    row |= {"speakers": list_speakers(entry), "speaker_folded": _folded(list_speakers(entry))}
    row |= {"content_hash": entry.content_hash, "paragraphs": len(entry.paragraphs), "batch": batch}
    return document_key(entry.document.id), row


def document(row: Mapping[str, Any]) -> Document:
    """The document of a row."""
    return make_document({"id": row["document_id"], **{name: row[name] for name in DOCUMENT}})


def info(row: Mapping[str, Any]) -> DocumentInfo:
    """What is known of the document of a row."""
    known = {name: row[name] for name in (*INFO, "speakers") if name != "id"}
    return make_info({"id": row["document_id"], **known}, row["paragraphs"])


def paragraph(packed: str) -> tuple[Paragraph, Tokens]:
    """The paragraph and its tokens, of the column `packed`; OpenSearch gives columns without padding."""
    line, _, tokens = base64.urlsafe_b64decode(f"{packed}==").partition(b"\n")
    return Paragraph(**json.loads(line)), unpack_tokens(tokens)


def unpack_piece_ids(packed: str) -> NDArray[np.int32]:
    """Return the WordPiece ids of a paragraph, of the column `packed`, without reading its text."""
    _, _, tokens = base64.urlsafe_b64decode(f"{packed}==").partition(b"\n")
    return np.frombuffer(tokens, "<i4", len(tokens) // 12)


def encoding(row: Mapping[str, Any]) -> Encoding:
    """The encoding of a paragraph's row."""
    _, tokens = paragraph(row["packed"])
    return Encoding(tokens, np.array(row["embedding"], np.float32))


def texts(entry: Entry) -> Sequence[str | None]:
    """Everything of an entry that is text and not made of it."""
    told = [getattr(entry.document, name) for name in (*INFO, "text")]
    marks = [mark.text for mark in entry.document.marks]
    return [*told, *marks, *(paragraph.speaker for paragraph in entry.paragraphs)]


def _about(document: Document) -> Row:
    spoken_on = document.spoken_on
    return {
        "document_id": document.id,
        "spoken_on": spoken_on,
        "spoken_first": None if spoken_on is None else get_first_day(spoken_on),
        "spoken_last": None if spoken_on is None else get_last_day(spoken_on),
        "collection": document.collection,
        "language": document.language,
    }


def _folded(names: Iterable[str | None]) -> list[str]:
    return [name.casefold() for name in names if name]


def _packed(paragraph: Paragraph, encoding: Encoding) -> str:
    """All of a paragraph as a line of JSON, and its tokens behind it: read at once, without its row."""
    line = json.dumps({name: getattr(paragraph, name) for name in PARAGRAPH}).encode()
    tokens, _ = pack_encoding(encoding)
    return base64.b64encode(line + b"\n" + tokens).decode()
