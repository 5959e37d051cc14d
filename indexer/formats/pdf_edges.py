"""Running heads, running feet and page numbers: lines at the edge of pages that come again and again."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from indexer.formats.pdf_pages import Line
from indexer.speaker_tags import tag_at

EDGE_ROWS = 2
# So many pages in a row, odd and even ones apart, make a habit.
REPEATED, STEP = 3, 2
FIGURES = re.compile(r"\d+")
NUMBER = re.compile(r"^\W*(?:page\s*)?(\d{1,4})\b|\b(\d{1,4})\W*$", re.IGNORECASE)
WIDE = 1.3  # in usual ways from row to row
LONGEST_HEAD, ENDS = 80, (".", "!", "?", ":", ",", ";", "-")
SAME_ROW = 2.0  # points between the base lines of what stands side by side


class Page(NamedTuple):
    """The lines of a page in the order of its file, those at its edges apart."""

    head: list[Line]
    body: list[Line]
    foot: list[Line]


class _Edge(NamedTuple):
    """A line near an edge of a page; `at` is its number, `apart`: a wide gap parts it from the text."""

    page: int
    at: int
    top: bool
    apart: bool
    text: str

    def key(self) -> tuple[bool, str]:
        """What is the same on pages with the same head, whatever their numbers."""
        return self.top, FIGURES.sub("#", " ".join(self.text.lower().split()))

    def is_label(self) -> bool:
        """Return whether it is a short line at the top that ends no sentence, as a running head is."""
        ends = self.text.rstrip().endswith(ENDS) or tag_at(self.text) is not None
        return self.top and len(self.text) <= LONGEST_HEAD and not ends

    def offsets(self) -> set[tuple[bool, int]]:
        """How far ahead of the count of pages the figures are that it begins or ends with."""
        numbers = (int(found[1] or found[2]) for found in NUMBER.finditer(self.text))
        return {(self.top, number - self.page) for number in numbers}


def parted(pages: Sequence[Sequence[Line]]) -> list[Page]:
    """Return every page with its head and foot apart from its body; where there is one page, all is body.

    A page number may stand below a running head: it is looked for once that is gone.
    """
    first = _parted(pages)
    second = _parted([page.body for page in first])
    return [
        Page([*outer.head, *inner.head], inner.body, [*inner.foot, *outer.foot])
        for outer, inner in zip(first, second, strict=True)
    ]


def _parted(pages: Sequence[Sequence[Line]]) -> list[Page]:
    edges = [edge for number, page in enumerate(pages) for edge in _edges(number, page)]
    habits = _habits([(edge.page, edge.key()) for edge in edges if edge.apart], len(pages))
    labels = [(edge.page, edge.key()) for edge in edges if edge.is_label()]
    labelled = _habits(labels, len(pages)) if len(pages) >= REPEATED else set()
    counts = _habits([(edge.page, offset) for edge in edges for offset in edge.offsets()], len(pages))
    heads, feet = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    for edge in edges:
        counted = any((edge.page, offset) in counts for offset in edge.offsets())
        again = (edge.page, edge.key()) in (habits if edge.apart else labelled if edge.is_label() else ())
        if counted or again:
            (heads if edge.top else feet)[edge.page].add(edge.at)
    return [
        Page(*_split(page, heads[number], feet[number] - heads[number])) for number, page in enumerate(pages)
    ]


def _edges(number: int, page: Sequence[Line]) -> Iterator[_Edge]:
    """The lines of the first and of the last rows of a page, as they stand on it."""
    rows = _rows(page)
    bases = [page[row[0]].base for row in rows]
    gaps = [before - base for before, base in pairwise(bases)]
    usual = median(gaps) if len(gaps) > EDGE_ROWS else 0.0
    most = min(EDGE_ROWS, (len(rows) - 1) // 2)  # never all of a page
    for top, inward, ways in ((True, rows, gaps), (False, rows[::-1], gaps[::-1])):
        wide = [at for at, way in enumerate(ways[:most], 1) if way > WIDE * usual]
        near = inward[: wide[-1] if wide else min(most, 1)]
        yield from (_Edge(number, at, top, bool(wide), page[at].text) for row in near for at in row)


def _rows(page: Sequence[Line]) -> list[list[int]]:
    """The numbers of the lines that stand side by side, from the top down."""
    rows: list[list[int]] = []
    for at in sorted(range(len(page)), key=lambda at: -page[at].base):
        if rows and page[rows[-1][0]].base - page[at].base <= SAME_ROW:
            rows[-1].append(at)
        else:
            rows.append([at])
    return rows


def _habits(seen: Sequence[tuple[int, Hashable]], pages: int) -> set[tuple[int, Hashable]]:
    """Those of `seen`, pages and what is on them, that come again often enough in a row."""
    on: dict[Hashable, set[int]] = {}
    for page, key in seen:
        on.setdefault(key, set()).add(page)
    return {(page, key) for key, some in on.items() for page in _in_a_row(sorted(some), min(REPEATED, pages))}


def _in_a_row(pages: list[int], least: int) -> Iterator[int]:
    """Those pages that follow each other by `STEP` or less, at least `least` and never one alone."""
    run: list[int] = []
    for page in [*pages, None]:
        if run and (page is None or page - run[-1] > STEP):
            yield from run if len(run) >= max(2, least) else ()
            run = []
        run += [] if page is None else [page]


def _split(page: Sequence[Line], head: set[int], foot: set[int]) -> tuple[list[Line], list[Line], list[Line]]:
    body = [line for at, line in enumerate(page) if at not in head and at not in foot]
    return [page[at] for at in sorted(head)], body, [page[at] for at in sorted(foot)]
