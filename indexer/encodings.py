"""Decode the bytes of a transcript by byte order mark, as UTF-8, by the declared encoding, or by a guess."""

from __future__ import annotations

import codecs
import re
import unicodedata

from charset_normalizer import from_bytes

from rostrum_core.errors import TranscriptError

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
# Reject data as text in a single-byte encoding if more than one byte in a hundred is a control character.
# Reject multi-byte text if as many characters are not letters.
MOST_CONTROLS = 0.01
MOST_NULS = 0.2  # printed pages of the Congressional Record of 1997 have up to a tenth
GAPS = frozenset(" \n\u3000。、，")
SAMPLE_BYTES = 1 << 16
# Bytes that are not letters in Windows-1252. In an English archive, a text that has none of them and is not
# UTF-8 is usually Windows-1252. A guess from a few accented letters is wrong far more often.
NOT_WINDOWS = re.compile(rb"[\x81\x8d\x8f\x90\x9d]")
MOST_HIGH_WINDOWS = 0.1
TOO_FEW_TO_GUESS = 8
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
STRAYS = re.compile("[\udc80-\udcff]")
WIDE = ("utf-16", "utf-32", "utf-7")
NO_ENCODINGS = frozenset({"idna", "punycode", "raw-unicode-escape", "unicode-escape"})
# Map labels to the encodings that browsers use for them. Source: WHATWG, Encoding Standard, 4.2.
MEANT = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}


def decode(data: bytes, file: str, *, declared: str | None = None) -> str:
    r"""Decode the bytes of a file to text, and detect the encoding; drop a byte order mark.

    No bytes give an empty text. `declared` is the encoding that the file itself names. It is tried after
    UTF-8, because many pages declare Latin-1 but are UTF-8, while Latin-1 text is hardly ever valid UTF-8.

    >>> decode("café".encode("cp1252"), "a.txt"), decode("\ufeffcafé".encode("utf-16-le"), "a.txt")
    ('café', 'café')

    Raises:
        TranscriptError: the bytes are not text, or their encoding cannot be detected.
    """
    for mark, encoding in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_wide(data[len(mark) :], encoding, file)
    wide = _detect_utf16(data[:SAMPLE_BYTES])
    if wide:
        return _decode_wide(data, wide, file)
    refuse_binary(data, file)
    meant = _resolve_label(declared or "")
    for named in filter(None, ("utf-8", meant)):
        if (text := _decode_strictly(data, named)) is not None:
            return text
    if (text := _decode_with_strays(data)) is not None:
        return text
    if meant == "cp1252":  # browsers ignore its five undefined bytes
        return data.decode(meant, "ignore")
    return data.decode(_guess(data, file))


def detect_encodings(sample: bytes, file: str) -> tuple[str, str]:
    r"""Return (encoding, fallback) for a file, detected from `sample`, the bytes at its beginning.

    A file may mix several encodings, so the caller decodes each line that is not valid in the first encoding
    with the fallback. The first encoding is always UTF-8, unless the file is UTF-16 or UTF-32.

    >>> detect_encodings("café".encode("cp1252"), "a.csv")
    ('utf-8', 'cp1252')
    >>> detect_encodings("so".encode("utf-16-le") * 9, "a.csv")
    ('utf-16-le', 'utf-16-le')

    Raises:
        TranscriptError: the bytes are not text, or their encoding cannot be detected.
    """
    marked = (encoding for mark, encoding in BYTE_ORDER_MARKS[1:] if sample.startswith(mark))
    wide = next(marked, None) or _detect_utf16(sample)
    if wide:
        return wide, wide
    refuse_binary(sample, file)
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        return "utf-8", _guess(sample, file)
    return "utf-8", "cp1252"


def refuse_binary(data: bytes, file: str) -> None:
    """Raise TranscriptError if bytes have too many control characters to be text.

    This is for bytes that are neither UTF-16 nor UTF-32. NUL bytes count only if they are frequent, because
    some programs fill gaps with them.
    """
    sample = data[:SAMPLE_BYTES]
    words = sample.replace(b"\0", b"")
    few = len(sample) - len(words) <= MOST_NULS * len(sample)
    if len(CONTROLS.findall(words if few else sample)) > MOST_CONTROLS * len(sample):
        raise TranscriptError(file, "binary data, not text")


