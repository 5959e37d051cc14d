"""`rostrum models`: list versions of the models, and choose the one in use."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from rostrum.cli.options import PathType, load_settings
from rostrum.cli.terminal import open_messages, open_output, safe
from rostrum_core.errors import BadInput, ModelError

if TYPE_CHECKING:
    from archive.model_registry import Registry

FOLDER = PathType(exists=True, file_okay=False)
FILE = PathType(exists=True, dir_okay=False)


@click.group(short_help="List, use, roll back and publish versions of models.")
def models() -> None:
    """List the versions of the models, and put one in use.

    Versions are stored in ROSTRUM_MODELS, or else in the user's data folder. Running processes keep the
    version with which they started. After a change of encoder, run `rostrum index` to encode the archive
    again.

    \b
    Example:
      rostrum models list
    """


@models.command("list")
def list_versions() -> None:
    """Print the versions: whether in use, mean average precision on dev, and origin.

    \b
    Example:
      rostrum models list
    """
    settings, registry, table = load_settings(), open_registry(), Table(box=None, pad_edge=False)
    for heading in ("in use", "version", "name", "dev map", "commit", "note"):
        table.add_column(heading)
    # A folder that ROSTRUM_MODELS names has to be begun; what is shipped does not stand in for it.
    in_use = registry.read_current() if registry.begun or settings.models is None else None
    for name in registry.list_names():
        table.add_row("*" if name == in_use else "", name, *map(safe, describe_version(registry, name)))
    console = open_output()
    console.print(f"versions: {registry.folder}", soft_wrap=True)
    console.print(table)
    if in_use is None:
        open_messages().print("nothing is in use there yet: rostrum models use shipped", soft_wrap=True)
    elif in_use not in registry.list_names():
        open_messages().print(f"{in_use} is in use and gone: rostrum models use shipped", soft_wrap=True)


@models.command()
@click.argument("version")
@click.option("--force", is_flag=True, help="Put it in use even if saved drafts lose their top results.")
def use(version: str, force: bool) -> None:
    """Put VERSION in use, after validating its files against their manifest.

    If drafts are saved, their top results are compared first (`rostrum canary`).

    \b
    Example:
      rostrum models use shipped
    """
    from rostrum.cli.canary import compare_weights, record_models

    registry = open_registry()
    if not force and version in registry.list_names() and version != registry.read_current():
        compare_weights(registry.locate(version), version)
    registry.use(version)
    record_models(version)
    open_output().print(f"in use: {version}", soft_wrap=True)


@models.command()
def rollback() -> None:
    """Put the previous version back in use.

    \b
    Example:
      rostrum models rollback
    """
    from rostrum.cli.canary import record_models

    version = open_registry().rollback()
    record_models(version)
    open_output().print(f"in use: {version}", soft_wrap=True)


@models.command()
@click.argument("candidate", type=FOLDER)
@click.option(
    "--pairs",
    type=FILE,
    required=True,
    help="File of pairs to judge by, such as dev.",
)
@click.option(
    "--documents", type=FILE, required=True, help=("File of the transcripts that the pairs refer to.")
)
@click.option("--name", help="Name of the version; default: the name in the manifest.")
@click.option("--limit", type=click.IntRange(1), help="Number of rows, sampled at random; all by default.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample.")
@click.option(
    "--judged",
    type=PathType(file_okay=False),
    help="Folder for judged rows, so that an interrupted run can be resumed.",
)
@click.option("--force", metavar="REASON", help="Publish even if not proven better; this reason is recorded.")
def publish(
    candidate: Path,
    pairs: Path,
    documents: Path,
    name: str | None,
    limit: int | None,
    seed: int,
    judged: Path | None,
    force: str | None,
) -> None:
    """Put the models in the folder CANDIDATE in use if they are better than those in use.

    Both judge the same PAIRS. They are compared four times. Two comparisons use mean average precision: one
    with fusions refitted on half of the speeches and judged on the other half, in turn; one with the fusions
    as they are, on rows on which none was fitted. The others use F1 and exact matches of spans. The candidate
    is better if one comparison proves it (p < 0.05 by a paired permutation test, corrected for four). Also,
    with its own fusion it must not rank worse, and its spans must not be proven worse. The exit code is 1 if
    it is not better.

    \b
    Example:
      rostrum models publish runs/mine/models --pairs pairs-dev.jsonl.gz --documents documents.jsonl.gz
    """
    from evaluation.gate import compare
    from reranker.models.weights import hash_file
    from rostrum.assemble import open_models
    from rostrum.cli.canary import compare_weights, record_models

    if force is not None and not force.strip():
        raise BadInput("--force needs a reason: it is kept in the manifest", field="force")
    settings, registry, remarks = load_settings(), open_registry(), open_messages()
    in_use = registry.read_current()
    ours, theirs = (
        open_models(replace(settings, models=folder), threads=settings.threads)
        for folder in (candidate, registry.locate(in_use))
    )
    name = name or ours.manifest.name
    registry.check_new(name)
    sources = {"pairs": hash_file(pairs), "documents": hash_file(documents)}
    with remarks.status("") as shown:
        verdict = compare(
            ours, theirs, pairs, documents, limit=limit, seed=seed, keep=judged,
            tell=lambda what, done, of: shown.update(f"{what}: row {done} of {of}"),
        )  # fmt: skip
    open_output().print(str(verdict), soft_wrap=True)
    if not verdict.better and force is None:
        remarks.print(f"refused: {verdict.refusal}; --force REASON publishes it all the same", soft_wrap=True)
        raise click.exceptions.Exit(1)
    if force is None:
        compare_weights(candidate, name)
    published = {"over": in_use, **asdict(verdict), **sources} | ({} if verdict.better else {"forced": force})
    registry.publish(ours.manifest, name, {"published": published}, in_use)
    record_models(name)
    open_output().print(f"in use: {name}", soft_wrap=True)


def open_registry() -> Registry:
    """Return the registry of this installation, which stores the versions of the models."""
    from archive.model_registry import Registry

    settings = load_settings()
    return Registry(settings.models or settings.data / "models")


def describe_version(registry: Registry, version: str) -> tuple[str, str, str, str]:
    """Return four columns about a version of the models: name, score on the development set, commit and note.

    The note says why the version cannot be read, or why it was put in use without proof that it is better.
    """
    from reranker.models.weights import read_manifest

    try:
        manifest = read_manifest(registry.locate(version)).content
    except ModelError as error:
        return "-", "-", "-", str(error)
    commit = str(manifest.get("commit") or manifest.get("version") or "-")[:12]
    forced = _get_path(manifest, "published", "forced")
    return (
        str(manifest["name"]),
        str(_get_path(manifest, "figures", "dev", "ranking", "model", "map") or "-"),
        commit,
        (f"published without proof: {forced}" if forced else ""),
    )


def _get_path(values: Any, *path: str) -> Any:
    """Return a value of a nested dict: `_get_path(values, "a", "b")` is `values["a"]["b"]`.

    Return `None` if there is no such value.
    """
    for key in path:
        values = values.get(key) if isinstance(values, dict) else None
    return values
