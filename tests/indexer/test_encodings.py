"""Bytes become text, or a reason."""

import codecs
import random
from contextlib import suppress

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from indexer.characters import normalise
from indexer.encodings import decode
from rostrum_core.errors import TranscriptError

SPEECH = "“We’re here,” he said — the café was full. Four score and seven years ago our fathers came."


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be", "cp1252"]
)
def test_an_encoding_is_told_from_the_bytes(encoding):
    assert decode(SPEECH.encode(encoding), "a.txt") == SPEECH


def test_a_declared_encoding_is_used_where_it_is_not_utf_8():
    russian = "Мои сограждане, мы собрались здесь."
    assert decode(russian.encode("koi8-r"), "a.html", declared="koi8-r") == russian
    assert decode(russian.encode(), "a.html", declared="koi8-r") == russian
    assert decode(SPEECH.encode("cp1252"), "a.html", declared="no-such") == SPEECH


@pytest.mark.parametrize("label", ["iso-8859-1", "latin1", "US-ASCII", "windows-1252"])
def test_a_page_that_says_latin_1_has_the_quotation_marks_of_windows(label):
    assert decode(SPEECH.encode("cp1252"), "a.html", declared=label) == SPEECH


@pytest.mark.parametrize(
    ("label", "encoding", "text"), [("gb2312", "gbk", "鎔基說話"), ("shift_jis", "cp932", "①話す")]
)
def test_a_label_means_what_browsers_read_it_as(label, encoding, text):
    assert decode((text * 9).encode(encoding), "a.html", declared=label) == text * 9


@pytest.mark.parametrize("nothing", [b"\x9d", b"\x81"])
def test_a_byte_that_means_nothing_does_not_change_what_a_page_says_it_is_in(nothing):
    french = "La République française où nous étions déjà."
    data = french.encode("latin-1") + nothing
    assert decode(data, "a.html", declared="iso-8859-1") == french


def test_a_stray_byte_does_not_turn_all_of_a_text_into_another_encoding():
    stray = SPEECH.encode() + b" We don\x92t know."
    assert decode(stray * 40, "a.txt") == f"{SPEECH} We don’t know." * 40
    assert decode(stray, "a.txt") == f"{SPEECH} We don’t know."
    assert decode(f"{SPEECH} –".encode()[:-1], "a.txt").startswith(SPEECH)


@pytest.mark.parametrize("encoding", ["koi8-r", "iso8859-5"])
def test_encoding_of_a_text_is_guessed(encoding):
    russian = "Мои сограждане, мы собрались здесь, чтобы открыть мост через реку. " * 20
    assert decode(russian.encode(encoding), "a.txt") == russian


@pytest.mark.parametrize("declared", ["utf-16", "UTF-16LE", "utf_32", "UCS-2"])
def test_impossible_declaration_of_an_encoding_is_ignored(declared):
    text = f'<meta charset="{declared}">“Four score”'
    for end in ("", " ", "  ", "   "):  # of even length, or a multiple of four, it could be decoded
        assert decode(f"{text}{end}".encode("cp1252"), "a.html", declared=declared) == text + end


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_LE])
def test_binary_junk_behind_a_byte_order_mark_is_refused(mark):
    with pytest.raises(TranscriptError, match="binary data, not text"):
        decode(mark + random.Random(1).randbytes(4000), "a.txt")


def test_a_text_of_two_bytes_a_letter_that_was_cut_off_keeps_what_there_is():
    assert decode(codecs.BOM_UTF16_LE + "Hear!".encode("utf-16-le")[:-1], "a.txt") == "Hear"
    assert decode(codecs.BOM_UTF16_LE + b"\x00", "a.txt") == ""


@pytest.mark.parametrize("data", [b"\x00\x01\x02\x03" * 50, b"PK\x03\x04" + bytes(range(32)) * 9])
def test_binary_junk_is_refused(data):
    with pytest.raises(TranscriptError, match=r"a\.txt: binary data, not text"):
        decode(data, "a.txt")


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_a_reason(data):
    with suppress(TranscriptError):
        assert isinstance(decode(data, "a.txt"), str)


@settings(deadline=None)
@given(st.text(st.characters()))
@example("\x8dÂ\x80")
@example("Â\u00ad\x80")
def test_normalising_twice_changes_nothing_and_leaves_utf_8(text):
    once = normalise(text)
    assert normalise(once) == once
    assert once.encode("utf-8").decode("utf-8") == once
