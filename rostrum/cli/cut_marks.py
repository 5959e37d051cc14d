"""Put the text that was removed from a transcript back at its old place, marked as `wdiff` marks
deletions.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from rostrum.cli.terminal import safe
from rostrum_core.types import Mark, Paragraph


def restore_marks(paragraph: Paragraph, marks: Sequence[Mark]) -> Text:
    """Return the paragraph's text with its removed `marks` put back, in order.

    >>> paragraph = Paragraph("a", "b", 0, "Thank you. Please.", 20, 38)
    >>> restore_marks(paragraph, [Mark("speaker", "Q:", 20), Mark("stage", "(Applause.)", 31)]).plain
    '[-Q:-] Thank you. [-(Applause.)-] Please.'
    """
    shown, position = Text(), 0
    for mark in marks:
        at = min(max(mark.start_char - paragraph.start_char, 0), len(paragraph.text))
        shown.append(safe(paragraph.text[position:at]))
        _append(shown, mark, paragraph.text[at : at + 1])
        position = at
    shown.append(safe(paragraph.text[position:]))
    return shown


def group_marks(paragraphs: Sequence[Paragraph], marks: Sequence[Mark]) -> list[list[Mark]]:
    """Assign marks to the paragraphs that contained them; a mark between two paragraphs belongs to the later
    one.
    """
    groups: list[list[Mark]] = [[] for _ in paragraphs]
    at = 0
    for mark in marks if paragraphs else ():
        while at + 1 < len(paragraphs) and mark.start_char > paragraphs[at].end_char:
            at += 1
        groups[at].append(mark)
    return groups


def _append(shown: Text, mark: Mark, following: str) -> None:
    """Append a mark if it has a text. Spaces separate it from the words around it, but not inside a word."""
    if not mark.text:
        return
    before = shown.plain[-1:]
    apart = not (mark.kind == "boilerplate" and before.isalnum() and following.isalnum())
    shown.append(" " if apart and before.strip() else "")
    shown.append(f"[-{safe(mark.text)}-]", style="dim strike")
    shown.append(" " if apart and following.strip() else "")
