"""Read debates in Akoma Ntoso 2.0 and 3.0, an XML vocabulary for parliaments.

The attribute `by` of a speech names the speaker. Applause and scenes are elements.

Source: https://docs.oasis-open.org/legaldocml/akn-core/v1.0/akn-core-v1.0-part2-specs.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lxml import etree

from indexer.blocks import Aside, Piece
from indexer.dates import find_day
from indexer.formats.debates import Speech, build_documents, compose_title
from indexer.formats.source import LocatedDocument, Refused, Source
from indexer.formats.xml_elements import (
    LANGUAGE,
    find_child,
    get_line,
    get_local_name,
    iterate_elements,
)
from indexer.formats.xml_paragraphs import collect_paragraphs
from indexer.metadata import LONGEST_VALUE, Metadata, is_web_address
from indexer.speaker_tags import extract_name
from rostrum_core.errors import TranscriptError
from rostrum_core.types import MarkKind

NAMESPACE = re.compile(
    r"http://www\.akomantoso\.org/[12]\.0|http://docs\.oasis-open\.org/legaldocml/ns/akn/3\.0.*"
)
SPEECHES = frozenset({"speech", "question", "answer"})
HEADINGS = frozenset({"heading", "subheading", "num"})
PARAGRAPHS = frozenset({"p", "li", "item", "blockList", "block", "td", "th", "heading"})
ASIDES: dict[str, MarkKind] = {
    "from": "speaker",
    "recordedTime": "time",
    **dict.fromkeys(("scene", "narrative", "summary", "remark", "other", "adjournment"), "stage"),
    **dict.fromkeys(("authorialNote", "noteRef", "note"), "boilerplate"),
}
# Text read out or handed in: it belongs to the sitting, although nobody is named as its speaker.
TEXTS = frozenset(
    {"communication", "petitions", "papers", "writtenStatements", "resolutions", "declarationOfVote"}
)
WANTED = frozenset({"meta", "docTitle", "docDate", "p", *SPEECHES, *HEADINGS, *ASIDES})
PREFACED = ("docTitle", "docDate")
HEADING = "rostrum-heading"  # an attribute that this module sets on an open section


def is_debate(namespace: str, name: str) -> bool:
    """Return whether an XML file is in Akoma Ntoso, by namespace and name of its outermost element."""
    is_vocabulary = not namespace or NAMESPACE.fullmatch(namespace)
    return name in ("akomaNtoso", "akomantoso") and bool(is_vocabulary)


@dataclass
class _Sitting:
    """Hold the metadata of the sitting and the names of people by id, collected while the file is read."""

    said: Metadata = field(default_factory=Metadata)
    names: dict[str, str] = field(default_factory=dict)


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read each speech, question and answer of a sitting in Akoma Ntoso.

    Raises:
        TranscriptError: the file is not XML that can be parsed to its end, is too large, or is not a
            debate.
    """
    yield from build_documents(source, _read_debate(source), refused)


def _read_debate(source: Source) -> Iterator[Speech | Aside]:
    sitting = _Sitting()
    section, text = None, None
    for element in iterate_elements(source.read_bytes(), source.file, WANTED):
        around = _find_text_section(element)
        if text is not None and around is not section:
            yield text
            text = None
        if around is None:
            yield from _read_part(element, sitting, source.file)
            continue
        section, text = around, text or _begin_text(around, element, sitting)
        text.paragraphs.extend(collect_paragraphs(element, PARAGRAPHS, _read_special))
    if text is not None:
        yield text


def _read_part(element: etree._Element, sitting: _Sitting, file: str) -> Iterator[Speech | Aside]:
    """Yield the speech or the aside in an XML element, or store the element's metadata in `sitting`.

    An aside is text that is not speech, such as a note.
    """
    name = get_local_name(element)
    if name == "meta":
        _refuse_others(element, file)
        sitting.names = _read_names(element)
        sitting.said = sitting.said.fill_from(_read_identification(element))
    elif name in PREFACED or _is_in_preface(element):
        for part in element.iter(*(f"{{*}}{wanted}" for wanted in PREFACED)):
            sitting.said = _read_preface(part, get_local_name(part)).fill_from(sitting.said)
        if name not in PREFACED and (text := "".join(element.itertext()).strip()):
            yield Aside(ASIDES.get(name, "stage"), text)
    elif name in HEADINGS:
        _store_heading(element)
    elif name in SPEECHES:
        yield _build_speech(element, sitting)
    elif text := "".join(element.itertext()).strip():
        yield Aside(ASIDES.get(name, "stage"), text)


