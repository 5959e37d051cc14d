"""`rostrum verify`: check whether quotations are what was said, and by whom, and what their cuts omit."""

from __future__ import annotations

import getpass
import json
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.text import Text

from jobs.drafts import read_draft
from jobs.moments import format_clock, link_moment
from jobs.verify.quote_lists import read_quotes
from jobs.verify.records import RunFacts, describe_difference, write_record
from jobs.verify.watch import (
    WatchedChange,
    WatchState,
    find_changes,
    has_words,
    keep_quotes,
    read_state,
    write_state,
)
from quotations.text.markup import remove_markup
from rostrum.cli.options import TEXT, PathType, archive_option, open_client, open_service, url_option
from rostrum.cli.targets import refuse_input_as_target
from rostrum.cli.terminal import has_colours, open_messages, open_output, safe
from rostrum_core.errors import BadInput
from rostrum_core.quote_checks import (
    QuoteCheck,
    QuotePlace,
    QuoteRow,
    Verdict,
    Verification,
    sort_gravest_first,
)

if TYPE_CHECKING:
    from archive.service import Service
    from rostrum.client import Client

GOOD = (Verdict.VERBATIM, Verdict.EDITED)
COLOURS = {Verdict.VERBATIM: "green", Verdict.EDITED: "green", Verdict.CANNOT_BE_CHECKED: "dim"}


@click.command(short_help="Check every quotation: words, speaker and cut.")
@click.argument("draft", required=False, type=PathType(allow_dash=True))
@click.option(
    "--quotes",
    type=PathType(allow_dash=True),
    help="List of quotations instead of a DRAFT: JSON lines, CSV, or one quotation per line.",
)
@click.option(
    "--date",
    "printed_on",
    type=TEXT,
    metavar="DAY",
    help="Day on which the DRAFT is printed, to resolve “on Tuesday”.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per quotation and line.")
@click.option(
    "--record", type=PathType(dir_okay=False), help="File for the record of the run: .json, .csv or .html."
)
@click.option(
    "--watch",
    type=PathType(exists=True, file_okay=False),
    metavar="FOLDER",
    help="Folder of printed articles; print the quotations whose verdict a refresh has changed.",
)
@click.option("--strict", is_flag=True, help="Exit code 1 unless every quotation is verbatim or edited.")
@archive_option
@url_option
def verify(
    draft: Path | None,
    quotes: Path | None,
    printed_on: str | None,
    as_json: bool,
    record: Path | None,
    watch: Path | None,
    strict: bool,
    archive: Path | None,
    url: str | None,
) -> None:
    """Check every quotation: whether it was said in these words and by this person, and what the cut omits.

    DRAFT has the formats of `rostrum recommend`. A list has a quote in each row, and optionally id, speaker
    and date (the day, month or year of the speech). The gravest verdicts come first, except for a list with
    --json, which keeps the order of its rows.

    \b
    Example:
      rostrum verify article.md --record check.html
      rostrum verify --quotes rows.jsonl --json
    """
    if sum(provided is not None for provided in (draft, quotes, watch)) != 1:
        raise BadInput("give a DRAFT, --quotes or --watch, one of them")
    if watch is not None and (strict or as_json or record is not None):
        raise BadInput("--watch takes none of --strict, --record and --json", field="watch")
    refuse_input_as_target(record, draft, quotes, field="record")
    jobs = open_client(url, archive) if url else open_service(archive)
    if watch is not None:
        _watch(watch, jobs, open_output())
        return
    verification = _verify(jobs, draft, quotes, printed_on, open_messages())
    if as_json:
        for check in verification.checks:
            open_output().print(json.dumps(check.build_line(), ensure_ascii=False), soft_wrap=True)
    else:
        print_verification(verification, open_output())
    for stage in verification.degraded:
        open_messages().print(f"degraded: {stage}", style="yellow", soft_wrap=True)
    if record is not None:
        write_record(record, verification, _collect_facts(draft or quotes))
    if strict and any(check.verdict not in GOOD for check in verification.checks):
        raise click.exceptions.Exit(1)


def _verify(
    jobs: Service | Client, draft: Path | None, quotes: Path | None, printed_on: str | None, console: Console
) -> Verification:
    if draft is not None:
        return jobs.verify_draft(read_draft(draft, printed_on, keep_marks=True))
    rows = read_quotes(quotes) if quotes is not None else []
    return _verify_rows(jobs, rows, console)


