"""`rostrum evaluate`: the figures of the models over aligned quotations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from rostrum.cli.options import settings_of
from rostrum.cli.terminal import messages, output

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command()
@click.argument("pairs", type=FILE)
@click.option("--documents", type=FILE, required=True, help="The transcripts, JSON lines, gzip or plain.")
@click.option("--limit", type=click.IntRange(1), help="So many rows only, drawn at random.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of that draw.")
@click.option("--json", "as_json", is_flag=True, help="The figures as JSON.")
def evaluate(pairs: Path, documents: Path, limit: int | None, seed: int, as_json: bool) -> None:
    """Measures ranking and spans over PAIRS, quotations aligned to paragraphs of transcripts, in percent.

    PAIRS are JSON lines, gzip or plain. All paragraphs of the quoted transcript are ranked; the archive is
    not used.

    \b
    Example:
      rostrum evaluate pairs-test.jsonl.gz --documents documents.jsonl.gz --limit 200
    """
    from rostrum.service.assemble import open_models
    from rostrum.training.evaluation import evaluate as measured

    settings, remarks = settings_of(), messages()
    models = open_models(settings, threads=settings.threads)
    with remarks.status("") as shown:
        found = measured(
            pairs, documents, models, limit=limit, seed=seed, tell=lambda n, of: shown.update(f"{n} of {of}")
        )
    if as_json:
        output().print(json.dumps(found, indent=2), soft_wrap=True)
    else:
        print_figures(found, output())


def print_figures(found: dict[str, Any], console: Console) -> None:
    """A table for each group of figures, and what stands alone below."""
    alone = {name: value for name, value in found.items() if not isinstance(value, dict)}
    for group, systems in found.items():
        if isinstance(systems, dict):
            console.print(table(group, systems))
            console.print()
    console.print(", ".join(f"{name} {value}" for name, value in alone.items()), soft_wrap=True)


def table(group: str, systems: dict[str, dict[str, float]]) -> Table:
    """One row for each system, one column for each of its figures."""
    made = Table(box=None, pad_edge=False)
    made.add_column(group)
    columns = list(dict.fromkeys(name for figures in systems.values() for name in figures))
    for name in columns:
        made.add_column(name, justify="right")
    for system, figures in systems.items():
        made.add_row(system, *(f"{figures[name]:.2f}" if name in figures else "-" for name in columns))
    return made
