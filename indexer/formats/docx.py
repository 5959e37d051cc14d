"""Read Word documents (DOCX): paragraphs of the body and of its tables, with all changes accepted.

Footnotes become marks where they are referenced; headers, footers, comments and hidden text are skipped.
Source: ECMA-376, part 1, section 17 (WordprocessingML).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple

from lxml import etree

from indexer.blocks import Aside, Block, Piece, build_block
from indexer.characters import normalise_line
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.formats.xml_elements import find_child, get_line, get_local_name, get_namespace, iterate_elements
from indexer.formats.zip_parts import Parts
from indexer.metadata import Metadata, is_of_a_program
from indexer.name_lines import CALLED_AFTER_SPEAKERS, StyledBlock, mark_names
from indexer.raised_text import LOWER_HALF, choose_joint, join_near
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
RUNS_OF_A_FRACTION = 2  # after its numerator: the slash and the denominator
LARGEST_BESIDE_BYTES = 16 << 20  # of every part except the body

Notes = Mapping[tuple[str, str], str]


class StyledParagraph(NamedTuple):
    """Hold a paragraph of a Word document with its style.

    `style` is the name of the style in lower case, empty for the default style. `lead` is the number of
    characters at the beginning that are in bold or in the first cell of a table row. They may be the
    speaker's name.
    """

    style: str
    block: Block
    lead: int = 0

    def build_line(self) -> StyledBlock:
        """Return the paragraph as a `StyledBlock`, in which `mark_names` can find a speaker's name."""
        if CALLED_AFTER_SPEAKERS.search(self.style):
            return StyledBlock(self.block, self.style, self.lead or len(self.block.text))
        if self.lead and not TAG_ENDS.match(self.block.text, self.lead):
            return StyledBlock(self.block, self.style or "bold", self.lead)
        return StyledBlock(self.block)


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the one speech of a Word document.

    Its title is the paragraph in the style Title, else the document's property, else a heading at its
    beginning. Ignore the file's author and dates: they state who typed and saved it, not who spoke when.

    Raises:
        TranscriptError: the file is not DOCX, is encrypted, damaged or too large, or has no speech.
    """
    parts = Parts(source.read_bytes(), source.file)
    written = list(_read_paragraphs(parts))
    titles = (normalise_line(paragraph.block.text) for paragraph in written if paragraph.style == TITLE)
    begins = normalise_line(written[0].block.text) if written and written[0].style == FIRST_HEADING else None
    said = (
        Metadata(title=next(titles, None))
        .fill_from(_read_properties(parts))
        .fill_from(Metadata(title=begins))
    )
    lines = [
        paragraph.build_line()
        for paragraph in written
        if paragraph.style not in (TITLE, FIRST_HEADING) or normalise_line(paragraph.block.text) != said.title
    ]
    yield build_document(source, mark_names(lines), said, supplied=False, head=True)


def _read_paragraphs(parts: Parts) -> Iterator[StyledParagraph]:
    """Yield every non-empty paragraph of a Word document in order.

    The paragraphs of a text box follow the paragraph that holds the box.
    """
    body = _find_body(parts)
    folder = body.rpartition("/")[0]
    styles = _read_styles(parts, f"{folder}/styles.xml")
    notes = _read_notes(parts, folder)
    row: etree._Element | None = None
    for outermost in iterate_elements(parts.read(body), parts.file, {"p"}):
        around = next((node for node in outermost.iterancestors() if get_local_name(node) == "tr"), None)
        is_first_cell = around is not None and around is not row
        row = around
        for paragraph, pieces in _walk_paragraphs(outermost, notes):
            if (made := build_block(pieces)).text:
                style = styles.get(_get_value(find_child(paragraph, "pPr", "pStyle")), "")
                lead = len(made.text) if is_first_cell else _measure_bold_lead(paragraph, made.text)
                yield StyledParagraph(FIRST_CELL if is_first_cell else style, made, lead)


def _measure_bold_lead(paragraph: etree._Element, text: str) -> int:
    """Return how many characters at the beginning of a paragraph are in bold."""
    bold = ""
    for run in paragraph.iter("{*}r"):
        said, joint = _get_run_text(run), _choose_joint(run, [bold])
        if joint is None:
            continue
        mark = find_child(run, "rPr", "b")
        if said.strip() and (mark is None or _get_value(mark) in ("0", "false", "off")):
            break
        bold += joint + said
    words = normalise_line(bold)
    return len(words) if words and text.startswith(words) else 0


def _walk_paragraphs(outermost: etree._Element, notes: Notes) -> Iterator[tuple[etree._Element, list[Piece]]]:
    """Yield a paragraph with its visible text and notes, then likewise each paragraph inside it.

    There are paragraphs inside a paragraph if it contains a text box.
    """
    waiting = deque([outermost])
    while waiting:
        paragraph, pieces = waiting.popleft(), list[Piece]()
        _collect(paragraph, notes, pieces, waiting)
        yield paragraph, pieces


def _collect(
    element: etree._Element, notes: Notes, pieces: list[Piece], inner: deque[etree._Element]
) -> None:
    """Append the visible content of an element to `pieces`, and the paragraphs in the element to `inner`."""
    for node in element:
        name = get_local_name(node)
        if name in NOT_SHOWN or (name == "r" and _is_hidden(node)):
            continue
        if name == "r":
            joint = _choose_joint(node, pieces)
            if joint is None:
                continue
            pieces.append(joint)
        if name == "p":
            inner.append(node)
        elif name == "t":
            pieces.append(node.text or "")
        elif name in SHOWN_AS:
            pieces.append(SHOWN_AS[name])
        elif note := notes.get((REFERENCES.get(name, ""), _get_value(node, "id"))):
            pieces.append(Aside("boilerplate", note))
        else:
            _collect(node, notes, pieces, inner)


def _is_hidden(run: etree._Element) -> bool:
    """Return whether a run of text is hidden: it has the property `vanish`, and the property is not set to
    false.
    """
    vanish = find_child(run, "rPr", "vanish")
    return vanish is not None and _get_value(vanish) not in ("0", "false", "off")


def _choose_joint(run: etree._Element, before: Sequence[Piece]) -> str | None:
    """Return the text to insert before a run of text: "^" before the raised 6 of "10^6", "" before most runs.

    `before` are the pieces before the run. Return `None` for a mark of a note that was typed as raised text.
    """
    if _get_value(find_child(run, "rPr", "vertAlign")) != "superscript":
        return ""
    after = "".join(map(_get_run_text, islice(run.itersiblings("{*}r"), RUNS_OF_A_FRACTION)))
    return choose_joint(
        _get_run_text(run).strip(), join_near(before), is_upper_half=bool(LOWER_HALF.match(after))
    )


def _get_run_text(run: etree._Element) -> str:
    return "".join(node.text or "" for node in run.iter("{*}t"))


def _find_body(parts: Parts) -> str:
    """Return the name of the part (a file in the package) that holds the body: "word/document.xml".

    Raises:
        TranscriptError: there is no such part: the zip file holds something else.
    """
    related = iterate_elements(parts.read(RELATIONS, LARGEST_BESIDE_BYTES), parts.file, {"Relationship"})
    targets = (
        relation.get("Target", "") for relation in related if relation.get("Type", "").endswith(BODY_RELATION)
    )
    name = next(targets, BODY).removeprefix("/") if RELATIONS in parts else BODY
    if name not in parts:
        raise TranscriptError(parts.file, f"a zip file without {name[:100]}, no DOCX")
    return name


def _read_styles(parts: Parts, name: str) -> dict[str, str]:
    """Return the names of a document's styles by id, in lower case.

    The names of Word's own styles are English in every language.
    """
    if name not in parts:
        return {}
    styles = iterate_elements(parts.read(name, LARGEST_BESIDE_BYTES), parts.file, {"style"})
    return {_get_value(style, "styleId"): _get_value(find_child(style, "name")).lower() for style in styles}


def _read_notes(parts: Parts, folder: str) -> dict[tuple[str, str], str]:
    """Return the texts of a document's footnotes and endnotes by (kind, id), such as ("footnote", "2")."""
    texts: dict[tuple[str, str], str] = {}
    for kind in REFERENCES.values():
        if (name := f"{folder}/{kind}s.xml") in parts:
            for note in iterate_elements(parts.read(name, LARGEST_BESIDE_BYTES), parts.file, {kind}):
                shown = _walk_paragraphs(note, {})
                texts[kind, _get_value(note, "id")] = " ".join(
                    build_block(pieces).text for _, pieces in shown
                ).strip()
    return texts


def _read_properties(parts: Parts) -> Metadata:
    """Return title and language from the document's properties."""
    if PROPERTIES not in parts:
        return Metadata()
    properties = iterate_elements(
        parts.read(PROPERTIES, LARGEST_BESIDE_BYTES),
        parts.file,
        {"title", "language"},
    )
    said = {
        get_local_name(element): line
        for element in properties
        if (line := get_line(element)) and not is_of_a_program(line)
    }
    return Metadata(title=said.get("title"), language=said.get("language"))


def _get_value(element: etree._Element | None, name: str = "val") -> str:
    """Return an attribute of an element, from the namespace of the element; "" if it is missing."""
    if element is None:
        return ""
    return element.get(f"{{{get_namespace(element)}}}{name}", "")
