"""Provide the reader for each file format, by kind ("html") and by suffix (".htm")."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from indexer.files import GZIP
from indexer.formats import (
    captions,
    csv,
    doc,
    eml,
    html,
    json_file,
    jsonl,
    markdown,
    odt,
    pdf,
    rtf,
    text,
    timed_text,
    xml,
)
from indexer.formats.source import LocatedDocument, Reader, Refused, Source, build_document
from rostrum_core.errors import BadInput
from rostrum_core.file_kinds import Kind

__all__ = [
    "FORMATS",
    "Format",
    "LocatedDocument",
    "Reader",
    "Refused",
    "Source",
    "build_document",
    "find_format",
    "get_format",
    "get_stem",
    "is_unread_text",
]


@dataclass(frozen=True, slots=True)
class Format:
    """Define a file format: its kind, such as "html", its suffixes, in lower case, and its reader."""

    kind: Kind
    suffixes: tuple[str, ...]
    read: Reader


FORMATS = (
    Format("text", (".txt", ".text"), text.read),
    Format("markdown", (".md", ".markdown"), markdown.read),
    Format("html", (".html", ".htm", ".xhtml"), html.read),
    Format("jsonl", (".jsonl", ".ndjson"), jsonl.read),
    Format("csv", (".csv", ".tsv", ".tab"), csv.read),
    Format("docx", (".docx",), doc.read),
    Format("pdf", (".pdf",), pdf.read),
    Format("subrip", (".srt",), captions.read_subrip),
    Format("webvtt", (".vtt",), captions.read_webvtt),
    Format("xml", (".xml", ".akn", ".tei"), xml.read),
    Format("json", (".json",), json_file.read),
    Format("rtf", (".rtf",), rtf.read),
    Format("odt", (".odt",), odt.read),
    Format("doc", (".doc",), doc.read),
    Format("sbv", (".sbv",), timed_text.read_sbv),
    Format("ttml", (".ttml", ".dfxp"), timed_text.read_ttml),
    Format("eml", (".eml",), eml.read),
)


UNREAD = (".docm", ".pages", ".wpd")
"""Suffixes of word processor files that probably hold a speech but are not supported."""


def get_format(kind: str) -> Format:
    """Return the format of a kind of file, such as "html".

    >>> get_format("html").suffixes
    ('.html', '.htm', '.xhtml')

    Raises:
        BadInput: no format is of this kind.
    """
    for format_ in FORMATS:
        if format_.kind == kind:
            return format_
    raise BadInput(
        f"{kind!r} is not a kind of file; there are {', '.join(f.kind for f in FORMATS)}", field="kind"
    )


def find_format(path: Path) -> Format | None:
    """Return the format for a file's name, ignoring `.gz`; return `None` if the suffix is unknown.

    >>> find_format(Path("SPEECHES.JSONL.gz")).kind, find_format(Path("speech.wav"))
    ('jsonl', None)
    """
    suffix = Path(_strip_gzip(path)).suffix.lower()
    return next((format_ for format_ in FORMATS if suffix in format_.suffixes), None)


def is_unread_text(path: Path) -> bool:
    """Return whether a file is, judging by its name, a text in an unsupported format.

    >>> [is_unread_text(Path(name)) for name in ("speech.PAGES", "speech.docx", "a.png")]
    [True, False, False]
    """
    return Path(_strip_gzip(path)).suffix.lower() in UNREAD


def get_stem(path: Path) -> str:
    """Return a file's name without `.gz` and without the suffix of its format.

    >>> get_stem(Path("a/1863.address.txt.gz")), get_stem(Path("README"))
    ('1863.address', 'README')
    """
    name = _strip_gzip(path)
    return Path(name).stem if find_format(path) else name


def _strip_gzip(path: Path) -> str:
    return path.name[: -len(GZIP)] if path.name.lower().endswith(GZIP) else path.name
