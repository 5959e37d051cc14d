"""Find who is said to have said a quotation, and when, by the words around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from jobs.verify.named_dates import find_date
from jobs.verify.speakers import TITLES, split_name
from quotations.meaning import MONTHS, make_word_set
from quotations.sentences import split_sentences

VERBS = (
    r"(?:sa(?:id|ys|ying)|told|tells|added|adds|declared?s?|wrote|writes|tweeted|announced|argued?s?|asked|asks"
    r"|insist(?:ed|s)|recalled|replied|responded|remark(?:ed|s)|stated|warn(?:ed|s)|promised|vowed|continued"
    r"|concluded|explain(?:ed|s)|noted|joked|quipped|claim(?:ed|s)|call(?:ed|s)|observed|acknowledged|admitted"
    r"|proclaimed|urged|pledged|testified|shouted|exclaimed|teased|boasted|bragged|predicted|complained|cautioned"
    r"|countered|retorted|reiterated|lamented|answered|began|begins|went on|cried|thundered|mused|asserted"
    r"|affirmed|maintained|contended|stressed|emphasi[sz]ed|conceded|confessed|repeated|posted|put it"
    r"|demand(?:ed|s)|spoke|speaks|read|intoned|opined|offered|hailed|praised|mocked|describe[ds]|denounced"
    r"|quote[ds]|cite[ds]|paraphrased|echoe[ds]|invoke[ds]|challenged|vented|ventured|opened|closed|ended"
    r"|like[ds]\ to\ say|been\ (?:clear|blunt|explicit)|made\ (?:it\ )?clear)"
)
WORD = r"[A-Z][^\W\d_]*(?:[.'’-][^\W\d_]+)*\.?"
NAME = rf"(?P<name>{WORD}(?:\ (?:{WORD}|of|de|van|von|bin|al)){{0,5}})"
ROLE_NOUN = (
    r"(?:[Pp]resident|[Ss]enator|[Cc]ongressman|[Cc]ongresswoman|[Gg]overnor|[Cc]andidate|[Nn]ominee|[Mm]inister"
    r"|[Ss]ecretary|[Ll]eader|[Cc]hancellor|[Mm]ayor|[Bb]illionaire|[Ll]awmaker|[Rr]epresentative"
    r"|(?:[Aa]ttorney\ )?[Gg]eneral|[Pp]rosecutor"
    r"|[Jj]udge|[Ll]ady|[Ss]peaker|Republican|Democrat)"
)
PRONOUN = (
    r"(?P<pronoun>\b(?:[Hh]e|[Ss]he|[Tt]hey|[Tt]he\ (?:(?:then-)?(?:former|same|new|newly\ elected|young"
    r"|younger|outgoing|incoming|late|future|current|sitting|aging|vice|[Vv]ice|first|[Ff]irst|prime|[Pp]rime"
    rf"|American|\d+(?:st|nd|rd|th)|US|U\.S\.)[\ -])*(?:[A-Z][a-z]+\ ){{0,2}}{ROLE_NOUN})\b)"
)
WHO = rf"(?:{PRONOUN}|{NAME})"
APPOSITION = (
    r"(?:\ \([^()]{1,30}\))?(?:,(?:(?!\ (?:he|she|they)\ )[^,.;:“”\"]{1,80},)?)?"
    r"(?:\ (?:in|at|from)\ (?:the\ )?[A-Z][\w.’'-]*(?:\ [A-Z][\w.’'-]*){0,3})?"
    r"(?:\ (?!(?:he|she|they)\b)[a-z]+){0,3}?"
)
AIDE = (
    r"(?:spokes\w+|aides?|advis[eo]rs?|allies|ally|lawyers?|attorneys?|donors?|supporters?|critics?|strategists?"
    r"|managers?|directors?|officials?|surrogates?|delegates?|pollsters?|biographers?|historians?|opponents?|rivals?"
    r"|friends?|sons?|daughters?|wife|husband|widow|brother|sister|mother|father|campaign|team|office|staff|camp"
    r"|predecessors?|successors?|press\ secretary|chief\ of\ staff|running\ mate|speechwriters?|fans|voters)"
)
"""Nouns of those who speak for a person, or about one: "Obama spokesman", "Obama's wife"."""

AFTER = [
    re.compile(rf"^[^.!?;:“”\"]{{1,60}}?\bquot(?:ed|es|ing)\ {WHO}\ as\ (?:saying|telling)\b"),
    re.compile(rf"^\s*\((?:in\ )?{NAME}(?:,[^()]{{1,60}})?\)"),
    re.compile(rf"^[\s,.!?…—–-]*{VERBS}\ [^.!?;:“”\"]{{0,60}}?\b{AIDE},?\ {NAME}"),
    re.compile(rf"^[\s,.!?…—–-]*[^.!?;:“”\"]{{0,60}}?\b{AIDE},?\ {NAME},?\ {VERBS}\b"),
    re.compile(rf"^[\s,.!?…—–-]*{VERBS}\ {WHO}"),
    re.compile(rf"^[\s,.!?…—–-]*(?:as\ )?{WHO}{APPOSITION}\ {VERBS}\b"),
    re.compile(rf"^[\s,.!?…—–-]*(?:according\ to|in\ the\ words\ of)\ {WHO}"),
    re.compile(rf"^[\s,.!?…]*[—–-]+\s*{NAME}\s*(?:[,(?]|\ (?:at|in|on|to)\ |$)"),
]
WORK = (
    r"(?:lines?|words?|phrases?|quotes?|quip|remarks?|speech|address|warning|promise|pledge|dictum|motto|maxim"
    r"|slogan|inaugural|farewell|eulogy|testimony|verdict|conclusion|answer|response|reply|comment"
    r"|State\ of\ the\ Union|declaration|claim|boast|plea|vow|book|letter|memoir)"
)
"""Nouns of what somebody said or wrote: "Kennedy's line about the poor"."""

BEFORE = [
    re.compile(rf"{WHO}{APPOSITION}\ {VERBS}\b[^.!?“”\"]{{0,90}}$"),
    re.compile(rf"(?:[Aa]ccording\ to|[Ii]n\ the\ words\ of)\ {WHO}[^.!?“”\"]{{0,60}}$"),
    re.compile(rf"^\W*{NAME}(?:,[^,.;:]{{1,60}},)?\ [a-z][^.!?“”\":]{{0,60}}:\s*$"),  # Lincoln knew it:
    re.compile(rf"^\W*{NAME},[^.!?;:“”\"]{{1,80}}:\s*$"),  # Lincoln, two years later:
    re.compile(
        rf"quot(?:ed|es|ing)\ (?:{WHO}|(?P<object>him|her))\ as\ (?:saying|telling)\b[^.!?“”\"]{{0,60}}$"
    ),
    re.compile(
        rf"{NAME}(?<=[’']s)\ (?:[^.!?“”\":;]{{0,60}}?\ )?{WORK}\b[^.!?“”\"]{{0,80}}$"
    ),  # his words on it
]
OWNED = re.compile(rf"(?:\ [a-z-]+){{0,2}}\ {AIDE}\b")
"""The words after a name that make somebody else the subject: "Obama spokesman"."""

NO_SUBJECT = re.compile(
    r"\b(?:for|of|in|at|on|to|by|from|against|with|about|than|near|between)\ (?:the\ |then-)?$"
)
"""The word before a name that is no subject: "a spokesman for Obama said"."""
ADDRESSES = r"(?:told|tells|asked|asks|urged|warned|reminded|assured)"
LEADS_IN = re.compile(rf"(?::|\bthat|{VERBS},?|{ADDRESSES}\ [^,.;:“”\"]{{1,60}},?)\s*$")
"""The end of words that lead up to a quotation and to nothing else."""

INTRODUCED = re.compile(r"[^.!?“”\"«„]{0,90}[“\"«„]")
"""The words from a verb to the next quotation, which the verb leads up to."""

CONTINUED = [
    re.compile(rf"[”\"»]\s+{tag}[^.!?“”\"]{{0,60}}\.\s*$")
    for tag in (rf"{VERBS}\ {WHO}", rf"{WHO}{APPOSITION}\ {VERBS}\b")
]
"""The end of a sentence that closes with an attribution, before a quotation without one of its own."""

OTHER_WORDS = re.compile(r"\s+that\b(?!\s+(?:day|night|morning|afternoon|evening|week|month|year|time)\b)")
"""The word after a verb that reports other words than the quotation before it."""

LABEL = re.compile(rf"(?:^|[\s(])(?<!\bthe ){NAME}\s*(?:\([^()]{{1,40}}\)\s*)?[:—–]\s*$")
ITEM = re.compile(r"\n(?=\s*(?:[*•-]|\d+[.)])\s)")
"""The line break before an item of a list."""

QUOTED = re.compile(r"“[^“”]*”|«[^«»]*»")
QUOTING = (
    r"(?:quot(?:ed|es|ing)|cit(?:ed|es|ing)|paraphras(?:ed|es|ing)|echo(?:ed|es|ing)|invok(?:ed|es|ing))"
)
ADDRESSED = re.compile(rf"\b(?:{ADDRESSES}|{QUOTING}|to|with)\s+$")
"""The word before the name of somebody who is spoken to, or quoted."""

RELAYS = re.compile(
    rf"\b(?:{QUOTING}|recit(?:ed|es|ing)|read(?:ing)?\ (?:from|out|aloud)|used\ to\ (?:say|tell)"
    r"|recall(?:ed|s|ing)|recount(?:ed|s|ing)|retold|relay(?:ed|s|ing)|imitat(?:ed|es|ing)|mimick(?:ed|ing)|mock(?:ed|s|ing)"
    r"|had\ (?:told|asked|urged|warned)|(?:would|will)\ say)\b"
)
"""Words by which a writer says that the speaker repeats somebody else's words."""

