"""What texts and paragraphs are told by: hashes of what they are."""

from __future__ import annotations

import hashlib


def text_hash(text: str) -> str:
    """Hex digest of a text: 32 characters of BLAKE2b over its UTF-8, lone surrogates included.

    >>> text_hash("") == text_hash(""), len(text_hash("speech"))
    (True, 32)
    """
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def paragraph_id(document_id: str, ordinal: int, text: str) -> str:
    """The id of a paragraph, from what it is: an index run that is repeated changes nothing."""
    return text_hash(f"{document_id}\x1f{ordinal}\x1f{text}")
