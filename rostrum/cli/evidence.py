"""`rostrum evidence`: find the sentences that support or contradict a claim."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rostrum.cli.options import TEXT, PathType, archive_option, settings_of
from rostrum.cli.terminal import output, safe
from rostrum_core.errors import BadInput

if TYPE_CHECKING:
    from jobs.evidence.job import RankedSentence
    from jobs.evidence.sources import ArchiveDocuments, FileDocuments
    from reranker.models.loaded import Models

BATCH_LIMIT = 100
"""Sentences for each row of `--claims`, unless `--limit` says otherwise."""


@dataclass(frozen=True, slots=True)
class ClaimRow:
    """A claim, and the document that it is about, if there is one."""

    id: str
    claim: str
    document: str | None


@click.command(short_help="Find sentences that support a claim.")
@click.argument("claim", required=False, type=TEXT)
@click.option(
    "--claims", type=PathType(allow_dash=True), help="Many: JSON lines with id, claim and perhaps document."
)
@click.option(
    "--documents",
    type=PathType(exists=True, dir_okay=False),
    help="In place of an archive: JSON lines with id and sentences.",
)
@click.option("--document", type=TEXT, metavar="ID", help="Only this speech, or document of --documents.")
@click.option(
    "--limit", type=click.IntRange(1), help=f"Sentences per claim; default: 10, {BATCH_LIMIT} of many."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object per claim and line.")
@archive_option
def evidence(
    claim: str | None,
    claims: Path | None,
    documents: Path | None,
    document: str | None,
    limit: int | None,
    as_json: bool,
    archive: Path | None,
) -> None:
    """Find the sentences of speeches, or of documents in a file, that support a claim or contradict it.

    Without a document, the whole archive is searched.

    \b
    Example:
      rostrum evidence "The wall will come down." --archive archive
      rostrum evidence --claims rows.jsonl --documents articles.jsonl --json
    """
    from jobs.evidence.job import rank_sentences

    rows = list(read_claims(claim, claims, document))
    models, source = open_source(documents, archive)
    model = models.part("evidence")
    limit = limit or (10 if claims is None else BATCH_LIMIT)
    for row in rows:
        passages = source.select(row.claim, row.document)
        ranking = rank_sentences(row.claim, passages, model, models.wordpieces)[:limit]
        if as_json:
            line = {"id": row.id, "sentences": [make_line(sentence) for sentence in ranking]}
            output().print(json.dumps(line, ensure_ascii=False), soft_wrap=True)
        else:
            print_ranking(ranking)


def open_source(
    documents: Path | None, archive: Path | None
) -> tuple[Models, FileDocuments | ArchiveDocuments]:
    """Return the models, and the documents to search for evidence.

    Raises:
        BadInput: both a file and an archive are named, or the file cannot be read.
    """
    from jobs.evidence.documents import read_documents
    from jobs.evidence.sources import CANDIDATES, ArchiveDocuments, FileDocuments
    from rostrum.assemble import assemble, open_models

    if documents is not None and archive is not None:
        raise BadInput("give --documents or --archive, not both")
    settings = settings_of(archive)
    if documents is None:
        service = assemble(settings)
        search = partial(service.recommend, limit=CANDIDATES, candidates=CANDIDATES, ranked=False)
        return service.models, ArchiveDocuments(service.store, search)
    models = open_models(settings, threads=settings.threads)
    return models, FileDocuments(read_documents(documents, models.wordpieces), models)


def read_claims(claim: str | None, claims: Path | None, document: str | None) -> Iterator[ClaimRow]:
    """Yield the claims that the options name.

    Raises:
        BadInput: neither a claim nor a file of claims is named, or both, or the file cannot be read.
    """
    from indexer.characters import normalised
    from jobs.json_lines import read_id, read_json_lines, read_text

    if (claim is None) == (claims is None):
        raise BadInput("give a CLAIM or --claims, one of them")
    if claim is not None:
        yield ClaimRow("1", normalised(claim), document)
        return
    for number, row in enumerate(read_json_lines(claims or Path("-")), 1):
        text = read_text(row, "claim", f"{claims}, row {number}", needed=True)
        own = row.get("document")
        yield ClaimRow(read_id(row, number), text, document if own is None else str(own))


def make_line(sentence: RankedSentence) -> dict[str, Any]:
    """Return a sentence as it is printed; one of a file has a number, one of an archive its place."""
    passage = sentence.passage
    place: dict[str, Any] = {"sentence": sentence.number}
    if passage.paragraph:
        place = {
            "paragraph": passage.paragraph,
            "start_char": sentence.start_char,
            "end_char": sentence.end_char,
        }
    return {
        "document": passage.document,
        **place,
        "score": round(sentence.score, 4),
        "stance": sentence.stance,
        "share": round(sentence.share, 4),
        "text": sentence.text,
    }


def print_ranking(ranking: Sequence[RankedSentence]) -> None:
    """Print sentences with their scores, stances and documents."""
    console = output()
    if not ranking:
        console.print("No sentence.")
    for rank, sentence in enumerate(ranking, 1):
        head = f"{rank:>3}. {sentence.score:6.2f}  {sentence.stance:<11}"
        console.print(f"{head} {safe(sentence.text)}", soft_wrap=True)
        console.print(f"{'':13}{safe(sentence.passage.document)}", soft_wrap=True)
