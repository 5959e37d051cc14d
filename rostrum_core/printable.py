"""Make foreign text safe to print: one line, without control characters."""

from __future__ import annotations

import re

UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Control characters, and those that change the direction of writing."""


def safe(text: str) -> str:
    r"""Return `text` in one line, without control characters and changes of the direction of writing.

    >>> safe("free\x1b[2Jdom\nrings")
    'free[2Jdom rings'
    """
    return re.sub(r"\s", " ", UNSAFE.sub("", text))
