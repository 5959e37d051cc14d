"""Build links: to a place in a speech on this site, and to its words at their source."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from jobs.attribution import make_address
from rostrum_core.types import DocumentInfo, Paragraph

SHOWN_WORDS: Final = 5
"""Number of words at each end of a long quote that a text fragment contains."""

WEB: Final = ("http://", "https://")


def link_document(
    document_id: str, ordinal: int | None = None, start_char: int = 0, end_char: int = 0
) -> str:
    """Return the address of a speech on this site, or of a paragraph or of words in it.

    >>> link_document("a b"), link_document("g", 0), link_document("g", 11, 40, 95)
    ('/documents/a%20b', '/documents/g#p1', '/documents/g#p12:40-95')
    """
    address = f"/documents/{quote(document_id, safe='')}"
    if ordinal is None:
        return address
    return f"{address}#p{ordinal + 1}" + (f":{start_char}-{end_char}" if end_char > start_char else "")


def link_words(url: str | None, words: str) -> str | None:
    """Return a web page's URL with a text fragment for words on it; `None` if `url` is not a web address.

    Browsers scroll to these words and mark them.

    Source: WICG, URL Fragment Text Directives.

    >>> link_words("https://a.example/s", "We choose to go")
    'https://a.example/s#:~:text=We%20choose%20to%20go'
    >>> link_words("javascript:alert(1)", "We")
    """
    if url is None or not url.lower().startswith(WEB):
        return None
    split = words.split()
    pieces = [split] if len(split) <= 2 * SHOWN_WORDS else [split[:SHOWN_WORDS], split[-SHOWN_WORDS:]]
    text = ",".join(quote(" ".join(piece), safe="").replace("-", "%2D") for piece in pieces)
    return f"{url}{'' if '#' in url else '#'}:~:text={text}"


def link_recording(document: DocumentInfo, paragraph: Paragraph) -> str | None:
    """Return a URL that opens the recording at a paragraph; `None` without time codes or URL."""
    if paragraph.start_s is None:
        return None
    address = make_address(document, paragraph.start_s)
    return address if address and address.lower().startswith(WEB) else None
