"""`rostrum status`: what an archive holds."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.filesize import decimal

from rostrum.cli.generations import table
from rostrum.cli.options import archive_option, client_of, settings_of, url_option
from rostrum.cli.terminal import count, output

if TYPE_CHECKING:
    from rostrum.client import Readiness


@click.command(short_help="Prints where the archive is and what it holds.")
@archive_option
@url_option
def status(archive: Path | None, url: str | None) -> None:
    """Prints where the archive is, how large it is, and its generations.

    A generation is one state of the archive; readers see the published one. Its hashes name the encoder and
    the tokenizer it was encoded with. A service tells of the published one alone.

    \b
    Example:
      rostrum status --archive speeches
    """
    if url:
        _print_ready(client_of(url, archive).ready(), output())
        return
    from rostrum.assemble import open_site, open_store

    settings = settings_of(archive)
    site, generations = open_site(settings), open_store(settings).generations()
    console = output()
    console.print(f"archive: {site.place}", soft_wrap=True)
    console.print(f"size: {decimal(site.size_bytes())}")
    if generations:
        console.print(table(generations))
    else:
        console.print("nothing is indexed yet: rostrum index PATHS...")


def _print_ready(ready: Readiness, console: Console) -> None:
    if ready.generation is None or ready.documents is None or ready.paragraphs is None:
        console.print("ready; what it holds is said to clients with a key (ROSTRUM_API_KEY)", soft_wrap=True)
        return
    counts = f"{count(ready.documents, 'document')}, {count(ready.paragraphs, 'paragraph')}"
    console.print(f"ready: generation {ready.generation}, {counts}", soft_wrap=True)
