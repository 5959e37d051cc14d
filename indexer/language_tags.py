"""Tags of languages, as files and filters give them (RFC 5646)."""

from __future__ import annotations

import re

TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z0-9_-]+)?")


def language_alone(tag: str) -> str:
    """The language of a tag with region or script, in lower case; what is no tag stays as it is.

    >>> language_alone("en-US"), language_alone("EN"), language_alone("English")
    ('en', 'en', 'English')
    """
    found = TAG.fullmatch(tag)
    return found[1].lower() if found else tag
