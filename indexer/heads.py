"""Read the head of a transcript: the lines above the speech that give its day and its title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from indexer.blocks import Block
from indexer.dates import FIGURES, WORDS, find_day
from indexer.rosters import is_list_below, is_roster
from indexer.stage_directions import Removal
from indexer.wrapping import WRAPPED

MOST_LINES, MOST_ABOVE, LONGEST_LINE = 12, 4, 200
PROSE_WORDS = 8
# Words before a day that name a sitting or a speech. A line about an embargo or an update names another
# day.
HELD = (
    r"(?:delivered|held|given|spoken|recorded|dated|issued|broadcast|aired|met|sat|assembled|convened"
    r"|resumed)"
)
OTHER_DAYS = re.compile(r"(?i)embargo|updat|post(?:ed|ing)|modifi|revis|retriev|access|copyright|©|\bborn\b")
SITTING_OF = r"(?:sitting|session|meeting|debates?|proceedings|hearing|hansard)\s+(?:of|for)"
BEFORE = re.compile(
    rf"(?i)(?:^|[|:;,/(\[•·–—-]|\b{HELD}\b.{{0,60}}?|\b{SITTING_OF}|\d\s?[ap]\.?m\.?\s+on)\s*(?:on\s+)?$"
)
AFTER = re.compile(r"\s*(?:$|[|:;,/)\]•·–—.-]|at\b|\d{1,2}[:.]\d\d|\()")
PROSE_END = re.compile(r"[.!?…][\"'”’)\]]*$")
SITTING = re.compile(rf"(?i)^\(?(?:the\s)?[\w\s.,’'-]{{0,80}}\b{HELD}\b")
SPOKEN = re.compile(r"\b(?:I|[Ww]e|us|[Oo]ur|[Mm]y|me|[Yy]our?)\b")  # words of a speaker, not of a head
RAGGED = 0.9  # lines of one text that were broken by hand differ by as much in length
SMALL_WORD = re.compile(r"\b(?!(?:at|on|am|pm|de|del)\b)[^\W\d_A-Z]{2,}\b")
TURN = re.compile(r"(?:Q\s|[\W_]*[^\W\d_][^:\n]{0,60}:[*_]*(?:\s|$))")
LIST_GOES_ON = re.compile(r"(?:[;,]|\band)\s*$")
BY = re.compile(r"(?i:by)\s+(?P<name>(?:[A-Z][\w.’'-]+\s?){2,6})$")


PAGE_MARK = re.compile(r"^(?:\[\[?Page [A-Z]{0,2}\d+\]?\]\s*)+")
LETTERS = re.compile(r"[^\W\d_][^\d_]{3,}")
RULE, WORD = re.compile(r"[_=*-]{3,}"), re.compile(r"[^\W\d_]{4}")
CHAMBERS = ("SENATE", "HOUSE", "HOUSE OF REPRESENTATIVES", "EXTENSIONS OF REMARKS")
INTRODUCED_BY = re.compile(r"By (?:M[rs]{1,2}\.|Senator|Representative) .{1,200}:")
BILL = re.compile(
    r"(?P<number>(?:S\.|H\.\s?R\.|[SH]\.\s?(?:J\.\s?|Con\.\s?)?Res\.)\s*\d{1,5})\."
    r" +A (?:bill|joint|concurrent|resolution)"
)
"""Match the first line of a bill in the Congressional Record: "S. 204. A bill for the relief of ..."."""

FENCES = ("---", "+++")  # front matter, which another module reads


class DocumentHead(NamedTuple):
    """Hold the metadata in the lines above a speech.

    `lines` are the ranges (block, start, end) of the lines that hold only metadata. An issue of a
    parliamentary record has several items. There, `title` is the title of the issue, and `heading` is the
    title of the item, such as "TRIBUTE TO JANE ROE".
    """

    spoken_on: str | None = None
    title: str | None = None
    speaker: str | None = None
    heading: str | None = None
    lines: tuple[tuple[int, int, int], ...] = ()


class _Line(NamedTuple):
    """Hold a line, its range in its block, and whether its sentence goes on in the next lines (`goes_on`)."""

    block: int
    start: int
    end: int
    text: str
    goes_on: bool


def read_head(blocks: Sequence[Block]) -> DocumentHead:
    r"""Read the head of a document, the lines above the speech: its day, its title and its speaker.

    `blocks` are the paragraphs of the document with all their text. A line is part of the head if it is short
    and neither a sentence nor a speaker's turn. Of the lines above the one with the day, the first is the
    title, and a line such as "by Jane Roe" names the speaker.

    >>> head = read_head([Block("Remarks at the Bridge\nSeaside, March 4, 2021"), Block("We came here.")])
    >>> head.spoken_on, head.title, len(head.lines)
    ('2021-03-04', 'Remarks at the Bridge', 2)
    >>> read_head([Block("On March 4, 2021, we opened the bridge that took nine years.")]).spoken_on
    """
    lines = list(_list_lines(blocks))
    head = _read_day(lines)
    rosters = tuple((line.block, line.start, line.end) for line in _find_rosters(lines))
    return head._replace(lines=tuple(dict.fromkeys([*head.lines, *rosters])))


def _read_day(lines: Sequence[_Line]) -> DocumentHead:
    """Read the metadata in the first lines of a document, down to the first line that gives a day.

    The result is empty if there is no such line before the speech begins.
    """
    above: list[_Line] = []
    for number, line in enumerate(lines):
        is_part = line.goes_on and not _is_about_sitting(line.text)
        if not is_part and (day := read_dateline(line.text)):
            return _build_head(day, [*above, line], lines[number + 1 :])
        if line.goes_on or _is_prose(line.text) or TURN.match(line.text) or line.text in FENCES:
            break
        above.append(line)
    return DocumentHead()


def _find_rosters(lines: Sequence[_Line]) -> Iterator[_Line]:
    """Yield the lines above the speech that list the participants.

    A list begins with a label, such as "PARTICIPANTS:"; a label that recurs is a speaker tag instead. The
    line of names after the label belongs to the list. Each further line belongs to it only if it contains a
    comma, or if the line before ends with a comma, a semicolon or "and". Any other name may be a speaker's.
    """
    labels = Counter(_read_label(line.text) for line in lines)
    label: _Line | None = None  # the line that names what the lines below it list
    last: str | None = None  # the last line of that list
    for line in lines:
        goes_on = last is None or LIST_GOES_ON.search(last) or "," in line.text
        if is_roster(line.text) and labels[_read_label(line.text)] == 1:
            yield line
        elif label and goes_on and is_list_below(label.text, line.text):
            yield from (label, line) if last is None else (line,)
            last = line.text
            continue
        elif _is_prose(line.text) or TURN.match(line.text.rstrip(":")):
            return
        label, last = line, None


def _read_label(line: str) -> str:
    return line.partition(":")[0].strip("*_ ").lower()


def read_dateline(line: str) -> str | None:
    """Return the day that a line above a speech gives; `None` if it gives none, or only mentions a day.

    >>> read_dateline("Seaside, 4 March 2021"), read_dateline("Bridge: 4 Mar 2021: House of Commons debates")
    ('2021-03-04', '2021-03-04')
    >>> read_dateline("Sitting of Thursday 8 July 2021")
    '2021-07-08'
    >>> read_dateline("Volume 170 (Tuesday, January 23, 2024)")
    '2024-01-23'
    >>> read_dateline("The attacks of September 11, 2001") is None
    True
    >>> read_dateline("We met on March 4, 2021, and we began the bridge.") is None
    True
    """
    if len(line) > LONGEST_LINE or OTHER_DAYS.search(line):
        return None
    if _is_prose(line) and not _is_about_sitting(line):
        return None
    for pattern in (FIGURES, *WORDS):
        for match in pattern.finditer(line):
            if BEFORE.search(line, 0, match.start()) and AFTER.match(line, match.end()):
                return find_day(match[0])
    return None


def _list_lines(blocks: Sequence[Block]) -> Iterator[_Line]:
    """Yield the first lines of a document, which may belong to its head; stop at a long line."""
    count = 0
    width = max((len(line) for block in blocks for line in block.text.split("\n")), default=0)
    for number, block in enumerate(blocks):
        texts = [line.strip() for line in block.text.split("\n") if line.strip()]
        matches = re.finditer(r"[^\n]*\S[^\n]*", block.text)
        for match, goes_on in zip(matches, _find_open_lines(texts, width), strict=True):
            count += 1
            if count > MOST_LINES or len(match[0]) > LONGEST_LINE:
                return
            yield _Line(number, match.start(), match.end(), match[0].strip(), goes_on)


def _find_open_lines(lines: Sequence[str], width: int) -> list[bool]:
    """Return, for each line of a paragraph, whether the page width broke it within prose.

    This is so if the lines that the page width broke, down to the first one that it did not break, end like a
    sentence. `width` is the length of the longest line of the document.
    """
    goes_on = [False] * len(lines)
    ends = [PROSE_END.search(line) is not None for line in lines]
    for at in reversed(range(len(lines) - 1)):
        if _is_broken(lines[at], lines[at + 1], width):
            goes_on[at] = ends[at] = ends[at + 1]
    return goes_on


def _is_broken(line: str, below: str, width: int) -> bool:
    """Return whether the page width broke a line: the first word of the line below continues it.

    That word is in lower case, or it would not have fitted on the line. A line of capitalised words may also
    be a whole line of a head, such as "Washington, D.C. | March 4, 2021"; then only the case counts. So it is
    if the line below is a dateline in words, such as "The House met on March 4, 2021."
    """
    if len(line) not in WRAPPED:
        return False
    fits = len(line) + 1 + len(below.split()[0]) <= RAGGED * width
    if below[0].islower():
        return True
    begins_anew = _is_about_sitting(below) and read_dateline(below) is not None
    return not fits and not begins_anew and len(SMALL_WORD.findall(line)) > 1


def _is_about_sitting(line: str) -> bool:
    """Return whether a line says when a sitting or a speech was held, in words that are not a speaker's."""
    return SITTING.match(line) is not None and SPOKEN.search(line) is None


