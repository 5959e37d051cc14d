"""`rostrum evaluate`: measure how well the models find the paragraphs and words that articles quoted."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from rostrum.cli.cache import keep_fonts
from rostrum.cli.options import PathType, load_settings
from rostrum.cli.terminal import open_messages, open_output

FILE = PathType(exists=True, dir_okay=False)
FOLDER = PathType(file_okay=False)


@click.command(short_help="Measure ranking and spans over aligned quotations.")
@click.argument("pairs", type=FILE)
@click.option(
    "--documents", type=FILE, required=True, help=("File of the transcripts: JSON lines, plain or gzip.")
)
@click.option("--limit", type=click.IntRange(1), help="Number of rows, sampled at random; all by default.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the sample.")
@click.option(
    "--archive", type=FOLDER, help=("Also measure over this archive, which must contain the transcripts.")
)
@click.option("--ablations", is_flag=True, help="Also judge the drafts without title, and with less context.")
@click.option(
    "--draft-parts",
    is_flag=True,
    help=(
        "Also judge the drafts with the beginning of the quoting sentence, and with the text after the quote."
    ),
)
@click.option(
    "--judged", type=FOLDER, help=("Folder for judged rows, so that an interrupted run can be resumed.")
)
@click.option(
    "--report", type=FOLDER, help=("Folder for a report with plots and worst cases, as HTML and Markdown.")
)
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON.")
def evaluate(
    pairs: Path,
    documents: Path,
    limit: int | None,
    seed: int,
    archive: Path | None,
    ablations: bool,
    draft_parts: bool,
    judged: Path | None,
    report: Path | None,
    as_json: bool,
) -> None:
    """Measure ranking and spans over PAIRS, quotations aligned to paragraphs of transcripts, in percent.

    PAIRS are JSON lines, plain or gzip. All paragraphs of the quoted transcript are ranked. With --archive,
    paragraphs of the whole archive are ranked, too: without and with the day of the draft, only earlier ones,
    only those of the 30 days before publication, and only those of the source.

    A report contains text of drafts and speeches; publish it only if you may publish these texts.

    \b
    Example:
      rostrum evaluate pairs-test.jsonl.gz --documents documents.jsonl.gz --limit 200 --report report
    """
    from evaluation.evaluate import Evaluator
    from evaluation.naming import name_all
    from rostrum.assemble import assemble, open_models

    if report:
        keep_fonts()
        from evaluation.report import begin_report, write_report

        begin_report(report)  # fail before hours of judging if it cannot be written
    settings, remarks = load_settings(archive), open_messages()
    service = assemble(settings) if archive else None
    models = service.models if service else open_models(settings, threads=settings.threads)
    with remarks.status("") as shown:
        evaluator = Evaluator(
            pairs,
            documents,
            models,
            limit=limit,
            seed=seed,
            keep=judged,
            tell=lambda what, done, of: shown.update(f"{what}: {done} of {of}"),
        )
        evaluation = evaluator.evaluate(service=service, ablated=ablations, parts=draft_parts)
    if evaluator.learned:
        message = f"{evaluator.learned} rows quote speeches that {models.manifest.name} was trained on"
        remarks.print(f"{message}: figures are flattered", style="yellow", soft_wrap=True)
    if evaluator.fitted:
        message = f"on {evaluator.fitted} rows the fusion of {models.manifest.name} was fitted"
        remarks.print(f"{message}: figures are slightly flattered", style="yellow", soft_wrap=True)
    if as_json:
        open_output().print(json.dumps(evaluation.figures, indent=2), soft_wrap=True)
    else:
        print_figures(name_all(evaluation.figures), open_output())
    if report:
        remarks.print(f"wrote {write_report(evaluation, report)}")


PROBABILITIES = ("p", "p_values")


def print_figures(figures: Mapping[str, Any], console: Console) -> None:
    """Print the results of an evaluation: a table for each group of figures, then the single figures.

    A value of `figures` is a single figure, or a group: a dict that maps each compared system to its figures.
    """
    alone = {name: value for name, value in figures.items() if not isinstance(value, dict)}
    for group, rows in figures.items():
        if isinstance(rows, dict):
            console.print(build_table(group, rows))
            console.print()
    console.print(", ".join(f"{name} {value}" for name, value in alone.items()), soft_wrap=True)


def build_table(group: str, rows: Mapping[str, Mapping[str, float]]) -> Table:
    """Return a table of one group of figures, with a row for each compared system and a column for each
    figure.
    """
    made = Table(box=None, pad_edge=False)
    made.add_column(group)
    columns = list(dict.fromkeys(name for figures in rows.values() for name in figures))
    for name in columns:
        made.add_column(name, justify="right")
    for system, figures in rows.items():
        cells = (
            _format_cell(figures[name], {group, system, name}) if name in figures else "-" for name in columns
        )
        made.add_row(system, *cells)
    return made


def _format_cell(value: float, named: set[str]) -> str:
    if isinstance(value, int):  # a count
        return f"{value:,}"
    return f"{value:.4f}" if named.intersection(PROBABILITIES) else f"{value:.2f}"
