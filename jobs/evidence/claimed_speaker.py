"""Find the person to whom a claim ascribes words, and weigh sentences by who says them.

"Kennedy promised that we would reach the moon" is supported by what Kennedy says, not by others who say the
same.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from jobs.evidence.job import RankedSentence
from jobs.recommend.english_words import is_common_word
from jobs.verify.speakers import is_same_person
from quotations.grammar.tagging import Word, tag_words
from quotations.names.person_names import NAME_WORD, split_name
from quotations.names.spellings import GIVEN_NAMES, TITLES
from quotations.text.meaning import MONTHS, make_word_set
from rostrum_core.names import ORGANISATION, fold_name, match_names, name_words
from rostrum_core.types import DocumentInfo

OTHERS_ODDS = 1 / 8
"""Factor for the odds of a sentence by somebody else who does not name the person: a rule, not fitted."""

WORD = r"[A-Z][^\W\d_]*(?:['’-][A-Z][^\W\d_]+)*\.?"
NAME = rf"(?P<name>{WORD}(?: (?:(?:of|de|van|von|bin|al) )?{WORD}){{0,5}})"
SAYING = (
    r"(?:sa(?:id|ys)|told|tells|declare[ds]|wrote|writes|announce[ds]|argue[ds]|claim(?:ed|s)|state[ds]|explain(?:ed|s)"
    r"|insist(?:ed|s)|promise[ds]|vow(?:ed|s)|pledge[ds]|warn(?:ed|s)|believe[ds]|thought|thinks|predict(?:ed|s)"
    r"|acknowledge[ds]|admit(?:ted|s)|conclude[ds]|suggest(?:ed|s)|stresse[ds]|assure[ds]|maintain(?:ed|s)|note[ds]"
    r"|hope[ds]|complain(?:ed|s)|reminde?[ds]?|agree[ds]|held)"
)
"""Verbs after which a clause repeats what somebody says or thinks."""

ACTING = (
    r"(?:ask(?:ed|s)|call(?:ed|s)|urge[ds]|want(?:ed|s)|demand(?:ed|s)|propose[ds]|oppose[ds]|support(?:ed|s)"
    r"|reject(?:ed|s)|denie[ds]|denounce[ds]|condemn(?:ed|s)|criticize[ds]|criticise[ds]|praise[ds]|blame[ds]"
    r"|accuse[ds]|thank(?:ed|s)|mourn(?:ed|s)|honou?r(?:ed|s)|compare[ds]|describe[ds]|quote[ds]|cite[ds]|spoke|speaks"
    r"|appeal(?:ed|s)|invite[ds]|offer(?:ed|s)|challenge[ds]|fear(?:ed|s)|doubt(?:ed|s)|recall(?:ed|s)|mention(?:ed|s)"
    r"|talked|talks|apologi[sz]e[ds]|defend(?:ed|s)|welcome[ds]|celebrate[ds]|commit(?:ted|s)|list(?:ed|s)|used)"
)
"""More verbs for what somebody does by speaking."""

ADVERBS = r"(?:(?:has|had|also|once|often|never|not|seldom|always|later|then|[a-z]+ly) )*"
TELLING = "|".join(f"(?<={verb})" for verb in ("told", "tells", "warned", "reminded", "assured", "promised"))
RECEIVER = rf"(?:{TELLING})(?: [\w.'’-]+){{1,6}}?"
SAID = re.compile(
    rf"^(?:The )?{NAME}(?:, [^,]{{1,60}},)? {ADVERBS}(?P<verb>{SAYING}|{ACTING})\b"
    rf"(?P<that>(?:{RECEIVER})? that)? "
)
ACCORDING = re.compile(rf"^(?:According to|In the words of) (?:the )?{NAME}, ")
AT_END = re.compile(rf",? (?:as )?{NAME} {ADVERBS}(?:said|says|argued|argues|put it|wrote)\.?$")
THIRD_PERSON = re.compile(
    r"^(?:he|she) (?:(?P<adverbs>(?:never|always|also|still|only|often|once) )*)"
    r"(?:(?P<verb>had(?: been)?|was|is|has|would|does)\b)?",
    re.IGNORECASE,
)
"""Match a clause that begins with the person whose words it repeats, and its verb."""

FIRST_PERSON = {
    "had": "have",
    "had been": "have been",
    "has": "have",
    "was": "am",
    "is": "am",
    "would": "will",
    "does": "do",
}
"""The verbs in the speaker's own words: "he said that he would go" reports "I will go"."""

OWN_PRONOUNS = {"he": "I", "she": "I", "him": "me", "his": "my", "himself": "myself", "herself": "myself"}
PRONOUN = re.compile(rf"\b(?:{'|'.join(OWN_PRONOUNS)})\b", re.IGNORECASE)

