"""Build the indexes of a generation (words, vectors, runs of words) from its SQLite file.

A generation is a version of the archive. The same content gives the same files.
"""

from __future__ import annotations

import json
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from embedded.analysis import VERSION
from embedded.archive import Archive
from embedded.columns import Columns
from embedded.contents import COLUMNS, DOCUMENTS, PARAGRAPHS, RULES, VECTORS, WORDING
from embedded.dense import DenseIndex
from embedded.generations import sync
from embedded.lexical import LexicalIndex, Text
from embedded.reuse import Base
from embedded.wording import RUNS_RULES, index_wording
from quotations.text import kept_words
from rostrum_core.types import DocumentInfo

VERSIONS = {
    "terms": VERSION,
    "words": kept_words.RULES,
    "runs": RUNS_RULES,
    "unicode": unicodedata.unidata_version,
}
"""Versions of all rules by which indexes are made from texts."""


def build_indexes(archive: Archive, folder: Path, flat_limit: int, base_folder: Path | None = None) -> None:
    """Write all indexes of an archive to `folder`, the folder of its generation.

    Indexes that a killed run left there are replaced. `base_folder` is the folder of the generation from
    which this one was copied. If it is set, the data of unchanged documents are copied from the indexes
    there.
    """
    base = None if base_folder is None else Base.open(archive, base_folder, VERSIONS)
    for name, texts in ((PARAGRAPHS, _read_paragraphs(archive)), (DOCUMENTS, _read_documents(archive))):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir()
        LexicalIndex.build(texts, folder / name)
    index_wording(archive, base).save(folder / WORDING)
    sync(folder / WORDING)
    _, count = archive.count()
    width = archive.read_width()
    if width is not None:
        dense = _index_vectors(archive, count, width, flat_limit, base)
        dense.save(folder / VECTORS)
        sync(folder / VECTORS)
        Columns.build(archive, folder / COLUMNS, keep_vectors=dense.get_vectors() is None, base=base)
        for path in (*(folder / COLUMNS).iterdir(), folder / COLUMNS):
            sync(path)
    (folder / RULES).write_text(json.dumps(VERSIONS), "utf-8")
    sync(folder / RULES)
    sync(folder)


def _index_vectors(
    archive: Archive, count: int, width: int, flat_limit: int, base: Base | None
) -> DenseIndex:
    """Return an index of all vectors of an archive.

    If `base`, the generation from which this one was copied, has an undamaged clustered index, the vectors of
    unchanged documents are copied from there.
    """
    earlier = None if base is None else base.find(VECTORS)
    if base is not None and earlier is not None and count > flat_limit:
        documents = base.rows.documents
        updated = DenseIndex.update(earlier, width, lambda: archive.read_vectors(documents), base.rows)
        if updated is not None:
            return updated
    keys = [key for key, _, _ in archive.list_documents()]
    return DenseIndex.build(lambda: archive.read_vectors(keys), count, width, flat_limit, earlier)


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
