"""Find counter-voices to a statement: sentences on the same point by its speaker and by others.

A counter-voice may agree with the statement or contradict it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from jobs.evidence.finder import EvidenceFinder
from jobs.verify.speakers import is_same_person
from rostrum_core.companions import CounterVoices
from rostrum_core.evidence import Claim, EvidenceSentence
from rostrum_core.names import match_names
from rostrum_core.types import Filter

READ = 100
"""Number of sentences of an evidence answer that may become voices."""

LEAST_SCORE = 0.1
"""Least score of a sentence on the same point, unless it contradicts the statement."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Hold a statement and, if known, its speaker and the document and paragraph that contain it."""

    text: str
    speaker: str | None = None
    document: str | None = None
    paragraph: int | None = None


def find_counter_voices(
    statement: Statement,
    finder: EvidenceFinder,
    *,
    filter: Filter = Filter(),
    limit: int,
    timeout_s: float,
) -> CounterVoices:
    """Return sentences on the same point as a statement: at most `limit` by its speaker, and as many by
    others.

    Only sentences of paragraphs that pass the filter are returned.

    Raises:
        BadInput: the statement is blank, `limit` is below 1, or a name of the filter matches no speaker.
        StoreError: there is no archive, or it cannot be searched.
        ModelError: the models cannot be run in this process, or have no part for evidence.
    """
    claim, share = Claim(statement.text), timeout_s / 2
    everyone = finder.find(claim, filter=filter, limit=READ, names=False, timeout_s=share)
    own: Sequence[EvidenceSentence] = ()
    degraded = list(everyone.degraded)
    names = finder.find_speakers(statement.speaker or "")
    if filter.speakers:
        names = match_names(names, filter.speakers)
    if names:
        chosen = replace(filter, speakers=names)
        answer = finder.find(claim, filter=chosen, limit=READ, timeout_s=share)
        own = [item for item in answer.sentences if is_by(item, statement.speaker, names)]
        degraded += answer.degraded
    others = [item for item in everyone.sentences if not is_by(item, statement.speaker, names)]
    return CounterVoices(
        choose_voices(statement, own, limit),
        choose_voices(statement, others, limit),
        tuple(dict.fromkeys(degraded)),
    )


def choose_voices(
    statement: Statement, sentences: Sequence[EvidenceSentence], limit: int
) -> tuple[EvidenceSentence, ...]:
    """Choose the sentences that concern the same point as a statement, at most `limit`, with new ranks.

    Sentences that contradict the statement come first; the others follow, best score first.
    """
    near = [
        item
        for item in sentences
        if not is_statement(item, statement)
        and (item.stance == "contradicts" or (item.score or 0.0) >= LEAST_SCORE)
    ]
    near.sort(key=lambda item: (item.stance != "contradicts", -(item.score or 0.0)))
    return tuple(replace(item, rank=rank) for rank, item in enumerate(near[:limit], 1))


def is_statement(sentence: EvidenceSentence, statement: Statement) -> bool:
    """Return whether a sentence counts as the statement itself: it is from the same paragraph, or its words
    are part of the statement.

    >>> sentence = EvidenceSentence(1, "d", 0, "p", 0, 6, "We go.", 0.5, "neutral", 0.5)
    >>> is_statement(sentence, Statement("Now: we go. We said so.", document="e"))
    True
    """
    if (sentence.document, sentence.paragraph) == (statement.document, statement.paragraph):
        return True
    return normalise(sentence.text) in normalise(statement.text)


def is_by(sentence: EvidenceSentence, speaker: str | None, names: Collection[str] = ()) -> bool:
    """Return whether a sentence is by a speaker: last names are equal and first names are compatible.

    `names` are names of this speaker in the archive, such as "Xi Jinping" of "Xi".
    """
    if not speaker or not sentence.speaker:
        return False
    return sentence.speaker in names or is_same_person(speaker, sentence.speaker)


def normalise(text: str) -> str:
    """Return the letters and digits of a text in lower case, as words separated by blanks."""
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())
