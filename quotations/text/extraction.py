"""Extract quotations from text, also nested and unclosed ones, and ones that run over several paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from quotations.text.quotation_marks import (
    CLOSERS,
    SHAPED,
    SINGLE,
    UNSURE,
    QuoteMark,
    find_quote_marks,
    read_mark,
)

PARAGRAPH = re.compile(r"\S(?:.|\n(?![ \t]*\n))*")
TURNED = {"“": "“”", "‘": "‘"}  # which marks they close that typists set the wrong way round
MIXED = {"“": '"', "«": '"”', "”": '"', '"': "”“", "‘": "'", "‚": "'", "'": "’‘"}
"""Closing marks that end a quotation opened by another kind of mark, if its own closing mark does not
follow.
"""

CONTINUING = {"«": "«»", "“": '“"', '"': '"“', "‘": "‘'", "'": "'‘"}
"""Marks with which the next paragraph continues an unclosed quotation; French repeats the closing mark."""

AFTER_MIXED = re.compile(r"[,;:.!?)\]…]|$")
Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Quotation:
    """Locate a quotation in a text.

    `parts` are the character ranges inside the marks, one for each paragraph. `opened_at` is the offset of
    the first mark. `nested` are the quotations inside this quotation. If `closed` is false, no mark closes
    the quotation: it ends with its paragraph.
    """

    opened_at: int
    parts: tuple[Range, ...]
    closed: bool = True
    nested: tuple[Quotation, ...] = ()

    @property
    def end_char(self) -> int:
        """Return the offset at which the words of the quotation end, before the closing mark."""
        return self.parts[-1][1]

    def join(self, after: Quotation) -> Quotation:
        """Return this quotation joined with its continuation `after` in the next paragraph."""
        parts, nested = self.parts + after.parts, self.nested + after.nested
        return Quotation(self.opened_at, parts, after.closed, nested)

    def split_parts(self) -> tuple[Quotation, ...]:
        """Split a quotation of several paragraphs into one quotation for each paragraph.

        Return an empty tuple if the quotation has only one paragraph.
        """
        if len(self.parts) == 1:
            return ()
        mark = self.parts[0][0] - self.opened_at
        return tuple(
            Quotation(start - mark, ((start, end),), nested=self._select_nested(start, end))
            for start, end in self.parts
        )

    def _select_nested(self, start: int, end: int) -> tuple[Quotation, ...]:
        return tuple(nested for nested in self.nested if start <= nested.opened_at < end)


def find_quotations(text: str) -> list[Quotation]:
    r"""Find the outermost quotations of `text`, in order. Blank lines separate paragraphs.

    An unclosed quotation continues in the next paragraph if that begins with the same mark.

    >>> text = "“One ‘two’ three.\n\n“Four,” she said; the dogs’ “don’t”."
    >>> [[text[start:end] for start, end in quotation.parts] for quotation in find_quotations(text)]
    [['One ‘two’ three.', 'Four,'], ['don’t']]
    """
    outermost: list[Quotation] = []
    for paragraph in PARAGRAPH.finditer(text):
        words = paragraph[0].rstrip()
        if words[0] == "»" and outermost and _is_french(outermost[-1], text):
            words = f"«{words[1:]}"
        here = list(_find_in_paragraph(words, paragraph.start()))
        if outermost and here and _is_continuation(outermost[-1], here[0], text, paragraph.start()):
            outermost[-1] = outermost[-1].join(here.pop(0))
        else:
            _end_last(outermost, text)
        outermost += here
    _end_last(outermost, text)
    return outermost


def _end_last(outermost: list[Quotation], text: str) -> None:
    """Replace the last quotation by its nested quotations if it begins with an unsure mark and is not closed.

    An unsure mark, such as an apostrophe, may not be a quotation mark at all.
    """
    if outermost and not outermost[-1].closed and read_mark(text, outermost[-1].opened_at) in UNSURE:
        outermost += outermost.pop().nested


def _is_continuation(before: Quotation, after: Quotation, text: str, paragraph: int) -> bool:
    """Return whether the quotation `after` continues the quotation `before`, which no mark has closed.

    This is so if `after` begins the next paragraph, with the same kind of mark as `before`. After «, the mark
    may also be ».
    """
    mark = read_mark(text, before.opened_at)
    same = read_mark(text, after.opened_at) in CONTINUING.get(mark, mark)
    between = text[before.end_char : paragraph]
    return not before.closed and same and after.opened_at == paragraph and not between.strip()


def _is_french(before: Quotation, text: str) -> bool:
    """Return whether a quotation begins with « and is not closed.

    In French, each further paragraph of such a quotation may begin with ».
    """
    return not before.closed and text[before.opened_at] == "«"


@dataclass(slots=True)
class _Open:
    mark: QuoteMark
    nested: list[Quotation]


def _find_in_paragraph(text: str, offset: int) -> Iterator[Quotation]:
    """Yield the quotations of one paragraph, which begins at offset `offset`."""
    waiting: list[_Open] = []
    marks = list(find_quote_marks(text))
    for at, mark in enumerate(marks):
        depth = _find_closed(text, mark, waiting, marks[at + 1 :])
        if depth is not None and not _is_genitive(text, mark, marks[at + 1 :]):
            opened = waiting[depth]
            del waiting[depth:]  # marks opened within and not closed are no quotations
            closed = _make_quotation(opened, mark.start_char, offset, closed=True)
            if waiting:
                waiting[-1].nested.append(closed)
            else:
                yield closed
        elif mark.opens:
            same = waiting and waiting[-1].mark.mark == mark.mark
            if same and not _is_nested_in_same(mark, marks[at + 1 :]):  # never closed
                unclosed = waiting.pop()
                if not waiting:
                    yield from _keep_unclosed(unclosed, text[: mark.start_char].rstrip(), offset)
            waiting.append(_Open(mark, []))
    if waiting and waiting[0].mark.start_char == 0:
        yield _make_quotation(
            waiting[0], len(text), offset, closed=False
        )  # the next paragraph may continue it
    elif waiting:
        yield from _keep_unclosed(waiting[0], text, offset)


def _find_closed(
    text: str, mark: QuoteMark, waiting: Sequence[_Open], following: Sequence[QuoteMark]
) -> int | None:
    """Return the index, in `waiting`, of the open quotation that `mark` closes; `None` if it closes no
    quotation.
    """
    if not mark.closes:
        return None
    turned = _is_turned(text, mark)
    opened = [(depth, waiting[depth].mark.mark) for depth in reversed(range(len(waiting)))]
    own = (d for d, o in opened if _is_closing(mark, o) or (turned and o in TURNED[mark.mark]))
    mixed = (d for d, o in opened if _is_mixed(text, mark, o, following))
    return next(own, next(mixed, None))


def _is_mixed(text: str, mark: QuoteMark, opened: str, following: Iterable[QuoteMark]) -> bool:
    """Return whether `mark` closes a quotation that began with `opened`, a mark of a different kind.

    For example, a straight mark may close a quotation that began with a curly mark. The result is false if a
    later mark (one of `following`) closes the quotation in the usual way.
    """
    if mark.opens or mark.mark not in MIXED.get(opened, ""):
        return False
    if mark.mark in SINGLE and not (
        text[mark.start_char - 1] in ".,!?…" or AFTER_MIXED.match(text, mark.end_char)
    ):
        return False
    before_next = takewhile(lambda later: not (later.opens and later.mark == opened), following)
    return not any(later.closes and _is_closing(later, opened) for later in before_next)


def _is_turned(text: str, mark: QuoteMark) -> bool:
    """Return whether a mark that usually opens a quotation closes one here: the second mark of “We go“."""
    before = text[max(0, mark.start_char - 1) : mark.start_char]
    return mark.mark in TURNED and not mark.opens and before.strip() != ""


def _is_closing(mark: QuoteMark, opened: str) -> bool:
    """Return whether `mark` is the usual closing mark for the opening mark `opened`.

    If the opening mark is „ and `mark` is a straight mark (") that may also open, the result is false: `mark`
    then begins a nested quotation.
    """
    return mark.mark in CLOSERS[opened] and not (opened == "„" and mark.mark == '"' and mark.opens)


def _is_nested_in_same(mark: QuoteMark, following: Sequence[QuoteMark]) -> bool:
    """Return whether `mark` opens a quotation that is nested inside a quotation with the same mark.

    This is so if two closing marks follow before the next opening mark.
    """
    before_next = takewhile(lambda later: not (later.opens and later.mark == mark.mark), following)
    closing = [later for later in before_next if later.closes and _is_closing(later, mark.mark)]
    return (mark.mark in SHAPED or mark.mark == '"') and len(closing) > 1


def _is_genitive(text: str, mark: QuoteMark, following: list[QuoteMark]) -> bool:
    """Return whether a single quotation mark is the apostrophe of a genitive: "the players’ game".

    There must be an "s" before the mark, a word in lower case after it, and a later mark that can close the
    quotation.
    """
    if mark.mark not in SINGLE or text[mark.start_char - 1 : mark.start_char] != "s":
        return False
    before_word = text[mark.end_char : mark.end_char + 1] == " " and text[mark.end_char + 1 :][:1].islower()
    return before_word and any(later.mark == mark.mark and not later.opens for later in following)


def _keep_unclosed(opened: _Open, text: str, offset: int) -> Iterator[Quotation]:
    """Yield a quotation that has no closing mark before the end of its paragraph.

    If the opening mark is unsure (for example an apostrophe), yield the nested quotations instead.
    """
    if opened.mark.mark in UNSURE:
        yield from opened.nested
    else:
        yield _make_quotation(opened, len(text), offset, closed=False)


def _make_quotation(opened: _Open, end: int, offset: int, *, closed: bool) -> Quotation:
    part = (offset + opened.mark.end_char, offset + end)
    return Quotation(offset + opened.mark.start_char, (part,), closed, tuple(opened.nested))
