"""Find the person to whom a draft attributes the quote that is to follow.

The archive may have no speech by this person. Then an answer should say so, instead of offering others' words
under this name.
"""

from __future__ import annotations

import re

from quotations.cut_vocabulary import SAYING_IN_TAGS
from quotations.meaning import make_word_set
from quotations.names import GIVEN_NAMES, TITLES
from reranker.signals.named_speaker import NEAR_WORDS, read_tag
from rostrum_core.types import Draft

WORD = r"[A-Z][^\W\d_]+(?:[-’'][A-Z][^\W\d_]+)*"
NAME = rf"(?P<name>{WORD}(?:\ (?:[A-Z]\.|{WORD}|bin|de|van|von|al)){{0,3}}\ {WORD}(?:,?\ [JS]r\.)?)"
ROLE = r"(?P<role>\b[Tt]he\ (?:[a-z]+\ ){0,2}[a-z]+)"
PRONOUN = r"(?P<pronoun>\b(?:[Hh]e|[Ss]he))"
ATTRIBUTION = re.compile(
    rf"(?:{NAME}(?:,[^,.;:“”\"]{{1,80}},)?(?:\ (?!(?:he|she|who|that)\b)[a-z0-9][^\s.;:!?“”\"]*){{0,14}}?"
    rf"|{PRONOUN}(?:\ [a-z]+){{0,2}}?|{ROLE}|(?P<surname>{WORD}))\ {SAYING_IN_TAGS}\b"
)
"""Match a person, a pronoun, a role or a surname as the subject of a verb of saying."""

FULL_NAME = re.compile(NAME)
BEFORE_NAMES = TITLES | make_word_set("""
then when in at on after before while as but and the a an for with from if once yet even like today by""")
NO_PERSONS = make_word_set("""
house court department senate party state states council committee commission times post news bank street
union nations congress office university college institute association administration agency bureau service
force forces army navy journal group fund company corporation center foundation school church city county
district press network radio magazine ministry parliament assembly board republican republicans democrat
democrats americans democratic national new north south west east white united supreme world american wall
capitol pentagon treasury reserve hill today week monday tuesday wednesday thursday friday saturday sunday""")
"""Words that show that a name is not a person's."""


def find_attributed(draft: Draft) -> str | None:
    """Return the full name of the person to whom a draft attributes the quote; `None` if nobody is named in
    full, or it is open who speaks.

    A pronoun stands for the only person who is named before it.

    >>> find_attributed(Draft(left="Then Petra Olsen walked to the sea. With this, she told the crowd,"))
    'Petra Olsen'
    >>> find_attributed(Draft(left="Petra Olsen said that she was glad. The mayor said:")) is None
    True
    >>> find_attributed(Draft(left="The White House said that")) is None
    True
    """
    near = " ".join(draft.left.split()[-NEAR_WORDS:])
    text = f"{near}\n{read_tag(draft.right)}"
    matches = list(ATTRIBUTION.finditer(text))
    if not matches or matches[-1]["role"]:
        return None
    last = matches[-1]
    if last["name"]:
        return _read_person(last["name"]) or None
    persons = (_read_person(match["name"]) for match in FULL_NAME.finditer(text[: last.start()]))
    named = {person for person in persons if person and person.endswith(last["surname"] or "")}
    return named.pop() if len(named) == 1 else None


def _read_person(name: str) -> str:
    """Return a full name without title and opening words; "" if it is not a person's."""
    words = name.split()
    while words and (words[0].lower().rstrip(".") in BEFORE_NAMES or words[0].isupper()):
        words = words[1:]
    is_person = len(words) > 1 and (
        words[0].lower() in GIVEN_NAMES or NO_PERSONS.isdisjoint(map(str.lower, words))
    )
    return " ".join(words) if is_person else ""
