"""Files are replaced whole, and what is no regular file is left in its place."""

import os

import pytest

from rostrum_core.whole_files import replace_file, write_json


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("old")
    with replace_file(path) as part:
        part.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_after_an_error_the_old_file_is_there_and_nothing_else(tmp_path, error):
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(error), replace_file(path) as part:  # noqa: PT012  the context is under test
        part.write_text("half")
        raise error
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_before_the_first_byte_is_the_one_that_is_raised(tmp_path):
    with pytest.raises(FileNotFoundError, match="missing"):
        write_json(tmp_path / "missing" / "a.json", {})


@pytest.mark.parametrize("exists", [True, False])
def test_a_symbolic_link_stays_and_its_target_is_replaced(tmp_path, exists):
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "b.json", tmp_path / "a.json"
    link.symlink_to("elsewhere/b.json")
    if exists:
        target.write_text("old")
    write_json(link, {"x": 1})
    assert link.is_symlink()
    assert target.read_text() == '{\n  "x": 1\n}\n'
    assert list(target.parent.iterdir()) == [target]


@pytest.mark.parametrize("through_link", [False, True])
def test_a_pipe_is_written_to_and_not_replaced(tmp_path, through_link):
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        write_json(link if through_link else pipe, {"x": 1})
        assert os.read(reader, 100) == b'{\n  "x": 1\n}\n'
    finally:
        os.close(reader)
    assert pipe.is_fifo()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe"]
