"""Resolve speaker tags: decide whether an office or a surname certainly means the document's speaker.

A speaker tag is the name before a paragraph of a transcript, such as "THE PRESIDENT".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rostrum_core.names import name_words, split_people
from rostrum_core.types import Document, Paragraph

OFFICES = frozenset(
    {"president", "minister", "chancellor", "governor", "mayor", "secretary", "premier", "taoiseach", "lady"}
    | {"king", "queen", "pope", "chairman", "chairwoman", "ambassador", "senator", "commissioner", "director"}
)
BEFORE_OFFICES = frozenset({"the", "vice", "prime", "first", "deputy", "acting", "foreign", "general"})
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def resolve_holders(document: Document, paragraphs: Sequence[Paragraph]) -> Mapping[str, str]:
    """Map each speaker tag that certainly means the document's speaker to the name of this speaker.

    A speaker tag is the name before a paragraph of a transcript. It is certain in three cases:

    - It has only words of the speaker's name, including the surname: "BIDEN" for Joe Biden.
    - It is an office, alone ("THE PRESIDENT") or with the surname ("PRESIDENT BIDEN"), and the document's
      title or speaker has the office before the surname ("Remarks by President Biden").
    - Every paragraph has a tag, none is certain by the first two rules, and only one tag has the surname
      ("MR. BIDEN"). If no tag has the surname, a tag is certain if it is the only one that is an office.

    "MR. CLINTON" does not mean Hillary Clinton if she has other tags. If the document's speaker names several
    people ("Jane Alder, Tom Birch"), no tag means all of them.

    >>> biden = Document("a", "Remarks by President Biden", "", speaker="Joe Biden")
    >>> tags = ("THE PRESIDENT", "Q", "THE VICE PRESIDENT")
    >>> said = [Paragraph("i", "a", n, "So.", 0, 3, tag) for n, tag in enumerate(tags)]
    >>> dict(resolve_holders(biden, said))
    {'THE PRESIDENT': 'Joe Biden'}
    """
    speaker = document.speaker
    tags = {paragraph.speaker for paragraph in paragraphs if paragraph.speaker}
    if not speaker or not tags or len(split_people(speaker)) > 1:
        return {}
    context = f"{speaker} {document.title}"
    certain = {tag for tag in tags if _is_name(tag, speaker) or _has_office(tag, speaker, context)}
    if not certain and all(paragraph.speaker is not None for paragraph in paragraphs):
        mentions = {tag for tag in tags if _find_surname(speaker) in _split_name(tag)}
        only = mentions or {tag for tag in tags if _is_office(tag)}
        certain = only if len(only) == 1 else set()
    return {tag: speaker for tag in sorted(certain) if tag != speaker}


def _split_name(name: str) -> list[str]:
    return [word.casefold() for word in WORD.findall(name)]


def _find_surname(name: str) -> str:
    words = [word for word in _split_name(name.split(",")[0]) if word not in ("jr", "sr", "ii", "iii", "iv")]
    return words[-1] if words else ""


def _is_name(tag: str, speaker: str) -> bool:
    """Return whether a speaker tag has only words of the speaker's name, including the surname.

    "JOE BIDEN" and "BIDEN" pass for the speaker Joe Biden, "MR. BIDEN" does not.
    """
    words = _split_name(tag)
    return bool(words) and _find_surname(speaker) in words and set(words) <= set(_split_name(speaker))


def _has_office(tag: str, speaker: str, context: str) -> bool:
    """Return whether the office in a speaker tag is that of the document's speaker.

    `context` is the document's speaker and title, which must have the office before the surname. For "Remarks
    by President Biden", the tags "THE PRESIDENT" and "PRESIDENT BIDEN" pass.
    """
    words, surname = [word for word in _split_name(tag) if word != "the"], _find_surname(speaker)
    office = [word for word in words if word != surname and word not in name_words(speaker)]
    if not office or not _is_office(" ".join(office)):
        return False
    between = r"(?:\s+[^\W\d_][\w.'’-]*){0,3}?\s+"
    not_a_part = "" if office[0] == "vice" else r"(?<!vice\s)(?<!vice-)"
    pattern = (
        not_a_part + r"\b" + r"[\s-]+".join(map(re.escape, office)) + between + re.escape(surname) + r"\b"
    )
    return re.search(pattern, context, re.IGNORECASE) is not None


def _is_office(tag: str) -> bool:
    words = _split_name(tag)
    return bool(words) and words[-1] in OFFICES and set(words[:-1]) <= BEFORE_OFFICES | OFFICES