def _is_prose(line: str) -> bool:
    return bool(PROSE_END.search(line)) and len(line.split()) >= PROSE_WORDS


def _build_head(day: str, lines: Sequence[_Line], below: Sequence[_Line]) -> DocumentHead:
    """Build the head of a document (day, title, speaker, heading) from its first lines.

    The last of `lines` is the line of the day. Above it, a line such as "by Jane Roe" names the speaker, and
    the first other line is the title. If too many lines are above it, or one of them ends like a sentence,
    title and speaker are missing. The heading is sought in `below`, the lines after the day.
    """
    above, heading = lines[:-1], _find_heading(below)
    if len(above) > MOST_ABOVE or any(PROSE_END.search(line.text) for line in above):
        return DocumentHead(day, heading=heading)
    names = [match["name"].strip() for line in above if (match := BY.fullmatch(line.text))]
    titles = [line.text for line in above if not BY.fullmatch(line.text)]
    ranges = tuple((line.block, line.start, line.end) for line in lines)
    return DocumentHead(day, titles[0] if titles else None, names[0] if names else None, heading, ranges)


def _find_heading(lines: Sequence[_Line]) -> str | None:
    """Return the heading of one item in an issue of a record, such as "TRIBUTE TO JANE ROE".

    The heading is sought in the lines below the day. It is in capitals, or it is in lower case and alone in
    its block (paragraph). If the item begins with the number of a bill ("S. 204. A bill ..."), its heading is
    the title under which the Congressional Record lists it: "Introductory Statement on S. 204". Return `None`
    if a sentence comes first.
    """
    sizes = Counter(line.block for line in lines)
    section: str | None = None  # a heading above a rule: the item's own stands below
    parts: list[_Line] = []
    for line in lines:
        text = PAGE_MARK.sub("", line.text)
        if not parts and (bill := BILL.match(text)):
            return f"Introductory Statement on {bill['number']}"
        if RULE.fullmatch(text):
            section, parts = _join(parts) or section, []
        elif _is_heading(text, is_alone=sizes[line.block] == 1) and _is_continuation(parts, line.block, text):
            parts.append(line._replace(text=text))
        elif parts or _is_prose(text) or (TURN.match(text) and not INTRODUCED_BY.fullmatch(text)):
            break
    return _join(parts) or section


