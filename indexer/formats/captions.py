"""Read captions of a recording: SubRip (`.srt`) and WebVTT (`.vtt`), one recording per file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from indexer.captions import cues
from indexer.captions.languages import split_languages
from indexer.captions.paragraphs import build_blocks
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.metadata import Metadata
from rostrum_core.errors import TranscriptError


def read_subrip(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the speech of a SubRip file, or two speeches if it has two languages.

    Raises:
        TranscriptError: the file is not text, is too large, or has no cue.
    """
    yield from read_cues(source, cues.parse_subrip(source.read_text()), None)


def read_webvtt(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the speech of a WebVTT file, or two speeches if it has two languages.

    Raises:
        TranscriptError: the file is not text, is too large, or has no cue.
    """
    yield from read_cues(source, *cues.parse_webvtt(source.read_text()))


def read_cues(source: Source, shown: Sequence[cues.Cue], language: str | None) -> Iterator[LocatedDocument]:
    """Yield the speech of captions, or one speech for each language if every caption has two languages.

    With two languages, one is shown above the other. Then `language`, or the language that a metadata file
    names, is the upper one.

    Raises:
        TranscriptError: there is no cue.
    """
    if not shown:
        raise TranscriptError(source.file, "no captions: no cue with a time and a text")
    upper, *lower = split_languages(shown)
    numbered = f"{source.id}/1" if lower else None
    yield build_document(
        source,
        build_blocks(upper, source.sidecar.speaker),
        Metadata(language=language),
        id=numbered,
        supplied=True,
    )
    unnamed = replace(source, sidecar=replace(source.sidecar, language=None))
    for number, part in enumerate(lower, start=2):
        made = build_blocks(part, source.sidecar.speaker)
        yield build_document(unnamed, made, Metadata(), id=f"{source.id}/{number}", supplied=True)
