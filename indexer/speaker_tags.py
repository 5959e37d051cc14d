"""Parse speaker tags, which name the speaker before a speech: "MR. ROE:", "[Jane Roe]", "Mr ROE -".

This module only recognises words that look like a tag. `indexer.speakers` decides which tags to accept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from enum import Enum

from indexer.characters import MARKS
from indexer.offices import is_office
from indexer.stage_directions import BRACKET, TIME_CODE, is_direction
from indexer.time_codes import BRACKETED, CLOCK_TIME
from indexer.vocabulary import LINKS, PLACES


class Form(Enum):
    """Enumerate the forms of speaker tags by what separates the name from the speech, such as a colon."""

    COLON = "MR. ROE:"
    QUESTION = "Q "
    TIMED_LINE = "Jane Roe  0:12"
    BRACKET = "[Jane Roe]"
    DASH = "Mr ROE -"
    FULL_STOP = "Mr. ROE."


@dataclass(frozen=True, slots=True)
class Tag:
    """Hold words that look like a speaker tag, such as "MR. ROE (laughing):", with their offsets in the text.

    `name` is the name without remarks in brackets. If the form is `FULL_STOP`, the name ends with the full
    stop: "Mr. ROE.". If the form is `QUESTION`, the name is "Q " or "Q.". `start` and `end` enclose the tag
    without surrounding white space; `text_start` is the start of the speech after it. `clock` is the range of
    a time after the name, or `None`. `remarks` are the bracketed texts after the name. `is_timed` is true if
    a time is directly before or after the tag.
    """

    form: Form
    name: str
    start: int
    end: int
    text_start: int
    clock: tuple[int, int] | None = None
    remarks: str = ""
    is_timed: bool = False

    @property
    def has_named_remark(self) -> bool:
        """Return whether the tag has a second name in brackets: "The Chair (Mr. Sam Roe)"."""
        return NAME_IN_BRACKETS.search(self.remarks) is not None

    @property
    def name_end(self) -> int:
        """Return the offset of the tag's end or, if a time follows the name, of the start of this time."""
        return self.clock[0] if self.clock else self.end


Find = Callable[[str, int, bool], Tag | None]

