"""Recognise page numbers ("Page 7", "Page 8", "Page 9") and running heads (a title that is on every page)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

# Require this many pages. Two consecutive numbers may be a date, a score or a list.
LEAST_PAGES = 3


def find_page_numbers(numbered: Sequence[tuple[int, tuple[int, int], str]]) -> list[int]:
    """Return the indices of the lines that are page numbers, such as "Page 7", "Page 8", "Page 9".

    These are three or more lines that differ only in the number, which grows by one from line to line. Each
    item of `numbered` is (index of the line, range of the number in the text, text).

    >>> pages = [(4, (5, 6), "Page 7"), (9, (5, 6), "Page 8"), (15, (5, 6), "Page 9")]
    >>> find_page_numbers([*pages, (16, (0, 2), "40")])
    [4, 9, 15]
    """
    runs: dict[str, list[tuple[int, int]]] = {}
    places: list[int] = []
    for at, (start, end), text in numbered:
        run = runs.setdefault(f"{text[:start]}\0{text[end:]}", [])
        if run and int(text[start:end]) != run[-1][1] + 1:
            places += _keep_long_run(run)
            run.clear()
        run.append((at, int(text[start:end])))
    return sorted([*places, *(at for run in runs.values() for at in _keep_long_run(run))])


def find_page_heads(pages: Sequence[int], texts: Sequence[str]) -> list[int]:
    """Return the indices of running heads, which are lines next to page numbers.

    The same text must be next to at least three page numbers. `pages` are the indices of the lines with page
    numbers; `texts` are all lines.

    >>> find_page_heads([1, 4, 7], ["ON LAW", "1", "a", "ON LAW", "2", "b", "ON LAW", "3", "c"])
    [0, 3, 6]
    """
    numbers = set(pages)
    near = {at for page in pages for at in (page - 1, page + 1) if 0 <= at < len(texts)} - numbers
    often = Counter(texts[at] for at in near)
    return sorted(at for at in near if often[texts[at]] >= LEAST_PAGES)


def _keep_long_run(run: Sequence[tuple[int, int]]) -> list[int]:
    return [at for at, _ in run] if len(run) >= LEAST_PAGES else []
