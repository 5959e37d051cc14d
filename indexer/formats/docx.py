"""Read Word documents (DOCX): paragraphs of the body and of its tables, with all changes accepted.

Footnotes become marks where they are referenced; headers, footers, comments and hidden text are skipped.
Source: ECMA-376, part 1, section 17 (WordprocessingML).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lxml import etree

from indexer.blocks import Aside, Block, Piece, build_block
from indexer.characters import normalise_line
from indexer.formats.source import Found, Refused, Source, document
from indexer.formats.xml_elements import child, elements, line_of, local, namespace
from indexer.formats.zip_parts import Parts
from indexer.metadata import Metadata, is_of_a_program
from indexer.name_lines import CALLED_AFTER_SPEAKERS, Line, mark_names
from rostrum_core.errors import TranscriptError

RELATIONS, PROPERTIES, BODY = "_rels/.rels", "docProps/core.xml", "word/document.xml"
BODY_RELATION = "/officeDocument"
REFERENCES = {"footnoteReference": "footnote", "endnoteReference": "endnote"}
SHOWN_AS = {"tab": " ", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
# Skip deleted or moved text, settings, the pronunciation next to a word, the copy for old readers.
NOT_SHOWN = frozenset({"del", "moveFrom", "instrText", "delText", "pPr", "rPr", "sectPr", "rt", "Fallback"})
TITLE, FIRST_HEADING = "title", "heading 1"
FIRST_CELL = "first cell"
# Match the text after a name in bold: it completes a tag even without the bold, or is a time, which only a
# recorder prints.
TAG_ENDS = re.compile(r"\s*(?:[([][^()\[\]]*[)\]]\s*)*(?:[:.–—-]|\d{1,2}:\d\d)")
LARGEST_BESIDE_BYTES = 16 << 20  # of every part except the body

Notes = Mapping[tuple[str, str], str]


class Written(NamedTuple):
    """Store a paragraph and the name of its style, in lower case; empty for the default style.

    `lead` is the number of its first characters that are set apart: in bold, or all in the first cell of a
    row.
    """

    style: str
    block: Block
    lead: int = 0

    def line(self) -> Line:
        """Return the paragraph as a line that may hold a name."""
        if CALLED_AFTER_SPEAKERS.search(self.style):
            return Line(self.block, self.style, self.lead or len(self.block.text))
        if self.lead and not TAG_ENDS.match(self.block.text, self.lead):
            return Line(self.block, self.style or "bold", self.lead)
        return Line(self.block)


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """Read the one speech of the document.

    Its title is the paragraph in the style Title, else the document's property, else a heading at its
    beginning. Ignore the file's author and dates: they state who typed and saved it, not who spoke when.

    Raises:
        TranscriptError: the file is not DOCX, is encrypted, damaged or too large, or has no speech.
    """
    parts = Parts(source.bytes(), source.file)
    written = list(_paragraphs(parts))
    titles = (normalise_line(each.block.text) for each in written if each.style == TITLE)
    begins = normalise_line(written[0].block.text) if written and written[0].style == FIRST_HEADING else None
    said = Metadata(title=next(titles, None)).fill_from(_properties(parts)).fill_from(Metadata(title=begins))
    lines = [
        paragraph.line()
        for paragraph in written
        if paragraph.style not in (TITLE, FIRST_HEADING) or normalise_line(paragraph.block.text) != said.title
    ]
    yield document(source, mark_names(lines), said, supplied=False, head=True)


def _paragraphs(parts: Parts) -> Iterator[Written]:
    """Yield every non-empty paragraph in order; those of a text box follow the paragraph that holds it."""
    body = _body(parts)
    folder = body.rpartition("/")[0]
    styles = _styles(parts, f"{folder}/styles.xml")
    notes = _notes(parts, folder)
    row: etree._Element | None = None
    for outermost in elements(parts.read(body), parts.file, {"p"}):
        around = next((node for node in outermost.iterancestors() if local(node) == "tr"), None)
        is_first_cell = around is not None and around is not row
        row = around
        for paragraph, pieces in _shown(outermost, notes):
            if (made := build_block(pieces)).text:
                style = styles.get(_value(child(paragraph, "pPr", "pStyle")), "")
                lead = len(made.text) if is_first_cell else _bold_lead(paragraph, made.text)
                yield Written(FIRST_CELL if is_first_cell else style, made, lead)


def _bold_lead(paragraph: etree._Element, text: str) -> int:
    """Return how many characters at the beginning of a paragraph are in bold."""
    bold = ""
    for run in paragraph.iter("{*}r"):
        said = "".join(node.text or "" for node in run.iter("{*}t"))
        mark = child(run, "rPr", "b")
        if said.strip() and (mark is None or _value(mark) in ("0", "false", "off")):
            break
        bold += said
    words = normalise_line(bold)
    return len(words) if words and text.startswith(words) else 0


def _shown(outermost: etree._Element, notes: Notes) -> Iterator[tuple[etree._Element, list[Piece]]]:
    """Yield a paragraph with the pieces that it shows, and then each paragraph within it."""
    waiting = deque([outermost])
    while waiting:
        paragraph, pieces = waiting.popleft(), list[Piece]()
        _collect(paragraph, notes, pieces, waiting)
        yield paragraph, pieces


def _collect(
    element: etree._Element, notes: Notes, pieces: list[Piece], inner: deque[etree._Element]
) -> None:
    """Append the visible content of an element to `pieces`, and the paragraphs within it to `inner`."""
    for node in element:
        name = local(node)
        if name in NOT_SHOWN or (name == "r" and _hidden(node)):
            continue
        if name == "p":
            inner.append(node)
        elif name == "t":
            pieces.append(node.text or "")
        elif name in SHOWN_AS:
            pieces.append(SHOWN_AS[name])
        elif note := notes.get((REFERENCES.get(name, ""), _value(node, "id"))):
            pieces.append(Aside("boilerplate", note))
        else:
            _collect(node, notes, pieces, inner)


def _hidden(run: etree._Element) -> bool:
    """Return whether a run is hidden; the value of its property may negate it."""
    vanish = child(run, "rPr", "vanish")
    return vanish is not None and _value(vanish) not in ("0", "false", "off")


def _body(parts: Parts) -> str:
    """Return the name of the part that holds the body.

    Raises:
        TranscriptError: there is no such part: the zip file holds something else.
    """
    related = elements(parts.read(RELATIONS, LARGEST_BESIDE_BYTES), parts.file, {"Relationship"})
    targets = (each.get("Target", "") for each in related if each.get("Type", "").endswith(BODY_RELATION))
    name = next(targets, BODY).removeprefix("/") if RELATIONS in parts else BODY
    if name not in parts:
        raise TranscriptError(parts.file, f"a zip file without {name[:100]}, no DOCX")
    return name


def _styles(parts: Parts, name: str) -> dict[str, str]:
    """Return the names of styles by id; the names of Word's own styles are English in every language."""
    if name not in parts:
        return {}
    found = elements(parts.read(name, LARGEST_BESIDE_BYTES), parts.file, {"style"})
    return {_value(style, "styleId"): _value(child(style, "name")).lower() for style in found}


