"""Find the person to whom a draft attributes the quote that is to follow.

If the archive has speeches by this person, these speeches come first. If it has none, the answer says so,
instead of offering words of other speakers under this person's name.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from quotations.grammar.cut_vocabulary import SAYING_IN_TAGS
from quotations.names.speaker_names import find_named, fold_words, list_names
from quotations.names.spellings import GIVEN_NAMES, TITLES
from quotations.text.meaning import make_word_set
from quotations.text.sentences import split_sentences
from reranker.signals.signal import Context
from rostrum_core.types import Draft

NEAR_WORDS = 100
"""Number of words before the place of the quote that are searched for names, in addition to the title."""

WORDS_AFTER = 12
"""Number of words after the quote that may say who spoke: "”, Vice President Harris said"."""

SAID = re.compile(r"\b(?:said|says|told|added|wrote|asked|argued|warned|declared|continued)\b")
BEFORE_DETAILS = (
    r"(?:on|in|at|to|during|as|when|after|before|of|him|them|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)"
)
AFTER_SAID = re.compile(rf"{SAID.pattern}(?:[.,;:]|\s*$|\s{BEFORE_DETAILS}\b)")
CLOSING = re.compile(r"\s*[”\"’,]")
LONGEST_WORD = 60  # characters of what runs on without a gap: names are searched from each letter
WORD = r"(?<![^\W\d_])[A-Z][^\W\d_]+(?:[-’'][A-Z][^\W\d_]+)*"
JUNIOR = r",?\ [JS]r\."
NAME = rf"(?P<name>{WORD}(?:\ (?:[A-Z]\.|{WORD}|bin|de|van|von|al)){{0,3}}\ {WORD}(?:{JUNIOR})?)"
ROLE = r"(?P<role>\b[Tt]he\ (?:[a-z]+\ ){0,2}[a-z]+)"
PRONOUN = r"(?P<pronoun>\b(?:[Hh]e|[Ss]he))"
ATTRIBUTION = re.compile(
    rf"(?:{NAME}(?:,[^,.;:“”\"]{{1,80}},)?(?:\ (?!(?:he|she|who|that)\b)[a-z0-9][^\s.;:!?“”\"]*){{0,14}}?"
    rf"|{PRONOUN}(?:\ [a-z]+){{0,2}}?|{ROLE}|(?P<surname>{WORD}))\ {SAYING_IN_TAGS}\b"
)
"""Match a person, a pronoun, a role or a surname as the subject of a verb of saying."""

INVERTED = re.compile(rf"{SAYING_IN_TAGS}\ (?:the\ )?(?P<name>{WORD}(?:\ (?:[A-Z]\.|{WORD})){{0,5}})")
"""Match a verb of saying before its subject, right after a quote: "said Vice President Kamala Harris"."""

NO_SUBJECT = re.compile(r"\b(?:of|by|to|about|with|for|against|from|than)(?:\ [Tt]he)?\ $")
"""Match what stands before a name that is no subject: "Critics of"."""

FULL_NAME = re.compile(NAME)
BEFORE_NAMES = TITLES | make_word_set("""
then when in at on after before while as but and the a an for with from if once yet even like today by""")
OPENING_MARKS, ENDING_MARKS = ' "“„«', ".!?…”»"
NO_PERSONS = make_word_set("""
house court department senate party state states council committee commission times post news bank street
union nations congress office university college institute association administration agency bureau service
force forces army navy journal group fund company corporation center foundation school church city county
district press network radio magazine ministry parliament assembly board republican republicans democrat
democrats americans democratic national new north south west east white united supreme world american wall
capitol pentagon treasury reserve hill today week monday tuesday wednesday thursday friday saturday sunday""")
"""Words that show that a name is not a person's."""


def find_attributed(draft: Draft) -> str | None:
    """Return the full name of the person to whom a draft attributes the quote.

    Return `None` if this person is not named in full, or if it is not clear who speaks. A pronoun stands for
    a person only if no other person is named in full before the pronoun.

    >>> find_attributed(Draft(left="Then Petra Olsen walked to the sea. With this, she told the crowd,"))
    'Petra Olsen'
    >>> find_attributed(Draft(left="Petra Olsen said that she was glad. The mayor said:")) is None
    True
    >>> find_attributed(Draft(left="The White House said that")) is None
    True
    """
    text = read_near(draft)
    last = _find_last(text)
    if last is None:
        return None
    if last["name"]:
        return _read_person(last["name"]) or None
    persons = (_read_person(match["name"]) for match in FULL_NAME.finditer(text[: last.start()]))
    named = {person for person in persons if person and person.endswith(last["surname"] or "")}
    return named.pop() if len(named) == 1 else None


def read_attributed(context: Context) -> dict[str, frozenset[str]]:
    """Find the candidates' speakers to whom the draft attributes the quote, as `attribute_quote` does.

    The result maps a speaker to the words by which the draft names the speaker. It is empty if
    `Context.names` is false, so that signals ignore names.
    """
    speakers = {speaker for speaker in context.candidates.speakers if speaker}
    return attribute_quote(context.draft, speakers) if context.names else {}


