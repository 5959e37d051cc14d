"""Speaker tags at the start of a line: which of the words before a colon name who holds the floor.

A tag with a title or a role in capitals ("MR. KIRBY:", "THE PRESIDENT:", "Q:") is believed at once. Others
need company, since "Fact:", "First:" and "Mr. President:" (whom a speech may begin by addressing) look
the same: a name in capitals needs another tag or a second turn, a name in small letters a dialogue around
it, in which tags open many of the lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from indexer.time_codes import BRACKETED
from indexer.vocabulary import LINKS, NO_NAMES, OFFICES, ROLES, TITLES, VOCATIVES

WORD = r"[^\W\d_][^\W\d_.'’\-]*(?:['’\-][^\W\d_]+)*\.?"
LEAD = rf"[ \t]*+(?P<time>{BRACKETED}[ \t]*+)?"
NAME = rf"(?P<name>(?:{WORD})(?:,? (?:{WORD})){{0,5}})"
AT = rf"(?:[ ](?P<at>{BRACKETED}))?"
TAG = re.compile(rf"{LEAD}[ \t*_]*+{NAME}{AT}:(?!//)[*_]*(?=\s|$|[“\"‘'(\[])[ \t]*\n?[ \t]*")
# The White House prints a question as "Q" and a gap, without a colon.
BARE_QUESTION = "Q "
QUESTION = re.compile(LEAD + r"(?P<name>Q[ ])[ \t]*(?=[A-Z“\"‘'(\[\d—–-])")
LONGEST_CAPITAL_NAME = 3
DIALOGUE_SHARE, DIALOGUE_TURNS = 0.2, 5


def name_of(tag: str) -> str:
    """Who a tag names: the tag without colon and emphasis; empty where it names nobody.

    >>> name_of("**MS. PSAKI:**"), name_of("Q"), name_of(">> JANE ROE:"), name_of(">>")
    ('MS. PSAKI', 'Q', 'JANE ROE', '')
    """
    return tag.strip("*_> ").removesuffix(":").strip("*_ ")


def tag_at(text: str, start: int = 0) -> re.Match[str] | None:
    """What looks like a speaker tag at `start`, with the white space after it.

    Group "name" is the name, group "time" a time code that stands before the tag and is no part of it. A TAG
    has a group "at" too, for a time code before its colon: "Jane Roe (00:12):".
    """
    return QUESTION.match(text, start) or TAG.match(text, start)


def believed(blocks: Iterable[str], speaker: str | None) -> frozenset[str]:
    r"""The names that are speaker tags in a document of these blocks.

    `speaker` is whose speech it is, where known: that name in capitals is believed at once.

    >>> blocks = ["Q: Why?\nJo Ames: So.\nFact: it rains.", "Jo Ames: Yes.", "Jo Ames: No.\nQ: Oh?"]
    >>> sorted(believed(blocks, None))
    ['Jo Ames', 'Q']
    """
    lines = [line for block in blocks for line in block.split("\n")]
    turns = Counter(found["name"] for line in lines if (found := tag_at(line)))
    sure = {name for name in turns if _is_sure(name, speaker)}
    titles = [
        name for name in turns if turns[name] > 1 and name != BARE_QUESTION and _is_titled(_words(name))
    ]
    company = bool(sure) or len(titles) > 1
    names = {name for name in turns if name in sure or _is_likely(name, turns, company)}
    if _mostly_in_capitals(turns, names):
        return frozenset(name for name in names if _in_capitals(name) or turns[name] > 1)
    return frozenset(names | _in_dialogue(turns, names, len(lines)))


def _is_sure(name: str, speaker: str | None) -> bool:
    words = _words(name)
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
    bare = _bare(words)
    if bare[-1] in ROLES or OFFICES.intersection(bare[-1:]):
        return not NO_NAMES.intersection(bare[:-1]) or bare[0] in ("first", "second")
    titled = bare[0] in TITLES or OFFICES.intersection(bare[1:2])
    return bool(titled) and len(bare) > 1 and not NO_NAMES.intersection(bare[1:])


def _in_dialogue(turns: Counter[str], names: set[str], lines: int) -> set[str]:
    """In a dialogue, where tags open many of the lines, names in small letters are tags as well.

    Those that come again, or that are a title or two or three words.
    """
    possible = {name for name in turns if may_name(name)}
    again = {name for name in possible if turns[name] > 1}
    if sum(turns[name] for name in names | again) < max(DIALOGUE_TURNS, DIALOGUE_SHARE * lines):
        return set()
    return again | {name for name in possible if 2 <= len(name.split()) <= 3 or _is_titled(_words(name))}


def may_name(name: str) -> bool:
    """Whether a tag can be a name by its letters and words alone.

    >>> may_name("Jane Roe"), may_name("we have a plan"), may_name("First")
    (True, False, False)
    """
    return _is_capitalised(name) and not NO_NAMES.intersection(_bare(_words(name)))


def _bare(words: list[str]) -> list[str]:
    return words[1:] if words[0] in ("the", "a", "an") and len(words) > 1 else words


def _in_capitals(name: str) -> bool:
    """The last word in capitals, but for the small letters of "McCAIN" and "Al-SABAH"."""
    return re.sub(r"^(?:Ma?c|Al-|[DO]['’])(?=[A-Z])", "", name.split()[-1]).isupper()


def _is_capitalised(name: str) -> bool:
    return name[:1].isupper() and all(word[:1].isupper() or word in LINKS for word in name.split())


def _words(name: str) -> list[str]:
    return [word.strip(".,").lower() for word in name.split()]
