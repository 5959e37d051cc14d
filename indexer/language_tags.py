"""Parse language tags such as "en-US", in files and filters (RFC 5646, ISO 639)."""

from __future__ import annotations

import re

TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z0-9_-]+)?")


def shorten_tag(tag: str) -> str:
    """Return the shortest code for the language in a tag; return text that is not a language tag unchanged.

    >>> shorten_tag("en-US"), shorten_tag("EN"), shorten_tag("eng"), shorten_tag("English")
    ('en', 'en', 'en', 'English')
    >>> shorten_tag("cym"), shorten_tag("ger"), shorten_tag("xyz")
    ('cy', 'de', 'xyz')
    """
    from langcodes import Language  # its tables take a tenth of the time in which a command starts
    from langcodes.tag_parser import LanguageTagError

    match = TAG.fullmatch(tag)
    if not match:
        return tag
    try:
        return Language.get(match[1]).language or match[1].lower()
    except LanguageTagError:
        return match[1].lower()