DOING = re.compile(rf"(?:{SAYING}|{ACTING})")

NEARBY = 40  # characters before and after a name that show whether it is one
TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
BEFORE_MONTHS = make_word_set("""
    a the in of by since until till from before after during through throughout last next this each every
    early late mid come""")
"""Words before the name of a month, if it is no name of a person: "in May", "the March on Washington"."""

COMMON_TAGS = frozenset(("NOUN", "VERB", "AUX", "ADJ", "ADV"))
"""Parts of speech of words that are no names."""

NEGATED = re.compile(
    r"\b(?:not|never|hardly|scarcely|barely|rarely|seldom|falsely|wrongly|mistakenly|erroneously)\b"
)


class ClaimedSpeaker(NamedTuple):
    """Hold the name of the person to whom a claim ascribes words, and `content`, the words that it ascribes.

    For "According to Lincoln, a house divided falls", the content is "a house divided falls".
    """

    name: str
    content: str


def read_claimed_speaker(claim: str) -> ClaimedSpeaker | None:
    """Return the person to whom a claim ascribes words; `None` if the claim names no such person.

    The content is the claim without its ascription, such as "According to Lincoln," or "Kennedy said that".
    After "said that", "he" becomes "I" (see `restore_first_person`). If the verb or a negation changes what
    the rest of the sentence means, as in "Kennedy asked", the content is the whole claim.

    >>> read_claimed_speaker("President Kennedy promised that men would land on the moon.")
    ClaimedSpeaker(name='Kennedy', content='men would land on the moon.')
    >>> read_claimed_speaker("Nixon said that he had never been a quitter.").content
    'I have never been a quitter.'
    >>> read_claimed_speaker("Reagan asked Gorbachev to open the gate.").name
    'Reagan'
    >>> read_claimed_speaker("According to Lincoln, a house divided falls.").content
    'a house divided falls.'
    >>> read_claimed_speaker("The economy has created jobs.")
    """
    if match := ACCORDING.match(claim):
        return _make(match["name"], claim[match.end() :], claim)
    if match := AT_END.search(claim):
        is_negated = NEGATED.search(match[0]) is not None
        return _make(match["name"], claim if is_negated else claim[: match.start()], claim)
    if not (match := SAID.match(claim)):
        return None
    is_clause = match["that"] is not None and re.fullmatch(SAYING, match["verb"]) is not None
    if is_clause and not NEGATED.search(match[0]):
        return _make(match["name"], restore_first_person(claim[match.end() :]), claim)
    return _make(match["name"], claim, claim)


def restore_first_person(clause: str) -> str:
    """Return the words that a clause reports, as the speaker said them: "he would go" -> "I will go".

    Only a clause that begins with "he" or "she" is changed. Later forms of "he" and "she" are then also
    changed to the first person. "her" stays unchanged, because it may be an object or a possessive.

    >>> restore_first_person("he would give his life"), restore_first_person("democracy was not perfect")
    ('I will give my life', 'democracy was not perfect')
    """
    match = THIRD_PERSON.match(clause)
    if match is None:
        return clause
    verb = match["verb"]
    if verb is not None:
        clause = clause[: match.start("verb")] + FIRST_PERSON[verb.lower()] + clause[match.end("verb") :]
    return PRONOUN.sub(lambda pronoun: OWN_PRONOUNS[pronoun[0].lower()], clause)


def _make(name: str, content: str, claim: str) -> ClaimedSpeaker | None:
    """Return a `ClaimedSpeaker` from a name, without its titles; `None` if the name is only a title.

    `content` has the words that the claim ascribes to the person. If it is blank, use the whole claim.
    """
    kept = split_name(name)
    words = [word for word in name.split() if fold_name(word.strip(".,")) in kept]
    return ClaimedSpeaker(" ".join(words), content if content.strip() else claim) if words else None


def find_speakers(name: str, infos: Iterable[DocumentInfo]) -> tuple[str, ...]:
    """Return the names of the documents' speakers who may be the person called `name`, sorted.

    If no speaker has this last name with a compatible first name, return the persons who have all words of
    `name`: "Xi" may mean "Xi Jinping".

    >>> infos = [DocumentInfo("d", "", speakers=("Xi Jinping", "John Kennedy", "Robert Kennedy"))]
    >>> find_speakers("John F. Kennedy", infos), find_speakers("Xi", infos), find_speakers("Ann", infos)
    (('John Kennedy',), ('Xi Jinping',), ())
    """
    names = sorted({speaker for info in infos for speaker in info.speakers})
    same = tuple(speaker for speaker in names if is_same_person(name, speaker))
    if same or not split_name(name):
        return same
    persons = (speaker for speaker in names if ORGANISATION.isdisjoint(name_words(speaker.split(",")[0])))
    return match_names(persons, [name])


