from pathlib import Path

import numpy as np
import pytest

from embedded.archive import Archive
from embedded.columns import Columns
from embedded.contents import ARCHIVE
from embedded.store import EmbeddedStore
from quotations.text.kept_words import RULES
from rostrum_core.errors import StoreError
from rostrum_core.word_rows import number_words


@pytest.fixture
def archive(folder: Path, entry, publish) -> Archive:
    documents = entry("b", ["spoken words", "of war"]), entry("a", ["the", "spoken again", ""])
    name = publish(EmbeddedStore(folder), *documents)
    return Archive.immutable(folder / "generations" / name / ARCHIVE)


def test_columns_hold_what_the_archive_has(archive: Archive, tmp_path: Path) -> None:
    Columns.build(archive, tmp_path / "columns", keep_vectors=True)
    columns = Columns.open(tmp_path / "columns")
    keys = [key * (1 << 20) + n for key, _, count in archive.list_documents() for n in range(count)]
    chosen = [4, 0, 2]
    ids, ends, vectors = archive.read_pieces([keys[number] for number in chosen], with_vectors=True)
    ids_there, ends_there = columns.pieces.take(np.array(chosen))
    assert (ids_there.tolist(), ends_there.tolist()) == (ids.tolist(), ends.tolist())
    assert columns.vectors is not None
    assert vectors is not None
    assert columns.vectors[chosen].tolist() == vectors.tolist()
    # "the" and "of" are stop words
    assert np.diff(columns.terms.terms.ends, prepend=0).tolist() == [0, 2, 0, 2, 1]


def test_vectors_that_the_index_has_are_not_written_twice(archive: Archive, tmp_path: Path) -> None:
    Columns.build(archive, tmp_path / "columns", keep_vectors=False)
    assert Columns.open(tmp_path / "columns").vectors is None
    assert not list(tmp_path.glob("columns/*vectors*"))


def test_columns_hold_the_words_of_paragraphs(archive: Archive, tmp_path: Path) -> None:
    Columns.build(archive, tmp_path / "columns", keep_vectors=False)
    stems, names = (Columns.open(tmp_path / "columns").words[name] for name in ("stems", "names"))
    again, spoken, war = number_words(["again", "spoken", "war"]).tolist()
    numbers, ends = stems.take(np.array([1, 4, 0]))
    assert (set(numbers.tolist()[:2]), numbers.tolist()[2:], ends.tolist()) == (
        {again, spoken},
        [war],
        [2, 3, 3],
    )
    assert names.ends.tolist() == [0] * 5


def test_words_of_a_paragraph_are_in_the_same_order_in_every_process(
    folder: Path, tmp_path: Path, entry, publish
) -> None:
    texts = ["Lincoln spoke gravely about nations, fathers, liberty, battle, soldiers, graves and memory"] * 2
    name = publish(EmbeddedStore(folder), entry("a", texts))
    stems = Columns.open(folder / "generations" / name / "columns").words["stems"]
    rows = [stems.values[first:last].tolist() for first, last in ((0, stems.ends[0]), stems.ends)]
    assert rows[0] == rows[1] == sorted(rows[0])
    assert len(rows[0]) > 8


def test_words_that_were_kept_by_other_rules_are_not_used(archive: Archive, tmp_path: Path) -> None:
    Columns.build(archive, tmp_path / "columns", keep_vectors=False)
    (tmp_path / "columns" / f"stems_{RULES}.npy").rename(tmp_path / "columns" / "stems_0.npy")
    assert list(Columns.open(tmp_path / "columns").words) == ["names"]


@pytest.mark.parametrize("junk", [b"junk", b""])
def test_a_damaged_column_is_named(archive: Archive, tmp_path: Path, junk: bytes) -> None:
    Columns.build(archive, tmp_path / "columns", keep_vectors=False)
    (tmp_path / "columns" / "terms.npy").write_bytes(junk)
    with pytest.raises(StoreError, match=r"the column .*terms\.npy cannot be read"):
        Columns.open(tmp_path / "columns")


def test_columns_of_different_archives_are_rejected(archive: Archive, tmp_path: Path) -> None:
    Columns.build(archive, tmp_path / "columns", keep_vectors=False)
    np.save(tmp_path / "columns" / "piece_ends.npy", np.array([1, 2, 3]))
    with pytest.raises(StoreError, match="do not belong together"):
        Columns.open(tmp_path / "columns")


def test_columns_are_written_again_over_those_of_a_killed_run(archive: Archive, tmp_path: Path) -> None:
    (tmp_path / "columns").mkdir()
    (tmp_path / "columns" / "paragraph_vectors.npy").write_bytes(b"half")
    Columns.build(archive, tmp_path / "columns", keep_vectors=False)
    assert len(Columns.open(tmp_path / "columns").pieces.ends) == 5
