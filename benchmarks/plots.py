"""Draw the pictures of benchmarks as SVG, the same bytes for the same figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

Points = Sequence[tuple[float, float]]


def draw_lines(path: Path, lines: Mapping[str, Points], across: str, up: str) -> None:
    """Draw named lines of points above 0 over logarithmic axes, with the titles of both axes."""
    figure = Figure(figsize=(7.0, 3.6))
    axes = figure.add_subplot(xlabel=across, ylabel=up, xscale="log", yscale="log")
    for name, points in lines.items():
        axes.plot(*zip(*points, strict=True), label=name)
    places = sorted({x for points in lines.values() for x, _ in points})
    axes.set_xticks(places, [f"{x:g}" for x in places])
    axes.xaxis.minorticks_off()
    axes.grid(visible=True, axis="y", alpha=0.3)
    axes.legend(frameon=False, fontsize="small", loc="upper left", bbox_to_anchor=(1, 1))
    _save(figure, path)


def draw_calibration(path: Path, lines: Mapping[str, Points], across: str, up: str) -> None:
    """Draw observed shares against predicted probabilities; a calibrated line is the diagonal."""
    figure = Figure(figsize=(5.0, 4.0))
    axes = figure.add_subplot(xlabel=across, ylabel=up)
    axes.plot([0, 1], [0, 1], color="0.8", linewidth=1)
    for name, points in lines.items():
        axes.plot(*zip(*points, strict=True), marker="o", markersize=3, label=name)
    axes.legend(frameon=False)
    _save(figure, path)


def _save(figure: Figure, path: Path) -> None:
    with mpl.rc_context({"svg.hashsalt": "rostrum", "svg.fonttype": "none"}):
        figure.savefig(path, format="svg", metadata={"Date": None}, bbox_inches="tight")
