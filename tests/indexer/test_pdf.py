"""PDFs: paragraphs as they are set, what stands at the edges of pages, and files that are made to harm."""

import io
import json
import re
import zlib
from pathlib import Path

import pytest
from reportlab.lib.enums import TA_JUSTIFY
from reportlab.lib.pagesizes import A4
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate, Paragraph

from indexer.dead_letters import DeadLetters
from indexer.formats import Source, get_format, pdf_pages
from indexer.ingest import read as read_paths
from indexer.metadata import Metadata
from rostrum_core.errors import TranscriptError

TYPE = ParagraphStyle("text", fontName="Times-Roman", fontSize=11, leading=14, alignment=TA_JUSTIFY)
SPACED = ParagraphStyle("spaced", TYPE, spaceAfter=8)
INDENTED = ParagraphStyle("indented", TYPE, firstLineIndent=18)
TITLE = ParagraphStyle("title", fontName="Times-Bold", fontSize=18, leading=22, spaceAfter=12)
SENTENCES = (
    "We came here to open a bridge that took nine years to build, and it carries more than carts.",
    "It carries the baker and the midwife, the clerk who is late and the child who is early.",
    "No town was ever poorer for a road that led out of it, nor richer for a wall around it.",
)


def said(number):
    """The words of a paragraph of a speech, no two alike."""
    return f"Point {number}. " + " ".join(SENTENCES[at % 3] for at in range(number % 3, number % 3 + 4))


def document(style=SPACED, columns=1, count=60, **options):
    """A speech of `count` paragraphs as a PDF, with a running head and a page number below."""
    held = io.BytesIO()
    width = (A4[0] - 144) / columns
    frames = [Frame(72 + at * width, 72, width, A4[1] - 160) for at in range(columns)]

    def edges(canvas, _):
        canvas.setFont("Times-Roman", 9)
        canvas.drawString(
            72, A4[1] - 50, "Remarks of the Mayor" if canvas.getPageNumber() % 2 else "City Hall"
        )
        canvas.drawCentredString(A4[0] / 2, 40, f"– {canvas.getPageNumber()} –")

    made = BaseDocTemplate(
        held, pagesize=A4, pageTemplates=PageTemplate(frames=frames, onPage=edges), **options
    )
    made.build(
        [Paragraph("Remarks on the Bridge", TITLE), *(Paragraph(said(at), style) for at in range(count))]
    )
    return held.getvalue()


def lines(*pages, encrypt=None, size=11):
    """A PDF with these lines on its pages, one below the other."""
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=A4, encrypt=encrypt)
    for page in pages:
        canvas.setFont("Times-Roman", size)
        for at, line in enumerate(page):
            canvas.drawString(72, 700 - 14 * at, line)
        canvas.showPage()
    canvas.save()
    return held.getvalue()


def read(data, **known):
    ((found, line),) = get_format("pdf").read(Source("a.pdf", io.BytesIO(data), "a", **known), [].append)
    assert line is None
    return found


def texts(found):
    return [found.text[start:end] for start, end in found.breaks]


def refusal(data):
    with pytest.raises(TranscriptError) as caught:
        read(data)
    return caught.value.reason


@pytest.mark.parametrize(("style", "columns"), [(SPACED, 1), (INDENTED, 1), (INDENTED, 2)])
def test_paragraphs_are_told_by_gaps_or_indents_in_one_column_or_two(style, columns):
    found = texts(read(document(style, columns)))
    assert len(found) == 60
    assert (found[0], found[9], found[-1]) == (said(0), said(9), said(59))


def test_heads_and_page_numbers_are_marks_and_the_largest_type_is_the_title():
    found = read(document())
    assert found.title == "Remarks on the Bridge"
    edges = [mark.text for mark in found.marks]
    assert {mark.kind for mark in found.marks} == {"boilerplate"}
    assert edges[:4] == ["Remarks of the Mayor", "– 1 –", "City Hall", "– 2 –"]
    assert found.text.replace("\n\n", " ") == " ".join(said(at) for at in range(60))


def test_a_page_end_within_a_paragraph_does_not_part_it():
    page = ["Four score and seven years ago our fathers brought forth on this continent a"] * 3
    found = read(lines(page, ["new nation, conceived in liberty.", "So be it."]))
    assert texts(found)[0].endswith("on this continent a new nation, conceived in liberty.")


def test_a_word_divided_at_a_line_or_a_page_is_whole_again():
    first = [
        "HEAD",
        "",
        "We met in the parlia-",
        "ment of a well-known town in nineteen thirty and in 1939-",
        "1945 and the repub-",
    ]
    pages = [
        first,
        ["HEAD", "", "lic stood while it was wide open to all who came", "and went."],
        ["HEAD", "", "So be it.", "And so it is."],
    ]
    found = read(lines(*pages))
    assert found.text.startswith(
        "We met in the parliament of a well-known town in nineteen thirty and in 1939-1945 and"
    )
    assert "the republic stood while" in found.text
    assert "HEAD" not in found.text


def test_the_file_says_its_title_and_no_date():
    held = io.BytesIO()
    canvas = Canvas(held, invariant=True)
    canvas.setTitle("On the Bridge")
    canvas.drawString(72, 700, "So be it.")
    canvas.save()
    data = held.getvalue()
    assert b"CreationDate" in data
    found = read(data)
    assert (found.title, found.speaker, found.spoken_on) == ("On the Bridge", None, None)
    assert read(data, name=Metadata(spoken_on="1965-03-04")).spoken_on == "1965-03-04"
    assert read(data.replace(b"(On the Bridge)", b"(Bridge v2.doc)")).title == "a"


