"""Read HTML pages: the paragraphs of the main part in order, without navigation, scripts and hidden text."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator

from bs4 import BeautifulSoup, NavigableString, Tag, XMLParsedAsHTMLWarning
from bs4.element import PreformattedString
from bs4.exceptions import ParserRejectedMarkup

from indexer.blocks import Block
from indexer.characters import normalise, normalise_line
from indexer.encodings import decode
from indexer.files import LARGEST_TEXT_BYTES
from indexer.formats.page_metadata import read_metadata
from indexer.formats.source import LocatedDocument, Refused, Source, build_document
from indexer.formats.text import split_paragraphs
from indexer.name_lines import CALLED_AFTER_SPEAKERS, StyledBlock, mark_names
from indexer.page_layout import split_layout
from indexer.raised_text import LOWER_HALF, choose_joint, join_near
from indexer.wrapping import join_lines
from rostrum_core.errors import TranscriptError

BLOCKS = frozenset(
    {"address", "article", "blockquote", "body", "caption", "center", "dd", "details", "div", "dl", "dt"}
    | {"fieldset", "figcaption", "h1", "h2", "h3", "h4", "h5", "h6", "hgroup", "hr", "html", "legend", "li"}
    | {"main", "menu", "ol", "p", "pre", "search", "section", "summary", "table", "tbody", "td", "tfoot"}
    | {"th", "thead", "tr", "ul"}
)
NOT_SPEECH = frozenset(
    {"aside", "audio", "button", "canvas", "del", "dialog", "figure", "footer", "form", "head", "header"}
    | {"iframe", "input", "label", "nav", "noscript", "object", "s", "script", "select", "strike", "style"}
    | {"svg", "template", "textarea", "title", "video"}
)
DECLARED = re.compile(
    rb"(?:\A\s*<\?xml[^>]{0,200}?encoding|<meta[^>]{0,200}?charset)\s*=\s*[\"']?\s*([\w.:-]{1,40})",
    re.IGNORECASE,
)
PROLOGUE = re.compile(r"\A[\s\ufeff]*<\?xml[^>]*>")
HEAD_BYTES = 4096
SLASHES = ("/", "\N{FRACTION SLASH}")
HEADED = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt", "td", "th"})
TAG_GOES_ON = re.compile(r"\s*(?:\([^()]*\)\s*)*[:.–—-]")  # "<b>Mr ROE</b> (Seaside) -" is a tag in itself
QUOTATION_MARKS = frozenset("\"'“‘„«‹")
MOST_FORMS = 8  # to examine: one that wraps the page is among the first
# Exceptions that the parser raises at markup from which it cannot build a tree.
NO_TREE = (ParserRejectedMarkup, RecursionError, AssertionError)


def read(source: Source, refused: Refused) -> Iterator[LocatedDocument]:
    """Read the one speech of an HTML page.

    Raises:
        TranscriptError: the page is not text, is too large, has no speech, or is not HTML at all.
    """
    data = source.read_bytes(LARGEST_TEXT_BYTES)
    declared = DECLARED.search(data[:HEAD_BYTES])
    text = decode(data, source.file, declared=declared[1].decode("ascii") if declared else None)
    try:
        page = parse_page(text)
    except NO_TREE as error:
        raise TranscriptError(source.file, f"no HTML: {error}") from error
    said = read_metadata(page)
    shown = [
        (tag, text)
        for tag, text in _split_main(_find_main(page))
        if tag.name != "h1" or normalise_line(text) != said.title
    ]
    is_print = all(tag.name == "pre" for tag, _ in shown)
    blocks = mark_names(list(_build_lines(shown, is_print)))
    yield build_document(source, blocks, said, supplied=False, wrapped=is_print, head=True)


def split_page(markup: str) -> list[str]:
    r"""Return the text of every block of a piece of HTML, in order.

    >>> split_page("<p>Four  score<br>and <b>seven</b></p><script>x</script><p>years")
    ['Four score\nand seven', 'years']
    """
    return [piece for _, text in _split_blocks(parse_page(markup)) for piece in _split_at_blank_lines(text)]


def _build_lines(shown: Iterable[tuple[Tag, str]], is_print: bool) -> Iterator[StyledBlock]:
    """Yield each block element as a line of text with its style, such as "h2".

    Preformatted text (`pre`) is split into paragraphs like a printed page, and its wrapped lines are joined.
    If `is_print` is true, the whole page is preformatted; then the caller joins the wrapped lines.
    """
    for tag, text in shown:
        if tag.name != "pre":
            yield _build_line(tag, normalise(text).strip())
            continue
        laid_out = split_layout(normalise(text), split_paragraphs)
        yield from map(StyledBlock, laid_out if is_print else join_lines(laid_out))


def _build_line(tag: Tag, text: str) -> StyledBlock:
    """Return the text of a block element as a line with its style and the length of its lead.

    The style is made of element and class: "h2", "dt speaker". The lead is the beginning that is set apart,
    such as a name in bold. For a heading, a list term, or the first of several cells, the lead is the whole
    text.
    """
    lead = _measure_bold_lead(tag, text)
    classes = " ".join(tag.get_attribute_list("class", ""))
    if tag.name in HEADED and (tag.name != "td" or _is_first_cell(tag)):
        return StyledBlock(Block(text), f"{tag.name} {classes}".strip(), lead or len(text))
    if CALLED_AFTER_SPEAKERS.search(classes.lower()):
        return StyledBlock(Block(text), classes.lower(), lead or len(text))
    spoken_by = tag.find(class_=CALLED_AFTER_SPEAKERS)
    name = normalise_line(spoken_by.get_text()) if isinstance(spoken_by, Tag) else ""
    if name and text.startswith(name) and not TAG_GOES_ON.match(text, len(name)) and not name.endswith(":"):
        return StyledBlock(Block(text), "speaker", len(name))
    if lead and not text[:lead].rstrip().endswith((":", ".")) and not TAG_GOES_ON.match(text, lead):
        return StyledBlock(Block(text), "bold", lead)
    return StyledBlock(Block(text))


def _measure_bold_lead(tag: Tag, text: str) -> int:
    """Return how many characters at the beginning of a block element are in bold; 0 if none are."""
    first = tag.find(["b", "strong"])
    words = normalise_line(first.get_text()) if isinstance(first, Tag) else ""
    return len(words) if words and text.startswith(words) else 0


def _is_first_cell(cell: Tag) -> bool:
    return cell.find_previous_sibling(["td", "th"]) is None and cell.find_next_sibling("td") is not None


def parse_page(markup: str) -> BeautifulSoup:
    """Parse an HTML page to a tree.

    A line end is appended, because Beautiful Soup mistakes a short text without a line end for a path. Its
    warning about pages that look like XML is suppressed, because the warning helps nobody here.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        page = BeautifulSoup(PROLOGUE.sub("", markup, count=1) + "\n", "html.parser")
    _quote(page)
    if page.head and not page.body:  # if the tags between head and body are omitted, all is in the head
        page.head.unwrap()
    return page


