"""`rostrum delete`: delete speeches from the archive."""

from __future__ import annotations

from pathlib import Path

import click

from jobs.filters import read_filter, suggest
from rostrum.cli.options import TEXT, archive_option, load_settings
from rostrum.cli.terminal import open_output
from rostrum_core.errors import BadInput


@click.command(short_help="Delete speeches from the archive.")
@click.argument("ids", nargs=-1, required=True, type=TEXT, metavar="ID...")
@archive_option
def delete(ids: tuple[str, ...], archive: Path | None) -> None:
    """Delete the speeches with these ids from the archive; `rostrum documents` lists ids.

    All are deleted in one step, by publishing a generation without them; `rostrum generations rollback`
    brings them back. If any id is unknown, nothing is deleted. If a file with such a speech is indexed again,
    the speech is added again.

    \b
    Example:
      rostrum delete 1863-11-19-gettysburg-address
    """
    from archive.history import record_deletion
    from archive.withdraw import withdraw
    from rostrum.assemble import open_store

    settings = load_settings(archive)
    store, named = open_store(settings).writer(), read_filter(documents=ids)
    unknown = [document_id for document_id in named.documents if not list(store.documents([document_id]))]
    if unknown:
        more = f" (and {len(unknown) - 1:,} more)" if unknown[1:] else ""
        message = f"no document {unknown[0]!r} in the archive{more}{suggest(unknown[0], store)}"
        raise BadInput(message, field="documents")
    generation = withdraw(named.documents, store)
    record_deletion(settings.archive, named.documents, generation)
    open_output().print(f"documents: {len(set(named.documents)):,} deleted\npublished {generation}")
