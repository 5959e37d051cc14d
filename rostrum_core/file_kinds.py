"""List the kinds of files that transcripts may have."""

from typing import Literal, get_args

Kind = Literal[
    "text",
    "markdown",
    "html",
    "jsonl",
    "csv",
    "docx",
    "pdf",
    "subrip",
    "webvtt",
    "xml",
    "json",
    "rtf",
    "odt",
    "doc",
    "sbv",
    "ttml",
    "eml",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
