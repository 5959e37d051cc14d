"""Read debates as mySociety's parsers write them (`publicwhip`): TheyWorkForYou, OpenAustralia and others.

Source: https://parser.theyworkforyou.com/hansard.html
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from indexer.blocks import Aside, Piece
from indexer.dates import find_day_in_name
from indexer.formats.debates import Speech, build_documents
from indexer.formats.source import LocatedDocument, Refused, Source
from indexer.formats.xml_elements import get_line, get_local_name, iterate_elements
from indexer.formats.xml_paragraphs import collect_paragraphs
from indexer.metadata import LONGEST_VALUE, Metadata, is_web_address

HEADINGS = ("major-heading", "minor-heading", "oral-heading")
WANTED = frozenset({"speech", *HEADINGS})
PARAGRAPHS = frozenset({"p", "td", "li"})


def is_publicwhip(namespace: str, name: str) -> bool:
    """Return whether an XML file is in publicwhip, by namespace and name of its outermost element."""
    return not namespace and name == "publicwhip"


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the speeches of a sitting from a file in publicwhip's format; the ids give the day.

    Raises:
        TranscriptError: the file is not XML that can be parsed to its end, or is too large.
    """
    yield from build_documents(source, _read_speeches(source), refused)


def _read_speeches(source: Source) -> Iterator[Speech | Aside]:
    titles: dict[str, str] = {}
    for element in iterate_elements(source.read_bytes(), source.file, WANTED):
        if (name := get_local_name(element)) in HEADINGS:
            titles = {} if name != "minor-heading" else titles
            if title := get_line(element):
                titles["minor" if name == "minor-heading" else "major"] = title
            continue
        yield _build_speech(element, ": ".join(filter(None, (titles.get("major"), titles.get("minor")))))


def _build_speech(element: etree._Element, title: str) -> Speech:
    name, url = element.get("speakername", "").strip(), element.get("url", "")
    dated = find_day_in_name(element.get("id", "").rpartition("/")[2])
    said = Metadata(
        title=title[:LONGEST_VALUE] or None,
        speaker=name[:LONGEST_VALUE] or None,
        spoken_on=dated[0] if dated else None,
        url=url if url.startswith("http") and is_web_address(url) else None,
    )
    paragraphs = collect_paragraphs(element, PARAGRAPHS, _read_special)
    return Speech(element.get("id", "").rpartition("/")[2] or None, element.sourceline, paragraphs, said)


def _read_special(element: etree._Element) -> list[Piece] | None:
    return ["\n"] if get_local_name(element) == "br" else None
