"""`rostrum documents`: list the speeches of an archive."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import asdict
from pathlib import Path

import click
from rich.cells import cell_len

from jobs.filters import check_speakers, is_selected
from rostrum.cli.options import add_filter_options, archive_option, load_settings, open_client, url_option
from rostrum.cli.terminal import count as number_of
from rostrum.cli.terminal import fit_cells, open_messages, open_output, safe
from rostrum_core.types import DocumentInfo, Filter

UNKNOWN = "-"
WIDTHS = (10, 6, 26)
"""Widths of the columns for date, number of paragraphs and speaker on a terminal."""

TITLE_WIDTHS = (16, 60)
"""Minimum and maximum width of the column for titles."""

MISSING = ("speaker", "date")


@click.command(short_help="List the speeches of the archive.")
@add_filter_options
@click.option(
    "--missing",
    type=click.Choice(MISSING),
    multiple=True,
    help="Only speeches that lack this; can be repeated.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line, with all metadata.")
@archive_option
@url_option
def documents(
    chosen: Filter,
    missing: tuple[str, ...],
    as_json: bool,
    archive: Path | None,
    url: str | None,
) -> None:
    """List the speeches of the archive, ordered by id.

    On a terminal, columns are aligned and the id is last. In a pipe, each line has id, date, number of
    paragraphs, speaker and title, separated by tabs. `-` stands for an unknown value. If an option is
    repeated, any of its values may match.

    \b
    Example:
      rostrum documents --speaker "John F. Kennedy" | cut -f1
    """
    count, others = 0, list[DocumentInfo]()
    console = open_output()
    show = (lambda info: align_row(info, console.width)) if console.is_terminal else format_line
    for info in _list_all(archive, url):
        if is_selected(info, chosen) and is_incomplete(info, missing):
            click.echo(json.dumps(asdict(info)) if as_json else show(info))
            count += 1
        elif chosen.speakers and not count:
            others.append(info)
    open_messages().print(number_of(count, "document"))
    if not count:
        check_speakers(others, chosen)


def is_incomplete(info: DocumentInfo, missing: Collection[str]) -> bool:
    """Return whether a document lacks at least one of the fields `missing`; true if `missing` is empty.

    >>> is_incomplete(DocumentInfo("g", "Address", speakers=("Lincoln",)), ["speaker"])
    False
    >>> is_incomplete(DocumentInfo("g", "Address", speakers=("Lincoln",)), ["speaker", "date"])
    True
    """
    unknown = {"speaker": not info.speakers, "date": not info.spoken_on}
    return not missing or any(unknown[name] for name in missing)


def format_line(info: DocumentInfo) -> str:
    r"""Return id, date, number of paragraphs, speaker and title of a document, separated by tabs.

    An unknown value is printed as `-`.

    >>> format_line(DocumentInfo("g", "Gettysburg Address", "Abraham Lincoln", paragraphs=10))
    'g\t-\t10\tAbraham Lincoln\tGettysburg Address'
    """
    columns = (info.id, info.spoken_on, str(info.paragraphs), info.speaker, info.title)
    return "\t".join(safe(column) if column else UNKNOWN for column in columns)


def align_row(info: DocumentInfo, width: int) -> str:
    """Return the metadata of a document as one row of aligned columns, for a terminal of `width` columns.

    Long values are cut, except for the id, which comes last.

    >>> align_row(DocumentInfo("g", "Gettysburg Address", "Abraham Lincoln", paragraphs=10), 80)
    '-               10  Abraham Lincoln             Gettysburg Address             g'
    """
    day, number, speaker = WIDTHS
    least, most = TITLE_WIDTHS
    room = width - sum(WIDTHS) - 2 * (len(WIDTHS) + 1) - min(cell_len(info.id), width // 4)
    cells = (
        fit_cells(info.spoken_on or UNKNOWN, day),
        f"{info.paragraphs:>{number},}",
        fit_cells(info.speaker or UNKNOWN, speaker),
        fit_cells(info.title or UNKNOWN, max(least, min(room, most))),
        safe(info.id),
    )
    return "  ".join(cells)


def _list_all(archive: Path | None, url: str | None) -> Iterable[DocumentInfo]:
    if url:
        return open_client(url, archive).documents()
    from rostrum.assemble import open_store

    return open_store(load_settings(archive)).documents()
