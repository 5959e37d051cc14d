"""Shorten or extend drafts, to measure what each part of a draft contributes to the quality of the answers.

A changed draft, a variant, is judged like any row. The id of a variant is the row's id followed by the
variant's name, so that all variants can be saved in one file.

Source: "Context-Based Quotation Recommendation" (ICWSM 2021), table 8, leaves out the title and shortens the
context. There the models were retrained for each variant; here the shipped models just read less.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluation.metrics import run_permutation_test
from evaluation.pairs import Pair
from evaluation.tallies import Tally, average_percent
from reranker.models.wordpieces import WordPieces

Change = Callable[[Pair], Pair]


def list_ablations(wordpieces: WordPieces) -> dict[str, Change]:
    """Return the changes that shorten a draft, by name.

    One change leaves out the title. The others keep only the last WordPieces of the context.
    """
    return {
        "no title": lambda pair: replace(pair, title=""),
        **{f"context of {count}": shorten_context(wordpieces, count) for count in (50, 25, 10)},
    }


def shorten_context(wordpieces: WordPieces, count: int) -> Change:
    """Return a change of drafts that keeps only the last `count` (at least 1) WordPieces before the quote."""

    def change(pair: Pair) -> Pair:
        (pieces,) = wordpieces.tokenise([pair.left])
        start = pieces.starts[-count] if count <= len(pieces) else 0
        return replace(pair, left=pair.left[start:])

    return change


def begin_sentence(pair: Pair) -> Pair:
    """Return a copy of a pair whose draft ends with the words that introduce the quote: "He said that".

    >>> begin_sentence(Pair("p", "T", "It was late.", "", "d", (), False, lead_in="He said that")).left
    'It was late. He said that'
    """
    return replace(pair, left=f"{pair.left} {pair.lead_in}".strip())


@dataclass(frozen=True)
class DraftPart:
    """Hold drafts in two versions: with a certain part, such as the text after the quote, and without it.

    `whole` has the drafts with the part. `without` has the same drafts without it, in the same order.
    """

    without: list[Pair]
    whole: list[Pair]


def list_draft_parts(rows: Sequence[Pair]) -> dict[str, DraftPart]:
    """Select the drafts that have an optional part; return them in two versions, with and without the part.

    The result has an entry for each of two parts. "begun sentence" is the beginning of the sentence with the
    quote; the text `left` of each row ends before this sentence. "text after it" is the text after the quote.
    """
    begun_rows = [replace(row, right="") for row in rows if row.lead_in.strip()]
    followed = [row for row in rows if row.right.strip()]
    return {
        "begun sentence": DraftPart(begun_rows, vary_rows(begun_rows, "begun", begin_sentence)),
        "text after it": DraftPart(
            [replace(row, right="") for row in followed], vary_rows(followed, "followed", lambda row: row)
        ),
    }


def compare_part(without: Tally, whole: Tally) -> dict[str, dict[str, float]]:
    """Compare the results for drafts without a part with the results for whole drafts.

    A part is, for example, the text after the quote. The ranking and the spans of the quoted paragraphs are
    compared. Return the figures in percent, and p of the paired permutation test for each figure.
    """
    before, after = (
        {"map": row.precisions["model"], **_separate_spans(row.spans["model positive"])}
        for row in (without, whole)
    )
    count = len(without.speeches)
    return {
        "without": {"n": count, **{name: average_percent(values) for name, values in before.items()}},
        "with": {"n": count, **{name: average_percent(values) for name, values in after.items()}},
        "p": {name: run_permutation_test(before[name], after[name], without.speeches) for name in before},
    }


def _separate_spans(spans: Sequence[tuple[bool, float]]) -> dict[str, list[float]]:
    """Separate pairs (exact match, F1) into two lists: `em`, with 0 or 1, and `f1`."""
    return {"em": [float(em) for em, _ in spans], "f1": [f1 for _, f1 in spans]}


def vary_rows(rows: Sequence[Pair], name: str, change: Change) -> list[Pair]:
    """Apply a change to each row's draft, and add the change's name to the row's id."""
    return [replace(change(pair), id=f"{pair.id} {name}") for pair in rows]


def compare_variants(tallies: Mapping[str, Tally]) -> dict[str, dict[str, float]]:
    """Return the measures of the product's ranking in percent, for each variant of the same drafts, by name.

    `p` is the p-value of the paired permutation test between a variant and the first one, on average
    precision.
    """
    first = next(iter(tallies.values())).precisions["model"]
    return {
        name: {
            **{measure: average_percent(values) for measure, values in result.ranking["model"].items()},
            "p": run_permutation_test(result.precisions["model"], first, result.speeches),
        }
        for name, result in tallies.items()
    }
