"""`rostrum status`: what an archive holds."""

from __future__ import annotations

from pathlib import Path

import click
from rich.filesize import decimal
from rich.table import Table

from rostrum.cli.options import archive_option, settings_of
from rostrum.cli.terminal import output
from rostrum.core.types import Generation


@click.command()
@archive_option
def status(archive: Path | None) -> None:
    """Prints where the archive is, how large it is, and its generations.

    A generation is one state of the archive; readers see the published one. Its hashes name the encoder and
    the tokenizer it was encoded with.

    \b
    Example:
      rostrum status --archive speeches
    """
    from rostrum.service.assemble import open_site, open_store

    settings = settings_of(archive)
    site, generations = open_site(settings), open_store(settings).generations()
    console = output()
    console.print(f"archive: {site.place}", soft_wrap=True)
    console.print(f"size: {decimal(site.size_bytes())}")
    if generations:
        console.print(_table(generations))
    else:
        console.print("nothing is indexed yet: rostrum index PATHS...")


def _table(generations: list[Generation]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("generation", "state", "documents", "paragraphs", "encoder", "tokenizer", "created"):
        table.add_column(heading, justify="right" if heading in ("documents", "paragraphs") else "left")
    for each in generations:
        state = "published" if each.published else each.state
        counts = (f"{each.documents:,}", f"{each.paragraphs:,}")
        table.add_row(each.name, state, *counts, each.encoder, each.tokenizer, each.created_at)
    return table
