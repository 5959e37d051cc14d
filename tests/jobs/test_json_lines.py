"""Test where lines of JSON lines end, and which rows are read."""

import json

import pytest

from jobs.json_lines import read_json_lines, split_lines
from rostrum_core.errors import BadInput


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
def test_a_json_string_may_contain_characters_that_other_programs_take_for_line_ends(tmp_path, mark) -> None:
    path = tmp_path / "rows.jsonl"
    rows = [{"text": f"We came.{mark}We planted."}, {"text": "We watered."}]
    path.write_bytes("\r\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode())
    assert list(read_json_lines(path)) == rows


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_at_line_feeds_and_carriage_returns(tmp_path, end) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(f'{{"id": 1}}{end}{end}{{"id": 2}}{end}'.encode())
    assert list(read_json_lines(path)) == [{"id": 1}, {"id": 2}]


def test_a_control_character_in_a_string_is_refused_with_its_line(tmp_path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'{"text": "%s"}\n{"text": "a\x1cb"}\n' % (b"We came. " * 50))
    with pytest.raises(BadInput, match="line 2: not JSON"):
        list(read_json_lines(path))


@pytest.mark.parametrize("mark", "\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029")
def test_other_separators_stay_in_their_line(mark) -> None:
    assert split_lines(f"one{mark}two\nthree") == [f"one{mark}two", "three"]


def test_marks_around_an_object_are_no_part_of_it(tmp_path) -> None:
    path = tmp_path / "rows.jsonl"
    text = "We came. " * 50
    path.write_bytes(f'\x1e{{"text": "{text}"}}\n\x1e{{"text": "{text}"}}\x0c\n'.encode())
    assert list(read_json_lines(path)) == [{"text": text}] * 2
