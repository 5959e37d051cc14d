"""Recognise the boilerplate of a transcript by rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from indexer.blocks import Block
from indexer.metadata import Metadata
from indexer.page_lines import beside, counted
from indexer.rules import Rule, any_of
from indexer.stage_directions import Removal

# A longer line is speech: the longest boilerplate is the markup of a figure, with some hundreds of
# characters.
LONGEST_LINE = 1_000
NOT_BLANK = re.compile(r"^[^\S\n]*+\S[^\n]*\n?", re.MULTILINE)  # in linear time: a blank line is read once
EMPHASIS = "*_ \t\n"


class Cut(NamedTuple):
    """Mark `blocks[block][start_char:end_char]` as boilerplate by the rule of this name."""

    block: int
    start_char: int
    end_char: int
    rule: str


class Line(NamedTuple):
    """Store a line that is not blank: `blocks[block][start_char:end_char]`, including its line end.

    `bare` is the text that rules examine: without white space and emphasis at its ends, empty for an
    overlong line.
    """

    block: int
    start_char: int
    end_char: int
    bare: str


class Boilerplate:
    """Prepare rules once for many documents."""

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self.rules = tuple(rules)
        self._any_pattern = any_of([rule for rule in self.rules if rule.where in ("line", "page")])
        self._found_by: dict[str, Callable[[Rule, Sequence[Line], Sequence[int]], Iterable[int]]] = {
            "head": _head,
            "foot": _foot,
            "line": _anywhere,
            "page": _pages,
        }

    def cut(self, blocks: Sequence[Block], known: Metadata, kind: str) -> list[Block]:
        """Return the blocks of a document with their boilerplate added to the removals."""
        removals: list[list[Removal]] = [[] for _ in blocks]
        for block, start_char, end_char, _ in self.cuts([block.masked() for block in blocks], known, kind):
            removals[block].append((start_char, end_char, "boilerplate"))
        return [block.without(more) for block, more in zip(blocks, removals, strict=True)]

    def cuts(self, blocks: Sequence[str], known: Metadata, kind: str) -> list[Cut]:
        """Return the boilerplate in the blocks of a document, in order; two ranges may overlap.

        `known` is the metadata and `kind` the kind of the file; they decide which rules apply.
        """
        holding = [rule for rule in self.rules if rule.holds_for(known, kind)]
        if not holding:
            return []
        lines = list(_lines(blocks))
        named = self._lines_cut(lines, holding)
        whole = [Cut(*lines[at][:3], rule) for at, rule in named.items()]
        return sorted([*whole, *_parts(blocks, [rule for rule in holding if rule.where == "within"])])

    def _lines_cut(self, lines: Sequence[Line], holding: Sequence[Rule]) -> dict[int, str]:
        """Return the numbers of the boilerplate lines, each with its rule."""
        likely = [at for at, line in enumerate(lines) if line.bare and self._any_pattern.fullmatch(line.bare)]
        named: dict[int, str] = {}
        pages: list[int] = []
        for rule in (rule for rule in holding if rule.where in self._found_by):
            found = list(self._found_by[rule.where](rule, lines, likely))
            pages += found if rule.where == "page" else []
            for at in found:
                named.setdefault(at, rule.name)
        for rule in (rule for rule in holding if rule.where == "beside-page"):
            for at in beside(pages, [line.bare for line in lines] if pages else []):
                if _fits(rule, lines[at]):
                    named.setdefault(at, rule.name)
        return named


def _lines(blocks: Sequence[str]) -> Iterator[Line]:
    for number, block in enumerate(blocks):
        for found in NOT_BLANK.finditer(block):
            start, end = found.span()
            bare = found[0].strip(EMPHASIS) or found[0].strip() if end - start <= LONGEST_LINE else ""
            yield Line(number, start, end, bare)


def _fits(rule: Rule, line: Line) -> bool:
    return bool(line.bare and rule.matcher.fullmatch(line.bare))


def _head(rule: Rule, lines: Sequence[Line], likely: Sequence[int]) -> Iterable[int]:
    """Return the matching lines of the head; return none if the line that ends it is missing."""
    head = lines[: rule.depth]
    if rule.limit is not None:
        ends = (at for at, line in enumerate(head) if rule.limit.fullmatch(line.bare))
        head = head[: next(ends, 0)]
    return [at for at, line in enumerate(head) if _fits(rule, line)]


def _foot(rule: Rule, lines: Sequence[Line], likely: Sequence[int]) -> Iterable[int]:
    return [at for at in range(max(0, len(lines) - rule.depth), len(lines)) if _fits(rule, lines[at])]


def _anywhere(rule: Rule, lines: Sequence[Line], likely: Sequence[int]) -> Iterable[int]:
    return [at for at in likely if _fits(rule, lines[at])]


def _pages(rule: Rule, lines: Sequence[Line], likely: Sequence[int]) -> Iterable[int]:
    group = rule.matcher.groupindex["page"]
    found = ((at, rule.matcher.fullmatch(lines[at].bare)) for at in likely)
    return counted(
        [(at, match.span(group), lines[at].bare) for at, match in found if match and _is_number(match[group])]
    )


def _is_number(page: str | None) -> bool:
    """Return whether the group of a page is there, and in figures."""
    return page is not None and page.isdecimal()


def _parts(blocks: Sequence[str], rules: Sequence[Rule]) -> Iterator[Cut]:
    for number, block in enumerate(blocks):
        for rule in rules:
            for found in rule.matcher.finditer(block):
                if found.end() > found.start():
                    yield Cut(number, found.start(), found.end(), rule.name)


NO_RULES = Boilerplate()
