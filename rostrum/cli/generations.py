"""`rostrum generations`: list, publish and remove generations, the stored states of the archive."""

from __future__ import annotations

from pathlib import Path

import click
from rich.table import Table

from archive.refresh import KEPT_GENERATIONS
from rostrum.cli.options import archive_option, load_settings
from rostrum.cli.terminal import open_messages, open_output, safe
from rostrum_core.types import Generation


@click.group(short_help="List, publish, roll back and remove states of the archive.")
def generations() -> None:
    """List the stored states of the archive, go back to one, and remove old ones.

    Every run that changes something publishes a generation; readers see the published one.

    \b
    Example:
      rostrum generations list
    """


@generations.command("list")
@archive_option
def list_generations(archive: Path | None) -> None:
    """Print the generations with their contents, oldest first.

    \b
    Example:
      rostrum generations list
    """
    from rostrum.assemble import open_store

    stored = open_store(load_settings(archive)).generations()
    open_output().print(build_table(stored) if stored else "nothing is indexed yet: rostrum index PATHS...")


@generations.command()
@click.argument("name")
@click.option("--force", is_flag=True, help="Publish even if saved drafts lose their top results.")
@archive_option
def publish(name: str, force: bool, archive: Path | None) -> None:
    """Publish the generation with this NAME; any ready one can be published.

    If drafts are saved, their top results are compared first (`rostrum canary`).

    \b
    Example:
      rostrum generations publish 000007
    """
    _print_published(archive, name, force=force)


@generations.command()
@archive_option
def rollback(archive: Path | None) -> None:
    """Publish the generation from which the published one began.

    \b
    Example:
      rostrum generations rollback
    """
    _print_published(archive, None)


@generations.command()
@click.option(
    "--keep",
    type=click.IntRange(1),
    default=KEPT_GENERATIONS,
    show_default=True,
    help="Number of the newest generations to keep.",
)
@archive_option
def prune(keep: int, archive: Path | None) -> None:
    """Remove all generations but the newest, never the published one.

    \b
    Example:
      rostrum generations prune --keep 2
    """
    from rostrum.assemble import open_store

    removed = open_store(load_settings(archive)).prune(keep)
    open_output().print(f"removed: {', '.join(removed) or 'none'}", soft_wrap=True)


def build_table(stored: list[Generation]) -> Table:
    """Return a table with a row for each generation: name, state, contents, models and time of creation."""
    rows = Table(box=None, pad_edge=False)
    for heading in ("generation", "state", "documents", "paragraphs", "encoder", "tokenizer", "created"):
        rows.add_column(heading, justify="right" if heading in ("documents", "paragraphs") else "left")
    for generation in stored:
        state = "published" if generation.published and generation.state == "ready" else generation.state
        counts = (f"{generation.documents:,}", f"{generation.paragraphs:,}")
        rows.add_row(
            generation.name, state, *counts, generation.encoder, generation.tokenizer, generation.created_at
        )
    return rows


def _print_published(archive: Path | None, name: str | None, *, force: bool = False) -> None:
    from archive.canary.gate import publish_generation
    from rostrum.assemble import assemble, open_store

    settings = load_settings(archive)
    store = open_store(settings)
    published, comparison = publish_generation(settings, store, name, lambda: assemble(settings), force=force)
    if comparison is not None:
        open_messages().print(safe(comparison.describe()), soft_wrap=True)
    counts = f"{published.documents:,} documents, {published.paragraphs:,} paragraphs"
    open_output().print(f"published {published.name}: {counts}", soft_wrap=True)
