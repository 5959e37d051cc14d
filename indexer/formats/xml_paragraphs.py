"""Collect the paragraphs of a speech in XML as pieces of text and asides, in the wording of the edition.

Of several readings of a word, one is kept. Deletions, running heads and the marks of notes are left out.
Source of the elements for readings and deletions: https://tei-c.org/release/doc/tei-p5-doc/en/html/
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

from lxml import etree

from indexer.blocks import Aside, Piece
from indexer.formats.xml_elements import find_child, get_local_name
from indexer.raised_text import LOWER_HALF, choose_joint, join_near
from indexer.wrapping import PREFIXES

# Elements that hold several readings of the same words, and the reading to keep, if it is there.
READINGS = frozenset({"choice", "app"})
PREFERRED_READINGS = ("corr", "reg", "expan", "ex", "lem")
DELETED, RESTORED, RUNNING_HEAD = "del", "restore", "fw"
RAISED = frozenset({"sup", "super", "superscript"})  # the name of an element, or how `hi` is rendered
LOST = frozenset({"inaudible", "unintelligible", "illegible"})
BROKEN_END = re.compile(r"(?P<word>[^\W\d_]*)(?P<hyphen>[-\N{HYPHEN}]?)\Z")
LONGEST_BROKEN = 40  # letters of a broken word's first part that are compared with prefixes

# Return the pieces of an element within a paragraph; return `None` if its content is speech as well.
Special = Callable[[etree._Element], list[Piece] | None]


def collect_paragraphs(speech: etree._Element, names: Collection[str], special: Special) -> list[list[Piece]]:
    """Return the content of each paragraph of a speech, in order, as pieces of text and asides.

    Asides are not speech. `names` are the elements that are paragraphs. Text between paragraphs forms a
    paragraph, too. `special` returns the pieces of an element such as a note, and `None` for an element whose
    content is speech.
    """
    paragraphs: list[list[Piece]] = [[]]
    _collect(speech, names, special, paragraphs)
    return paragraphs


def read_gap(gap: etree._Element) -> list[Piece]:
    """Return the pieces for words that the file does not have: "[inaudible]", or an aside with the reason.

    Words that were spoken but not understood stay as "[inaudible]", because without it the surrounding words
    would seem continuous.
    """
    reason = gap.get("reason") or ""
    if reason in LOST:
        return [f"[{reason}]"]
    text = "".join(gap.itertext()).strip() or gap.get("type") or reason
    return [Aside("stage", text)] if text else []


def _collect(
    element: etree._Element, names: Collection[str], special: Special, paragraphs: list[list[Piece]]
) -> None:
    """Append the pieces of an element and its descendants to the lists in `paragraphs`.

    The recursion is safe, because the XML parser limits the depth.
    """
    _append_text(element.text, paragraphs)
    for inner in element:
        if inner.get("break") == "no":
            after = (inner.tail or "").lstrip()
            _trim_broken_word(paragraphs[-1], after)
            _append_text(after, paragraphs)
            continue
        if not _is_left_out(inner):
            _collect_inner(inner, names, special, paragraphs)
        _append_text(inner.tail, paragraphs)


def _collect_inner(
    element: etree._Element, names: Collection[str], special: Special, paragraphs: list[list[Piece]]
) -> None:
    """Append the pieces of an element within a paragraph or a speech to the lists in `paragraphs`."""
    joint = _choose_joint(element, paragraphs[-1]) if _is_raised(element) else ""
    own = [] if joint is None else special(element)
    if own is not None:
        paragraphs[-1] += own
    elif get_local_name(element) in READINGS and len(element):
        _collect_inner(_choose_reading(element), names, special, paragraphs)
    elif get_local_name(element) in names:
        paragraphs.append([])
        _collect(element, names, special, paragraphs)
        paragraphs.append([])
    else:
        _append_text(joint, paragraphs)
        _collect(element, names, special, paragraphs)


def _is_left_out(element: etree._Element) -> bool:
    """Return whether an element is deleted text or a running head; a cancelled deletion is neither."""
    name = get_local_name(element)
    return name == RUNNING_HEAD or (name == DELETED and not is_restored(element))


def is_restored(element: etree._Element) -> bool:
    """Return whether an element is a deletion that was cancelled: `<restore><del>`."""
    around = element.getparent()
    is_deletion = get_local_name(element) == DELETED
    return is_deletion and around is not None and get_local_name(around) == RESTORED


def _choose_reading(readings: etree._Element) -> etree._Element:
    """Return the reading to keep: a correction, a regular or an expanded form, or else the first reading."""
    preferred = (find_child(readings, name) for name in PREFERRED_READINGS)
    return next((reading for reading in preferred if reading is not None), readings[0])


def _is_raised(element: etree._Element) -> bool:
    name = get_local_name(element)
    return (element.get("rend") if name == "hi" else name) in RAISED


def _choose_joint(raised: etree._Element, pieces: list[Piece]) -> str | None:
    """Return the text to insert before a superscript, such as "^" in "10^6"; `None` for the mark of a note.

    `pieces` are those before it in the paragraph.
    """
    figures = "".join(raised.itertext()).strip()
    return choose_joint(figures, join_near(pieces), is_upper_half=bool(LOWER_HALF.match(raised.tail or "")))


def _trim_broken_word(pieces: list[Piece], after: str) -> None:
    """Remove white space and the hyphen before a break within a word from the end of the last piece.

    `after` is the text after the break. The hyphen stays if it belongs to the word: "self-evident".
    """
    if not pieces or not isinstance(pieces[-1], str):
        return
    text = pieces[-1].rstrip()
    end = BROKEN_END.search(text, max(0, len(text) - LONGEST_BROKEN))
    if end is None:
        return
    is_hyphenated = end["word"].lower() in PREFIXES or not end["word"] or after[:1].isupper()
    pieces[-1] = text[: end.end("hyphen" if is_hyphenated else "word")]


def _append_text(text: str | None, paragraphs: list[list[Piece]]) -> None:
    if text:
        paragraphs[-1].append(text.replace("\n", " ").replace("\r", " "))
