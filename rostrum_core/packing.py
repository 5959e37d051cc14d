"""Serialize texts, documents and arrays for storage."""

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
"""Fields of `DocumentInfo` that are derived from the document's paragraphs."""

INT32 = np.dtype("<i4")
"""Made once: numpy parses the name of a type at each call."""

INFO = [field.name for field in fields(DocumentInfo) if field.name not in COUNTED]


def pack(text: str) -> bytes:
    """Return the UTF-8 bytes of a text, which may contain lone surrogates (halves of a broken character).

    The bytes of several texts sort in the same order as the texts.

    >>> unpack(pack("café"))
    'café'
    """
    return text.encode("utf-8", "surrogatepass")


def unpack(data: bytes) -> str:
    """Return the text that was passed to `pack`."""
    return data.decode("utf-8", "surrogatepass")


def escape_surrogates(text: str) -> str:
    r"""Return a text with lone surrogates escaped, because search engines reject them.

    >>> escape_surrogates("caf\u00e9 \ud800") == "caf\u00e9 \\ud800"
    True
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def pack_document(document: Document) -> bytes:
    """Return a document, with its text, metadata and marks, as JSON."""
    return pack(json.dumps(asdict(document), ensure_ascii=False))


def unpack_document(data: bytes) -> Document:
    """Return the document that was passed to `pack_document`."""
    return make_document(json.loads(unpack(data)))


def make_document(values: Mapping[str, Any]) -> Document:
    """Build a `Document` from a mapping of its fields, such as a parsed JSON object."""
    breaks = values["breaks"]
    return Document(
        **{
            **values,
            "marks": tuple(Mark(**mark) for mark in values["marks"]),
            "breaks": None if breaks is None else tuple((start, end) for start, end in breaks),
        }
    )


def list_speakers(entry: Entry) -> tuple[str, ...]:
    """Return the names of all speakers in a document, in the order of their first paragraphs."""
    return tuple(dict.fromkeys(holder for holder in list_holders(entry) if holder))


def list_holders(entry: Entry) -> list[str | None]:
    """Return the name of the speaker of each paragraph of a document; `None` if the speaker is unknown.

    A speaker tag, such as "THE PRESIDENT", is replaced by the name of the document's speaker if the tag
    certainly means this speaker (`rostrum_core.holders`).
    """
    meant = resolve_holders(entry.document, entry.paragraphs)
    holders = (paragraph.find_holder(entry.document.speaker) for paragraph in entry.paragraphs)
    return [None if holder is None else meant.get(holder, holder) for holder in holders]


def pack_info(entry: Entry) -> bytes:
    """Return the metadata of an entry's document as JSON: `DocumentInfo` without the number of paragraphs."""
    values: dict[str, Any] = {name: getattr(entry.document, name) for name in INFO}
    return pack(json.dumps(values | {"speakers": list_speakers(entry)}, ensure_ascii=False))


def unpack_info(data: bytes, paragraphs: int) -> DocumentInfo:
    """Return the `DocumentInfo` of a document from the bytes of `pack_info` and its number of paragraphs."""
    return make_info(json.loads(unpack(data)), paragraphs)


def make_info(values: Mapping[str, Any], paragraphs: int) -> DocumentInfo:
    """Build a `DocumentInfo` from its number of paragraphs and a parsed JSON object with its other fields."""
    return DocumentInfo(**{**values, "speakers": tuple(values["speakers"])}, paragraphs=paragraphs)


def pack_encoding(encoding: Encoding) -> tuple[bytes, bytes]:
    """Return the bytes of a paragraph's tokens and the bytes of its vector, little-endian.

    The tokens are int32 (3, n): ids, starts and ends. The vector is float32 (width,).
    """
    tokens = encoding.tokens
    return np.stack([tokens.ids, tokens.starts, tokens.ends]).astype("<i4").tobytes(), pack_vector(
        encoding.vector
    )


def unpack_tokens(data: bytes) -> Tokens:
    """Return the tokens that were passed to `pack_encoding`, as read-only arrays."""
    ids, starts, ends = np.frombuffer(data, INT32).reshape(3, -1)
    return Tokens(ids, starts, ends)


def unpack_encoding(tokens: bytes, vector: bytes) -> Encoding:
    """Return the encoding that was passed to `pack_encoding`, as read-only arrays."""
    return Encoding(unpack_tokens(tokens), np.frombuffer(vector, "<f4"))


def pack_vector(vector: NDArray[Any]) -> bytes:
    """Return a vector as float32 bytes, little-endian."""
    return np.asarray(vector).astype("<f4").tobytes()
