"""Build the indexes of a generation from its archive. The same content gives the same files."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from embedded.archive import Archive
from embedded.columns import Columns
from embedded.contents import COLUMNS, DOCUMENTS, PARAGRAPHS, VECTORS, WORDING
from embedded.dense import DenseIndex
from embedded.generations import sync
from embedded.lexical import LexicalIndex, Text
from embedded.wording import index_wording
from rostrum_core.types import DocumentInfo


def build_indexes(archive: Archive, folder: Path, flat_limit: int, base: Path | None = None) -> None:
    """Write all indexes of an archive into its generation's folder, replacing those that a killed run left.

    `base` is the folder of the generation from which this one was copied.
    """
    for name, texts in ((PARAGRAPHS, _read_paragraphs(archive)), (DOCUMENTS, _read_documents(archive))):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir()
        LexicalIndex.build(texts, folder / name)
    index_wording(archive).save(folder / WORDING)
    sync(folder / WORDING)
    _, count = archive.count()
    width = archive.read_width()
    if width is not None:
        earlier = None if base is None else base / VECTORS
        dense = DenseIndex.build(archive.read_vectors, count, width, flat_limit, earlier)
        dense.save(folder / VECTORS)
        sync(folder / VECTORS)
        Columns.build(archive, folder / COLUMNS, keep_vectors=dense.get_vectors() is None)
        for path in (*(folder / COLUMNS).iterdir(), folder / COLUMNS):
            sync(path)
    sync(folder)


def _read_paragraphs(archive: Archive) -> Iterator[Text]:
    number = 0
    for info, paragraphs in archive.read_paragraph_texts():
        for paragraph in paragraphs:
            holder = info.find_holder(paragraph)
            yield _build_text(number, paragraph.text, info, (holder,) if holder else ())
            number += 1


def _read_documents(archive: Archive) -> Iterator[Text]:
    for number, (info, text) in enumerate(archive.read_document_texts()):
        yield _build_text(number, "\n".join((info.title, info.speaker or "", text)), info, info.speakers)


def _build_text(number: int, text: str, info: DocumentInfo, speakers: tuple[str, ...]) -> Text:
    return Text(number, text, info.id, speakers, info.collection, info.language, info.spoken_on)
