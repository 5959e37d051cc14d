"""Define what scripts share: command line, the product as a program and as a service, and times."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from archive.service import Service

ROSTRUM = (sys.executable, "-c", "from rostrum.cli import main; main()")
"""The command `rostrum` of this environment."""

Item = TypeVar("Item")


def make_parser(description: str | None) -> argparse.ArgumentParser:
    """Return a parser whose help shows the docstring of a script as it is written."""
    return argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def open_service(**changes: Any) -> Service:
    """Return the service with the settings of the environment, except for `changes`."""
    from rostrum.assemble import assemble  # not at the top: few scripts need all that it imports
    from rostrum_core.settings import read_settings

    return assemble(replace(read_settings(dict(os.environ)), **changes))


def time_calls(
    call: Callable[[Item], object],
    items: Iterable[Item],
    read_cpu: Callable[[], float] = time.process_time,
) -> tuple[list[float], list[float]]:
    """Call a function with one item after the other; return the seconds of the clock and of the processor.

    `read_cpu` returns the processor seconds used so far, of this process by default.
    """
    walls, cpus = [], []
    for item in items:
        wall, cpu = time.perf_counter(), read_cpu()
        call(item)
        walls.append(time.perf_counter() - wall)
        cpus.append(read_cpu() - cpu)
    return walls, cpus


def compute_quantiles(seconds: Sequence[float], name: str, digits: int, *, of_s: int = 1) -> dict[str, float]:
    """Return median and 95th percentile; `name` has `{}` where 50 and 95 go.

    `of_s` says how many of the unit a second has.

    >>> compute_quantiles([1.0, 2.0, 3.0], "p{}_ms", 1, of_s=1000)
    {'p50_ms': 2000.0, 'p95_ms': 2900.0}
    """
    return {name.format(q): round(float(np.quantile(seconds, q / 100)) * of_s, digits) for q in (50, 95)}
