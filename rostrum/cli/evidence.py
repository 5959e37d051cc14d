"""`rostrum evidence`: find the sentences that support or contradict a claim."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quotations.text.markup import remove_markup
from rostrum.cli.options import TEXT, PathType, add_filter_options, archive_option, load_settings
from rostrum.cli.terminal import open_messages, open_output, safe
from rostrum_core.errors import BadInput
from rostrum_core.types import Filter

if TYPE_CHECKING:
    from archive.service import Service
    from jobs.evidence.job import RankedSentence
    from rostrum_core.settings import Settings

BATCH_LIMIT = 100
"""Number of sentences for each row of `--claims`, unless `--limit` is set."""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """Hold a claim with its id, and optionally the id of the only document to search."""

    id: str
    claim: str
    document: str | None


@dataclass(frozen=True, slots=True)
class Search:
    """Hold how to search an archive: the filter of speeches, and whether the person in a claim matters.

    If `names` is true and a claim reports what a person said ("Lincoln said that ..."), sentences by that
    person count for more.
    """

    filter: Filter
    names: bool


Find = Callable[[ClaimRow, int], list[dict[str, Any]]]
"""Function that returns at most the given number of sentences for a claim, best first, as they are
printed.
"""


@click.command(short_help="Find sentences that support a claim.")
@click.argument("claim", required=False, type=TEXT)
@click.option(
    "--claims",
    type=PathType(allow_dash=True),
    help="File of many claims: JSON lines with id, claim and optionally document.",
)
@click.option(
    "--documents",
    type=PathType(exists=True, dir_okay=False),
    help="Search this file instead of an archive: JSON lines with id and sentences.",
)
@click.option(
    "--document", type=TEXT, metavar="ID", help=("Search only this speech, or this document of --documents.")
)
@add_filter_options
@click.option(
    "--ignore-names", is_flag=True, help=("Do not prefer sentences by the person whom the claim quotes.")
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    help=f"Sentences per claim (default: 10, or {BATCH_LIMIT} with --claims).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per claim and line.")
@archive_option
def evidence(
    claim: str | None,
    claims: Path | None,
    documents: Path | None,
    document: str | None,
    chosen: Filter,
    ignore_names: bool,
    limit: int | None,
    as_json: bool,
    archive: Path | None,
) -> None:
    """Find sentences of speeches, or of documents in a file, that support or contradict a claim.

    Without a document, the whole archive is searched. If the claim begins "Lincoln said that", sentences by
    others than Lincoln count for less.

    \b
    Example:
      rostrum evidence "The wall will come down." --archive archive
      rostrum evidence --claims rows.jsonl --documents articles.jsonl --json
    """
    rows = list(read_claims(claim, claims, document))
    find = open_source(documents, archive, Search(chosen, not ignore_names))
    limit = limit or (10 if claims is None else BATCH_LIMIT)
    for row in rows:
        sentences = find(row, limit)
        if as_json:
            line = {"id": row.id, "sentences": sentences}
            open_output().print(json.dumps(line, ensure_ascii=False), soft_wrap=True)
        else:
            print_ranking(sentences)


def open_source(documents: Path | None, archive: Path | None, search: Search) -> Find:
    """Return a function that finds the sentences that support or contradict a claim.

    It searches the file `documents` if that is set, or else an archive.

    Raises:
        BadInput: a file is named with an archive or a filter, or the file cannot be read.
    """
    from rostrum.assemble import assemble

    if documents is not None and archive is not None:
        raise BadInput("give --documents or --archive, not both")
    if documents is not None and search.filter != Filter():
        raise BadInput("a filter is for an archive, not for --documents")
    settings = load_settings(archive)
    return (
        partial(find_in_archive, assemble(settings), search)
        if documents is None
        else search_file(documents, settings)
    )


def find_in_archive(service: Service, search: Search, row: ClaimRow, limit: int) -> list[dict[str, Any]]:
    """Return the best sentences of an archive for a claim, as dicts with the fields that are printed.

    Raises:
        BadInput: there is no such speech, or both a speech and a filter are named.
    """
    from rostrum_core.evidence import Claim

    named = () if row.document is None else (row.document,)
    answer = service.evidence(
        Claim(row.claim), documents=named, filter=search.filter, limit=limit, names=search.names
    )
    if answer.speaker is not None:
        open_messages().print(f"{safe(answer.speaker)}: sentences by others count for less", soft_wrap=True)
    for stage in answer.degraded:
        open_messages().print(f"degraded: {stage}", style="yellow", soft_wrap=True)
    return [asdict(sentence) for sentence in answer.sentences]


def search_file(path: Path, settings: Settings) -> Find:
    """Return a function that finds the sentences in a file of documents that support or contradict a claim.

    Raises:
        BadInput: the file cannot be read.
    """
    from jobs.evidence.documents import FileDocuments, read_documents
    from jobs.evidence.job import Ranker
    from rostrum.assemble import open_models, open_runner
    from rostrum_core.evidence import Claim

    models = open_models(settings, threads=settings.threads)
    early = "evidence_early" in models.hashes
    ranker = Ranker(open_runner(settings, models), models.calibration, models.engine.batch_tokens, early)
    source = FileDocuments(read_documents(path, models.wordpieces), models)

    def find(row: ClaimRow, limit: int) -> list[dict[str, Any]]:
        passages = source.select(row.claim, row.document)
        ranking = ranker.rank(Claim(row.claim), passages, limit=limit, timeout_s=settings.timeout_s)
        return [make_line(sentence) for sentence in ranking[:limit]]

    return find


def read_claims(claim: str | None, claims: Path | None, document: str | None) -> Iterator[ClaimRow]:
    """Yield the claim of the command line, or the claims of a file, in order.

    Raises:
        BadInput: neither a claim nor a file of claims is named, or both are, or the file cannot be read.
    """
    from indexer.characters import normalise
    from jobs.json_lines import read_id, read_json_lines, read_text

    if (claim is None) == (claims is None):
        raise BadInput("give a CLAIM or --claims, one of them")
    if claim is not None:
        yield ClaimRow("1", normalise(claim), document)
        return
    for number, row in enumerate(read_json_lines(claims or Path("-")), 1):
        text = read_text(row, "claim", f"{claims}, row {number}", needed=True)
        own = row.get("document")
        named = "" if own is None else str(own)
        yield ClaimRow(read_id(row, number), text, named if named.strip() else document)


def make_line(sentence: RankedSentence) -> dict[str, Any]:
    """Return the fields of a ranked sentence that are printed, with the sentence's number in its document."""
    return {
        "document": sentence.passage.document,
        "sentence": sentence.number,
        "score": None if sentence.score is None else round(sentence.score, 6),
        "stance": sentence.stance,
        "share": sentence.share,
        "text": sentence.text,
    }


def print_ranking(sentences: Sequence[Mapping[str, Any]]) -> None:
    """Print ranked sentences, each with its score in percent, its stance, speaker, day and document."""
    console = open_output()
    if not sentences:
        console.print("No sentence.")
    for rank, sentence in enumerate(sentences, 1):
        score = "  –" if sentence["score"] is None else f"{100 * sentence['score']:3.0f}"
        head = f"{rank:>3}. {score} %  {sentence['stance']:<11}"
        console.print(f"{head} {safe(remove_markup(sentence['text']))}", soft_wrap=True)
        place = (sentence.get("speaker"), sentence.get("spoken_on"), sentence["document"])
        console.print(f"{'':12}{safe(', '.join(part for part in place if part))}", soft_wrap=True)
