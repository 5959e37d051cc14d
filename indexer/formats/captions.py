"""Read captions of a recording: SubRip (`.srt`) and WebVTT (`.vtt`), one recording per file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from indexer.captions import cues
from indexer.captions.paragraphs import blocks
from indexer.formats.source import Found, Refused, Source, document
from indexer.metadata import Metadata
from rostrum_core.errors import TranscriptError


def subrip(source: Source, refused: Refused) -> Iterator[Found]:
    """Read the one speech of a SubRip file.

    Raises:
        TranscriptError: the file is not text, is too large, or has no cue.
    """
    yield _speech(source, cues.subrip(source.text()), None)


def webvtt(source: Source, refused: Refused) -> Iterator[Found]:
    """Read the one speech of a WebVTT file.

    Raises:
        TranscriptError: the file is not text, is too large, or has no cue.
    """
    yield _speech(source, *cues.webvtt(source.text()))


def _speech(source: Source, shown: Sequence[cues.Cue], language: str | None) -> Found:
    if not shown:
        raise TranscriptError(source.file, "no captions: no cue with a time and a text")
    said = Metadata(language=language)
    return document(source, blocks(shown, source.sidecar.speaker), said, supplied=True)
