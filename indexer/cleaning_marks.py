"""Remove speaker tags, stage directions and time codes from a transcript.

Each is kept as a mark, which holds the removed text and its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from indexer.blocks import Block, drop_overlaps
from indexer.speaker_tags import extract_name
from indexer.speakers import Floor, judge
from indexer.stage_directions import Removal, find_directions, find_gaps, find_time_codes
from rostrum_core.types import Mark

BETWEEN_BLOCKS = "\n\n"
# Add no space after these characters if a direction separated them from the word before.
CLOSING = frozenset(".,;:!?)]}…”’\"'—–-")


@dataclass(frozen=True, slots=True)
class CleanedText:
    """Hold the cleaned text of a transcript, and the speaker tags and the like removed from it, as `marks`.

    `breaks` are the ranges of the paragraphs in `text`, as (start, end).
    """

    text: str
    marks: tuple[Mark, ...]
    breaks: tuple[tuple[int, int], ...]


def clean(blocks: Sequence[str | Block], speaker: str | None = None) -> CleanedText:
    r"""Remove speaker tags, stage directions and time codes from blocks (paragraphs), and join the rest.

    Blank lines separate the blocks in the text. Everything removed becomes a mark, also the text in a
    `Block`'s own `removals`. The `start_char` of a mark is its offset in the cleaned text. `speaker` is the
    speaker of the document, if known: a tag with that name is accepted with less evidence. Without blocks,
    the text is empty.

    >>> cleaned = clean(["THE PRESIDENT: Thank you. (Applause.) Please.", "(Laughter.)", "Now."])
    >>> cleaned.text, [(mark.text, mark.start_char) for mark in cleaned.marks]
    ('Thank you. Please.\n\nNow.', [('THE PRESIDENT:', 0), ('(Applause.)', 11), ('(Laughter.)', 20)])
    """
    wrapped = [block if isinstance(block, Block) else Block(block) for block in blocks]
    named = [extract_name(name) for block in wrapped for name in block.list_asides("speaker")]
    cut = [text for block in wrapped for text in block.list_asides("boilerplate")]
    floor = judge((part for block in wrapped for part in block.split_at_openings()), speaker, named, cut)
    built = _Text()
    for block in wrapped:
        built.add(*_cut(block.text, _find_removals(block, floor)))
    return built.build()


@dataclass
class _Text:
    """Collect cleaned blocks (paragraphs) and join them to one text.

    If a block has marks but no text, its marks go to the beginning of the next block.
    """

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

    def build(self) -> CleanedText:
        marks = (Mark(mark.kind, mark.text, min(mark.start_char, self.length)) for mark in self.marks)
        return CleanedText(BETWEEN_BLOCKS.join(self.parts), tuple(marks), tuple(self.breaks))


def _find_removals(block: Block, floor: Floor) -> list[Removal]:
    """Return the ranges to remove from a block (a paragraph), in order and without overlaps.

    These are speaker tags, stage directions, time codes, and the block's own `removals`. A note such as
    "(inaudible)" is removed only if the block has no other words.
    """
    text = block.mask_removals()
    removals = drop_overlaps(
        [*block.removals, *_find_tags(block, floor), *find_directions(text), *find_time_codes(text)]
    )
    missing = list(find_gaps(text))
    if missing:
        everything = drop_overlaps([*removals, *missing])
        if not _strip_removals(text, everything).strip(" \t\n.,—–-…"):
            return everything
    return removals


def _find_tags(block: Block, floor: Floor) -> Iterator[Removal]:
    """Yield the ranges to remove in a block: each accepted speaker tag, and a time after its name.

    A tag that is not accepted stays in the text. It gives an empty range: an unknown speaker begins there.
    """
    text = block.mask_removals()
    for opening in block.find_openings():
        match = floor.find_tag(text, opening)
        if match is None:
            continue
        tag, is_believed = match
        if not is_believed:
            yield tag.start, tag.start, "speaker"
            continue
        yield tag.start, tag.name_end, "speaker"
        if tag.clock:
            yield *tag.clock, "time"


def _strip_removals(block: str, removals: list[Removal]) -> str:
    starts = [0, *(end for _, end, _ in removals)]
    ends = [*(start for start, _, _ in removals), len(block)]
    return "".join(block[start:end] for start, end in zip(starts, ends, strict=True))


def _cut(block: str, removals: list[Removal]) -> tuple[str, list[Mark]]:
    """Return the text of a block without the ranges in `removals`, and a mark for each removed range.

    White space around a removed range is collapsed.
    """
    kept: list[str] = []
    marks: list[Mark] = []
    length, position, waiting = 0, 0, list[Removal]()
    for removal in [*removals, None]:
        end = removal[0] if removal else len(block)
        piece = _join_piece(
            block[position:end],
            kept[-1][-1] if kept else "",
            first=not position or _is_within_word(block, waiting),
            last=not removal,
        )
        if piece:
            glue = len(piece) - len(piece.lstrip(" "))
            marks += _build_marks(block, waiting, length + glue)
            waiting = []
            kept.append(piece)
            length += len(piece)
        if removal:
            waiting.append(removal)
            position = removal[1]
    text = "".join(kept).rstrip()
    marks += _build_marks(block, waiting, len(text))
    return text, [Mark(mark.kind, mark.text, min(mark.start_char, len(text))) for mark in marks]


def _build_marks(block: str, removals: list[Removal], start_char: int) -> list[Mark]:
    """Return a mark, such as "(Applause.)", for each range that was removed from a block of text.

    All marks have the offset `start_char` in the cleaned text. Removed white space gets no mark. An empty
    range gets a mark without text: it stands for a speaker tag that was not accepted.
    """
    texts = ((kind, block[start:stop].strip(), start == stop) for start, stop, kind in removals)
    return [Mark(kind, text, start_char) for kind, text, is_empty in texts if text or is_empty]


def _is_within_word(block: str, removals: list[Removal]) -> bool:
    """Return whether the last removal is boilerplate inside a word, such as the hyphen in "govern-ment"."""
    if not removals:
        return False
    start, stop, kind = removals[-1]
    around = block[start - 1 : start], block[stop : stop + 1]
    return kind == "boilerplate" and not any(char.isspace() or not char for char in around)


def _join_piece(piece: str, before: str, *, first: bool, last: bool) -> str:
    """Return the text between two removed ranges, `piece`, ready to be appended to the text kept so far.

    White space at both ends of the piece is reduced, so that at most one space separates it from `before`,
    the last character of that text. If the piece is the `first` of the block, white space at its beginning is
    kept. If it is the `last`, white space at its end is kept.
    """
    kept = piece if last else piece.rstrip(" \t")
    if first:
        return kept
    bare = kept.lstrip(" \t")
    if before in ("", "\n"):
        return bare.lstrip()
    if not bare or bare[0] == "\n" or (bare == kept and bare[0] in CLOSING):
        return bare
    return " " + bare
