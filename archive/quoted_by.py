"""Look up which articles quoted a speech, in a file that `rostrum align` wrote into the archive's folder.

This command writes the file:

rostrum align articles --documents speeches --pairs $ROSTRUM_ARCHIVE/quoted-by.jsonl
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from rostrum_core.types import Paragraph

QUOTED_BY: Final = "quoted-by.jsonl"
MOST_ROWS: Final = 1_000_000
WORD: Final = re.compile(r"\w+")
LEAST_SHARE: Final = 0.6
"""Share of the words of a quote that must be among the marked words; an article may leave out or change
some. Another sentence of the speech shares a third, most of them articles and pronouns.
"""


@dataclass(frozen=True, slots=True)
class Quoting:
    """Hold words of a speech that an article quotes: the words as printed, and their place in the speech.

    `ordinal` counts the paragraphs of the speech from 0. `start_char` and `end_char` are characters of that
    paragraph, half-open; `end_char` is 0 if the quotation goes on in the next paragraph, or if its words were
    not found in the speech.
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


def place_quotings(quotings: Sequence[Quoting], paragraphs: Sequence[Paragraph]) -> list[Quoting]:
    """Correct the places of the words that articles quote from a speech; return the quotings by place.

    `paragraphs` are those of the speech in the archive. The articles may have been aligned with a file that
    has other paragraphs. If the words at a place are not those of the quote, take the occurrence of the quote
    in the nearest paragraph of the speech. If there is none, `start_char` and `end_char` are 0, so that no
    words are marked.
    """
    speech = _Speech(paragraphs)
    return sorted(map(speech.place, quotings), key=_get_place)


class _Speech:
    """Find quoted words in the paragraphs of a speech."""

    def __init__(self, paragraphs: Sequence[Paragraph]) -> None:
        self._texts = {paragraph.ordinal: paragraph.text for paragraph in paragraphs}

    @cached_property
    def _folded(self) -> Mapping[int, str]:
        """Return the words of each paragraph, in lower case, with a space before and after each."""
        return {ordinal: _fold(text) for ordinal, text in self._texts.items()}

    def place(self, quoting: Quoting) -> Quoting:
        quoted = _fold(quoting.quote)
        if not quoting.end_char or not quoted.strip() or self._has_words(quoting, quoted):
            return quoting
        for ordinal in sorted(self._texts, key=lambda ordinal: abs(ordinal - quoting.ordinal)):
            if quoted in self._folded[ordinal]:
                start, end = self._find_words(ordinal, quoted)
                return replace(quoting, ordinal=ordinal, start_char=start, end_char=end)
        return replace(quoting, start_char=0, end_char=0)

    def _has_words(self, quoting: Quoting, quoted: str) -> bool:
        """Return whether the range of `quoting` is within its paragraph, and has most of the quoted words."""
        text = self._texts.get(quoting.ordinal, "")
        if not 0 <= quoting.start_char < quoting.end_char <= len(text):
            return False
        marked = Counter(_fold(text[quoting.start_char : quoting.end_char]).split())
        words = Counter(quoted.split())
        return (marked & words).total() >= LEAST_SHARE * words.total()

    def _find_words(self, ordinal: int, quoted: str) -> tuple[int, int]:
        """Return the range of characters of the words `quoted` in the paragraph `ordinal`, which has them."""
        folded, words = self._folded[ordinal], list(WORD.finditer(self._texts[ordinal]))
        first = folded.count(" ", 0, folded.index(quoted))
        return words[first].start(), words[first + len(quoted.split()) - 1].end()


def _fold(text: str) -> str:
    """Return the words of a text in lower case, with a space before and after each.

    >>> _fold("The moon -- is FAR.")
    ' the moon is far '
    """
    return f" {' '.join(word.casefold() for word in WORD.findall(text))} "


def _read(path: Path) -> dict[str, list[Quoting]]:
    rows: dict[str, list[Quoting]] = {}
    for document_id, quoting in _iterate_rows(path):
        rows.setdefault(document_id, []).append(quoting)
    for several in rows.values():
        several.sort(key=_get_place)
    return rows


def _get_place(quoting: Quoting) -> tuple[int, int]:
    return quoting.ordinal, quoting.start_char


def _iterate_rows(path: Path) -> Iterator[tuple[str, Quoting]]:
    """Yield (document id, quotation) for each line of the file; skip invalid lines."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines):
            if number >= MOST_ROWS:
                return
            try:
                row = json.loads(line)
                yield str(row["document"]), _parse(row)
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):  # 1e999, "[[[[..."
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
