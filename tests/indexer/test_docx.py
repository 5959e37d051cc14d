"""Word documents: what they show, in order, and what is no speech; files that are made to harm."""

import io
import json
import re
import zipfile
import zlib
from datetime import datetime
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from indexer.formats import Source, get_format
from indexer.metadata import Metadata
from rostrum_core.errors import TranscriptError

FOOTNOTES = f"""<w:footnotes {nsdecls("w")}><w:footnote w:id="1"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t>
See the budget.</w:t></w:r></w:p></w:footnote></w:footnotes>"""


def speech():
    """A speech as a speechwriter's office has it: a title, a heading, a table, changes, a footnote."""
    made = docx.Document()
    made.core_properties.title, made.core_properties.author = "Property", "Jane Roe"
    made.core_properties.created = datetime(1965, 3, 5)
    made.add_paragraph("Remarks on the Bridge", style="Title")
    made.add_paragraph("THE MAYOR: Thank you. (Applause.)")
    changed = made.add_paragraph("It took ")
    for inner in (
        '<w:del {0} w:id="1" w:author="a"><w:r><w:delText>eight</w:delText></w:r></w:del>',
        '<w:ins {0} w:id="2" w:author="a"><w:r><w:t>nine</w:t></w:r></w:ins>',
        "<w:r {0}><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r>",
        '<w:r {0}><w:rPr><w:vanish w:val="true"/></w:rPr><w:t>hidden</w:t></w:r>',
        '<w:r {0}><w:rPr><w:vanish w:val="false"/></w:rPr><w:t xml:space="preserve"> y</w:t></w:r>',
        '<w:r {0}><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>ea</w:t></w:r>',
        '<w:r {0}><w:t xml:space="preserve">rs</w:t><w:footnoteReference w:id="1"/><w:t>.</w:t></w:r>',
    ):
        changed._p.append(parse_xml(inner.format(nsdecls("w"))))
    made.add_heading("Money", level=1)
    table = made.add_table(rows=2, cols=2)
    for cell, text in zip(
        [cell for row in table.rows for cell in row.cells],
        ["Q:", "Who paid?", "THE MAYOR:", "You\tdid."],
        strict=True,
    ):
        cell.text = text
    for number in range(7, 12):
        made.add_paragraph(f"Point {number} is about\nthe bridge.")
    made.sections[0].header.paragraphs[0].text = "HEADER"
    return made


def saved(made, **parts):
    """The file's bytes, with parts added or put in place of others (`_` for `/` and `__` for `.`)."""
    first, second = io.BytesIO(), io.BytesIO()
    made.save(first)
    named = {name.replace("__", ".").replace("_", "/"): data for name, data in parts.items()}
    with zipfile.ZipFile(first) as old, zipfile.ZipFile(second, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, named.pop(name, None) or old.read(name))
        for name, data in named.items():
            new.writestr(name, data)
    return second.getvalue()


def read(data, **known):
    ((found, line),) = get_format("docx").read(Source("a.docx", io.BytesIO(data), "a", **known), [].append)
    assert line is None
    return found


def texts(document):
    return document.text.split("\n\n")


def refusal(data):
    with pytest.raises(TranscriptError) as caught:
        read(data)
    return caught.value.reason


def test_a_speech_is_read_as_it_is_shown():
    found = read(saved(speech(), word_footnotes__xml=FOOTNOTES))
    assert (found.title, found.speaker, found.spoken_on) == ("Remarks on the Bridge", None, None)
    paragraphs = texts(found)
    assert len(paragraphs) == 10
    assert paragraphs[:5] == ["Thank you.", "It took nine years.", "Money", "Who paid?", "You did."]
    assert paragraphs[9] == paragraphs[-1] == "Point 11 is about\nthe bridge."


def test_footnotes_tags_and_directions_are_marks():
    found = read(saved(speech(), word_footnotes__xml=FOOTNOTES))
    assert [(mark.kind, mark.text) for mark in found.marks] == [
        ("speaker", "THE MAYOR:"),
        ("stage", "(Applause.)"),
        ("boilerplate", "See the budget."),
        ("speaker", "Q:"),
        ("speaker", "THE MAYOR:"),
    ]
    assert found.text[: found.marks[2].start_char].endswith("nine years")


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        (["the toll", "^12", "."], "the toll."),
        (["10", "^6", " people"], "10^6 people"),
        (["the 4", "^th", " of May"], "the 4th of May"),
        (["5 km", "^2", " of it"], "5 km2 of it"),
        (["4", "^1", "/", "2"], "4 1/2"),
        (["It costs $9", "^99", "^3", "."], "It costs $9.99."),
    ],
)
def test_raised_text_is_a_mark_of_a_note_or_is_set_apart(runs, said):
    made = docx.Document()
    paragraph = made.add_paragraph()
    for text in runs:
        paragraph.add_run(text.lstrip("^")).font.superscript = text.startswith("^") or None
    assert texts(read(saved(made))) == [said]


def test_a_name_in_bold_with_the_mark_of_a_note_is_a_speaker():
    made = docx.Document()
    for name, text in [("Jane Roe", "One."), ("Sam Doe", "Two."), ("Jane Roe", "Three.")]:
        named = made.add_paragraph()
        named.add_run(name).bold = True
        raised = named.add_run("1")
        raised.bold = raised.font.superscript = True
        made.add_paragraph(text)
    found = read(saved(made))
    assert texts(found) == ["One.", "Two.", "Three."]
    assert [mark.text for mark in found.marks] == ["Jane Roe", "Sam Doe", "Jane Roe"]


