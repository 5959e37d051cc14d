"""Read the parts of a zip package, such as a DOCX file, checking limits before a part is unpacked."""

from __future__ import annotations

import io
import zipfile
import zlib

from indexer.files import LARGEST_FILE_BYTES, MOST_EXPANSION, UNJUDGED_BYTES
from rostrum_core.errors import TranscriptError

MOST_PARTS = 10_000
ENTRY = b"PK\x01\x02"  # the beginning of each entry of a zip file's directory
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # LZMA takes as much memory as a file asks for
# Exceptions that the library raises for a damaged file: it does not check lengths, offsets and names.
DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, RuntimeError, OverflowError)


class Parts:
    """Read the parts (files) of a zip package by name, on demand.

    Raises:
        TranscriptError: the data are not a zip file, are encrypted, or unpack to too many times their size.
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
        """Read the bytes of a part; return empty bytes if the package has no such part.

        Raises:
            TranscriptError: the part is larger than `limit_bytes`, encrypted, damaged, or packed in an
                unusual way.
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
