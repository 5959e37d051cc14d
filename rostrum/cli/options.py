"""What several commands take: the archive, and the settings they end in."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rostrum.core.settings import ARCHIVE, OPENSEARCH_URL, Settings, read_settings

archive_option: Callable[[Callable[..., Any]], Callable[..., Any]] = click.option(
    "--archive",
    type=click.Path(file_okay=False, path_type=Path),
    help="Folder of the archive; else ROSTRUM_OPENSEARCH_URL, ROSTRUM_ARCHIVE, the user's data folder.",
)


def settings_of(archive: Path | None = None) -> Settings:
    """The settings of this run: the environment's, or with the folder of the command line if there is one."""
    told = dict(os.environ)
    if archive:
        told[ARCHIVE] = str(archive)
        told.pop(OPENSEARCH_URL, None)
    return read_settings(told)
