"""Locate words of a window in the archive, with their speaker and the text around them.

A window is a run of consecutive paragraphs in which a quotation was found.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Sequence

from jobs.recommend.english_words import is_common_word
from jobs.verify.speakers import ROLES, is_role
from jobs.verify.windows import Window
from quotations.names.person_names import split_name
from quotations.text.sentences import split_sentences
from quotations.text.spoken import LOST
from rostrum_core.names import fold_name
from rostrum_core.quote_checks import QuotePlace
from rostrum_core.types import Document, DocumentInfo

OF_DOCUMENT = frozenset(["president", "secretary", "speaker"])  # roles of the one whose speech it is
TAG = re.compile(r"^\s*((?:[A-Z][A-Za-z.'’-]*,?\ ?){1,5})(?:\([^)]{1,40}\))?:\s")
LOST_MARGIN = 2  # characters around the words in which a mark of the transcript concerns them


def make_place(
    window: Window, first: int, last: int, info: DocumentInfo, surnames: Collection[str] = ()
) -> QuotePlace:
    """Return the place of words `first` to `last` of a window (consecutive paragraphs): document,
    paragraphs, character range and speaker.

    `surnames` are those of the archive's speakers, in lower case.
    """
    begin, end = window.get_word(first), window.get_word(last)
    paragraph, final = window.get_paragraph(first), window.get_paragraph(last)
    same = begin.text == end.text
    return QuotePlace(
        document=paragraph.document_id,
        paragraph=paragraph.ordinal,
        start_char=begin.start_char,
        end_char=end.end_char if same else len(paragraph.text.rstrip()),
        last_paragraph=final.ordinal,
        last_end_char=end.end_char,
        words=window.spoken.get_text(first, last + 1),
        title=info.title,
        speaker=find_speaker(window, first, info, surnames),
        spoken_on=info.spoken_on,
        url=info.url,
        start_s=paragraph.start_s,
    )


def list_repeats(window: Window, first: int, last: int) -> list[tuple[int, int]]:
    """Return the other places in a window that have the same words as its words `first` to `last`.

    Each place is a pair: the indices of its first and its last word.
    """
    keys, count = list(window.spoken.keys), last - first + 1
    words = keys[first : last + 1]
    starts = (at for at in range(len(keys) - count + 1) if at != first and keys[at : at + count] == words)
    return [(at, at + count - 1) for at in starts]


def find_speaker(window: Window, word: int, info: DocumentInfo, surnames: Collection[str] = ()) -> str | None:
    """Return the person who says word number `word` of a window; `None` if unknown.

    This is the person whom the last speaker tag before the word names. Without a tag, it is the document's
    speaker. A tag may also name an office that means the document's speaker, such as "THE PRESIDENT". Any
    other office, such as "THE VICE PRESIDENT", is returned as it is.
    """
    if window.get_speaker(word) == "":  # a tag before it is not believed
        return None
    named = window.get_speaker(word) or _find_tag(window, word, surnames)
    if named == "":  # "FACT:", which may be no name
        return None
    if named is None or not named.strip():
        return info.speaker
    is_of_document = named not in info.speakers or _leave_out_address(named) in OF_DOCUMENT
    return info.speaker if is_role(named) and not split_name(named) and is_of_document else named


def _leave_out_address(tag: str) -> str:
    """Return a speaker tag in lower case, without "the", "Mr." or "Madam": "president"."""
    return " ".join(word for word in fold_name(tag).replace(".", " ").split() if word not in ADDRESS)


ADDRESS = frozenset(("the", "mr", "madam", "mister"))


def _find_tag(window: Window, word: int, surnames: Collection[str]) -> str | None:
    """Return the name of a speaker tag that is still in the paragraph's text: "MR. FOX" for "MR. FOX: Yes."

    The tag must be at the beginning of the paragraph, before the word. Return `None` if there is no tag, and
    "" if the words before the colon may be no name.
    """
    spoken = window.get_word(word)
    tag = TAG.match(window.spoken.texts[spoken.text][: spoken.start_char])
    name = tag[1].strip() if tag else ""
    if not name.isupper():
        return None
    return name if _is_speaker_tag(name, surnames) else ""


def _is_speaker_tag(tag: str, surnames: Collection[str]) -> bool:
    """Return whether words in capitals before a colon are a speaker tag that the archive did not recognise.

    A tag ends with a role ("SENIOR OFFICIAL") or with a surname of the archive's speakers, or has a title
    ("SECRETARY ROSS"). Otherwise it must have an uncommon word: "HOLT", but not "FACT" or "OUR PLAN".
    """
    words = split_name(tag)
    if is_role(tag) or len(words) < len(tag.split()) or words[-1] in surnames or words[-1] in ROLES:
        return True
    return len(words[-1]) >= LEAST_LETTERS and not all(is_common_word(word) for word in words)


LEAST_LETTERS = 4


def find_sentences_around(window: Window, first: int, last: int) -> tuple[str, str]:
    """Return the text before and the text after words `first` to `last` of a window.

    The text before is the previous sentence of the paragraph and the beginning of the words' own sentence.
    The text after is the rest of their sentence and the next sentence. If the words begin or end the
    paragraph, the adjacent sentence is taken from the previous or next paragraph.
    """
    begin, end = window.get_word(first), window.get_word(last)
    return (
        _read_before(window.spoken.texts, begin.text, begin.start_char),
        _read_after(window.spoken.texts, end.text, end.end_char),
    )


def _read_before(texts: Sequence[str], at: int, start: int) -> str:
    ranges = split_sentences(texts[at])
    own = bisect_right(ranges, start, key=lambda item: item[0]) - 1
    if own > 0 or (ranges and own == 0 and ranges[0][0] < start):
        return texts[at][ranges[max(own - 1, 0)][0] : start].strip()
    if at:
        previous = split_sentences(texts[at - 1])
        return texts[at - 1][previous[-1][0] :].strip() if previous else ""
    return ""


def _read_after(texts: Sequence[str], at: int, end: int) -> str:
    ranges = split_sentences(texts[at])
    own = bisect_right(ranges, max(0, end - 1), key=lambda item: item[0]) - 1
    if ranges and (own + 1 < len(ranges) or ranges[own][1] > end + 1):
        return texts[at][end : ranges[min(own + 1, len(ranges) - 1)][1]].lstrip(" .!?…\"”'’)]").strip()
    if at + 1 < len(texts):
        following = split_sentences(texts[at + 1])
        return texts[at + 1][following[0][0] : following[0][1]].strip() if following else ""
    return ""


def find_lost_words(window: Window, first: int, last: int, document: Document | None) -> str | None:
    """Return the mark for words that the transcript lacks, such as "(inaudible)", in or next to a quotation.

    The quotation has the words `first` to `last` of the window. If there is no such mark, return `None`.
    """
    begin, end = window.get_word(first), window.get_word(last)
    for number in range(begin.text, end.text + 1):
        text = window.spoken.texts[number]
        low = begin.start_char if number == begin.text else 0
        high = end.end_char if number == end.text else len(text)
        if result := LOST.search(text, max(0, low - LOST_MARGIN), min(len(text), high + LOST_MARGIN)):
            return result[0]
    if document is None:
        return None
    low = window.get_paragraph(first).start_char + begin.start_char
    high = window.get_paragraph(last).start_char + end.end_char
    marks = (mark for mark in document.marks if low - LOST_MARGIN <= mark.start_char <= high + LOST_MARGIN)
    return next((mark.text for mark in marks if LOST.search(mark.text)), None)
