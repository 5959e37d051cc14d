"""Recognise lines in the head of a transcript that list who takes part or who made it, and say nothing."""

from __future__ import annotations

import re

from indexer.speakers import parse_roster

KEYWORDS = re.compile(r"(?i)(?:summary )?key ?words:?")
# Labels of one person. They are tags as well: only a name may follow.
ONE = re.compile(
    r"(?i)(?:hosted by|host|guest|interviewed by|interviewer|interviewee|panell?ist|facilitator|introduced by"
    r"|moderated by):[*_]*\s+(?P<name>\S.*)"
)
CREDIT = re.compile(r"(?i)(?:author|editor|producer|transcriber):[*_]*\s+\S.*")
CLOCK = re.compile(r"\d{1,2}:\d\d")  # a line with a time is a turn
SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*$")


def is_roster(line: str) -> bool:
    """Return whether a line names who takes part or who made the transcript, with a label before the names.

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
    """Return whether `line` is a list below a line that has only a label.

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


def _strip_emphasis(line: str) -> str:
    return line.strip("*_ \t")
