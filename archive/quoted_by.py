"""Look up which articles quoted a speech, in a file that `rostrum align` wrote into the archive's folder.

This command writes the file:

rostrum align articles --documents speeches --pairs $ROSTRUM_ARCHIVE/quoted-by.jsonl
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

QUOTED_BY: Final = "quoted-by.jsonl"
MOST_ROWS: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Quoting:
    """Hold words of a speech that an article quotes: the words as printed, and their place in the speech.

    `ordinal` counts the paragraphs of the speech from 0. `start_char` and `end_char` are characters of that
    paragraph, half-open; `end_char` is 0 if the quotation goes on in the next paragraph.
    """

    article: str
    title: str
    outlet: str | None
    published_on: str | None
    quote: str
    ordinal: int
    start_char: int
    end_char: int


class Quotings:
    """Look up the articles that quote a speech, in the file `quoted-by.jsonl` of a folder.

    The file is read again whenever it has changed. Threads may share an object.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / QUOTED_BY
        self._guard = threading.Lock()
        self._version: tuple[int, int] | None = None
        self._rows: dict[str, list[Quoting]] = {}

    def list_quotings(self, document_id: str) -> list[Quoting]:
        """Return the passages of a speech that articles quote, in the order of the speech.

        Each passage comes with the article that quotes it. The list is empty if no article quotes the speech,
        or if the file does not exist.
        """
        with self._guard:
            try:
                stat = self._path.stat()
            except OSError:
                self._version, self._rows = None, {}
                return []
            if self._version != (stat.st_mtime_ns, stat.st_size):
                self._rows = _read(self._path)
                self._version = stat.st_mtime_ns, stat.st_size
            return self._rows.get(document_id, [])


def _read(path: Path) -> dict[str, list[Quoting]]:
    rows: dict[str, list[Quoting]] = {}
    for document_id, quoting in _iterate_rows(path):
        rows.setdefault(document_id, []).append(quoting)
    for several in rows.values():
        several.sort(key=lambda quoting: (quoting.ordinal, quoting.start_char))
    return rows


def _iterate_rows(path: Path) -> Iterator[tuple[str, Quoting]]:
    """Yield (document id, quotation) for each line of the file; skip invalid lines."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines):
            if number >= MOST_ROWS:
                return
            try:
                row = json.loads(line)
                yield str(row["document"]), _parse(row)
            except (ValueError, KeyError, TypeError):
                continue


def _parse(row: Mapping[str, Any]) -> Quoting:
    first, last = int(row["paragraph"]), int(row.get("last_paragraph", row["paragraph"]))
    return Quoting(
        article=str(row.get("article", "")),
        title=str(row.get("title", "")),
        outlet=row.get("outlet") or None,
        published_on=row.get("published") or None,
        quote=str(row.get("quote", "")),
        ordinal=first,
        start_char=int(row["start"]),
        end_char=int(row["end"]) if first == last else 0,
    )
