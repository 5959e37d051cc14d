"""Read lines of text from a stream of bytes of any encoding and size."""

from __future__ import annotations

import codecs
import io
import re
from typing import BinaryIO

from indexer.encodings import SAMPLE_BYTES, detect_encodings
from indexer.files import LARGEST_LINE_BYTES

BYTE_ORDER_MARK = "\ufeff"
UNDECODED = re.compile("[\udc80-\udcff]")


class TextLines:
    """Decode a stream, and iterate over its lines, with their line ends and without the byte order mark.

    `head` is the text at the beginning of the stream, up to the last complete line in the first 64 KiB. A
    line of more than `LARGEST_LINE_BYTES` characters is skipped: `next` raises `ValueError` for it, and can
    be called again.

    Raises:
        TranscriptError: the stream is not text.
    """

    def __init__(self, stream: BinaryIO, file: str) -> None:
        sample = stream.read(SAMPLE_BYTES)
        encoding, self._other = detect_encodings(sample, file)
        errors = "surrogateescape" if encoding == "utf-8" else "replace"
        self._text = io.TextIOWrapper(
            io.BufferedReader(_Prefixed(sample, stream)), encoding=encoding, errors=errors, newline=""
        )
        decoder = codecs.getincrementaldecoder(encoding)(errors)  # drops half a character at the end
        lines = decoder.decode(sample).splitlines(keepends=True)
        head = "".join(map(self._decode_again, lines)).removeprefix(BYTE_ORDER_MARK)
        self.head = head if len(sample) < SAMPLE_BYTES else head.rpartition("\n")[0] or head
        self._first = True

    def __iter__(self) -> TextLines:
        return self

    def __next__(self) -> str:
        line = self._text.readline(LARGEST_LINE_BYTES + 1)
        if not line:
            raise StopIteration
        if len(line) > LARGEST_LINE_BYTES:
            while line and not line.endswith(("\n", "\r")):
                line = self._text.readline(LARGEST_LINE_BYTES)
            raise ValueError(f"a line of more than {LARGEST_LINE_BYTES} characters")
        text = self._decode_again(line)
        if self._first:
            text, self._first = text.removeprefix(BYTE_ORDER_MARK), False
        return text

    def _decode_again(self, line: str) -> str:
        """Decode a line again with the fallback encoding if it has bytes that are not UTF-8."""
        if not UNDECODED.search(line):
            return line
        return line.encode("utf-8", "surrogateescape").decode(self._other, "replace")


class _Prefixed(io.RawIOBase):
    """Read a stream from which some bytes have been taken: first these bytes (`beginning`), then the rest."""

    def __init__(self, beginning: bytes, rest: BinaryIO) -> None:
        self.beginning, self.rest = io.BytesIO(beginning), rest

    def readable(self) -> bool:
        """Return `True`, because the stream can be read."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill `buffer` and return the number of bytes; 0 at the end."""
        data = self.beginning.read(len(buffer)) or self.rest.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