def _quote(page: BeautifulSoup) -> None:
    """Add quotation marks around each `q` element, as browsers do, unless its text begins with one."""
    for quotation in page.find_all("q"):
        if quotation.get_text(strip=True)[:1] in QUOTATION_MARKS:
            continue
        opening, closing = "‘’" if quotation.find_parent("q") else "“”"
        quotation.insert(0, opening)
        quotation.append(closing)


def _find_main(page: BeautifulSoup) -> Tag:
    whole = page.select_one("body") or page
    articles = page.select("article", limit=2)
    if len(articles) == 1 and _is_the_speech(articles[0], whole):
        return articles[0]
    return page.select_one("main") or page.select_one('[role="main"]') or whole


def _is_the_speech(article: Tag, whole: Tag) -> bool:
    """Return whether an `article` element is the page's main content and not a teaser.

    The main content has an `h1`, or at least half of the text.
    """
    if article.find("h1"):
        return True
    within, everything = (_measure_text(_split_blocks(root)) for root in (article, whole))
    return 2 * within >= everything


def _split_main(root: Tag) -> list[tuple[Tag, str]]:
    """Return the blocks of a page's main part, as `_split_blocks` yields them.

    Blocks that their style hides are included if they have more text than the visible ones. Such a page
    shows its transcript only at a click.
    """
    shown = list(_split_blocks(root))
    if root.find(_is_folded) is None:
        return shown
    unfolded = list(_split_blocks(root, folded=True))
    return unfolded if _measure_text(unfolded) > 2 * _measure_text(shown) else shown


def _measure_text(blocks: Iterable[tuple[Tag, str]]) -> int:
    return sum(len(text) for _, text in blocks)


def _split_blocks(root: Tag, *, folded: bool = False) -> Iterator[tuple[Tag, str]]:
    """Yield each block element within `root`, such as `p`, with its text.

    Text belongs to the innermost block element around it; `br` ends a line. If `folded` is true, include
    the block elements that their style hides.
    """
    nearest: dict[int, Tag | None] = {id(root): root}
    wrappers = _find_wrappers(root)
    owner: Tag = root
    pieces: list[str] = []
    for node in root.descendants:
        around = nearest.get(id(node.parent))
        if isinstance(node, Tag):
            nearest[id(node)] = _find_block(node, around, wrappers, folded=folded)
        if around is None or isinstance(node, PreformattedString):
            continue
        if around is not owner:
            yield from _split_text(owner, pieces)
            owner, pieces = around, []
        spoken = _read_node(node, around, join_near(pieces))
        if spoken is None:
            nearest[id(node)] = None
        else:
            pieces.append(spoken)
    yield from _split_text(owner, pieces)