def _find_text_section(element: etree._Element) -> etree._Element | None:
    """Return the section that contains the paragraph `element`, if it was read out or submitted in writing.

    Return `None` for any other paragraph, and for an element that is not a paragraph.
    """
    if get_local_name(element) != "p":
        return None
    return next((node for node in element.iterancestors() if get_local_name(node) in TEXTS), None)


def _begin_text(section: etree._Element, element: etree._Element, sitting: _Sitting) -> Speech:
    """Return an empty speech for a section of text that was read out or submitted in writing.

    The speech has no speaker. Its paragraphs are added later.
    """
    heading = next(filter(None, (node.get(HEADING) for node in element.iterancestors())), None)
    said = replace(sitting.said, title=compose_title(heading, sitting.said.title), speaker=None)
    return Speech(section.get("eId") or section.get("id"), element.sourceline, [], said)


def _refuse_others(meta: etree._Element, file: str) -> None:
    kind = meta.getparent()
    if kind is not None and get_local_name(kind) != "debate":
        raise TranscriptError(file, f"Akoma Ntoso of the kind {get_local_name(kind)!r}, expected 'debate'")


def _read_identification(meta: etree._Element) -> Metadata:
    """Read date, address and language of a sitting from the element `identification`; skip invalid values."""
    date, uri = (find_child(meta, "identification", "FRBRWork", name) for name in ("FRBRdate", "FRBRuri"))
    language = find_child(meta, "identification", "FRBRExpression", "FRBRlanguage")
    address = uri.get("value", "") if uri is not None else ""
    code = language.get("language", "") if language is not None else ""
    return Metadata(
        spoken_on=find_day(date.get("date", "")) if date is not None else None,
        url=address if address.startswith("http") and is_web_address(address) else None,
        language=code or None,
    )


def _is_in_preface(element: etree._Element) -> bool:
    return any(get_local_name(node) in ("preface", "coverPage") for node in element.iterancestors())


def _read_preface(element: etree._Element, name: str) -> Metadata:
    if name == "docTitle":
        return Metadata(title=get_line(element))
    return Metadata(spoken_on=find_day(element.get("date", "")) or find_day("".join(element.itertext())))


def _read_names(meta: etree._Element) -> dict[str, str]:
    """Return the names of people by id; the attribute `by` of a speech refers to these ids."""
    people = meta.iter("{*}TLCPerson")
    names = {person.get("eId") or person.get("id") or "": person.get("showAs", "") for person in people}
    return {id: name for id, name in names.items() if id and name}


def _store_heading(element: etree._Element) -> None:
    """Store the text of a heading in an attribute of the section element that contains it.

    The speeches of the section are parsed later; each takes its title from this attribute.
    """
    section = element.getparent()
    text = get_line(element)
    if section is not None and text:
        before = section.get(HEADING, "")
        if len(before) + len(text) <= LONGEST_VALUE:
            section.set(HEADING, f"{before} {text}".strip())


def _build_speech(element: etree._Element, sitting: _Sitting) -> Speech:
    around = list(element.iterancestors())
    heading = next(filter(None, (section.get(HEADING) for section in around)), None)
    language = next(filter(None, (node.get(LANGUAGE) for node in [element, *around])), None)
    said = replace(
        sitting.said,
        title=compose_title(heading, sitting.said.title),
        speaker=_read_speaker(element, sitting.names),
        language=language or sitting.said.language,
    )
    paragraphs = collect_paragraphs(element, PARAGRAPHS, _read_special)
    return Speech(element.get("eId") or element.get("id"), element.sourceline, paragraphs, said)


def _read_speaker(speech: etree._Element, names: dict[str, str]) -> str | None:
    """Return the speaker of a speech: the name in `names` for the id in its attribute `by`.

    If there is no such name, return the printed name (`from`); if that is missing, too, return the id.
    """
    id = speech.get("by", "").rpartition("#")[2]
    printed = get_line(find_child(speech, "from"))
    return names.get(id) or (extract_name(printed) if printed else None) or id or None


def _read_special(element: etree._Element) -> list[Piece] | None:
    name = get_local_name(element)
    if name in ("br", "eol"):
        return ["\n"]
    if name in ASIDES:
        return [Aside(ASIDES[name], "".join(element.itertext()))]
    return None
