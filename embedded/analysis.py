"""Split English text into terms (stemmed words) with tantivy, in the same way as the OpenSearch store.

Text is converted to lower case and split at every character that is neither a letter nor a digit. English
stop words are removed, and words are stemmed with Snowball English.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import Any, Final

import tantivy

ANALYSER = "english"
"""Name under which an index registers the analyser."""

LONGEST_BYTES = 160
"""Length in UTF-8 bytes from which tokens are dropped. No word of 39 letters is dropped in any script."""

VERSION: Final = f"2, tantivy {version('tantivy')}"
"""Version of these rules; raise the number if they change. Stored terms of another version are not copied."""


def build_analyser() -> Any:
    """Return a new tantivy analyser of English.

    >>> build_analyser().analyze("The nation's FATHERS, and so on")
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
