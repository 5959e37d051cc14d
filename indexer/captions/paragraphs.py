"""Convert captions to paragraphs of running text.

A paragraph ends where the speaker changes. It also ends at the end of a sentence, if a long silence follows
or if the paragraph is long enough. In captions without sentence ends, it ends at every long silence. Later,
`indexer.paragraphs` may cut a paragraph that is too long.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from itertools import pairwise

from indexer.blocks import Aside, Block, Piece, build_block
from indexer.captions.cues import Cue
from indexer.captions.repeats import drop_repeats
from indexer.captions.turns import Turn, Utterance, split_turns
from indexer.stage_directions import find_directions
from indexer.time_codes import format_time_code
from quotations.text.abbreviations import CLOSING
from quotations.text.sentences import split_sentences

# Characters; the median paragraph of 301 transcripts of news speeches has 239 (n = 17,650).
LONG_ENOUGH = 240
# Seconds without a caption. Speakers seldom pause for more than two between sentences; applause, a question
# from the floor or the next item take longer.
LONG_SILENCE_S = 3.0
# Prose ends a sentence every 15 to 25 words; recognised speech without punctuation never does.
FEWEST_SENTENCE_ENDS = 0.01
SENTENCE_END = re.compile(rf"[.!?…][{CLOSING}]*$")

# Match whole cues that credit the makers of the captions.
CREDIT = re.compile(
    r"(?:www\.|https?://)\S+|(?:(?:sub)?titles?|captions?|captioning|captioned|subtitl(?:ed|ing)|transcri(?:pts?"
    r"|bed|ption)|translat(?:ed|ion)|synced|sync|corrections|resync)"
    r"(?:,? (?:(?:and|&) )?(?:sync(?:ed)?|corrections|corrected|translation|edited|timing))*"
    r"(?: (?:was |were )?(?:provided|created|made))?:? by\b.{1,80}",
    re.IGNORECASE,
)
SOUND = re.compile(r"[\[(][a-z][^\[\]()]{1,60}[\])]")  # a line of its own: "[door closes]"
MOST_CREDITS = 3


def build_blocks(cues: Sequence[Cue], speaker: str | None) -> list[Block]:
    """Build the paragraphs of a speech from its cues (captions).

    Names of speakers and the time of every cue become asides, which are text that is not speech. Credits such
    as "Subtitles by Jane Roe" in the first or last cues become boilerplate.
    """
    head, spoken, foot = _split_credits(cues)
    merged = split_turns(drop_repeats(spoken), speaker)
    words = [word for turn in merged for utterance in turn.utterances for word in utterance.text.split()]
    ends = sum(bool(SENTENCE_END.search(word)) for word in words)
    punctuated = ends >= FEWEST_SENTENCE_ENDS * len(words)
    return [*head, *(block for turn in merged for block in _split_turn(turn, punctuated)), *foot]


def _split_credits(cues: Sequence[Cue]) -> tuple[list[Block], Sequence[Cue], list[Block]]:
    """Split cues (captions) into the credits at the beginning, the spoken cues, and the credits at the end.

    Credits are cues such as "Subtitles by Jane Roe".
    """
    spoken = [not CREDIT.fullmatch(" ".join(line.text for line in cue.lines)) for cue in cues]
    first = next((at for at in range(min(MOST_CREDITS, len(cues))) if spoken[at]), 0)
    last = next(
        (at for at in range(len(cues), max(first, len(cues) - MOST_CREDITS), -1) if spoken[at - 1]), 0
    )
    last = last or len(cues)
    head, foot = (
        [build_block([Aside("boilerplate", " ".join(line.text for line in cue.lines))]) for cue in part]
        for part in (cues[:first], cues[last:])
    )
    return head, cues[first:last], foot


def _split_turn(turn: Turn, punctuated: bool) -> Iterator[Block]:
    starts, text = _join_utterances(turn.utterances)
    silences = set(_find_silences(turn.utterances, starts))
    cuts = _find_cuts(text, silences) if punctuated else sorted(silences)
    tag: list[Piece] = [] if turn.tag is None else [Aside("speaker", turn.tag)]
    for start, end in pairwise([0, *cuts, len(text)]):
        yield build_block([*tag, *_build_pieces(turn.utterances, starts, text, start, end)])
        tag = []


def _join_utterances(utterances: Sequence[Utterance]) -> tuple[list[int], str]:
    """Join the texts of utterances (words of captions); return the offset of each, and the joined text."""
    starts, length = [], 0
    for utterance in utterances:
        starts.append(length)
        length += len(utterance.text) + 1
    return starts, " ".join(utterance.text for utterance in utterances)


def _find_silences(utterances: Sequence[Utterance], starts: Sequence[int]) -> Iterator[int]:
    """Yield the start offsets of the utterances (words of captions) that follow a long silence.

    `starts` has the offset of each utterance in the joined text. A silence of three seconds is long.
    """
    said_s = utterances[0].cue.start_s
    for utterance, start in zip(utterances, starts, strict=True):
        if utterance.cue.start_s - said_s >= LONG_SILENCE_S:
            yield start
        said_s = max(said_s, utterance.cue.start_s, utterance.cue.end_s or 0)


def _find_cuts(text: str, silences: set[int]) -> Iterator[int]:
    """Yield the offsets in a speaker's words at which a sentence begins a new paragraph.

    A sentence begins one after a long silence, or if the current paragraph is long enough. `silences` has
    the offsets at which words follow a long silence.
    """
    first = 0
    begun = [start for start, _ in split_sentences(_mask_directions(text))]
    for start in begun[1:]:
        if start in silences or start - first > LONG_ENOUGH:
            yield start
            first = start


def _mask_directions(text: str) -> str:
    """Replace stage directions in the text by spaces, so that no sentence begins with a direction."""
    characters = list(text)
    for start, end, _ in find_directions(text):
        characters[start:end] = " " * (end - start)
    return "".join(characters)


def _build_pieces(
    utterances: Sequence[Utterance], starts: Sequence[int], text: str, position: int, end: int
) -> Iterator[Piece]:
    """Yield a paragraph, `text[position:end]`, in pieces: speech, and asides, which are not speech.

    `text` joins the words of all `utterances`; `starts` has the offset of each utterance in it. The
    timing of each cue (caption) is an aside before the first word of the cue. An utterance that is only a
    sound, such as "[door closes]", is an aside, too.
    """
    shown: Cue | None = None
    within = slice(bisect_left(starts, position), bisect_left(starts, end))
    for utterance, start in zip(utterances[within], starts[within], strict=True):
        if SOUND.fullmatch(utterance.text):
            yield text[position:start]
            yield Aside("stage", utterance.text)
            position = start + len(utterance.text)
        if utterance.cue is shown:
            continue
        yield text[position:start]
        yield Aside("time", format_time_code(utterance.cue.start_s, utterance.cue.end_s))
        # the space keeps an opening quote from attaching to the word before
        yield " "
        position, shown = max(position, start), utterance.cue
    yield text[position:end]
