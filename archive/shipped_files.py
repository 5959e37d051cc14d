"""Locate the files shipped with Rostrum.

In a wheel, they are inside the package; in a checkout of the repository, they are at its root.
"""

from __future__ import annotations

from pathlib import Path

from rostrum_core.errors import ModelError

ROOT = Path(__file__).resolve().parents[1]


def locate_shipped(name: str) -> Path:
    """Return the path of the shipped file or folder `name`, such as `models` or `samples/speeches.jsonl`.

    >>> locate_shipped("samples/speeches.jsonl").name
    'speeches.jsonl'

    Raises:
        ModelError: this installation does not have the file or folder.
    """
    for root in (ROOT / "rostrum" / "data", ROOT):
        if (root / name).exists():
            return root / name
    raise ModelError(f"this installation lacks {name}: reinstall Rostrum")
