"""Read OpenDocument text (`.odt`): the visible paragraphs of the body.

Footnotes and endnotes are kept as marks: ranges of the text that are not speech.

Source: OASIS, Open Document Format for Office Applications 1.3, part 3.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from indexer.blocks import Aside, Block, Piece, build_block
from indexer.characters import normalise_line
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.formats.xml_elements import get_line, get_local_name, get_namespace, iterate_elements
from indexer.formats.zip_parts import Parts
from indexer.metadata import Metadata, is_of_a_program
from rostrum_core.errors import TranscriptError

CONTENT, META = "content.xml", "meta.xml"
TITLE_STYLE = "title"
PARAGRAPHS = frozenset({"p", "h"})
# Skip invisible text: deleted changes, comments, the pronunciation of a word.
NOT_SHOWN = frozenset({"tracked-changes", "annotation", "annotation-end", "ruby-text", "bookmark"})
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
    blocks: list[Block] = []
    title = None
    for element in iterate_elements(parts.read(CONTENT), source.file, PARAGRAPHS | NOT_SHOWN):
        if get_local_name(element) in NOT_SHOWN:
            continue
        paragraph = build_block(_collect_pieces(element))
        if title is None and _get_style(element) == TITLE_STYLE:
            title = normalise_line(paragraph.text)
        elif paragraph.text:
            blocks.append(paragraph)
    said = Metadata(title=title or _read_title(parts))
    yield build_document(source, blocks, said, supplied=False, head=True)


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
        elif name not in NOT_SHOWN:
            pieces += _collect_pieces(inner)
        pieces.append(inner.tail or "")
    return pieces


def _get_style(element: etree._Element) -> str:
    return element.get(f"{{{get_namespace(element)}}}style-name", "").lower()


def _read_title(parts: Parts) -> str | None:
    if META not in parts:
        return None
    titles = iterate_elements(parts.read(META, LARGEST_META_BYTES), parts.file, {"title"})
    title = next(filter(None, map(get_line, titles)), None)
    return title if title and not is_of_a_program(title) else None
