"""Prepare a speech for its page: speakers, stage directions, marked words, heat, and who quoted it.

The heat of words says how well they fit a claim or a draft.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from archive.quoted_by import Quoting
from indexer.titles import capitalise_title
from jobs.moments import format_clock
from rostrum.api.page.heat import Heat, HotRange
from rostrum.api.page.links import Place, link_recording
from rostrum_core.types import Document, DocumentInfo, Mark, Paragraph

SHOWN_MARKS: Final = ("stage", "time")


@dataclass(frozen=True, slots=True)
class Fragment:
    """Hold a piece of a paragraph that the page shows in one style.

    If `direction` is true, the piece is a stage direction, and all other fields except `text` are unset.
    `is_target` is true for the words that the URL of the page refers to. The first piece of these words has
    the `anchor`, to which the browser scrolls. `is_quoted` is true for words that an article quotes. `heat`
    (0 to 100) says how well the words fit a draft or a claim. `level` is the colour step for the heat, 0
    without heat.
    """

    text: str
    direction: bool = False
    is_target: bool = False
    anchor: str = ""
    is_quoted: bool = False
    level: int = 0
    heat: int = 0
    stance: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """Hold a paragraph as the page shows it, or a stage direction between two paragraphs (`ordinal` is -1).

    If a new speaker begins here, `turn` is the name of this speaker; otherwise it is "".
    """

    ordinal: int
    fragments: Sequence[Fragment]
    turn: str = ""
    clock: str = ""
    recording: str | None = None
    hot: HotRange | None = None
    quotings: Sequence[Quoting] = ()

    @property
    def number(self) -> int:
        """Return the number of the paragraph, from 1."""
        return self.ordinal + 1


def arrange(
    document: Document,
    paragraphs: Sequence[Paragraph],
    info: DocumentInfo,
    *,
    target: Place | None = None,
    heat: Heat | None = None,
    quotings: Sequence[Quoting] = (),
) -> list[Block]:
    """Return the paragraphs and stage directions of a speech as blocks, in the order of the text.

    If several people speak, a block names its speaker whenever the speaker changes.
    """
    marks = [mark for mark in document.marks if mark.kind in SHOWN_MARKS and mark.text.strip()]
    placed, between = place_marks(marks, paragraphs)
    ranges = _group_ranges(heat)
    blocks, holder = list[Block](), None if len(info.speakers) > 1 else info.speaker
    for paragraph in paragraphs:
        blocks += [Block(-1, [Fragment(mark.text, True)]) for mark in between.get(paragraph.ordinal, ())]
        now = info.find_holder(paragraph)
        turn = capitalise_title(now) if now and now != holder and len(info.speakers) > 1 else ""
        holder = now or holder
        hot = ranges.get(paragraph.ordinal, [])
        whole = next((one for one in hot if not one.end_char), None)
        own = [quoting for quoting in quotings if quoting.ordinal == paragraph.ordinal]
        blocks.append(
            Block(
                paragraph.ordinal,
                list(_cut(paragraph, placed.get(paragraph.ordinal, ()), target, hot, own)),
                turn,
                "" if paragraph.start_s is None else format_clock(paragraph.start_s),
                link_recording(document, paragraph),
                whole or max(hot, key=lambda one: one.heat, default=None),
                own,
            )
        )
    return blocks + [Block(-1, [Fragment(mark.text, True)]) for mark in between.get(len(paragraphs), ())]


def place_marks(
    marks: Sequence[Mark], paragraphs: Sequence[Paragraph]
) -> tuple[dict[int, list[tuple[int, Mark]]], dict[int, list[Mark]]]:
    """Find the paragraph to which each mark, such as the stage direction "(Applause.)", belongs.

    Return two dictionaries (within, between), whose keys are ordinals of paragraphs. `within` has the marks
    inside a paragraph, as pairs (offset in the paragraph, mark). `between` has the marks right before a
    paragraph. Marks after the last paragraph have the number of paragraphs as their key.
    """
    within: dict[int, list[tuple[int, Mark]]] = {}
    between: dict[int, list[Mark]] = {}
    at = 0
    for mark in marks:
        while at < len(paragraphs) and paragraphs[at].end_char < mark.start_char:
            at += 1
        if at < len(paragraphs) and paragraphs[at].start_char < mark.start_char:
            offset = mark.start_char - paragraphs[at].start_char
            within.setdefault(paragraphs[at].ordinal, []).append((offset, mark))
        else:
            between.setdefault(
                paragraphs[at].ordinal if at < len(paragraphs) else len(paragraphs), []
            ).append(mark)
    return within, between


def _group_ranges(heat: Heat | None) -> Mapping[int, list[HotRange]]:
    groups: dict[int, list[HotRange]] = {}
    for hot in heat.ranges if heat else ():
        groups.setdefault(hot.ordinal, []).append(hot)
    return groups


def _cut(
    paragraph: Paragraph,
    marks: Sequence[tuple[int, Mark]],
    target: Place | None,
    hot: Sequence[HotRange],
    quotings: Sequence[Quoting],
) -> Iterator[Fragment]:
    """Split a paragraph into fragments: at stage directions, and where marked words begin or end.

    Words may be marked for three reasons: the page's URL names them (`target`), they fit a draft or a claim
    (`hot`), or an article quotes them (`quotings`).
    """
    text = paragraph.text
    sentences = [one for one in hot if one.end_char]
    aimed = [target] if target and target.ordinal == paragraph.ordinal and target.end_char else []
    quoted = [one for one in quotings if one.end_char]
    layers: list[HotRange | Place | Quoting] = [*sentences, *aimed, *quoted]
    edges = {0, len(text), *(offset for offset, _ in marks)}
    edges |= {edge for layer in layers for edge in (layer.start_char, layer.end_char)}
    ordered = sorted(min(max(edge, 0), len(text)) for edge in edges)
    waiting = list(marks)
    for start, end in pairwise(sorted(set(ordered))):
        while waiting and waiting[0][0] <= start:
            yield Fragment(waiting.pop(0)[1].text, True)
        sentence = next((one for one in sentences if one.start_char <= start < one.end_char), None)
        yield Fragment(
            text[start:end],
            is_target=any(one.start_char <= start < one.end_char for one in aimed),
            anchor=next((one.name for one in aimed if one.start_char == start), ""),
            is_quoted=any(one.start_char <= start < one.end_char for one in quoted),
            level=sentence.level if sentence else 0,
            heat=sentence.heat if sentence else 0,
            stance=sentence.stance if sentence else "",
        )
    for _, mark in waiting:
        yield Fragment(mark.text, True)
