"""Tell the mark of a footnote from other raised text, such as exponents, fractions and ordinals."""

from __future__ import annotations

import re
from collections.abc import Sequence

from indexer.blocks import Piece

# Match raised text that may be the mark of a note: "1", "[12]", "*".
NOTE = re.compile(r"[\[(]?(?:\d{1,3}|[*†‡§]+)[\])]?")
# After these, a raised number is not a note but an exponent, of ten or of a unit of length. Map to the
# joint in plain text.
POWERS = {
    re.compile(r"(?<![\d.,])10\s*\Z"): "^",
    re.compile(r"\b(?:[kcm]?m|ft|mi)\s*\Z|\d\s*(?:in|yd)\s*\Z"): "",
}
# Raised text that is not a note, by the text before it: 10 to a negative power, a fraction within one tag.
NO_NOTES = (
    (re.compile(r"(?<![\d.,])10\s*\Z"), re.compile(r"[-−]\d{1,3}"), "^"),
    (re.compile(r"\d\Z"), re.compile(r"\d{1,2}[/\N{FRACTION SLASH}]\d{1,2}"), " "),
)
PRICE = re.compile(r"[$€£]\s*\d(?:[\d,]*\d)?\Z")
LOWER_HALF = re.compile(r"[/\N{FRACTION SLASH}]\d{1,2}(?!\d)")
NEAR_PIECES, NEAR_CHARACTERS = 8, 32  # of a block: the context of raised text


def join_near(pieces: Sequence[Piece]) -> str:
    """Return the end of the text in `pieces`, on which the meaning of raised text after them depends."""
    return "".join(piece for piece in pieces[-NEAR_PIECES:] if isinstance(piece, str))[-NEAR_CHARACTERS:]


def choose_joint(raised: str, before: str, *, is_upper_half: bool = False) -> str | None:
    """Return the text to insert before raised text: " " in "4 1/2", "^" in "10^6", "." in "$9.99".

    It depends on the text `before` the raised text. `is_upper_half` is true if the raised text is the
    numerator of a fraction. Return `None` for the mark of a footnote, which would otherwise be read as part
    of the number or word.

    >>> choose_joint("6", "a debt of 10"), choose_joint("th", "the 4"), choose_joint("6", "nine years")
    ('^', '', None)
    """
    if NOTE.fullmatch(raised) is None:
        fitting = (joint for tail, form, joint in NO_NOTES if tail.search(before) and form.fullmatch(raised))
        return next(fitting, "")
    if is_upper_half:
        return " " if before[-1:].isdigit() else ""
    if len(raised) == 2 and raised.isdigit() and PRICE.search(before):
        return "."
    return next((joint for pattern, joint in POWERS.items() if pattern.search(before)), None)