QUOTED_PERSON = re.compile(rf"\b{QUOTING}\ {NAME}")
RELAYED_TO = re.compile(rf"\bhad\ {ADDRESSES}\ [^,.;:“”\"]{{1,60}}\s$")
"""The end of words that lead up to what a speaker says others had told him: "critics had urged him to"."""

WORKS = re.compile(rf"[’']s\ [^“”\"]{{0,60}}?{WORK}\b")
BY_NAME = re.compile(
    r"\b(?:according\ to|[Ii]n\ the\ words\ of|quoting|quoted)\ (?:the\ |then-)?$", re.IGNORECASE
)
LONGEST_ACRONYM: Final = 4
LONE_NAME = re.compile(
    rf"(?<![\w.])(?<!\b[Ii]n )(?<!\b[Aa]t )(?<!\b[Oo]f )(?<!from )(?:(?<=ccording to )|(?<!\bto )){NAME}"
)
PLACED = frozenset(("In", "At", "On", "Near", "Across"))
"""Words before the name of a place, at the beginning of a sentence."""

NO_NAMES = make_word_set("""
the a an in on at but and so if when while as after before he she it they we i his her
    their this that these those there then now not what who how why monday tuesday wednesday thursday friday
    saturday sunday yes no well for to from with of or by one americans american democrats republicans
    congress house senate white even only also later earlier asked speaking once still here today yesterday
    tonight both my our your like unlike again next instead across near two three four five six ten some many
    most few several all critics supporters opponents aides officials reporters journalists voters protesters
    activists progressives conservatives liberals lawmakers experts analysts observers historians economists
    allies advisers police claim claims quote fact note question answer verdict rating headline source caption
    update correction slide page photo q a er sie wir ich il elle el ella""")
