"""Write to a terminal or a pipe: consoles, safe text, marked words."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from indexer.titles import printed_title
from indexer.vocabulary import TITLES
from rostrum.cli.moments import clock, link
from rostrum_core.dates import printed_date
from rostrum_core.types import NOBODY_KNOWN, Document, DocumentInfo, Paragraph, Span

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
WORDS = re.compile(r"[^\W\d_][\w'’-]*")
GENRE = r"(?:\w+ )?(?:Remarks|Address|Speech|Statement)(?: as Prepared for Delivery)?"
UNBROKEN = 1_000_000  # columns of a pipe: a paragraph is one line there


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def output() -> Console:
    """Return the console of standard output; outside a terminal, lines are not wrapped."""
    return _console(stderr=False)


def messages() -> Console:
    """Return the console of standard error."""
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


def count(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> count(1, "document"), count(4208, "paragraph")
    ('1 document', '4,208 paragraphs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def safe(text: str) -> str:
    r"""Return `text` in one line, without control characters and changes of the direction of writing.

    >>> safe("free\x1b[2Jdom\nrings")
    'free[2Jdom rings'
    """
    return re.sub(r"\s", " ", UNSAFE.sub("", text))


def fit_cells(text: str, width: int) -> str:
    """Return `text` in one line of exactly `width` columns, cut with an ellipsis or filled with spaces.

    >>> fit_cells("Lincoln", 9), fit_cells("Gettysburg", 5)
    ('Lincoln  ', 'Gett…')
    """
    line = safe(text)
    if cell_len(line) <= width:
        return set_cell_size(line, width)
    return f"{set_cell_size(line, width - 1)}…"


def coloured(console: Console) -> bool:
    """Return whether words can be marked by style alone."""
    return console.color_system is not None and not console.no_color


def marked(paragraph: Paragraph, spans: Sequence[Span], console: Console) -> Text:
    """Return the paragraph with its best span bold, or between » and « if bold is not available."""
    if not spans:
        return Text(safe(paragraph.text))
    start, end = spans[0].start_char, spans[0].end_char
    before, words, after = (safe(part) for part in cut(paragraph.text, start, end))
    if coloured(console):
        return Text.assemble(before, (words, "bold yellow"), after)
    return Text(f"{before}»{words}«{after}")


def cut(text: str, start_char: int, end_char: int) -> tuple[str, str, str]:
    """Split a text into the parts before, in and after a range.

    >>> cut("we choose to go", 3, 9)
    ('we ', 'choose', ' to go')
    """
    return text[:start_char], text[start_char:end_char], text[end_char:]


def attribution(
    document: Document | DocumentInfo, speaker: str | None = None, start_s: float | None = None
) -> str:
    """Return who said it, where and when, for print, as far as it is known.

    `speaker` is who holds the floor, as `Paragraph.speaker` has it; `start_s` is the second of the
    recording.

    >>> speech = DocumentInfo("g", "Gettysburg Address", "Abraham Lincoln", "1863-11-19")
    >>> attribution(speech), attribution(speech, "LINCOLN") == attribution(speech)
    ('Abraham Lincoln, Gettysburg Address, November 19, 1863', True)
    >>> attribution(speech, "A VOICE")
    'A Voice (speech of Abraham Lincoln), Gettysburg Address, November 19, 1863'
    >>> attribution(DocumentInfo("r", "Remarks by President Biden on Jobs", "Joe Biden", "2021-03"))
    'Joe Biden, Remarks on Jobs, March 2021'
    """
    moment = None if start_s is None else f"at {clock(start_s)}"
    day = printed_date(document.spoken_on) if document.spoken_on else None
    parts = (_who(document, speaker), _printed(document.title, document.speaker), day, moment)
    return ", ".join(safe(part) for part in parts if part)


def address(document: Document | DocumentInfo, start_s: float | None = None) -> str | None:
    """Return the address of a speech, or of a second of its recording; `None` if it has none."""
    if not document.url:
        return None
    return safe(document.url if start_s is None else link(document.url, start_s))


def _printed(title: str, speaker: str | None) -> str:
    """Return a title without the speaker, whom an attribution names before it."""
    words = WORDS.findall(speaker.split(",")[0]) if speaker else []
    plain = " ".join(part.strip() for part in title.split("|") if part.strip()).strip()
    if not words:
        return plain
    name = rf"(?:the\s+)?(?:[^\W\d_][\w.'’-]*\s+){{0,5}}?{re.escape(words[-1])}(?:,?\s+[JS]r\b\.?)?"
    return re.sub(rf"^({GENRE})\s+(?:by|of)\s+{name}(?!\w)[\s,:]*", r"\1 ", plain).strip()


def _who(document: Document | DocumentInfo, tag: str | None) -> str | None:
    """Return who holds the floor: the document's speaker, or another one with a note on whose speech it is.

    A tag with words of the speaker's name alone means the speaker. So does one that the archive has
    resolved (`DocumentInfo.holder`). A title that is not part of the name may be another person's: in a
    speech of Jill Biden, "PRESIDENT BIDEN" is not she.
    """
    speaker = document.speaker
    if tag == NOBODY_KNOWN:
        return f"unknown speaker (speech of {speaker})" if speaker else None
    if not tag or not speaker:
        return printed_title(tag) if tag else speaker
    if isinstance(document, DocumentInfo) and document.speakers and tag not in document.speakers:
        return speaker
    (title, name), (own_title, own_name) = _parted(tag), _parted(speaker)
    same = set(name) <= set(own_name) and title in ([], own_title)
    return speaker if same else f"{printed_title(tag)} (speech of {speaker})"


def _parted(name: str) -> tuple[list[str], list[str]]:
    """Split a name into the titles at its head and the other words, at least one if there is any.

    >>> _parted("THE VICE PRESIDENT"), _parted("Dr. Martin Luther King, Jr.")
    ((['vice'], ['president']), (['dr'], ['martin', 'luther', 'king', 'jr']))
    """
    words = [word.strip(".,").casefold() for word in name.split()]
    words = words[1:] if words[:1] == ["the"] else words
    end = next((at for at, word in enumerate(words[:-1]) if word not in TITLES), len(words) - 1)
    return words[: max(0, end)], words[max(0, end) :]
