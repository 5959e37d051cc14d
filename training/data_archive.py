"""Build an archive (the index in which drafts are searched) from the transcripts of a data set.

Unlike in the product, paragraphs are neither cleaned nor split.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from archive.refresh import Hashes, Observer, Preparation, refresh
from embedded.store import EmbeddedStore
from evaluation.pairs import read_transcripts
from reranker.models.loaded import Models
from rostrum_core.identifiers import make_paragraph_id
from rostrum_core.refresh_jobs import Report
from rostrum_core.types import Document, Paragraph

BETWEEN = "\n\n"


def build(
    transcripts_path: Path,
    archive: Path,
    models: Models,
    tell: Callable[[int], None] = lambda documents: None,
) -> Report:
    """Build or update the archive in the folder `archive` from a file of transcripts.

    Paragraphs that an interrupted run has already encoded are not encoded again. `tell` is called with the
    number of documents done.
    """
    hashes = Hashes(models.hashes["encoder"], models.hashes["tokenizer"])
    with EmbeddedStore(archive) as store:
        return refresh(
            read_documents(transcripts_path),
            store,
            Preparation(keep_supplied, models.encoder.encodings, hashes),
            observer=Observer(on_progress=lambda progress: tell(progress.documents)),
        )


def read_documents(path: Path) -> Iterator[Document]:
    """Yield each transcript of a file as a document: its paragraphs joined to one text, and their offsets."""
    for transcript in read_transcripts(path).values():
        breaks, at = [], 0
        for text in transcript.paragraphs:
            breaks.append((at, at + len(text)))
            at += len(text) + len(BETWEEN)
        yield Document(
            transcript.id,
            transcript.title,
            BETWEEN.join(transcript.paragraphs),
            speaker=transcript.speaker,
            spoken_on=transcript.spoken_on,
            breaks=tuple(breaks),
        )


def keep_supplied(document: Document) -> tuple[Paragraph, ...]:
    """Return the paragraphs of a document as they are in the file, neither cleaned nor split."""
    return tuple(
        Paragraph(
            make_paragraph_id(document.id, i, document.text[start:end]),
            document.id,
            i,
            document.text[start:end],
            start,
            end,
        )
        for i, (start, end) in enumerate(document.breaks or ())
    )
