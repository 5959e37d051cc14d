"""Parse language tags as files and filters write them (RFC 5646, ISO 639)."""

from __future__ import annotations

import re

from langcodes import Language
from langcodes.tag_parser import LanguageTagError

TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z0-9_-]+)?")


def shorten_tag(tag: str) -> str:
    """Return the language of a tag as its shortest code; return anything that is not a tag unchanged.

    >>> shorten_tag("en-US"), shorten_tag("EN"), shorten_tag("eng"), shorten_tag("English")
    ('en', 'en', 'en', 'English')
    >>> shorten_tag("cym"), shorten_tag("ger"), shorten_tag("xyz")
    ('cy', 'de', 'xyz')
    """
    match = TAG.fullmatch(tag)
    if not match:
        return tag
    try:
        return Language.get(match[1]).language or match[1].lower()
    except LanguageTagError:
        return match[1].lower()