LETTERS = rf"[^\W\d_]+(?:[{MARKS}]+[^\W\d_]+)*[{MARKS}]*"
INITIALS = rf"(?:[^\W\d_][{MARKS}]*\.){{2,4}}"
DEGREE_LETTERS = r"[^\W\d_]{1,3}\.[^\W\d_]{1,3}\b\.?"  # "LL.M", "Ph.D."
WORD = rf"(?:{INITIALS}|{DEGREE_LETTERS}|{LETTERS}(?:(?:['’]|\.?-){LETTERS})*\.?)"
NUMBER = r"(?:[ _#]?\d{1,3}(?!\d))?"  # "Speaker 2", "SPEAKER_00"
DEGREE = r" \([A-Z]{1,4}\)(?= [^\W\d_])"  # "Mag. (FH) Jane Roe"
NAME = rf"(?P<name>{WORD}(?:(?:,? |/| & ){WORD}(?:{DEGREE})?){{0,11}}{NUMBER})"
# "SEN. JOHN McCAIN (R-AZ) (laughing)", "Mr ROE (Bridgetown—Prime Minister) (14:02)"
# "The Chair (Mr. Sam Roe (Seaside, Lib.))"
REMARKS = r"(?P<remarks>(?:[ ]?(?:\((?:[^()\n]|\([^()\n]{1,60}\)){1,80}\)|\[[^\[\]\n]{1,80}\])){0,3})"
GAP = r"[ \t]*\n?[ \t]*"
SPEECH = r"[A-ZÀ-ÖØ-ÞŁŚŹŻČŘŠŽΑ-ΩА-Я“\"‘'`(\[\d—–$£€¿¡\0-]"
COLON = re.compile(rf"{NAME}{REMARKS}[*_]*[ ]?:(?!//)[*_]*(?=[\s\0]|$|[“\"‘'(\[A-Z])(?P<gap>{GAP})")
# The White House prints a question as "Q" and a gap, without a colon; the Public Papers print "Q.".
BARE_QUESTION, DOTTED_QUESTION = "Q ", "Q."
QUESTION = re.compile(rf"(?P<name>Q[ ]|Q\.(?=[ ]))(?P<gap>[ \t]*)(?={SPEECH})")
# Transcription programs print a name and a time on a line of their own, in either order.
TIME_OF_TURN = rf"(?:{BRACKETED}|\[{CLOCK_TIME}[ ]?[AP]M\]|{CLOCK_TIME}(?:[ ]?[AP]M)?)"
TIMED_LINE = re.compile(
    rf"\[?{NAME}\]?{REMARKS}[*_]*(?P<at>[ \t]+(?:[-–—|•][ ])?{TIME_OF_TURN})(?P<gap>[ \t*_]*(?:\n[ \t]*|$))"
)
LINE_AFTER_TIME = re.compile(
    rf"(?P<at>{TIME_OF_TURN}[ \t]+(?:[-–—|•][ ])?){NAME}{REMARKS}(?P<gap>[ \t*_]*(?:\n[ \t]*|$))"
)
BRACKETED_NAME = re.compile(rf"(?:\[{NAME}\]|\((?P<round>{WORD}(?:[ ]{WORD}){{0,4}}{NUMBER})\))")
AFTER_BRACKET = re.compile(rf"(?P<colon>:?)(?P<gap>{GAP})(?=\S)")
DASH = re.compile(rf"{NAME}{REMARKS}[*_]*\.?[ ]?[-–—]{{1,2}}[*_]*(?P<gap>{GAP})(?={SPEECH})")
ABBREVIATED = (
    r"(?:Adm|Amb|Capt|Cmdr|Col|Dept|Dr|Gen|Gov|Hon|Jr|Lt|Maj|Mrs?|Ms|Prof|Rep|Rev|Sen|Sgt|Sr|St"
    r"|[A-Z](?:\.[A-Z])*)\."
)
UNABBREVIATED = rf"{LETTERS}(?:['’\-]{LETTERS})*"
# "The President. Good evening.": printed this way in the Public Papers of the Presidents and the
# Congressional Record.
FULL_STOP = re.compile(
    rf"(?P<name>A|(?:(?:{ABBREVIATED}|{UNABBREVIATED}),? ){{0,8}}(?!{ABBREVIATED}){UNABBREVIATED})"
    rf"{REMARKS}\.[*_]*(?P<gap>[ \t]+)(?={SPEECH})"
)
# Where nearly every utterance has a tag, any text before a colon is one.
ANY_NAME = re.compile(rf"(?P<name>[+(\[A-Z0-9][^\n:?!\0]{{0,60}}?)[*_]*:(?!//)[*_]*(?=\s)(?P<gap>{GAP})")
EMPHASIS = re.compile(r"[*_]*[ \t]*")
NAME_IN_BRACKETS = re.compile(rf"\({WORD}(?: {WORD}){{1,7}}\)")
TIME_OF_REMARK = re.compile(rf"[\[(]{CLOCK_TIME}[\])]")
# "Q12  Jane Roe:" in oral evidence, "1. Jane Roe (Seaside) (Lab):" in question time.
NUMBER_OF_QUESTION = re.compile(r"Q\d{1,4}\.?[ \t]+(?=[^\W\d_])|(?P<item>\d{1,3}\.[ \t]+)(?=[A-Z])")
EXAMINATION = re.compile(r"BY (?=M(?:R|S|RS|ISS)\.? |DR\.? |THE COURT)")  # "BY MS. ROE:" in a deposition
LEAD = re.compile(r"[ \t]*\0*[ \t]*")
LONGEST_TAG = 250  # characters, including remarks
DASH_AFTER_CAPITALS = re.compile(r"[A-Z]{2}[A-Z]*(?:\.|[ ]?[(\[][^()\[\]\n]*[)\]])*[*_.]*[ ]?[-–—]")
SMALL_WORDS = LINKS | PLACES | {"pro", "tempore", "hon", "y", "i", "du", "des", "zu", "und", "for", "to"}
SENTENCE_END = re.compile(r"(?:^|[.!?…:—–-][\"'”’)\]]*)\s*$")
# The number of a page, or of a speech in the records of Sweden.
PAGE_NUMBER = re.compile(r"(?:Anf\.[ \t]+)?\d{1,4}[ \t]+(?=[A-Z]{2}|[A-Z][a-z]{1,3}\.? [A-Z])")
REMARK_AT_END = re.compile(r" [(\[]([^()\[\]]+)[)\]]$")
# Exclude the full stop of an abbreviation or of an initial.
STOP_AT_END = re.compile(r"(?<!\b[JS][Rr])(?<![ .][A-Z])\.$")
IN_CAPITALS = re.compile(r"(?:Ma?c|Al-|[DO]['’])?(?=[A-Z])")


