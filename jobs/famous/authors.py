"""Compare names of authors, as lists of quotes, folders and catalogues of libraries write them."""

from __future__ import annotations

import re
from functools import lru_cache

from jobs.verify.speakers import is_same_person, may_be_same_person
from quotations.names.person_names import BRACKETS, PARTICLES, split_name
from quotations.names.speaker_names import fold_words
from quotations.names.spellings import is_nickname
from rostrum_core.names import split_people

GENERATIONS = frozenset(("jr", "sr", "ii", "iii", "iv"))
TOLD_APART = GENERATIONS | {"elder", "younger", "pere", "fils"}
"""Words after a name that tell apart people of the same name: "Oliver Wendell Holmes Jr."."""

PEERAGE = re.compile(r",\s+(?=(?:lord|lady|baron|baroness|earl)\b)", re.IGNORECASE)
"""Comma between a first name and a title: "Alfred, Lord Tennyson"."""

SAINT, FROM = frozenset(("saint", "st")), frozenset(("of", "da"))
"""Words before a first name, and words between a first name and a place: "Leonardo da Vinci"."""

CALLED_BY_FIRST_NAME = frozenset(
    ("dante alighieri", "galileo galilei", "michelangelo buonarroti", "napoleon bonaparte")
)
"""Authors who are usually called by a first name that is rare, and so means nobody else."""

CACHED_NAMES = 1 << 16
Name = tuple[str, ...]
"""The words of a name in lower case, without accents, the given name first."""


@lru_cache(CACHED_NAMES)
def is_same_author(name: str, other: str) -> bool:
    """Return whether two names are certainly of the same author.

    The shorter name may be the end of the longer one, or the first name of an author who is named after a
    place or known by the first name. Otherwise surnames and first names must match, and the shorter name may
    only lack initials and a second surname after "de".

    >>> is_same_author("Shakespeare", "William Shakespeare"), is_same_author("JF Kennedy", "John Kennedy")
    (True, False)
    >>> is_same_author("John Adams", "John Q. Adams"), is_same_author("John Adams", "John Quincy Adams")
    (True, False)
    >>> is_same_author("Martin Luther", "Martin Luther King"), is_same_author("Bob Burns", "Robert Burns")
    (False, True)
    >>> is_same_author("Leonardo", "Leonardo da Vinci"), is_same_author("Milton", "Milton Friedman")
    (True, False)
    """
    people, others = split_people(name), split_people(other)
    if len(people) > 1 or len(others) > 1:
        return any(is_same_author(person, another) for person in people for another in others)
    if _are_generations(name, other):
        return False
    if _is_called(name, other) or _is_called(other, name):
        return True
    mine, theirs = _split_author(name), _split_author(other)
    return _are_fitting(mine, theirs) or (
        _are_fitting(_drop_second_surname(mine), theirs) or _are_fitting(mine, _drop_second_surname(theirs))
    )


def _are_fitting(name: Name, other: Name) -> bool:
    """Return whether one name is the end of the other or only lacks initials."""
    short, long = sorted((name, other), key=len)
    if not short or long[-len(short) :] == short:
        return bool(short)
    if len(short) < 2 or short[-1] != long[-1] or not _is_form(short[0], long[0]):
        return False
    return _are_fitting_middles(_drop_particles(short[1:-1]), _drop_particles(long[1:-1]))


@lru_cache(CACHED_NAMES)
def may_be_same_author(name: str, other: str) -> bool:
    """Return whether two names may be of the same author.

    >>> may_be_same_author("Dante", "Dante Alighieri"), may_be_same_author("John Adams", "John Quincy Adams")
    (True, True)
    >>> may_be_same_author("Robert Burns", "Robert Browning")
    False
    """
    if is_same_author(name, other):
        return True
    return not _are_generations(name, other) and (
        is_same_person(name, other) or may_be_same_person(name, other)
    )


