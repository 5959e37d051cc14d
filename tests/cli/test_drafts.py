import json
from pathlib import Path

import pytest

from rostrum.cli.drafts import LARGEST_BYTES, parse_draft, read_draft
from rostrum.core.errors import BadInput
from rostrum.core.types import Draft


def test_a_first_line_before_a_blank_one_is_the_title() -> None:
    assert parse_draft("On the moon\n\nThe crew lands.\n\nThen") == Draft(
        "On the moon", "The crew lands.\n\nThen"
    )


def test_a_first_line_before_another_line_is_no_title() -> None:
    assert parse_draft("The crew lands\nand then\n\nleaves") == Draft(
        "", "The crew lands\nand then\n\nleaves"
    )


def test_a_single_line_is_no_title() -> None:
    assert parse_draft("The crew lands and\n\n") == Draft("", "The crew lands and")


def test_windows_line_ends_change_nothing() -> None:
    assert parse_draft("On the moon\r\n\r\nThe crew") == Draft("On the moon", "The crew")


def test_front_matter_gives_title_and_right_and_what_it_does_not_know_is_left_alone() -> None:
    text = "---\ntitle: 1984\nright: he said.\nabout: x\n---\n\nThe book\n---\nends"
    assert parse_draft(text) == Draft("1984", "The book\n---\nends", "he said.")


def test_names_in_front_matter_are_read_in_any_case_and_left_may_stand_there() -> None:
    assert parse_draft("---\nTitle: A\nRIGHT: b\n---\nThe crew") == Draft("A", "The crew", "b")
    assert parse_draft("---\nLeft: The crew\nabout: x\n---\n") == Draft("", "The crew")


@pytest.mark.parametrize("rule", ["A scene", "- x", "'quoted'"])
def test_rules_around_no_names_are_text(rule: str) -> None:
    text = f"---\n{rule}\n---\nThe crew"
    assert parse_draft(text) == Draft("", text)


def test_a_paragraph_in_one_line_is_no_title() -> None:
    first = "The crew is to land soon. " * 10
    assert parse_draft(f"{first}\n\nSo said") == Draft("", f"{first}\n\nSo said")


def test_front_matter_is_what_it_is_of_a_transcript_too() -> None:
    assert parse_draft("\n---\ntitle: A\n---\nThe crew") == Draft("A", "The crew")
    assert parse_draft("---\ntitle: A\n...\nThe crew") == Draft("A", "The crew")


@pytest.mark.parametrize("title", ["2024-13-45", "2001-09-11", "No", "1:30", "1e3", "0x1F"])
def test_a_title_in_front_matter_is_the_text_it_is_written_as(title: str) -> None:
    assert parse_draft(f"---\ntitle: {title}\n---\nThe crew") == Draft(title, "The crew")


@pytest.mark.parametrize("nothing", ["", "~", "null", "''"])
def test_a_title_that_says_nothing_is_none(nothing: str) -> None:
    assert parse_draft(f"---\ntitle: {nothing}\n---\nThe crew") == Draft("", "The crew")


@pytest.mark.parametrize("text", ["{Editor's note} The crew", "{" * 100_000, "{crew} lands\nand {stays}"])
def test_text_that_only_begins_with_a_brace_is_text(text: str) -> None:
    assert parse_draft(text) == Draft("", text)


def test_json_gives_all_three_parts() -> None:
    given = {"title": "a", "left": "b", "right": "c"}
    assert parse_draft(json.dumps(given)) == Draft("a", "b", "c")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "empty"),
        (" \n\n ", "empty"),
        ("---\ntitle: ''\n---\n", "empty"),
        ('{"titel": "x"}', "'titel' is no part of a draft"),
        ('{"title": ["x"]}', "title must be text"),
        ('{"title": "x"', "not JSON"),
        ('{\n  "title": "x",\n}', "not JSON"),
        ('{"a":' * 100_000, "not JSON"),
        ('{"title": true}', "title must be text"),
        ("---\n[1, 2\n---\nx", "the front matter, line 3: no YAML"),
        ("---\nleft: x\n---\ny", "left stands in the front matter and below it"),
        ("---\ntitle: {a: b}\n---\nx", "title must be text"),
    ],
)
def test_what_is_no_draft_is_refused_with_a_reason(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        parse_draft(text)


def test_a_byte_order_mark_is_no_part_of_the_draft(tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_bytes(b"\xef\xbb\xbfThe crew")
    assert read_draft(tmp_path / "draft.txt") == Draft("", "The crew")


def test_a_file_that_is_not_utf_8_is_refused_naming_the_byte(tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_bytes(b"caf\xe9")
    with pytest.raises(BadInput, match="byte 3 is 0xe9"):
        read_draft(tmp_path / "draft.txt")


def test_a_file_too_large_to_be_a_draft_is_refused(tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_bytes(b"a" * (LARGEST_BYTES + 1))
    with pytest.raises(BadInput, match="larger than 4 MiB"):
        read_draft(tmp_path / "draft.txt")


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        read_draft(tmp_path / "none.txt")
    with pytest.raises(BadInput, match="Is a directory"):
        read_draft(tmp_path)
