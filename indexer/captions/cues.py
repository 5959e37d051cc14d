"""Parse the cues (captions with a time) of SubRip and WebVTT files, without markup and positions."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from webvtt import Caption, WebVTT

from indexer.characters import normalise_line
from indexer.time_codes import ARROW, CLOCK, convert_clock, format_time_code, parse_time_code

# Accept the variants found in files: a comma or a point, one hyphen or three, no end, positions after it.
TIMING = re.compile(rf"\s*{CLOCK}\s*-{{1,3}}\s?>\s*(?:{CLOCK})?.*")
VOICE = re.compile(r"<v(?:\.[^\s<>]*)?[ \t]++([^<>]*+)>")
TAG = re.compile(
    r"</?(?:b|c|em|font|i|lang|rt|ruby|s|span|strong|u|v)(?:[.\s][^<>]*)?/?>|<[\d:.]+>|\{\\[^{}]*\}",
    re.IGNORECASE,
)
BREAK = re.compile(r"<br\s*/?>|\\N", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CueLine:
    """Hold one line of a cue (a caption); `voice` is its speaker, from a tag such as "<v Jane Roe>"."""

    text: str
    voice: str | None = None


@dataclass(frozen=True, slots=True)
class Cue:
    """Hold a caption, the lines shown from `start_s` to `end_s` in seconds; a missing end is `None`."""

    start_s: float
    end_s: float | None
    lines: tuple[CueLine, ...]


def parse_subrip(text: str) -> list[Cue]:
    r"""Parse the cues (captions with a time) of a SubRip file, sorted by time.

    >>> [cue] = parse_subrip("1\n0:01,5 --> 0:02,0\n<i>So.</i>")
    >>> cue.start_s, cue.end_s, cue.lines[0].text
    (1.5, 2.0, 'So.')
    """
    repaired = _repair_subrip(text.split("\n"))
    return _sort_cues(WebVTT.from_buffer(repaired, format="srt").captions) if repaired else []


def parse_webvtt(text: str) -> tuple[list[Cue], str | None]:
    r"""Parse the cues (captions with a time) of a WebVTT file, and the language that its head names.

    The cues are sorted by time.

    >>> cues, language = parse_webvtt("WEBVTT\nLanguage: en\n\n00:01.000 --> 00:02.000\n<v Jane Roe>So.")
    >>> cues[0].lines, language
    ((CueLine(text='So.', voice='Jane Roe'),), 'en')
    """
    repaired = [_repair_timing(line) or line for line in text.split("\n")]
    head = [] if repaired[0].startswith("WEBVTT") else ["WEBVTT", ""]
    parsed = WebVTT.from_buffer([*head, *repaired])
    pairs = (str(line).partition(":") for line in parsed.metadata)
    language = next((value.strip() for name, _, value in pairs if name == "Language"), None)
    return _sort_cues(parsed.captions), language or None


def _repair_subrip(lines: Iterable[str]) -> list[str]:
    """Return the lines of a SubRip file with a blank line and a number before each timing, as parsers expect.

    A timing is a line such as "0:01,5 --> 0:02,0". Lines before the first one are dropped.
    """
    kept: list[str] = []
    for line in lines:
        timing = _repair_timing(line)
        if timing is None:
            kept += [line] if kept else []
            continue
        _drop_number(kept)
        kept += ["", "1", timing]
    return [*kept[1:], ""] if kept else []


def _drop_number(kept: list[str]) -> None:
    """Remove the number of a cue (caption), and the blank lines after it, from the end of the list `kept`.

    `kept` has the lines before the timing of the cue. A number stays if it is the last line of the previous
    caption: a line of words is directly above it, and a blank line below it.
    """
    written = len(kept)
    while kept and not kept[-1].strip():
        kept.pop()
    if not kept or not kept[-1].strip().isdigit():
        return
    apart, alone = len(kept) < written, len(kept) == 1 or not kept[-2].strip()
    if alone or not apart:
        kept.pop()


def _repair_timing(line: str) -> str | None:
    """Return the timing on a line in the form of WebVTT; return `None` for a line without a timing.

    For example, "0:01,5 -> 0:02" becomes "0:00:01.500 --> 0:00:02.000". If the end is missing, the start is
    also the end.
    """
    match = TIMING.fullmatch(line)
    if not match:
        return None
    start_s = convert_clock(*match.groups()[:4])
    return format_time_code(start_s, convert_clock(*match.groups()[4:]) if match[6] else start_s)


def _sort_cues(captions: Iterable[Caption]) -> list[Cue]:
    """Convert captions of the library webvtt to cues, sorted by start; drop duplicates and empty ones."""
    cues = dict.fromkeys(filter(None, map(_convert_caption, captions)))
    return sorted(cues, key=lambda cue: cue.start_s)


def _convert_caption(caption: Caption) -> Cue | None:
    times = parse_time_code(f"{caption.start}{ARROW}{caption.end}")
    lines = tuple(_split_lines(caption.raw_text))
    if times is None or not lines:
        return None
    start_s, end_s = times
    return Cue(start_s, None if end_s == start_s else end_s, lines)


def _split_lines(raw: str) -> Iterator[CueLine]:
    voice: str | None = None
    for part in BREAK.sub("\n", raw).split("\n"):
        split = VOICE.split(part)
        for name, text in zip(["", *split[1::2]], split[::2], strict=True):
            voice = _strip_tags(name) or voice
            if plain := _strip_tags(text):
                yield CueLine(plain, voice)


def _strip_tags(text: str) -> str:
    return normalise_line(html.unescape(TAG.sub("", text)))
