"""Recognise a name before a colon as a speaker tag if the words before it call that person to speak.

For example, "La paraula és per a la senyora Eva Roe." comes before "Eva Roe i Doe: ...". This works in any
language.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import pairwise

from indexer.characters import MARKS
from indexer.offices import ARTICLES, CHAIR, is_form_of_address
from indexer.speaker_tags import find_opening
from indexer.vocabulary import LINKS

CALL_LENGTH, ADDRESS_LENGTH = 400, 120  # characters before and after a tag
WORD = re.compile(rf"[^\W\d_][\w{MARKS}'’-]*")
ADDRESS_END = frozenset(",.!;:…")
QUOTATION = frozenset("\"“”„«‹'‘")


def find_called(blocks: Iterable[str], names: Collection[str]) -> frozenset[str]:
    """Return those of `names` whose owners are called to speak, or address the chair, at least once.

    Only blocks (paragraphs) that begin with the name as a speaker tag are examined. The person is called to
    speak if the block before mentions the surname: "I call Ms Roe." The person addresses the chair if the
    first words after the tag do so: "Gràcies, president." A tag before a quotation mark is ignored, because
    the chair reads out votes in this form: "Jan Roe: «No.»".

    >>> sorted(find_called(["I call Ms Roe.", "Jane Roe: No.", "Sam Doe: No."], {"Jane Roe", "Sam Doe"}))
    ['Jane Roe']
    >>> sorted(find_called(["Qui ho vol?", "Eva Roe: Gràcies, president. No."], {"Eva Roe"}))
    ['Eva Roe']
    """
    called = set()
    for before, block in pairwise(["", *blocks]):
        tag = find_opening(block)
        text = block[tag.text_start :] if tag else ""
        if tag is None or tag.name not in names or text[:1] in QUOTATION:
            continue
        if _is_mentioned(tag.name, before[-CALL_LENGTH:]) or _is_chair_addressed(text[:ADDRESS_LENGTH]):
            called.add(tag.name)
    return frozenset(called)


def _is_mentioned(name: str, text: str) -> bool:
    """Return whether a text mentions a person by surname, as in "I call Ms Roe"; `name` is the full name.

    The word before the surname must be a form of address, an office, or the person's first name. A first name
    at the beginning of a sentence does not count, because it may be any capitalised word.
    """
    first, *rest = WORD.findall(name)
    surnames = {word for word in rest if word not in LINKS and len(word) > 2}
    words = list(WORD.finditer(text))
    return any(
        word[0] in surnames
        and (
            is_form_of_address(before[0]) or (before[0] == first and not _is_first_in_sentence(text, before))
        )
        for before, word in pairwise(words)
    )


def _is_first_in_sentence(text: str, word: re.Match[str]) -> bool:
    return text[: word.start()].rstrip()[-1:] in ("", *".!?…:–—-")


def _is_chair_addressed(text: str) -> bool:
    """Return whether a text addresses the chair: "Gràcies, presidenta.", "Sehr geehrte Frau Präsidentin!"."""
    before = None
    for word in WORD.finditer(text):
        is_after = text[: word.start()].rstrip()[-1:] in ("", ",", "¡")
        is_titled = before is not None and (is_form_of_address(before[0]) or before[0] in ARTICLES)
        is_closed = text[word.end() : word.end() + 1] in ADDRESS_END
        if CHAIR.fullmatch(word[0].lower()) and is_closed and (is_after or is_titled):
            return True
        before = word
    return False
