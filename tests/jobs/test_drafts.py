import json
from pathlib import Path

import docx
import pytest

from jobs.drafts import LARGEST_BYTES, parse_draft, read_draft
from rostrum_core.errors import BadInput
from rostrum_core.types import Draft


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


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("She told the crowd: [quote]\n\nThen he left.", "She told the crowd:"),
        ("[Quote]\n\nThen he left.", ""),
    ],
)
def test_a_first_line_with_the_place_of_the_quote_is_no_title(text: str, left: str) -> None:
    assert parse_draft(text) == Draft("", left, "Then he left.")


def test_a_title_of_a_page_with_the_place_of_the_quote_is_text() -> None:
    page = Draft("She told the crowd: [quote]")
    assert parse_draft("Then he left.", page=page) == Draft("", "She told the crowd:", "Then he left.")
    both = parse_draft("She told the crowd: [quote]\n\nThen he left.", page=page)
    assert both == Draft("", "She told the crowd:", "Then he left.")


def test_line_ends_of_old_macs_change_nothing() -> None:
    assert parse_draft("On the moon\r\rThe crew\ris") == Draft("On the moon", "The crew\nis")


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


@pytest.mark.parametrize("day", ["1969-07-16", "16 July 1969", "1969-07-16T09:32:00-04:00"])
def test_the_day_of_a_draft_is_written_as_those_of_speeches_are(day: str) -> None:
    assert parse_draft(f"---\nDate: {day}\n---\nThe crew").written_on == "1969-07-16"
    assert parse_draft(json.dumps({"left": "b", "written_on": day})) == Draft("", "b", "", "1969-07-16")
    assert parse_draft("---\ndate:\n---\nThe crew").written_on is None


def test_front_matter_may_call_the_day_as_json_does() -> None:
    assert parse_draft("---\nwritten_on: 16 July 1969\n---\nThe crew").written_on == "1969-07-16"


@pytest.mark.parametrize(
    "text", ["---\ndate: soon\n---\nThe crew", '{"left": "The crew", "written_on": "soon"}']
)
def test_a_day_that_is_given_is_the_day_whatever_the_text_says(text: str) -> None:
    assert parse_draft(text, "1969-07-16") == Draft("", "The crew", "", "1969-07-16")


@pytest.mark.parametrize(
    ("text", "field"),
    [("---\ndate: soon\n---\nThe crew", "date"), ('{"left": "b", "written_on": "soon"}', "written_on")],
)
def test_a_day_that_is_none_is_told(text: str, field: str) -> None:
    with pytest.raises(BadInput, match=rf"{field}: not a calendar date .*: 'soon'") as caught:
        parse_draft(text)
    assert caught.value.field == field


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "empty"),
        (" \n\n ", "empty"),
        ("---\ntitle: ''\n---\n", "empty"),
        ('{"titel": "x"}', "'titel' is not a part of a draft"),
        ('{"title": ["x"]}', "title must be text"),
        ('{"title": "x"', "not JSON"),
        ('{\n  "title": "x",\n}', "not JSON"),
        ('{"a":' * 100_000, "not JSON"),
        ('{"title": true}', "title must be text"),
        ("---\n[1, 2\n---\nx", "the front matter, line 3: no YAML"),
        ("---\nleft: x\n---\ny", "left stands in the front matter and below it"),
        ("---\ntitle: {a: b}\n---\nx", "title must be text"),
        ("a [quote] b [quote]", "more than once"),
        ("---\nright: x\n---\na [quote] b", "after \\[quote\\]: give one"),
    ],
)
def test_what_is_no_draft_is_refused_with_a_reason(text: str, complaint: str) -> None:
    with pytest.raises(BadInput, match=complaint):
        parse_draft(text)


@pytest.mark.parametrize("head", ["", "---\ndate: 16 July 1969\nright: He paused.\n---\n"])
def test_marks_stay_in_the_text_if_no_place_is_needed(tmp_path: Path, head: str) -> None:
    text = "[quote]We go on.[/quote] he wrote, and [quote]We stay.[/quote]"
    (tmp_path / "post.md").write_text(head + text, "utf-8")
    draft = read_draft(tmp_path / "post.md", keep_marks=True)
    assert (draft.left, draft.right) == (text, "He paused." if head else "")
    with pytest.raises(BadInput, match="more than once"):
        read_draft(tmp_path / "post.md")


def test_marks_of_a_page_stay_too(tmp_path: Path) -> None:
    (tmp_path / "post.html").write_text("<p>One [quote] two [quote] three.</p>", "utf-8")
    assert read_draft(tmp_path / "post.html", keep_marks=True).left == "One [quote] two [quote] three."


