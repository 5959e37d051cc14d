"""Whatever a file holds, a reader gives documents with true offsets or a reason, and raises nothing else."""

import csv
import io
import json
import unicodedata
from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexer.formats import FORMATS, Format, Source, get_format
from indexer.paragraphs import split
from rostrum_core.errors import TranscriptError
from rostrum_core.types import Document

from .formats_page import EXAMPLES

# What one kind or another gives a meaning to.
SIGNS = [
    *(
        "\n",
        "\r\n",
        "\n\n",
        "\x00",
        "\ud800",
        "\ufeff",
        "\u2028",
        "\xa0",
        "e\u0301",
        "\u0301",
        "&#x301;",
        "日本。",
        "ﬁ",
    ),
    *(
        "---\n",
        "# ",
        "**",
        "> ",
        "    ",
        "[a](b)",
        "<p>",
        "<br>",
        "<!--",
        "<![",
        "</div>",
        "&amp;",
        "<v A>",
        "<i>",
    ),
    *(
        "(Applause.)",
        "[Laughter]",
        "THE PRESIDENT: ",
        "Q ",
        "Q: ",
        ">> ",
        "[00:00:01]",
        "12:40 P.M. EDT",
        "♪",
    ),
    *(
        "00:00:01,000 --> 00:00:02,000\n",
        "00:01.000 --> ",
        "99:00:00.000 --> 0:00\n",
        "WEBVTT\n",
        "NOTE ",
        "1\n",
    ),
    *(
        '"',
        '""',
        ",",
        ";",
        "\t",
        "|",
        "id,text\n",
        "document\ttext\n",
        '{"id": "a", "text": "',
        '"}',
        "[",
        "\\ud800",
    ),
    *(
        "<?xml version='1.0'?>",
        "<akomaNtoso>",
        "<TEI xmlns='http://www.tei-c.org/ns/1.0'>",
        "<u who='#a'>",
        "</u>",
    ),
    *("%PDF-1.7\n", "PK\x03\x04", "One two. ", "Three four five! "),
]
PIECES = st.sampled_from(SIGNS) | st.text(st.characters(codec=None), max_size=6)
ANY_TEXT = st.lists(PIECES, max_size=20).map("".join)
AS_BYTES = ANY_TEXT.map(lambda text: text.encode("utf-8", "surrogatepass"))


def row(texts: Sequence[str]) -> str:
    return json.dumps({"id": "a", "title": "".join(texts)[:50], "paragraphs": texts})


def table(texts: Sequence[str]) -> str:
    written = io.StringIO(newline="")
    csv.writer(written).writerows(
        [["document", "speaker", "text"], *(["a", text[:9], text] for text in texts)]
    )
    return written.getvalue()


def captions(texts: Sequence[str]) -> str:
    cues = (f"{n}:00.000 --> {n}:{n % 60:02d}.500\n{text}\n" for n, text in enumerate(texts, 1))
    return "\n".join(["WEBVTT\n", *cues])


# Files that are whole, whatever the texts in them.
WHOLE: dict[str, Callable[[Sequence[str]], str]] = {
    "text": "\n\n".join,
    "jsonl": row,
    "csv": table,
    "webvtt": captions,
}


@st.composite
def damaged(draw: st.DrawFn, kind: str) -> bytes:
    """An example of the page with a few of its pieces replaced; anything at all where it has none."""
    contents = [example.content for example in EXAMPLES if example.kind == kind]
    data = draw(st.sampled_from(contents)) if contents else b""
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(data)))
        stop = draw(st.integers(start, min(len(data), start + 40)))
        data = data[:start] + draw(AS_BYTES | st.binary(max_size=8)) + data[stop:]
    return data


def words(text: str) -> int:
    return len(text.split())


def read(known: Format, data: bytes) -> tuple[list[Document], list[str]]:
    refused: list[TranscriptError] = []
    found: list[Document] = []
    try:
        source = Source("a", io.BytesIO(data), "a", kind=known.kind)
        found.extend(each.document for each in known.read(source, refused.append))
    except TranscriptError as error:
        refused.append(error)
    return found, [error.reason for error in refused]


def hold(document: Document) -> None:
    assert document.text == unicodedata.normalize("NFC", document.text)
    assert document.text.encode("utf-8")
    assert document.text == document.text.strip() != ""
    assert all(0 <= start < end <= len(document.text) for start, end in document.breaks or ())
    assert all(0 <= mark.start_char <= len(document.text) for mark in document.marks)
    found = split(document, count_tokens=words, limit=3)
    assert found
    for paragraph in found:
        assert document.text[paragraph.start_char : paragraph.end_char] == paragraph.text
        assert paragraph.text.strip() == paragraph.text != ""
        if paragraph.start_s is not None and paragraph.end_s is not None:
            assert 0 <= paragraph.start_s <= paragraph.end_s
    assert "".join("".join(each.text for each in found).split()) == "".join(document.text.split())


def holds_of(known: Format, data: bytes) -> None:
    found, reasons = read(known, data)
    assert all(reasons)
    assert found or reasons or not data.strip() or known.kind in ("jsonl", "csv")
    for document in found:
        hold(document)


# A PDF is read in a process of its own, and damaged ones are tried in its own test.
TRIED = {"pdf": 5}


def hold_always(known: Format, files: st.SearchStrategy[bytes]) -> None:
    @settings(
        deadline=None,
        max_examples=TRIED.get(known.kind, settings.default.max_examples),
        suppress_health_check=list(HealthCheck),
    )
    @given(files)
    def check(data: bytes) -> None:
        holds_of(known, data)

    check()


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.kind)
def test_anything_is_documents_or_a_reason(known: Format) -> None:
    hold_always(known, AS_BYTES | st.binary(max_size=200))


@pytest.mark.slow
@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.kind)
def test_a_damaged_file_is_documents_or_a_reason(known: Format) -> None:
    hold_always(known, damaged(known.kind))


@pytest.mark.slow
@pytest.mark.parametrize("kind", WHOLE)
def test_any_texts_in_a_whole_file_are_documents_or_a_reason(kind: str) -> None:
    texts = st.lists(ANY_TEXT, min_size=1, max_size=8)
    written = texts.map(lambda some: WHOLE[kind](some).encode("utf-8", "surrogatepass"))
    hold_always(get_format(kind), written)
