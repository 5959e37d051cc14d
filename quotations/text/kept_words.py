"""Define the sets of words that an archive stores for each paragraph, to avoid parsing it for each draft."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from functools import lru_cache
from typing import Final

from quotations.text.stems import read_stems

RULES: Final = 1
"""Version of the rules by which `KEPT` reads a text. An archive's words by other rules are not used."""

CACHED_TEXTS = 1 << 12
NAME = re.compile(r"(?<![^\W_])[^\W\d_a-zß-ÿ][^\W_]{2,}")


@lru_cache(CACHED_TEXTS)
def find_names(text: str) -> frozenset[str]:
    """Return the capitalised words of a text, in lower case, without a genitive's ending.

    >>> sorted(find_names("Challenger, forty years on: what Reagan’s speech did"))
    ['challenger', 'reagan']
    """
    return frozenset(match.casefold() for match in NAME.findall(text))


KEPT: Mapping[str, Callable[[str], Set[str]]] = {"stems": read_stems, "names": find_names}
"""The function that reads the words of a text, by the name of these words."""
