"""Read lists of well-known quotes from JSON lines or CSV, encode them, and keep them in a file."""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from indexer.encodings import decode
from jobs.json_lines import read_id, read_json_lines, read_text
from reranker.models.encoder import Encoder
from reranker.models.famous import Famous
from rostrum_core.errors import BadInput
from rostrum_core.whole_files import replace_file

TABLES = {".csv": ",", ".tsv": "\t"}


@dataclass(frozen=True, slots=True)
class FamousQuote:
    """A quote of a list; who wrote it, and where, may be unknown."""

    id: str
    text: str
    author: str = ""
    work: str = ""


@dataclass(frozen=True)
class QuoteList:
    """Quotes with their vectors by the model of the job and by the encoder of drafts and paragraphs.

    Both are float32 (quotes, width), rows of length 1.
    """

    quotes: tuple[FamousQuote, ...]
    vectors: NDArray[np.float32]
    general: NDArray[np.float32]


@dataclass(frozen=True)
class Encoders:
    """The model of the job, the encoder of drafts and paragraphs, and the hashes of both."""

    famous: Famous
    general: Encoder
    hashes: tuple[str, str]

    def encode_general(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the encoder's vectors of texts, float32 (texts, width)."""
        return np.array([encoding.vector for encoding in self.general.encodings(texts)])


def read_quote_list(path: Path) -> list[FamousQuote]:
    """Return the quotes of a file: JSON lines, or a table (`.csv`, `.tsv`) with a head.

    A row has `text` and perhaps `id`, `author` and `work`.

    Raises:
        BadInput: the file cannot be read, a row has no text, two have one id, or there is no row.
    """
    quotes = []
    for number, row in enumerate(_read_rows(path), 1):
        where = f"{path}, row {number}"
        text = read_text(row, "text", where, needed=True)
        author, work = (read_text(row, name, where) for name in ("author", "work"))
        quotes.append(FamousQuote(read_id(row, number), text, author, work))
    if not quotes:
        raise BadInput(f"{path}: no quote in it")
    if len({quote.id for quote in quotes}) < len(quotes):
        raise BadInput(f"{path}: two quotes have the same id", field="id")
    return quotes


def _read_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    if path.suffix.lower() not in TABLES:
        yield from read_json_lines(path)
        return
    try:
        text = decode(path.read_bytes(), str(path)).lstrip("\ufeff")
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from error
    yield from csv.DictReader(io.StringIO(text), delimiter=TABLES[path.suffix.lower()])


def encode_list(quotes: Sequence[FamousQuote], encoders: Encoders, index: Path | None = None) -> QuoteList:
    """Encode the quotes, or take their vectors from the file `index` if it has those of list and models.

    Otherwise the file is written.

    Raises:
        BadInput: the file cannot be written.
    """
    wanted = hash_list(quotes, encoders.hashes)
    kept = None if index is None else _read_index(index, wanted)
    if kept is None:
        texts = [quote.text for quote in quotes]
        kept = encoders.famous.encode_quotes(texts), encoders.encode_general(texts)
        if index is not None:
            _write_index(index, wanted, *kept)
    return QuoteList(tuple(quotes), *kept)


def hash_list(quotes: Sequence[FamousQuote], model_hashes: Sequence[str]) -> str:
    """Return a hash of the texts and the models: 64 hex digits."""
    joined = "\0".join((*model_hashes, *(quote.text for quote in quotes)))
    return hashlib.sha256(joined.encode()).hexdigest()


Vectors = tuple[NDArray[np.float32], NDArray[np.float32]]


def _read_index(path: Path, wanted: str) -> Vectors | None:
    """Return the vectors of a file, None if there is no such file or it is of another list or model."""
    try:
        with np.load(path, allow_pickle=False) as opened:
            if str(opened["hash"]) != wanted:
                return None
            return opened["vectors"], opened["general"]
    except (OSError, ValueError, KeyError):
        return None


def _write_index(path: Path, wanted: str, vectors: NDArray[np.float32], general: NDArray[np.float32]) -> None:
    try:
        with replace_file(path) as part, part.open("wb") as opened:
            np.savez(opened, hash=np.array(wanted), vectors=vectors, general=general)
    except OSError as error:
        raise BadInput(f"{path} cannot be written: {error.strerror}") from error
