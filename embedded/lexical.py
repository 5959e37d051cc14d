"""Score numbered texts by BM25, with a tantivy index on disk or temporarily in memory.

`embedded.analysis` analyses text into terms. `embedded.restriction` adds a filter to a query.
"""

from __future__ import annotations

import gc
import os
import shutil
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from stat import S_IMODE
from tempfile import mkdtemp
from typing import Any

import numpy as np
import tantivy
from numpy.typing import NDArray

from embedded.analysis import ANALYSER, build_analyser
from embedded.restriction import FIELDS, PERIOD, require_all, restrict_query
from rostrum_core.dates import count_day, get_first_day, get_last_day
from rostrum_core.errors import StoreError
from rostrum_core.packing import escape_surrogates
from rostrum_core.types import Filter

K1 = 1.2
"""BM25's k1; b is 0.75. tantivy fixes both."""

REMOVAL_S = 5.0
"""Longest time of removing a temporary folder, in which a thread may still create a file."""

WRITER_BYTES = 1_000_000_000
"""Memory of the writer before it starts a second segment (not reserved).

390,000 paragraphs take 17 MB on disk, so an archive is one segment, and equal scores are ordered by number.
"""

TERM_SET_LIMIT = 20_000
"""Number of texts up to which the query names each text to score.

Above it, scoring all texts takes no longer. At 390,000 texts, naming 800 takes 8-12 ms, scoring all takes 120
ms.
"""


@dataclass(frozen=True, slots=True)
class Text:
    """Hold a text to index, its number, and the values that filters compare, such as its collection.

    `speakers` are all speakers of the text.
    """

    number: int
    text: str
    document: str | None = None
    speakers: tuple[str, ...] = ()
    collection: str | None = None
    language: str | None = None
    spoken_on: str | None = None


