"""Read XML files; the outermost element decides which reader is used: Akoma Ntoso, TEI or publicwhip."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace

from indexer.formats import akoma_ntoso, parlamint, publicwhip, tei
from indexer.formats.source import LocatedDocument, Refused, Source
from indexer.formats.xml_elements import read_root
from rostrum_core.errors import TranscriptError

VOCABULARIES = (
    (akoma_ntoso.is_debate, akoma_ntoso.read),
    (publicwhip.is_publicwhip, publicwhip.read),
    (parlamint.is_parlamint, parlamint.read),
)
# Match an utterance, which distinguishes ParlaMint from other TEI; a prefix may precede the name.
UTTERANCE = re.compile(rb"<(?:[\w.-]+:)?u[\s>/]")


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read every speech of a file in Akoma Ntoso, TEI or publicwhip.

    Raises:
        TranscriptError: the file has another vocabulary, is not XML that can be parsed to its end, or is
            too large.
    """
    data = source.read_bytes()
    namespace, name = read_root(data, source.file)
    for is_one, read_it in VOCABULARIES:
        if is_one(namespace, name):
            if read_it is parlamint.read and name in parlamint.SITTINGS and _is_without_utterances(data):
                read_it = tei.read
            yield from read_it(replace(source, stream=io.BytesIO(data)), refused)
            return
    outermost = f"{name!r} of {namespace!r}" if namespace else f"{name!r} without a namespace"
    raise TranscriptError(source.file, f"no Akoma Ntoso, TEI or publicwhip: {outermost[:200]}")


def _is_without_utterances(data: bytes) -> bool:
    """Return whether the bytes of an XML file show that it has no utterance (an element `u`).

    The result is false for a file in UTF-16, because its bytes cannot show this.
    """
    return UTTERANCE.search(data) is None and b"\0" not in data
