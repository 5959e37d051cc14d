"""What reaches a terminal or a pipe: consoles, safe text, marked words."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from indexer.vocabulary import TITLES
from rostrum.cli.moments import clock, link
from rostrum_core.types import NOBODY_KNOWN, Document, DocumentInfo, Paragraph, Span

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
UNBROKEN = 1_000_000  # columns of a pipe: a paragraph is one line there


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def output() -> Console:
    """Standard output; outside a terminal, lines are not broken."""
    return _console(stderr=False)


def messages() -> Console:
    """Standard error."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return _Console(
        stderr=stderr,
        force_terminal=terminal,  # FORCE_COLOR would put escapes and the bar into logs
        highlight=False,
        markup=False,
        emoji=False,
        width=None if terminal else UNBROKEN,
    )


def safe(text: str) -> str:
    r"""`text` in one line, without the characters that steer a terminal or turn the direction of writing.

    >>> safe("free\x1b[2Jdom\nrings")
    'free[2Jdom rings'
    """
    return re.sub(r"\s", " ", UNSAFE.sub("", text))


def coloured(console: Console) -> bool:
    """Whether words can be marked by their look alone."""
    return console.color_system is not None and not console.no_color


def marked(paragraph: Paragraph, spans: Sequence[Span], console: Console) -> Text:
    """The paragraph with its best span bold, or between » and « where nothing can be bold."""
    if not spans:
        return Text(safe(paragraph.text))
    start, end = spans[0].start_char, spans[0].end_char
    before, words, after = (safe(part) for part in cut(paragraph.text, start, end))
    if coloured(console):
        return Text.assemble(before, (words, "bold yellow"), after)
    return Text(f"{before}»{words}«{after}")


def cut(text: str, start_char: int, end_char: int) -> tuple[str, str, str]:
    """What stands before, in and after a range of a text.

    >>> cut("we choose to go", 3, 9)
    ('we ', 'choose', ' to go')
    """
    return text[:start_char], text[start_char:end_char], text[end_char:]


def attribution(
    document: Document | DocumentInfo, speaker: str | None = None, start_s: float | None = None
) -> str:
    """Who said it where and when, as far as it is known; `speaker` is whoever held the floor.

    `start_s` is the second of the recording; the link leads to it.

    >>> speech = DocumentInfo("g", "Gettysburg Address", "Abraham Lincoln", "1863-11-19")
    >>> attribution(speech), attribution(speech, "LINCOLN") == attribution(speech)
    ('Abraham Lincoln, Gettysburg Address, 1863-11-19', True)
    >>> attribution(speech, "A VOICE")
    'A VOICE (speech of Abraham Lincoln), Gettysburg Address, 1863-11-19'
    """
    moment = None if start_s is None else f"at {clock(start_s)}"
    url = link(document.url, start_s) if document.url and start_s is not None else document.url
    parts = (_who(document.speaker, speaker), document.title, document.spoken_on, moment, url)
    return ", ".join(safe(part) for part in parts if part)


def _who(of_document: str | None, of_paragraph: str | None) -> str | None:
    """A tag with words of the speaker's name alone means the speaker; any other is shown beside the name.

    A title that the name does not bear may be another's: in a speech of Jill Biden, "PRESIDENT BIDEN" is not
    she.
    """
    if of_paragraph == NOBODY_KNOWN:
        return f"unknown speaker (speech of {of_document})" if of_document else None
    if not of_paragraph or not of_document:
        return of_paragraph or of_document
    (title, tag), (own_title, name) = _parted(of_paragraph), _parted(of_document)
    same = set(tag) <= set(name) and title in ([], own_title)
    return of_document if same else f"{of_paragraph} (speech of {of_document})"


def _parted(name: str) -> tuple[list[str], list[str]]:
    """The titles at the head of a name, and the words that are left, at least one if there is any.

    >>> _parted("THE VICE PRESIDENT"), _parted("Dr. Martin Luther King, Jr.")
    ((['vice'], ['president']), (['dr'], ['martin', 'luther', 'king', 'jr']))
    """
    words = [word.strip(".,").casefold() for word in name.split()]
    words = words[1:] if words[:1] == ["the"] else words
    end = next((at for at, word in enumerate(words[:-1]) if word not in TITLES), len(words) - 1)
    return words[: max(0, end)], words[max(0, end) :]