class LexicalIndex:
    """Score texts by Lucene's variant of BM25, with k1 1.2 and b 0.75.

    Idf and average length are those of all texts in the index, even if a filter selects some of them. Lengths
    above 40 tokens are rounded down as in Lucene, to 4 significant bits.

    >>> index = LexicalIndex.in_memory(["A new nation.", "Seven nations, seven years"])
    >>> [score is not None for score in index.score_texts("the year's nation")]
    [True, True]
    >>> index.document_frequency(["nations", "years", "the"])
    [2, 1, 0]
    """

    def __init__(self, index: tantivy.Index) -> None:
        self._analyser = build_analyser()
        index.register_tokenizer(ANALYSER, self._analyser)
        index.config_reader("manual")
        index.reload()
        self._schema = index.schema
        self._searcher = index.searcher()

    @classmethod
    def build(cls, texts: Iterable[Text], folder: Path | None = None) -> LexicalIndex:
        """Build an index of `texts`, in memory or in an empty `folder`.

        Searches return texts with equal scores in the order of `texts`.

        Raises:
            StoreError: the index cannot be written.
        """
        try:
            index = tantivy.Index(_build_schema(), path=None if folder is None else str(folder))
            index.register_tokenizer(ANALYSER, build_analyser())
            writer = index.writer(heap_size=WRITER_BYTES, num_threads=1)
            for text in texts:
                writer.add_document(tantivy.Document.from_dict(_build_fields(text), index.schema))
            writer.commit()
            writer.wait_merging_threads()
        except ValueError as error:
            raise StoreError(f"the text index cannot be written: {error}") from error
        if folder is not None:
            _widen_permissions(folder)
        return cls(index)

    @classmethod
    def in_memory(cls, texts: Sequence[str]) -> LexicalIndex:
        """Build an index of `texts` in memory; the texts are numbered from 0."""
        return cls.build(Text(number, text) for number, text in enumerate(texts))

    @classmethod
    def open(cls, folder: Path) -> LexicalIndex:
        """Open the index that `build` wrote to `folder`. The index stays usable even if the folder is
        removed.

        Raises:
            StoreError: the index does not exist, or is damaged.
        """
        try:
            with _link_lockable(folder) as place:
                return cls(tantivy.Index.open(str(place)))
        except (ValueError, OSError) as error:
            raise StoreError(f"the text index {folder} cannot be read: {error}") from error

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    def search_best(self, query: str, limit: int, filter: Filter = Filter()) -> NDArray[np.int64]:
        """Return the numbers of the `limit` texts that have the highest BM25 scores and pass the filter.

        The best text comes first; texts with equal scores are ordered by number.
        """
        terms = self.count_terms(query)
        if not terms:
            return np.empty(0, np.int64)
        return self._search(restrict_query(self._schema, self._match_any(terms), filter), limit)[0]

    def score_texts(self, query: str, numbers: Sequence[int] | None = None) -> list[float | None]:
        """Return the BM25 scores of the texts `numbers` for a query, in the order of `numbers`; by default of
        all texts.

        The score is `None` for a text without any of the query's words. A word repeated in the query counts
        each time.
        """
        wanted = range(len(self)) if numbers is None else [int(number) for number in numbers]
        terms = self.count_terms(query)
        if not terms or not len(wanted):
            return [None] * len(wanted)
        matches, scores = self._search(self._restrict(self._match_any(terms), wanted), len(self))
        by_number = dict(zip(matches.tolist(), scores.tolist(), strict=True))
        return [by_number.get(number) for number in wanted]

    def score_all(self, query: str) -> NDArray[np.float64]:
        """Return the BM25 scores of all texts for a query, ordered by the texts' numbers.

        The score is NaN for a text without any of the query's words.
        """
        scores = np.full(len(self), np.nan)
        if terms := self.count_terms(query):
            numbers, matching = self._search(self._match_any(terms), len(self))
            scores[numbers] = matching
        return scores

    def list_passing(self, filter: Filter) -> NDArray[np.int64]:
        """Return the numbers of all texts that pass the filter, ascending."""
        everything = tantivy.Query.all_query()
        return np.sort(self._search(restrict_query(self._schema, everything, filter), len(self))[0])

    def document_frequency(self, words: Sequence[str]) -> list[int]:
        """Return the number of texts in which each word occurs.

        For a stop word it is 0. A word of several parts, such as "well-known", counts in texts that have all
        parts.
        """
        return [self._count_texts(self.list_terms(word)) for word in words]

    def list_terms(self, text: str) -> list[str]:
        """Return the distinct terms of a text, in alphabetical order.

        "The nation's fathers" has the terms "father", "nation" and "s".
        """
        return [term for term, _ in self.count_terms(text)]

    def count_terms(self, text: str) -> list[tuple[str, int]]:
        """Return pairs (term, count) for the terms of a text, in alphabetical order.

        The order is fixed, because the last digits of a sum of scores depend on it.
        """
        return sorted(Counter(self._analyser.analyze(escape_surrogates(text))).items())

    def _count_texts(self, terms: list[str]) -> int:
        if len(terms) < 2:
            return sum(self._searcher.doc_freq("text", term) for term in terms)
        together = tantivy.Query.boolean_query(
            [(tantivy.Occur.Must, self._match_term(term)) for term in terms]
        )
        return int(self._searcher.search(together, 1, count=True).count)

    def _match_term(self, term: str) -> Any:
        return tantivy.Query.term_query(self._schema, "text", term, "freq")

    def _match_any(self, terms: list[tuple[str, int]]) -> Any:
        """Return a tantivy query that matches texts with any of the terms, given as pairs (term, count).

        A term with a count above 1 is boosted by this count. Other terms get no boost, because boosts disable
        tantivy's shortcuts.
        """
        queries = [(self._match_term(term), count) for term, count in terms]
        parts = [
            tantivy.Query.boost_query(query, float(count)) if count > 1 else query for query, count in queries
        ]
        return tantivy.Query.boolean_query([(tantivy.Occur.Should, part) for part in parts])

    def _restrict(self, query: Any, numbers: Sequence[int]) -> Any:
        if min(len(self), TERM_SET_LIMIT) <= len(numbers):
            return query
        return require_all(query, tantivy.Query.term_set_query(self._schema, "number", list(numbers)))

    def _search(self, query: Any, limit: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        limit = min(limit, len(self))
        if limit < 1:
            return np.empty(0, np.int64), np.empty(0)
        try:
            with _pause_collection():
                hits = self._searcher.search(query, limit, count=False).hits
                numbers = self._searcher.fast_field_values("number", [address for _, address in hits])
                scores = np.array([score for score, _ in hits], np.float64) / (K1 + 1)
                del hits
        except ValueError as error:
            raise StoreError(f"the text index cannot be read: {error}") from error
        return np.array(numbers, np.int64), scores


@contextmanager
def _pause_collection() -> Iterator[None]:
    """Disable the garbage collector inside the `with` block.

    Thousands of hits would start the collector several times, although reference counts already free the
    hits. A full collection takes 40 ms in a loaded service.
    """
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _widen_permissions(folder: Path) -> None:
    """Give each file of a folder the widest permissions that any file in it has.

    tantivy makes some of the files private.
    """
    paths = list(folder.iterdir())
    widest = max(S_IMODE(path.stat().st_mode) for path in paths)
    for path in paths:
        if S_IMODE(path.stat().st_mode) != widest:
            path.chmod(widest)


@contextmanager
def _link_lockable(folder: Path) -> Iterator[Path]:
    """Yield a folder that has the files of `folder`, and in which tantivy can create lock files.

    tantivy creates lock files even to read an index. If `folder` is read-only, the result is a temporary
    folder with links to the files; otherwise it is `folder` itself.
    """
    if all(os.access(path, os.W_OK) for path in (folder, *folder.glob("*.lock"))):
        yield folder
        return
    place = Path(mkdtemp(prefix="rostrum-"))
    try:
        for path in folder.absolute().iterdir():
            if path.suffix != ".lock":
                (place / path.name).symlink_to(path)
        yield place
    finally:
        _remove_watched(place)


def _remove_watched(folder: Path) -> None:
    """Remove a temporary folder, even if a thread of tantivy creates a lock file in it meanwhile.

    tantivy starts the thread when an index is opened, to watch its folder. Removal is repeated for at most
    `REMOVAL_S` seconds.
    """
    deadline = time.monotonic() + REMOVAL_S
    while folder.exists() and time.monotonic() < deadline:
        shutil.rmtree(folder, ignore_errors=True)


def _build_schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("text", tokenizer_name=ANALYSER, index_option="freq")
    builder.add_unsigned_field("number", indexed=True, fast=True)
    for name in FIELDS:
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    for name in PERIOD:
        builder.add_unsigned_field(name, indexed=True, fast=True)
    return builder.build()


def _build_fields(text: Text) -> dict[str, str | int | list[str]]:
    fields: dict[str, str | int | list[str]] = {"number": text.number, "text": escape_surrogates(text.text)}
    speakers = tuple(speaker.casefold() for speaker in text.speakers)
    named = ((text.document,), speakers, (text.collection,), (text.language,))
    for name, values in zip(FIELDS, named, strict=True):
        if escaped := [escape_surrogates(value) for value in values if value is not None]:
            fields[name] = escaped
    if text.spoken_on is not None:
        period = get_first_day(text.spoken_on, "spoken_on"), get_last_day(text.spoken_on, "spoken_on")
        fields |= dict(zip(PERIOD, map(count_day, period), strict=True))
    return fields
