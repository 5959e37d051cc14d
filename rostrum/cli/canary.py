"""`rostrum canary`: save drafts, and check how new models or a new state of the archive change their results.

The top results of the drafts are compared before the models or the archive are published.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.table import Table

from archive.canary.comparison import TOP, Comparison, DraftChange
from archive.canary.saved_drafts import SavedDraft, SavedDrafts
from jobs.drafts import read_draft
from jobs.filters import check_known, check_speakers
from rostrum.cli.answers import print_json
from rostrum.cli.options import TEXT, add_draft_options, add_filter_options, archive_option, load_settings
from rostrum.cli.terminal import count, open_messages, open_output, safe
from rostrum_core.errors import BadInput, RostrumError
from rostrum_core.types import Draft, Filter

if TYPE_CHECKING:
    from archive.service import Service

WORDS = 60


@click.group(short_help="Save drafts, and compare their results before a publication.")
def canary() -> None:
    """Save drafts, and compare their top results before a generation or models are published.

    ROSTRUM_CANARY says what happens if a draft loses most of its top results: warn (the default), block or
    off.

    \b
    Example:
      rostrum canary save moon draft.md
    """


@canary.command()
@click.argument("name")
@add_draft_options
@click.option(
    "--expect",
    type=TEXT,
    multiple=True,
    metavar="ID",
    help="Id of a speech that must be among the top results.",
)
@add_filter_options
@archive_option
def save(
    name: str,
    file: Path | None,
    parts: Draft,
    expect: tuple[str, ...],
    chosen: Filter,
    archive: Path | None,
) -> None:
    """Save a draft under NAME, replacing one of that name. FILE has the formats of `rostrum recommend`.

    \b
    Example:
      rostrum canary save moon draft.md --expect 1962-09-12-address-space-effort
    """
    from jobs.recommend.job import check_draft
    from rostrum.assemble import open_store

    settings = load_settings(archive)
    draft, store = _read_draft(file, parts), open_store(settings)
    check_draft(draft)
    check_known(store, replace(chosen, documents=expect))
    check_speakers(store.documents() if chosen.speakers else (), chosen)
    SavedDrafts(settings.archive).save(SavedDraft(name, draft, chosen, expect))
    open_output().print(f"saved: {safe(name)}", soft_wrap=True)


@canary.command("list")
@archive_option
def list_drafts(archive: Path | None) -> None:
    """Print the saved drafts.

    \b
    Example:
      rostrum canary list
    """
    table = Table(box=None, pad_edge=False)
    for heading in ("name", "expects", "draft"):
        table.add_column(heading)
    for saved in SavedDrafts(load_settings(archive).archive).read():
        words = saved.draft.title or saved.draft.left
        table.add_row(safe(saved.name), safe(", ".join(saved.expect)) or "-", safe(words[:WORDS]))
    open_output().print(table if table.rows else "no draft is saved yet: rostrum canary save NAME FILE")


@canary.command()
@click.argument("name")
@archive_option
def remove(name: str, archive: Path | None) -> None:
    """Remove the saved draft NAME.

    \b
    Example:
      rostrum canary remove moon
    """
    SavedDrafts(load_settings(archive).archive).remove(name)
    open_output().print(f"removed: {safe(name)}", soft_wrap=True)


@canary.command()
@click.argument("generation", required=False)
@click.option(
    "--models", "version", type=TEXT, metavar="VERSION", help=("Compare with this version of the models.")
)
@click.option("--json", "as_json", is_flag=True, help="Print the comparison as JSON.")
@archive_option
def compare(generation: str | None, version: str | None, as_json: bool, archive: Path | None) -> None:
    """Compare readers' results with those over a ready GENERATION, or with those of other models.

    Nothing is published. The exit code is 1 if a draft lost too many top results, or an expected speech.

    \b
    Example:
      rostrum canary compare 000007
    """
    from archive.canary.check import compare_with_published
    from rostrum.assemble import assemble
    from rostrum.cli.models import open_registry

    settings = load_settings(archive)
    service, saved = assemble(settings), SavedDrafts(settings.archive)
    if (generation is None) == (version is None):
        raise BadInput("name a GENERATION or --models VERSION, one of the two")
    if not saved.read():
        raise BadInput("no draft is saved: rostrum canary save NAME FILE")
    if generation:
        candidate = service.view(generation)
    else:
        candidate = open_weights(service, open_registry().locate(version or ""))
    comparison, _ = compare_with_published(service, candidate, saved)
    if as_json:
        print_json(asdict(comparison) | {"passed": comparison.passed}, open_output())
    else:
        print_comparison(comparison, open_output())
    if not comparison.passed:
        raise click.exceptions.Exit(1)


def open_weights(service: Service, folder: Path) -> Service:
    """Return a service for the same archive as `service`, with the models in `folder`, run in this process.

    Raises:
        ModelError: the weights are damaged.
    """
    from archive.service import Service
    from rostrum.assemble import open_models
    from workers.runner.inline import InlineRunner

    settings = replace(service.settings, models=folder, redis_url=None)
    models = open_models(settings, threads=settings.threads)
    return Service(settings, service.store, InlineRunner(lambda: models), models)


def compare_weights(folder: Path, version: str) -> None:
    """Compare the saved drafts' top results from the models in use with those from the models in `folder`.

    Print a summary. Call this before the models in `folder` are put in use as the version `version`.

    Raises:
        Withheld: the setting `canary` is `block`, and a draft lost too many of its top results, or the drafts
            could not be compared.
        ModelError: the weights in `folder` are damaged.
    """
    from archive.canary.check import compare_safely
    from archive.canary.gate import has_canary
    from rostrum.assemble import assemble, open_store
    from rostrum_core.errors import Withheld

    settings = load_settings()
    try:
        service = assemble(settings) if has_canary(settings, open_store(settings)) else None
    except RostrumError as error:
        comparison = Comparison(None, None, reason=str(error))
    else:
        if service is None:
            return
        comparison, _ = compare_safely(service, open_weights(service, folder), SavedDrafts(settings.archive))
    open_messages().print(safe(comparison.describe()), soft_wrap=True)
    if settings.canary == "block" and not comparison.passed:
        raise Withheld(f"models {version} are not put in use: {comparison.describe()}", version)


def record_models(version: str) -> None:
    """Record in the archive's history which version of the models was put in use."""
    from archive.history import Event, History

    event = Event("models", "done", message=f"in use: {version}")
    History(load_settings().archive).append(event)


