"""Read sittings in ParlaMint TEI, plain or annotated (`.ana`): `u` is a speech, `seg` a paragraph.

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
from indexer.formats.debates import Speech, documents, title_of
from indexer.formats.parlamint_people import names_beside, names_in
from indexer.formats.source import Found, Refused, Source
from indexer.formats.xml_elements import ID, LANGUAGE, child, elements, line_of, local, paragraphs_of
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
LOST = frozenset({"inaudible", "unintelligible"})
HEADING = "rostrum-heading"  # an attribute that this module sets on an open division
NO_SPACE = "\0"  # a character that XML cannot contain
CORPUS = re.compile(r"\s*\[ParlaMint[^\]]*\]$")


def is_parlamint(namespace: str, name: str) -> bool:
    """Return whether the outermost element belongs to this vocabulary."""
    return namespace == NAMESPACE and name in SITTINGS | BESIDE


@dataclass
class _Sitting:
    """Accumulate the metadata of the sitting and the names of people while the file is read."""

    titles: dict[str, str] = field(default_factory=dict)
    spoken_on: str | None = None
    url: str | None = None
    names: dict[str, str] = field(default_factory=dict)


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """Read each speech of the sitting; yield nothing for a list of people or the root of a corpus.

    Raises:
        TranscriptError: the file is not XML that can be parsed to its end, or is too large.
    """
    yield from documents(source, _debate(source), refused)


def _debate(source: Source) -> Iterator[Speech | Aside]:
    sitting = _Sitting(names=names_beside(source))
    for element in elements(source.bytes(), source.file, WANTED):
        name = local(element)
        if name == "teiHeader":
            _learn(sitting, element)
        elif name == "head":
            _head(element)
        elif name == "u":
            yield _speech(element, sitting)
        elif aside := _aside(element):
            yield aside


def _learn(sitting: _Sitting, header: etree._Element) -> None:
    titles = header.iterfind("{*}fileDesc/{*}titleStmt/{*}title")
    mains = {_language(title): line_of(title) for title in titles if title.get("type", "main") == "main"}
    sitting.titles = {language: CORPUS.sub("", title) for language, title in mains.items() if title}
    dated = child(header, "profileDesc", "settingDesc", "setting", "date")
    source = child(header, "fileDesc", "sourceDesc", "bibl", "idno")
    address = line_of(source) or ""
    sitting.spoken_on = find_day(dated.get("when", "")) if dated is not None else None
    sitting.url = address if address.startswith("http") and is_web_address(address) else None
    sitting.names |= names_in(header)


def _head(element: etree._Element) -> None:
    """Store the heading on its division, which is still open, for the speeches to come."""
    division, text = element.getparent(), line_of(element)
    if division is not None and text:
        division.set(HEADING, text)


def _speech(element: etree._Element, sitting: _Sitting) -> Speech:
    heading = next(filter(None, (division.get(HEADING) for division in element.iterancestors())), None)
    language = _language(element)
    title = sitting.titles.get(language) or next(iter(sitting.titles.values()), None)
    who = element.get("who", "").rpartition("#")[2]
    said = Metadata(
        title=title_of(heading, title),
        speaker=sitting.names.get(who, who)[:LONGEST_VALUE] or None,
        spoken_on=sitting.spoken_on,
        url=sitting.url,
        language=language or None,
    )
    paragraphs = [_joined(pieces) for pieces in paragraphs_of(element, PARAGRAPHS, _special)]
    return Speech(element.get(ID), element.sourceline, paragraphs, said)


def _language(element: etree._Element) -> str:
    """Return the language of an element or of its nearest ancestor with one, or an empty text."""
    return next(filter(None, (node.get(LANGUAGE) for node in [element, *element.iterancestors()])), "")


def _special(element: etree._Element) -> list[Piece] | None:
    name = local(element)
    if name in ("w", "pc"):
        within = [each.text for each in element if local(each) == "w" and each.text]  # of a normalised word
        said = " ".join(filter(None, [(element.text or "").strip(), *within]))
        return [said + (NO_SPACE if element.get("join") in ("right", "both") else " ")]
    if name == "time" and child(element, "w") is not None:
        return None  # a named entity, which was spoken
    if name == "linkGrp":
        return []
    if name == "lb":
        return ["\n"]
    if name == "gap" and element.get("reason") in LOST:
        return [f"[{element.get('reason')}]"]  # without it the surrounding words would seem continuous
    if name in ASIDES:
        aside = _aside(element)
        return [aside] if aside else []
    return None


def _aside(element: etree._Element) -> Aside | None:
    """Return the text of a note, an applause or the like, or else its kind."""
    kind = element.get("type") or element.get("reason") or ""
    text = "".join(element.itertext()).strip() or kind
    return Aside(NOTE_KINDS.get(kind, "stage"), text) if text else None


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Join tokens; add no space after a token that is marked as joined to the next."""
    found: list[Piece] = []
    for asides, run in groupby(pieces, key=lambda piece: isinstance(piece, Aside)):
        same = list(run)
        found += same if asides else [re.sub(NO_SPACE + r"\s*", "", "".join(map(str, same)))]
    return found
