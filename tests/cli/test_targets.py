"""Test that no command overwrites a file that it reads."""

import os
from pathlib import Path

import pytest

from rostrum.cli.targets import refuse_input_as_target
from rostrum_core.errors import BadInput


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    path = tmp_path / "article.html"
    path.write_text("<p>We go on.</p>", "utf-8")
    return path


def test_the_file_that_is_read_is_no_target(draft: Path) -> None:
    with pytest.raises(BadInput, match=r"--record .*article\.html: the file is read") as caught:
        refuse_input_as_target(draft.parent / "." / draft.name, None, draft, field="record")
    assert caught.value.field == "record"


@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_to_the_file_that_is_read_is_no_target(draft: Path, link) -> None:
    other = draft.with_name("check.html")
    link(draft, other)
    with pytest.raises(BadInput, match="would be overwritten"):
        refuse_input_as_target(other, draft, field="record")


def test_other_files_and_standard_input_are_accepted(draft: Path, tmp_path: Path) -> None:
    earlier = tmp_path / "check.html"
    earlier.write_text("an earlier record", "utf-8")
    refuse_input_as_target(earlier, draft, None, field="record")
    refuse_input_as_target(tmp_path / "new.html", draft, field="record")
    refuse_input_as_target(None, draft, field="record")
    refuse_input_as_target(earlier, Path("-"), field="record")
