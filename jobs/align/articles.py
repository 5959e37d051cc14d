"""Read articles that quote speeches, from JSON lines or from files of text, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from indexer.characters import normalise, normalise_line
from indexer.field_names import rename_fields
from indexer.formats import Refused
from indexer.formats.jsonl import read_id, strip_markup
from indexer.metadata import NOT_RENAMED
from jobs.align.json_rows import read_day_field, read_identified, read_paragraphs, read_text_field
from rostrum_core.dates import read_whole_day
from rostrum_core.types import Document


@dataclass(frozen=True, slots=True)
class Article:
    """Hold an article. Blank lines separate the paragraphs of `text`; `published` is an ISO 8601 date."""

    id: str
    title: str
    text: str
    published: str | None = None
    outlet: str | None = None


def read_articles(
    paths: Sequence[Path],
    *,
    refused: Refused,
    leave_out: Collection[Path] = (),
    fields: Mapping[str, str] = NOT_RENAMED,
) -> Iterator[Article]:
    """Yield every article in the files and folders `paths`, in their order; a folder's JSON lines come first.

    A row of JSON lines has `id`, `text` (or `paragraphs`, a list), and optionally `title`, `published` (or
    `date`) and `outlet`. If the rows use other field names, `fields` maps these names to the usual ones:
    {"body": "text"}.

    Other files are read by the readers of transcripts. The `date` and `source` that such a file gives, for
    example in its front matter, become `published` and `outlet`.

    `refused` is called for inputs that cannot be read, and for articles whose id is a duplicate. Files in
    `leave_out` are skipped.

    Raises:
        BadInput: a path does not exist.
    """
    return read_identified(
        paths, lambda row: _parse_row(rename_fields(row, fields)), _convert_document, refused, leave_out
    )


def _parse_row(row: dict[str, Any]) -> Article:
    paragraphs, text = read_paragraphs(row), read_text_field(row, "text")
    if paragraphs is None and text is None:
        raise ValueError("expected text or paragraphs, found neither")
    return Article(
        id=read_id(row),
        title=normalise_line(read_text_field(row, "title") or ""),
        text=_read_text(paragraphs or (text or "",)),
        published=read_day_field(row, "published") or read_day_field(row, "date"),
        outlet=read_text_field(row, "outlet"),
    )


def _convert_document(document: Document) -> Article:
    blocks = [document.text[start:end] for start, end in document.breaks or ()]
    return Article(
        id=document.id,
        title=document.title,
        text=_read_text(blocks or (document.text,)),
        published=read_whole_day(document.spoken_on),
        outlet=document.source,
    )


def _read_text(blocks: Sequence[str]) -> str:
    """Join the paragraphs of an article into one text, separated by blank lines.

    HTML tags and entities that a content management system left in the paragraphs are removed or decoded:
    "Bridge &amp; toll" -> "Bridge & toll".
    """
    return normalise("\n\n".join(map(strip_markup, blocks)))
