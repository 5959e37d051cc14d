"""Read sittings of parliaments in ParlaMint TEI, plain or annotated (`.ana`).

The element `u` is a speech, and `seg` is a paragraph.

Source: https://clarin-eric.github.io/ParlaMint/
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from lxml import etree

from indexer.blocks import Aside, Piece
from indexer.dates import find_day
from indexer.formats.debates import Speech, build_documents, compose_title
from indexer.formats.parlamint_people import list_names, read_corpus_names
from indexer.formats.source import LocatedDocument, Refused, Source
from indexer.formats.xml_elements import (
    ID,
    LANGUAGE,
    find_child,
    get_line,
    get_local_name,
    iterate_elements,
)
from indexer.formats.xml_paragraphs import collect_paragraphs, read_gap
from indexer.metadata import LONGEST_VALUE, Metadata, is_web_address
from rostrum_core.types import MarkKind

NAMESPACE = "http://www.tei-c.org/ns/1.0"
SITTINGS = frozenset({"TEI", "teiCorpus"})
# Files that belong to a corpus but hold no speech.
BESIDE = frozenset({"listPerson", "listOrg", "taxonomy", "listRelation", "particDesc"})
ASIDES = frozenset({"note", "vocal", "kinesic", "incident", "gap", "writing", "pb", "time"})
NOTE_KINDS: dict[str, MarkKind] = {"speaker": "speaker", "time": "time"}
WANTED = frozenset({"teiHeader", "head", "u", "p", *ASIDES})
PARAGRAPHS = frozenset({"seg", "p"})
HEADING = "rostrum-heading"  # an attribute that this module sets on an open division
NO_SPACE = "\0"  # a character that XML cannot contain
CORPUS = re.compile(r"\s*\[ParlaMint[^\]]*\]$")


def is_parlamint(namespace: str, name: str) -> bool:
    """Return whether the namespace and name of an XML file's outermost element are those of ParlaMint."""
    return namespace == NAMESPACE and name in SITTINGS | BESIDE


@dataclass
class _Sitting:
    """Collect data while a file (one sitting) is read: its metadata, and the names of people by id."""

    titles: dict[str, str] = field(default_factory=dict)
    spoken_on: str | None = None
    url: str | None = None
    names: dict[str, str] = field(default_factory=dict)


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read each speech of a sitting in ParlaMint; yield nothing for a list of people or the root of a corpus.

    Raises:
        TranscriptError: the file is not XML that can be parsed to its end, or is too large.
    """
    yield from build_documents(source, _read_debate(source), refused)


def _read_debate(source: Source) -> Iterator[Speech | Aside]:
    sitting = _Sitting(names=read_corpus_names(source))
    for element in iterate_elements(source.read_bytes(), source.file, WANTED):
        name = get_local_name(element)
        if name == "teiHeader":
            _learn(sitting, element)
        elif name == "head":
            _store_heading(element)
        elif name == "u":
            yield _build_speech(element, sitting)
        elif aside := _build_aside(element):
            yield aside


def _learn(sitting: _Sitting, header: etree._Element) -> None:
    titles = header.iterfind("{*}fileDesc/{*}titleStmt/{*}title")
    mains = {
        _find_language(title): get_line(title) for title in titles if title.get("type", "main") == "main"
    }
    sitting.titles = {language: CORPUS.sub("", title) for language, title in mains.items() if title}
    dated = find_child(header, "profileDesc", "settingDesc", "setting", "date")
    source = find_child(header, "fileDesc", "sourceDesc", "bibl", "idno")
    address = get_line(source) or ""
    sitting.spoken_on = find_day(dated.get("when", "")) if dated is not None else None
    sitting.url = address if address.startswith("http") and is_web_address(address) else None
    sitting.names |= list_names(header)


def _store_heading(element: etree._Element) -> None:
    """Store the text of a heading in an attribute of the division (an element) that contains it.

    The speeches of the division are parsed later; each takes its title from this attribute.
    """
    division, text = element.getparent(), get_line(element)
    if division is not None and text:
        division.set(HEADING, text)


def _build_speech(element: etree._Element, sitting: _Sitting) -> Speech:
    heading = next(filter(None, (division.get(HEADING) for division in element.iterancestors())), None)
    language = _find_language(element)
    title = sitting.titles.get(language) or next(iter(sitting.titles.values()), None)
    who = element.get("who", "").rpartition("#")[2]
    said = Metadata(
        title=compose_title(heading, title),
        speaker=sitting.names.get(who, who)[:LONGEST_VALUE] or None,
        spoken_on=sitting.spoken_on,
        url=sitting.url,
        language=language or None,
    )
    paragraphs = [_join_tokens(pieces) for pieces in collect_paragraphs(element, PARAGRAPHS, _read_special)]
    return Speech(element.get(ID), element.sourceline, paragraphs, said)


def _find_language(element: etree._Element) -> str:
    """Return the language that an element or its nearest ancestor states; "" if none of them states one."""
    return next(filter(None, (node.get(LANGUAGE) for node in [element, *element.iterancestors()])), "")


def _read_special(element: etree._Element) -> list[Piece] | None:
    name = get_local_name(element)
    if name in ("w", "pc"):
        # a normalised word holds the words that were spoken
        within = [word.text for word in element if get_local_name(word) == "w" and word.text]
        said = " ".join(filter(None, [(element.text or "").strip(), *within]))
        return [said + (NO_SPACE if element.get("join") in ("right", "both") else " ")]
    if name == "time" and find_child(element, "w") is not None:
        return None  # a named entity, which was spoken
    if name == "linkGrp":
        return []
    if name == "lb":
        return ["\n"]
    if name == "gap":
        return read_gap(element)
    if name in ASIDES:
        aside = _build_aside(element)
        return [aside] if aside else []
    return None


def _build_aside(element: etree._Element) -> Aside | None:
    """Convert an element such as a note or applause to an aside, which is text that is not speech.

    If the element has no text, its type or its reason is the text. Return `None` if it has none of these.
    """
    kind = element.get("type") or element.get("reason") or ""
    text = "".join(element.itertext()).strip() or kind
    return Aside(NOTE_KINDS.get(kind, "stage"), text) if text else None


def _join_tokens(pieces: list[Piece]) -> list[Piece]:
    """Join the tokens (words and punctuation marks) of speech into text.

    Asides are not speech: they stay as they are, and separate the texts before and after them. No space
    follows a token that the file marks as joined to the next one.
    """
    joined: list[Piece] = []
    for asides, run in groupby(pieces, key=lambda piece: isinstance(piece, Aside)):
        same = list(run)
        joined += same if asides else [re.sub(NO_SPACE + r"\s*", "", "".join(map(str, same)))]
    return joined
