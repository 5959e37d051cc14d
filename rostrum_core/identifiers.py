"""What texts and paragraphs are told by: hashes of what they are."""

from __future__ import annotations

import hashlib


def hash_text(text: str) -> str:
    """Hex digest of a text: 32 characters of BLAKE2b over its UTF-8, lone surrogates included.

    >>> hash_text("") == hash_text(""), len(hash_text("speech"))
    (True, 32)
    """
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def make_paragraph_id(document_id: str, ordinal: int, text: str) -> str:
    """The id of a paragraph, from what it is: an index run that is repeated changes nothing."""
    return hash_text(f"{document_id}\x1f{ordinal}\x1f{text}")
