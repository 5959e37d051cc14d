"""Read the words of a person's name as an archive writes it: titles, several people, "Surname, First"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from quotations.text.meaning import make_word_set
from rostrum_core.names import fold_name

TITLES = make_word_set("""
mr mrs ms miss dr prof professor sir dame lord lady sen senator rep representative
congressman congresswoman gov governor president vice presidentelect secretary of state minister prime
chancellor ambassador general gen admiral judge justice mayor speaker leader whip chair chairman chairwoman
commissioner the hon honorable rt right former us u.s state attorney treasury defense first king queen pope
rev reverend father""")
SURNAMES = make_word_set("king pope judge lord")
"""Titles that are surnames, too, if they follow a first name. "King" alone counts as a surname as well."""

SUFFIXES = make_word_set("jr sr ii iii iv phd md mp esq")
NAME_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
BRACKETS = re.compile(r"[(\[][^()\[\]]*[)\]]")
PARTICLES = make_word_set("von van der den de del della di da do dos la le el al bin ibn ben st")


@lru_cache(1 << 14)
def split_name(name: str) -> tuple[str, ...]:
    """Return the words of a person's name in lower case, the given name first, without titles.

    >>> split_name("Sen. John F. Kennedy, Jr."), split_name("the President")
    (('john', 'f', 'kennedy'), ())
    >>> split_name("Martin Luther King, Jr."), split_name("King"), split_name("the King")
    (('martin', 'luther', 'king'), ('king',), ())
    """
    head, _, tail = BRACKETS.sub(" ", fold_name(name)).partition(",")
    words = [word for word in _list_words(head) if word not in SUFFIXES]
    first = _leave_out_titles(_list_words(tail))
    is_surname = len(words) == 1 or (words != [] and PARTICLES.issuperset(words[:-1]))
    if is_surname and 0 < len(first) <= MOST_FIRST_NAMES and words[0] not in TITLES - SURNAMES:
        return (*first, *words)  # "Kennedy, John F."
    if (len(words) > 1 and words[-1] in SURNAMES and words[-2] not in TITLES) or words == ["king"]:
        return (*_leave_out_titles(words[:-1]), words[-1])
    own = _leave_out_titles(words)
    return own if len(own) > 1 else (*own, *first)  # an office or a place follows a whole name


MOST_FIRST_NAMES = 3


def _list_words(name: str) -> list[str]:
    return NAME_WORD.findall(name.replace(".", " "))


def _leave_out_titles(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(word for word in words if word not in TITLES and word not in SUFFIXES)
