"""Parts of a zip package, as DOCX is one: nothing is unpacked before its bounds are known."""

from __future__ import annotations

import io
import zipfile
import zlib

from indexer.files import LARGEST_FILE_BYTES, MOST_EXPANSION, UNJUDGED_BYTES
from rostrum_core.errors import TranscriptError

MOST_PARTS = 10_000
ENTRY = b"PK\x01\x02"  # what each entry of a zip file's directory begins with
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # LZMA takes as much memory as a file tells it to
# What a damaged file makes the library raise: it takes lengths, offsets and names as they come.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, RuntimeError, OverflowError)


class Parts:
    """The parts of a package by name, each read when it is asked for.

    Raises:
        TranscriptError: it is no zip file, encrypted, or would unpack to something out of all proportion.
    """

    def __init__(self, data: bytes, file: str) -> None:
        self.file = file
        if data.startswith(OLE):
            raise TranscriptError(
                file, "encrypted, or a document of Word 97: save it as DOCX without a password"
            )
        if data.count(ENTRY) > MOST_PARTS:
            raise TranscriptError(file, f"a package of more than {MOST_PARTS} parts")
        try:
            self.archive = zipfile.ZipFile(io.BytesIO(data))
        except DAMAGED as error:
            raise TranscriptError(file, f"no whole zip file: {error}") from error
        unpacked = sum(part.file_size for part in self.archive.infolist())
        if unpacked > max(UNJUDGED_BYTES, MOST_EXPANSION * len(data)):
            raise TranscriptError(file, f"unpacks to more than {MOST_EXPANSION} times its size")

    def __contains__(self, name: str) -> bool:
        return name in self.archive.NameToInfo

    def read(self, name: str, limit_bytes: int = LARGEST_FILE_BYTES) -> bytes:
        """The bytes of a part; none for one that is not there.

        Raises:
            TranscriptError: it is larger than `limit_bytes`, encrypted, damaged, or packed in an unusual way.
        """
        if name not in self:
            return b""
        part = self.archive.getinfo(name)
        if part.flag_bits & 1:
            raise TranscriptError(self.file, "encrypted")
        if part.compress_type not in METHODS:
            raise TranscriptError(
                self.file, f"{name} is packed by method {part.compress_type}, expected deflate"
            )
        try:
            with self.archive.open(part) as stream:
                data = stream.read(limit_bytes + 1)
        except DAMAGED as error:
            raise TranscriptError(self.file, f"{name} cannot be unpacked: {error}") from error
        if len(data) > limit_bytes:
            raise TranscriptError(self.file, f"{name} has more than {limit_bytes} bytes")
        return data