def _notes(parts: Parts, folder: str) -> dict[tuple[str, str], str]:
    """Return the texts of footnotes and endnotes, by kind and id."""
    texts: dict[tuple[str, str], str] = {}
    for kind in REFERENCES.values():
        if (name := f"{folder}/{kind}s.xml") in parts:
            for note in elements(parts.read(name, LARGEST_BESIDE_BYTES), parts.file, {kind}):
                shown = _shown(note, {})
                texts[kind, _value(note, "id")] = " ".join(
                    build_block(pieces).text for _, pieces in shown
                ).strip()
    return texts


def _properties(parts: Parts) -> Metadata:
    """Return title and language from the document's properties."""
    if PROPERTIES not in parts:
        return Metadata()
    found = elements(
        parts.read(PROPERTIES, LARGEST_BESIDE_BYTES),
        parts.file,
        {"title", "language"},
    )
    said = {
        local(element): line for element in found if (line := line_of(element)) and not is_of_a_program(line)
    }
    return Metadata(title=said.get("title"), language=said.get("language"))


def _value(element: etree._Element | None, name: str = "val") -> str:
    """Return an attribute in the namespace of its element; return an empty text if it is missing."""
    if element is None:
        return ""
    return element.get(f"{{{namespace(element)}}}{name}", "")
