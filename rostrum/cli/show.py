"""`rostrum show`: print one speech of the archive."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from jobs.attribution import make_attribution
from jobs.filters import suggest
from jobs.moments import format_clock
from rostrum.cli.options import archive_option, load_settings, open_client, url_option
from rostrum.cli.terminal import open_output, safe
from rostrum_core.errors import BadInput
from rostrum_core.types import Document, Mark, Paragraph


@click.command(short_help="Print one speech of the archive.")
@click.argument("document")
@click.option(
    "--paragraph", type=click.IntRange(1), metavar="N", help=("Print only the paragraph with this number.")
)
@click.option("--raw", is_flag=True, help="Show removed text in its place, such as [-THE PRESIDENT:-].")
@archive_option
@url_option
def show(document: str, paragraph: int | None, raw: bool, archive: Path | None, url: str | None) -> None:
    """Print the speech with the id DOCUMENT; paragraphs are numbered from 1.

    Text that is not speech is removed from transcripts: speaker tags, stage directions, times and
    boilerplate. --raw shows it.

    \b
    Example:
      rostrum show 1863-11-19-gettysburg-address --paragraph 3
    """
    speech, paragraphs = (
        _get_from_service(document, url, archive) if url else _get_from_archive(document, archive)
    )
    shown = _format_uncut(speech, paragraphs) if raw else [_format_cleaned(part) for part in paragraphs]
    _print(speech, _choose_paragraph(shown, paragraph), open_output())


def _get_from_service(
    document: str, url: str, archive: Path | None
) -> tuple[Document, tuple[Paragraph, ...]]:
    speech = open_client(url, archive).get(document)
    return speech.document, speech.paragraphs


def _get_from_archive(document: str, archive: Path | None) -> tuple[Document, tuple[Paragraph, ...]]:
    from rostrum.assemble import open_store

    store = open_store(load_settings(archive))
    speech = store.get(document)
    if speech is None:
        raise BadInput(f"no document {document!r} in the archive{suggest(document, store)}", field="document")
    return speech


def _format_cleaned(paragraph: Paragraph) -> Text:
    moment = "" if paragraph.start_s is None else f"{format_clock(paragraph.start_s)} "
    speaker = f"{safe(paragraph.speaker)}: " if paragraph.speaker else ""
    return Text(f"[{paragraph.ordinal + 1}] {moment}{speaker}{safe(paragraph.text)}")


def _format_uncut(document: Document, paragraphs: tuple[Paragraph, ...]) -> list[Text]:
    cut = group_marks(paragraphs, document.marks)
    return [
        Text(f"[{paragraph.ordinal + 1}] ").append(restore_marks(paragraph, marks))
        for paragraph, marks in zip(paragraphs, cut, strict=True)
    ]


def _choose_paragraph(paragraphs: list[Text], number: int | None) -> list[Text]:
    if number is None:
        return paragraphs
    if number > len(paragraphs):
        raise BadInput(f"the document has {len(paragraphs)} paragraphs, no {number}", field="paragraph")
    return paragraphs[number - 1 : number]


def _print(document: Document, paragraphs: list[Text], console: Console) -> None:
    console.print(Text(make_attribution(document), style="bold"), soft_wrap=True)
    for paragraph in paragraphs:
        console.print()
        console.print(paragraph)


def restore_marks(paragraph: Paragraph, marks: Sequence[Mark]) -> Text:
    """Return the paragraph's text with the text of its `marks` put back, between "[-" and "-]".

    Marks are what was removed from the transcript, such as speaker tags and stage directions.

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
    """Return the marks of each paragraph: text that was removed from it, such as "(Applause.)".

    A mark between two paragraphs belongs to the later one.
    """
    groups: list[list[Mark]] = [[] for _ in paragraphs]
    at = 0
    for mark in marks if paragraphs else ():
        while at + 1 < len(paragraphs) and mark.start_char > paragraphs[at].end_char:
            at += 1
        groups[at].append(mark)
    return groups


def _append(shown: Text, mark: Mark, following: str) -> None:
    """Append the text of a mark (words removed from the speech), between "[-" and "-]", to `shown`.

    A mark without text is skipped. `following` is the character after the mark. Spaces separate the text of
    the mark from the words around it, unless the mark is boilerplate inside a word: "mo[-AD-]on".
    """
    if not mark.text:
        return
    before = shown.plain[-1:]
    apart = not (mark.kind == "boilerplate" and before.isalnum() and following.isalnum())
    shown.append(" " if apart and before.strip() else "")
    shown.append(f"[-{safe(mark.text)}-]", style="dim strike")
    shown.append(" " if apart and following.strip() else "")