def parse_tag(text: str, start: int = 0) -> Tag | None:
    """Parse the speaker tag that may be at offset `start` of a text; return `None` if there is none.

    Time codes, stage directions and emphasis ("**") before the tag are skipped, and so are the NUL characters
    that replace removed text.

    >>> parse_tag("[00:12] Jane Roe (laughing): So.").name
    'Jane Roe'
    """
    begin, name_start, is_timed = _skip_lead(text, start)
    for find in _list_possible_forms(text, name_start):
        if tag := find(text, name_start, is_timed):
            return replace(tag, start=begin) if tag.start == name_start != begin else tag
    return _find_numbered(text, begin, is_timed)


def _find_numbered(text: str, begin: int, is_timed: bool) -> Tag | None:
    """Parse a speaker tag after the number of a page, a speech or a question: "Q12 Sam Doe:"."""
    if number := NUMBER_OF_QUESTION.match(text, begin):
        tag = _match_colon(text, number.end(), is_timed)
        return replace(tag, start=begin) if tag and (tag.remarks or not number["item"]) else None
    number = PAGE_NUMBER.match(text, begin)
    tag = _match_colon(text, number.end(), is_timed) if number else None
    return replace(tag, start=begin) if tag and is_in_capitals(tag.name.split()[-1]) else None


def find_opening(text: str, start: int = 0) -> Tag | None:
    """Parse a possible speaker tag at the beginning of a paragraph, as `parse_tag` does.

    In addition, the name may end with a full stop, as in "Mr. ROE. I rise to speak.".
    """
    tag = parse_tag(text, start)
    if tag and not is_sentence(tag.name):
        return tag
    begin, name_start, is_timed = _skip_lead(text, start)
    if not text[name_start : name_start + 1].isupper():
        return tag
    match = FULL_STOP.match(text, name_start)
    if (
        match
        and tag
        and all(word[0].isupper() for word in tag.name[match.end("name") + 1 - name_start :].split())
    ):
        return tag  # an abbreviated title within a long name: "Ministerin für Arbeit Mag. Jane Roe:"
    return _build_tag(Form.FULL_STOP, match, begin, is_timed, name=f"{match['name']}.") if match else tag


