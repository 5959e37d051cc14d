"""Check that a command does not overwrite a file that it reads."""

from __future__ import annotations

from pathlib import Path

from rostrum_core.errors import BadInput


def refuse_input_as_target(target: Path | None, *inputs: Path | None, field: str) -> None:
    """Raise BadInput if the file `target`, which a command is to write, is a file that the command reads.

    Links are followed. `None` stands for an option that is not set. `field` is the name of the option for
    `target`, without dashes.
    """
    if target is None or not target.exists():
        return
    for path in inputs:
        if path is not None and path.exists() and path.samefile(target):
            raise BadInput(f"--{field} {target}: the file is read, and would be overwritten", field=field)