def _decode_wide(data: bytes, encoding: str, file: str) -> str:
    """Decode bytes that look like UTF-16 or UTF-32 text, and drop an incomplete character at the end.

    Raises:
        TranscriptError: the bytes are not valid in that encoding.
    """
    text = data.decode(encoding, errors="replace").removesuffix(REPLACEMENT)
    if text.count(REPLACEMENT) > MOST_CONTROLS * len(text):
        raise TranscriptError(file, "binary data, not text")
    return text


def _detect_utf16(sample: bytes) -> str | None:
    """Return "utf-16-le" or "utf-16-be" for UTF-16 without a byte order mark; return `None` for other bytes.

    In Western text, one byte of nearly every character is NUL: the second in "utf-16-le", the first in
    "utf-16-be". Text in other scripts is recognised by its letters and separators.
    """
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) / 2
    if odd > 0.7 * half and even < 0.05 * half:
        return "utf-16-le"
    if even > 0.7 * half and odd < 0.05 * half:
        return "utf-16-be"
    if len(CONTROLS.findall(sample)) <= MOST_CONTROLS * len(sample) and not sample.count(0):
        return None
    return next((encoding for encoding in ("utf-16-le", "utf-16-be") if _is_prose(sample, encoding)), None)


def _is_prose(sample: bytes, encoding: str) -> bool:
    """Return whether bytes, decoded in a UTF-16 encoding, are prose: letters with separators between words.

    This recognises UTF-16 text in a non-Latin script. Other data, read as UTF-16, may have many letters, but
    has almost no separators.
    """
    try:
        text = sample[: len(sample) // 2 * 2].decode(encoding)
    except UnicodeDecodeError as error:
        if error.start < len(sample) - 4:  # half of a surrogate pair at the end of the sample
            return False
        text = sample[: error.start].decode(encoding)
    printable = sum(char.isprintable() or char in "\r\n\t" for char in text)
    letters = sum(char.isalpha() or unicodedata.category(char)[0] == "M" for char in text)
    gaps = sum(char in GAPS for char in text)
    return printable > 0.99 * len(text) and letters > 0.6 * len(text) and gaps > 0.01 * len(text)


def _resolve_label(label: str) -> str | None:
    """Return the encoding that browsers use for a label in a file, such as "ISO-8859-1".

    Return `None` for an unknown label, and for UTF-16 and UTF-32: such a label cannot be right, because the
    label itself was read as ASCII.

    >>> [_resolve_label(label) for label in ("ISO-8859-1", "koi8-r", "utf-16", "punycode", "mine")]
    ['cp1252', 'koi8-r', None, None, None]
    """
    try:
        name = codecs.lookup(label).name
    except LookupError:
        return None
    return None if name in NO_ENCODINGS or name.startswith(WIDE) else MEANT.get(name, name)


def _decode_with_strays(data: bytes) -> str | None:
    """Decode bytes as UTF-8, and those that are not valid UTF-8 ("stray bytes") as Windows-1252.

    Stray bytes occur in a file that mixes several encodings, or that was cut in the middle of a character.
    Return `None` if there are more stray bytes than valid multi-byte characters.
    """
    text = data.decode("utf-8", "surrogateescape")
    strays = len(STRAYS.findall(text))
    letters = len(text) - len(text.encode("ascii", "ignore")) - strays
    if letters < strays:
        return None
    return STRAYS.sub(lambda stray: bytes([ord(stray[0]) - 0xDC00]).decode("cp1252", "replace"), text)


def _decode_strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (UnicodeError, LookupError):
        return None


def _guess(data: bytes, file: str) -> str:
    """Guess the encoding of bytes that are not UTF-8, and return its name.

    The guess is Windows-1252 if few bytes are outside ASCII and all of them are letters there. Otherwise a
    library guesses the encoding from statistics.
    """
    high = sum(byte > 127 for byte in data[:SAMPLE_BYTES])
    few = high < max(TOO_FEW_TO_GUESS, MOST_HIGH_WINDOWS * min(len(data), SAMPLE_BYTES))
    if few and not NOT_WINDOWS.search(data):
        return "cp1252"
    best = from_bytes(data).best()
    if best is None:
        raise TranscriptError(file, "text in no encoding that can be detected")
    return best.encoding
