"""Find the speaker and the date that a draft names for a quotation, in the words around the quotation."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from jobs.verify.attribution_patterns import (
    ADDRESSED,
    AFTER,
    APPOSED,
    BEFORE,
    BY_NAME,
    CONTINUED,
    FOREIGN_PRONOUNS,
    HEADING_LINE,
    INTRODUCED,
    ITEM,
    LABEL,
    LEADS_IN,
    LONE_NAME,
    NO_CERTAIN_NAME,
    NO_NAMES,
    NO_SUBJECT,
    OTHER_WORDS,
    OWNED,
    PLACED,
    QUOTED,
    QUOTED_PERSON,
    RELAYED_TO,
    RELAYS,
    WORKS,
)
from jobs.verify.named_dates import find_date
from quotations.names.person_names import TITLES, split_name
from quotations.text.meaning import MONTHS
from quotations.text.sentences import split_sentences

HEADING = re.compile(r"[A-Z]{4,}\.")  # "ANALYSIS. Trump said"
LONGEST_ACRONYM: Final = 4
LOOKED_BACK: Final = 1500  # characters in which the person of a pronoun is named


@dataclass(frozen=True, slots=True)
class Attribution:
    """Hold the speaker to whom a draft attributes a quotation, and `said_on`, the day, month or year.

    A part that the draft does not name is `None`. `others` are other persons who may be meant: possible
    referents of a pronoun such as "he", or persons whom the speaker quotes. `is_relayed` is true if the draft
    says that the speaker repeats somebody else's words.
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
    """Return the attribution of a quotation that stands between the texts `before` and `after`.

    If `ends_sentence` is true, the quotation ends a sentence. A name after it may then introduce the next
    quotation, and such a name is ignored. A pronoun refers to the person named last, preferably to a person
    for whom `is_known` returns true. `printed_on` is the day of the draft, to which words such as "on Monday"
    relate.

    >>> find_attribution("In May 2016, Sen. Ted Cruz told reporters that", "and left.")
    Attribution(speaker='Sen. Ted Cruz', said_on='2016-05', others=(), is_relayed=False)
    >>> find_attribution("John Kennedy spoke in Berlin. ", ", he said in 1963.").speaker
    'John Kennedy'
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
    """Return whether the name or pronoun in a match is the subject of its sentence, the person who speaks.

    A name is no subject if it follows a preposition ("a spokesman for Obama said") or if it is an owner
    ("Obama's aide said").
    """
    text = match.string
    if not match["name"]:
        start, end = match.span("pronoun") if match.groupdict().get("pronoun") else (0, 0)
        return not _is_object(text, start) and OWNED.match(text, end) is None
    name, (start, end) = match["name"], match.span("name")
    if " " not in name and _parse_name(name) is None and name.casefold() not in FOREIGN_PRONOUNS:
        return False  # "The" of "The sign said"
    is_owner = name.endswith(("’s", "'s")) and not WORKS.search(match[0])
    is_owner &= re.match(r"\ (?:was|is|were)\b", text[end:]) is None  # "Biden's was a call for unity: ..."
    return not is_owner and not _is_object(text, start) and OWNED.match(text, end) is None


def _is_object(text: str, start: int) -> bool:
    """Return whether a preposition before the name at `start` shows that this person is not the speaker.

    An example is "a spokesman for Obama said". After "according to" or similar words, the result is false,
    because the person is the speaker.
    """
    return NO_SUBJECT.search(text, 0, start) is not None and BY_NAME.search(text, 0, start) is None


def _find_following(text: str, is_new: bool) -> re.Match[str] | None:
    """Find an attribution at the beginning of the text after a quotation, such as ", Kennedy said".

    Return `None` if the attribution belongs to the words after it: "Lincoln said that ...". If `is_new` is
    true, the text begins a new sentence. Then also return `None` if the attribution introduces the next
    quotation.
    """
    match = _find_first(AFTER, text)
    if match is None or OTHER_WORDS.match(text, match.end()):
        return None
    return None if is_new and INTRODUCED.match(text, match.end()) else match


def _find_last(own: str, is_known: Callable[[str], bool]) -> re.Match[str] | None:
    """Return the last attribution, such as "Kennedy said", in `own`.

    `own` is the unfinished sentence that introduces a quotation.
    """
    result = [match for pattern in BEFORE for match in _find_each(pattern, own) if _is_subject(match)]
    result += [match for match in LABEL.finditer(own) if _is_label(match, is_known)]
    return max(result, key=lambda match: match.start(), default=None)


def _find_each(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """Yield all matches of a pattern, even overlapping ones; each begins at another name or pronoun.

    In "Nixon said so; Carter said", one match begins with "Nixon" and another with "Carter".
    """
    start = 0
    while (match := pattern.search(text, start)) is not None:
        yield match
        pronoun = match.end("pronoun") if "pronoun" in match.groupdict() else -1
        start = max(match.end("name"), pronoun, match.start() + 1)


def _is_label(match: re.Match[str], is_known: Callable[[str], bool]) -> bool:
    """Return whether a name before a colon is the label of a speaker, as in "Kennedy: “We go.”".

    It is no label if it is a topic ("AI:") or the name of the person addressed ("Reagan told Gorbachev:").
    """
    name = match["name"]
    is_topic = name.isupper() and len(name) <= LONGEST_ACRONYM and not is_known(name)
    is_heading = _parse_name(name) is None and name.casefold() not in ("he", "she", "they")
    before = match.string[: match.start("name")]
    return not is_topic and not is_heading and not ADDRESSED.search(before) and not NO_SUBJECT.search(before)


def _find_persons(match: re.Match[str], before: str, is_known: Callable[[str], bool]) -> list[str]:
    """Return the persons whom an attribution, such as "he said", may mean, the most likely first.

    A pronoun may mean each person who is named in the text before it.
    """
    name, groups = match["name"], match.groupdict()
    if name and (stripped := _parse_name(name)):
        return [stripped]
    if groups.get("pronoun") and (apposed := APPOSED.match(match.string, match.end("pronoun"))):
        return [person] if (person := _parse_name(apposed["name"])) else []
    if name or groups.get("pronoun") or groups.get("object"):
        if groups.get("pronoun") and before.endswith(match.string):
            before = before[: len(before) - len(match.string) + match.start("pronoun")]
        return _find_last_names(before[-LOOKED_BACK:], is_known)
    return []


def _find_last_names(text: str, is_known: Callable[[str], bool]) -> list[str]:
    """Return the persons named in `text`, the last one first.

    If `is_known` is true for some of these persons, only those are returned. Otherwise, persons whose names
    are certain (see `_find_names`) come first. If no name is certain, the result is empty.
    """
    names = [*_find_names(text)][::-1]
    if archived := [name for name, _ in names if is_known(name)]:
        return list(dict.fromkeys(archived))
    is_certain = make_name_test(name for name, certain in names if certain)
    ranked = sorted((name for name, _ in names), key=is_certain, reverse=True)
    return list(dict.fromkeys(ranked)) if ranked and is_certain(ranked[0]) else []


def _find_names(text: str) -> Iterator[tuple[str, bool]]:
    """Yield each name in `text` outside quotations, and whether it is certain that it is a name.

    A single word may have its capital for another reason if it is the first word of a sentence ("People
    met") or follows an article ("the Council"). So may all words of a heading.
    """
    unquoted = QUOTED.sub(lambda match: " " * len(match[0]), text)
    headings = {match.start() for match in HEADING_LINE.finditer(text)}
    for start, end in split_sentences(text):
        for match in LONE_NAME.finditer(unquoted, start, end):
            if name := _parse_name(match["name"]):
                lead = ITEM.split(text[start : match.start("name") + match["name"].index(name)])[-1]
                yield name, start not in headings and (" " in name or not NO_CERTAIN_NAME.search(lead))


def _parse_name(text: str) -> str | None:
    """Return the name of a person in a text without the words before it: "But Kennedy" -> "Kennedy".

    Return `None` if no name remains.
    """
    words, article = text.split(), False
    if words and words[0] in PLACED and not text.endswith(("’s", "'s")):
        return None
    while words and (words[0].strip(".,'’").casefold() in NO_NAMES or HEADING.fullmatch(words[0])):
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
    """Return the unfinished sentence at the end of `before`, which introduces a quotation."""
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
    """Split a quotation at attributions inside or after it, such as `," he said, "`, and return the quoted
    pieces.

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
    """Return a function that checks whether a name has the same last name as one of `names`.

    The function also accepts the initials of one of `names`: "JFK" for "John F. Kennedy".
    """
    people = [parts for name in names if (parts := split_name(name))]
    lasts = {parts[-1] for parts in people} | {
        "".join(part[0] for part in parts) for parts in people if len(parts) > 1
    }
    return lambda name: bool(parts := split_name(name)) and parts[-1] in lasts