def may_begin_turn(before: str, line: str) -> bool:
    """Return whether a line begins a speaker's turn, instead of continuing the line `before` it.

    The line must begin with a speaker tag. After a line that ends a sentence, this is usually enough. After
    any other line, the name must end in capitals ("MR. ROE:") or in a digit, or have a time next to it. The
    tag "Q" of a question is also enough. A tag with a full stop ("Mr. ROE.") always needs such an ending or a
    time, and a name of two or more words.

    >>> may_begin_turn("It feeds the", "Great Lakes: they deserve it.")
    False
    >>> may_begin_turn("of the", "MR. ROE: No.")
    True
    """
    tag = find_opening(line)
    if tag is None or is_sentence(tag.name):
        return False
    is_clear = is_in_capitals(tag.name.split()[-1].strip(".")) or tag.is_timed or tag.name[-1].isdigit()
    if tag.form is Form.FULL_STOP:
        return is_clear and len(tag.name.split()) > 1
    return is_clear or tag.form is Form.QUESTION or SENTENCE_END.search(before) is not None


def is_sentence(name: str) -> bool:
    """Return whether words before a colon are a sentence instead of a name.

    A sentence has a word in lower case, other than the small words of names, such as "of". An office such as
    "La presidenta" is not a sentence.

    >>> is_sentence("There are three reasons"), is_sentence("The MINISTER OF SPORT AND RECREATION")
    (True, False)
    >>> is_sentence("La presidenta")
    False
    """
    return any(word[0].islower() and word not in SMALL_WORDS for word in name.split()) and not is_office(name)


def _list_possible_forms(text: str, at: int) -> Iterator[Find]:
    """Yield the parsers to try at offset `at` of a text; each parses one form of speaker tag.

    A fast check skips forms that are impossible there. For example, the form "Jane Roe:" needs a colon
    nearby.
    """
    first = text[at : at + 1]
    if first == "Q":
        yield _match_question
    if text.find(":", at, at + LONGEST_TAG) >= 0 and (first.isalnum() or first in "[("):
        yield _match_colon
        yield _match_timed_line
    if first and first in "[(":
        yield _match_bracket
    if first.isupper() and DASH_AFTER_CAPITALS.search(text, at, at + LONGEST_TAG):
        yield _match_dash


def find_any_name(text: str) -> Tag | None:
    """Parse any words before a colon at the beginning of a text as a speaker tag: "+1 (555) 010-0199:".

    Return `None` if there is no such colon.
    """
    begin, name_start, is_timed = _skip_lead(text, 0)
    match = ANY_NAME.match(text, name_start)
    return _build_tag(Form.COLON, match, begin, is_timed) if match else None


def is_dotted(tag: Tag) -> bool:
    """Return whether the name of a tag includes a full stop at its end, as in "Mr. ROE." and "Q."."""
    return tag.form is Form.FULL_STOP or tag.name == DOTTED_QUESTION


def is_in_capitals(word: str) -> bool:
    """Return whether a word is in capitals, allowing the lower case in "McCAIN" and "Al-SABAH".

    >>> is_in_capitals("McCAIN"), is_in_capitals("Roe")
    (True, False)
    """
    prefix = IN_CAPITALS.match(word)
    return word[prefix.end() if prefix else 0 :].isupper()


def extract_name(tag: str) -> str:
    """Return the name in a speaker tag, without colon, emphasis and stage direction; "" if there is no name.

    >>> [extract_name(tag) for tag in ("**MS. PSAKI:**", "Q.", ">> JANE ROE (laughing):", ">>")]
    ['MS. PSAKI', 'Q', 'JANE ROE', '']
    >>> [extract_name(tag) for tag in ("[SPEAKER_00]:", "HON. S. L. ROE.-", "Mr PAT ROE -")]
    ['SPEAKER_00', 'HON. S. L. ROE', 'Mr PAT ROE']
    >>> [extract_name(tag) for tag in ("Q12 Sam Doe:", "BY MS. ROE:")]
    ['Sam Doe', 'MS. ROE']
    """
    bare = " ".join(tag.split()).strip("*_> ")
    for lead in (NUMBER_OF_QUESTION, PAGE_NUMBER, EXAMINATION):
        bare = bare[match.end() :] if (match := lead.match(bare)) else bare
    name = bare.removesuffix(":") if bare.endswith(":") else STOP_AT_END.sub("", bare.rstrip("-–— "))
    name = _strip_brackets(name.strip("*_ "))
    remark = REMARK_AT_END.search(name)
    return name[: remark.start()] if remark and is_direction(remark[1]) else name


