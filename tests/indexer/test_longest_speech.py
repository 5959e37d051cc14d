"""Text unfolds in memory to many times its size: a speech has a bound, whatever its file is packed in."""

import io

import pytest

from indexer.formats import Source, build_document
from indexer.formats.source import LONGEST_SPEECH
from indexer.metadata import Metadata
from rostrum_core.errors import TranscriptError


def made(count):
    paragraphs = ["x" * (1 << 20)] * count
    return build_document(Source("a", io.BytesIO(), "a"), paragraphs, Metadata(), supplied=True, line=3)


@pytest.mark.slow
def test_a_speech_without_end_is_refused_by_its_line():
    assert LONGEST_SPEECH == 8 << 20
    with pytest.raises(TranscriptError, match="a, line 3: a speech of more than 8388608 characters"):
        made(9)
    assert len(made(8).document.text) == (8 << 20) + 7 * len("\n\n")
