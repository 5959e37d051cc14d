"""Any bytes, and whole files with some bytes changed, are documents or a reason, within seconds."""

import io
import time
import zipfile

import docx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from indexer.formats import Source, get_format
from rostrum_core.errors import TranscriptError

LONGEST_S = 20  # on a busy machine; a whole file takes hundredths


def word(packing):
    """A Word document, its parts stored or deflated."""
    made, first, second = docx.Document(), io.BytesIO(), io.BytesIO()
    made.add_heading("On the Bridge", level=1)
    made.add_paragraph("So be it. (Applause.)")
    made.add_table(rows=1, cols=2).rows[0].cells[1].text = "It is."
    made.save(first)
    with zipfile.ZipFile(first) as old, zipfile.ZipFile(second, "w", packing) as new:
        for name in old.namelist():
            new.writestr(name, old.read(name))
    return second.getvalue()


def pdf():
    held = io.BytesIO()
    canvas = Canvas(held)
    for page in range(3):
        canvas.drawString(72, 800, "On the Bridge")
        for row in range(3):
            canvas.drawString(72, 700 - 14 * row, f"So be it, {'again and' * row} again.")
        canvas.drawString(72, 20, str(page + 1))
        canvas.showPage()
    canvas.save()
    return held.getvalue()


AKOMA_NTOSO = b"""<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><debate><meta><identification>
<FRBRWork><FRBRdate date="1965-03-04"/></FRBRWork></identification><references><TLCPerson eId="a" showAs="A"/>
</references></meta><debateBody><debateSection><heading>H</heading><speech by="#a" eId="s"><from>A</from>
<p>So <remark>aside</remark> be it.</p></speech></debateSection></debateBody></debate></akomaNtoso>"""
PARLAMINT = b"""<?xml version="1.0" encoding="UTF-8"?><TEI xmlns="http://www.tei-c.org/ns/1.0" xml:lang="en">
<teiHeader><profileDesc><settingDesc><setting><date when="1965-03-04"/></setting></settingDesc></profileDesc>
</teiHeader><text><body><div><head>H</head><note type="speaker">A</note><u who="#a" xml:id="u"><seg>So
<vocal><desc>x</desc></vocal> be <w join="right">it</w><pc>.</pc></seg></u></div></body></text></TEI>"""
FILES = {
    "akoma-ntoso": ("xml", AKOMA_NTOSO),
    "parlamint": ("xml", PARLAMINT),
    "stored docx": ("docx", word(zipfile.ZIP_STORED)),
    "deflated docx": ("docx", word(zipfile.ZIP_DEFLATED)),
    "pdf": ("pdf", pdf()),
}
CHANGES = st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 40), st.binary(max_size=6)), max_size=8
)
SLOW = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])


def changed(data, changes):
    """The data with pieces replaced: where, as a share of its length, how many bytes, and by what."""
    for where, length, piece in changes:
        start = int(where * len(data))
        data = data[:start] + piece + data[start + length :]
    return data


def documents_or_reason(kind, data):
    refused = []
    began = time.monotonic()
    try:
        found = [
            found.document
            for found in get_format(kind).read(Source("a", io.BytesIO(data), "a"), refused.append)
        ]
    except TranscriptError as error:
        found, refused = [], [*refused, error]
    assert time.monotonic() - began < LONGEST_S
    assert all(isinstance(error, TranscriptError) and error.reason for error in refused)
    return found, refused


@pytest.mark.parametrize(("kind", "data"), FILES.values(), ids=FILES)
def test_the_whole_files_are_read(kind, data):
    found, refused = documents_or_reason(kind, data)
    assert (len(found), refused) == (1, [])
    assert "So be it" in found[0].text


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "data"), FILES.values(), ids=FILES)
@SLOW
@given(changes=CHANGES)
def test_a_file_with_bytes_changed_is_read_or_refused(kind, data, changes):
    for document in documents_or_reason(kind, changed(data, changes))[0]:
        assert document.text.strip() == document.text != ""


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["xml", "docx", "pdf"])
@SLOW
@given(data=st.binary(max_size=200), head=st.sampled_from([b"", b"%PDF-1.7\n", b"PK\x03\x04", b"<?xml "]))
def test_any_bytes_are_refused(kind, data, head):
    found, refused = documents_or_reason(kind, head + data)
    assert not found
    assert len(refused) == 1
