"""Load the rules that recognise boilerplate in transcripts: text that is not speech, such as a line with a
date or a place.
"""

from __future__ import annotations

from pathlib import Path

from archive.shipped_files import locate_shipped
from indexer.boilerplate import Boilerplate
from indexer.rules import read_rules

SHIPPED = "rules/boilerplate.toml"


def load_boilerplate(rules: Path | None) -> Boilerplate:
    """Return the shipped rules, extended by those of the file `rules` if it is set.

    Raises:
        BadInput: a rule is invalid.
    """
    return Boilerplate(read_rules([locate_shipped(SHIPPED), *([rules] if rules else [])]))
