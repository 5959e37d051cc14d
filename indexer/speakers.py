"""Which of the words that open a line like a speaker tag are one, and name who holds the floor.

A tag with a title or a role in capitals ("MR. KIRBY:", "THE PRESIDENT:", "Q:"), with a number ("Speaker 2:")
or with a time code beside it is believed at once. Others need company, since "Fact:", "First:" and
"Mr. President:" (whom a speech may begin by addressing) look the same: a name in capitals needs another tag
or a second turn, a name in small letters a dialogue around it, in which tags open many of the lines. Tags
with a full stop ("The President.") look as short sentences do, so they are believed only in a document in
which "Q." or an office comes again.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from indexer.speaker_tags import ALONE, BARE_QUESTION, DOTTED_QUESTION, is_dotted, is_timed, opening_at
from indexer.vocabulary import HONORIFICS, LINKS, NO_NAMES, OFFICES, PARTICLES, ROLES, TITLES, VOCATIVES

LONGEST_CAPITAL_NAME = 3
# Tags open so many of a dialogue's lines, and are so many; in a short one more of the lines.
DIALOGUE_SHARE, DIALOGUE_TURNS = 0.2, 5
SHORT_DIALOGUE_SHARE, SHORT_DIALOGUE_TURNS = 0.5, 3


def believed(blocks: Iterable[str], speaker: str | None) -> frozenset[str]:
    r"""The names that are speaker tags in a document of these blocks.

    `speaker` is whose speech it is, where known: that name in capitals is believed at once.

    >>> blocks = ["Q: Why?\nJo Ames: So.\nFact: it rains.", "Jo Ames: Yes.", "Jo Ames: No.\nQ: Oh?"]
    >>> sorted(believed(blocks, None))
    ['Jo Ames', 'Q']
    """
    lines = [line for block in blocks for line in block.split("\n")]
    tags = [tag for line in lines if (tag := opening_at(line))]
    dotted = Counter(tag["name"] for tag in tags if is_dotted(tag))
    turns = Counter(tag["name"] for tag in tags if not is_dotted(tag) and _may_be_numbered(tag["name"]))
    timed = {tag["name"] for tag in tags if is_timed(tag) and (tag.re is not ALONE or turns[tag["name"]] > 1)}
    return _with_colon(turns, timed, speaker, len(lines)) | _with_full_stop(dotted)


def _with_colon(turns: Counter[str], timed: set[str], speaker: str | None, lines: int) -> frozenset[str]:
    sure = {name for name in turns if _is_sure(name, speaker) or (name in timed and may_name(name))}
    titles = [
        name for name in turns if turns[name] > 1 and name != BARE_QUESTION and _is_titled(_words(name))
    ]
    company = bool(sure) or len(titles) > 1
    names = {name for name in turns if name in sure or _is_likely(name, turns, company)}
    if _mostly_in_capitals(turns, names):
        return frozenset(names)
    return frozenset(names | _in_dialogue(turns, names, lines))


def _with_full_stop(turns: Counter[str]) -> frozenset[str]:
    again = {name for name in turns if turns[name] > 1}
    if DOTTED_QUESTION not in again and not any(_is_office(_words(name)) for name in again):
        return frozenset()
    named = {name for name in again if len(name.split()) > 1 and may_name(name)}
    titled = {name for name in turns if _is_titled(_words(name)) and _is_capitalised(name)}
    roles = {name for name in turns if ROLES.issuperset(_words(name)) and name[0].isupper()}
    return frozenset(name for name in named | titled | roles if not _is_address(_words(name)))


def _is_sure(name: str, speaker: str | None) -> bool:
    words = _words(name)
    if _number_of(name):
        return True
    if name == BARE_QUESTION or not _in_capitals(name) or " ".join(words) in VOCATIVES:
        return False
    return name == "Q" or (len(name) > 1 and _is_titled(words)) or words[-1:] == _words(speaker or "")[-1:]


def _is_likely(name: str, turns: Counter[str], company: bool) -> bool:
    """Whether a name in capitals, or a title or role beside sure tags, is a tag too."""
    words = _words(name)
    if name == BARE_QUESTION:
        return company or turns[name] > 1
    if _is_titled(words):
        return _is_capitalised(name) and (company or (turns[name] > 1 and _in_capitals(name)))
    if NO_NAMES.intersection(_bare(words)) or not _in_capitals(name):
        return False
    return len(words) <= LONGEST_CAPITAL_NAME and (company or turns[name] > 1)


def _mostly_in_capitals(turns: Counter[str], names: set[str]) -> bool:
    """A transcript prints its tags alike: where capitals are the rule, "Washington Post:" is a heading."""
    capital = sum(turns[name] for name in names if _in_capitals(name) and len(name) > len(BARE_QUESTION))
    small = sum(
        count for name, count in turns.items() if count > 1 and not _in_capitals(name) and may_name(name)
    )
    return capital > small


def _is_titled(words: list[str]) -> bool:
    """A title with a name or an office alone, or a role: "mr kirby", "the president", "audience member"."""
    bare = [word for word in _bare(words) if word not in PARTICLES] or words
    if bare[-1] in ROLES or OFFICES.intersection(bare[-1:]):
        return not NO_NAMES.intersection(bare[:-1]) or bare[0] in ("first", "second")
    titled = bare[0] in TITLES or OFFICES.intersection(bare[1:2])
    return bool(titled) and len(bare) > 1 and not NO_NAMES.intersection(bare[1:])


def _is_office(words: list[str]) -> bool:
    """An office that stands for who holds it: "the vice president"."""
    return words[0] == "the" and len(words) > 1 and (OFFICES | TITLES).issuperset(words[1:])


def _is_address(words: list[str]) -> bool:
    """Titles alone, by which somebody is addressed: "mr secretary", "prime minister", but not "dr king"."""
    named = words[0] in HONORIFICS and words[-1] not in OFFICES
    return (OFFICES | TITLES).issuperset(words) and not named


def _in_dialogue(turns: Counter[str], names: set[str], lines: int) -> set[str]:
    """In a dialogue, where tags open many of the lines, names in small letters are tags as well.

    Those that come again, or that are a title or two or three words.
    """
    possible = {name for name in turns if may_name(name)}
    again = {name for name in possible if turns[name] > 1}
    alike = again | {name for name in possible if 2 <= len(name.split()) <= 3 or _is_titled(_words(name))}
    long = sum(turns[name] for name in names | again) >= max(DIALOGUE_TURNS, DIALOGUE_SHARE * lines)
    short = sum(turns[name] for name in alike) >= max(SHORT_DIALOGUE_TURNS, SHORT_DIALOGUE_SHARE * lines)
    return alike if long or (again and short) else set()


def may_name(name: str) -> bool:
    """Whether a tag can be a name by its letters and words alone.

    >>> may_name("Jane Roe"), may_name("we have a plan"), may_name("First")
    (True, False, False)
    """
    return _is_capitalised(name) and not NO_NAMES.intersection(_bare(_words(name)))


def _number_of(name: str) -> str:
    """The figures at the end of "Speaker 2"; empty where there are none."""
    return name[len(name.rstrip("0123456789")) :]


def _may_be_numbered(name: str) -> bool:
    """Whether a name has no number, or is one that is told apart by it: "Speaker 2", not "Lesson 2"."""
    words = _words(name)
    return not _number_of(name) or (_is_titled(words[:-1]) and words[-2] in ROLES | {"speaker"})


def _bare(words: list[str]) -> list[str]:
    return words[1:] if words[0] in ("the", "a", "an") and len(words) > 1 else words


def _in_capitals(name: str) -> bool:
    """The last word in capitals, but for the small letters of "McCAIN" and "Al-SABAH"."""
    return re.sub(r"^(?:Ma?c|Al-|[DO]['’])(?=[A-Z])", "", name.split()[-1]).isupper()


def _is_capitalised(name: str) -> bool:
    words = name.split()
    return name[:1].isupper() and all(word[:1].isupper() or word in LINKS or word.isdigit() for word in words)


def _words(name: str) -> list[str]:
    return [word.strip(".,").lower() for word in name.split()]
