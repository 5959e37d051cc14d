"""`rostrum align`: make training pairs from articles and transcripts.

A pair is a quotation in an article, with the paragraph of a transcript from which it is quoted.
"""

from __future__ import annotations

import time
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from rostrum.cli.options import PathType, load_settings, read_fields
from rostrum.cli.terminal import open_messages, open_output, safe
from rostrum_core.errors import PassedOver, TranscriptError

if TYPE_CHECKING:
    from jobs.align.run import Summary
    from reranker.models.wordpieces import WordPieces

PATH = PathType()
FILE = PathType(dir_okay=False)
FOLDER = PathType(exists=True, file_okay=False)
ARTICLE_NAMES = ("id", "title", "text", "paragraphs", "published", "date", "outlet")
MATCHED = ("exact", "edited")


@click.command(short_help="Find quotations of transcripts in articles, as training pairs.")
@click.argument("articles", nargs=-1, required=True, type=PATH)
@click.option(
    "--documents", multiple=True, required=True, type=PATH, help=("Files and folders of transcripts.")
)
@click.option(
    "--pairs", type=FILE, required=True, help=("File for the pairs; compressed if its name ends in .gz.")
)
@click.option("--write-documents", type=FILE, help="File for the transcripts that the pairs refer to.")
@click.option(
    "--report", type=FILE, help=("File for a report: a line per quotation, with its pair or why it has none.")
)
@click.option(
    "--days",
    type=click.IntRange(0),
    default=30,
    show_default=True,
    help="Maximum age of a speech, in days, when an article quotes it.",
)
@click.option(
    "--base",
    type=FOLDER,
    help="Hugging Face folder of the base for a later training; its tokenizer splits long paragraphs.",
)
@click.option(
    "--map",
    "mapped",
    multiple=True,
    metavar="NAME=FIELD",
    help="Read the field FIELD of an article as NAME, such as text=body.",
)
@click.option("--any-day", is_flag=True, help="Consider all transcripts, whatever their dates.")
def align(
    articles: tuple[Path, ...],
    documents: tuple[Path, ...],
    pairs: Path,
    write_documents: Path | None,
    report: Path | None,
    days: int,
    base: Path | None,
    mapped: tuple[str, ...],
    any_day: bool,
) -> None:
    """Find what ARTICLES quote from transcripts, and write training pairs.

    ARTICLES are JSON lines (id, title, published, outlet, text), or files and folders of text, Markdown and
    HTML. Quotations of six or more words are matched, also with small edits. The exit code is 1 if an input
    could not be read; the other inputs are still aligned.

    \b
    Example:
      rostrum align articles.jsonl --documents documents.jsonl.gz --pairs pairs.jsonl.gz
    """
    from archive.cleaning_rules import load_boilerplate
    from jobs.align.run import Run, Targets

    started, remarks = time.monotonic(), open_messages()
    _load_wordpieces(base)  # fail on an invalid base before anything is read
    with remarks.status("") as shown:
        run = Run(
            count_tokens=partial(count_tokens, base),
            refused=lambda error: remarks.print(_describe_refusal(error), soft_wrap=True),
            tell=lambda so_far: shown.update(
                f"{so_far.transcripts:,} transcripts, {so_far.articles:,} articles, {so_far.pairs:,} pairs"
            ),
            boilerplate=load_boilerplate(load_settings().rules),
            fields=read_fields(mapped, ARTICLE_NAMES),
        )
        targets = Targets(pairs, write_documents, report)
        summary = run.align(articles, documents, targets, days=None if any_day else days)
    print_summary(summary, pairs, time.monotonic() - started, open_output())
    if summary.refused:
        raise click.exceptions.Exit(1)


def _describe_refusal(error: TranscriptError) -> str:
    return f"{'passed over' if isinstance(error, PassedOver) else 'refused'}: {safe(str(error))}"


def count_tokens(base: Path | None, text: str) -> int:
    """Return the number of WordPieces (tokens of the models) in a text.

    `rostrum align` splits paragraphs with too many WordPieces, as indexing an archive does.
    """
    return len(_load_wordpieces(base).tokenise([text])[0])


@cache
def _load_wordpieces(base: Path | None) -> WordPieces:
    """Return the tokenizer of the model in the folder `base`, or that of the models in use if `base` is
    `None`.
    """
    from archive.model_registry import locate_weights
    from reranker.models.files import TOKENIZER
    from reranker.models.loaded import Models
    from reranker.models.wordpieces import WordPieces

    if base is not None:
        return WordPieces(base / TOKENIZER)
    return Models(locate_weights(load_settings())).wordpieces


def print_summary(summary: Summary, pairs: Path, elapsed_s: float, console: Console) -> None:
    """Print how many transcripts and articles were read, and how many quotations were matched.

    For the quotations without a match, print their number for each reason.
    """
    counted = summary.outcomes.most_common()
    lines = [
        f"read: {summary.transcripts:,} transcripts, {summary.articles:,} articles",
        f"quotations: {summary.outcomes.total():,}",
        *(f"  {outcome}: {count:,}" for outcome, count in counted if outcome in MATCHED),
        *(f"  no pair, {outcome}: {count:,}" for outcome, count in counted if outcome not in MATCHED),
    ]
    if summary.refused:
        lines.append(f"refused: {summary.refused:,}")
    lines.append(f"{summary.pairs:,} pairs written to {pairs} after {elapsed_s:.1f} s")
    for line in lines:
        console.print(line, soft_wrap=True)
