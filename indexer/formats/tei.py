"""Read plain TEI: speeches of a play or a debate (`sp`), or the text of one speech.

Files with utterances (`u`) are read as ParlaMint. Source: https://tei-c.org/release/doc/tei-p5-doc/en/html/
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from indexer.blocks import Aside, Piece
from indexer.dates import find_day
from indexer.formats.debates import Speech, documents, title_of
from indexer.formats.source import Found, Refused, Source
from indexer.formats.xml_elements import ID, LANGUAGE, child, elements, line_of, local, paragraphs_of
from indexer.metadata import Metadata
from indexer.speaker_tags import name_of

PARAGRAPHS = frozenset({"p", "l", "ab", "lg"})
ASIDES = frozenset({"stage", "note", "pb", "incident", "kinesic", "vocal"})
WANTED = frozenset({"teiHeader", "head", "sp", "p", "ab", "front", "back"})


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """Read each speech (`sp`) of the file, or all its paragraphs as one speech of the author.

    Raises:
        TranscriptError: the file is not XML that can be parsed to its end, or is too large.
    """
    yield from documents(source, _speeches(source), refused)


def _speeches(source: Source) -> Iterator[Speech | Aside]:
    said, heading, whole = Metadata(), None, list[list[Piece]]()
    author: str | None = None
    for element in elements(source.bytes(), source.file, WANTED):
        name = local(element)
        if name == "teiHeader":
            said, author = _headed(element)
        elif name == "head":
            heading = line_of(element)
        elif name == "sp":
            yield _speech(element, said, heading)
        elif name in PARAGRAPHS:
            whole += paragraphs_of(element, PARAGRAPHS, _special)
    if whole:
        known = Metadata(title=title_of(heading, said.title), speaker=author).fill_from(said)
        yield Speech(None, None, whole, known)


def _headed(header: etree._Element) -> tuple[Metadata, str | None]:
    statement = child(header, "fileDesc", "titleStmt")
    title = line_of(child(statement, "title")) if statement is not None else None
    author = line_of(child(statement, "author")) if statement is not None else None
    dates = (node.get("when") or "" for node in header.iterfind(".//{*}profileDesc//{*}date"))
    day = next(filter(None, map(find_day, dates)), None)
    around = header.getparent()
    language = around.get(LANGUAGE) if around is not None else None
    return Metadata(title=title, spoken_on=day, language=language), author


def _speech(element: etree._Element, said: Metadata, heading: str | None) -> Speech:
    printed = line_of(child(element, "speaker"))
    speaker = (name_of(printed) if printed else None) or element.get("who", "").rpartition("#")[2] or None
    known = Metadata(title=title_of(heading, said.title), speaker=speaker).fill_from(said)
    paragraphs = paragraphs_of(element, PARAGRAPHS, _special)
    return Speech(element.get(ID), element.sourceline, paragraphs, known)


def _special(element: etree._Element) -> list[Piece] | None:
    name = local(element)
    if name == "lb":
        return ["\n"]
    text = "".join(element.itertext()).strip()
    if name == "speaker":
        return [Aside("speaker", text)] if text else []
    if name in ASIDES:
        return [Aside("stage", text)] if text else []
    return None
