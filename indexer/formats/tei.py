"""Read plain TEI: speeches of a play or a debate (`sp`), or the text of one speech.

Files with utterances (`u`) are read as ParlaMint. Source: https://tei-c.org/release/doc/tei-p5-doc/en/html/
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from lxml import etree

from indexer.blocks import Aside, Piece
from indexer.dates import find_day
from indexer.formats.debates import Speech, build_documents, compose_title
from indexer.formats.source import LocatedDocument, Refused, Source
from indexer.formats.xml_elements import (
    ID,
    LANGUAGE,
    find_child,
    get_line,
    get_local_name,
    iterate_elements,
)
from indexer.formats.xml_paragraphs import collect_paragraphs, is_restored, read_gap
from indexer.metadata import Metadata
from indexer.speaker_tags import extract_name

PARAGRAPHS = frozenset({"p", "l", "ab", "lg", "item", "head"})
# Elements that are paragraphs, or contain them, where they are not within a paragraph.
BLOCKS = frozenset({"p", "l", "ab", "lg", "list", "item", "quote", "q", "said"})
ASIDES = frozenset({"stage", "note", "pb", "incident", "kinesic", "vocal"})
NOT_SPOKEN = frozenset({"front", "back", "epigraph", "bibl", "figure", "argument", "del", "fw"})
OUTSIDE_ASIDES = frozenset({"note", "stage"})
WANTED = frozenset({"teiHeader", "head", "sp"}) | BLOCKS | NOT_SPOKEN | OUTSIDE_ASIDES


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read each speech (`sp`) of the file; if it has none, read all its paragraphs as one speech of the
    author. The texts of a collection (`teiCorpus`), each with its own header, are read one by one.

    In such a speech, notes and stage directions become asides (text that is not speech). Epigraphs,
    references, figures and summaries are skipped if they stand outside paragraphs.

    Raises:
        TranscriptError: the file is not XML that can be parsed to its end, or is too large.
    """
    yield from build_documents(source, _read_speeches(source), refused)


def _read_speeches(source: Source) -> Iterator[Speech | Aside]:
    said, whole = Metadata(), list[list[Piece]]()
    author: str | None = None
    first_heading: str | None = None
    heading: str | None = None
    has_speeches = False
    for element in iterate_elements(source.read_bytes(), source.file, WANTED):
        name = get_local_name(element)
        if name == "teiHeader":
            if not has_speeches:
                yield from _build_whole(whole, said, author, first_heading)
            said, author = _read_header(element)
            whole, heading, first_heading, has_speeches = [], None, None, False
        elif name == "head":
            heading = get_line(element)
            first_heading = first_heading or heading
        elif name == "sp":
            has_speeches = True
            yield _build_speech(element, said, heading)
        elif name in BLOCKS or is_restored(element):
            whole += collect_paragraphs(element, PARAGRAPHS, _read_special)
        elif name in OUTSIDE_ASIDES:
            whole.append(_read_special(element) or [])
    if not has_speeches:
        yield from _build_whole(whole, said, author, first_heading)


def _build_whole(
    paragraphs: list[list[Piece]], said: Metadata, author: str | None, heading: str | None
) -> Iterator[Speech]:
    """Yield the one speech of a text without speeches (`sp`), if it has any paragraphs."""
    if paragraphs:
        metadata = Metadata(title=said.title or heading, speaker=author).fill_from(said)
        yield Speech(None, None, paragraphs, metadata)


def _read_header(header: etree._Element) -> tuple[Metadata, str | None]:
    statement = find_child(header, "fileDesc", "titleStmt")
    title = get_line(find_child(statement, "title")) if statement is not None else None
    author = get_line(find_child(statement, "author")) if statement is not None else None
    dates = (node.get("when") or "" for node in header.iterfind(".//{*}profileDesc//{*}date"))
    day = next(filter(None, map(find_day, dates)), None)
    around = header.getparent()
    language = around.get(LANGUAGE) if around is not None else None
    return Metadata(title=title, spoken_on=day, language=language), author


def _build_speech(element: etree._Element, said: Metadata, heading: str | None) -> Speech:
    printed = get_line(find_child(element, "speaker"))
    speaker = (
        (extract_name(printed) if printed else None) or element.get("who", "").rpartition("#")[2] or None
    )
    metadata = Metadata(title=compose_title(heading, said.title), speaker=speaker).fill_from(said)
    paragraphs = collect_paragraphs(element, PARAGRAPHS, _read_special)
    return Speech(element.get(ID), element.sourceline, paragraphs, metadata)


def _is_in_line_group(line: etree._Element) -> bool:
    parent = line.getparent()
    return parent is not None and get_local_name(parent) == "lg"


def _read_special(element: etree._Element) -> list[Piece] | None:
    name = get_local_name(element)
    if name == "lb":
        return ["\n"]
    if name == "l" and _is_in_line_group(element):
        return [*chain.from_iterable(collect_paragraphs(element, (), _read_special)), "\n"]
    if name == "gap":
        return read_gap(element)
    text = "".join(element.itertext()).strip()
    if name == "speaker":
        return [Aside("speaker", text)] if text else []
    if name in ASIDES:
        return [Aside("stage", text)] if text else []
    return None
