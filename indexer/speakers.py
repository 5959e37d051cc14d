"""Speaker tags at the start of a line: which of the words before a colon name who holds the floor.

A tag with a title or a role in capitals ("MR. KIRBY:", "THE PRESIDENT:", "Q:") is believed at once. Others
need company, since "Fact:", "First:" and "Mr. President:" (whom a speech may begin by addressing) look
the same: a name in capitals needs another tag or a second turn, a name in small letters three turns and
another speaker, or a dialogue around it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from indexer.vocabulary import LINKS, NO_NAMES, OFFICES, ROLES, TITLES, VOCATIVES

WORD = r"[^\W\d_][^\W\d_.'’\-]*(?:['’\-][^\W\d_]+)*\.?"
TAG = re.compile(
    rf"[ \t*_]*(?P<name>(?:{WORD})(?:,? (?:{WORD})){{0,5}}):(?!//)[*_]*(?=\s|$|[“\"‘'(\[])[ \t]*\n?[ \t]*"
)
# The White House prints a question as "Q" and a gap, without a colon.
BARE_QUESTION = "Q "
QUESTION = re.compile(r"[ \t]*(?P<name>Q[ ])[ \t]*(?=[A-Z“\"‘'(\[\d—–-])")
LONGEST_CAPITAL_NAME = 3
DIALOGUE_SHARE, DIALOGUE_TURNS = 0.2, 5


def name_of(tag: str) -> str:
    """Who a tag names: the tag without colon and emphasis.

    >>> name_of("**MS. PSAKI:**"), name_of("Q")
    ('MS. PSAKI', 'Q')
    """
    return tag.strip("*_ ").removesuffix(":").strip("*_ ")


def tag_at(text: str, start: int = 0) -> re.Match[str] | None:
    """What looks like a speaker tag at `start`, with the white space after it; group "name" is the name."""
    return TAG.match(text, start) or QUESTION.match(text, start)


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
    company = bool(sure)
    likely = {name for name in turns if name in sure or _is_likely(name, turns, company)}
    return frozenset(likely | _in_dialogue(turns, likely, len(lines)))


def _is_sure(name: str, speaker: str | None) -> bool:
    words = _words(name)
    if name == BARE_QUESTION or not _in_capitals(name) or " ".join(words) in VOCATIVES:
        return False
    return name == "Q" or (len(name) > 1 and _is_titled(words)) or words[-1:] == _words(speaker or "")[-1:]


def _is_likely(name: str, turns: Counter[str], company: bool) -> bool:
    words = _words(name)
    if name == BARE_QUESTION or _is_titled(words):
        return company or turns[name] > 1
    if NO_NAMES.intersection(words):
        return False
    if _in_capitals(name):
        return len(words) <= LONGEST_CAPITAL_NAME and (company or turns[name] > 1)
    recurring = sum(count > 1 for count in turns.values())
    return _is_capitalised(name) and turns[name] > 2 and recurring > 1


def _is_titled(words: list[str]) -> bool:
    """A title with a name or an office alone, or a role: "mr kirby", "the president", "audience member"."""
    bare = words[1:] if words[0] in ("the", "a", "an") and len(words) > 1 else words
    if bare[-1] in ROLES or OFFICES.intersection(bare[-1:]):
        return not NO_NAMES.intersection(bare[:-1]) or bare[0] in ("first", "second")
    titled = bare[0] in TITLES or OFFICES.intersection(bare[1:2])
    return bool(titled) and len(bare) > 1 and not NO_NAMES.intersection(bare[1:])


def _in_dialogue(turns: Counter[str], names: set[str], lines: int) -> set[str]:
    """In a dialogue, those too who speak once: two or three words with capitals."""
    if sum(turns[name] for name in names) < max(DIALOGUE_TURNS, DIALOGUE_SHARE * lines):
        return set()
    return {name for name in turns if _is_full_name(name)}


def _is_full_name(name: str) -> bool:
    return _is_capitalised(name) and 2 <= len(name.split()) <= 3 and not NO_NAMES.intersection(_words(name))


def _in_capitals(name: str) -> bool:
    """The last word in capitals, but for the small letters of "McCAIN" and "Al-SABAH"."""
    return re.sub(r"^(?:Ma?c|Al-|[DO]['’])(?=[A-Z])", "", name.split()[-1]).isupper()


def _is_capitalised(name: str) -> bool:
    return name[:1].isupper() and all(word[:1].isupper() or word in LINKS for word in name.split())


def _words(name: str) -> list[str]:
    return [word.strip(".,").lower() for word in name.split()]
