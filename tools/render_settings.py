"""Render the table of docs/settings.md from the settings' own declarations.

python -m tools.render_settings            rewrite the page
python -m tools.render_settings --check    exit 1 if the page is stale
"""

from __future__ import annotations

import re
import sys
from dataclasses import fields
from pathlib import Path

from rostrum_core.settings import PREFIX, Settings

PAGE = Path(__file__).resolve().parents[1] / "docs" / "settings.md"
TABLE = re.compile(r"(<!-- settings -->\n).*?(<!-- end -->)", re.DOTALL)


def render_table() -> str:
    """Return the table of all settings in Markdown."""
    rows = ["| variable | default | what it sets |", "|---|---|---|"]
    for declared in fields(Settings):
        shown = declared.metadata["shown"] or _show_default(declared.default)
        rows.append(f"| `{PREFIX}{declared.name.upper()}` | {shown} | {declared.metadata['help']} |")
    return "\n".join(rows)


def _show_default(default: object) -> str:
    if default is None:
        return "none"
    return (
        f"`{default}`"
        if isinstance(default, str)
        else f"{default:g}"
        if isinstance(default, float)
        else str(default)
    )


def render_page(text: str) -> str:
    """Return the page with its table rendered."""
    return TABLE.sub(lambda match: f"{match[1]}{render_table()}\n{match[2]}", text)


if __name__ == "__main__":
    page = PAGE.read_text("utf-8")
    if "--check" in sys.argv[1:]:
        sys.exit(
            None
            if render_page(page) == page
            else "docs/settings.md is stale: python -m tools.render_settings"
        )
    PAGE.write_text(render_page(page), "utf-8")
