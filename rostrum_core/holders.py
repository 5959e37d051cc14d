"""Resolve speaker tags: decide whether an office or a surname certainly means the document's speaker.

A speaker tag is the name before a paragraph of a transcript, such as "THE PRESIDENT".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rostrum_core.names import fold_name, split_people
from rostrum_core.types import Document, Paragraph

OFFICES = frozenset(
    {"president", "minister", "chancellor", "governor", "mayor", "secretary", "premier", "taoiseach", "lady"}
    | {"king", "queen", "pope", "chairman", "chairwoman", "ambassador", "senator", "commissioner", "director"}
)
BEFORE_OFFICES = frozenset({"the", "vice", "prime", "first", "deputy", "acting", "foreign", "general"})
WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")


def resolve_holders(document: Document, paragraphs: Sequence[Paragraph]) -> Mapping[str, str]:
    """Map each speaker tag that certainly means a speaker of the document to the name of this speaker.

    A speaker tag is the name before a paragraph of a transcript. Accents and forms of apostrophes are
    ignored. A tag is certain in three cases:

    - It has only words of the speaker's name, including the surname: "BIDEN" for Joe Biden.
    - It is an office, alone ("THE PRESIDENT") or with the surname ("PRESIDENT BIDEN"), and the document's
      title or speaker has the office before the surname ("Remarks by President Biden").
    - Every paragraph has a tag, none is certain by the first two rules, and only one tag has the surname
      ("MR. BIDEN"). If no tag has the surname, a tag is certain if it is the only one that is an office.

    "MR. CLINTON" does not mean Hillary Clinton if she has other tags. If the document's speaker names several
    people in full ("Jane Alder and Tom Birch"), only the first rule counts. The tag must fit exactly one of
    them: "BIRCH" means Tom Birch.

    >>> biden = Document("a", "Remarks by President Biden", "", speaker="Joe Biden")
    >>> tags = ("THE PRESIDENT", "Q", "THE VICE PRESIDENT")
    >>> said = [Paragraph("i", "a", n, "So.", 0, 3, tag) for n, tag in enumerate(tags)]
    >>> dict(resolve_holders(biden, said))
    {'THE PRESIDENT': 'Joe Biden'}
    """
    speaker = document.speaker
    tags = {paragraph.speaker for paragraph in paragraphs if paragraph.speaker}
    if not speaker or not tags:
        return {}
    people = split_people(speaker)
    if len(people) > 1:
        return _match_people(tags, people)
    context = f"{speaker} {document.title}"
    certain = {tag for tag in tags if _is_name(tag, speaker) or _has_office(tag, speaker, context)}
    if not certain and all(paragraph.speaker is not None for paragraph in paragraphs):
        mentions = {tag for tag in tags if _find_surname(speaker) in _split_name(tag)}
        only = mentions or {tag for tag in tags if _is_office(tag)}
        certain = only if len(only) == 1 else set()
    return {tag: speaker for tag in sorted(certain) if tag != speaker}


def _match_people(tags: Iterable[str], people: Sequence[str]) -> dict[str, str]:
    """Map each tag that is the name of exactly one of several people to this person.

    The result is empty if a name has only one word or an office in the plural. In "Bill and Hillary Clinton",
    "CLINTON" may be both. In "Presidents Ann Roe and Bob Lee", nobody is called "Presidents Ann Roe".
    """
    names = [_split_name(person) for person in people]
    if any(len(words) < 2 or any(word[:-1] in OFFICES for word in words) for words in names):
        return {}
    fitting = {tag: [person for person in people if _is_name(tag, person)] for tag in sorted(tags)}
    return {tag: named[0] for tag, named in fitting.items() if len(named) == 1 and named[0] != tag}


def _split_name(name: str) -> list[str]:
    return WORD.findall(fold_name(name))


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
    office = [word for word in words if word not in _split_name(speaker)]
    if not office or not _is_office(" ".join(office)):
        return False
    between = r"(?:\s+[^\W\d_][\w.'-]*){0,3}?\s+"
    not_a_part = "" if office[0] == "vice" else r"(?<!vice\s)(?<!vice-)"
    pattern = (
        not_a_part + r"\b" + r"[\s-]+".join(map(re.escape, office)) + between + re.escape(surname) + r"\b"
    )
    return re.search(pattern, fold_name(context)) is not None


def _is_office(tag: str) -> bool:
    words = _split_name(tag)
    return bool(words) and words[-1] in OFFICES and set(words[:-1]) <= BEFORE_OFFICES | OFFICES
