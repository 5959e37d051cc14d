"""The forms in which transcripts print who holds the floor; `indexer.speakers` tells whether they mean it."""

from __future__ import annotations

import re

from indexer.stage_directions import TIME_CODE, is_direction
from indexer.time_codes import BRACKETED

WORD = r"[^\W\d_][^\W\d_.'’\-]*(?:['’\-][^\W\d_]+)*\.?"
NUMBER = r"(?: \d{1,2})?"  # "Speaker 2"
LEAD = rf"[ \t]*+(?P<time>{BRACKETED}[ \t]*+)?"
NAME = rf"(?P<name>(?:{WORD})(?:,? (?:{WORD})){{0,5}}{NUMBER})"
# "SEN. JOHN McCAIN (R-AZ) (laughing)"
REMARKS = r"(?:[ ](?:\([^()\n:]{1,60}\)|\[[^\[\]\n:]{1,60}\])){1,2}"
COLON = re.compile(
    rf"{LEAD}[ \t*_]*+{NAME}(?:[ ](?P<at>{BRACKETED})|{REMARKS})?"
    r":(?!//)[*_]*(?=\s|$|[“\"‘'(\[])[ \t]*\n?[ \t]*"
)
# The White House prints a question as "Q" and a gap, without a colon; the Public Papers print "Q.".
BARE_QUESTION, DOTTED_QUESTION = "Q ", "Q."
QUESTION = re.compile(LEAD + r"(?P<name>Q[ ]|Q\.(?=[ ]))[ \t]*(?=[A-Z“\"‘'(\[\d—–-])")
# Programs that take speech down print a name and a time on a line of their own.
ALONE = re.compile(
    rf"{LEAD}[ \t*_]*+{NAME}[*_]*(?P<at>[ ]{BRACKETED}|[ ]{{2,}}\d{{1,2}}:\d\d(?::\d\d)?)"
    r"[ \t*_]*(?:\n[ \t]*|$)"
)
ABBREVIATED = (
    r"(?:Adm|Amb|Capt|Cmdr|Col|Dept|Dr|Gen|Gov|Hon|Jr|Lt|Maj|Mrs?|Ms|Prof|Rep|Rev|Sen|Sgt|Sr|St"
    r"|[A-Z](?:\.[A-Z])*)\."
)
UNABBREVIATED = r"[^\W\d_]+(?:['’\-][^\W\d_]+)*"
# "The President. Good evening.": so print the Public Papers of the Presidents.
DOTTED = re.compile(
    rf"{LEAD}[ \t*_]*+(?P<name>A\.|(?:(?:{ABBREVIATED}|{UNABBREVIATED}),? ){{0,8}}"
    rf"(?!{ABBREVIATED}){UNABBREVIATED}\.)[*_]*[ \t]+(?=[A-Z“\"‘'(\[\d—–])"
)
REMARK_AT_END = re.compile(r" [(\[]([^()\[\]]+)[)\]]$")
# Not that of an abbreviation or of a letter that stands for a name.
FULL_STOP = re.compile(r"(?<!\b[JS][Rr])(?<![ .][A-Z])\.$")


def tag_at(text: str, start: int = 0) -> re.Match[str] | None:
    """What looks like a speaker tag at `start`, at the beginning of a line, with the white space after it.

    Group "name" is the name, "time" a time code before the tag that is no part of it, and "at", which not
    every form has, a time code after the name that is: "Jane Roe (00:12):".
    """
    return QUESTION.match(text, start) or COLON.match(text, start) or ALONE.match(text, start)


def opening_at(text: str, start: int = 0) -> re.Match[str] | None:
    """The same at the beginning of a paragraph, where a short sentence looks like a tag with a full stop."""
    return tag_at(text, start) or DOTTED.match(text, start)


def is_dotted(tag: re.Match[str]) -> bool:
    """Whether a full stop follows the name in place of a colon; it is part of the name then."""
    return tag.re is DOTTED or tag["name"] == DOTTED_QUESTION


def is_timed(tag: re.Match[str]) -> bool:
    """Whether a time code stands beside the name: nobody notes when a heading begins."""
    groups = tag.groupdict()
    return bool(groups.get("time") or groups.get("at") or TIME_CODE.match(tag.string, tag.end()))


def name_of(tag: str) -> str:
    """Who a tag names: the tag without colon, emphasis and stage direction; empty where it names nobody.

    >>> name_of("**MS. PSAKI:**"), name_of("Q."), name_of(">> JANE ROE (laughing):"), name_of(">>")
    ('MS. PSAKI', 'Q', 'JANE ROE', '')
    """
    bare = tag.strip("*_> ")
    name = (bare.removesuffix(":") if bare.endswith(":") else FULL_STOP.sub("", bare)).strip("*_ ")
    remark = REMARK_AT_END.search(name)
    return name[: remark.start()] if remark and is_direction(remark[1]) else name