def test_the_day_of_creation_counts_only_where_nothing_else_tells_a_date():
    data = saved(speech())
    assert read(data, name=Metadata(spoken_on="1965-03-04")).spoken_on == "1965-03-04"
    assert read(data, sidecar=Metadata(spoken_on="1965-03-01")).spoken_on == "1965-03-01"


def test_without_a_title_a_first_heading_is_one():
    made = docx.Document()
    made.core_properties.title = ""
    made.add_heading("On the Bridge", level=1)
    made.add_paragraph("So.")
    found = read(saved(made))
    assert (found.title, found.text) == ("On the Bridge", "So.")


def test_values_invented_by_a_program_are_neither_title_nor_speaker():
    made = docx.Document()
    made.core_properties.title, made.core_properties.author = "Letter.dotx", "Microsoft Office User"
    made.add_paragraph("So.")
    assert (read(saved(made)).title, read(saved(made)).speaker) == ("a", None)


def test_author_and_dates_of_a_file_are_ignored():
    made = docx.Document()
    made.core_properties.author, made.core_properties.created = "Sam Typist", datetime(2013, 12, 23)
    made.add_paragraph("So.")
    assert (read(saved(made)).speaker, read(saved(made)).spoken_on) == (None, None)


def test_the_example_of_the_page_on_formats_is_read_as_it_says():
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
    shown, record = re.search(
        r"## Word.*?^```\n(.*?)^```\n\n```json\n(.*?)^```", page, re.DOTALL | re.MULTILINE
    ).groups()
    made = docx.Document()
    made.core_properties.title = ""
    *paragraphs, _ = shown.splitlines()
    for style, text in (line.split(maxsplit=1) for line in paragraphs):
        before, _, after = text.partition("[1]")
        run = made.add_paragraph(before, style=style).add_run()
        if after:
            run._r.append(parse_xml(f'<w:footnoteReference {nsdecls("w")} w:id="1"/>'))
            run.add_text(after)
    (about,) = json.loads(record)
    found = read(saved(made, word_footnotes__xml=FOOTNOTES))
    assert (found.id, found.title) == (about["id"], about["title"])
    assert texts(found) == [paragraph["text"] for paragraph in about["paragraphs"]]
    assert "See the budget." in [mark.text for mark in found.marks]


BODY = f"<w:document {nsdecls('w')}><w:body>{{}}</w:body></w:document>"


def test_an_element_with_a_prefix_that_nothing_declares_is_a_fault_of_the_file():
    body = BODY.format("<w:p><w:r><w:t>So.</w:t></w:r><a:b><a:p/></a:b></w:p>")
    assert "Namespace prefix a" in refusal(saved(docx.Document(), word_document__xml=body))


def test_text_of_a_shape_is_read_once_and_after_its_paragraph():
    shape = "<w:txbxContent><w:p><w:r><w:t>Boxed.</w:t></w:r></w:p></w:txbxContent>"
    mc = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    body = BODY.format(
        f"""<w:p><w:r><w:t xml:space="preserve">Be</w:t></w:r>
        <w:r><mc:AlternateContent {mc}><mc:Choice>{shape}</mc:Choice><mc:Fallback>{shape}</mc:Fallback>
        </mc:AlternateContent><w:t>fore.</w:t></w:r></w:p>"""
    )
    assert texts(read(saved(docx.Document(), word_document__xml=body))) == ["Before.", "Boxed."]


@pytest.fixture(scope="module")
def bomb() -> bytes:
    return saved(docx.Document(), word_document__xml=b"<" + b" " * (100 << 20))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(bomb):
    assert refusal(bomb) == "unpacks to more than 200 times its size"


def test_a_zip_bomb_that_lies_about_its_size_is_refused(bomb):
    with zipfile.ZipFile(io.BytesIO(bomb)) as archive:
        part = archive.getinfo("word/document.xml")
    size = part.file_size.to_bytes(4, "little")
    lied = bomb.replace(size, (1000).to_bytes(4, "little"))
    assert lied != bomb
    assert refusal(lied).startswith("word/document.xml cannot be unpacked: Bad CRC-32")


def test_a_package_of_too_many_parts_is_refused():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        for number in range(10_001):
            archive.writestr(str(number), b"")
    assert refusal(held.getvalue()) == "a package of more than 10000 parts"


def test_an_entity_bomb_within_is_refused():
    bomb = '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>' + BODY.format("<w:p>&b;</w:p>")
    data = saved(docx.Document(), word_document__xml=bomb)
    assert refusal(data) == "XML that declares entities, which are not read"


def test_file_that_is_not_docx_is_refused():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as archive:
        archive.writestr("content.xml", b"<a/>")
    assert refusal(held.getvalue()) == "a zip file without word/document.xml, no DOCX"
    assert refusal(b"") == refusal(b"PK\x03\x04junk") == "no whole zip file: File is not a zip file"
    assert refusal(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(512)).startswith(
        "encrypted, or a document of Word 97"
    )
    assert refusal(saved(docx.Document())) == "no speech in it"


def test_a_part_packed_in_an_unusual_way_or_encrypted_is_refused():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("word/document.xml", b"<a/>")
    assert refusal(held.getvalue()) == "word/document.xml is packed by method 14, expected deflate"
    data = saved(docx.Document())
    marked = data.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01")
    assert marked != data
    assert refusal(marked) == "encrypted"


def test_a_damaged_part_is_refused():
    data = saved(speech())
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        start = archive.getinfo("word/document.xml").header_offset + 100
    with pytest.raises(TranscriptError, match=r"word/document\.xml cannot be unpacked"):
        read(data[:start] + zlib.compress(b"?") + data[start + 9 :])
