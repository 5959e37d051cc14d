"""Write to a terminal or a pipe: open consoles, format text and mark words."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence

import click
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text

from rostrum_core.printable import safe as safe
from rostrum_core.types import Paragraph, Span

UNBROKEN = 1_000_000  # columns of a pipe: a paragraph is one line there


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def open_output() -> Console:
    """Return the console of standard output; outside a terminal, lines are not wrapped."""
    return _open_console(stderr=False)


def open_messages() -> Console:
    """Return the console of standard error."""
    return _open_console(stderr=True)


def _open_console(*, stderr: bool) -> Console:
    terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return _Console(
        stderr=stderr,
        force_terminal=terminal,  # FORCE_COLOR would put escapes and the bar into logs
        highlight=False,
        markup=False,
        emoji=False,
        width=None if terminal else UNBROKEN,
    )


def print_findings(findings: Iterable[tuple[bool, str]]) -> None:
    """Print a line for the result of each check: "ok" or "bad", and the text.

    Raises:
        Exit: with code 1 if a check failed.
    """
    well, console = True, open_output()
    for fine, text in findings:
        well = well and fine
        word = ("ok  ", "green") if fine else ("bad ", "bold red")
        console.print(Text.assemble(word, safe(text)), soft_wrap=True)
    if not well:
        raise click.exceptions.Exit(1)


def count(number: int, noun: str) -> str:
    """Return a number with its noun in the singular or plural.

    >>> count(1, "document"), count(4208, "paragraph")
    ('1 document', '4,208 paragraphs')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def fit_cells(text: str, width: int) -> str:
    """Return `text` in one line of exactly `width` columns, cut with an ellipsis or filled with spaces.

    >>> fit_cells("Lincoln", 9), fit_cells("Gettysburg", 5)
    ('Lincoln  ', 'Gett…')
    """
    line = safe(text)
    if cell_len(line) <= width:
        return set_cell_size(line, width)
    return f"{set_cell_size(line, width - 1)}…"


def has_colours(console: Console) -> bool:
    """Return whether a console shows colours; without colours, words are marked with extra characters."""
    return console.color_system is not None and not console.no_color


def mark_best_span(paragraph: Paragraph, spans: Sequence[Span], console: Console) -> Text:
    """Return a paragraph's text with the words most worth quoting in bold.

    On a console without colours, the words are between » and « instead.
    """
    if not spans:
        return Text(safe(paragraph.text))
    start, end = spans[0].start_char, spans[0].end_char
    before, words, after = (safe(part) for part in cut(paragraph.text, start, end))
    if has_colours(console):
        return Text.assemble(before, (words, "bold yellow"), after)
    return Text(f"{before}»{words}«{after}")


def cut(text: str, start_char: int, end_char: int) -> tuple[str, str, str]:
    """Split a text into the parts before, in and after a range.

    >>> cut("we choose to go", 3, 9)
    ('we ', 'choose', ' to go')
    """
    return text[:start_char], text[start_char:end_char], text[end_char:]
