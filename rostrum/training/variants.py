"""Drafts with less or more in them, to measure what a part of a draft is worth.

A variant is judged like any row; its id is the row's and the variant's name, so what was judged of each is
kept beside the others.

Source: "Context-Based Quotation Recommendation" (ICWSM 2021), table 8, leaves out the title and shortens the
context. There the models were trained anew for each; here the shipped ones are given less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from reranker.wordpieces import WordPieces
from rostrum.training.metrics import permutation_test
from rostrum.training.pairs import Pair
from rostrum.training.tallies import Tally, percent

Change = Callable[[Pair], Pair]


def ablations(wordpieces: WordPieces) -> dict[str, Change]:
    """What is left out, by name: the title, or all of the context but its last WordPieces."""
    return {
        "no title": lambda pair: replace(pair, title=""),
        **{f"context of {count}": shortened(wordpieces, count) for count in (50, 25, 10)},
    }


def shortened(wordpieces: WordPieces, count: int) -> Change:
    """Keeps the last `count` WordPieces before the quote, at least one."""

    def change(pair: Pair) -> Pair:
        (pieces,) = wordpieces.pieces([pair.left])
        start = pieces.starts[-count] if count <= len(pieces) else 0
        return replace(pair, left=pair.left[start:])

    return change


def begun(pair: Pair) -> Pair:
    """With the quoting sentence as far as the writer has begun it.

    >>> begun(Pair("p", "T", "It was late.", "", "d", (), False, lead_in="He said that")).left
    'It was late. He said that'
    """
    return replace(pair, left=f"{pair.left} {pair.lead_in}".strip())


def varied(rows: Sequence[Pair], name: str, change: Change) -> list[Pair]:
    """The rows changed, each under its own id and the variant's name."""
    return [replace(change(pair), id=f"{pair.id} {name}") for pair in rows]


def variant_figures(tallies: Mapping[str, Tally]) -> dict[str, dict[str, float]]:
    """The product's ranking for each variant, the first being what the others are tested against.

    `p` is of the paired permutation test on average precision.
    """
    first = next(iter(tallies.values())).precisions["model"]
    return {
        name: {
            **{measure: percent(values) for measure, values in result.ranking["model"].items()},
            "p": permutation_test(result.precisions["model"], first, result.speeches),
        }
        for name, result in tallies.items()
    }
