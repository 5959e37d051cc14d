"""Recognise lines in the head of a transcript that list participants or authors instead of speech."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from indexer.tag_names import is_capitalised
from indexer.vocabulary import ROSTERS

KEYWORDS = re.compile(r"(?i)(?:summary )?key ?words:?")
# Labels of one person. They are tags as well: only a name may follow.
ONE = re.compile(
    r"(?i)(?:hosted by|host|guest|interviewed by|interviewer|interviewee|panell?ist|facilitator|introduced by"
    r"|moderated by):[*_]*\s+(?P<name>\S.*)"
)
CREDIT = re.compile(r"(?i)(?:author|editor|producer|transcriber):[*_]*\s+\S.*")
CLOCK = re.compile(r"\d{1,2}:\d\d")  # a line with a time is a turn
SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*$")
LONGEST_ROSTER_NAME = 6
ROSTER = re.compile(
    r"[\W_]*(?P<head>[A-Za-z]+)[*_]*(?::[*_]*[ \t]+|[ \t:*_]*\n[ \t]*)(?P<names>\S[^\n:]{2,300})"
)
ROSTER_HEAD = re.compile(r"[\W_]*(?:{})\b".format("|".join(sorted(ROSTERS))), re.IGNORECASE)
NAMES_APART = re.compile(r"[,;•|]|\band\b")
BRACKETS = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


def is_roster(line: str) -> bool:
    """Return whether a line lists participants or authors of the transcript after a label.

    >>> is_roster("PARTICIPANTS: Mayor Jane Roe; Sam Doe"), is_roster("author: Web Editor")
    (True, True)
    >>> is_roster("MODERATOR: Good evening."), is_roster("Present: a bridge, a road and a toll")
    (False, False)
    """
    bare = _strip_emphasis(line)
    if one := ONE.fullmatch(bare):
        return is_list_below("Participants", one["name"])
    return bool(parse_roster(line)) or (CREDIT.fullmatch(bare) is not None and not SENTENCE_END.search(line))


def is_list_below(label: str, line: str) -> bool:
    """Return whether `line` lists names or keywords below `label`, a line such as "SPEAKERS".

    >>> is_list_below("SUMMARY KEYWORDS", "bridge, town, years")
    True
    >>> is_list_below("SPEAKERS", "Jane Roe, Sam Doe"), is_list_below("SPEAKERS", "We came here.")
    (True, False)
    """
    if SENTENCE_END.search(line) or CLOCK.search(line):
        return False
    if KEYWORDS.fullmatch(_strip_emphasis(label)):
        return True
    return bool(parse_roster(f"{label}\n{line}")) and not parse_roster(label)


def collect_rosters(blocks: Iterable[str]) -> list[str]:
    """Return the names in the lists of participants among the blocks (paragraphs) of a document."""
    return [name for block in blocks for name in parse_roster(block)]


def join_labels(lines: Iterable[str]) -> Iterator[str]:
    """Yield each line of names below a label such as "SPEAKERS", joined with the label; skip other lines."""
    label: str | None = None
    for line in lines:
        if ROSTER_HEAD.match(line):
            label = line
        elif label and parse_roster(f"{label}\n{line}"):
            yield f"{label}\n{line}"
        else:
            label = None


def parse_roster(text: str) -> list[str]:
    """Return the names on a line that lists participants; empty for any other line.

    >>> parse_roster("PARTICIPANTS: Mayor Jane Roe; Sam Doe"), parse_roster("MODERATOR: Good evening.")
    (['Mayor Jane Roe', 'Sam Doe'], [])
    """
    match = ROSTER.match(text) if ROSTER_HEAD.match(text) else None
    if not match or match["head"].lower() not in ROSTERS or match["names"].rstrip()[-1] in ".?!…":
        return []
    names = [name.strip() for name in NAMES_APART.split(BRACKETS.sub("", match["names"]))]
    names = [name for name in names if name]
    fits = all(is_capitalised(name) and len(name.split()) <= LONGEST_ROSTER_NAME for name in names)
    return names if fits and any(len(name.split()) > 1 for name in names) else []


def _strip_emphasis(line: str) -> str:
    return line.strip("*_ \t")