def attribute_quote(draft: Draft, speakers: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the speakers to whom a draft attributes the quote; empty if it is not clear who speaks.

    The result maps a speaker to the words, in lower case, by which the draft names the speaker. The speaker
    is the subject of a verb of saying ("Lincoln asked"), in the unfinished sentence before the quote or right
    after the quote. A pronoun stands for a speaker only if no other speaker is named before the pronoun.

    >>> people = ["Abraham Lincoln", "Ronald Reagan"]
    >>> list(attribute_quote(Draft(left="In 1865 Lincoln asked the nation to be kind:"), people))
    ['Abraham Lincoln']
    >>> list(attribute_quote(Draft(left="Reagan spoke last. To this crowd, he told"), people))
    ['Ronald Reagan']
    >>> attribute_quote(Draft(left="Lincoln asked the nation to be kind."), people)
    {}
    """
    before, lead = _split_lead(draft)
    if inverted := INVERTED.search(read_tag(draft.right)):
        subject = inverted["name"]
    elif (last := _find_last(lead)) is None:
        return {}
    elif last["pronoun"]:
        named = _list_speakers(before + lead[: last.start()], speakers)
        return named if len(set(named.values())) == 1 else {}
    else:
        subject = re.sub(JUNIOR, "", last["name"] or last["surname"])
    surname = fold_words(subject)[-1:]  # "Paul Ryan said" is not Rand Paul
    return {s: names for s, names in _list_speakers(subject, speakers).items() if list_names(s, surname)}


def _list_speakers(text: str, speakers: Collection[str]) -> dict[str, frozenset[str]]:
    """Return the speakers whom a text names, each with the words that name the speaker."""
    words, weights = fold_words(text), find_named(list(speakers), text).tolist()
    return {
        speaker: list_names(speaker, words)
        for speaker, weight in zip(speakers, weights, strict=True)
        if weight
    }


def read_lead(draft: Draft) -> str:
    """Return the unfinished sentence before the quote, and the words after the quote that say who spoke.

    If the draft has neither, the result is "".

    >>> read_lead(Draft(left="It rained. Petra Olsen told the crowd:"))
    'Petra Olsen told the crowd:'
    >>> read_lead(Draft(left="Petra Olsen told the crowd that it rained."))
    ''
    """
    return _split_lead(draft)[1].strip()


def _split_lead(draft: Draft) -> tuple[str, str]:
    """Split the last words before the quote into finished sentences and the unfinished sentence.

    Return both texts. The words after the quote that say who spoke (see `read_tag`) are appended to the
    second text.
    """
    near, tag = _read_before(draft).rstrip(OPENING_MARKS), read_tag(draft.right)
    bounds = split_sentences(near)
    start = bounds[-1][0] if bounds and not near.endswith(tuple(ENDING_MARKS)) else len(near)
    return near[:start], f"{near[start:]}\n{tag}"


def _find_last(text: str) -> re.Match[str] | None:
    """Return the last subject with a verb of saying in a text ("Lincoln said"), as a match of `ATTRIBUTION`.

    Return `None` if there is none, if the last one is a role ("the mayor said"), or if its name follows a
    preposition ("critics of Lincoln said").
    """
    last = max(ATTRIBUTION.finditer(text), key=lambda match: match.start(), default=None)
    if last is None or last["role"]:
        return None
    return None if NO_SUBJECT.search(text[: last.start()]) else last


def read_near(draft: Draft) -> str:
    """Return one text: the last words before the quote, and the words after the quote that say who spoke.

    At most `NEAR_WORDS` words before the quote are included.
    """
    return f"{_read_before(draft)}\n{read_tag(draft.right)}"


def read_tag(right: str) -> str:
    """Return the words right after the quote that say who spoke; "" without any.

    >>> read_tag("” Vice President Harris said. “It is late,” Senator Lee told her.")
    '” Vice President Harris said.'
    >>> read_tag("Senator Lee said that he disagreed.")
    ''
    """
    bounds = split_sentences(right)
    words = right[slice(*bounds[0])].split()[:WORDS_AFTER] if bounds else []
    first = " ".join(word[:LONGEST_WORD] for word in words)
    return first if (SAID if CLOSING.match(right) else AFTER_SAID).search(first) else ""


def _read_before(draft: Draft) -> str:
    return " ".join(word[:LONGEST_WORD] for word in draft.left.split()[-NEAR_WORDS:])


def _read_person(name: str) -> str:
    """Return a full name without titles and opening words: "When President Ann Roe" -> "Ann Roe".

    Return "" if no full name of a person remains.
    """
    words = name.split()
    while words and (words[0].lower().rstrip(".") in BEFORE_NAMES or words[0].isupper()):
        words = words[1:]
    is_person = len(words) > 1 and (
        words[0].lower() in GIVEN_NAMES or NO_PERSONS.isdisjoint(map(str.lower, words))
    )
    return " ".join(words) if is_person else ""
