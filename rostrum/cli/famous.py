"""`rostrum famous`: find the well-known quote that fits between two texts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rostrum.cli.options import PathType, settings_of
from rostrum.cli.terminal import output, safe
from rostrum_core.errors import BadInput

if TYPE_CHECKING:
    from jobs.famous.job import GapContext, RankedQuote

BATCH_LIMIT = 100
"""Quotes for each row of `--contexts`, unless `--limit` says otherwise."""


@click.command(short_help="Find the well-known quote that fits a gap.")
@click.option(
    "--list", "quotes", type=PathType(exists=True), required=True, help="Quotes: JSON lines or CSV."
)
@click.option("--left", default="", help="Text before the quote; or a text with [quote] where it is missing.")
@click.option("--right", default="", help="Text after the quote.")
@click.option(
    "--contexts", type=PathType(allow_dash=True), help="Many gaps: JSON lines with id, left and right."
)
@click.option(
    "--index", type=PathType(dir_okay=False), help="File that keeps the encoded list from run to run."
)
@click.option("--limit", type=click.IntRange(1), help=f"Quotes per gap; default: 5, {BATCH_LIMIT} of many.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per gap and line.")
def famous(
    quotes: Path,
    left: str,
    right: str,
    contexts: Path | None,
    index: Path | None,
    limit: int | None,
    as_json: bool,
) -> None:
    """Find the well-known quote that fits between the text before a gap and the text after it.

    A list has a text in each row and perhaps id, author and work. One side of the gap may be empty.

    \b
    Example:
      rostrum famous --list quotes.jsonl --left "Do not despair, as the poet says:"
      rostrum famous --list quotes.csv --contexts rows.jsonl --json
    """
    from jobs.famous.job import rank_quotes
    from jobs.famous.quote_list import Encoders, encode_list, read_quote_list
    from rostrum.assemble import open_models

    gaps = read_gaps(left, right, contexts)
    listed = read_quote_list(quotes)
    settings = settings_of()
    models = open_models(settings, threads=settings.threads)
    hashes = models.hashes["famous"], models.hashes["encoder"]
    encoders = Encoders(models.part("famous"), models.encoder, hashes)
    encoded = encode_list(listed, encoders, index)
    limit = limit or (5 if contexts is None else BATCH_LIMIT)
    for gap, ranking in zip(gaps, rank_quotes(gaps, encoded, encoders, limit=limit), strict=True):
        if as_json:
            output().print(json.dumps(make_line(gap, ranking), ensure_ascii=False), soft_wrap=True)
        else:
            print_ranking(ranking)


def read_gaps(left: str, right: str, contexts: Path | None) -> list[GapContext]:
    """Return the gaps that the options name.

    Raises:
        BadInput: neither a text nor a file of rows is named, or both, or the file cannot be read.
    """
    from indexer.characters import normalised
    from jobs.famous.job import GAP, GapContext, split_gap
    from jobs.json_lines import read_id, read_json_lines, read_text

    if (contexts is not None) == bool(left or right):
        raise BadInput("give --left or --right, or --contexts alone")
    if contexts is None:
        if not right and GAP in left:
            left, right = split_gap(left)
        return [GapContext("1", normalised(left), normalised(right))]
    gaps = []
    for number, row in enumerate(read_json_lines(contexts), 1):
        sides = (read_text(row, name, f"{contexts}, row {number}") for name in ("left", "right"))
        gaps.append(GapContext(read_id(row, number), *sides))
    return gaps


def make_line(gap: GapContext, ranking: list[RankedQuote]) -> dict[str, Any]:
    """Return a gap's quotes as they are printed."""
    rows = [
        {
            "id": ranked.quote.id,
            "score": round(ranked.score, 6),
            "text": ranked.quote.text,
            "author": ranked.quote.author,
            "work": ranked.quote.work,
        }
        for ranked in ranking
    ]
    return {"id": gap.id, "quotes": rows}


def print_ranking(ranking: list[RankedQuote]) -> None:
    """Print quotes with their scores and who wrote them."""
    console = output()
    for rank, ranked in enumerate(ranking, 1):
        source = ", ".join(filter(None, (ranked.quote.author, ranked.quote.work)))
        console.print(f"{rank:>3}. {ranked.score:.3f}  {safe(ranked.quote.text)}", soft_wrap=True)
        if source:
            console.print(f"            {safe(source)}", soft_wrap=True)
