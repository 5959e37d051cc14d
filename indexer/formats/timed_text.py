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
# "01:02:03:04" has frames; "3s", "500ms", "2m" and "1h" are offsets, as are "3f" (frames) and "3t" (ticks).
FRAMES = re.compile(r"(\d{2,}:\d{2}:\d{2}):\d{2}(?:\.\d+)?")
OFFSET = re.compile(r"(\d+(?:\.\d+)?)(h|m|s|ms|t|f)")
UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
RATE = re.compile(r"(\d{1,12})(?:[ :](\d{1,12}))?")
FRAMES_PER_S, TICKS_PER_S = 30.0, 1.0  # unless the file declares a rate


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
    units: dict[str, float] | None = None
    language = None
    for element in iterate_elements(data, source.file, {"agent", "p"}):
        if get_local_name(element) == "agent":
            names[element.get(ID, "")] = get_line(element) or ""
            continue
        around = [element, *element.iterancestors()]
        language = language or next(filter(None, (node.get(LANGUAGE) for node in around)), None)
        units = units or _read_units(around[-1])
        if (cue := _parse_ttml_cue(element, names, units)) is not None:
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


def _read_units(root: etree._Element) -> dict[str, float]:
    """Return the units of time of a TTML file in seconds, with the ticks and frames that `root` declares.

    A tick without a rate is a frame if the file declares frames, and a second otherwise.
    """
    declared = {str(name).rpartition("}")[2]: _parse_rate(value) for name, value in root.items()}
    frames, ticks = declared.get("frameRate"), declared.get("tickRate")
    factor = declared.get("frameRateMultiplier") or 1.0
    frame_s = 1 / ((frames or FRAMES_PER_S) * factor)
    tick_s = 1 / ticks if ticks else frame_s if frames else 1 / TICKS_PER_S
    return {**UNITS, "f": frame_s, "t": tick_s}


def _parse_rate(written: str) -> float | None:
    """Parse a rate, such as "25" or the fraction "1000 1001" (also "1000:1001"); `None` for anything else."""
    if not (match := RATE.fullmatch(written.strip())) or not float(match[2] or 1):
        return None
    return float(match[1]) / float(match[2] or 1) or None


def _parse_ttml_cue(element: etree._Element, names: dict[str, str], units: dict[str, float]) -> Cue | None:
    """Return the cue (a caption with a time) that an element `p` shows.

    Return `None` if the element has no words, or if neither the element nor an ancestor has a start time. A
    time counts from the start of the parent element. An element without a start time begins with the first
    element in it that has one.
    """
    around = [element, *element.iterancestors()]
    timed = next((inner for inner in element.iter() if inner.get("begin")), element)
    nested = [timed, *timed.iterancestors()]
    begins = [_parse_time(written, units) for node in nested if (written := node.get("begin"))]
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
    end = _parse_time(element.get("end"), units)
    if end is not None:
        end += outer
    elif (length := _parse_time(element.get("dur"), units)) is not None:
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


def _parse_time(written: str | None, units: dict[str, float]) -> float | None:
    """Parse a TTML time, such as "00:00:07.5", "7.5s" or "75t", to seconds; `None` for any other text.

    `units` are the lengths of the units in seconds.
    """
    if not written:
        return None
    if offset := OFFSET.fullmatch(written):
        return float(offset[1]) * units[offset[2]]
    frames = FRAMES.fullmatch(written)
    return parse_seconds(frames[1] if frames else written)
