"""Rows of the data sets, plain or gzip; a wrong one says which and why."""

import gzip
import json
import os

import pytest

from evaluation.pairs import (
    NewsQuote,
    QuotedPart,
    read_news_quotes,
    read_pairs,
    read_rows,
    read_transcripts,
)
from rostrum_core.errors import BadInput

DOCUMENT = {
    "id": "d",
    "title": "T",
    "speaker": "S",
    "date": "2017-01-20",
    "paragraphs": ["One two.", "Three.", "Four five."],
}
PAIR = {
    "id": "p", "title": "T", "left": "L", "published": "2017-01-21", "document": "d", "paragraph": 0,
    "last_paragraph": 2, "start": 4, "end": 4, "repeated": False,
}  # fmt: skip


def write(path, *rows):
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.fixture
def documents(tmp_path):
    return read_transcripts(write(tmp_path / "documents.jsonl", DOCUMENT))


@pytest.mark.parametrize("name", ["pairs.jsonl", "pairs.jsonl.gz"])
def test_a_quote_over_several_paragraphs_has_a_part_in_each(tmp_path, documents, name):
    (pair,) = read_pairs(write(tmp_path / name, PAIR), documents)
    assert pair.parts == (QuotedPart(0, 4, 8), QuotedPart(1, 0, 6), QuotedPart(2, 0, 4))


def test_a_character_that_is_none_is_replaced_in_its_place(tmp_path):
    cut = {**DOCUMENT, "title": "T \ud83d", "paragraphs": ["One \ud83d two.", "Three.", "Four five."]}
    known = read_transcripts(write(tmp_path / "documents.jsonl", cut))
    assert known["d"].paragraphs[0] == "One \ufffd two."
    row = {**PAIR, "title": "\udc00", "left": "L\ud83d", "lead_in": "\ud83d", "start": 6}
    (pair,) = read_pairs(write(tmp_path / "pairs.jsonl", row), known)
    assert (pair.title, pair.left, pair.lead_in) == ("\ufffd", "L\ufffd", "\ufffd")
    assert pair.join_quoted(known["d"].paragraphs) == "two. Three. Four"
    quoted = {"article": "a", "title": None, "left": "L", "quote": "Q\ud83d"}
    assert next(read_news_quotes(write(tmp_path / "news.jsonl", quoted))).quote == "Q\ufffd"


def test_text_after_is_read_on_request_but_not_where_it_has_the_quote_once_more(tmp_path, documents):
    one = {**PAIR, "last_paragraph": 1, "end": 5, "right": "He went on."}
    again = {**one, "id": "q", "right": "“Two ... three,” he said. In full: “One two. Three.”"}
    path = write(tmp_path / "pairs.jsonl", one, again)
    assert [p.right for p in read_pairs(path, documents)] == ["", ""]
    assert [p.right for p in read_pairs(path, documents, right=True)] == ["He went on.", ""]


def test_repeated_rows_are_left_out_unless_asked_for(tmp_path, documents):
    path = write(tmp_path / "pairs.jsonl", PAIR, {**PAIR, "id": "q", "repeated": True})
    assert [p.id for p in read_pairs(path, documents)] == ["p"]
    assert [p.id for p in read_pairs(path, documents, repeated=True)] == ["p", "q"]


@pytest.mark.parametrize(
    "change",
    [
        {"document": "e"},
        {"last_paragraph": 3},
        {"paragraph": -1},
        {"last_paragraph": -1},
        {"paragraph": None},
        {"start": "4"},
        {"start": 900},
        {"end": 900},
        {"end": 0},
        {"last_paragraph": 0, "start": 5, "end": 5},
        {"start": 4.0},
        {"start": True},
        {"id": 7},
        {"title": 7},
        {"left": ["L"]},
        {"lead_in": 7},
        {"right": 7},
        {"article": 17},
        {"repeated": "false"},
        {"repeated": 0},
        {"published": "1963"},
        {"published": 1963},
    ],
)
def test_a_row_that_cannot_be_used_is_told_by_number(tmp_path, documents, change):
    path = write(tmp_path / "pairs.jsonl", PAIR, {**PAIR, **change})
    with pytest.raises(BadInput, match=r"pairs\.jsonl, row 2"):
        read_pairs(path, documents)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"paragraphs": "One two."}, "paragraphs is not a list of texts"),
        ({"paragraphs": [1]}, "paragraphs is not a list of texts"),
        ({"paragraphs": None}, "expected paragraphs"),
        ({"id": None}, "expected an id"),
        ({"title": 7}, "title is not a text"),
        ({"speaker": ["S"]}, "speaker is not a text"),
        ({"date": "in spring"}, "not a calendar date"),
    ],
)
def test_a_document_that_cannot_be_used_is_told_by_number_and_why(tmp_path, change, reason):
    path = write(tmp_path / "documents.jsonl", DOCUMENT, {**DOCUMENT, "id": "e", **change})
    with pytest.raises(BadInput, match=rf"documents\.jsonl, row 2: .*{reason}"):
        read_transcripts(path)


