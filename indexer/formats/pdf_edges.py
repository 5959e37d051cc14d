"""Separate running heads, running feet and page numbers of a PDF: lines that recur at the edge of pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from indexer.formats.pdf_pages import PdfLine
from indexer.speaker_tags import parse_tag

EDGE_ROWS = 2
# Require this many pages in a row; odd and even pages may differ.
REPEATED, STEP = 3, 2
FIGURES = re.compile(r"\d+")
NUMBER = re.compile(r"^\W*(?:page\s*)?(\d{1,4})\b|\b(\d{1,4})\W*$", re.IGNORECASE)
WIDE = 1.3  # relative to the usual distance between rows
LONGEST_HEAD, ENDS = 80, (".", "!", "?", ":", ",", ";", "-")
SAME_ROW = 2.0  # points between the base lines of text in the same row


class PdfPage(NamedTuple):
    """Hold the lines of a page in three lists: running head, body, running foot, as ordered in the file."""

    head: list[PdfLine]
    body: list[PdfLine]
    foot: list[PdfLine]


class _Edge(NamedTuple):
    """Hold a line near an edge of a page, which may be a running head, a running foot or a page number.

    `at` is the index of the line. `top` is true at the upper edge. `apart` is true if a wide gap separates
    the line from the text.
    """

    page: int
    at: int
    top: bool
    apart: bool
    text: str

    def build_key(self) -> tuple[bool, str]:
        """Return a key that is equal on pages with the same running head, ignoring numbers and case."""
        return self.top, FIGURES.sub("#", " ".join(self.text.lower().split()))

    def is_label(self) -> bool:
        """Return whether the line resembles a running head: short, at the top, and not ending a sentence."""
        ends = self.text.rstrip().endswith(ENDS) or parse_tag(self.text) is not None
        return self.top and len(self.text) <= LONGEST_HEAD and not ends

    def find_offsets(self) -> set[tuple[bool, int]]:
        """Return a pair (top, offset) for each number in the line that may be a page number.

        `top` is true if the line is at the top of the page. `offset` is the number minus the index of the
        page. Real page numbers have the same offset on all pages.
        """
        numbers = (int(match[1] or match[2]) for match in NUMBER.finditer(self.text))
        return {(self.top, number - self.page) for number in numbers}


def split_edges(pages: Sequence[Sequence[PdfLine]]) -> list[PdfPage]:
    """Separate the running head and foot of every page from its body; a single page has only a body.

    This is done twice, because a page number may be below a running head.
    """
    first = _split_once(pages)
    second = _split_once([page.body for page in first])
    return [
        PdfPage([*outer.head, *inner.head], inner.body, [*inner.foot, *outer.foot])
        for outer, inner in zip(first, second, strict=True)
    ]


def _split_once(pages: Sequence[Sequence[PdfLine]]) -> list[PdfPage]:
    edges = [edge for number, page in enumerate(pages) for edge in _find_edges(number, page)]
    habits = _find_habits([(edge.page, edge.build_key()) for edge in edges if edge.apart], len(pages))
    labels = [(edge.page, edge.build_key()) for edge in edges if edge.is_label()]
    labelled = _find_habits(labels, len(pages)) if len(pages) >= REPEATED else set()
    counts = _find_habits(
        [(edge.page, offset) for edge in edges for offset in edge.find_offsets()], len(pages)
    )
    heads, feet = defaultdict[int, set[int]](set), defaultdict[int, set[int]](set)
    for edge in edges:
        counted = any((edge.page, offset) in counts for offset in edge.find_offsets())
        again = (edge.page, edge.build_key()) in (
            habits if edge.apart else labelled if edge.is_label() else ()
        )
        if counted or again:
            (heads if edge.top else feet)[edge.page].add(edge.at)
    return [
        PdfPage(*_split(page, heads[number], feet[number] - heads[number]))
        for number, page in enumerate(pages)
    ]


def _find_edges(number: int, page: Sequence[PdfLine]) -> Iterator[_Edge]:
    """Yield the lines near the upper and the lower edge of a page; `number` is the index of the page."""
    rows = _group_rows(page)
    bases = [page[row[0]].base for row in rows]
    gaps = [before - base for before, base in pairwise(bases)]
    usual = median(gaps) if len(gaps) > EDGE_ROWS else 0.0
    most = min(EDGE_ROWS, (len(rows) - 1) // 2)  # never the whole page
    for top, inward, ways in ((True, rows, gaps), (False, rows[::-1], gaps[::-1])):
        wide = [at for at, way in enumerate(ways[:most], 1) if way > WIDE * usual]
        near = inward[: wide[-1] if wide else min(most, 1)]
        yield from (_Edge(number, at, top, bool(wide), page[at].text) for row in near for at in row)


def _group_rows(page: Sequence[PdfLine]) -> list[list[int]]:
    """Return the rows of a page, from top to bottom: the indices of the lines that stand side by side."""
    rows: list[list[int]] = []
    for at in sorted(range(len(page)), key=lambda at: -page[at].base):
        if rows and page[rows[-1][0]].base - page[at].base <= SAME_ROW:
            rows[-1].append(at)
        else:
            rows.append([at])
    return rows


def _find_habits(seen: Sequence[tuple[int, Hashable]], pages: int) -> set[tuple[int, Hashable]]:
    """Return the pairs in `seen` that repeat on enough nearby pages, as a running head does.

    A pair has the index of a page, and a key that stands for a line at the edge of this page. Lines that may
    be the same running head have equal keys. `pages` is the number of all pages.
    """
    on: dict[Hashable, set[int]] = {}
    for page, key in seen:
        on.setdefault(key, set()).add(page)
    return {
        (page, key)
        for key, numbers in on.items()
        for page in _find_runs(sorted(numbers), min(REPEATED, pages))
    }


def _find_runs(pages: list[int], least: int) -> Iterator[int]:
    """Yield those of `pages` that are in a run of at least `least` pages.

    `pages` are indices of pages, ascending. In a run, each index is at most `STEP` larger than the one
    before. A single page is never a run.
    """
    run: list[int] = []
    for page in [*pages, None]:
        if run and (page is None or page - run[-1] > STEP):
            yield from run if len(run) >= max(2, least) else ()
            run = []
        run += [] if page is None else [page]


def _split(
    page: Sequence[PdfLine], head: set[int], foot: set[int]
) -> tuple[list[PdfLine], list[PdfLine], list[PdfLine]]:
    body = [line for at, line in enumerate(page) if at not in head and at not in foot]
    return [page[at] for at in sorted(head)], body, [page[at] for at in sorted(foot)]
