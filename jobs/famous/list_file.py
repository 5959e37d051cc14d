"""Write and read a list of quotes with their vectors as one file, which is replaced atomically."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from zipfile import BadZipFile

import msgspec
import numpy as np

from jobs.famous.encoding import Vectors
from jobs.famous.quote_list import QuoteList
from jobs.json_lines import split_lines
from rostrum_core.errors import BadInput, ModelError, StoreError
from rostrum_core.famous_quotes import FamousQuote
from rostrum_core.locks import wait_for_lock
from rostrum_core.whole_files import replace_file

FILE = "quotes.npz"
"""Name of the list's file in the folder of an archive."""

LOCK = "quotes.lock"
OWN = "quotes."
"""Prefix of all file names that belong to a list."""


def write_list(folder: Path, encoded: QuoteList, hashes: Mapping[str, str]) -> None:
    """Write a list of quotes with their vectors to a folder, replacing the list that the folder has.

    `hashes` are the hashes of the models that made the vectors.

    Raises:
        BadInput: the folder holds an archive of speeches.
        StoreError: the file cannot be written.
    """
    if folder.is_dir() and any(not path.name.startswith(OWN) for path in folder.iterdir()):
        raise BadInput(f"{folder.name} is an archive of speeches: choose another name", field="name")
    lines = "\n".join(json.dumps(asdict(quote), ensure_ascii=False) for quote in encoded.quotes)
    arrays = {
        "quotes": np.frombuffer(lines.encode("utf-8", "surrogatepass"), np.uint8),
        "uses": np.frombuffer(json.dumps(dict(encoded.uses)).encode(), np.uint8),
        "hashes": np.array(json.dumps(dict(hashes))),
        "own": encoded.vectors.own,
        "general": encoded.vectors.general,
    }
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with wait_for_lock(folder / LOCK), replace_file(folder / FILE) as part, part.open("wb") as opened:
            np.savez(opened, **arrays)  # type: ignore[arg-type]  # its stub takes no arrays by name
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror}") from error


def read_list(folder: Path, hashes: Mapping[str, str]) -> QuoteList:
    """Read the list of quotes with their vectors from a folder.

    `hashes` are the hashes of the models that will search the list: they must be those that encoded it.

    Raises:
        StoreError: there is no list, or its file is damaged.
        ModelError: the list was encoded by other models than those of `hashes`.
    """
    try:
        with (folder / FILE).open("rb") as file, np.load(file, allow_pickle=False) as opened:
            encoders = json.loads(str(opened["hashes"]))
            rows = split_lines(bytes(opened["quotes"]).decode("utf-8", "surrogatepass"))
            vectors = Vectors(opened["own"], opened["general"])
            uses = json.loads(bytes(opened["uses"])) if "uses" in opened else {}
        quotes = tuple(msgspec.convert(json.loads(row), FamousQuote) for row in rows)
        listed = QuoteList(folder.name, quotes, vectors, msgspec.convert(uses, dict[str, tuple[str, ...]]))
        if not len(quotes) == len(vectors.own) == len(vectors.general):
            raise ValueError("quotes and vectors are not as many")
    except FileNotFoundError as error:
        raise StoreError(f"there is no list of quotes named {folder.name}") from error
    except (OSError, ValueError, KeyError, EOFError, BadZipFile, msgspec.ValidationError) as error:
        raise StoreError(f"the list {folder.name} cannot be read: {error}") from error
    if encoders != dict(hashes):
        raise ModelError(f"other models encoded the list {folder.name}: index it again")
    return listed