def test_a_byte_order_mark_is_no_part_of_the_draft(tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_bytes(b"\xef\xbb\xbfThe crew")
    assert read_draft(tmp_path / "draft.txt") == Draft("", "The crew")


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "utf-16-le"])
def test_a_draft_is_read_in_any_encoding_that_speeches_have(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "draft.txt").write_bytes("The café\n\nSo she said, “and”".encode(encoding))
    assert read_draft(tmp_path / "draft.txt") == Draft("The café", "So she said, “and”")


def test_a_web_page_is_read_as_a_speech_would_be(tmp_path: Path) -> None:
    (tmp_path / "draft.html").write_text(
        "<body><nav>Home</nav><article><h1>The moon</h1><p>The crew &amp; the ship</p><p>[quote]</p>"
        "<p>He paused.</p></article></body>"
    )
    assert read_draft(tmp_path / "draft.html") == Draft("The moon", "The crew & the ship", "He paused.")


def test_the_day_of_a_web_page_is_the_draft_s_unless_its_text_or_an_option_says_another(
    tmp_path: Path,
) -> None:
    page = tmp_path / "draft.html"
    head = '<head><title>The moon</title><meta name="date" content="1969-07-16"></head>'
    page.write_text(f"{head}<body><p>The crew is to land.</p></body>")
    assert read_draft(page) == Draft("The moon", "The crew is to land.", written_on="1969-07-16")
    assert read_draft(page, "1969-07-20").written_on == "1969-07-20"
    page.write_text(f"{head}<body><pre>---\ndate: 1969-07-18\nright: He paused.\n---\nThe crew</pre></body>")
    assert read_draft(page) == Draft("The moon", "The crew", "He paused.", "1969-07-18")


def test_a_word_document_is_read_as_a_speech_would_be_and_loses_no_word(tmp_path: Path) -> None:
    made = docx.Document()
    for text in ("The moon", "KENNEDY: We go. (Applause.) Then", "he said: [quote] and left."):
        made.add_paragraph(text)
    made.save(str(tmp_path / "draft.docx"))
    assert read_draft(tmp_path / "draft.docx") == Draft(
        "The moon", "KENNEDY: We go. (Applause.) Then\n\nhe said:", "and left."
    )
    made.paragraphs[0].style = "Title"
    made.save(str(tmp_path / "draft.docx"))
    assert read_draft(tmp_path / "draft.docx").title == "The moon"


@pytest.mark.parametrize("style", ["Normal", "Title", "Heading 1"])
def test_a_first_paragraph_of_a_word_document_keeps_the_place_of_the_quote(
    tmp_path: Path, style: str
) -> None:
    made = docx.Document()
    made.add_paragraph("She told the crowd: [quote]", style=style)
    made.add_paragraph("Then he left.")
    made.save(str(tmp_path / "draft.docx"))
    assert read_draft(tmp_path / "draft.docx") == Draft("", "She told the crowd:", "Then he left.")


@pytest.mark.parametrize("tag", ["p", "h1"])
def test_a_first_paragraph_of_a_web_page_keeps_the_place_of_the_quote(tmp_path: Path, tag: str) -> None:
    page = tmp_path / "draft.html"
    page.write_text(f"<body><{tag}>She told the crowd: [quote]</{tag}><p>Then he left.</p></body>")
    assert read_draft(page) == Draft("", "She told the crowd:", "Then he left.")


@pytest.mark.parametrize(
    ("name", "data", "complaint"),
    [
        ("draft.txt", b"PK\x03\x04\0\0\0\1" * 99, "binary data, not text; give text, HTML, Word"),
        ("draft.docx", b"PK\x03\x04", "give text, HTML, Word"),
        ("draft.html", b"<nav>Home</nav>", "no speech in it; give text"),
        ("draft.pages", b"?", "a format that is not read; save it as .docx or .txt"),
        ("draft.rtf", b"The crew", "no RTF"),
    ],
)
def test_a_file_that_is_no_text_is_refused_in_words_that_tell_what_to_give(
    tmp_path: Path, name: str, data: bytes, complaint: str
) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(BadInput, match=complaint):
        read_draft(tmp_path / name)


def test_what_follows_the_place_of_the_quote_is_the_text_after_it() -> None:
    assert parse_draft("On the moon\n\nHe said: [quote]\n\nThen he left.") == Draft(
        "On the moon", "He said:", "Then he left."
    )
    assert parse_draft("He said: [Quote]") == Draft("", "He said:")
    assert parse_draft("---\nright: He left.\n---\nHe said: [quote]") == Draft("", "He said:", "He left.")


def test_a_file_too_large_to_be_a_draft_is_refused(tmp_path: Path) -> None:
    (tmp_path / "draft.txt").write_bytes(b"a" * (LARGEST_BYTES + 1))
    with pytest.raises(BadInput, match="larger than 4 MiB"):
        read_draft(tmp_path / "draft.txt")


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        read_draft(tmp_path / "none.txt")
    with pytest.raises(BadInput, match="Is a directory"):
        read_draft(tmp_path)
