"""Limit the structure of a JSON body while it arrives, before it is parsed.

A body of 16 MiB can hold five million empty lists. Parsing them would block every other request for seconds
and take gigabytes, even in a field that is ignored.
"""

from __future__ import annotations

import re
from http import HTTPStatus

import numpy as np

from rostrum.api.edge.errors import Refused

MOST_VALUES = 200_000
"""Most values in one JSON text: 200 for each of a thousand documents. Building that many takes some 50 ms."""

MOST_DEPTH = 100
"""Most levels of nested lists and objects."""

ESCAPED = re.compile(rb"\\.", re.DOTALL)
BRACKETS = b"[]{}"
OTHERS = bytes(set(range(256)) - set(BRACKETS))
STEPS = np.zeros(256, np.int64)
STEPS[[ord("["), ord("{")]] = 1
STEPS[[ord("]"), ord("}")]] = -1


class JsonBounds:
    """Count the values and the depth of a JSON text that arrives in pieces.

    The counts are exact only for valid JSON. For invalid JSON that is enough: a parser stops at the first
    fault, so the text after it is never parsed.
    """

    def __init__(self) -> None:
        self._values = self._depth = 0
        self._in_string = False
        self._carried = b""

    def feed(self, piece: bytes) -> None:
        """Add the values and the depth of the next piece of the text to the counts.

        Raises:
            Refused: the text has more values or levels than a request may have.
        """
        outside = self._drop_strings(piece)
        brackets = outside.translate(None, OTHERS)
        if brackets:
            depths = self._depth + np.cumsum(STEPS[np.frombuffer(brackets, np.uint8)])
            self._depth = int(depths[-1])
            if depths.max() > MOST_DEPTH:
                raise _make_refusal(f"the body is nested more than {MOST_DEPTH} levels deep")
        self._values += outside.count(b",") + outside.count(b"[") + outside.count(b"{")
        if self._values > MOST_VALUES:
            raise _make_refusal(f"the body has more than {MOST_VALUES:,} values of JSON")

    def _drop_strings(self, piece: bytes) -> bytes:
        """Return the next piece of JSON without its strings: `{"a": [1]}` -> `{: [1]}`.

        A string may begin in one piece and end in a later one.
        """
        text = ESCAPED.sub(b"", self._carried + piece)
        self._carried = b"\\" if text.endswith(b"\\") else b""
        parts = text.split(b'"')
        outside = b"".join(parts[int(self._in_string) :: 2])
        self._in_string ^= len(parts) % 2 == 0
        return outside


class JsonLinesBounds:
    """Refuse a body in JSON lines if a line has too many values or levels.

    The body arrives in pieces. A line inside one piece is not counted, because it cannot have more values
    than the piece has bytes.
    """

    def __init__(self) -> None:
        self._line = JsonBounds()

    def feed(self, piece: bytes) -> None:
        """Count the values and the depth of the next piece, separately for each line.

        Raises:
            Refused: a line has more values or levels than it may have.
        """
        head, newline, rest = piece.partition(b"\n")
        self._line.feed(head)
        if newline:  # a line that begins and ends within one piece has no more values than that has bytes
            self._line = JsonBounds()
            self._line.feed(rest.rpartition(b"\n")[2])


class FreeBounds:
    """Accept any structure, because the body is a form and is not parsed as JSON."""

    def feed(self, piece: bytes) -> None:
        """Accept the next piece of the body without any check."""


def _make_refusal(message: str) -> Refused:
    return Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "too_large", message)
