"""Make the identifiers of texts and paragraphs: hashes of their content."""

from __future__ import annotations

import hashlib


def hash_text(text: str) -> str:
    """Return the hex digest of a text: 32 characters of BLAKE2b over its UTF-8.

    Lone surrogates (halves of a broken character) are encoded like other characters.

    >>> hash_text("") == hash_text(""), len(hash_text("speech"))
    (True, 32)
    """
    return hash_bytes(text.encode("utf-8", "surrogatepass"))


def hash_bytes(data: bytes) -> str:
    """Return the hex digest of bytes: 32 characters of BLAKE2b.

    >>> hash_bytes(b"speech") == hash_text("speech")
    True
    """
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def make_paragraph_id(document_id: str, ordinal: int, text: str) -> str:
    """Return the id of a paragraph: a hash of its document's id, its ordinal and its text.

    So a paragraph that has not changed keeps its id when it is indexed again.
    """
    return hash_text(f"{document_id}\x1f{ordinal}\x1f{text}")
