"""`rostrum index`: index transcripts."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.console import Console

from indexer.dead_letters import DEAD_LETTERS, DeadLetters
from indexer.metadata import READ_NAMES
from rostrum.cli.options import TEXT, AddOption, PathType, archive_option, load_settings, read_fields
from rostrum.cli.terminal import open_messages, open_output, safe
from rostrum_core.archive_names import choose_archive
from rostrum_core.companions import ARTICLES
from rostrum_core.errors import TranscriptError
from rostrum_core.file_kinds import KINDS
from rostrum_core.refresh_jobs import Reasons, RefreshOutcome

kind_option: AddOption = click.option(
    "--kind",
    type=click.Choice(KINDS),
    help="Format of every file, whatever its name.",
)

mirror_option: AddOption = click.option(
    "--mirror", is_flag=True, help="Delete speeches that are not in PATHS, unless an input was refused."
)
fresh_option: AddOption = click.option("--fresh", is_flag=True, help="Start from an empty archive.")
map_option: AddOption = click.option(
    "--map",
    "mapped",
    multiple=True,
    metavar="NAME=FIELD",
    help="Read the column or field FIELD as NAME, such as text=body.",
)


@click.command(short_help="Read transcripts into the archive.")
@click.argument("paths", nargs=-1, required=True, type=PathType(allow_dash=True))
@archive_option
@kind_option
@mirror_option
@fresh_option
@click.option(
    "--rules",
    type=PathType(dir_okay=False),
    metavar="FILE",
    help="File of boilerplate rules, in addition to the shipped ones; default: ROSTRUM_RULES.",
)
@map_option
@click.option(
    "--dead-letters",
    type=PathType(dir_okay=False),
    metavar="FILE",
    help=f"File for refused inputs and the reasons; default: {DEAD_LETTERS} in the archive's folder.",
)
@click.option(
    "--as",
    "name",
    type=TEXT,
    metavar="NAME",
    help=f"Fill the archive of this name instead, such as {ARTICLES} (printed articles for `recommend`).",
)
@click.option(
    "--verbose", "-v", is_flag=True, help=("Print the name of each file and speech on standard error.")
)
@click.option("--dry-run", is_flag=True, help="Print what would be done, without writing anything.")
def index(
    paths: tuple[Path, ...],
    archive: Path | None,
    kind: str | None,
    mirror: bool,
    fresh: bool,
    rules: Path | None,
    mapped: tuple[str, ...],
    dead_letters: Path | None,
    name: str | None,
    verbose: bool,
    dry_run: bool,
) -> None:
    """Read transcripts from files and folders into the archive; `-` is standard input and needs --kind.

    A repeated run encodes only paragraphs with a new text. If a run is interrupted, the published archive
    stays unchanged, and the next run resumes it. The exit code is 1 if an input was refused; the other inputs
    are still indexed.

    \b
    Example:
      rostrum index speeches/ --mirror
      rostrum index articles.jsonl --as articles
    """
    from archive import index_files
    from archive.quote_lists import check_archive_name
    from archive.refresh import RefreshOptions
    from rostrum.assemble import assemble
    from rostrum.cli.indexing import show_progress

    main = load_settings(archive)
    if name is not None:
        check_archive_name(main, name)
    settings = choose_archive(main, name)
    letters = DeadLetters(dead_letters or settings.archive / DEAD_LETTERS, print_unwritten)
    if dry_run and not dead_letters:
        letters = PrintedLetters(letters.path)
    fields, service = read_fields(mapped, READ_NAMES), assemble(settings)
    with show_progress(service, paths, letters, main_archive=main.archive, verbose=verbose) as observer:
        report = index_files.index(
            service,
            paths,
            letters,
            kind=kind,
            rules=rules or settings.rules,
            fields=fields,
            options=RefreshOptions(fresh=fresh, mirror=mirror),
            observer=observer,
            dry_run=dry_run,
            main_archive=main.archive,
        )
    where = "see above" if isinstance(letters, PrintedLetters) else f"see {letters.path.absolute()}"
    print_outcome(
        index_files.build_outcome(report, letters), where, open_output(), mirror=mirror, dry_run=dry_run
    )
    if report.refused:
        raise click.exceptions.Exit(1)


def print_unwritten(letter: TranscriptError, why: OSError) -> None:
    """Print a dead letter (a refused input with the reason) that could not be written to its file."""
    open_messages().print(f"{safe(str(letter))} (dead letters: {why.strerror or why})", soft_wrap=True)


class PrintedLetters(DeadLetters):
    """Count the dead letters (refused inputs with the reasons) of a dry run, and print them.

    They are printed on standard error, because a dry run writes no file.
    """

    def _begin(self) -> None:
        """Do nothing, so that the file with the dead letters of the previous run stays unchanged."""

    def _append(self, line: bytes) -> None:
        letter = json.loads(line)
        place = letter["file"] if letter["line"] is None else f"{letter['file']}:{letter['line']}"
        open_messages().print(safe(f"{letter['class']}: {place}: {letter['reason']}"), soft_wrap=True)


def print_outcome(
    outcome: RefreshOutcome, where: str, console: Console, *, mirror: bool = False, dry_run: bool = False
) -> None:
    """Print the result of an index run: numbers of documents, paragraphs and refused inputs, and the
    generation.

    If `mirror` is set and an input was refused, also print that nothing was deleted. `where` says where the
    dead letters (refused inputs with the reasons) are.
    """
    report = outcome.report
    documents = ("added", "replaced", "renewed", "unchanged", "deleted", "repeated")
    counts = [f"{getattr(report, name):,} {name}" for name in documents if getattr(report, name)]
    lines = [f"documents: {', '.join(counts) or 'none'}"]
    if report.paragraphs and dry_run:
        lines.append(f"paragraphs: {report.paragraphs:,} to write")
    elif report.paragraphs:
        reused = f"{report.encoded:,} encoded, {report.reused:,} reused"
        lines.append(f"paragraphs: {report.paragraphs:,} written, {reused}")
    lines += _describe_missing(outcome)
    classes = (
        ("refused", outcome.reasons),
        ("passed over", outcome.passed_over),
        ("read with a remark", outcome.remarks),
    )
    letters = [_format_reasons(name, reasons) for name, reasons in classes if reasons]
    if letters:
        lines += [*letters[:-1], f"{letters[-1]}; {where}"]
    if report.refused and mirror:
        lines.append("nothing was deleted: what was refused may be a speech that is still there")
    if report.canary:
        lines.append(safe(report.canary))
    state = f"published {report.generation}" if report.generation else "nothing changed"
    state = "dry run: nothing was written" if dry_run else state
    for line in [*lines, f"{state} after {report.elapsed_s:.1f} s"]:
        console.print(line, soft_wrap=True)


def _describe_missing(outcome: RefreshOutcome) -> list[str]:
    """Return a list with one line: how many speeches lack a speaker or a date, and the command that lists
    them.

    The list is empty if no speech lacks them.
    """
    counted = (("speaker", outcome.report.without_speaker), ("date", outcome.report.without_date))
    missing = [(name, count) for name, count in counted if count]
    if not missing:
        return []
    counts = ", ".join(f"{count:,} without a {name}" for name, count in missing)
    options = " ".join(f"--missing {name}" for name, _ in missing)
    return [f"speeches: {counts}; list them with rostrum documents {options}"]


def _format_reasons(name: str, reasons: Reasons) -> str:
    total = sum(count for count, _ in reasons)
    return f"{total:,} {name}: {', '.join(f'{count:,} {safe(reason)}' for count, reason in reasons)}"
