"""Takes speaker tags, stage directions and time codes out of a transcript and keeps them as marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from indexer.blocks import Block, apart
from indexer.speaker_tags import name_of
from indexer.speakers import Floor, judge
from indexer.stage_directions import Removal, directions, gaps, time_codes
from rostrum_core.types import Mark

BETWEEN_BLOCKS = "\n\n"
# After these no space is needed where a direction stood between them and the word before.
CLOSING = frozenset(".,;:!?)]}…”’\"'—–-")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Text without marks; `breaks` are the blocks that are left of those given, as ranges of `text`."""

    text: str
    marks: tuple[Mark, ...]
    breaks: tuple[tuple[int, int], ...]


def clean(blocks: Sequence[str | Block], speaker: str | None = None) -> Cleaned:
    r"""The blocks joined by blank lines, without their marks; of a block of marks alone, these stay.

    What a `Block` gives as removals becomes marks whatever its words are; the rest is recognised by them.
    `speaker` is whose speech it is, where known: a tag with that name is believed sooner. A mark's
    `start_char` is the place in the cleaned text that it stood before. No blocks give empty text.

    >>> cleaned = clean(["THE PRESIDENT: Thank you. (Applause.) Please.", "(Laughter.)", "Now."])
    >>> cleaned.text, [(mark.text, mark.start_char) for mark in cleaned.marks]
    ('Thank you. Please.\n\nNow.', [('THE PRESIDENT:', 0), ('(Applause.)', 11), ('(Laughter.)', 20)])
    """
    given = [block if isinstance(block, Block) else Block(block) for block in blocks]
    named = [name_of(name) for block in given for name in block.asides("speaker")]
    floor = judge((part for block in given for part in block.parts()), speaker, named)
    built = _Text()
    for block in given:
        built.add(*_cut(block.text, _removals(block, floor)))
    return built.cleaned()


@dataclass
class _Text:
    """Cleaned blocks as they come; marks of a vanished block wait for the next one."""

    parts: list[str] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    breaks: list[tuple[int, int]] = field(default_factory=list)
    length: int = 0

    def add(self, text: str, marks: list[Mark]) -> None:
        start = self.length + (len(BETWEEN_BLOCKS) if self.parts else 0)
        self.marks += [Mark(mark.kind, mark.text, start + mark.start_char) for mark in marks]
        if text:
            self.parts.append(text)
            self.breaks.append((start, start + len(text)))
            self.length = start + len(text)

    def cleaned(self) -> Cleaned:
        marks = (Mark(mark.kind, mark.text, min(mark.start_char, self.length)) for mark in self.marks)
        return Cleaned(BETWEEN_BLOCKS.join(self.parts), tuple(marks), tuple(self.breaks))


def _removals(given: Block, floor: Floor) -> list[Removal]:
    """What is to be taken out of a block, in order, none overlapping another."""
    block = given.masked()
    found = apart([*given.removals, *_tags(given, floor), *directions(block), *time_codes(block)])
    missing = list(gaps(block))
    if missing:
        everything = apart([*found, *missing])
        if not _left(block, everything).strip(" \t\n.,—–-…"):
            return everything
    return found


def _tags(given: Block, floor: Floor) -> Iterator[Removal]:
    """Yield the speaker tags of a block. A range is empty where somebody unknown takes the floor."""
    block = given.masked()
    for opening in given.openings():
        match = floor.tag_at(block, opening)
        if match is None:
            continue
        tag, is_believed = match
        if not is_believed:
            yield tag.start, tag.start, "speaker"
            continue
        yield tag.start, tag.name_end, "speaker"
        if tag.clock:
            yield *tag.clock, "time"


def _left(block: str, removals: list[Removal]) -> str:
    starts = [0, *(end for _, end, _ in removals)]
    ends = [*(start for start, _, _ in removals), len(block)]
    return "".join(block[start:end] for start, end in zip(starts, ends, strict=True))


def _cut(block: str, removals: list[Removal]) -> tuple[str, list[Mark]]:
    """The block without `removals` and the marks they become; the white space around one closes up."""
    kept: list[str] = []
    marks: list[Mark] = []
    length, position, waiting = 0, 0, list[Removal]()
    for removal in [*removals, None]:
        end = removal[0] if removal else len(block)
        piece = _joined(
            block[position:end],
            kept[-1][-1] if kept else "",
            first=not position or _within_word(block, waiting),
            last=not removal,
        )
        if piece:
            glue = len(piece) - len(piece.lstrip(" "))
            marks += _marks(block, waiting, length + glue)
            waiting = []
            kept.append(piece)
            length += len(piece)
        if removal:
            waiting.append(removal)
            position = removal[1]
    text = "".join(kept).rstrip()
    marks += _marks(block, waiting, len(text))
    return text, [Mark(mark.kind, mark.text, min(mark.start_char, len(text))) for mark in marks]


def _marks(block: str, removals: list[Removal], start_char: int) -> list[Mark]:
    """Return the marks of removals, all at one place.

    White space alone makes none. An empty range is a tag that is not believed: its mark has no text.
    """
    texts = ((kind, block[start:stop].strip(), start == stop) for start, stop, kind in removals)
    return [Mark(kind, text, start_char) for kind, text, is_empty in texts if text or is_empty]


def _within_word(block: str, removals: list[Removal]) -> bool:
    """Whether what was removed last is boilerplate close to words on both sides: a divided word's hyphen."""
    if not removals:
        return False
    start, stop, kind = removals[-1]
    around = block[start - 1 : start], block[stop : stop + 1]
    return kind == "boilerplate" and not any(char.isspace() or not char for char in around)


def _joined(piece: str, before: str, *, first: bool, last: bool) -> str:
    """A piece between two removals as it is kept after the character `before`: one space or none ahead."""
    kept = piece if last else piece.rstrip(" \t")
    if first:
        return kept
    bare = kept.lstrip(" \t")
    if before in ("", "\n"):
        return bare.lstrip()
    if not bare or bare[0] == "\n" or (bare == kept and bare[0] in CLOSING):
        return bare
    return " " + bare
