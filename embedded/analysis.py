"""How English text becomes terms: tantivy's analyser, set up as both stores agree.

Lower case, cut at whatever is neither letter nor digit, English stop words out, Snowball English stems.
"""

from __future__ import annotations

from typing import Any

import tantivy

ANALYSER = "english"
"""The name under which an index knows the analyser."""

LONGEST_BYTES = 40
"""Tokens of so many UTF-8 bytes or more are dropped: tantivy's own setting for English."""


def analyser() -> Any:
    """A new tantivy analyser of English.

    >>> analyser().analyze("The nation's FATHERS, and so on")
    ['nation', 's', 'father', 'so']
    """
    filters = tantivy.Filter
    return (
        tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
        .filter(filters.remove_long(LONGEST_BYTES))
        .filter(filters.lowercase())
        .filter(filters.stopword("english"))
        .filter(filters.stemmer("english"))
        .build()
    )
