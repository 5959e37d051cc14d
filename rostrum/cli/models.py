"""`rostrum models`: versions of the models side by side, and which of them is in use."""

from __future__ import annotations

from typing import Any

import click
from rich.table import Table

from rostrum.cli.options import settings_of
from rostrum.cli.terminal import output, safe
from rostrum.core.errors import ModelError
from rostrum.core.settings import default_models
from rostrum.service.registry import Registry


@click.group()
def models() -> None:
    """Lists the versions of the models, and puts one in use.

    They are kept in ROSTRUM_MODELS, else in the user's data folder. What runs already keeps the version that
    it began with. Another encoder needs the archive encoded anew: `rostrum index` does it.

    \b
    Example:
      rostrum models list
    """


@models.command("list")
def list_versions() -> None:
    """Prints the versions: which is in use, its mean average precision on dev, and what made it.

    \b
    Example:
      rostrum models list
    """
    registry, table = open_registry(), Table(box=None, pad_edge=False)
    for heading in ("in use", "version", "name", "dev map", "commit", "note"):
        table.add_column(heading)
    current = registry.current()
    for name in registry.names():
        table.add_row("*" if name == current else "", name, *map(safe, described(registry, name)))
    console = output()
    console.print(f"versions: {registry.folder}", soft_wrap=True)
    console.print(table)


@models.command()
@click.argument("version")
def use(version: str) -> None:
    """Puts VERSION in use, once its files are seen to be what was published.

    \b
    Example:
      rostrum models use shipped
    """
    open_registry().use(version)
    output().print(f"in use: {version}", soft_wrap=True)


@models.command()
def rollback() -> None:
    """Puts the version in use that was so before the present one.

    \b
    Example:
      rostrum models rollback
    """
    output().print(f"in use: {open_registry().rollback()}", soft_wrap=True)


def open_registry() -> Registry:
    """The versions of this installation."""
    return Registry(settings_of().models or default_models())


def described(registry: Registry, version: str) -> tuple[str, str, str, str]:
    """Name, figure on dev, commit and note of a version; the note tells what is wrong with it."""
    from reranker.weights import read_manifest

    try:
        told = read_manifest(registry.folder_of(version)).told
    except ModelError as error:
        return "-", "-", "-", str(error)
    commit = str(told.get("commit") or told.get("version") or "-")[:12]
    forced = _at(told, "published", "forced")
    return (
        str(told["name"]),
        str(_at(told, "figures", "dev", "ranking", "model", "map") or "-"),
        commit,
        (f"published without proof: {forced}" if forced else ""),
    )


def _at(told: Any, *path: str) -> Any:
    """What stands at a path of a manifest; `None` where a manifest made otherwise has nothing."""
    for key in path:
        told = told.get(key) if isinstance(told, dict) else None
    return told
