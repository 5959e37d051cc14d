"""`rostrum famous`: find the well-known quote that fits between two texts, and keep lists of quotes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from rich.console import Console

from rostrum.cli.options import (
    TEXT,
    PathType,
    archive_option,
    load_settings,
    open_client,
    open_service,
    url_option,
)
from rostrum.cli.targets import refuse_input_as_target
from rostrum.cli.terminal import count, open_messages, open_output, safe
from rostrum_core.errors import BadInput
from rostrum_core.famous_quotes import AttributionStatus, FamousAnswer, FamousQuote, QuoteFilter, RankedQuote

if TYPE_CHECKING:
    from jobs.famous.job import GapContext
    from jobs.famous.works import WorkCheck

LIMIT, BATCH_LIMIT = 5, 100
"""Number of quotes for one gap, and for each row of `--contexts`, unless `--limit` is set."""

LIST_FILES = (".jsonl", ".ndjson", ".json", ".csv", ".tsv")


@click.group(invoke_without_command=True, short_help="Find the well-known quote that fits a gap.")
@click.option(
    "--left", default="", help=("Text before the quote, or a text with [quote] in place of the quote.")
)
@click.option("--right", default="", help="Text after the quote.")
@click.option(
    "--draft",
    type=PathType(allow_dash=True),
    help="File of a draft, with [quote] in place of the missing quote.",
)
@click.option(
    "--contexts",
    type=PathType(allow_dash=True),
    help="File of many gaps: JSON lines with id, left and right.",
)
@click.option(
    "--list",
    "quotes",
    type=TEXT,
    metavar="NAME",
    help="Name of an indexed list, or a file (JSON lines or CSV); default: the shipped list.",
)
@click.option(
    "--author",
    "authors",
    type=TEXT,
    multiple=True,
    help="Only quotes by this author: a name or part of it; can be repeated.",
)
@click.option(
    "--tradition",
    "traditions",
    type=TEXT,
    multiple=True,
    help="Only quotes of this tradition; can be repeated.",
)
@click.option(
    "--status",
    "statuses",
    type=click.Choice([status.value for status in AttributionStatus]),
    multiple=True,
    help="Only quotes whose attribution has this status; can be repeated.",
)
@click.option("--min-words", type=click.IntRange(1), help="Minimum number of words of a quote.")
@click.option("--max-words", type=click.IntRange(1), help="Maximum number of words of a quote.")
@click.option(
    "--limit",
    type=click.IntRange(1, 1000),
    help=f"Quotes per gap (default: {LIMIT}, or {BATCH_LIMIT} with --contexts).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per gap and line.")
@archive_option
@url_option
@click.pass_context
def famous(
    context: click.Context,
    left: str,
    right: str,
    draft: Path | None,
    contexts: Path | None,
    quotes: str | None,
    authors: tuple[str, ...],
    traditions: tuple[str, ...],
    statuses: tuple[AttributionStatus, ...],
    min_words: int | None,
    max_words: int | None,
    limit: int | None,
    as_json: bool,
    archive: Path | None,
    url: str | None,
) -> None:
    """Find the well-known quote that fits between the text before a gap and the text after it.

    One side of the gap may be empty. Quotes come from the shipped list, or from a list of your own. If an
    option is repeated, any of its values may match.

    \b
    Example:
      rostrum famous --left "Do not despair, as the poet says:"
      rostrum famous --list quotes.csv --contexts rows.jsonl --json
    """
    if context.invoked_subcommand is not None:
        pass_on_archive(context, context.invoked_subcommand, archive)
        return
    gaps = read_gaps(left, right, draft, contexts)
    statuses = tuple(map(AttributionStatus, statuses))
    chosen = QuoteFilter(authors, traditions, statuses, min_words, max_words)
    limit = limit or (LIMIT if contexts is None else BATCH_LIMIT)
    if url:
        if quotes is not None and is_file(quotes):
            raise BadInput("a service has lists of its own: give --list the name of one", field="list")
        client = open_client(url, archive)
        answers = [
            client.famous(gap.left, gap.right, list_name=quotes, filter=chosen, limit=limit) for gap in gaps
        ]
    else:
        answers = answer_in_process(gaps, quotes, chosen, limit, archive)
    for gap, answer in zip(gaps, answers, strict=True):
        if as_json:
            open_output().print(json.dumps(make_line(gap.id, answer), ensure_ascii=False), soft_wrap=True)
        else:
            print_ranking(answer.quotes, open_output())
    if not any(answer.quotes for answer in answers):
        open_messages().print("no quote of the list passes the filter", soft_wrap=True)


@famous.command(short_help="Index a list of your own.")
@click.argument("quotes", metavar="LIST", type=PathType(exists=True, dir_okay=False))
@click.option("--name", type=TEXT, help="Name of the list; default: the name of the file.")
@archive_option
def index(quotes: Path, name: str | None, archive: Path | None) -> None:
    """Encode the quotes in LIST, and save them under a name, for `rostrum famous --list NAME`.

    LIST is JSON lines, or a table (`.csv`, `.tsv`) with a header row. A row has `text` and optionally `id`,
    `author`, `work`, `year`, `tradition`, `themes`, `status` and `provenance`, and in JSON lines `uses`:
    texts that quoted it before. A list of the same name is replaced once the new one is complete.

    \b
    Example:
      rostrum famous index quotes.csv --name proverbs
    """
    from jobs.famous.quote_list import read_quote_list, read_uses

    name = name or quotes.name.partition(".")[0].lower()
    listed = open_service(archive).lists.index(name, read_quote_list(quotes), read_uses(quotes))
    open_output().print(f"{count(len(listed.quotes), 'quote')}: rostrum famous --list {name}", soft_wrap=True)


@famous.command("lists", short_help="Print the names of the lists.")
@archive_option
def list_lists(archive: Path | None) -> None:
    """Print the names of the lists; the first is the shipped one.

    \b
    Example:
      rostrum famous lists
    """
    for name in open_service(archive).lists.list_names():
        open_output().print(name, soft_wrap=True)


@famous.command(short_help="Check a list against works that you have.")
@click.argument("quotes", metavar="LIST", type=PathType(exists=True, dir_okay=False))
@click.option(
    "--works",
    type=PathType(exists=True, file_okay=False),
    required=True,
    help="Folder of works; a subfolder with an author's name has the works of that author.",
)
@click.option(
    "--out",
    type=PathType(dir_okay=False),
    help="File for the list with the resulting status of each quote, as JSON lines.",
)
@click.option("--strict", is_flag=True, help="Exit code 1 if a quote is altered, misattributed or not found.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per quote and line.")
def verify(quotes: Path, works: Path, out: Path | None, strict: bool, as_json: bool) -> int:
    """Look up the quotes in LIST in works that you have, and print where they are.

    Verified: a work of the author has the words. Altered: it has them with changes. Misattributed: only
    another author's work has them. Not found: the author's works lack them. Unchecked: no work is certainly
    by the author.

    \b
    Example:
      rostrum famous verify quotes.csv --works library
    """
    from jobs.famous.quote_list import read_quote_list, read_uses
    from jobs.famous.works import WorkVerdict, apply_check

    refuse_input_as_target(out, quotes, field="out")
    listed = read_quote_list(quotes)
    checks = check_list(listed, works)
    for check in checks:
        if as_json:
            open_output().print(json.dumps(make_check(check), ensure_ascii=False), soft_wrap=True)
        else:
            print_check(check, open_output())
    verdicts = Counter(check.verdict for check in checks)
    open_messages().print(
        ", ".join(f"{verdicts[verdict]:,} {verdict.replace('_', ' ')}" for verdict in WorkVerdict),
        soft_wrap=True,
    )
    if out is not None:
        write_quotes(out, [apply_check(check) for check in checks], read_uses(quotes))
    faults = (WorkVerdict.ALTERED, WorkVerdict.MISATTRIBUTED, WorkVerdict.NOT_FOUND)
    return int(strict and any(verdicts[verdict] for verdict in faults))


def pass_on_archive(context: click.Context, name: str, archive: Path | None) -> None:
    """Make `archive` the default of the subcommand `name`, whose own option `--archive` overrides it.

    Raises:
        BadInput: another option stands before the subcommand, or the subcommand reads no archive.
    """
    accepted = {parameter.name for parameter in famous.commands[name].params} & {"archive"}
    for option in famous.params:
        is_set = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if is_set and option.name not in accepted:
            raise BadInput(f"{option.opts[0]} cannot stand before `{name}`")
    if archive is not None:
        context.default_map = {name: {"archive": archive}}


def read_gaps(left: str, right: str, draft: Path | None, contexts: Path | None) -> list[GapContext]:
    """Return the gaps that the options name: places in a text where a quote is missing.

    Raises:
        BadInput: not exactly one of text, draft and file of rows is named, a file cannot be read, or the file
            of rows is empty.
    """
    from jobs.drafts import read_draft
    from jobs.famous.job import make_gap
    from jobs.json_lines import read_id, read_json_lines, read_text

    if [bool(left or right), draft is not None, contexts is not None].count(True) != 1:
        raise BadInput("give --left or --right, or --draft, or --contexts alone")
    if draft is not None:
        parts = read_draft(draft)
        return [make_gap("1", parts.left, parts.right)]
    if contexts is None:
        return [make_gap("1", left, right)]
    gaps = []
    for number, row in enumerate(read_json_lines(contexts), 1):
        before, after = (read_text(row, name, f"{contexts}, row {number}") for name in ("left", "right"))
        gaps.append(make_gap(read_id(row, number), before, after))
    if not gaps:
        raise BadInput(f"{contexts}: no gap in it", field="contexts")
    return gaps


def is_file(quotes: str) -> bool:
    """Return whether the value of `--list` is a file, such as "quotes.csv", and not the name of an indexed
    list.
    """
    path = Path(quotes)
    return path.is_file() or path.suffix.lower() in LIST_FILES or len(path.parts) > 1


def answer_in_process(
    gaps: Sequence[GapContext], quotes: str | None, chosen: QuoteFilter, limit: int, archive: Path | None
) -> list[FamousAnswer]:
    """Return the quotes that fit each gap, best first, without calling a service over HTTP.

    The quotes come from `quotes`: an indexed list, a file, or the shipped list if it is `None`.
    """
    from jobs.famous.quote_list import encode_list, read_quote_list, read_uses

    service = open_service(archive)
    if quotes is None or not is_file(quotes):
        return service.famous_many(gaps, list_name=quotes, filter=chosen, limit=limit)
    path = Path(quotes)
    listed = encode_list(path.name, read_quote_list(path), service.lists.encoder, uses=read_uses(path))
    return service.famous_many(gaps, listed=listed, filter=chosen, limit=limit)


def check_list(listed: Sequence[FamousQuote], folder: Path) -> list[WorkCheck]:
    """Look up each quote of a list in the works in a folder, and return the result for each quote.

    Works that cannot be read are named on standard error.

    Raises:
        BadInput: the folder has no work that can be read.
    """
    from jobs.famous.works import Works, read_works
    from rostrum.assemble import open_models

    settings, errors = load_settings(), open_messages()
    pieces = open_models(settings, threads=settings.threads).wordpieces
    works = Works(
        [
            *read_works(
                folder,
                count_tokens=lambda text: len(pieces.tokenise([text])[0]),
                refused=lambda error: errors.print(safe(str(error)), soft_wrap=True),
            )
        ]
    )
    if not len(works):
        raise BadInput(f"{folder} has no work that can be read", field="works")
    return [works.check(quote) for quote in listed]


def write_quotes(path: Path, quotes: Sequence[FamousQuote], uses: Mapping[str, Sequence[str]]) -> None:
    """Write quotes as JSON lines, one object per quote, atomically and without empty fields.

    `uses` maps the id of a quote to texts that quoted it before.
    """
    from rostrum_core.whole_files import replace_file

    with replace_file(path) as part, part.open("w", encoding="utf-8") as lines:
        for quote in quotes:
            row = drop_empty(asdict(quote) | {"uses": uses.get(quote.id)})
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")


def drop_empty(fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields that have a value: without empty texts and `None`, but with zeros.

    >>> drop_empty({"author": "", "year": None, "paragraph": 0})
    {'paragraph': 0}
    """
    return {name: value for name, value in fields.items() if value not in ("", None)}