def weigh_speakers(
    ranked: Sequence[RankedSentence],
    infos: Mapping[str, DocumentInfo],
    name: str,
    names: Collection[str] = (),
) -> list[RankedSentence]:
    """Lower the scores of sentences that are not by the person `name`, and sort the sentences again.

    `names` are the names of this person in the archive. A sentence of another speaker keeps its score if it
    names the person. Otherwise its score, a probability, is lowered by multiplying the odds by `OTHERS_ODDS`,
    and its stance becomes neutral. If any sentence has no score, no score is changed; the sentences by or
    about the person only move to the front.
    """
    weighed = [(sentence, is_about(sentence, infos, name, names)) for sentence in ranked]
    if any(sentence.score is None for sentence in ranked):
        return [sentence for sentence, _ in sorted(weighed, key=lambda pair: not pair[1])]
    lowered = [sentence if about else _lower(sentence) for sentence, about in weighed]
    return sorted(lowered, key=lambda sentence: -(sentence.score or 0.0))


def is_about(
    sentence: RankedSentence, infos: Mapping[str, DocumentInfo], name: str, names: Collection[str]
) -> bool:
    """Return whether a sentence is by the person `name`, or mentions the person's last name.

    `names` are the names of this person in the archive.
    """
    paragraph = sentence.passage.paragraph
    info = None if paragraph is None else infos.get(paragraph.document_id)
    holder = None if info is None or paragraph is None else info.find_holder(paragraph)
    if holder is not None and (holder in names or is_same_person(name, holder)):
        return True
    return is_named(name, sentence.text)


def is_named(name: str, text: str) -> bool:
    """Return whether a text mentions the last name of the person `name`.

    The name of a month does not count after words such as "in", or next to a figure. At the beginning of the
    text, where any word has a capital, a common word counts only if the next words or its part of speech show
    that it is a name.

    >>> is_named("Theresa May", "We leave in May."), is_named("Theresa May", "As May said, we leave.")
    (False, True)
    >>> is_named("Ann Grant", "Grant them peace."), is_named("Ann Grant", "Grant said that we won.")
    (False, True)
    """
    last = name.split()[-1]
    places = re.finditer(rf"\b{re.escape(last)}\b", text)
    return any(_is_name(name, text, match.start()) for match in places)


def _is_name(name: str, text: str, at: int) -> bool:
    """Return whether the last name of the person `name`, at offset `at` of a text, is a name there."""
    last, end = fold_name(name.split()[-1]), at + len(name.split()[-1])
    before = NAME_WORD.findall(fold_name(text[max(0, at - NEARBY) : at]))
    if before and (before[-1] in TITLES | GIVEN_NAMES or before[-1] in split_name(name)[:-1]):
        return True
    if not before:
        return not (last in MONTHS or is_common_word(last)) or _is_name_at_start(text)
    return last not in MONTHS or not _is_date(text[max(0, at - NEARBY) : at], text[end : end + NEARBY])


def _is_name_at_start(text: str) -> bool:
    """Return whether the first word of a text is a name there, such as "Grant" in "Grant wrote".

    A word before "'s" or before a verb that persons do is a name; so is one before "and" and another name.
    """
    first, *others = tag_words(text)
    lower, tags = [word.lower for word in others[:2]], [word.tag for word in others[:2]]
    if lower and (lower[0] == "'s" or _is_deed(others[0])):
        return True
    if first.lower in MONTHS:
        return False
    return first.tag not in COMMON_TAGS or (
        first.tag == "NOUN" and lower[:1] == ["and"] and tags[1:] == ["PROPN"]
    )


def _is_deed(word: Word) -> bool:
    """Return whether a word says what a person did: a verb of saying, or another verb in the past.

    Verbs in -s do not count, because nouns in the plural are like them: "Price rises".
    """
    if DOING.fullmatch(word.lower):
        return True
    is_past = word.lower.endswith("ed") or (word.is_finite and not word.lower.endswith("s"))
    return word.tag == "VERB" and is_past


def _is_date(before: str, after: str) -> bool:
    """Return whether the words before and after the name of a month show that it is a month."""
    earlier, later = TOKEN.findall(before.casefold()), TOKEN.findall(after.casefold())
    if DOING.fullmatch(later[0] if later else ""):
        return False
    is_near_figure = any(word[0].isdigit() for word in (*earlier[-1:], *later[:1]))
    is_list = any(len(pair) == 2 and pair[1] in MONTHS for pair in (earlier[:-3:-1], later[:2]))
    return is_near_figure or is_list or earlier[-1] in BEFORE_MONTHS


def _lower(sentence: RankedSentence) -> RankedSentence:
    score = sentence.score or 0.0
    lowered = score * OTHERS_ODDS / (1 - score + score * OTHERS_ODDS)
    return replace(sentence, score=lowered, stance="neutral", share=None)