LOOKED_BACK: Final = 1500  # characters in which the person of a pronoun is named


@dataclass(frozen=True, slots=True)
class Attribution:
    """The named speaker of a quotation, and the day, month or year that is named; or `None`.

    `others` are persons who may be meant as well: those whom a pronoun may stand for, and whom the speaker
    quotes. With `is_relayed` the draft says that the speaker repeats somebody else's words.
    """

    speaker: str | None = None
    said_on: str | None = None
    others: tuple[str, ...] = ()
    is_relayed: bool = False


def find_attribution(
    before: str,
    after: str,
    *,
    printed_on: str | None = None,
    is_known: Callable[[str], bool] = lambda _: False,
    ends_sentence: bool = False,
) -> Attribution:
    """Return who is said to have said what stands between `before` and `after`, and when.

    If the quotation `ends_sentence`, a name that follows and leads up to another quotation is that one's. A
    pronoun stands for the person who was named last; of several, one whom the archive knows (`is_known`).

    >>> find_attribution("In May 2016, Sen. Ted Cruz told reporters that", "and left.")
    Attribution(speaker='Sen. Ted Cruz', said_on='2016-05', others=(), is_relayed=False)
    >>> find_attribution("Kennedy spoke in Berlin. ", ", he said in 1963.").speaker
    'Kennedy'
    >>> find_attribution("Lincoln knew it: ", "").speaker
    'Lincoln'
    >>> find_attribution("Reagan told Gorbachev: ", " Lincoln said that").speaker
    'Reagan'
    """
    own, paragraph = _read_own_sentence(before), ITEM.split(after.split("\n\n", 1)[0])[0]
    following = _read_rest_of_sentence(after)
    match = leading = _find_last(own, is_known)
    tag = _find_following(paragraph if ends_sentence else following, ends_sentence)
    if leading is None or not LEADS_IN.search(own) or (tag and RELAYED_TO.search(own)):
        match = tag or leading
    if match is None and not own.strip():
        match = _find_first(CONTINUED, before.rsplit("\n\n", 1)[-1])
    if ends_sentence and tag is None:
        following = ""  # another sentence, with a day of its own
    meant = _find_persons(match, before, is_known) if match else []
    names = list(meant)
    names += [name for item in QUOTED_PERSON.finditer(own) if (name := _parse_name(item["name"]))]
    said_on = find_date(own, printed_on) or find_date(following, printed_on)
    if said_on is None and match is not None and match is tag and match[0].rstrip().endswith(")"):
        said_on = find_date(f"in {match[0].partition(',')[2].strip(' )')}", printed_on)
    if tag is not None and match is tag and leading is not None:
        names += _find_persons(leading, before, is_known)  # "Roosevelt praised “...”, Nixon said"
    is_relayed = bool(RELAYS.search(f"{own} {following}")) or len(names) > len(meant)
    others = dict.fromkeys(name for name in names[1:] if name != names[0])
    return Attribution(names[0] if names else None, said_on, tuple(others), is_relayed)


