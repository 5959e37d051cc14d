"""Validate an `Entry`, a document with its paragraphs and vectors, before a store writes it."""

from __future__ import annotations

import numpy as np

from rostrum_core.dates import get_first_day
from rostrum_core.errors import BadInput, DocumentRefused, StoreError
from rostrum_core.ports import Entry
from rostrum_core.types import Encoding

MOST_PARAGRAPHS = 1 << 20
"""The most paragraphs that a document may have."""


def check(entry: Entry, width: int | None) -> int | None:
    """Validate an entry, and return the width of the archive's vectors: their number of components.

    `width` is the width before the entry is added; `None` if the archive has no vectors yet.

    Raises:
        DocumentRefused: the date of the document is invalid.
        StoreError: the parts of the entry do not fit together, or do not fit the archive.
    """
    name = entry.document.id
    if len(entry.paragraphs) != len(entry.encodings):
        raise StoreError(f"{name!r}: {len(entry.paragraphs)} paragraphs, {len(entry.encodings)} encodings")
    if len(entry.paragraphs) > MOST_PARAGRAPHS:
        raise StoreError(f"{name!r}: {len(entry.paragraphs)} paragraphs are more than {MOST_PARAGRAPHS}")
    if [(p.document_id, p.ordinal) for p in entry.paragraphs] != [
        (name, n) for n in range(len(entry.paragraphs))
    ]:
        raise StoreError(f"{name!r}: the paragraphs are not its own, in order from 0")
    if entry.document.spoken_on is not None:
        try:
            get_first_day(entry.document.spoken_on)
        except BadInput as error:
            raise DocumentRefused(name, str(error)) from error
    for encoding in entry.encodings:
        width = _check_encoding(name, encoding, width)
    return width


def _check_encoding(name: str, encoding: Encoding, width: int | None) -> int:
    vector, tokens = encoding.vector, encoding.tokens
    if vector.ndim != 1 or vector.dtype != np.float32 or not np.isfinite(vector).all():
        raise StoreError(f"{name!r}: a vector is not float32 (width,) of finite numbers")
    if width is not None and len(vector) != width:
        raise StoreError(f"{name!r}: a vector of width {len(vector)}, where the archive has {width}")
    if not len(tokens.ids) == len(tokens.starts) == len(tokens.ends):
        raise StoreError(f"{name!r}: tokens of different lengths")
    return len(vector)