def _verify_rows(jobs: Service | Client, rows: Sequence[QuoteRow], console: Console) -> Verification:
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=len(rows))
        return jobs.verify(rows, progress=lambda done: bar.update(task, completed=done))


def _collect_facts(checked: Path | None) -> RunFacts:
    try:
        who = getpass.getuser()
    except (OSError, KeyError):  # a container may know no name for its user
        who = "unknown"
    at = datetime.now().astimezone().isoformat(timespec="seconds")
    return RunFacts(who, at, str(checked or ""), version("rostrum-quotes"))


def print_verification(verification: Verification, console: Console) -> None:
    """Print the checks of quotations, the gravest verdicts first, and the number of checks by verdict."""
    for check in sort_gravest_first(verification.checks):
        _print_check(check, console)
    counted = [f"{count} {name}" for name, count in verification.count_verdicts().items() if count]
    console.print(", ".join(counted).replace("_", " ") or "No quotation in it.", soft_wrap=True)


def _print_check(check: QuoteCheck, console: Console) -> None:
    style = COLOURS.get(check.verdict, "bold red") if has_colours(console) else ""
    head = Text.assemble(
        (check.verdict.value.replace("_", " ").upper(), style), f"  “{safe(check.row.quote)}”"
    )
    console.print(head, soft_wrap=True)
    lines = [warning.message for warning in check.warnings]
    lines += [describe_difference(difference) for difference in check.differences]
    if check.place and check.verdict is not Verdict.VERBATIM:
        parts = ("source:", check.before, f"»{check.place.words}«", check.after)
        lines.append(" ".join(filter(None, parts)))
    if check.suggestion:
        lines.append(f"fair: “{check.suggestion}”" if check.verdict is Verdict.OUT_OF_CONTEXT else "")
    lines += [f"- {describe_place(place)}" for place in check.places]
    for line in filter(None, lines):
        console.print(f"    {safe(remove_markup(line))}", soft_wrap=True)
    console.print()


def describe_place(place: QuotePlace) -> str:
    """Return the speaker, title and date of a place, with its link and the arguments for `rostrum show`.

    >>> place = QuotePlace("g", 0, 0, 4, 0, 4, "Four", "Gettysburg Address", "Abraham Lincoln", "1863-11-19")
    >>> describe_place(place)
    'Abraham Lincoln, Gettysburg Address, 1863-11-19 [g, 1]'
    """
    moment = None if place.start_s is None else f"at {format_clock(place.start_s)}"
    url = link_moment(place.url, place.start_s) if place.url and place.start_s is not None else place.url
    details = ", ".join(part for part in (place.speaker, place.title, place.spoken_on, moment, url) if part)
    return f"{details} [{place.document}, {place.paragraph + 1}]"


def _watch(folder: Path, jobs: Service | Client, console: Console) -> None:
    """Check the quotations in the articles of a folder, and print the verdicts that changed since the last
    run.

    Store the new verdicts in the folder for the next run.
    """
    before = read_state(folder)
    quotes, articles, generation = [], [], None
    for path in sorted(
        item for item in folder.rglob("*") if item.is_file() and not item.name.startswith(".")
    ):
        try:
            verification = jobs.verify_draft(read_draft(path, keep_marks=True))
        except BadInput as error:
            open_messages().print(f"passed over: {safe(str(error))}", style="yellow", soft_wrap=True)
            continue
        generation = verification.generation
        articles.append(path.relative_to(folder).as_posix())
        quotes += keep_quotes(articles[-1], verification.checks)
    is_said = partial(_is_said, jobs)
    for change in find_changes(before.quotes if before else (), quotes, articles, is_said):
        console.print(safe(_describe_change(change)), soft_wrap=True)
    console.print(f"{len(quotes):,} quotations of {len(articles):,} articles under watch", soft_wrap=True)
    write_state(folder, WatchState(generation, tuple(quotes), tuple(articles)))


def _is_said(jobs: Service | Client, document: str, words: str) -> bool:
    """Return whether a document is in the archive and contains certain words in a row."""
    from rostrum.client import Client, NotFound

    if isinstance(jobs, Client):
        try:
            paragraphs = jobs.get(document).paragraphs
        except NotFound:
            return False
    else:
        speech = jobs.store.get(document)
        paragraphs = speech[1] if speech else ()
    return has_words([item.text for item in paragraphs], words)


def _describe_change(change: WatchedChange) -> str:
    was = change.before.verdict.replace("_", " ")
    now = change.after.verdict.replace("_", " ") if change.after else "gone"
    return f"{change.before.article}: “{change.before.quote}” was {was}, is {now}: {change.reason}"
