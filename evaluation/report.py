"""Write a report for readers, with figures, plots and the worst cases, as HTML and as Markdown.

The report contains text of drafts and speeches, so git is told to ignore its folder.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evaluation.evaluate import Evaluation
from evaluation.naming import name_rows
from evaluation.worst_cases import list_worst_cases
from rostrum_core.errors import BadInput
from rostrum_core.extras import install_command

try:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    from evaluation.plots import draw_plots
except ImportError as error:
    raise ImportError(f"{error}; a report needs more: {install_command('evaluation')}") from error

IGNORE_ALL = b"*\n"
TITLES = {
    "ranking": "Ranking within the source",
    "spans": "Spans",
    "error_distance": "Error distance: percent of drafts by paragraphs between top answer and quote",
    "p_values": "Paired permutation tests on average precision (p)",
    "contributions": "What each part is worth: mAP without it, what that loses, p",
    "ablations": "Drafts with less in them",
    "begun sentence": "Drafts with the quoting sentence as far as it was begun",
    "text after it": "Drafts with the text after the quote",
    "archive": "Over the archive",
}


def write_report(evaluation: Evaluation, folder: Path) -> Path:
    """Write `report.html`, `report.md`, their plots and `figures.json`; return the path of the HTML.

    Raises:
        BadInput: if the folder has another `.gitignore` than `begin_report` writes.
        OSError: if the folder cannot be written.
    """
    begin_report(folder)
    (folder / "figures.json").write_text(json.dumps(evaluation.figures, indent=2) + "\n", "utf-8")
    values = {
        "n": evaluation.figures["n"],
        "groups": group_figures(evaluation.figures),
        "plots": draw_plots(evaluation.tally, evaluation.figures["contributions"], folder),
        "cases": list_worst_cases(evaluation.judged, evaluation.documents, evaluation.weights),
    }
    templates = Environment(
        loader=PackageLoader("evaluation"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    for name in ("report.md", "report.html"):
        (folder / name).write_text(templates.get_template(name).render(values), "utf-8")
    return folder / "report.html"


def begin_report(folder: Path) -> None:
    """Create the folder of a report, with a `.gitignore` that excludes all files in the folder.

    Raises:
        BadInput: if the folder has another `.gitignore`, because git might then store the text of drafts and
            speeches.
        OSError: if the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    ignored = folder / ".gitignore"
    if ignored.exists() and ignored.read_bytes() != IGNORE_ALL:
        raise BadInput(f"{folder} has a .gitignore of its own: name another folder", field="report")
    ignored.write_bytes(IGNORE_ALL)


def group_figures(figures: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Convert each group of figures to a table for the report, as a dictionary: title, columns and rows.

    A row is a name and a list of formatted cells.
    """
    return [
        {"title": title, **_make_table(name_rows(group, figures[group]), group == "p_values")}
        for group, title in TITLES.items()
        if group in figures
    ]


def _make_table(rows: Mapping[str, Mapping[str, float]], probabilities: bool) -> dict[str, Any]:
    columns = list(dict.fromkeys(name for row in rows.values() for name in row))
    return {
        "columns": columns,
        "rows": [
            (
                name,
                [_format_cell(row.get(column), probabilities or "p" in (name, column)) for column in columns],
            )
            for name, row in rows.items()
        ],
    }


def _format_cell(value: float | None, probability: bool) -> str:
    if value is None:
        return "-"
    if isinstance(value, int):  # a count
        return f"{value:,}"
    return f"{value:.4f}" if probability else f"{value:.1f}"
