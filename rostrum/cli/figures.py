"""Print groups of figures as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

PROBABILITIES = ("p", "p_values")


def print_figures(figures: Mapping[str, Any], console: Console) -> None:
    """Print a table for each group of figures, followed by single figures."""
    alone = {name: value for name, value in figures.items() if not isinstance(value, dict)}
    for group, rows in figures.items():
        if isinstance(rows, dict):
            console.print(build_table(group, rows))
            console.print()
    console.print(", ".join(f"{name} {value}" for name, value in alone.items()), soft_wrap=True)


def build_table(group: str, rows: Mapping[str, Mapping[str, float]]) -> Table:
    """Return a table with one row for each system, and one column for each of its figures."""
    made = Table(box=None, pad_edge=False)
    made.add_column(group)
    columns = list(dict.fromkeys(name for figures in rows.values() for name in figures))
    for name in columns:
        made.add_column(name, justify="right")
    for system, figures in rows.items():
        cells = (
            _format_cell(figures[name], {group, system, name}) if name in figures else "-" for name in columns
        )
        made.add_row(system, *cells)
    return made


def _format_cell(value: float, named: set[str]) -> str:
    if isinstance(value, int):  # a count
        return f"{value:,}"
    return f"{value:.4f}" if named.intersection(PROBABILITIES) else f"{value:.2f}"
