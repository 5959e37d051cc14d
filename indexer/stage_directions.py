"""Recognise stage directions and time codes in a transcript, and leave ordinary brackets alone.

A bracket is a direction only if it consists of known words, or describes a scene in a known way. So "(a law
of 1996)", "(EPA)" and "[and]" remain speech.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from indexer.time_codes import BRACKETED
from indexer.vocabulary import ACTIONS, CAPITAL_ACTIONS, EVENTS, GAPS, LOST, SETTING
from rostrum_core.types import MarkKind

Removal = tuple[int, int, MarkKind]
KNOWN = EVENTS | SETTING | GAPS | LOST

WHOLE = re.compile(
    r"""(?:in\ progress,\ )?as\ (?:interpreted|translated)(?:\ from\ \w+)? | in\ progress
    | via\ (?:tele\w+|video\w*|satellite) | (?:no\ )?(?:english\ )?(?:translation|interpretation)\ provided
    | speak(?:s|ing)\ (?:in\ )?(?:a\ |another\ )?\w+ | in\ (?:english|french|spanish|german|italian)
    | (?:said|pronounced)\ (?:in|with)\ an?\ (?:\w+\ )?accent""",
    re.IGNORECASE | re.VERBOSE,
)
# Records in two languages say which one follows. Within speech such a bracket is left alone.
LANGUAGE_NOTE = re.compile(
    r"(?i)\[(?:english|french|français|anglais|translation|traduction|interpretation|interprétation"
    r"|simultaneous translation|technical difficulty)\]"
)
# A bracket that begins with such a word is a direction, to its end: "(Zuruf von der XPÖ: Bravo!)".
ABROAD = re.compile(
    r"""(?:(?:Anhaltender|Lebhafter|Allgemeiner|Allgemeine|Große|Grans|Grandes|Fuertes|Vifs|Vivi)\ )?
    (?:Beifall|Heiterkeit|Zwischenrufe?|Zurufe?|Gegenrufe?|Unruhe|Lachen|Aplaudiments|Aplausos|Rialles|Risas
    |Risos|Rumores|Protestas|Protestos|Veus\ de\ fons|Remor\ de\ veus|[Aa]pplaudissements|Exclamations|Rires
    |Sourires|[Aa]pplausi|Commenti|Applaus|Gelach|Hilariteit|Geroffel|Oklaski|Wesołość|Potlesk|Ploskanje
    |Suosionosoituksia)\b""",
    re.VERBOSE,
)
SUBJECT = re.compile(
    r"""(?:The|An?|Another|Several|Many|Some|Members\ of|No|Air\ Force\ One|Audience|Baby
    |Reporter|Cell\ ?phone|Mrs?\.|Ms\.|Dr\.|President|Vice\ President|Prime\ Minister|Chancellor|Secretary
    |King|Queen|Executive)\ """,
    re.VERBOSE,
)
# A bracketed sentence about such a subject is a direction if one of these events happens in it.
HAPPENS = re.compile(
    r"""\b(?:(?:is|are|was|were)\ (?:signed|presented|administered|played|shown|observed|offered|given|taken
      |heard|handed|interrupted|translated|joined|admired|sworn)
    |c(?:an|ould)\ be\ heard|began\ (?:asking|speaking|singing)|continued\ (?:in|his|her|as)
    |spoke\ (?:in|briefly|as\ follows)|speaks|signs|signed\ the|offers|offered\ a|joins|enters|exits|departs?
    |departed|returns|returned\ to|moves|moved\ to|picks\ up|ma[dk]es?\ the\ sign|receives|rings|rang|sneezes
    |sneezed|cries|cried|coughed|faints|fainted|babbles|experiences|commences|concludes|resumes|begins
    |interrupts|disrupts|points|holds|crosses|gestured|gestures|shook|shakes|handed\ the|gives|greeted
    |stepped|lands|plays|drops)\b""",
    re.VERBOSE,
)
LONGEST_DIRECTION = 200
BRACKET = re.compile(rf"\(([^()\[\]]{{1,{LONGEST_DIRECTION}}})\)|\[([^()\[\]]{{1,{LONGEST_DIRECTION}}})\]")
# Captions mark music, or sung words between them, with these signs.
MUSIC = re.compile(r"\[[♩♪♫♬ ]+\]|\([♩♪♫♬ ]+\)|[♩♪♫♬]+")
TIME_CODE = re.compile(BRACKETED)
# "11:52 A.M. EDT" and "END 12:40 P.M." stand on a line of their own around a White House transcript.
TIME_LINE = re.compile(
    r"""^[ \t]*(\(?(?:END\s+)?\d{1,2}:\d\d(?::\d\d\b|[ \t]*[AP]\.?[ ]?M\b\.?)
    (?:[ \t]+(?:[A-Z]{2,4}|\(local\)|local))?\)?)[ \t]*$""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)


