"""Markdown (CommonMark) with front matter; emphasis, links and list marks are not speech."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from indexer.characters import one_line
from indexer.formats.html import NO_TREE, page_blocks
from indexer.formats.source import Found, Refused, Source, document
from indexer.front_matter import split_front_matter
from indexer.metadata import Metadata
from indexer.speaker_tags import tag_at
from rostrum_core.errors import TranscriptError

BREAKS = {"softbreak": "\v", "hardbreak": "\n"}
SOFT_BREAK = re.compile("\v")


def read(source: Source, refused: Refused) -> Iterator[Found]:
    """The one speech of the file; a first heading is its title unless the front matter has another.

    Raises:
        TranscriptError: the file is no text, too large, or empty, or its front matter or HTML within it is
            broken.
    """
    front, body = split_front_matter(source.text(), source.file, refused, source.fields)
    tokens = MarkdownIt("commonmark").parse(body)
    try:
        blocks = [block for token in tokens for block in _blocks(token)]
    except NO_TREE as error:
        raise TranscriptError(source.file, f"no HTML within it: {error}") from error
    heading = blocks[0] if blocks and tokens[0].type == "heading_open" and tokens[0].tag == "h1" else None
    said = front.over(Metadata(title=one_line(heading) if heading else None))
    if heading and one_line(heading) == said.title:
        blocks = blocks[1:]
    yield document(source, blocks, said, supplied=False, head=True)


def _blocks(token: Token) -> list[str]:
    """The text of a block; none for a token that only opens or closes one."""
    if token.type == "inline":
        text = "".join(_spoken(child) for child in token.children or [])
        return [SOFT_BREAK.sub(_soft_break, text)]
    if token.type == "html_block":
        return page_blocks(token.content)
    return [token.content] if token.type in ("fence", "code_block") else []


def _soft_break(found: re.Match[str]) -> str:
    """The end of a line that CommonMark goes on with: a space, unless the next line may begin a turn."""
    return "\n" if tag_at(found.string, found.end()) else " "


def _spoken(token: Token) -> str:
    if token.type in ("text", "code_inline", "text_special"):
        return token.content
    if token.type == "html_inline" and token.content.lower().startswith("<br"):
        return "\n"
    return BREAKS.get(token.type, "")
