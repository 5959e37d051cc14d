"""Convert documents and paragraphs to rows of the two indices of a generation, and rows back to objects.

A paragraph's `_id` consists of its document's `_id`, a batch name, and its ordinal. The document's row names
the valid batch, so that writing this one row replaces the whole document.
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
    list_holders,
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

INFO_ROW = ["document_id", *(name for name in INFO if name != "id"), "paragraphs", "speakers"]
"""Fields of a document's row from which its `DocumentInfo` is made."""

Row = dict[str, Any]


def hash_document_id(document_id: str) -> str:
    """Return the `_id` of a document's row: 32 characters for any document id."""
    return hash_text(document_id)


def extract_document_key(key: str) -> str:
    """Return the `_id` of the document's row from the `_id` of any row of the document.

    >>> extract_document_key(f"{hash_document_id('a')}-b7-0") == hash_document_id("a")
    True
    """
    return key[:32]


def list_paragraph_keys(document_id: str, batch: str, paragraphs: int) -> Iterator[str]:
    """Yield the `_id` of each paragraph of a document; `batch` names the batch in which it was written.

    >>> [key[32:] for key in list_paragraph_keys("a", "b7", 2)]
    ['-b7-0', '-b7-1']
    """
    return (f"{hash_document_id(document_id)}-{batch}-{ordinal}" for ordinal in range(paragraphs))


def build_paragraph_rows(entry: Entry, batch: str) -> Iterator[tuple[str, Row]]:
    """Yield (`_id`, row) for each paragraph of an entry (a document with paragraphs and encodings).

    The row repeats metadata of the document, so that a filter can use them.
    """
    about = _build_metadata(entry.document)
    keys = list_paragraph_keys(entry.document.id, batch, len(entry.paragraphs))
    rows = zip(keys, entry.paragraphs, entry.encodings, list_holders(entry), strict=True)
    for key, paragraph, encoding, holder in rows:
        yield (
            key,
            {
                **{name: getattr(paragraph, name) for name in PARAGRAPH},
                **about,
                "speaker_folded": _fold_names([holder]),
                "text_hash": paragraph.hash_text(),
                "packed": _pack_paragraph(paragraph, encoding),
                "embedding": encoding.vector.tolist(),
                "batch": batch,
            },
        )


def build_document_row(entry: Entry, batch: str, *, with_info: bool = True) -> tuple[str, Row]:
    """Return (`_id`, row) for the document of an entry (a document with paragraphs and encodings).

    If `with_info` is true, the row has a column `info` with all metadata in one string, which is fast to
    read.
    """
    row = {**asdict(entry.document), **_build_metadata(entry.document), "document_id": entry.document.id}
    del row["id"]
    row |= {"speakers": list_speakers(entry), "speaker_folded": _fold_names(list_speakers(entry))}
    row |= {"content_hash": entry.content_hash, "paragraphs": len(entry.paragraphs), "batch": batch}
    if with_info:
        row["info"] = _pack_info(row)
    return hash_document_id(entry.document.id), row


def parse_document(row: Mapping[str, Any]) -> Document:
    """Convert a row of the index of documents to a document."""
    return make_document({"id": row["document_id"], **{name: row[name] for name in DOCUMENT}})


def parse_info(row: Mapping[str, Any]) -> DocumentInfo:
    """Convert a row of the index of documents to the metadata of the document."""
    values = {name: row[name] for name in (*INFO, "speakers") if name != "id"}
    return make_info({"id": row["document_id"], **values}, row["paragraphs"])


def unpack_info(packed: str) -> DocumentInfo:
    """Convert the column `info` of a row to the metadata of the document."""
    return parse_info(json.loads(base64.urlsafe_b64decode(f"{packed}==")))


def unpack_paragraph(packed: str) -> tuple[Paragraph, Tokens]:
    """Convert the column `packed` of a row to (paragraph, tokens).

    The column is in base64, which OpenSearch returns without padding.
    """
    line, _, tokens = base64.urlsafe_b64decode(f"{packed}==").partition(b"\n")
    return Paragraph(**json.loads(line)), unpack_tokens(tokens)


def unpack_piece_ids(packed: str) -> NDArray[np.int32]:
    """Return the ids of a paragraph's WordPieces from `packed`, which holds a paragraph and its tokens.

    The paragraph's JSON is not parsed, which makes this fast.
    """
    _, _, tokens = base64.urlsafe_b64decode(f"{packed}==").partition(b"\n")
    return np.frombuffer(tokens, "<i4", len(tokens) // 12)


def parse_encoding(packed: str, vector: Sequence[float]) -> Encoding:
    """Build the encoding of a paragraph from its column `packed`, which contains the tokens, and `vector`."""
    _, tokens = unpack_paragraph(packed)
    return Encoding(tokens, np.array(vector, np.float32))


def list_texts(entry: Entry) -> Sequence[str | None]:
    """Return the texts of an entry (a document with paragraphs) that must be checked before it is stored.

    They are its metadata, its text, its marks (such as stage directions) and its speakers. Texts of
    paragraphs are not among them, because they are parts of the text of the document.
    """
    document_texts = [getattr(entry.document, name) for name in (*INFO, "text")]
    marks = [mark.text for mark in entry.document.marks]
    return [*document_texts, *marks, *(paragraph.speaker for paragraph in entry.paragraphs)]


def _build_metadata(document: Document) -> Row:
    spoken_on = document.spoken_on
    return {
        "document_id": document.id,
        "spoken_on": spoken_on,
        "spoken_first": None if spoken_on is None else get_first_day(spoken_on),
        "spoken_last": None if spoken_on is None else get_last_day(spoken_on),
        "collection": document.collection,
        "language": document.language,
    }


def _fold_names(names: Iterable[str | None]) -> list[str]:
    return [name.casefold() for name in names if name]


def _pack_info(row: Mapping[str, Any]) -> str:
    """Return the metadata in a document's row as one string: JSON in base64."""
    return base64.b64encode(json.dumps({name: row[name] for name in INFO_ROW}).encode()).decode()


def _pack_paragraph(paragraph: Paragraph, encoding: Encoding) -> str:
    """Return a paragraph and its tokens as one string: a line of JSON and the tokens, in base64."""
    line = json.dumps({name: getattr(paragraph, name) for name in PARAGRAPH}).encode()
    tokens, _ = pack_encoding(encoding)
    return base64.b64encode(line + b"\n" + tokens).decode()
