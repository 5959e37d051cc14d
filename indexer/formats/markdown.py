"""Read Markdown (CommonMark) with front matter and footnotes.

Emphasis, links and list marks are not speech. Footnotes and their marks become boilerplate.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from itertools import dropwhile, pairwise, takewhile

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from indexer.blocks import Block
from indexer.characters import normalise, normalise_line
from indexer.formats.html import NO_TREE, split_page
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.front_matter import split_front_matter
from indexer.metadata import Metadata
from indexer.name_lines import StyledBlock, mark_names
from indexer.speaker_tags import parse_tag
from rostrum_core.errors import TranscriptError

NO_TOKEN = Token("", "", 0)
BREAKS = {"softbreak": "\v", "hardbreak": "\n"}
SOFT_BREAK = re.compile("\v")
NOTE_MARK = re.compile(r"\[\^[^\s\[\]^]{1,60}\]")
DIGITS_OF_YEAR = 4  # of a list item; smaller numbers count the items
NOTE_INDENT = 4  # columns of the paragraphs of a footnote after its first one
WINDOWS_REFERENCE = re.compile(r"&#(?:1[2-5]\d|x[89][0-9a-f]);", re.IGNORECASE)
"""Character references for Windows-1252 codes, as HTML reads them, such as `&#147;`; CommonMark does not."""


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the speech of a Markdown file. Its first heading is the title, unless the front matter has one.

    Raises:
        TranscriptError: the file is not text, is too large or empty, or its front matter or HTML within it
            is broken.
    """
    front, body = split_front_matter(source.read_text(), source.file, refused, source.fields)
    body = WINDOWS_REFERENCE.sub(lambda match: html.unescape(match[0]), body)
    tokens = _build_parser().parse(body)
    _restore_years(tokens)
    try:
        lines = [
            line for before, token in pairwise([NO_TOKEN, *tokens]) for line in _build_lines(token, before)
        ]
    except NO_TREE as error:
        raise TranscriptError(source.file, f"no HTML within it: {error}") from error
    begins = lines and tokens[0].type == "heading_open" and tokens[0].tag == "h1"
    heading = NOTE_MARK.sub("", lines[0].block.text) if begins else None
    said = front.fill_from(Metadata(title=normalise_line(heading) if heading else None))
    if heading and normalise_line(heading) == said.title:
        lines = lines[1:]
    blocks = [_mark_note_marks(block) for block in mark_names(lines)]
    yield build_document(source, blocks, said, supplied=False, head=True)


def _build_parser() -> MarkdownIt:
    """Return a parser of CommonMark that also parses footnotes: "[^1]: See p. 1" becomes a token `note`."""
    parser = MarkdownIt("commonmark")
    parser.block.ruler.before("reference", "note", _parse_note, {"alt": ["paragraph", "reference"]})
    return parser


def _restore_years(tokens: Sequence[Token]) -> None:
    """Insert the number of a list item into its text if the number may be a year: "1989. The wall fell."."""
    for item, _, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if item.type == "list_item_open" and len(item.info) == DIGITS_OF_YEAR and inline.children is not None:
            inline.children.insert(0, Token("text", "", 0, content=f"{item.info}{item.markup} "))


def _parse_note(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """Parse a footnote that begins at a line; return whether there is one. This is a rule of the parser.

    A footnote ends before the first blank line, unless an indented line follows, or before another block.
    """
    start = state.bMarks[start_line] + state.tShift[start_line]
    mark = NOTE_MARK.match(state.src, start, state.eMarks[start_line])
    if state.is_code_block(start_line) or mark is None or state.src[mark.end() : mark.end() + 1] != ":":
        return False
    if silent:
        return True
    line = start_line + 1
    while (text_line := state.skipEmptyLines(line)) < end_line and _is_in_note(
        state, line, text_line, end_line
    ):
        line = text_line + 1
    state.push("note", "", 0).content = state.getLines(start_line, line, state.blkIndent, False).strip()
    state.line = line
    return True


def _is_in_note(state: StateBlock, line: int, text_line: int, end_line: int) -> bool:
    """Return whether a footnote continues at line `text_line`; lines from `line` to before it are blank."""
    indent = state.sCount[text_line] - state.blkIndent
    if text_line > line or indent >= NOTE_INDENT:
        return indent >= NOTE_INDENT
    rules = state.md.block.ruler.getRules("paragraph")
    return indent >= 0 and not any(rule(state, line, end_line, True) for rule in rules)


def _mark_note_marks(block: Block) -> Block:
    """Return a copy of a block in which marks of footnotes, such as "[^1]", are marked for removal."""
    marks = NOTE_MARK.finditer(block.text)
    return block.add_removals((mark.start(), mark.end(), "boilerplate") for mark in marks)


def _build_lines(token: Token, before: Token) -> Iterator[StyledBlock]:
    """Yield the text of a Markdown block as a line, with its style ("h2", "bold") and the length of its lead.

    The lead is the beginning of the block in bold, or a heading as a whole. Tokens that only open or close a
    block are skipped.
    """
    if token.type == "inline":
        text = normalise(SOFT_BREAK.sub(_render_soft_break, _join_text(token.children or []))).strip()
        lead = _measure_bold_lead(token.children or [], text)
        is_heading = before.type == "heading_open"
        style = before.tag if is_heading else "bold" if lead else ""
        yield StyledBlock(Block(text), style, len(text) if is_heading else lead)
    elif token.type == "html_block":
        yield from (StyledBlock(Block(normalise(text).strip())) for text in split_page(token.content))
    elif token.type == "note":
        text = normalise(token.content)
        yield StyledBlock(Block(text, ((0, len(text), "boilerplate"),)))
    elif token.type in ("fence", "code_block"):
        yield StyledBlock(Block(normalise(token.content).strip()))


def _measure_bold_lead(children: Sequence[Token], text: str) -> int:
    """Return how many characters at the beginning of a block are in bold, as a speaker's name may be.

    Return 0 for bold text with the punctuation of a speaker tag, as in "**Jane Roe:**" and "**Mr Roe** -",
    because such tags are recognised later.
    """
    shown = [*dropwhile(lambda child: child.type != "strong_open" and not _render_token(child), children)]
    if not shown or shown[0].type != "strong_open":
        return 0
    bold = normalise(_join_text([*takewhile(lambda child: child.type != "strong_close", shown)])).strip()
    is_tag = bold.endswith((":", ".")) or text[len(bold) :].lstrip().startswith(
        (":", "(", "[", "-", "–", "—")
    )
    return 0 if is_tag or not text.startswith(bold) else len(bold)


def _join_text(children: Sequence[Token]) -> str:
    return "".join(_render_token(child) for child in children)


def _render_soft_break(match: re.Match[str]) -> str:
    """Return the text for a soft line break of CommonMark: a space, or a line end before a speaker's turn."""
    return "\n" if parse_tag(match.string, match.end()) else " "


def _render_token(token: Token) -> str:
    if token.type in ("text", "code_inline", "text_special"):
        return token.content
    if token.type == "html_inline" and token.content.lower().startswith("<br"):
        return "\n"
    return BREAKS.get(token.type, "")
