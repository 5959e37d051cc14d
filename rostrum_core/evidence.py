"""Define the types of the job evidence: a claim, and the sentences that support or contradict it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Stance = Literal["supports", "contradicts", "neutral"]


@dataclass(frozen=True, slots=True)
class Claim:
    """Hold a claim: a statement without context, or a sentence of a draft with the text before it.

    `title` is the title of the draft. `before` is the text before the sentence: it says whom a "he" or "this"
    in the claim means.
    """

    text: str
    title: str = ""
    before: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceSentence:
    """Hold a sentence of the archive with its score and its stance for a claim.

    The sentence is at characters `start_char` to `end_char` of the paragraph. `paragraph` counts the
    document's paragraphs from 0, `paragraph_id` names the paragraph. `score` is the estimated probability
    that the sentence is evidence for or against the claim. `share` is the probability of the stance. Both are
    `None` if the model did not read the sentence. `share` alone is `None` if the score was lowered because
    the claim names another speaker. `start_s` is the second of the recording at which the paragraph begins.
    """

    rank: int
    document: str
    paragraph: int
    paragraph_id: str
    start_char: int
    end_char: int
    text: str
    score: float | None
    stance: Stance
    share: float | None
    title: str = ""
    speaker: str | None = None
    spoken_on: str | None = None
    url: str | None = None
    start_s: float | None = None


@dataclass(frozen=True, slots=True)
class SentenceHeat:
    """Hold the heat of a sentence, for a heat map: its score divided by the best score in the documents, 0 to
    1.
    """

    document: str
    paragraph: int
    start_char: int
    end_char: int
    heat: float


@dataclass(frozen=True, slots=True)
class EvidenceAnswer:
    """Hold the sentences for a claim, the best first, and the record of how they were chosen.

    `heat` has every sentence of the documents that the request names, in the order of these documents. It is
    empty unless the request asks for it. `read` is the number of sentences that were compared with the claim.
    `degraded` names what was skipped; `timings_s` are seconds per stage; `models` are the hashes of the
    models used. If the claim reports a person's words ("Lincoln said that ..."), and the archive has speeches
    by this person, `speaker` is the name in the claim. Sentences by other people then count for less.
    """

    sentences: tuple[EvidenceSentence, ...]
    read: int = 0
    heat: tuple[SentenceHeat, ...] = ()
    degraded: tuple[str, ...] = ()
    timings_s: dict[str, float] = field(default_factory=dict)
    models: dict[str, str] = field(default_factory=dict)
    generation: str | None = None
    speaker: str | None = None
