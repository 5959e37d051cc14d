"""Report a training as Markdown: figures on dev, curves and recipe, without any text of the data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.naming import name_rows

CURVES = "curves.svg"


def run_report(manifest: Mapping[str, Any]) -> str:
    """Return the report on the models with this manifest.

    The report refers to the plot `curves.svg`, which must be in the same folder.
    """
    dev = manifest["figures"]["dev"]
    parts = [
        f"# {manifest['name']}",
        f"{dev['n']} rows of dev, on which the fusion was fitted, in percent.",
        format_table("ranking", name_rows("ranking", dev["ranking"])),
        format_table("spans", name_rows("spans", dev["spans"])),
        f"![Learning curves]({CURVES})",
        *(format_table(name, {name: section}) for name, section in manifest["recipe"].items()),
        "\n".join(f"- `{file}` {digest}" for file, digest in manifest["data"].items()),
        *_describe_taken_over(manifest),
        f"Base: {manifest['base']['name']}, Rostrum {manifest['version']} {manifest['commit']}".rstrip(),
    ]
    return "\n\n".join(parts) + "\n"


def _describe_taken_over(manifest: Mapping[str, Any]) -> list[str]:
    """Return a sentence about the reused encoder and one about the ranker's teacher, if there are any."""
    lines = []
    if kept := manifest.get("kept_encoder"):
        lines.append(
            f"The encoder is that of {kept['name']} (`{kept['hash']}`), which was trained on its own data."
        )
    if teacher := manifest.get("teacher"):
        lines.append(f"The ranker was taught by the ranker `{teacher}`.")
    return lines


def format_table(heading: str, rows: Mapping[str, Mapping[str, Any]]) -> str:
    """Format a Markdown table, with a line for each row and a column for each value.

    >>> print(format_table("ranking", {"BM25": {"mAP": 32.5}, "Rostrum": {"mAP": 40.4}}))
    | ranking | mAP |
    |---|---|
    | BM25 | 32.5 |
    | Rostrum | 40.4 |
    """
    columns = list(dict.fromkeys(name for values in rows.values() for name in values))
    body = [
        _format_line([row, *(str(values.get(name, "-")) for name in columns)]) for row, values in rows.items()
    ]
    return "\n".join([_format_line([heading, *columns]), "|---" * (len(columns) + 1) + "|", *body])


def _format_line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"