def _find_first(patterns: Iterable[re.Pattern[str]], text: str) -> re.Match[str] | None:
    matches = (match for pattern in patterns for match in pattern.finditer(text))
    return next(filter(_is_subject, matches), None)


def _is_subject(match: re.Match[str]) -> bool:
    """Return whether the name of a match is that of who speaks, not of somebody whose aide or wife does."""
    if not match["name"]:
        return True
    text, (start, end) = match.string, match.span("name")
    is_owner = match["name"].endswith(("’s", "'s")) and not WORKS.search(match[0])
    is_owner &= re.match(r"\ (?:was|is|were)\b", text[end:]) is None  # "Biden's was a call for unity: ..."
    is_object = NO_SUBJECT.search(text, 0, start) and not BY_NAME.search(text, 0, start)
    return not is_owner and not is_object and OWNED.match(text, end) is None


def _find_following(text: str, is_new: bool) -> re.Match[str] | None:
    """Return the attribution that `text` begins with, unless it reports other words.

    If it `is_new`, a sentence of its own, it may lead up to the next quotation.
    """
    match = _find_first(AFTER, text)
    if match is None or OTHER_WORDS.match(text, match.end()):
        return None
    return None if is_new and INTRODUCED.match(text, match.end()) else match


def _find_last(own: str, is_known: Callable[[str], bool]) -> re.Match[str] | None:
    """Return the attribution nearest to the quotation that `own` leads up to."""
    result = [match for pattern in BEFORE for match in pattern.finditer(own) if _is_subject(match)]
    result += [match for match in LABEL.finditer(own) if _is_label(match, is_known)]
    return max(result, key=lambda match: match.start(), default=None)


def _is_label(match: re.Match[str], is_known: Callable[[str], bool]) -> bool:
    """Return whether a name before a colon labels who speaks: no addressee, and no topic such as "AI:"."""
    name = match["name"]
    is_topic = name.isupper() and len(name) <= LONGEST_ACRONYM and not is_known(name)
    is_heading = _parse_name(name) is None and name.casefold() not in ("he", "she", "they")
    before = match.string[: match.start("name")]
    return not is_topic and not is_heading and not ADDRESSED.search(before) and not NO_SUBJECT.search(before)