def _find_block(
    tag: Tag, around: Tag | None, wrappers: frozenset[int], *, folded: bool = False
) -> Tag | None:
    if around is None or (tag.name in NOT_SPEECH and id(tag) not in wrappers):
        return None
    if "hidden" in tag.attrs or tag.get("aria-hidden") == "true":
        return None
    if _is_hidden_by_style(tag) and not (folded and _is_folded(tag)):
        return None
    return tag if tag.name in BLOCKS else around


def _is_folded(tag: Tag) -> bool:
    """Return whether a tag is a block element that its `style` attribute hides, such as a folded section."""
    return tag.name in BLOCKS and _is_hidden_by_style(tag)


def _is_hidden_by_style(tag: Tag) -> bool:
    """Return whether the `style` attribute of a tag hides it.

    Of several declarations of a property, the last one counts.
    """
    declarations = (
        part.lower().split(":", 1) for part in str(tag.get("style", "")).split(";") if ":" in part
    )
    values = {name.strip(): value.replace("!important", "").strip() for name, value in declarations}
    return values.get("display") == "none" or values.get("visibility") in ("hidden", "collapse")


def _choose_joint(raised: Tag, before: str) -> str | None:
    """Return the text to insert before a superscript, such as "^" in "10^6"; `None` for the mark of a note.

    It depends on the text `before` the superscript.
    """
    if raised.get("role") == "doc-noteref" or raised.select_one('a[href^="#"], [role="doc-noteref"]'):
        return None
    return choose_joint(raised.get_text(strip=True), before, is_upper_half=_is_upper_half(raised))


def _is_upper_half(raised: Tag) -> bool:
    """Return whether a superscript number is the numerator of a fraction, such as the 1 in "1/2".

    This is so if a slash and a number follow, or a subscript number.
    """
    after = raised.next_sibling
    if isinstance(after, NavigableString) and LOWER_HALF.match(after):
        return True
    if isinstance(after, NavigableString) and after in SLASHES:
        after = after.next_sibling
    return isinstance(after, Tag) and after.name == "sub" and after.get_text(strip=True).isdigit()


def _find_wrappers(root: Tag) -> frozenset[int]:
    """Return the Python ids of the `form` elements that contain the whole page.

    Such a form contains the heading of the page, or most of its text. A form below a heading is for comments
    or a newsletter, even if the page is short.
    """
    forms = root.find_all("form", limit=MOST_FORMS)
    half = len(root.get_text()) / 2 if forms else 0.0
    return frozenset(
        id(form)
        for form in forms
        if form.find(["h1", "main", "article"])
        or (form.find_previous("h1") is None and len(form.get_text()) > half)
    )


def _read_node(node: object, around: Tag, before: str) -> str | None:
    """Return the text that a node adds to its block; `None` if the node is to be skipped.

    A text node adds its text, and a tag what `_get_text_before` returns. Any other node adds nothing.
    `around` is the block element that contains the node, `before` the text before the node.
    """
    if isinstance(node, NavigableString):
        return str(node) if around.name == "pre" else re.sub(r"\s+", " ", node)
    return _get_text_before(node, before) if isinstance(node, Tag) else ""


def _get_text_before(tag: Tag, before: str) -> str | None:
    """Return the text to insert before the content of a tag; `None` to skip the tag.

    For `br`, it is a line end. For a superscript or subscript, it separates the content from the text
    `before`, such as "^" in "10^6" or "/" in "1/2". For any other tag, it is empty.
    """
    match tag.name:
        case "br":
            return "\n"
        case "sup":
            return _choose_joint(tag, before)
        case "sub" if isinstance(upper := tag.previous_sibling, Tag) and upper.name == "sup":
            is_fraction = upper.get_text(strip=True).isdigit() and before[-1:].isdigit()
            return "/" if is_fraction and _is_upper_half(upper) else ""
        case _:
            return ""


def _split_text(owner: Tag, pieces: list[str]) -> Iterator[tuple[Tag, str]]:
    """Yield a block element with each part of its text between blank lines, as (element, part).

    Preformatted text is one part, and is kept as it is.
    """
    text = "".join(pieces)
    if owner.name == "pre":
        if text.strip():
            yield owner, text.strip("\n")
        return
    yield from ((owner, part) for part in _split_at_blank_lines(text))


def _split_at_blank_lines(text: str) -> Iterator[str]:
    """Split a text at blank lines; strip white space around its lines."""
    joined = re.sub(r"[ \t]*\n[ \t]*", "\n", re.sub(r"[ \t]+", " ", text))
    yield from (part.strip() for part in re.split(r"\n{2,}", joined) if part.strip())
