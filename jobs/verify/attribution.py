"""Find who is said to have said a quotation, and when, by the words around it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from indexer.dates import parse_day
from jobs.verify.speakers import TITLES, split_name
from quotations.meaning import MONTHS, make_word_set
from quotations.sentences import split_sentences

VERBS = (
    r"(?:sa(?:id|ys|ying)|told|tells|added|adds|declared?s?|wrote|writes|tweeted|announced|argued?s?|asked|asks"
    r"|insist(?:ed|s)|recalled|replied|responded|remark(?:ed|s)|stated|warn(?:ed|s)|promised|vowed|continued"
    r"|concluded|explain(?:ed|s)|noted|joked|quipped|claim(?:ed|s)|call(?:ed|s)|observed|acknowledged|admitted"
    r"|proclaimed|urged|pledged|testified|shouted|exclaimed|teased|boasted|bragged|predicted|complained|cautioned"
    r"|countered|retorted|reiterated|lamented|answered|began|begins|went on|cried|thundered|mused|asserted"
    r"|affirmed|maintained|contended|stressed|emphasi[sz]ed|conceded|confessed|repeated|posted|put it)"
)
WORD = r"[A-Z][^\W\d_]*(?:[.'’-][^\W\d_]+)*\.?"
NAME = rf"(?P<name>{WORD}(?:\ (?:{WORD}|of|de|van|von|bin|al)){{0,5}})"
PRONOUN = (
    r"(?P<pronoun>\b(?:[Hh]e|[Ss]he|[Tt]hey|[Tt]he\ (?:then-)?(?:former\ |vice\ |first\ |prime\ )?"
    r"(?:president|senator|congressman|congresswoman|governor|candidate|nominee|minister|secretary|leader|chancellor"
    r"|mayor|billionaire|lawmaker|representative|general|judge|lady|speaker))\b)"
)
WHO = rf"(?:{NAME}|{PRONOUN})"
APPOSITION = r"(?:,(?:[^,.;:“”\"]{1,80},)?)?(?:\ [a-z]+){0,3}?"
AFTER = [
    re.compile(rf"^[\s,.!?…—–-]*{VERBS}\ {WHO}"),
    re.compile(rf"^[\s,.!?…—–-]*{WHO}{APPOSITION}\ {VERBS}\b"),
    re.compile(rf"^[\s,.!?…—–-]*(?:according\ to|in\ the\ words\ of)\ {WHO}"),
    re.compile(rf"^[\s,.!?…]*[—–-]+\s*{NAME}\s*(?:[,(]|$)"),
]
BEFORE = [
    re.compile(rf"{WHO}{APPOSITION}\ {VERBS}\b[^.!?“”\"]{{0,90}}$"),
    re.compile(rf"(?:[Aa]ccording\ to|[Ii]n\ the\ words\ of)\ {WHO}[^.!?“”\"]{{0,60}}$"),
    re.compile(rf"^\W*{NAME}(?:,[^,.;:]{{1,60}},)?\ [a-z][^.!?“”\":]{{0,60}}:\s*$"),  # Lincoln knew it:
]
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

LABEL = re.compile(rf"(?:^|[\s(]){NAME}\s*(?:\([^()]{{1,40}}\)\s*)?[:—–]\s*$")
QUOTED = re.compile(r"“[^“”]*”|«[^«»]*»")
ADDRESSED = re.compile(rf"\b(?:{ADDRESSES}|to|with)\s+$")
"""The word before the name of somebody who is spoken to."""

LONE_NAME = re.compile(
    rf"(?<![\w.])(?<!\b[Ii]n )(?<!\b[Aa]t )(?<!\b[Oo]f )(?<!from )(?:(?<=ccording to )|(?<!\bto )){NAME}"
)
NO_NAMES = make_word_set("""
the a an in on at but and so if when while as after before he she it they we i his her
    their this that these those there then now not what who how why monday tuesday wednesday thursday friday
    saturday sunday yes no well for to from with of or by one americans american democrats republicans
    congress house senate white""")
MONTH = "|".join(sorted((name.capitalize() for name in MONTHS), key=len, reverse=True))
DATED = re.compile(
    rf"\b(?:[Oo]n|[Ii]n|of|[Ff]rom|[Ll]ast|[Ss]ince|[Dd]uring)\ (?:(?:early|late|mid|the|his|her)[\ -])?"
    rf"(?:(?P<full>(?:{MONTH})\.?\ \d{{1,2}}(?!\d)(?:st|nd|rd|th)?(?:,?\ \d{{4}})?)"
    rf"|(?P<month>(?:{MONTH}))\.?(?:,?\ (?P<year>\d{{4}}))?|(?P<only>(?:1[789]|20)\d\d)\b"
    r"|(?P<weekday>Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday))"
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
LOOKED_BACK: Final = 1500  # characters in which the person of a pronoun is named


@dataclass(frozen=True, slots=True)
class Attribution:
    """The named speaker of a quotation, and the day, month or year that is named; or `None`."""

    speaker: str | None = None
    said_on: str | None = None


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
    Attribution(speaker='Sen. Ted Cruz', said_on='2016-05')
    >>> find_attribution("Kennedy spoke in Berlin. ", ", he said in 1963.").speaker
    'Kennedy'
    >>> find_attribution("Lincoln knew it: ", "").speaker
    'Lincoln'
    >>> find_attribution("Reagan told Gorbachev: ", " Lincoln said that").speaker
    'Reagan'
    """
    own, paragraph = _read_own_sentence(before), after.split("\n\n", 1)[0]
    following = _read_rest_of_sentence(after)
    match = leading = _find_last(own)
    tag = _find_following(paragraph if ends_sentence else following, ends_sentence)
    if leading is None or not LEADS_IN.search(own):
        match = tag or leading
    if match is None and not own.strip():
        match = _find_first(CONTINUED, before.rsplit("\n\n", 1)[-1])
    if ends_sentence and tag is None:
        following = ""  # another sentence, with a day of its own
    speaker = _find_person(match, before, is_known) if match else None
    return Attribution(speaker, _find_date(f"{own} {following}", printed_on))


