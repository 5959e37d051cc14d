"""SubRip captions (`.srt`): one recording a file."""

from __future__ import annotations

from collections.abc import Iterator

from indexer.captions.cues import subrip
from indexer.captions.paragraphs import blocks
from indexer.formats.source import Found, Refused, Source, document
from indexer.metadata import Metadata
from rostrum.core.errors import TranscriptError


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """The one speech of the file.

    Raises:
        TranscriptError: the file is no text, too large, or without a cue.
    """
    cues = subrip(source.text())
    if not cues:
        raise TranscriptError(source.file, "no captions: no cue with a time and a text")
    yield document(source, blocks(cues, source.sidecar.speaker), Metadata(), supplied=True)