def test_a_password_is_asked_for_unless_it_is_empty():
    assert read(lines(["So be it."], encrypt=StandardEncryption("", "owner"))).text == "So be it."
    closed = lines(["So be it."], encrypt=StandardEncryption("secret", "owner"))
    assert refusal(closed) == "encrypted: it opens with a password only"


def test_pictures_of_pages_are_told_from_speech():
    held = io.BytesIO()
    canvas = Canvas(held)
    for _ in range(2):
        canvas.rect(72, 72, 100, 100)
        canvas.showPage()
    canvas.save()
    assert refusal(held.getvalue()) == "no text layer: its 2 pages are pictures, which need OCR first"


def test_the_example_of_the_page_on_formats_is_read_as_it_says():
    page = (Path(__file__).parents[2] / "docs" / "formats.md").read_text("utf-8")
    printed, record = re.search(
        r"## PDF.*?^```\n(.*?)^```\n\n```json\n(.*?)^```", page, re.DOTALL | re.MULTILINE
    ).groups()
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=A4)
    for number, lines in enumerate(printed.split("====\n")):
        for at, line in enumerate(lines.splitlines()):
            canvas.setFont("Times-Roman", 11 if number or at else 18)
            canvas.drawString(72, 700 - 14 * at, line)
        canvas.showPage()
    canvas.save()
    (about,) = json.loads(record)
    found = read(held.getvalue())
    assert (found.id, found.title) == (about["id"], about["title"])
    assert texts(found) == [paragraph["text"] for paragraph in about["paragraphs"]]


@pytest.mark.parametrize("cut", [0.1, 0.5, 0.9])
def test_a_file_cut_short_is_read_or_refused(cut):
    data = document()
    assert refusal(data[: int(len(data) * cut)]).startswith(("no whole PDF", "no text layer"))


@pytest.mark.parametrize("data", [b"", b"%PDF-1.7\n", b"%PDF-1.7\n" + bytes(range(256)) * 40, b"junk"])
def test_file_that_is_not_pdf_is_refused(data):
    assert refusal(data) == "no whole PDF: Failed to load document (PDFium: Data format error)."


def assembled(*objects, trailer="/Root 1 0 R"):
    """A PDF of these objects, numbered from 1."""
    held = b"%PDF-1.7\n"
    places = []
    for number, text in enumerate(objects, 1):
        places.append(len(held))
        body = text if isinstance(text, bytes) else text.encode()
        held += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<< /Size {size} {trailer} >>\n"
    return held + f"{end}startxref\n{len(held)}\n%%EOF\n".encode()


CATALOG = "<< /Type /Catalog /Pages 2 0 R >>"


def test_a_tree_of_pages_that_leads_back_to_itself_is_refused():
    circle = assembled(
        CATALOG,
        "<< /Type /Pages /Kids [3 0 R 3 0 R] /Count 2 >>",
        "<< /Type /Pages /Kids [2 0 R] /Count 2 >>",
    )
    assert refusal(circle)


def test_tables_of_places_that_lead_back_to_themselves_are_refused_or_mended():
    table = assembled(CATALOG, "<< /Type /Pages /Kids [] /Count 0 >>", trailer="/Root 1 0 R /Prev 9")
    assert refusal(table)
    place = int(re.search(rb"startxref\n(\d+)", table)[1])
    assert refusal(table.replace(b"/Prev 9", b"/Prev %d" % place))


PAGE = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Contents 4 0 R /Resources << {} >> >>"


def test_a_form_that_prints_itself_and_a_count_of_pages_that_lies_are_no_harm():
    itself = "/XObject << /F 4 0 R >>"
    form = f"<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << {itself} >> /Length 5 >>"
    data = assembled(
        CATALOG,
        "<< /Type /Pages /Kids [3 0 R] /Count 9999 >>",
        PAGE.format(itself),
        f"{form}\nstream\n/F Do\nendstream",
    )
    assert refusal(data)


def bomb(lines):
    """A page of text that unpacks to many times its size."""
    packed = zlib.compress(b"BT /F 9 Tf 10 TL " + lines, 9)
    font = "/Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >>"
    stream = b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(packed), packed)
    return assembled(CATALOG, "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", PAGE.format(font), stream)


@pytest.mark.slow
def test_a_page_that_unpacks_without_end_costs_one_dead_letter_and_nothing_else(tmp_path):
    (tmp_path / "a.pdf").write_bytes(bomb(b"(so it is) ' " * 900_000))
    (tmp_path / "b.pdf").write_bytes(lines(["So be it."]))
    letters = DeadLetters(tmp_path / "dead.jsonl")
    found = list(read_paths([tmp_path / "a.pdf", tmp_path / "b.pdf"], refused=letters))
    assert [document.text for document in found] == ["So be it."]
    assert letters.count == 1
    assert "a PDF that breaks its reader" in letters.path.read_text()


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "Segmentation fault"),
        ("raise MemoryError('all of it')", "MemoryError: all of it"),
    ],
)
def test_a_reader_that_breaks_down_costs_an_error(tmp_path, monkeypatch, program, reason):
    (tmp_path / "child.py").write_text(program)
    monkeypatch.setattr(pdf_pages, "CHILD", tmp_path / "child.py")
    assert refusal(b"%PDF") == f"a PDF that breaks its reader: {reason}"


def test_a_file_that_takes_too_long_is_given_up():
    with pytest.raises(TranscriptError, match=r"a PDF that takes more than 0\.01 s to read"):
        pdf_pages.read_print(document(), "a.pdf", timeout_s=0.01)
