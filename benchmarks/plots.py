"""The plots of the pages, as SVG beside them.

A file says in its metadata what it shows, and is stale if the results say otherwise: not when a library draws
the same lines another way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure

Points = Mapping[str, Mapping[str, float]]
"""Of each ranker, by its number of layers, `p50_ms` and some figures."""

OF_RANKING = {"map": "mAP, merged", "ranker": "mAP, ranker alone"}
OF_SPANS = {"f1": "F1", "em": "EM"}
DESCRIPTION = ".//{http://purl.org/dc/elements/1.1/}description"
SIZE_INCHES = (8.0, 3.6)


def layers_points(found: Mapping[str, Any]) -> Points:
    """What `layers_plot` shows of `results/layers-dev.json`."""
    return {
        layers: {"p50_ms": row["p50_ms"], **{name: row["figures"][name] for name in (*OF_RANKING, *OF_SPANS)}}
        for layers, row in found["compared"].items()
    }


def layers_plot(points: Points) -> Figure:
    """Quality over time of answer: ranking on the left, spans on the right."""
    figure = Figure(figsize=SIZE_INCHES, layout="constrained")
    left, right = figure.subplots(1, 2)
    _curves(left, points, OF_RANKING)
    _curves(right, points, OF_SPANS)
    return figure


def _curves(axes: Axes, points: Points, labels: Mapping[str, str]) -> None:
    times = [row["p50_ms"] for row in points.values()]
    for name, label in labels.items():
        values = [row[name] for row in points.values()]
        axes.plot(times, values, marker="o", label=label)
        for layers, time, value in zip(points, times, values, strict=True):
            axes.annotate(layers, (time, value), textcoords="offset points", xytext=(0, 6), ha="center")
    axes.set_xlim(0, 1.1 * max(times))
    axes.set_ylim(0, 1.1 * max(row[name] for row in points.values() for name in labels))
    axes.set_xlabel("ms for the ranker (points: layers)")
    axes.set_ylabel("percent")
    axes.grid(visible=True, alpha=0.3)
    axes.legend(loc="lower right")


def write_plot(points: Points, path: Path) -> None:
    """Draws `layers_plot` into an SVG file that says what it shows."""
    told = {"Date": None, "Description": json.dumps(points)}
    with rc_context({"svg.hashsalt": "rostrum", "svg.fonttype": "none"}):
        layers_plot(points).savefig(path, format="svg", metadata=told)


def shown(path: Path) -> Points | None:
    """What the plot in an SVG file shows; None without such a file."""
    if not path.exists():
        return None
    read: Points = json.loads(ElementTree.parse(path).findtext(DESCRIPTION, "{}"))
    return read
