"""Sentences of speeches as quotations: edited ones of the transcripts, and ones that are not among them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Any

from benchmarks.edits import EDITS, edited
from indexer.sentences import sentences
from quotations.matching import Matcher
from quotations.numbers import UNITS
from quotations.printed_quote import quoted
from quotations.transcript import Transcript
from quotations.verification import Match
from quotations.word_index import WordIndex

STRENGTHS = (0.05, 0.1, 0.2, 0.3)
EVERY_NUMBER = 0.0  # numerals have no strength
FEWEST_WORDS = 10  # of a sentence to edit; a dropped word of six leaves no quotation
MOST_WORDS = 40
SAME_PLACE = 0.5  # share of the characters of both ranges together that they have in common
Sentence = tuple[Transcript, int, int, int]


def share(part: int, of: int) -> float:
    """Percent."""
    return round(100 * part / max(1, of), 2)


def drawn(
    transcripts: Sequence[Transcript], count: int, draw: random.Random, wanted: Callable[[str], bool]
) -> list[Sentence]:
    """Sentences of `FEWEST_WORDS` to `MOST_WORDS` words that are `wanted`."""
    found: list[Sentence] = []
    while len(found) < count:
        transcript = draw.choice(transcripts)
        paragraph = draw.randrange(len(transcript.paragraphs))
        text = transcript.paragraphs[paragraph]
        for start, end in sentences(text)[:3]:
            long_enough = FEWEST_WORDS <= len(text[start:end].split()) <= MOST_WORDS
            if long_enough and wanted(text[start:end]):
                found.append((transcript, paragraph, start, end))
    return found[:count]


def found_again(found: Match, sentence: Sentence) -> bool:
    transcript, paragraph, start, end = sentence
    place = found.place
    if (place.document, place.paragraph, place.last_paragraph) != (transcript.id, paragraph, paragraph):
        return False
    common = min(end, place.end_char) - max(start, place.start_char)
    return common >= SAME_PLACE * (max(end, place.end_char) - min(start, place.start_char))


def made_edits(transcripts: Sequence[Transcript], matcher: Matcher, count: int, seed: int) -> dict[str, Any]:
    """Sentences that stand once in the transcripts, edited in one way and strength, published a day later."""
    figures: dict[str, Any] = {}
    for kind in EDITS:
        for strength in STRENGTHS if kind != "numerals" else (EVERY_NUMBER,):
            draw = random.Random(f"{seed} {kind} {strength}")
            sample = drawn(transcripts, count, draw, partial(is_told_once, matcher.index, kind))
            found = [again(matcher, sentence, kind, strength, draw) for sentence in sample]
            percents = {told: share(found.count(told), count) for told in ("recall", "elsewhere")}
            figures.setdefault(kind, {})[str(strength)] = percents
    return {"n": count, "percent": figures}


def is_told_once(index: WordIndex, kind: str, text: str) -> bool:
    """Whether three words of a sentence stand there only; to put numbers in figures, it must have one."""
    postings = index.postings(index.numbers(quoted([text]).keys))
    once = bool(postings) and len(postings[0][1]) == 1
    return once and (kind != "numerals" or not UNITS.keys().isdisjoint(text.split()))


def again(matcher: Matcher, sentence: Sentence, kind: str, strength: float, draw: random.Random) -> str:
    """Whether an edited sentence is found where it stands ("recall"), elsewhere, or not at all ("")."""
    other_words = " ".join(sentence[0].paragraphs).split()
    quote = edited(text_of(sentence), kind, strength, draw, other_words)
    found = matcher.match([quote], day_after(sentence[0].spoken_on))
    if not isinstance(found, Match):
        return ""
    return "recall" if found_again(found, sentence) else "elsewhere"


def text_of(sentence: Sentence) -> str:
    transcript, paragraph, start, end = sentence
    return transcript.paragraphs[paragraph][start:end]


def day_after(spoken_on: str | None) -> str:
    return (date.fromisoformat(spoken_on or "") + timedelta(days=1)).isoformat()


def strange(
    others: Sequence[Transcript], transcripts: Sequence[Transcript], matcher: Matcher, count: int, seed: int
) -> dict[str, Any]:
    """Sentences of speeches that are not among the transcripts, dated as if they were of their days."""
    draw = random.Random(f"{seed} strange")
    found = 0
    for sentence in drawn(others, count, draw, bool):
        published = day_after(draw.choice(transcripts).spoken_on)
        found += isinstance(matcher.match([text_of(sentence)], published), Match)
    return {"n": count, "found": found, "percent": share(found, count)}
