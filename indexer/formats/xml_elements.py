"""Stream the elements of an XML file, without opening other files or expanding entities.

libxml2 itself limits the depth (256), the length of a text (10 MB) and the growth by entities; this module
limits everything else.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterator
from typing import Literal

from lxml import etree

from indexer.characters import normalise_line
from indexer.metadata import LONGEST_VALUE
from rostrum_core.errors import TranscriptError

# A speech of 100,000 words with a tag for each has fewer elements.
MOST_ELEMENTS = 500_000
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
ID = "{http://www.w3.org/XML/1998/namespace}id"


def read_root(data: bytes, file: str) -> tuple[str, str]:
    """Return namespace and name of the outermost element of an XML file.

    Raises:
        TranscriptError: no outermost element can be read.
    """
    for _, root in _iterate_events(data, file, ("start",)):
        return get_namespace(root), get_local_name(root)
    raise TranscriptError(file, "XML without an element")


def iterate_elements(data: bytes, file: str, wanted: Collection[str]) -> Iterator[etree._Element]:
    """Yield the whole elements that are named in `wanted`, in order; ignore namespaces.

    A wanted element inside another one is not yielded by itself. To save memory, a yielded element is emptied
    when the next one is requested. Its ancestors can be read from it, but not the elements before it.

    Raises:
        TranscriptError: the file is not well-formed XML, declares or uses entities, or a wanted element
            contains too many elements.
    """
    within, count = 0, 0
    for event, element in _iterate_events(data, file, ("start", "end")):
        if within or get_local_name(element) in wanted:
            within += 1 if event == "start" else -1
        count = count + 1 if within else 0
        if count > 2 * MOST_ELEMENTS:
            raise TranscriptError(
                file, f"an element with more than {MOST_ELEMENTS} within", line=element.sourceline
            )
        if event == "end" and not within:
            if get_local_name(element) in wanted:
                _refuse_references(element, file)
                yield element
            _drop(element)


def _iterate_events(
    data: bytes, file: str, kinds: tuple[Literal["start", "end"], ...]
) -> Iterator[tuple[str, etree._Element]]:
    parser = etree.iterparse(
        io.BytesIO(data),
        events=kinds,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        collect_ids=False,
        huge_tree=False,
        remove_comments=True,
        remove_pis=True,
    )
    first = True
    try:
        for event, element in parser:
            if first:
                _refuse_entities(element, file)
                first = False
            yield event, element
    except etree.XMLSyntaxError as error:
        errors = parser.error_log.filter_from_errors()
        faults = [entry for entry in errors if entry.type != etree.ErrorTypes.DTD_ID_REDEFINED]
        if errors and not faults:
            return  # duplicate ids, which the parser reports at the very end, are harmless
        reason, line = (faults[0].message, faults[0].line) if faults else (error.msg, error.lineno)
        raise TranscriptError(file, f"no well-formed XML: {reason}", line=line or None) from error


def _refuse_entities(root: etree._Element, file: str) -> None:
    declared = root.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise TranscriptError(file, "XML that declares entities, which are not read")


def _refuse_references(element: etree._Element, file: str) -> None:
    for reference in element.iter(etree.Entity):
        raise TranscriptError(
            file,
            f"XML with the entity {normalise_line(reference.text or '')[:40]}",
            line=reference.sourceline,
        )


def _drop(element: etree._Element) -> None:
    """Free the memory of an element and of its preceding siblings.

    The text after the element is kept, because the parser may not have read all of it yet.
    """
    element.clear(keep_tail=True)
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def get_local_name(element: etree._Element) -> str:
    """Return the name of an element without its namespace; "" for a comment and the like."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def get_namespace(element: etree._Element) -> str:
    """Return the namespace of an element; "" if it has none or an undeclared prefix."""
    return element.tag.rpartition("}")[0].removeprefix("{") if isinstance(element.tag, str) else ""


def find_child(element: etree._Element, *names: str) -> etree._Element | None:
    """Return the first element at a path of names below `element`, in any namespace.

    Return `None` if there is none.
    """
    return element.find("/".join(f"{{*}}{name}" for name in names))


def get_line(element: etree._Element | None) -> str | None:
    """Return all text inside an element on one line; `None` if it is empty, or too long for a title."""
    text = normalise_line("".join(element.itertext())) if element is not None else ""
    return text if 0 < len(text) <= LONGEST_VALUE else None
