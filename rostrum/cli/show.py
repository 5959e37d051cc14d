"""`rostrum show`: print one speech of the archive."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from jobs.attribution import make_attribution
from jobs.filters import suggest
from jobs.moments import format_clock
from rostrum.cli.cut_marks import group_marks, restore_marks
from rostrum.cli.options import archive_option, load_settings, open_client, url_option
from rostrum.cli.terminal import open_output, safe
from rostrum_core.errors import BadInput
from rostrum_core.types import Document, Paragraph


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
