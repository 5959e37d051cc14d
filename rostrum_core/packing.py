"""The forms in which stores keep texts, documents and arrays."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rostrum_core.holders import resolve_holders
from rostrum_core.ports import Entry
from rostrum_core.types import Document, DocumentInfo, Encoding, Mark, Tokens

COUNTED = ("paragraphs", "speakers")
"""Fields of `DocumentInfo` that its paragraphs give."""

INFO = [field.name for field in fields(DocumentInfo) if field.name not in COUNTED]


def pack(text: str) -> bytes:
    """UTF-8 bytes, lone surrogates included; they sort as the texts do.

    >>> unpack(pack("caf\u00e9"))
    'café'
    """
    return text.encode("utf-8", "surrogatepass")


def unpack(data: bytes) -> str:
    """The text that `pack` was given."""
    return data.decode("utf-8", "surrogatepass")


def escape_surrogates(text: str) -> str:
    r"""The text with lone surrogates written out, which no search engine takes.

    >>> escape_surrogates("caf\u00e9 \ud800") == "caf\u00e9 \\ud800"
    True
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def pack_document(document: Document) -> bytes:
    """All of a document as JSON."""
    return pack(json.dumps(asdict(document), ensure_ascii=False))


def unpack_document(data: bytes) -> Document:
    """The document that `pack_document` was given."""
    return make_document(json.loads(unpack(data)))


def make_document(found: Mapping[str, Any]) -> Document:
    """The document that `asdict` and JSON made this of."""
    breaks = found["breaks"]
    return Document(
        **{
            **found,
            "marks": tuple(Mark(**mark) for mark in found["marks"]),
            "breaks": None if breaks is None else tuple((start, end) for start, end in breaks),
        }
    )


def list_speakers(entry: Entry) -> tuple[str, ...]:
    """Return all who hold the floor in an entry's document, in the order of their first paragraphs."""
    return tuple(dict.fromkeys(holder for holder in holders_of(entry) if holder))


def holders_of(entry: Entry) -> list[str | None]:
    """Return who holds the floor in each paragraph; `None` where nobody knows.

    Tags that certainly mean the document's speaker are that name (`rostrum_core.holders`).
    """
    meant = resolve_holders(entry.document, entry.paragraphs)
    holders = (paragraph.holder(entry.document.speaker) for paragraph in entry.paragraphs)
    return [None if holder is None else meant.get(holder, holder) for holder in holders]


def pack_info(entry: Entry) -> bytes:
    """Return what `DocumentInfo` says of an entry's document, but for the number of paragraphs, as JSON."""
    known: dict[str, Any] = {name: getattr(entry.document, name) for name in INFO}
    return pack(json.dumps(known | {"speakers": list_speakers(entry)}, ensure_ascii=False))


def unpack_info(data: bytes, paragraphs: int) -> DocumentInfo:
    """Return what `pack_info` was given."""
    return make_info(json.loads(unpack(data)), paragraphs)


def make_info(known: Mapping[str, Any], paragraphs: int) -> DocumentInfo:
    """Return the info that JSON holds of a document."""
    return DocumentInfo(**{**known, "speakers": tuple(known["speakers"])}, paragraphs=paragraphs)


def pack_encoding(encoding: Encoding) -> tuple[bytes, bytes]:
    """Tokens as int32 (3, n) (ids, starts, ends) and the vector as float32 (width,), little-endian."""
    tokens = encoding.tokens
    return np.stack([tokens.ids, tokens.starts, tokens.ends]).astype("<i4").tobytes(), pack_vector(
        encoding.vector
    )


def unpack_tokens(data: bytes) -> Tokens:
    """The tokens that `pack_encoding` was given; the arrays cannot be written to."""
    ids, starts, ends = np.frombuffer(data, "<i4").reshape(3, -1)
    return Tokens(ids, starts, ends)


def unpack_encoding(tokens: bytes, vector: bytes) -> Encoding:
    """The encoding that `pack_encoding` was given; the arrays cannot be written to."""
    return Encoding(unpack_tokens(tokens), np.frombuffer(vector, "<f4"))


def pack_vector(vector: NDArray[Any]) -> bytes:
    """A vector as float32, little-endian."""
    return np.asarray(vector).astype("<f4").tobytes()
