"""`rostrum status`: what an archive holds."""

from __future__ import annotations

from pathlib import Path

import click
from rich.filesize import decimal

from rostrum.cli.generations import table
from rostrum.cli.options import archive_option, settings_of
from rostrum.cli.terminal import output


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
        console.print(table(generations))
    else:
        console.print("nothing is indexed yet: rostrum index PATHS...")