def make_line(identity: str, answer: FamousAnswer) -> dict[str, Any]:
    """Return the object that `--json` prints for one gap in a text: its id, and the ranked quotes."""
    rows = [
        {"id": ranked.quote.id, "score": round(ranked.score, 6), **asdict(ranked.quote)}
        for ranked in answer.quotes
    ]
    return {"id": identity, "quotes": rows}


def make_check(check: WorkCheck) -> dict[str, Any]:
    """Return the object that `--json` prints for a quote that was looked up in works: verdict, place and
    differences.
    """
    differences = [
        {"kind": item.kind, "quote": item.quoted, "work": item.spoken} for item in check.differences
    ]
    return {
        "id": check.quote.id,
        "verdict": check.verdict,
        "text": check.quote.text,
        "author": check.quote.author,
        "place": asdict(check.place) if check.place else None,
        "differences": differences,
    }


def print_ranking(ranking: Sequence[RankedQuote], console: Console) -> None:
    """Print ranked quotes, each with its score, author, work and year, and how certain its authorship is."""
    for ranked in ranking:
        quote = ranked.quote
        console.print(f"{ranked.rank:>3}. {ranked.score:.3f}  {safe(quote.text)}", soft_wrap=True)
        source = ", ".join(filter(None, (quote.author, quote.work, describe_year(quote.year))))
        status = quote.status + (f": {quote.provenance}" if quote.provenance else "")
        console.print(f"            {safe(f'{source} ({status})'.strip())}", soft_wrap=True)


def describe_year(year: int | None) -> str:
    """Return a year as text; a negative year is a year before Christ.

    >>> describe_year(1863), describe_year(-399), describe_year(None)
    ('1863', '399 BC', '')
    """
    return "" if year is None else str(year) if year > 0 else f"{-year} BC"


def print_check(check: WorkCheck, console: Console) -> None:
    """Print the verdict on a quote, the place in a work where it was found, and the words there if they
    differ.
    """
    author = f" ({check.quote.author})" if check.quote.author else ""
    verdict = check.verdict.replace("_", " ")
    console.print(f"{verdict:<13}  {safe(check.quote.text + author)}", soft_wrap=True)
    if place := check.place:
        source = f"{place.title}{f' by {place.author}' if place.author else ''}"
        console.print(f"               {safe(source)}, paragraph {place.paragraph + 1}", soft_wrap=True)
        if check.differences:
            console.print(f"               there: {safe(place.words)}", soft_wrap=True)
