"""What every client asks, and how it tells what it got."""

import json
import os
import sys
from collections.abc import Sequence

QUERY = "Why a rocket to the moon is worth its price\nThe president told the crowd in Houston"
TEXTS = [
    "Four score and seven years ago our fathers brought forth a new nation.",
    "We choose to go to the moon in this decade and do the other things.",
    "Ask not what your country can do for you.",
]


def address_of(client: str) -> str:
    """Return the address that docs/api.md names for a client."""
    return json.loads(os.environ["ADDRESSES"])[client]


def print_ranking(client: str, found: Sequence[tuple[int, float]]) -> None:
    """Prints places and scores of the texts that a client returned, in its order, as a line of JSON."""
    _write({"client": client, "found": found})


def refused(client: str, reason: str) -> None:
    """Prints what a client says of a request that our service refused, as a line of JSON."""
    _write({"client": client, "refused": reason})


def _write(line: dict[str, object]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