def _strip_brackets(name: str) -> str:
    """Strip brackets that enclose a whole name, "[Jane Roe]", but not those inside, "Roe (Seaside)"."""
    bare = name.strip("[]")
    if name.startswith("(") and name.endswith(")") and name.count("(") == 1:
        return name[1:-1]
    return bare if name.startswith("[") and "[" not in bare else name.lstrip("[")


def _skip_lead(text: str, start: int) -> tuple[int, int, bool]:
    """Skip time codes and stage directions before a possible tag, and return (begin, name_start, is_timed).

    The tag begins at `begin`. Its name begins at `name_start`, after any emphasis such as "**". `is_timed` is
    true if a time directly precedes the tag.
    """
    position, is_timed = start, False
    while not text[position : position + 1].isalnum():
        after = _end_of(LEAD, text, position)
        if code := TIME_CODE.match(text, after):
            position, is_timed = code.end(), True
        elif (bracket := BRACKET.match(text, after)) and is_direction(bracket[1] or bracket[2]):
            position, is_timed = bracket.end(), False
        else:
            return after, _end_of(EMPHASIS, text, after), is_timed
    return position, position, is_timed


def _end_of(pattern: re.Pattern[str], text: str, position: int) -> int:
    match = pattern.match(text, position)
    return match.end() if match else position


def _match_question(text: str, begin: int, is_timed: bool) -> Tag | None:
    match = QUESTION.match(text, begin)
    return _build_tag(Form.QUESTION, match, begin, is_timed) if match else None


def _match_colon(text: str, begin: int, is_timed: bool) -> Tag | None:
    match = COLON.match(text, begin)
    return _build_tag(Form.COLON, match, begin, is_timed) if match else None


def _match_timed_line(text: str, begin: int, is_timed: bool) -> Tag | None:
    if match := TIMED_LINE.match(text, begin):
        at = match.start("at") + len(match["at"]) - len(match["at"].lstrip(" \t-–—|•"))
        return _build_tag(Form.TIMED_LINE, match, begin, True, clock=(at, match.end("at")))
    if match := LINE_AFTER_TIME.match(text, begin):
        return _build_tag(Form.TIMED_LINE, match, match.start("name"), True)
    return None


def _match_bracket(text: str, begin: int, is_timed: bool) -> Tag | None:
    match = BRACKETED_NAME.match(text, begin)
    after = AFTER_BRACKET.match(text, match.end()) if match else None
    if match is None or after is None:
        return None
    form = Form.COLON if after["colon"] else Form.BRACKET
    name = match["name"] or match["round"]
    return Tag(form, name, begin, after.end("colon"), after.end(), is_timed=is_timed)


def _match_dash(text: str, begin: int, is_timed: bool) -> Tag | None:
    match = DASH.match(text, begin)
    if match is None or not is_in_capitals(match["name"].split()[-1].rstrip(".")):
        return None
    return _build_tag(Form.DASH, match, begin, is_timed, name=match["name"].rstrip("."))


def _build_tag(
    form: Form,
    match: re.Match[str],
    begin: int,
    is_timed: bool,
    *,
    name: str | None = None,
    clock: tuple[int, int] | None = None,
) -> Tag:
    remarks = match.groupdict().get("remarks") or ""
    end = match.start("gap") if match["gap"].strip(" \t\n") == "" else match.end()
    if clock is None and (codes := list(TIME_OF_REMARK.finditer(remarks))):
        clock = match.start("remarks") + codes[-1].start(), end
    timed = is_timed or clock is not None or TIME_CODE.match(match.string, match.end()) is not None
    return Tag(form, name or match["name"], begin, end, match.end(), clock, remarks, timed)
