"""Read OpenDocument text (`.odt`): the visible paragraphs of the body.

Footnotes and endnotes are kept as marks: ranges of the text that are not speech.

Source: OASIS, Open Document Format for Office Applications 1.3, part 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile

from lxml import etree

from indexer.blocks import Aside, Block, Piece, build_block
from indexer.characters import normalise_line
from indexer.formats.docx import TAG_ENDS
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.formats.xml_elements import find_child, get_line, get_local_name, get_namespace, iterate_elements
from indexer.formats.zip_parts import Parts
from indexer.metadata import Metadata, is_of_a_program
from indexer.name_lines import StyledBlock, mark_names
from rostrum_core.errors import TranscriptError

CONTENT, META = "content.xml", "meta.xml"
TITLE_STYLE = "title"
PARAGRAPHS = frozenset({"p", "h"})
# Skip invisible text: deleted changes, comments, the pronunciation of a word, descriptions of pictures.
NOT_SHOWN = frozenset({"tracked-changes", "annotation", "annotation-end", "ruby-text", "bookmark"})
PICTURE_NAMESPACE = "urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
FONT_WEIGHT = "{urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0}font-weight"
BOLD_WEIGHTS = frozenset(("bold", "600", "700", "800", "900"))
BOLD_STYLE = "strong_20_emphasis"  # its own weight is in another part
SHOWN_AS = {"tab": " ", "line-break": "\n"}
MOST_SPACES = 80
LARGEST_META_BYTES = 1 << 20


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the one speech of an OpenDocument text.

    Its title is a paragraph in the style Title, or else the document's title property.

    Raises:
        TranscriptError: the file is not ODT, is encrypted, damaged, or too large.
    """
    parts = Parts(source.read_bytes(), source.file)
    if CONTENT not in parts:
        raise TranscriptError(source.file, f"a zip file without {CONTENT}, no ODT")
    lines: list[StyledBlock] = []
    weights = {BOLD_STYLE: True}
    title = None
    for element in iterate_elements(parts.read(CONTENT), source.file, PARAGRAPHS | NOT_SHOWN | {"style"}):
        if get_local_name(element) in NOT_SHOWN:
            continue
        if get_local_name(element) == "style":
            weights |= _read_weight(element)
            continue
        paragraph = build_block(_collect_pieces(element))
        if title is None and _get_style(element) == TITLE_STYLE:
            title = normalise_line(paragraph.text)
        elif paragraph.text:
            lines.append(_build_line(paragraph, element, weights))
    said = Metadata(title=title or _read_title(parts))
    yield build_document(source, mark_names(lines), said, supplied=False, head=True)


def _collect_pieces(element: etree._Element) -> list[Piece]:
    """Return the visible content of an element as pieces of text, with notes as asides (not speech).

    The recursion is safe, because the XML parser limits the depth.
    """
    pieces: list[Piece] = [element.text or ""]
    for inner in element:
        name = get_local_name(inner)
        if name == "note":
            pieces.append(Aside("boilerplate", normalise_line(" ".join(inner.itertext()))))
        elif name == "s":
            count = inner.get(f"{{{get_namespace(inner)}}}c", "1")
            pieces.append(" " * min(int(count) if count.isdecimal() else 1, MOST_SPACES))
        elif name in SHOWN_AS:
            pieces.append(SHOWN_AS[name])
        elif name in PARAGRAPHS:  # of a text box
            pieces += ["\n", *_collect_pieces(inner), "\n"]
        elif name not in NOT_SHOWN and get_namespace(inner) != PICTURE_NAMESPACE:
            pieces += _collect_pieces(inner)
        pieces.append(inner.tail or "")
    return pieces


def _build_line(paragraph: Block, element: etree._Element, weights: Mapping[str, bool]) -> StyledBlock:
    """Return a paragraph as a line with the length of its lead, the beginning that is in bold.

    Headings have no lead. `weights` says of each style that has a weight whether it is bold.
    """
    is_heading = get_local_name(element) == "h"
    runs = takewhile(lambda run: run[1] or not run[0].strip(), _iterate_runs(element, weights, False))
    bold = "" if is_heading else normalise_line("".join(text for text, _ in runs))
    is_lead = bold and paragraph.text.startswith(bold) and not TAG_ENDS.match(paragraph.text, len(bold))
    return StyledBlock(paragraph, "bold", len(bold)) if is_lead else StyledBlock(paragraph)


def _iterate_runs(
    element: etree._Element, weights: Mapping[str, bool], is_bold: bool
) -> Iterator[tuple[str, bool]]:
    """Yield each text within an element with whether it is bold; `is_bold` is the weight around the element.

    The recursion is safe, because the XML parser limits the depth.
    """
    is_bold = weights.get(_get_style(element), is_bold)
    yield element.text or "", is_bold
    for inner in element:
        yield from _iterate_runs(inner, weights, is_bold)
        yield inner.tail or "", is_bold


def _read_weight(style: etree._Element) -> dict[str, bool]:
    """Return whether a style is bold by the name of the style; an empty dictionary if it has no weight."""
    properties = find_child(style, "text-properties")
    weight = properties.get(FONT_WEIGHT) if properties is not None else None
    name = style.get(f"{{{get_namespace(style)}}}name", "").lower()
    return {name: weight in BOLD_WEIGHTS} if weight else {}


def _get_style(element: etree._Element) -> str:
    return element.get(f"{{{get_namespace(element)}}}style-name", "").lower()


def _read_title(parts: Parts) -> str | None:
    if META not in parts:
        return None
    titles = iterate_elements(parts.read(META, LARGEST_META_BYTES), parts.file, {"title"})
    title = next(filter(None, map(get_line, titles)), None)
    return title if title and not is_of_a_program(title) else None
