"""`rostrum show`: one speech of the archive."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from rostrum.cli.options import archive_option, settings_of
from rostrum.cli.terminal import attribution, output, safe
from rostrum.core.errors import BadInput
from rostrum.core.types import DocumentInfo, Paragraph


@click.command()
@click.argument("document")
@click.option("--paragraph", type=click.IntRange(1), metavar="N", help="Only the paragraph of this number.")
@archive_option
def show(document: str, paragraph: int | None, archive: Path | None) -> None:
    """Prints the speech with the id DOCUMENT, its paragraphs numbered from 1.

    \b
    Example:
      rostrum show 1863-11-19-gettysburg-address --paragraph 3
    """
    from rostrum.service.assemble import open_store

    store = open_store(settings_of(archive))
    found, about = store.get(document), list(store.documents([document]))
    if found is None:
        raise BadInput(f"no document {document!r} in the archive", field="document")
    _print(about, _chosen(found[1], paragraph), output())


def _chosen(paragraphs: tuple[Paragraph, ...], number: int | None) -> tuple[Paragraph, ...]:
    if number is None:
        return paragraphs
    if number > len(paragraphs):
        raise BadInput(f"the document has {len(paragraphs)} paragraphs, no {number}", field="paragraph")
    return paragraphs[number - 1 : number]


def _print(about: list[DocumentInfo], paragraphs: tuple[Paragraph, ...], console: Console) -> None:
    for document in about:
        console.print(Text(attribution(document), style="bold"), soft_wrap=True)
    for paragraph in paragraphs:
        speaker = f"{safe(paragraph.speaker)}: " if paragraph.speaker else ""
        console.print()
        console.print(Text(f"[{paragraph.ordinal + 1}] {speaker}{safe(paragraph.text)}"))
