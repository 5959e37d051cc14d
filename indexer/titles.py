"""Convert titles that are entirely in lower case or in capitals to title case."""

from __future__ import annotations

import re
from typing import Any

from titlecase import titlecase

# Keep these in capitals in a title that is all in capitals; capitalise them in one without any.
ACRONYMS = frozenset(
    {"aids", "bbc", "chips", "cia", "cop", "covid", "eu", "fbi", "g7", "g8", "g20", "gop", "hiv", "ii", "iii"}
    | {"iv", "mp", "mps", "nasa", "nato", "nhs", "tv", "uk", "un", "usa", "usaid", "vi", "vii", "viii", "wto"}
)
INITIALS = re.compile(r"(?:[A-Za-z]\.){2,}")


def capitalise_title(title: str) -> str:
    """Return a title in title case if it has no capitals or only capitals; return any other unchanged.

    >>> capitalise_title("gettysburg address"), capitalise_title("REMARKS BY THE U.S. DELEGATE TO NATO")
    ('Gettysburg Address', 'Remarks by the U.S. Delegate to NATO')
    >>> capitalise_title("Address to the nation"), capitalise_title("D-Day")
    ('Address to the nation', 'D-Day')
    """
    if not (title.islower() or (title.isupper() and " " in title)):
        return title
    return str(titlecase(title.lower(), callback=_keep_acronym))


def _keep_acronym(word: str, **_: Any) -> str | None:
    bare = word.strip("()[],.;:!?\"'“”‘’").lower()
    if bare in ACRONYMS or INITIALS.fullmatch(word):
        return word.upper()
    return None