def _find_persons(match: re.Match[str], before: str, is_known: Callable[[str], bool]) -> list[str]:
    """Return who is meant by the name or pronoun of a match, and after them who may be."""
    name, groups = match["name"], match.groupdict()
    if name and (stripped := _parse_name(name)):
        return [stripped]
    if name or groups.get("pronoun") or groups.get("object"):
        text = before[-LOOKED_BACK:].replace(groups.get("pronoun") or "\0", " ")
        return _find_last_names(text, is_known)
    return []


def _find_last_names(text: str, is_known: Callable[[str], bool]) -> list[str]:
    """Return the persons named in `text`, the last one first; only those that are known if there are any."""
    text = QUOTED.sub(" ", text)
    names = [name for match in LONE_NAME.finditer(text) if (name := _parse_name(match["name"]))]
    details = [name for name in names if is_known(name)]
    return list(dict.fromkeys(reversed(details or names)))


def _parse_name(text: str) -> str | None:
    """Return a name without the words before it that begin a sentence; `None` where none is left."""
    words, article = text.split(), False
    if words and words[0] in PLACED and not text.endswith(("’s", "'s")):
        return None
    while words and words[0].strip(".,'’").casefold() in NO_NAMES:
        article = words[0].casefold() == "the"
        words = words[1:]
    while words and words[-1].casefold() in ("of", "de", "van", "von", "bin", "al"):
        words = words[:-1]
    if "of" in words[1:] and words[words.index("of") - 1].casefold() not in TITLES:
        words = words[words.index("of") + 1 :]  # "Fans of Lincoln", but "Secretary of State Kerry"
    name = " ".join(words).rstrip(".,")
    parts = split_name(name)
    is_title = article and {word.casefold() for word in words} <= TITLES
    if not parts or parts[-1] in NO_NAMES or parts[-1] in MONTHS or is_title or len(parts[-1]) < 2:
        return None
    return name.removesuffix("’s").removesuffix("'s")


def _read_own_sentence(before: str) -> str:
    """Return the sentence that leads up to a quotation, in the paragraph of the quotation."""
    paragraph = ITEM.split(before.rsplit("\n\n", 1)[-1])[-1]
    ranges = split_sentences(f"{paragraph}“X")
    return paragraph[ranges[-1][0] :] if ranges else paragraph


def _read_rest_of_sentence(after: str) -> str:
    paragraph = ITEM.split(after.split("\n\n", 1)[0])[0]
    ranges = split_sentences(f"x{paragraph}")
    return paragraph[: ranges[0][1] - 1] if ranges else paragraph


LAST_NARRATION = re.compile(r"[,.?!…—-][\"”]\s+([^\"“”]{3,80})$")
OPENED = re.compile(r"[\"“]")
NARRATION = re.compile(r"[,.?!…—-][\"”']{1,2}\s+([^\"“”]{3,160}?)\s*[\"“]")


def split_narration(quote: str) -> tuple[str, ...]:
    """Return the pieces of a quotation without the attribution that its writer put between or after them.

    >>> split_narration('We go on," Kennedy said in Houston. "We do not stop.')
    ('We go on,', 'We do not stop.')
    >>> split_narration('We go on," he said.'), split_narration('He said "no," and Kennedy said so.')
    (('We go on,',), ('He said "no," and Kennedy said so.',))
    """
    pieces, start = [], 0
    for match in NARRATION.finditer(quote):
        if _is_attribution(match[1]):
            pieces.append(quote[start : match.start() + 1])
            start = match.end()
    rest = quote[start:].strip()
    last = LAST_NARRATION.search(rest)
    if last and _is_attribution(last[1]) and not OPENED.search(rest[: last.start()]):
        rest = rest[: last.start() + 1]
    return (*pieces, rest)


def _is_attribution(narration: str) -> bool:
    return find_attribution("Somebody Else spoke. ", narration).speaker is not None


def make_name_test(names: Iterable[str]) -> Callable[[str], bool]:
    """Return a function that checks whether the last name of a name is that of one of `names`."""
    people = [parts for name in names if (parts := split_name(name))]
    lasts = {parts[-1] for parts in people} | {
        "".join(part[0] for part in parts) for parts in people if len(parts) > 1
    }
    return lambda name: bool(parts := split_name(name)) and parts[-1] in lasts
