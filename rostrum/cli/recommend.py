"""`rostrum recommend`: rank paragraphs for a draft."""

from __future__ import annotations

from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, get_args

import click

from jobs.drafts import read_draft
from jobs.filters import check_known
from jobs.recommend.result import build_body
from rostrum.cli.answers import print_answer, print_json, print_remarks
from rostrum.cli.companions import print_companions
from rostrum.cli.options import (
    TEXT,
    add_draft_options,
    add_filter_options,
    archive_option,
    open_client,
    open_service,
    url_option,
)
from rostrum.cli.terminal import open_messages, open_output
from rostrum_core.companions import Freshness
from rostrum_core.dates import count_day
from rostrum_core.errors import BadInput
from rostrum_core.types import Answer, Draft, Filter

if TYPE_CHECKING:
    from archive.companions import Companions
    from archive.service import Service
    from jobs.evidence.counter import Statement
    from rostrum.client import Client
    from rostrum_core.companions import CounterVoices


class _Wanted(TypedDict):
    """Hold the options of a recommendation that are the same for a local archive and for a service."""

    filter: Filter
    candidates: int | None
    names: bool


@click.command(short_help="Recommend paragraphs for a draft, with the words worth quoting.")
@add_draft_options
@click.option(
    "--date",
    "written_on",
    type=TEXT,
    metavar="DAY",
    help="Day on which the draft is written; recent speeches then get a higher score.",
)
@click.option(
    "--document",
    type=TEXT,
    multiple=True,
    metavar="ID",
    help="Only paragraphs of this speech, all of them; can be repeated.",
)
@add_filter_options
@click.option(
    "--limit", type=click.IntRange(1, 1000), default=10, show_default=True, help="Maximum number of results."
)
@click.option(
    "--candidates",
    type=click.IntRange(1, 10_000),
    help=(
        "Number of paragraphs to rerank. With --document it only matters above 1,000; services "
        "accept at most 1,000."
    ),
)
@click.option("--ignore-names", is_flag=True, help="Do not prefer speakers whom the draft names.")
@click.option("--counter", is_flag=True, help="Also print counter-voices to the first three results.")
@click.option(
    "--printed",
    type=click.Choice(get_args(Freshness)),
    help=(
        "What to do with words already printed in the archive `articles`: show where, put them "
        "last, or leave them out."
    ),
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--context", is_flag=True, help="Also print the sentences before and after the marked words.")
@click.option(
    "--explain",
    is_flag=True,
    help="Also print the scores of every stage; with --json, also the queries and weights.",
)
@archive_option
@url_option
def recommend(
    file: Path | None,
    parts: Draft,
    written_on: str | None,
    document: tuple[str, ...],
    chosen: Filter,
    limit: int,
    candidates: int | None,
    ignore_names: bool,
    counter: bool,
    printed: Freshness | None,
    as_json: bool,
    context: bool,
    explain: bool,
    archive: Path | None,
    url: str | None,
) -> None:
    """Rank paragraphs for a draft and mark the words worth quoting.

    FILE holds the draft: plain text (a short first line before a blank one is the title), text with front
    matter, JSON with title, left, right and written_on, HTML, Word or PDF; `-` is standard input. The quote
    is to follow the text, unless `[quote]` marks another place. If an option is repeated, any of its values
    may match.

    Results go to standard output; degraded stages and timings to standard error.

    \b
    Example:
      rostrum recommend draft.md --speaker "John F. Kennedy" --since 1961 --limit 3
    """
    from archive.companions import Companions, add_companions, count_read, find_voices
    from archive.service import Service

    if written_on is not None:
        _check_day(written_on)
    draft = _choose_draft(file, parts, written_on)
    chosen = replace(chosen, documents=document)
    jobs = open_client(url, archive) if url else _open_service(archive, chosen)
    wanted: _Wanted = {"filter": chosen, "candidates": candidates, "names": not ignore_names}
    companions = Companions()
    if isinstance(jobs, Service):
        answer = jobs.recommend(draft, limit=count_read(limit, printed), **wanted)
        if counter or printed:
            answer, companions = add_companions(jobs, answer, counter=counter, printed=printed, limit=limit)
    else:
        answer, companions = ask_service(jobs, draft, printed, limit, wanted)
        if counter:
            voices = find_voices(answer, partial(ask_counter, jobs))
            companions = replace(companions, counter=voices)
    print_remarks(answer, open_messages(), chosen)
    if as_json:
        shown_too = {name: value for name, value in asdict(companions).items() if value is not None}
        print_json(build_body(answer, jobs.explain(draft) if explain else None) | shown_too, open_output())
    else:
        print_answer(answer, open_output(), explain=explain, context=context)
        print_companions(answer, companions, open_output())


def ask_service(
    client: Client, draft: Draft, printed: Freshness | None, limit: int, wanted: _Wanted
) -> tuple[Answer, Companions]:
    """Ask a service for recommendations.

    If `printed` is set, also ask where the words of each recommendation were already printed.
    """
    from archive.companions import Companions

    if printed is None:
        return client.recommend(draft, limit=limit, **wanted), Companions()
    answer = client.recommend_printed(draft, printed, limit=limit, **wanted)
    return answer, Companions(printed=answer.printed)


def ask_counter(client: Client, statement: Statement) -> CounterVoices:
    """Ask a service for counter-voices: other sentences about the point of a statement.

    They are by the statement's speaker or by other speakers.
    """
    return client.counter(
        statement.text,
        speaker=statement.speaker,
        document=statement.document,
        paragraph=statement.paragraph,
    )


def _open_service(archive: Path | None, chosen: Filter) -> Service:
    service = open_service(archive)
    check_known(service.store, chosen)
    return service


def _check_day(written_on: str) -> None:
    try:
        count_day(written_on)
    except BadInput as error:
        raise click.BadParameter(str(error), param_hint="--date") from error


def _choose_draft(file: Path | None, options: Draft, written_on: str | None) -> Draft:
    if file is not None and options != Draft():
        raise BadInput("give a FILE or --title, --left and --right, not both")
    if file is not None:
        return read_draft(file, written_on)
    if not (options.title + options.left + options.right).strip():
        raise BadInput("give a draft: a FILE, `-` for standard input, or --title, --left, --right")
    return replace(options, written_on=written_on)
