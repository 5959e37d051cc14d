"""Build links to a place in a speech on this site, and to the same words at their source.

The place `p12:40-95` means characters 40 to 95 of paragraph 12.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from jobs.attribution import make_address
from quotations.text.markup import remove_markup
from rostrum_core.types import Document, DocumentInfo, Paragraph

SHOWN_WORDS: Final = 5
"""Number of words at each end of a long quote that a text fragment contains."""

WEB: Final = ("http://", "https://")
LOCAL: Final = re.compile(r"/(?![/\\])[^\s\\]*")
"""Match an address of this site; two slashes at the beginning would lead to another site."""

PLACE: Final = re.compile(r"p?([1-9][0-9]{0,6})(?::([0-9]{1,9})-([0-9]{1,9}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Place:
    """Identify a paragraph by its index from 0, and perhaps a half-open range of its characters.

    `end_char` 0 means that there is no range.
    """

    ordinal: int
    start_char: int = 0
    end_char: int = 0

    @property
    def name(self) -> str:
        """Return the name of the place in a URL: `p12:40-95` for characters 40 to 95 of the twelfth
        paragraph.
        """
        words = f":{self.start_char}-{self.end_char}" if self.end_char else ""
        return f"p{self.ordinal + 1}{words}"


def read_place(text: str) -> Place | None:
    """Parse the name of a place in a URL, such as `p12:40-95`; return `None` if the name is malformed.

    Paragraphs count from 1 in the name, and from 0 in the result.

    >>> read_place("p12:40-95"), read_place("p1"), read_place("p0"), read_place("p1:9-9")
    (Place(ordinal=11, start_char=40, end_char=95), Place(ordinal=0, start_char=0, end_char=0), None, None)
    """
    match = PLACE.fullmatch(text)
    if match is None:
        return None
    number, start, end = match.groups()
    if start is None:
        return Place(int(number) - 1)
    return Place(int(number) - 1, int(start), int(end)) if int(start) < int(end) else None


def link_document(
    document_id: str, ordinal: int | None = None, start_char: int = 0, end_char: int = 0
) -> str:
    """Return the address of a speech on this site, or of a paragraph or words in the speech.

    >>> link_document("a b"), link_document("g", 0), link_document("g", 11, 40, 95)
    ('/documents/a%20b', '/documents/g#p1', '/documents/g#p12:40-95')
    """
    address = f"/documents/{quote(document_id, safe='')}"
    if ordinal is None:
        return address
    return f"{address}#{Place(ordinal, start_char, end_char).name}"


def link_place(document_id: str, ordinal: int, start_char: int = 0, end_char: int = 0) -> str:
    """Return an address on this site that marks words of a speech, even in a browser without scripts.

    >>> link_place("a b", 11, 40, 95)
    '/documents/a%20b?at=p12:40-95#p12:40-95'
    """
    address, _, place = link_document(document_id, ordinal, start_char, end_char).partition("#")
    return f"{address}?at={place}#{place}"


def link_words(url: str | None, words: str) -> str | None:
    """Return a web page's URL with a text fragment, by which browsers scroll to the words and mark them.

    The words lose the transcript's markup, as on the page. Return `None` if `url` is not a web address.

    Source: WICG, URL Fragment Text Directives.

    >>> link_words("https://a.example/s", "We choose to go")
    'https://a.example/s#:~:text=We%20choose%20to%20go'
    >>> link_words("https://a.example/s", "<s>Ninety</s> the 21<sup>st</sup>")
    'https://a.example/s#:~:text=Ninety%20the%2021st'
    >>> link_words("javascript:alert(1)", "We")
    """
    if url is None or not url.lower().startswith(WEB):
        return None
    split = remove_markup(words, keep_struck=True).split()
    pieces = [split] if len(split) <= 2 * SHOWN_WORDS else [split[:SHOWN_WORDS], split[-SHOWN_WORDS:]]
    text = ",".join(quote(" ".join(piece), safe="").replace("-", "%2D") for piece in pieces)
    return f"{url}{'' if '#' in url else '#'}:~:text={text}"


def keep_local(address: str | None) -> str:
    """Return an address that a browser may be sent to: `address`, or "/" if that is not on this site.

    >>> keep_local("/check?a=b"), keep_local("//evil.example.org"), keep_local(None)
    ('/check?a=b', '/', '/')
    """
    return address if address and LOCAL.fullmatch(address) else "/"


def link_recording(document: Document | DocumentInfo, paragraph: Paragraph) -> str | None:
    """Return a URL that opens the recording of a speech at a paragraph; `None` without time codes or URL."""
    if paragraph.start_s is None:
        return None
    address = make_address(document, paragraph.start_s)
    return address if address and address.lower().startswith(WEB) else None
