"""Find the speaker of each caption by voice tags ("<v Jane Roe>"), marks of a change (">>"), and names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from indexer.captions.cues import Cue, CueLine
from indexer.speaker_tags import Form, Tag, find_any_name, is_in_capitals, parse_tag
from indexer.speakers import Floor, judge
from indexer.tag_names import may_name

# ">>" marks a change of speaker, and so does a dash at the start of a line: "- Who paid?".
CHANGE = re.compile(r"(?P<arrows>>>+)|^(?P<dash>[-–—‐])[ ]?(?=[\"“‘'(\[¿¡♪]*[A-Z0-9À-Þ])", re.MULTILINE)
# Shares of the cues that begin with a name, and that have any text before a colon, if each cue has a name.
NAMED_SHARE, COLON_SHARE = 0.5, 0.9
SOMEBODY = ""  # the tag if a file does not state who speaks from here on


@dataclass(frozen=True, slots=True)
class Utterance:
    """Hold words of one cue (a caption), and the speaker tag before them, such as ">>", if there is one."""

    text: str
    cue: Cue
    tag: str | None = None


@dataclass(slots=True)
class Turn:
    """Hold consecutive words of one speaker in captions.

    `tag` is the speaker's name in the file. It is `None` if no speaker is named, and `SOMEBODY` if the
    speaker changes without a name.
    """

    tag: str | None
    utterances: list[Utterance] = field(default_factory=list)


def split_turns(cues: Sequence[Cue], speaker: str | None) -> list[Turn]:
    """Split cues (captions) into turns, each with consecutive words of one speaker, in order.

    `speaker` is the speaker of the document, if known.
    """
    merged: list[Turn] = []
    for utterance in _name_speakers(list(_split_utterances(cues)), speaker):
        if utterance.tag is not None or not merged:
            merged.append(Turn(utterance.tag))
        merged[-1].utterances.append(utterance)
    return merged


def _split_utterances(cues: Sequence[Cue]) -> Iterator[Utterance]:
    """Yield the words of the cues (captions) in pieces, each with at most one speaker tag before it.

    Each line begins a new piece, and so does a mark such as ">>", which indicates another speaker. A voice
    tag ("<v Jane Roe>") applies to its own cue only.
    """
    floor: str | None = None
    for cue in cues:
        for line in cue.lines:
            yield from _split_line(line, cue, floor)
            floor = line.voice if not CHANGE.search(line.text) else None


def _split_line(line: CueLine, cue: Cue, floor: str | None) -> Iterator[Utterance]:
    changes = list(CHANGE.finditer(line.text))
    ends = [*(change.start() for change in changes), len(line.text)]
    tag = None if line.voice == floor else (line.voice or SOMEBODY)
    yield from _make_utterance(line.text[: ends[0]], cue, tag)
    for change, end in zip(changes, ends[1:], strict=True):
        yield from _make_utterance(line.text[change.end() : end], cue, change[0].strip())


def _make_utterance(text: str, cue: Cue, tag: str | None) -> Iterator[Utterance]:
    if text.strip() or tag:
        yield Utterance(text.strip(), cue, tag)


def _name_speakers(utterances: Sequence[Utterance], speaker: str | None) -> Iterator[Utterance]:
    """Yield the utterances (words of captions), with a speaker's name at the beginning moved to `tag`.

    "Jane Roe: So." becomes the tag "Jane Roe:" and the text "So.". A doubtful name stays in the text. If such
    an utterance has no tag yet, it gets the tag `SOMEBODY`, an unknown speaker.
    """
    floor = judge(_join_candidates(utterances), speaker)
    loose = _is_named_throughout(utterances, floor)
    for utterance in utterances:
        tag = parse_tag(utterance.text) or (find_any_name(utterance.text) if loose else None)
        if tag and (loose or _is_believed(tag, utterance, floor)):
            printed = utterance.text[tag.start : tag.end].strip()
            change = f"{utterance.tag or ''} {printed}".strip()
            yield replace(utterance, text=utterance.text[tag.text_start :], tag=change)
        elif tag and utterance.tag is None and tag.name in floor.doubted:
            yield replace(utterance, tag=SOMEBODY)
        else:
            yield utterance


def _is_believed(tag: Tag, utterance: Utterance, floor: Floor) -> bool:
    """Return whether a possible name at the beginning of an utterance is accepted as a speaker tag.

    An utterance is words of a caption. `floor` has the speakers that were recognised in the captions as a
    whole; their names are accepted. Any other possible name is accepted after a mark of change (">>"), or if
    it is in capitals before a colon ("JANE ROE:").
    """
    if tag.name in floor.believed:
        return True
    changes = utterance.tag is not None and CHANGE.match(utterance.tag + " A") is not None
    capitals = tag.form is Form.COLON and all(map(is_in_capitals, tag.name.split()))
    return (changes or capitals) and may_name(tag.name)


def _is_named_throughout(utterances: Sequence[Utterance], floor: Floor) -> bool:
    """Return whether nearly every caption begins with a name, as in Zoom's files.

    In such captions, any text before a colon is a name.
    """
    tags = [parse_tag(utterance.text) for utterance in utterances]
    named = sum(tag is not None and tag.name in floor.believed for tag in tags)
    colons = sum(find_any_name(utterance.text) is not None for utterance in utterances)
    return named >= NAMED_SHARE * len(utterances) and colons >= COLON_SHARE * len(utterances)


def _join_candidates(utterances: Sequence[Utterance]) -> Iterator[str]:
    """Join utterances (words of captions) to texts, each of which may be the turn of one speaker.

    A new text begins with each utterance that has a speaker tag, or whose first words look like one.
    """
    waiting: list[str] = []
    for utterance in utterances:
        if waiting and (utterance.tag is not None or parse_tag(utterance.text)):
            yield " ".join(waiting)
            waiting = []
        waiting.append(utterance.text)
    yield " ".join(waiting)
