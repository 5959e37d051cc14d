"""Recognise speaker names that have no colon but are set apart: a heading, a style, a table cell, bold type.

Each document marks names in its own way. So a style is accepted only if its texts look like names and some of
them recur, or if the style itself is named after speakers: "speaker", "orador".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from indexer.blocks import Block
from indexer.speaker_tags import TIME_OF_REMARK
from indexer.stage_directions import Removal
from indexer.tag_names import is_titled_name, may_name

PLAIN = ""
CALLED_AFTER_SPEAKERS = re.compile(r"speaker|intervin|orador|orator|redner|orateur|talker|interlocut")
UNLIKE_A_NAME = re.compile(r"[\n:;()\[\]]|, .*,")
LONGEST_NAME, LONGEST_NAME_IN_STYLE, LONGEST_LINE = 9, 16, 160  # words, words, characters
FEWEST, SHARE = 3, 0.8
PLAIN_SHARE = 0.2
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6", "dt")
SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*$")
ABBREVIATION_END = re.compile(r"\b(?:Jr|Sr|Esq|[A-Z])\.$")
REMARKS = re.compile(r"(?:\s*(?:\([^()\n]*\)|\[[^\[\]\n]*\]))+\s*$")


class StyledBlock(NamedTuple):
    """Hold a block (a paragraph) with its style, such as "bold" or "h2", and the length of its lead.

    The lead is the beginning of the block that is set apart, such as a name in bold. `lead` is its number of
    characters, 0 if nothing is set apart. `style` is empty for running text.
    """

    block: Block
    style: str = PLAIN
    lead: int = 0


def mark_names(lines: Sequence[StyledBlock]) -> list[Block]:
    """Return the blocks (paragraphs) of the lines, with the names of speakers marked for removal.

    Names are sought only in the styles that this document uses for names, such as bold. If words in
    such a style may be a name but are not accepted, they are not removed. An empty range before them means
    that an unknown speaker begins.

    >>> said = [StyledBlock(Block(text), style, len(text) if style else 0) for text, style in
    ...     [("Jane Roe", "b"), ("Why?", ""), ("Sam Doe", "b"), ("So.", ""), ("Jane Roe", "b"), ("Oh.", "")]]
    >>> [block.removals for block in mark_names(said)][:3]
    [((0, 8, 'speaker'),), (), ((0, 7, 'speaker'),)]
    """
    names = [_find_name(line) for line in lines]
    often = Counter(_normalise(name) for name in names if name)
    habits = {style for style in {line.style for line in lines} if _is_habit(style, lines, names, often)}
    return [
        line.block.add_removals(_mark_name(line, name, often))
        if name and line.style in habits
        else line.block
        for line, name in zip(lines, names, strict=True)
    ]


def _find_name(line: StyledBlock) -> str | None:
    """Return the lead of a line if it may be a name, including remarks in brackets: "Jane Roe (Seaside)".

    The lead is the beginning of the line that is set apart, for example in bold; in a line without a style,
    it is the whole line. Return `None` if the lead cannot be a name.
    """
    text = line.block.text
    if line.block.removals or not text:
        return None
    lead = text[: line.lead] if line.style else text
    name = lead.strip().rstrip(":").strip() if line.style else lead.strip()
    if not 0 < len(lead) <= LONGEST_LINE or TIME_OF_REMARK.search(name):
        return None
    bare = REMARKS.sub("", name).strip()
    is_named = CALLED_AFTER_SPEAKERS.search(line.style) is not None
    longest = LONGEST_NAME_IN_STYLE if is_named else LONGEST_NAME
    if not bare or UNLIKE_A_NAME.search(bare) or len(bare.split()) > longest or not bare[0].isupper():
        return None
    goes_on = text[len(lead) :].startswith(" ") and text[len(lead) + 1 :][:1].islower()
    if goes_on and not is_named and bare.isalpha() and not bare.isupper():
        return None  # the stressed first word of a sentence: "**Freedom** is not free."
    if (SENTENCE_END.search(name) and not ABBREVIATION_END.search(bare)) and not name.endswith((")", "]")):
        return None
    return name if is_named or may_name(bare) or is_titled_name(bare) else None


def _normalise(name: str) -> str:
    return REMARKS.sub("", name).strip().casefold()


def _is_habit(
    style: str, lines: Sequence[StyledBlock], names: Sequence[str | None], often: Counter[str]
) -> bool:
    """Return whether this document uses a style, such as bold, for the names of speakers.

    `names` has the possible name in each of `lines`, or `None` for a line without one. `often` has the number
    of lines with each name.
    """
    of_style = [name for line, name in zip(lines, names, strict=True) if line.style == style]
    accepted = [name for name in of_style if name]
    if style and CALLED_AFTER_SPEAKERS.search(style):
        return bool(accepted)
    again = [name for name in accepted if often[_normalise(name)] > 1]
    titled = [name for name in accepted if is_titled_name(REMARKS.sub("", name).strip())]
    if style and len(titled) == len(of_style) > 1:
        return _is_before_speech(style, lines, names)
    if len(accepted) < FEWEST or not again or not _is_before_speech(style, lines, names):
        return False
    if style:
        return len(accepted) >= SHARE * len(of_style)
    is_marked = any(REMARKS.search(name) or is_titled_name(name) for name in accepted)
    return is_marked and len(accepted) >= PLAIN_SHARE * len(lines)


def _is_before_speech(style: str, lines: Sequence[StyledBlock], names: Sequence[str | None]) -> bool:
    """Return whether speech follows nearly every name that is formatted in the style `style`, such as bold.

    The speech may follow in the same line as the name or in the next line.
    """
    followed = [
        after is None or bool(line.lead and line.lead < len(line.block.text))
        for (line, name), (_, after) in pairwise(
            [*zip(lines, names, strict=True), (StyledBlock(Block("")), None)]
        )
        if name and line.style == style
    ]
    return sum(followed) >= SHARE * len(followed)


def _mark_name(line: StyledBlock, name: str, often: Counter[str]) -> list[Removal]:
    """Return the ranges to remove from a line that may begin with a speaker's name.

    If the name is accepted, these are the ranges of the name and, in a heading, of a remark after it. If not,
    the result is one empty range: from this line on, the speaker is unknown.
    """
    text = line.block.text
    end = line.lead if line.style else len(text)
    believed = (
        often[_normalise(name)] > 1
        or REMARKS.search(name) is not None
        or is_titled_name(REMARKS.sub("", name).strip())
        or (line.style != PLAIN and 2 <= len(_normalise(name).split()) <= LONGEST_NAME)
        or CALLED_AFTER_SPEAKERS.search(line.style) is not None
    )
    if not believed:
        return [(0, 0, "speaker")]
    rest = text[end:]
    is_aside = rest.strip() and "\n" not in rest and not SENTENCE_END.search(rest)
    if is_aside and line.style.startswith(HEADINGS):
        return [(0, end, "speaker"), (end, len(text), "boilerplate")]
    return [(0, end, "speaker")]