def test_what_a_row_names_and_lacks_is_told_in_words(tmp_path, documents):
    path = write(tmp_path / "pairs.jsonl", PAIR, {**PAIR, "id": "x", "document": "moon"})
    with pytest.raises(BadInput, match="row 2: there is no document 'moon'"):
        read_pairs(path, documents)
    path = write(tmp_path / "pairs.jsonl", {name: value for name, value in PAIR.items() if name != "left"})
    with pytest.raises(BadInput, match="row 1: there is no field 'left'"):
        read_pairs(path, documents)


def test_an_id_of_two_documents_is_refused_and_a_mark_of_byte_order_is_none(tmp_path):
    path = write(tmp_path / "documents.jsonl", DOCUMENT, DOCUMENT)
    with pytest.raises(BadInput, match="row 2: a row before it has the id"):
        read_transcripts(path)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().splitlines()[0])
    assert list(read_transcripts(path)) == [DOCUMENT["id"]]


def test_a_document_without_a_date_has_none(tmp_path):
    for date in ("", None):
        (read,) = read_transcripts(write(tmp_path / "documents.jsonl", {**DOCUMENT, "date": date})).values()
        assert read.spoken_on is None


def test_a_document_is_what_align_takes_it_for(tmp_path):
    written = {**DOCUMENT, "title": None, "date": "2016-09-28T20:00:00-04:00"}
    (read,) = read_transcripts(write(tmp_path / "documents.jsonl", written)).values()
    assert (read.title, read.spoken_on) == (DOCUMENT["id"], "2016-09-28")


NEWS = {"article": "a", "title": None, "left": "L", "quote": "Q"}


def test_a_quotation_that_lacks_a_field_is_told_by_number(tmp_path):
    assert list(read_news_quotes(write(tmp_path / "news.jsonl", NEWS))) == [NewsQuote("a", "", "L", "Q")]
    for wrong in ({"article": "a"}, {**NEWS, "quote": None}, {**NEWS, "article": 7}):
        with pytest.raises(BadInput, match=r"news\.jsonl, row 2"):
            list(read_news_quotes(write(tmp_path / "news.jsonl", NEWS, wrong)))


@pytest.mark.parametrize(
    "content",
    [
        b"{",
        b"[1]\n",
        b"\x1f\x8b\x00",
        b"\xff\xfe{}\n",
        gzip.compress(b"{}\n" * 99, mtime=0)[:-20] + b"x" * 20,
    ],
)
def test_a_file_that_is_no_json_lines_is_bad_input(tmp_path, documents, content):
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadInput, match="pairs"):
        read_pairs(path, documents)


def test_a_missing_file_is_bad_input(tmp_path):
    with pytest.raises(BadInput, match=r"none\.jsonl"):
        read_transcripts(tmp_path / "none.jsonl")


def test_what_cannot_be_read_twice_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pairs.jsonl")
    with pytest.raises(BadInput, match=r"pairs\.jsonl is not a regular file"):
        next(read_rows(tmp_path / "pairs.jsonl"))


def test_a_day_that_is_none_is_told_with_its_field(tmp_path, documents):
    path = write(tmp_path / "pairs.jsonl", {**PAIR, "published": "September 1, 2016"})
    with pytest.raises(BadInput, match="published is not an ISO 8601 day: 'September 1, 2016'"):
        read_pairs(path, documents)
