"""The tables of docs/align.md, from results/align.json."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

SAID_THERE = ("dated before the speech", "said in other words")


def align_tables(found: dict[str, Any], refused: dict[str, Any]) -> str:
    """Pairs found again, edits, what became of the news quotations, and of those that were refused."""
    return "\n\n".join(
        (_rebuilt(found["dev"]), _edits(found["edits"]), f"{_rest(found)}\n{_refused(found, refused)}")
    )


def _rebuilt(dev: dict[str, Any]) -> str:
    names = list(dev["percent"])
    cells = " | ".join(f"{dev['percent'][name]:.1f}" for name in names)
    return "\n".join(
        (
            f"| of {dev['n']:,} pairs of the dev set, from their quotes | {' | '.join(names)} |",
            "|---" * (len(names) + 1) + "|",
            f"| the same as in the data set, percent | {cells} |",
        )
    )


def _edits(edits: dict[str, Any]) -> str:
    strengths = list(next(iter(edits["percent"].values())))
    lines = [
        "| edited words | " + " | ".join(f"{float(strength):.0%}" for strength in strengths) + " |",
        "|---" * (len(strengths) + 1) + "|",
    ]
    for kind, figures in edits["percent"].items():
        shown = [f"{each['recall']:.1f} ({each['elsewhere']:.1f})" for each in figures.values()]
        label = kind if len(shown) == len(strengths) else f"{kind} (all of them)"
        lines.append(f"| {label} | " + " | ".join([*shown, *[""] * (len(strengths) - len(shown))]) + " |")
    told = f"Sentences found again, percent, in brackets those found elsewhere; n = {edits['n']:,} each."
    return "\n".join([told, "", *lines])


def _rest(found: dict[str, Any]) -> str:
    news, strangers, index = found["news"], found["strangers"], found["index"]
    told = "; ".join(f"{count:,} {name}" for name, count in counted(news["outcomes"]))
    verdicts = "; ".join(f"{count} {name}" for name, count in counted(found["verdicts"]["counts"]))
    return "\n".join(
        (
            f"- Of {strangers['n']:,} sentences of speeches that are not among the transcripts, "
            f"{strangers['percent']:.2f} percent found a place.",
            f"- {news['n']:,} news quotations against {index['documents']:,} transcripts of "
            f"{index['words']:,} words: {told}.",
            f"- That took {index['cpu_seconds']:.0f} s of one core for the index and "
            f"{news['cpu_seconds']:.0f} s for the quotations, and {news['peak_memory_mib']:,} MiB of memory, "
            "texts included.",
            f"- Verdicts on {found['verdicts']['n']} matches of an earlier run, drawn at random and read: "
            f"{verdicts}.",
        )
    )


def _refused(found: dict[str, Any], refused: dict[str, Any]) -> str:
    """What a reader said of refused quotations, and what it comes to for all of them and for recall."""
    said = Counter(row["verdict"] for row in refused["rows"])
    read = Counter(row["stratum"] for row in refused["rows"])
    there = Counter(row["stratum"] for row in refused["rows"] if row["verdict"] in SAID_THERE)
    counts = np.array([(count, there[i], read[i]) for i, count in enumerate(refused["refused"])])
    missed = missed_of(counts)
    least, most = np.quantile(missed_by_chance(counts), (0.025, 0.975))
    verdicts, outcomes = found["verdicts"], found["news"]["outcomes"]
    right = verdicts["counts"]["right"] / verdicts["n"] * (outcomes["exact"] + outcomes["edited"])
    told = "; ".join(f"{count} {name}" for name, count in counted(said))
    shares = ", ".join(f"{there[i]} of {read[i]}" for i in sorted(read))
    return (
        f"- Verdicts on {said.total()} that were refused: {told}. Said there were, by the share of word "
        f"triples that a paragraph of those days has (3/5, 2/5, 1/5, some, none): {shares}. Over all "
        f"{sum(refused['refused']):,} that comes to {missed:,.0f} ({least:,.0f} to {most:,.0f}), beside "
        f"{right:,.0f} right matches: {100 * right / (right + missed):.0f} percent are found "
        f"({100 * right / (right + most):.0f} to {100 * right / (right + least):.0f}; 95 % intervals by "
        "Jeffreys' prior for the share of each of the five)."
    )


def missed_of(counts: NDArray[np.int64]) -> float:
    """How many of all were said, by rows of (all, said, read): (strata, 3).

    >>> missed_of(np.array([(100, 5, 10), (1000, 0, 10)]))
    50.0
    """
    return float((counts[:, 0] * counts[:, 1] / counts[:, 2]).sum())


def missed_by_chance(counts: NDArray[np.int64], draws: int = 100_000) -> NDArray[np.float64]:
    """What `missed_of` may be, (draws,), where few were read: a share that was never seen may not be 0."""
    of_all, said, read = counts.T
    shares = np.random.default_rng(0).beta(said + 0.5, read - said + 0.5, (draws, len(counts)))
    found: NDArray[np.float64] = shares @ of_all
    return found


def counted(counts: dict[str, int]) -> list[tuple[str, int]]:
    """The most frequent first."""
    return sorted(counts.items(), key=lambda each: -each[1])
