"""XML: the outermost element tells which vocabulary it is, and that one's reader reads it."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace

from indexer.formats import akoma_ntoso, parlamint
from indexer.formats.source import Found, Refused, Source
from indexer.formats.xml_elements import root_of
from rostrum_core.errors import TranscriptError

VOCABULARIES = (
    (akoma_ntoso.is_debate, akoma_ntoso.read),
    (parlamint.is_parlamint, parlamint.read),
)


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """Every speech of a file in Akoma Ntoso or ParlaMint TEI.

    Raises:
        TranscriptError: the file is neither, no XML that can be read on, or too large.
    """
    data = source.bytes()
    namespace, name = root_of(data, source.file)
    for is_one, read_it in VOCABULARIES:
        if is_one(namespace, name):
            yield from read_it(replace(source, stream=io.BytesIO(data)), refused)
            return
    found = f"{name!r} of {namespace!r}" if namespace else f"{name!r} without a namespace"
    raise TranscriptError(source.file, f"neither Akoma Ntoso nor ParlaMint TEI: {found[:200]}")
