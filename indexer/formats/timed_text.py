"""Read captions of YouTube (`.sbv`) and broadcasters (TTML: `.ttml`, `.dfxp`): one recording per file.

Source: https://www.w3.org/TR/ttml2/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lxml import etree

from indexer.captions.cues import Cue, CueLine
from indexer.characters import normalise_line
from indexer.formats.captions import read_cues
from indexer.formats.source import LocatedDocument, Refused, Source
from indexer.formats.turn_rows import parse_seconds
from indexer.formats.xml_elements import ID, LANGUAGE, get_line, get_local_name, iterate_elements, read_root
from rostrum_core.errors import TranscriptError

SBV_TIMING = re.compile(r"\s*(\d{1,3}:\d{2}:\d{2}\.\d{1,3}),(\d{1,3}:\d{2}:\d{2}\.\d{1,3})\s*")
# "01:02:03:04" has frames; "3s", "500ms", "2m" and "1h" are offsets.
FRAMES = re.compile(r"(\d{2,}:\d{2}:\d{2}):\d{2}(?:\.\d+)?")
OFFSET = re.compile(r"(\d+(?:\.\d+)?)(h|m|s|ms)")
UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}


def read_sbv(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the speech of an SBV file (captions of YouTube), or two speeches if it has two languages.

    Raises:
        TranscriptError: the file is not text, is too large, or has no cue.
    """
    yield from _read_in_order(source, list(_parse_sbv(source.read_text())), None)


def read_ttml(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the speech of a TTML file (captions of a broadcaster), or two speeches if it has two languages.

    The elements `agent` in the head of the file name the speakers.

    Raises:
        TranscriptError: the file is not TTML, is too large, or has no cue.
    """
    data = source.read_bytes()
    _, name = read_root(data, source.file)
    if name != "tt":
        raise TranscriptError(source.file, f"no TTML: its outermost element is {name!r}")
    names: dict[str, str] = {}
    cues: list[Cue] = []
    language = None
    for element in iterate_elements(data, source.file, {"agent", "p"}):
        if get_local_name(element) == "agent":
            names[element.get(ID, "")] = get_line(element) or ""
            continue
        around = [element, *element.iterancestors()]
        language = language or next(filter(None, (node.get(LANGUAGE) for node in around)), None)
        if (cue := _parse_ttml_cue(element, names)) is not None:
            cues.append(cue)
    yield from _read_in_order(source, cues, language)


def _read_in_order(source: Source, cues: Sequence[Cue], language: str | None) -> Iterator[LocatedDocument]:
    ordered = sorted(dict.fromkeys(cues), key=lambda cue: cue.start_s)
    return read_cues(source, ordered, language)


def _parse_sbv(text: str) -> Iterator[Cue]:
    timing, lines = None, list[CueLine]()
    for line in [*text.split("\n"), "0:00:00.000,0:00:00.000"]:
        if match := SBV_TIMING.fullmatch(line):
            if timing and lines:
                yield Cue(*timing, tuple(lines))
            start, end = parse_seconds(match[1]) or 0.0, parse_seconds(match[2]) or 0.0
            timing, lines = (start, end if end > start else None), []
        elif plain := normalise_line(line.replace("[br]", " ")):
            lines.append(CueLine(plain))


def _parse_ttml_cue(element: etree._Element, names: dict[str, str]) -> Cue | None:
    """Return the cue (a caption with a time) that an element `p` shows.

    Return `None` if the element has no words, or if neither the element nor an ancestor has a start time. A
    time counts from the start of the parent element. An element without a start time begins with the first
    element in it that has one.
    """
    around = [element, *element.iterancestors()]
    timed = next((inner for inner in element.iter() if inner.get("begin")), element)
    nested = [timed, *timed.iterancestors()]
    begins = [_parse_time(written) for node in nested if (written := node.get("begin"))]
    start = sum(begin or 0.0 for begin in begins) if begins and begins[0] is not None else None
    text = "".join(_collect_texts(element))
    agents = (node.get(name) for node in around for name in node.attrib if str(name).endswith("agent"))
    voice = next((names[agent.split()[0]] for agent in agents if agent and agent.split()[0] in names), None)
    lines = tuple(
        CueLine(plain, voice or None) for part in text.split("\n") if (plain := normalise_line(part))
    )
    if start is None or not lines:
        return None
    outer = start - (begins[0] or 0.0) if timed.get("begin") else start
    end = _parse_time(element.get("end"))
    if end is not None:
        end += outer
    elif (length := _parse_time(element.get("dur"))) is not None:
        end = start + length
    return Cue(start, end if end is not None and end > start else None, lines)


def _collect_texts(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for inner in element:
        if get_local_name(inner) == "br":
            yield "\n"
        elif get_local_name(inner) not in ("metadata", ""):
            yield from _collect_texts(inner)
        yield inner.tail or ""


def _parse_time(written: str | None) -> float | None:
    """Parse a TTML time, such as "00:00:07.5" or "7.5s", to seconds.

    Return `None` for ticks and frames alone ("10t", "10f"), whose length is not defined, and for any other
    text.
    """
    if not written:
        return None
    if offset := OFFSET.fullmatch(written):
        return float(offset[1]) * UNITS[offset[2]]
    frames = FRAMES.fullmatch(written)
    return parse_seconds(frames[1] if frames else written)
