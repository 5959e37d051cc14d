"""Read the names of the people in a ParlaMint corpus of parliamentary sittings, by id.

The names are in a sitting's header and in files of the corpus.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from lxml import etree

from indexer.characters import normalise_line
from indexer.files import open_file, read_whole, resolve_path
from indexer.formats.source import Source
from indexer.formats.xml_elements import ID, get_line, get_local_name, iterate_elements
from rostrum_core.errors import TranscriptError

CORPUS = re.compile(r"(ParlaMint-[A-Za-z]{2}(?:-[A-Za-z]+)*)(?:[_.-].*)?")
PARTS = ("forename", "nameLink", "surname")
CACHED_LISTS = 4


def list_names(element: etree._Element) -> dict[str, str]:
    """Return the names of the people listed in an XML element, by id."""
    people = ((person.get(ID), _build_name(person)) for person in element.iter("{*}person"))
    return {id: name for id, name in people if id and name}


def read_corpus_names(source: Source) -> dict[str, str]:
    """Return the names of people by id, from the list of people of a ParlaMint corpus.

    The list is a file in the sitting's folder or one of its parents. For the sitting
    `ParlaMint-GB_2015-01-05-commons.xml`, it is `ParlaMint-GB-listPerson.xml`, or else `ParlaMint-GB.xml`.
    Without such a file, the result is empty; ids then serve as names.

    Raises:
        TranscriptError: a list exists and cannot be read; the error names the sitting, which is skipped.
    """
    corpus = CORPUS.fullmatch(Path(source.file).name)
    if not corpus:
        return {}
    for path in _find_lists(source, corpus[1]):
        try:
            about = path.stat()
            names = _read_list(path, about.st_mtime_ns, about.st_size)
        except (OSError, TranscriptError) as error:
            reason = error.reason if isinstance(error, TranscriptError) else str(error)
            raise TranscriptError(source.file, f"its list of people {path.name}: {reason}") from error
        if names:
            return dict(names)
    return {}


def _find_lists(source: Source, corpus: str) -> Iterator[Path]:
    names = [f"{corpus}{ending}" for ending in ("-listPerson.xml", ".xml", ".ana.xml")]
    for folder in source.folders:
        for path in (folder / name for name in names):
            leads_out = path.is_symlink() and not resolve_path(path).is_relative_to(
                resolve_path(source.folders[-1])
            )
            if path.is_file() and not leads_out and str(path) != source.file:
                yield path


@lru_cache(CACHED_LISTS)
def _read_list(path: Path, modified_ns: int, size_bytes: int) -> Mapping[str, str]:
    """Return the names of the people listed in a file, by id.

    The result is cached as long as the file's time and size stay the same.
    """
    with open_file(path) as stream:
        data = read_whole(stream, str(path))
    names: dict[str, str] = {}
    for person in iterate_elements(data, str(path), {"person"}):
        id, name = person.get(ID), _build_name(person)
        if id and name:
            names[id] = name
    return names


def _build_name(person: etree._Element) -> str | None:
    """Return a person's forenames, link (such as "de") and surname on one line.

    Of several names, use the first one without an end date.
    """
    names = person.findall("{*}persName")
    borne = next((name for name in names if not name.get("to")), names[0] if names else None)
    if borne is None:
        return None
    parts = [get_line(part) for wanted in PARTS for part in borne if get_local_name(part) == wanted]
    return normalise_line(" ".join(filter(None, parts))) or get_line(borne)