def _is_heading(text: str, *, is_alone: bool) -> bool:
    is_word = is_alone and text not in CHAMBERS and bool(LETTERS.fullmatch(text))
    is_printed_so = (text.isupper() and (" " in text or is_word)) or (text.islower() and is_word)
    return is_printed_so and not PROSE_END.search(text)


def _is_continuation(parts: Sequence[_Line], block: int, text: str) -> bool:
    """Return whether a line may continue a heading.

    `parts` are the lines of the heading so far; if there are none, return true. `text` is the text of the
    line, and `block` the number of its block (paragraph). The line must be in the same block as the last
    part. It may also be in the next block if it contains a word. A heading does not mix lines in capitals
    with other lines.
    """
    if not parts:
        return True
    is_near = parts[-1].block == block or (parts[-1].block == block - 1 and bool(WORD.search(text)))
    return is_near and parts[-1].text.isupper() == text.isupper()


def _join(lines: Sequence[_Line]) -> str | None:
    return " ".join(line.text for line in lines) or None


def remove_head(blocks: Sequence[Block], head: DocumentHead) -> list[Block]:
    """Return the blocks (paragraphs) of a document, with the metadata lines of its head marked for removal.

    The head is the lines above the speech, such as its title and its day.
    """
    removals: list[list[Removal]] = [[] for _ in blocks]
    for block, start, end in head.lines:
        removals[block].append((start, end, "boilerplate"))
    return [block.add_removals(more) if more else block for block, more in zip(blocks, removals, strict=True)]


NO_HEAD = DocumentHead()
