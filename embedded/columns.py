"""Store in arrays the data of paragraphs that the first stage of a search reads.

The first stage reads thousands of paragraphs, and SQLite takes 10 us for a row. A generation has a folder of
NumPy files, made from its SQLite file: WordPiece ids, terms and vectors. The vectors are left out if the
vector index has them exactly. The files are mapped into memory, not read. For 239,000 paragraphs, the vectors
take 367 MB and everything else 42 MB.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from embedded.archive import Archive
from embedded.contents import COLUMNS
from embedded.ragged import Ragged
from embedded.reuse import Base, RowMap
from embedded.term_index import TermIndex
from quotations.text.kept_words import KEPT, RULES
from rostrum_core.errors import StoreError
from rostrum_core.word_rows import WordRows

ROWS = ("piece_ids", "piece_ends", "terms", "term_ends", "term_hashes", "term_counts")
VECTORS = "paragraph_vectors"


@dataclass(frozen=True, eq=False, slots=True)
class Columns:
    """Hold WordPiece ids, terms (stemmed words) and vectors of all paragraphs, ordered by paragraph number.

    `vectors` are float32 (paragraphs, width), or `None` if the vector index has the exact vectors. `words`
    maps a kind of words, such as "stems" or "names", to the words of each paragraph, as numbers (see
    `WordRows`). A kind is missing if the rules for its words have changed since the columns were written.
    """

    pieces: Ragged
    terms: TermIndex
    vectors: NDArray[np.float32] | None
    words: Mapping[str, Ragged]

    @classmethod
    def open(cls, folder: Path) -> Columns:
        """Map the files that `build` wrote to `folder` into memory, and return them as columns.

        Raises:
            StoreError: a file does not exist or is damaged.
        """
        piece_ids, piece_ends, terms, term_ends, hashes, counts = (_map(folder, name) for name in ROWS)
        vectors = _map(folder, VECTORS) if _locate(folder, VECTORS).exists() else None
        pieces, terms_of_rows = Ragged(piece_ids, piece_ends), Ragged(terms, term_ends)
        words = {
            name: Ragged(*(_map(folder, file) for file in _name_words(name)))
            for name in KEPT
            if all(_locate(folder, file).exists() for file in _name_words(name))
        }
        if not _are_whole([pieces, terms_of_rows, *words.values()], vectors) or len(hashes) != len(counts):
            raise StoreError(f"the columns in {folder} do not belong together")
        return cls(pieces, TermIndex(terms_of_rows, hashes, counts), vectors, words)

    @classmethod
    def build(cls, archive: Archive, folder: Path, *, keep_vectors: bool, base: Base | None = None) -> None:
        """Write the columns of an archive, which must have paragraphs, to `folder`.

        Files that a killed run left there are replaced. `base` is the generation from which the archive was
        copied. To save time, the rows of unchanged paragraphs are copied from it, unless its columns are
        damaged or the rules that turn texts into words have changed since. The files are the same with or
        without `base`.

        Raises:
            StoreError: the files cannot be written.
        """
        kept = None if base is None else _open_base(base)
        rows = RowMap.of_new(archive) if base is None or kept is None else base.rows
        shutil.rmtree(folder, ignore_errors=True)
        try:
            folder.mkdir()
            for name, array in _make_columns(archive, kept or NOTHING, rows):
                np.save(_locate(folder, name), array, allow_pickle=False)
            if keep_vectors:
                _write_vectors(
                    archive, _locate(folder, VECTORS), None if kept is None else kept.vectors, rows
                )
        except OSError as error:
            raise StoreError(f"the columns in {folder} cannot be written: {error}") from error


NO_ROWS = Ragged(np.empty(0, np.uint16), np.empty(0, np.int64))
NO_TERMS = TermIndex(NO_ROWS, np.empty(0, np.uint64), np.empty(0, np.uint32))
NOTHING = Columns(NO_ROWS, NO_TERMS, None, dict.fromkeys(KEPT, NO_ROWS))
"""Columns of no paragraphs."""


def _open_base(base: Base) -> Columns | None:
    """Open the columns of a base, the generation from which an archive was copied.

    Return `None` if they are missing or damaged, or if the rules that turn texts into words have changed
    since they were written.
    """
    folder = base.find_copyable(COLUMNS)
    try:
        columns = None if folder is None else Columns.open(folder)
    except StoreError:
        return None
    is_whole = columns is not None and len(columns.pieces.ends) == base.rows.base_rows
    return columns if is_whole else None


def _make_columns(archive: Archive, kept: Columns, rows: RowMap) -> Iterator[tuple[str, NDArray[Any]]]:
    """Yield (name, array) for each file of columns, except the file of vectors.

    `kept` has the columns of the base, the generation from which the archive was copied. `rows` says for each
    paragraph which row of `kept` to copy, or that the paragraph is new.
    """
    pieces = rows.join(kept.pieces, _read_pieces(archive, rows.documents))
    terms = kept.terms.update(TermIndex.build(_read_texts(archive, rows.documents)), rows)
    arrays: list[NDArray[Any]] = [*_pack(pieces), *_pack(terms.terms), terms.hashes, terms.counts]
    yield from zip(ROWS, arrays, strict=True)
    for name, read in KEPT.items():
        new = WordRows.of(map(read, _read_texts(archive, rows.documents)))
        words = rows.join(kept.words[name], Ragged(_sort_rows(new), new.ends))
        yield from zip(_name_words(name), (words.values, words.ends), strict=True)


def _name_words(name: str) -> tuple[str, str]:
    return f"{name}_{RULES}", f"{name}_ends_{RULES}"


def _locate(folder: Path, name: str) -> Path:
    return folder / f"{name}.npy"


def _map(folder: Path, name: str) -> NDArray[Any]:
    path = _locate(folder, name)
    try:
        array: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise StoreError(f"the column {path} cannot be read: {error}") from error
    return array.view(np.ndarray)  # a view of the map without its slower indexing


def _are_whole(columns: Sequence[Ragged], vectors: NDArray[np.float32] | None) -> bool:
    """Return whether no column is truncated: all of them and the vectors have the same number of rows.

    Also check that the rows of each column end where its array of values ends.
    """
    sizes = {*(len(rows.ends) for rows in columns), *([] if vectors is None else [len(vectors)])}
    return len(sizes) == 1 and all(
        len(rows.values) == int(rows.ends[-1] if len(rows.ends) else 0) for rows in columns
    )


def _pack(rows: Ragged) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return (values, ends) of rows, ready to be saved: the values as uint16 if all of them fit, else as
    int32.
    """
    narrow = int(rows.values.max(initial=0)) < 1 << 16
    return rows.values.astype(np.uint16 if narrow else np.int32), rows.ends


