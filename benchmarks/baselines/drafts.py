"""Save the figures of each draft, as input of tests and of spreads over seeds.

A run holds scores and spans of all paragraphs, and stays on its machine. Its figures are a few numbers for
each draft, small enough to be published. So a system can be tested draft by draft against one trained
elsewhere or at another time. A file is `SPLIT-N/SYSTEM@SEED.json`, for N drafts of a split.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.baselines.runs import Split
from rostrum_core.errors import BadInput

DIGITS = 5
Figures = Mapping[str, NDArray[np.float64]]
"""Values (n,) of each figure, one for each of n drafts."""
OfSeeds = Mapping[int | None, Figures]


def keep(folder: Path, part: Split, systems: Mapping[str, OfSeeds], made_of: Mapping[str, Any]) -> None:
    """Write the figures of each system and seed, replacing existing ones.

    `made_of` names the code, data and models that they come from.
    """
    for system, seeds in systems.items():
        for seed, figures in seeds.items():
            values = {
                **made_of,
                "drafts": hash_drafts(part),
                "figures": {name: np.round(values, DIGITS).tolist() for name, values in figures.items()},
            }
            path = _locate(folder, part) / f"{system}{'' if seed is None else f'@{seed}'}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values) + "\n", "utf-8")


def read_kept(folder: Path, part: Split) -> dict[str, dict[int | None, Figures]]:
    """Return the saved figures of these drafts, by system and seed.

    Raises:
        BadInput: if a file is of other drafts, or cannot be read; or if a system has figures both with and
            without a seed.
    """
    systems: dict[str, dict[int | None, Figures]] = defaultdict(dict)
    for path in sorted(_locate(folder, part).glob("*.json")):
        system, _, seed = path.stem.partition("@")
        systems[system][int(seed) if seed else None] = {
            name: np.array(values, np.float64) for name, values in _read(path, part)["figures"].items()
        }
    if mixed := sorted(system for system, seeds in systems.items() if None in seeds and len(seeds) > 1):
        raise BadInput(
            f"{_locate(folder, part)} has figures of {mixed[0]} with a seed and without: remove one"
        )
    return dict(systems)


def check_kept(folder: Path, part: Split, system: str, models: Mapping[str, str]) -> None:
    """Raise `BadInput` unless figures of this system, made by these models, are saved."""
    paths = _locate(folder, part).glob(f"{system}@*.json")
    if not any(_read(path, part).get("models") == models for path in paths):
        raise BadInput(
            f"{_locate(folder, part)} has no figures of {system} by {models['name']}: judge its drafts"
        )


def _read(path: Path, part: Split) -> dict[str, Any]:
    """Return the saved figures of one system and seed."""
    try:
        values: dict[str, Any] = json.loads(path.read_text("utf-8"))
        of, _ = values["drafts"], values["figures"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path} cannot be read as figures of drafts: {error}") from error
    if of != hash_drafts(part):
        raise BadInput(f"{path} is of other drafts than these {len(part.pairs)} of {part.name}")
    return values


def hash_drafts(part: Split) -> str:
    """Return the SHA-256 of the drafts and the transcripts that they quote, in their order."""
    digest = hashlib.sha256()
    for pair in part.pairs:
        for text in (pair.fingerprint, pair.right, *part.documents[pair.document].paragraphs):
            digest.update(f"{text}\n".encode())
    return digest.hexdigest()


def _locate(folder: Path, part: Split) -> Path:
    return folder / f"{part.name}-{len(part.pairs)}"
