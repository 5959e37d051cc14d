"""The rules by which boilerplate of transcripts is told, wherever transcripts come in."""

from __future__ import annotations

from pathlib import Path

from indexer.boilerplate import Boilerplate
from indexer.rules import read_rules
from rostrum.archive.shipped_files import shipped

SHIPPED = "rules/boilerplate.toml"


def boilerplate(rules: Path | None) -> Boilerplate:
    """The shipped rules, extended by those of a file where there is one.

    Raises:
        BadInput: a rule is none.
    """
    return Boilerplate(read_rules([shipped(SHIPPED), *([rules] if rules else [])]))
