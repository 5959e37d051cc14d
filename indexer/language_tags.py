"""Parse language tags as files and filters write them (RFC 5646, ISO 639)."""

from __future__ import annotations

import re

from langcodes import Language
from langcodes.tag_parser import LanguageTagError

TAG = re.compile(r"([A-Za-z]{2,3})(?:[-_][A-Za-z0-9_-]+)?")


def language_alone(tag: str) -> str:
    """Return the language of a tag as its shortest code; return anything that is not a tag unchanged.

    >>> language_alone("en-US"), language_alone("EN"), language_alone("eng"), language_alone("English")
    ('en', 'en', 'en', 'English')
    >>> language_alone("cym"), language_alone("ger"), language_alone("xyz")
    ('cy', 'de', 'xyz')
    """
    found = TAG.fullmatch(tag)
    if not found:
        return tag
    try:
        return Language.get(found[1]).language or found[1].lower()
    except LanguageTagError:
        return found[1].lower()