def _find_first(patterns: Iterable[re.Pattern[str]], text: str) -> re.Match[str] | None:
    return next(filter(None, (pattern.search(text) for pattern in patterns)), None)


def _find_following(text: str, is_new: bool) -> re.Match[str] | None:
    """Return the attribution that `text` begins with, unless it reports other words.

    If it `is_new`, a sentence of its own, it may lead up to the next quotation.
    """
    match = _find_first(AFTER, text)
    if match is None or OTHER_WORDS.match(text, match.end()):
        return None
    return None if is_new and INTRODUCED.match(text, match.end()) else match


def _find_last(own: str) -> re.Match[str] | None:
    """Return the attribution nearest to the quotation that `own` leads up to."""
    result = [match for pattern in BEFORE for match in pattern.finditer(own)]
    labels = LABEL.finditer(own)
    result += [match for match in labels if not ADDRESSED.search(own[: match.start("name")])]
    return max(result, key=lambda match: match.start(), default=None)


def _find_person(match: re.Match[str], before: str, is_known: Callable[[str], bool]) -> str | None:
    name = match["name"]
    if name and (stripped := _parse_name(name)):
        return stripped
    groups = match.groupdict()
    if groups.get("pronoun") or name:
        return _find_last_name(before[-LOOKED_BACK:], is_known)
    return None


def _find_last_name(text: str, is_known: Callable[[str], bool]) -> str | None:
    text = QUOTED.sub(" ", text)
    names = [name for match in LONE_NAME.finditer(text) if (name := _parse_name(match["name"]))]
    details = [name for name in names if is_known(name)]
    return next(reversed(details or names), None)


def _parse_name(text: str) -> str | None:
    """Return a name without the words before it that begin a sentence; `None` where none is left."""
    words, article = text.split(), False
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
    paragraph = before.rsplit("\n\n", 1)[-1]
    ranges = split_sentences(f"{paragraph}“X")
    return paragraph[ranges[-1][0] :] if ranges else paragraph


def _read_rest_of_sentence(after: str) -> str:
    paragraph = after.split("\n\n", 1)[0]
    ranges = split_sentences(f"x{paragraph}")
    return paragraph[: ranges[0][1] - 1] if ranges else paragraph


def _find_date(text: str, printed_on: str | None) -> str | None:
    match = DATED.search(text)
    if match is None:
        return None
    if match["only"]:
        return match["only"]
    today = date.fromisoformat(printed_on) if printed_on else None
    if match["weekday"]:
        return _resolve_weekday(match["weekday"], today)
    if match["month"]:
        return _resolve_month(match["month"], match["year"], today)
    return _resolve_day(match["full"], today)


def _resolve_weekday(name: str, today: date | None) -> str | None:
    if today is None:
        return None
    return (today - timedelta((today.weekday() - WEEKDAYS.index(name)) % 7)).isoformat()


def _resolve_month(name: str, year: str | None, today: date | None) -> str | None:
    number = [*dict.fromkeys(MONTHS.values())].index(MONTHS[name.casefold()]) + 1
    if year is None and today is None:
        return None
    chosen = int(year) if year else _resolve_year(number, 1, today)
    return f"{chosen:04d}-{number:02d}"


def _resolve_year(month: int, day: int, today: date | None) -> int:
    """Return the year of the last such day that is not after `today`."""
    if today is None:
        return 1
    return today.year if (month, day) <= (today.month, today.day) else today.year - 1


def _resolve_day(text: str, today: date | None) -> str | None:
    if not re.search(r"\d{4}", text):
        if today is None:
            return None
        month = MONTHS[re.split(r"[. ]", text, maxsplit=1)[0].casefold()]
        number = [*dict.fromkeys(MONTHS.values())].index(month) + 1
        day = int(re.search(r"\d+", text)[0])  # type: ignore[index]
        text = f"{text}, {_resolve_year(number, day, today)}"
    try:
        return parse_day(re.sub(r"(?<=\d)(?:st|nd|rd|th)", "", text).replace(".", ""))
    except ValueError:
        return None


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
    lasts = {parts[-1] for name in names if (parts := split_name(name))}
    return lambda name: bool(parts := split_name(name)) and parts[-1] in lasts
