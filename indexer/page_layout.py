"""Remove traces of page layout from text: page marks, headings, line numbers.

A page mark interrupts a sentence, and a line number precedes each line. Both are removed before the text is
split into paragraphs. The removed text and its place are kept as marks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from indexer.blocks import Aside, Block, Piece, build_block
from rostrum_core.types import MarkKind

PAGE = re.compile(
    r"[ \t]*(?:\[\[?Page [A-Z]{0,2}\d{1,6}\]?\]|<<Page \d{1,6}>>|(?P<time>\{time\}[ \t]+\d{3,4}))[ \t]*"
)
NUMBER = re.compile(r"[ \t]{0,8}(?P<number>\d{1,2})(?=[ \t]|$)[ \t]*")
# Require this many consecutive lines numbered from 1, and this share of all lines: a list is shorter.
FEWEST_NUMBERED, NUMBERED_SHARE, LAST_NUMBER = 10, 0.7, 40
CENTRED, LONGEST_HEADING = " " * 8, 4  # spaces before each line, lines
SENTENCE_END = re.compile(r"[.!?:…][\"'”’)\]]*$")
# Neither character occurs in text: Unicode reserves them for use within a program.
OPEN, CLOSE = "\ufdd0", "\ufdd1"
TOKEN = re.compile(f"{OPEN}(\\d+){CLOSE}")


def split_layout(body: str, paragraphs: Callable[[str], Sequence[str]]) -> list[Block]:
    r"""Split a text into paragraphs; list for each the page marks, line numbers and headings to remove.

    The text is split by the callback `paragraphs`. It receives `body` with a short placeholder in place of
    each page mark, line number and heading.

    >>> split_layout("  I introduce\n\n[[Page S2]]\n\na bill.", lambda text: [text.strip()])
    [Block(text='I introduce\n[[Page S2]]a bill.', removals=((12, 23, 'boilerplate'),))]
    """
    lines = body.replace(OPEN, "").replace(CLOSE, "").split("\n")
    asides: list[Aside] = []
    lines = list(_take_numbers(lines, asides))
    lines = list(_take_pages(lines, asides))
    lines = list(_take_headings(lines, asides))
    if not asides:
        return [Block(text) for text in paragraphs(body)]
    return [build_block(_restore(text, asides)) for text in paragraphs("\n".join(lines))]


def find_line_numbers(lines: Sequence[str]) -> list[int]:
    r"""Return the indices of the lines that begin with a line number; empty if the text has no line numbers.

    Line numbers start at 1 on each page. Every page except the last must have at least ten numbered lines;
    fewer numbers in a row are taken for a numbered list.

    >>> find_line_numbers([f"{n} word" for n in range(1, 13)] + ["12 words"])[:3]
    [0, 1, 2]
    >>> find_line_numbers(["1 word", "2 words"])
    []
    """
    runs: list[list[int]] = []
    expected, filled = 1, 0
    for at, line in enumerate(lines):
        match = NUMBER.match(line)
        filled += bool(line.strip())
        number = int(match["number"]) if match else 0
        if number == 1 and expected != 1:
            expected = 1
        if number != expected or number > LAST_NUMBER:
            continue
        if number == 1:
            runs.append([])
        runs[-1].append(at)
        expected += 1
    full = [run for run in runs if len(run) >= FEWEST_NUMBERED or (len(runs) > 1 and run is runs[-1])]
    places = [at for run in full for at in run]
    enough = any(len(run) >= FEWEST_NUMBERED for run in full) and len(places) >= NUMBERED_SHARE * filled
    return places if enough else []


def _take_numbers(lines: Sequence[str], asides: list[Aside]) -> Iterator[str]:
    """Yield the lines with a placeholder for each line number, and append the line numbers to `asides`.

    A placeholder holds an index into `asides`. A blank line directly after a numbered line is skipped.
    """
    places = set(find_line_numbers(lines))
    for at, line in enumerate(lines):
        if at in places and (match := NUMBER.match(line)):
            rest = line[match.end() :]
            indent = " " * (match.end() - match.end("number"))
            yield f"{indent}{_make_token(asides, 'boilerplate', match['number'])}{rest}"
        elif not places or line.strip() or at - 1 not in places:
            yield line


def _take_pages(lines: Sequence[str], asides: list[Aside]) -> Iterator[str]:
    """Yield the lines other than page marks, such as "[[Page S2]]", and append the page marks to `asides`.

    The line after a page mark begins with a placeholder, which holds an index into `asides`. Blank lines
    around a page mark are dropped if the sentence continues.
    """
    waiting = ""
    said: list[str] = []
    blank = 0
    for line in lines:
        if match := PAGE.fullmatch(line):
            waiting += _make_token(asides, "time" if match["time"] else "boilerplate", line.strip())
        elif not line.strip():
            blank += 1
        else:
            if not (waiting and said and _is_continued(said[-1], line)):
                yield from [""] * blank
            indent = line[: len(line) - len(line.lstrip())]
            said.append(line)
            yield f"{indent}{waiting}{line.lstrip()}"
            waiting, blank = "", 0
    if waiting:
        yield waiting


def _take_headings(lines: Sequence[str], asides: list[Aside]) -> Iterator[str]:
    """Yield the lines with a placeholder for each line of a heading, and append these lines to `asides`.

    A placeholder holds an index into `asides`. A heading is a group of at most four lines that are all
    centred and in capitals.
    """
    for is_text, run in groupby(lines, key=lambda line: bool(line.strip())):
        part = list(run)
        is_centred = all(line.startswith(CENTRED) and line.strip().isupper() for line in part)
        if is_text and is_centred and len(part) <= LONGEST_HEADING:
            yield "\n".join(_make_token(asides, "boilerplate", line.strip()) for line in part)
        else:
            yield from part


def _is_continued(before: str, line: str) -> bool:
    """Return whether the paragraph before a page mark continues in the line after the mark.

    It continues if the line `before` the mark does not end a sentence, or if the line after it is not
    indented.
    """
    if not SENTENCE_END.search(TOKEN.sub("", before).rstrip()):
        return True
    return not line[:1].isspace()


def _make_token(asides: list[Aside], kind: MarkKind, text: str) -> str:
    asides.append(Aside(kind, text))
    return f"{OPEN}{len(asides) - 1}{CLOSE}"


def _restore(text: str, asides: Sequence[Aside]) -> Iterator[Piece]:
    for at, part in enumerate(TOKEN.split(text)):
        yield asides[int(part)] if at % 2 else part
