"""Detect the processor's fast number formats without loading an engine.

A process that will still fork must not load an engine.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

FLAGS = Path("/proc/cpuinfo")
BFLOAT16 = frozenset({"avx512_bf16", "amx_bf16"})
INT8 = frozenset({"avx512_vnni", "avx_vnni", "amx_int8"})
"""Names of the instructions among Linux's CPU flags. Other systems have no such list."""


def has_bfloat16_products() -> bool:
    """Return whether the processor has instructions for bfloat16 products."""
    return bool(BFLOAT16 & read_flags())


def has_int8_products() -> bool:
    """Return whether the processor has instructions that multiply int8 numbers and sum the products."""
    return bool(INT8 & read_flags())


@cache
def read_flags(path: Path = FLAGS) -> frozenset[str]:
    """Return the flags of the first core from Linux's `/proc/cpuinfo`; empty if there is no such file."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError:
        return frozenset()
    return next((parse_flags(line) for line in lines if line.startswith("flags")), frozenset())


def parse_flags(line: str) -> frozenset[str]:
    r"""Return the processor's flags from the line "flags" of `/proc/cpuinfo`.

    >>> sorted(parse_flags("flags\t\t: fpu avx512_bf16"))
    ['avx512_bf16', 'fpu']
    """
    return frozenset(line.partition(":")[2].split())
