"""Recognise dialogues in plain text in which a dash begins each turn and no speaker is named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from indexer.blocks import Block

DASHED = re.compile(r"(?P<dash>[-–—‐―][ \t]?)[\"“«‘'(\[¿¡]*[A-Z0-9À-Þ]")
ASKED = re.compile(r"\?[\"'”’»)\]]*$")
# A list has dashes too: in a dialogue so many paragraphs have them, and a question is answered.
FEWEST, SHARE = 4, 0.5


def mark_changes(blocks: Sequence[Block]) -> list[Block]:
    r"""Mark the dashes of a dialogue as speaker tags without a name; leave the dashes of a list unmarked.

    >>> talk = ["– Who paid?", "– You did.", "– I did not.", "– We all did."]
    >>> [block.removals for block in mark_changes([Block(text) for text in talk])][0]
    ((0, 2, 'speaker'),)
    >>> items = ("Roads.", "Schools.", "Bridges.", "Walls.")
    >>> mark_changes([Block(f"- {item}") for item in items])[0].removals
    ()
    """
    matches = [None if block.removals else DASHED.match(block.text) for block in blocks]
    dashed = [match is not None for match in matches]
    if sum(dashed) < max(FEWEST, SHARE * len(blocks)) or not _has_answer(blocks, dashed):
        return list(blocks)
    return [
        block.add_removals([(0, match.end("dash"), "speaker")]) if match else block
        for block, match in zip(blocks, matches, strict=True)
    ]


def _has_answer(blocks: Sequence[Block], dashed: Sequence[bool]) -> bool:
    """Return whether a question with a dash before it is followed by an answer with a dash before it.

    An answer is a block that is not a question. A list has no such pair, because either all its items are
    questions or none is.
    """
    turns = [(dash, ASKED.search(block.text) is not None) for dash, block in zip(dashed, blocks, strict=True)]
    return any(
        dash and next_dash and is_question and not is_next_question
        for (dash, is_question), (next_dash, is_next_question) in pairwise(turns)
    )
