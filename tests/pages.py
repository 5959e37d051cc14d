"""Commands on pages of docs, as their readers run them."""

import re
from pathlib import Path
from textwrap import dedent

DOCS = Path(__file__).parents[1] / "docs"
BLOCK = re.compile(r"(?:^    .*\n|^\n(?=    ))+", re.MULTILINE)


def section(page: str, heading: str) -> str:
    """What stands under a heading of the second level."""
    [found] = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", (DOCS / page).read_text(), re.M | re.DOTALL)
    return found


def blocks(page: str, heading: str) -> list[str]:
    """The indented blocks under a heading, in order."""
    return [dedent(each).strip() for each in BLOCK.findall(section(page, heading))]