def list_keys(name: str) -> frozenset[str]:
    """Return the words and initials of a name, to find other names of the same author.

    Names without a common key cannot be of the same author. Initials are keys because "JFK" may be John F.
    Kennedy.

    >>> sorted(list_keys("John F. Kennedy") & list_keys("JFK")), sorted(list_keys(""))
    (['jfk'], [''])
    """
    people = split_people(name)
    initials = ("".join(word[0] for word in split_name(person)) for person in people)
    acronyms = (person.replace(".", "").strip().casefold() for person in people)
    return frozenset((*fold_words(name), *initials, *acronyms))


def _are_generations(name: str, other: str) -> bool:
    """Return whether two names differ in "Jr.", "the Elder" or the like, and so mean two people."""
    mine, theirs = (frozenset(fold_words(text)) & TOLD_APART for text in (name, other))
    return bool(mine and theirs) and mine != theirs


@lru_cache(CACHED_NAMES)
def _split_author(name: str) -> Name:
    """Return the words of a name without titles, the given name first."""
    plain = _write_plainly(name)
    return split_name(plain) or tuple(fold_words(plain))  # "Pope" is a title, and a surname if alone


def _write_plainly(name: str) -> str:
    """Return a name without what catalogues of libraries add: titles, years, and some commas.

    >>> _write_plainly("Tolstoy, Leo, graf, 1828-1910"), _write_plainly("Augustine, of Hippo, Saint, 354-430")
    ('Tolstoy, Leo', 'Augustine of Hippo')
    >>> _write_plainly("Cervantes Saavedra, Miguel de, 1547-1616")
    'Miguel de Cervantes Saavedra'
    """
    parts = (BRACKETS.sub(" ", name).strip() or name).replace("-", " ").split(",")
    named = [" ".join(part.split()) for part in parts if not GENERATIONS.issuperset(fold_words(part))]
    head, tail = (*named, "", "")[:2]
    words = fold_words(tail)
    if FROM.intersection(words[:1]) and " " not in head:
        return f"{head} {tail}"
    if PARTICLES.intersection(words[-1:]):
        return f"{tail} {head}"
    return PEERAGE.sub(" ", f"{head}, {tail}" if tail else head)


def _is_called(name: str, other: str) -> bool:
    """Return whether `name` is only the first name of the author `other`, who is usually called so.

    The rest of `other` is then a place, as in "Augustine of Hippo". A few authors are listed by name.
    """
    first, words, whole = _list_own_words(name), _list_own_words(other), _split_author(other)
    if len(first) != 1:
        return False
    is_placed = first == words[:1] and not FROM.isdisjoint(words[1:2])
    return is_placed or (first == whole[:1] and " ".join(whole) in CALLED_BY_FIRST_NAME)


@lru_cache(CACHED_NAMES)
def _list_own_words(name: str) -> Name:
    """Return all words of a name, without a "Saint" before it."""
    words = tuple(fold_words(_write_plainly(name)))
    return words[1:] if SAINT.intersection(words[:1]) else words


def _drop_second_surname(name: Name) -> Name:
    """Return a name without what follows the first surname after "de".

    >>> _drop_second_surname(("lope", "de", "vega", "carpio"))
    ('lope', 'de', 'vega')
    """
    if "de" not in name[1:]:
        return name
    after = range(name.index("de", 1), len(name))
    surname = next((at for at in after if name[at] not in PARTICLES), len(name))
    return name[: surname + 1]


def _drop_particles(words: Name) -> Name:
    return tuple(word for word in words if word not in PARTICLES)


def _is_form(word: str, other: str) -> bool:
    """Return whether two given names are the same, or one is a nickname or the initial of the other."""
    if len(word) == 1 or len(other) == 1:
        return word[0] == other[0]
    return word == other or is_nickname(word, other)


def _are_fitting_middles(short: Name, long: Name) -> bool:
    if not short:
        return all(len(word) == 1 for word in long)
    return len(short) == len(long) and all(map(_is_form, short, long))
