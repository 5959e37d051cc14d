"""`rostrum status`: print what an archive holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.filesize import decimal

from rostrum.cli.generations import build_table
from rostrum.cli.options import archive_option, load_settings, open_client, url_option
from rostrum.cli.terminal import count, open_output, safe
from rostrum_core.errors import RostrumError
from rostrum_core.settings import Settings
from rostrum_core.types import DocumentInfo, Generation

if TYPE_CHECKING:
    from rostrum.client import Readiness


@click.command(short_help="Print where the archive is and what it contains.")
@archive_option
@url_option
def status(archive: Path | None, url: str | None) -> None:
    """Print the place and size of the archive, the models in use, and a summary of its speeches.

    A generation is one state of the archive; readers see the published one. Its hashes name the encoder and
    the tokenizer with which it was encoded. A service reports only the published one.

    \b
    Example:
      rostrum status --archive speeches
    """
    if url:
        _print_ready(open_client(url, archive).ready(), open_output())
        return
    from rostrum.assemble import open_site, open_store

    settings = load_settings(archive)
    site, store = open_site(settings), open_store(settings)
    generations = store.generations()
    console = open_output()
    console.print(f"archive: {site.place}", soft_wrap=True)
    console.print(f"size: {decimal(site.size_bytes())}")
    console.print(_describe_models(settings, generations), soft_wrap=True)
    if generations:
        if any(generation.published and generation.state == "ready" for generation in generations):
            console.print(describe_speeches(store.documents()), soft_wrap=True)
        console.print(build_table(generations))
    else:
        console.print("nothing is indexed yet: rostrum index PATHS...")


def describe_speeches(infos: Iterable[DocumentInfo]) -> str:
    """Return a line with the number of speeches, their first and last day, and how many lack a speaker or
    date.

    >>> describe_speeches([DocumentInfo("a", "A", spoken_on="1962"), DocumentInfo("b", "B", speakers=("X",))])
    'speeches: 2, of 1962 to 1962; 1 without a speaker, 1 without a date'
    """
    days, without_speaker, total = list[str](), 0, 0
    for info in infos:
        total += 1
        without_speaker += not info.speakers
        days += [info.spoken_on] if info.spoken_on else []
    period = f", of {min(days)} to {max(days)}" if days else ""
    missing = [("speaker", without_speaker), ("date", total - len(days))]
    counts = ", ".join(f"{number:,} without a {name}" for name, number in missing if number)
    return f"speeches: {total:,}{period}" + (f"; {counts}" if counts else "")


def _describe_models(settings: Settings, generations: Sequence[Generation]) -> str:
    """Return a line with the models in use here, and a remark if other models encoded the archive."""
    from archive.model_registry import locate_weights
    from reranker.models.weights import read_manifest

    try:
        manifest = read_manifest(locate_weights(settings))
    except RostrumError as error:
        return f"models: {error}"
    hashes = manifest.hashes
    parts = ", ".join(f"{name} {hashes[name]}" for name in ("encoder", "tokenizer", "ranker"))
    encoders = (hashes["encoder"], hashes["tokenizer"])
    others = any(
        generation.published
        and generation.state == "ready"
        and (generation.encoder, generation.tokenizer) != encoders
        for generation in generations
    )
    remark = "; others encoded the archive: rostrum index encodes it again" if others else ""
    return f"models: {safe(manifest.name)} ({parts}){remark}"


def _print_ready(ready: Readiness, console: Console) -> None:
    if ready.generation is None or ready.documents is None or ready.paragraphs is None:
        console.print("ready; what it holds is said to clients with a key (ROSTRUM_API_KEY)", soft_wrap=True)
        return
    counts = f"{count(ready.documents, 'document')}, {count(ready.paragraphs, 'paragraph')}"
    console.print(f"ready: generation {ready.generation}, {counts}", soft_wrap=True)
