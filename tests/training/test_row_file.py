"""Rows that are kept, by one writer at a time."""

import pytest

from evaluation.row_file import RowFile
from rostrum_core.errors import ArchiveBusy


def test_rows_are_there_again(tmp_path):
    path = tmp_path / "kept" / "rows.jsonl.gz"
    file = RowFile(path)
    file.add({"id": "a", "told": 1})
    file.save()
    assert "a" in RowFile(path)
    assert RowFile(path)["a"] == {"id": "a", "told": 1}


def test_a_second_writer_is_told_of_the_first_and_harms_nothing(tmp_path):
    path = tmp_path / "rows.jsonl.gz"
    first, second = RowFile(path), RowFile(path)
    first.add({"id": "a"})
    with pytest.raises(ArchiveBusy, match="another writer is at work"):
        second.add({"id": "b"})
    first.save()
    assert "a" in RowFile(path)


def test_what_another_wrote_meanwhile_stays(tmp_path):
    path = tmp_path / "rows.jsonl.gz"
    first, second = RowFile(path), RowFile(path)
    first.add({"id": "a"})
    first.save()
    del first
    second.add({"id": "b"})
    second.save()
    found = RowFile(path)
    assert "a" in found
    assert "b" in found


def test_who_added_nothing_writes_nothing(tmp_path):
    path = tmp_path / "rows.jsonl.gz"
    reader, writer = RowFile(path), RowFile(path)
    writer.add({"id": "a"})
    writer.save()
    reader.save()
    assert "a" in RowFile(path)


def test_a_file_that_is_made_anew_is_the_old_one_until_it_is_whole(tmp_path):
    path = tmp_path / "rows.jsonl.gz"
    old = RowFile(path)
    old.add({"id": "a"})
    old.save()
    del old
    new = RowFile(path, overwrite=True)
    new.add({"id": "b"})
    assert "a" in RowFile(path)
    new.save()
    found = RowFile(path)
    assert ("a" in found, "b" in found) == (False, True)
