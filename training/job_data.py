"""Define the names of data sets and splits for training, and read rows from the files of these data sets.

Arrays store a set or a split as its index in the tuple of names: "dev" as 1.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from rostrum_core.errors import BadInput

SPLITS = ("train", "dev", "test")
CLAIM_SETS = ("debater", "scifact", "motions", "citations", "wice", "wice with context")
STANCE_SETS = ("scifact", "citations", "planted")


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Return the rows of a gzipped file of JSON lines.

    Raises:
        BadInput: if the file cannot be read.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]
    except (OSError, ValueError) as error:
        raise BadInput(f"{path} is not a gzipped file of JSON lines: {error}") from error