def print_comparison(comparison: Comparison, console: Console) -> None:
    """Print a line for each saved draft, followed by the top results that the draft lost and gained."""
    for change in comparison.changes:
        console.print(_describe(change), soft_wrap=True)
        for lost in change.lost:
            rank = f"now {lost.rank}" if lost.rank else "gone"
            place = "its speech was deleted" if lost.deleted else rank
            console.print(
                f"  - {_name(lost.result.document_id, lost.result.words)} ({place})", soft_wrap=True
            )
        for added in change.added:
            console.print(f"  + {_name(added.document_id, added.words)}", soft_wrap=True)
    console.print(safe(comparison.describe()), soft_wrap=True)


def _describe(change: DraftChange) -> str:
    state = "ok " if change.passed else "bad"
    missing = f"; expected and missing: {', '.join(change.missing)}" if change.missing else ""
    first = "" if change.is_first_kept else "; the first result is another"
    kept = f"keeps {change.kept} of its first {count(min(change.before, TOP), 'result')}"
    return safe(f"{state} {change.name}: {kept}{first}{missing}")


def _name(document_id: str, words: str) -> str:
    return safe(f"[{document_id}] {words[:WORDS]}")


def _read_draft(file: Path | None, draft: Draft) -> Draft:
    if (file is None) == (draft == Draft()):
        raise BadInput("give a FILE or --title, --left and --right, one of the two")
    return draft if file is None else read_draft(file)
