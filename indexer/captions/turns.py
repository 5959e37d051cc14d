"""Who speaks in captions: voice tags, `>>` where the floor changes hands, and names before a colon."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from indexer.captions.cues import Cue
from indexer.speaker_tags import tag_at
from indexer.speakers import judge, may_name

CHANGE = re.compile(r">>+")


@dataclass(frozen=True, slots=True)
class Utterance:
    """Words of one cue, and the tag that gives somebody the floor before them, if one does."""

    text: str
    cue: Cue
    tag: str | None = None


@dataclass(slots=True)
class Turn:
    """What one speaker says in a row; `tag` is how the file says who it is, `None` where it does not."""

    tag: str | None
    utterances: list[Utterance] = field(default_factory=list)


def turns(cues: Sequence[Cue], speaker: str | None) -> list[Turn]:
    """The turns in order; `speaker` is whose speech it is, where known."""
    found: list[Turn] = []
    for utterance in _named(list(_utterances(cues)), speaker):
        if utterance.tag is not None or not found:
            found.append(Turn(utterance.tag))
        found[-1].utterances.append(utterance)
    return found


def _utterances(cues: Sequence[Cue]) -> Iterator[Utterance]:
    """The words of the cues, cut where a voice tag or `>>` gives the floor to another."""
    floor: str | None = None
    for cue in cues:
        for line in cue.lines:
            same, *others = CHANGE.split(line.text)
            yield from _said(same, cue, None if line.voice in (None, floor) else line.voice)
            floor = None if others else line.voice or floor
            for other in others:
                yield from _said(other, cue, ">>")


def _said(text: str, cue: Cue, tag: str | None) -> Iterator[Utterance]:
    if text.strip() or tag is not None:
        yield Utterance(text.strip(), cue, tag)


def _named(utterances: Sequence[Utterance], speaker: str | None) -> Iterator[Utterance]:
    """The utterances with a name before a colon as their tag, where it is believed to be one."""
    names = judge(_candidates(utterances), speaker).believed
    for each in utterances:
        found = tag_at(each.text)
        if found and (found.name in names or (each.tag == ">>" and may_name(found.name))):
            tag = f"{each.tag or ''} {found.name.strip()}:".strip()
            yield replace(each, text=each.text[found.text_start :], tag=tag)
        else:
            yield each


def _candidates(utterances: Sequence[Utterance]) -> Iterator[str]:
    """The running text, cut before everything that might be a turn."""
    waiting: list[str] = []
    for each in utterances:
        if waiting and (each.tag is not None or tag_at(each.text)):
            yield " ".join(waiting)
            waiting = []
        waiting.append(each.text)
    yield " ".join(waiting)
