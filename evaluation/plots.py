"""Draw the plots of a report as SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from evaluation.naming import PARTS, SYSTEMS
from evaluation.tallies import Tally, average_percent

DEEPEST = 20  # of the curve of accuracies
FARTHEST = 30  # paragraphs; greater distances share the last bar
SIZE_INCHES = (7.0, 4.0)


def draw_plots(tally: Tally, contributions: Mapping[str, Mapping[str, float]], folder: Path) -> list[str]:
    """Draw every plot of a report into the folder as SVG; return the names of the files."""
    figures = {
        "accuracy.svg": plot_accuracy(
            {SYSTEMS[name]: measures["mrr"] for name, measures in tally.ranking.items()}
        ),
        "error-distance.svg": plot_distances(tally.distances["bm25"], tally.distances["model"]),
        "contributions.svg": plot_contributions(
            {PARTS[part]: measures["loss"] for part, measures in contributions.items()}
        ),
    }
    for name, figure in figures.items():
        figure.savefig(folder / name, metadata={"Date": None}, bbox_inches="tight")
    return list(figures)


def compute_accuracies(reciprocal_ranks: Sequence[float]) -> list[float]:
    """Compute the percentage of drafts with a quoted paragraph among the first k, for k from 1 to 20.

    `reciprocal_ranks` has 1 / rank of the first quoted paragraph, for each draft.

    >>> compute_accuracies([1.0, 0.5, 0.25, 0.01])[:4]
    [25.0, 50.0, 50.0, 75.0]
    """
    return [
        average_percent([rank >= 1 / (k + 0.5) for rank in reciprocal_ranks]) for k in range(1, DEEPEST + 1)
    ]


def plot_accuracy(reciprocal_ranks: Mapping[str, Sequence[float]]) -> Figure:
    """Plot Acc@k for each system: the percentage of drafts with a quoted paragraph among the first k."""
    figure, axes = _make_figure("first k paragraphs", "Acc@k, percent")
    for system, ranks in reciprocal_ranks.items():
        axes.plot(range(1, DEEPEST + 1), compute_accuracies(ranks), label=system)
    axes.set_xticks([1, *range(5, DEEPEST + 1, 5)])
    axes.legend()
    return figure


def plot_distances(bm25: Sequence[int], model: Sequence[int]) -> Figure:
    """Plot histograms for BM25 and the product: how many paragraphs the top answer is away from the quote."""
    figure, axes = _make_figure(f"paragraphs between top answer and quote ({FARTHEST}: or more)", "drafts")
    clipped = [np.minimum(distances, FARTHEST) for distances in (bm25, model)]
    axes.hist(clipped, bins=[edge - 0.5 for edge in range(FARTHEST + 2)], label=["BM25", "Rostrum"])
    axes.legend()
    return figure


def plot_contributions(losses: Mapping[str, float]) -> Figure:
    """Plot a bar for each signal of the ranking: the loss of mAP when the signal is left out."""
    figure, axes = _make_figure("mAP lost without it, points", "")
    axes.barh(list(losses), list(losses.values()))
    axes.invert_yaxis()
    return figure


def _make_figure(across: str, up: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=SIZE_INCHES)
    axes = figure.add_subplot()
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(visible=True, alpha=0.3)
    return figure, axes
