"""Judge the name in a speaker tag by its words alone: a person, an office, a title or a label."""

from __future__ import annotations

import re

from indexer.characters import MARKS
from indexer.offices import FRENCH_HONORIFICS, has_vocative
from indexer.speaker_tags import (
    BARE_QUESTION,
    EXAMINATION,
    SMALL_WORDS,
    Form,
    Tag,
    is_in_capitals,
    is_sentence,
)
from indexer.vocabulary import (
    EVENTS,
    GAPS,
    HONORIFICS,
    LABELS,
    LINKS,
    LOST,
    NO_NAMES,
    OFFICES,
    PARTICLES,
    PLACES,
    QUANTITIES,
    ROLES,
    TITLES,
    VOCATIVES,
)
from rostrum_core.names import fold_name

LONGEST_DOUBTED_NAME = 6  # words
NUMBERED = re.compile(r"(?P<base>.*?)[ _#]?\d{1,3}")
# "Mrs. DOE of Maine.", "The PRESIDENT pro tempore."
OF_RECORD = re.compile(
    r"(?:(?:Mr|Mrs|Ms|Dr)\.|Miss|Senator|Representative|The)"
    rf"(?: [^\W\d_][\w{MARKS}.'’\-]*)*? (?P<last>[\w{MARKS}'’\-]+)"
    r"(?: pro tempore| of(?: [A-Z][\w.]*)+)?\."
)
GENERATIONS = frozenset(("jr", "sr", "ii", "iii", "iv"))
PERSONS = ROLES - {"q", "a", "question", "answer", "all", "both", "group", "unidentified", "unknown"}


def is_french(name: str) -> bool:
    """Return whether a name is a French honorific followed by other words: "M. Roe"."""
    return split_name(name)[0] in FRENCH_HONORIFICS and len(name.split()) > 1


def is_of_record(name: str) -> bool:
    """Return whether a name has the form of the Congressional Record: "Mr. ROE.", "The CLERK."."""
    match = OF_RECORD.fullmatch(name)
    if not match or not is_in_capitals(match["last"]) or len(match["last"]) < 2:
        return False
    return not name.startswith("The ") or match["last"].lower() in OFFICES | ROLES | TITLES


def is_note(name: str) -> bool:
    """Return whether words in brackets describe an omission or an event: "inaudible", "laughter"."""
    words = split_name(name)
    return bool((GAPS | EVENTS).intersection(words)) or (LABELS | LOST).issuperset(words)


def may_be_doubted(tag: Tag) -> bool:
    """Return whether words that were not accepted as a speaker tag may still name a speaker.

    The words must be few and look like a person, a role or a title: "Jane Roe", "Voice from the gallery".
    """
    words = split_name(tag.name)
    if tag.name == BARE_QUESTION or is_vocative(tag.name):
        return False
    is_phrase = is_sentence(tag.name) or not NO_NAMES.intersection(words) <= PARTICLES | {"for"}
    has_title = not is_phrase and (is_titled(words) or is_holder(tag.name))
    return len(words) <= LONGEST_DOUBTED_NAME and (may_name(tag.name) or is_person(words) or has_title)


def is_vocative(name: str) -> bool:
    """Return whether words address somebody: "Mr. President", "Señor presidente"."""
    return " ".join(split_name(name)) in VOCATIVES or has_vocative(name)


def is_candidate(tag: Tag) -> bool:
    """Return whether a possible speaker tag may name a person.

    Brackets, labels ("MEDIA CONTACT:") and bylines ("By Jane Roe:") are excluded. Before a dash, the name
    must have a title: "Mr ROE -".
    """
    words = split_name(tag.name)
    is_byline = words[0] == "by" and not EXAMINATION.match(tag.name)
    if tag.form is Form.BRACKET or LABELS.issuperset(words) or is_byline:
        return False
    if tag.form is Form.DASH:
        return is_titled(words) and may_name(tag.name)
    return may_be_numbered(tag.name)


def is_office_of(words: list[str]) -> bool:
    """Return whether words may name an office, such as "the chair" in "The Chair (Sam Roe):"."""
    return is_titled(words) or (words[0] == "the" and not (OFFICES | TITLES).isdisjoint(words))


def is_holder(name: str) -> bool:
    """Return whether a name has the person's office after a comma: "Jane Roe, Director of Works"."""
    person, _, office = name.partition(", ")
    words = split_name(office) if office else []
    return bool(words) and len(person.split()) > 1 and may_name(person) and words[0] in OFFICES | TITLES


def is_titled(words: list[str]) -> bool:
    """Return whether words are an office, a role, or a title with a name: "the president", "mr kirby"."""
    bare = [word for word in strip_article(words) if word not in PARTICLES] or words
    if words[0] == "the" and bare[0] in TITLES and {"of", "for"}.intersection(words):
        return True  # "The MINISTER OF SPORT AND RECREATION"
    if words[0] in OFFICES and words[1:2] == ["for"] and len(words) > 2:
        return True  # "Minister for Transport"
    if bare[-1] in ROLES or OFFICES.intersection(bare[-1:]):
        return not NO_NAMES.intersection(bare[:-1]) or bare[0] in ("first", "second")
    titled = bare[0] in TITLES or OFFICES.intersection(bare[1:2])
    return bool(titled) and len(bare) > 1 and not NO_NAMES.intersection(bare[1:])


