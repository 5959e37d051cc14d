"""Define the types for companions of a quote: repeats and printings of its words, and counter-voices.

A counter-voice is a sentence of a speech on the same point, for example a contradiction.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rostrum_core.evidence import EvidenceSentence
from rostrum_core.types import Answer

ARTICLES = "articles"
"""Name of the archive of printed articles, as `rostrum index --as articles` fills it."""

Freshness = Literal["show", "last", "leave-out"]
"""Treatments of words that were already printed: show them, put them last, or leave them out."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """Locate words that a text shares with another paragraph, of a speech or of a printed article.

    `archive` is the name of the archive that has the paragraph; `None` is the archive of speeches.
    `paragraph` counts the document's paragraphs from 0. The words are characters `start_char` to `end_char`
    of the paragraph, and characters `own_start_char` to `own_end_char` of the text in the request. `day` is
    the day on which the words were said or printed, `speaker` the person who said or wrote them, and `source`
    the medium that printed them.
    """

    archive: str | None
    document: str
    paragraph: int
    start_char: int
    end_char: int
    own_start_char: int
    own_end_char: int
    words: str
    title: str = ""
    speaker: str | None = None
    day: str | None = None
    source: str | None = None
    url: str | None = None


@dataclass(frozen=True, slots=True)
class RepeatAnswer:
    """Hold the repeats of a text: the places in archives where words of the text occur again.

    The oldest place comes first; places without a day come last.

    `archives` are the names of the archives that were searched; "" stands for the archive of speeches.
    """

    repeats: tuple[Repeat, ...]
    archives: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrintedAnswer(Answer):
    """Hold recommendations, and for each of them the places where its words were already printed, oldest
    first.
    """

    printed: tuple[tuple[Repeat, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class CounterVoices:
    """Hold sentences on the same point as a statement: `own` by the same speaker, `others` by other speakers.

    In each, contradictions come first, then the nearest sentences. If the statement has no speaker, `own` is
    empty.
    """

    own: tuple[EvidenceSentence, ...]
    others: tuple[EvidenceSentence, ...]
    degraded: tuple[str, ...] = ()