def _read_pieces(archive: Archive, documents: Sequence[int]) -> Ragged:
    none = Ragged(np.empty(0, np.int32), np.empty(0, np.int64))
    return Ragged.concatenate([none, *(Ragged(*pieces) for pieces in archive.read_all_pieces(documents))])


def _read_texts(archive: Archive, documents: Sequence[int]) -> Iterator[str]:
    return chain.from_iterable(archive.read_texts(documents))


def _sort_rows(words: WordRows) -> NDArray[np.uint32]:
    """Return the word numbers of all rows, sorted within each row.

    The words of a row come from a set, whose order differs between processes. Sorted, the same words make the
    same file.
    """
    rows = np.repeat(np.arange(len(words), dtype=np.uint64), np.diff(words.ends, prepend=0))
    return np.sort(rows << np.uint64(32) | words.numbers).astype(np.uint32)


def _write_vectors(archive: Archive, path: Path, kept: NDArray[np.float32] | None, rows: RowMap) -> None:
    """Write the vectors of all paragraphs to a NumPy file.

    `kept` are the vectors of the base, from which unchanged paragraphs are copied; `None` if the base has no
    file of vectors. The vectors are written to the file and not to a memory map, whose pages would count as
    memory of the process.
    """
    if kept is None:
        rows = RowMap.of_new(archive)
    shape = (len(rows.rows), archive.read_width() or 0)
    new = archive.read_vectors(rows.documents)
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": shape})
        for is_kept, first, last in rows.list_runs():
            if kept is not None and is_kept:
                file.write(kept[first:last].data)
                continue
            while first < last:
                vectors = next(new, None)
                if vectors is None:
                    raise StoreError("the archive has not as many vectors as its documents say")
                file.write(vectors.data)
                first += len(vectors)
