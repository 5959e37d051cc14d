"""Recognise boilerplate in transcripts by rules: text that is not speech, such as page numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from indexer.blocks import Block
from indexer.metadata import Metadata
from indexer.page_lines import find_page_heads, find_page_numbers
from indexer.rules import Rule, combine_patterns
from indexer.stage_directions import Removal

# A longer line is speech: the longest boilerplate is the markup of a figure, with some hundreds of
# characters.
LONGEST_LINE = 1_000
NOT_BLANK = re.compile(r"^[^\S\n]*+\S[^\n]*\n?", re.MULTILINE)  # in linear time: a blank line is read once
EMPHASIS = "*_ \t\n"


class RemovedText(NamedTuple):
    """Hold a range of boilerplate, `blocks[block][start_char:end_char]`, and the name of its rule."""

    block: int
    start_char: int
    end_char: int
    rule: str


class BareLine(NamedTuple):
    """Hold a non-blank line of a document: its range, and the part of its text that rules examine.

    The range `blocks[block][start_char:end_char]` includes the line end. `bare` is the text without "*", "_"
    and white space at its ends. It is empty if the line is too long.
    """

    block: int
    start_char: int
    end_char: int
    bare: str


class Boilerplate:
    """Apply rules that recognise boilerplate (text that is not speech) to documents.

    The rules are prepared once, for any number of documents.
    """

    def __init__(self, rules: Iterable[Rule] = ()) -> None:
        self.rules = tuple(rules)
        self._any_pattern = combine_patterns([rule for rule in self.rules if rule.where in ("line", "page")])
        self._finders: dict[str, Callable[[Rule, Sequence[BareLine], Sequence[int]], Iterable[int]]] = {
            "head": _find_in_head,
            "foot": _find_in_foot,
            "line": _find_anywhere,
            "page": _find_page_numbers,
        }

    def cut(self, blocks: Sequence[Block], metadata: Metadata, kind: str) -> list[Block]:
        """Return the blocks (paragraphs) of a document, with boilerplate added to the ranges to remove."""
        removals: list[list[Removal]] = [[] for _ in blocks]
        masked = [block.mask_removals() for block in blocks]
        for block, start_char, end_char, _ in self.find_cuts(masked, metadata, kind):
            removals[block].append((start_char, end_char, "boilerplate"))
        return [block.add_removals(more) for block, more in zip(blocks, removals, strict=True)]

    def find_cuts(self, blocks: Sequence[str], metadata: Metadata, kind: str) -> list[RemovedText]:
        """Return the ranges of boilerplate in the blocks (paragraphs) of a document, in order.

        Two ranges may overlap. The metadata and the kind of the file decide which rules apply.
        """
        applicable = [rule for rule in self.rules if rule.is_applicable(metadata, kind)]
        if not applicable:
            return []
        lines = list(_split_lines(blocks))
        named = self._match_lines(lines, applicable)
        whole = [RemovedText(*lines[at][:3], rule) for at, rule in named.items()]
        within = [rule for rule in applicable if rule.where == "within"]
        return sorted([*whole, *_find_within_lines(blocks, within)])

    def _match_lines(self, lines: Sequence[BareLine], applicable: Sequence[Rule]) -> dict[int, str]:
        """Return which lines are boilerplate: a dict from the index of a line to the name of its rule."""
        likely = [at for at, line in enumerate(lines) if line.bare and self._any_pattern.fullmatch(line.bare)]
        named: dict[int, str] = {}
        pages: list[int] = []
        for rule in (rule for rule in applicable if rule.where in self._finders):
            places = list(self._finders[rule.where](rule, lines, likely))
            pages += places if rule.where == "page" else []
            for at in places:
                named.setdefault(at, rule.name)
        for rule in (rule for rule in applicable if rule.where == "beside-page"):
            for at in find_page_heads(pages, [line.bare for line in lines] if pages else []):
                if _is_match(rule, lines[at]):
                    named.setdefault(at, rule.name)
        return named


def _split_lines(blocks: Sequence[str]) -> Iterator[BareLine]:
    for number, block in enumerate(blocks):
        for match in NOT_BLANK.finditer(block):
            start, end = match.span()
            bare = match[0].strip(EMPHASIS) or match[0].strip() if end - start <= LONGEST_LINE else ""
            yield BareLine(number, start, end, bare)


def _is_match(rule: Rule, line: BareLine) -> bool:
    return bool(line.bare and rule.matcher.fullmatch(line.bare))


def _find_in_head(rule: Rule, lines: Sequence[BareLine], likely: Sequence[int]) -> Iterable[int]:
    """Return the indices of the lines that match a rule, in the head of a document.

    The head is the first `rule.depth` lines. If the rule has a pattern `above`, the head is only the lines
    before the first match of that pattern. Without a match, it is empty.
    """
    head = lines[: rule.depth]
    if rule.limit is not None:
        ends = (at for at, line in enumerate(head) if rule.limit.fullmatch(line.bare))
        head = head[: next(ends, 0)]
    return [at for at, line in enumerate(head) if _is_match(rule, line)]


def _find_in_foot(rule: Rule, lines: Sequence[BareLine], likely: Sequence[int]) -> Iterable[int]:
    return [at for at in range(max(0, len(lines) - rule.depth), len(lines)) if _is_match(rule, lines[at])]


def _find_anywhere(rule: Rule, lines: Sequence[BareLine], likely: Sequence[int]) -> Iterable[int]:
    return [at for at in likely if _is_match(rule, lines[at])]


def _find_page_numbers(rule: Rule, lines: Sequence[BareLine], likely: Sequence[int]) -> Iterable[int]:
    group = rule.matcher.groupindex["page"]
    matches = ((at, rule.matcher.fullmatch(lines[at].bare)) for at in likely)
    return find_page_numbers(
        [
            (at, match.span(group), lines[at].bare)
            for at, match in matches
            if match and _is_number(match[group])
        ]
    )


def _is_number(page: str | None) -> bool:
    """Return whether `page` consists of digits; false if it is `None`.

    `page` is the text that the group `page` of a rule's pattern matched, or `None` if it matched nothing.
    """
    return page is not None and page.isdecimal()


def _find_within_lines(blocks: Sequence[str], rules: Sequence[Rule]) -> Iterator[RemovedText]:
    for number, block in enumerate(blocks):
        for rule in rules:
            for match in rule.matcher.finditer(block):
                if match.end() > match.start():
                    yield RemovedText(number, match.start(), match.end(), rule.name)


NO_RULES = Boilerplate()
