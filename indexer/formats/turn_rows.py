"""Convert the turns of one speech to paragraphs; each turn is a row with speaker, start, end and words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from indexer.blocks import Aside, Block, Piece, build_block
from indexer.metadata import is_nobody
from indexer.time_codes import format_time_code
from rostrum_core.types import NOBODY_KNOWN

CLOCK = re.compile(r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2}(?:[.,]\d+)?)")
SECONDS = re.compile(r"\d{1,6}(?:[.,]\d+)?\s*(s|ms)?")


class Turn(NamedTuple):
    """Hold one row: words of one speaker, and when they are spoken, in seconds into the recording.

    `speaker` is `None` if the row states none, and `NOBODY_KNOWN` if the speaker is unknown.
    """

    text: str
    speaker: str | None = None
    start_s: float | None = None
    end_s: float | None = None


def parse_seconds(written: str) -> float | None:
    """Parse a time in a recording to seconds; return `None` for any other text.

    >>> parse_seconds("0:01:02.5"), parse_seconds("62,5"), parse_seconds("500ms"), parse_seconds("soon")
    (62.5, 62.5, 0.5, None)
    """
    written = written.strip()
    if clock := CLOCK.fullmatch(written):
        hours, minutes, seconds = clock.groups()
        return int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds.replace(",", "."))
    if plain := SECONDS.fullmatch(written):
        value = float(written.rstrip("ms ").replace(",", "."))
        return value / 1000 if plain[1] == "ms" else value
    return None


def build_turn_blocks(turns: Sequence[Turn], speaker: str | None) -> Iterator[Block]:
    """Yield a block (a paragraph) for each turn, with a speaker tag where the speaker changes.

    The block also has the time of the turn. `speaker` is the document's speaker, who needs no tag at the
    start. A turn without a speaker continues the turn before it. A speaker such as "Unknown" gets a tag for
    an unknown speaker.
    """
    floor = _get_holder(speaker)
    for turn in turns:
        pieces: list[Piece] = []
        if turn.start_s is not None:
            pieces.append(Aside("time", format_time_code(turn.start_s, turn.end_s or turn.start_s)))
        holder = _get_holder(turn.speaker)
        if holder is not None and holder != floor:
            pieces.append(Aside("speaker", holder))
            floor = holder
        yield build_block([*pieces, turn.text])


def _get_holder(speaker: str | None) -> str | None:
    """Return the name of a turn's speaker; `None` if the turn has no speaker.

    For a value such as "Unknown", return `NOBODY_KNOWN`.
    """
    return NOBODY_KNOWN if speaker is not None and is_nobody(speaker) else speaker
