"""Find the drafts for which the product ranks the quoted paragraph lowest, so that people can read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.judging import JudgedRow
from evaluation.metrics import measure_error_distance, order
from evaluation.systems import merge_scores
from quotations.text.transcript import Transcript
from reranker.fusion import FusionWeights

MOST = 20
CONTEXT_CHARACTERS = 600


@dataclass(frozen=True)
class Excerpt:
    """Hold a paragraph in three pieces: the text before, the quoted or predicted words, and the text after.

    `ordinal` is the index of the paragraph in its transcript, from 0.
    """

    ordinal: int
    before: str
    words: str
    after: str


@dataclass(frozen=True)
class Case:
    """Hold a draft, the paragraph that its writer quoted, and the paragraph that the product ranks first.

    `quoted` is the quoted paragraph that ranks best; its rank is `rank` among `of` paragraphs. `top` is the
    paragraph ranked first. `distance` is the number of paragraphs from `top` to the nearest quoted paragraph.
    """

    id: str
    title: str
    left: str
    lead_in: str
    document: str
    rank: int
    of: int
    distance: int
    quoted: Excerpt
    top: Excerpt


def list_worst_cases(
    judged: Sequence[JudgedRow],
    documents: Mapping[str, Transcript],
    weights: FusionWeights,
    most: int = MOST,
) -> list[Case]:
    """Return at most `most` drafts whose quoted paragraph ranks lowest, worst first.

    Drafts whose quoted paragraph ranks first are left out.
    """
    cases = (_make_case(row, documents[row.pair.document], weights) for row in judged)
    wrong = [case for case in cases if case.rank > 1]
    return sorted(wrong, key=lambda case: (-case.rank, case.id))[:most]


def _make_case(row: JudgedRow, transcript: Transcript, weights: FusionWeights) -> Case:
    paragraphs = transcript.paragraphs
    ranked = order(merge_scores(row, paragraphs, weights)).tolist()
    best = min(row.pair.parts, key=lambda part: ranked.index(part.ordinal))
    span = row.spans[ranked[0]]
    return Case(
        row.pair.id,
        row.pair.title,
        row.pair.left[-CONTEXT_CHARACTERS:],
        row.pair.lead_in,
        transcript.title,
        ranked.index(best.ordinal) + 1,
        len(ranked),
        measure_error_distance(ranked[0], row.relevant),
        _cut_excerpt(paragraphs, best.ordinal, best.start_char, best.end_char),
        _cut_excerpt(paragraphs, ranked[0], span.start_char, span.end_char),
    )


def _cut_excerpt(paragraphs: Sequence[str], ordinal: int, start_char: int, end_char: int) -> Excerpt:
    text = paragraphs[ordinal]
    return Excerpt(ordinal, text[:start_char], text[start_char:end_char], text[end_char:])