def find_directions(block: str) -> Iterator[Removal]:
    """Yield the ranges of stage directions and of music notes, as (start, end, "stage").

    >>> text = "Thanks. (Applause.) See (a law of 1996)."
    >>> [text[start:end] for start, end, _ in find_directions(text)]
    ['(Applause.)']
    """
    for match in BRACKET.finditer(block):
        if is_direction(match[1] or match[2]):
            yield match.start(), match.end(), "stage"
    for match in MUSIC.finditer(block):
        yield match.start(), match.end(), "stage"


def find_gaps(block: str) -> Iterator[Removal]:
    """Yield the ranges of notes on missing words or on the language: "(inaudible)", "[English]".

    The caller takes such notes as stage directions only if the block (paragraph) has no other words.
    """
    for match in BRACKET.finditer(block):
        if _is_gap(_split_words(match[1] or match[2])) or LANGUAGE_NOTE.fullmatch(match[0]):
            yield match.start(), match.end(), "stage"


def find_time_codes(block: str) -> Iterator[Removal]:
    """Yield the ranges of bracketed time codes and of lines that consist of a time, as (start, end, "time").

    >>> list(find_time_codes("12:40 P.M. EDT")), list(find_time_codes("At 12:40 P.M. we left."))
    ([(0, 14, 'time')], [])
    """
    for match in TIME_CODE.finditer(block):
        yield match.start(), match.end(), "time"
    for match in TIME_LINE.finditer(block):
        yield match.start(1), match.end(1), "time"


def is_direction(inside: str) -> bool:
    r"""Return whether the text within a bracket is a stage direction.

    >>> [is_direction(inside) for inside in ("Cheers and applause.", "The bill is signed.", "EPA", "and")]
    [True, True, False, False]
    >>> is_direction("Beifall bei der XPÖ."), is_direction("Aplaudiments.")
    (True, True)
    """
    inside = inside.rstrip("\\").strip()
    words = _split_words(inside)
    if not words or not inside[0].isalpha():
        return False
    if _is_gap(words):
        return False
    if EVENTS.intersection(words) and KNOWN.issuperset(words):
        return not _is_plain_phrase(inside, words)
    if WHOLE.fullmatch(inside.rstrip(".")) or ABROAD.match(inside):
        return True
    return _is_action(inside, words) or _is_scene(inside)


def _is_gap(words: list[str]) -> bool:
    lost = "audio" in words and LOST.intersection(words)
    return KNOWN.issuperset(words) and bool(lost or GAPS.intersection(words))


def _is_plain_phrase(inside: str, words: list[str]) -> bool:
    """Return whether words in brackets may be part of the speech, such as "(more music)" and "(a break)".

    Such words begin with an article, a preposition or "more" in lower case, and do not end with a full stop.
    """
    return (
        inside[0].islower()
        and not inside.endswith(".")
        and words[0] in ("a", "an", "the", "more", "of", "with", "by")
    )


def _is_action(inside: str, words: list[str]) -> bool:
    if words[0] in ACTIONS:
        return len(words) <= 5 or inside.endswith(".")
    return inside[0].isupper() and inside.endswith(".") and words[0] in CAPITAL_ACTIONS


def _is_scene(inside: str) -> bool:
    if not inside.endswith((".", ".”", '."')):
        return False
    if inside.startswith(("At this point, ", "Whereupon")) or (
        inside[0].isupper() and inside.endswith("as follows.")
    ):
        return True
    if any(char.isdigit() or char == ":" for char in inside):
        return False
    return bool(SUBJECT.match(inside) and HAPPENS.search(inside))


def _split_words(inside: str) -> list[str]:
    return re.findall(r"[^\W\d_][\w'’-]*|\d+|[@#$%&:/]", inside.lower())
