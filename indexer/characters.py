"""Normalise the characters of transcripts from all kinds of programs."""

from __future__ import annotations

import re
import unicodedata

from ftfy import fix_encoding

LINE_ENDS = re.compile("\r\n|[\r\v\f\x1c-\x1e\x85\u2028\u2029]")
SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
SURROGATES = re.compile("[\ud800-\udfff]")
# Match the first byte of a UTF-8 sequence as Windows-1252 shows it, and a byte that can follow it.
MOJIBAKE = re.compile("[ÂÃÅâð][\x80-\xbf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]")
# The last byte of a closing mark is not a character of Windows-1252, and programs drop it.
LOST_CLOSING_MARK = re.compile(r"â€(?=[ \t\r\n.,;:!?)\]—–-]|$)")
# What C1 controls stand for in Windows-1252, as HTML reads `&#147;`; no text has quotation marks of C1.
C1_MARKS = re.compile("[\x91-\x97]")
WINDOWS = {code: bytes([code]).decode("cp1252", "ignore") or chr(code) for code in range(0x80, 0xA0)}
# Controls (including those of direction), soft hyphens and zero-width marks are invisible but would break a
# match. The two joiners (U+200C, U+200D) stay: Persian and Indic words need them.
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]"
)
MARKS = "\u0300-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\ufe20-\ufe2f"
"""Combining marks of scripts that have capitals, as ranges of a character class.

NFC leaves a mark where no single character has both letter and mark, as in the Yoruba letter "ọ́".
"""


def normalise(text: str) -> str:
    r"""Normalise the text to NFC with plain line ends and spaces, without invisible characters.

    A lone surrogate, which a JSON escape may contain, becomes U+FFFD. The function is idempotent.

    >>> normalise("\u200fJOHN:\u200e \u202bword\u202c")
    'JOHN: word'

    >>> normalise("cafe\u0301\r\nnoir\u00a0\ud800")
    'café\nnoir �'
    """
    plain = SPACES.sub(" ", LINE_ENDS.sub("\n", repair_mojibake(decode_controls(text))))
    normal = unicodedata.normalize("NFC", INVISIBLE.sub("", replace_surrogates(plain)))
    is_repairable = normal != text and MOJIBAKE.search(normal)  # it appears as invisible characters go
    return normalise(normal) if is_repairable else normal


def decode_controls(text: str) -> str:
    r"""Replace C1 control characters by the Windows-1252 characters with the same codes.

    The text is changed only if at least one of them is a quotation mark, a bullet or a dash in Windows-1252.

    >>> decode_controls("\x93We don\x92t pay\x85\x94"), decode_controls("one\x85two")
    ('“We don’t pay…”', 'one\x85two')
    """
    return text.translate(WINDOWS) if C1_MARKS.search(text) else text


def repair_mojibake(text: str) -> str:
    """Repair UTF-8 that was read as Windows-1252, line by line.

    >>> repair_mojibake("Itâ€™s a long bridge."), repair_mojibake("Ã la carte, l’été")
    ('It’s a long bridge.', 'Ã la carte, l’été')
    >>> repair_mojibake("â€œNobody pays twice,â€ she said.")
    '“Nobody pays twice,” she said.'
    """
    if not MOJIBAKE.search(text):
        return text
    text = LOST_CLOSING_MARK.sub("”", text)
    return "".join(fix_encoding(line) if MOJIBAKE.search(line) else line for line in text.splitlines(True))


def replace_surrogates(text: str) -> str:
    r"""Replace each lone surrogate, which UTF-8 cannot encode, by U+FFFD; keep all offsets.

    >>> replace_surrogates("moon \ud83d landing")
    'moon � landing'
    """
    return SURROGATES.sub("\ufffd", text)


def normalise_line(text: str) -> str:
    r"""Normalise the text and collapse every run of white space to one space, with none at the ends.

    >>> normalise_line("  Gettysburg\n   Address ")
    'Gettysburg Address'
    """
    return " ".join(normalise(text).split())


def split_blocks(text: str) -> list[str]:
    r"""Split the text at blank lines and strip each block; empty input has no blocks.

    >>> split_blocks("One.\n \n\n  Two,\nstill two.\n")
    ['One.', 'Two,\nstill two.']
    """
    stripped = (block.strip() for block in re.split(r"\n[ \t]*\n", normalise(text)))
    return [block for block in stripped if block]
