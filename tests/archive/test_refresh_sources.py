"""What names and patterns of a refresh job mean among the sources of a worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from archive.refresh_sources import list_sources
from rostrum_core.errors import BadInput


def test_names_and_patterns_are_files_and_folders_each_once(tmp_path: Path) -> None:
    (tmp_path / "2024").mkdir()
    for name in ("a.txt", "b.txt", "[c].txt"):
        (tmp_path / "2024" / name).touch()
    found = list_sources(tmp_path, ["2024/[c].txt", "2024/?.txt", "2024/a.txt", "*"])
    assert [str(each.relative_to(tmp_path)) for each in found] == [
        "2024/[c].txt",
        "2024/a.txt",
        "2024/b.txt",
        "2024",
    ]
    assert list_sources(tmp_path, []) == [tmp_path]


@pytest.mark.parametrize("name", ["none.txt", "x" * 1_999, "a\0b", "[", "~root", "x/" * 999])
def test_what_is_not_there_is_told_without_the_place_of_the_sources(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="is not there among the sources of the worker") as refused:
        list_sources(tmp_path, [name])
    assert str(tmp_path) not in str(refused.value)
    assert refused.value.field == "paths"