def is_person(words: list[str]) -> bool:
    """Return whether words describe a person by a role: "reporter", "woman in the audience"."""
    before = next((at for at, word in enumerate(words) if word not in QUANTITIES), len(words) - 1)
    return words[before] in PERSONS and PLACES.issuperset(words[before + 1 :])


def is_person_somewhere(words: list[str]) -> bool:
    """Return whether words describe a person by a role and a place, or by a role and "unidentified".

    Examples are "woman in the audience" and "unidentified male".
    """
    unknown = {"unidentified", "unknown", "unnamed", "hon", "honourable", "honorable"}.intersection(words)
    somewhere = len(words) > 2 and PLACES.issuperset(words[-1:])
    return is_person(words) and bool(unknown or somewhere or words == ["v.o"])


def is_bare_office(words: list[str]) -> bool:
    """Return whether words are an office without a name, standing for its holder: "the vice president"."""
    return words[0] == "the" and len(words) > 1 and (OFFICES | TITLES).issuperset(words[1:])


def is_address(words: list[str]) -> bool:
    """Return whether words consist of titles only: "mr secretary", "prime minister", but not "dr king".

    Such words may address somebody instead of naming the speaker.
    """
    named = words[0] in HONORIFICS and words[-1] not in OFFICES
    return (OFFICES | TITLES).issuperset(words) and not named


def is_titled_name(name: str) -> bool:
    """Return whether a name is an office or a role, or has a title.

    >>> is_titled_name("Mr Speaker"), is_titled_name("The Minister for Works"), is_titled_name("Jane Roe")
    (True, True, False)
    """
    words = name.split()
    capitalised = words[0][:1].isupper() and all(w[:1].isupper() or w in SMALL_WORDS for w in words)
    offices = (OFFICES | TITLES).intersection(split_name(name))
    return (capitalised and (bool(offices) or is_titled(split_name(name)))) or is_person(split_name(name))


def may_name(name: str) -> bool:
    """Return whether a text can be a person's name, judging by its letters and words alone.

    >>> may_name("Jane Roe"), may_name("we have a plan"), may_name("First")
    (True, False, False)
    """
    words = split_name(name)
    bare = strip_article(words)
    unlikely = NO_NAMES.intersection(bare[:1]) or NO_NAMES.intersection(bare) - PARTICLES
    return is_capitalised(name) and not unlikely and not LABELS.issuperset(words)


def has_figures(name: str) -> bool:
    """Return whether a name has digits, such as "+1 (555) 010-0199", and does not look like a sentence.

    For this, every second word is examined, from the first: none of them may begin in lower case.
    """
    words = name.split()
    return any(char.isdigit() for char in name) and not any(word[0].islower() for word in words[::2])


def get_number(name: str) -> str:
    """Return the number at the end of a name such as "Speaker 2"; "" without one."""
    return name[len(name.rstrip("0123456789")) :]


def may_be_numbered(name: str) -> bool:
    """Return whether a name has no number, or a number that can distinguish speakers.

    "Speaker 2" has such a number, "Lesson 2" does not.
    """
    match = NUMBERED.fullmatch(name)
    words = split_name(match["base"]) if match else []
    return match is None or bool(words and words[-1] in ROLES and (len(words) == 1 or is_titled(words)))


def strip_article(words: list[str]) -> list[str]:
    """Return the words of a name without the article at its beginning: "the", "a" or "an"."""
    return words[1:] if words[0] in ("the", "a", "an") and len(words) > 1 else words


def is_name_in_capitals(name: str) -> bool:
    """Return whether the last word of a name is in capitals: "Jane ROE", "Pat McCAIN"."""
    return is_in_capitals(name.split()[-1])


def is_capitalised(name: str) -> bool:
    """Return whether all words of a name begin with a capital, except numbers and linking words: "of"."""
    words = name.split()
    return name[:1].isupper() and all(word[:1].isupper() or word in LINKS or word.isdigit() for word in words)


def get_surname(name: str) -> str:
    """Return the last word of a name in lower case, skipping "Jr." and the like: "roe" for "Sam Roe Jr.".

    It has no accents, and one form of apostrophe, because tags in capitals often lack them.
    """
    words = [word for word in split_name(name) if word not in GENERATIONS] or [""]
    return fold_name(words[-1])


def split_name(name: str) -> list[str]:
    """Return the words of a name in lower case, without "Rt" and "Right" before "Hon"."""
    words = [word.strip(".,()[]").lower() for word in name.split()]
    return (
        words[1:] if words[:1] in (["rt"], ["right"]) and words[1:2] and words[1].startswith("hon") else words
    )
