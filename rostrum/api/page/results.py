"""Find what the page Write shows for a draft: quotes, evidence, counter-voices or well-known quotes.

Quotes are from speeches of the archive, well-known quotes from a list. Counter-voices are sentences on the
same point as a statement, with contradictions first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from archive.service import Service
from jobs.attribution import split_attribution
from jobs.evidence.counter import Statement
from jobs.recommend.remarks import UNLIKELY
from quotations.text.markup import remove_markup
from quotations.text.sentences import split_sentences
from reranker.fit_probability import LIKELY, estimate_fit
from reranker.signals.exact_words import is_query
from rostrum.api.edge.traces import trace_stage
from rostrum.api.page.cards import (
    Card,
    Choice,
    count_choices,
    make_cards,
    read_collection,
    read_decade,
    read_speaker,
)
from rostrum.api.page.draft_form import DraftFields, read_place, read_span
from rostrum.api.page.links import link_document, link_place, link_words
from rostrum.api.routes.dependencies import Assembly
from rostrum_core.errors import BadInput
from rostrum_core.evidence import Claim, EvidenceSentence, Stance
from rostrum_core.famous_quotes import FamousQuote
from rostrum_core.types import Document, DocumentInfo, Draft, Paragraph

SHOWN: Final = 8
"""Number of cards in one answer."""

TYPING_CANDIDATES: Final = 20
"""Number of paragraphs that are ranked while somebody types; an answer then takes less than half the time.

Tried on four drafts of samples/, over the sample speeches: the first three are those of 50 paragraphs, and of
the first eight at most one differs.
"""

PLACE_WORDS: Final = 8
"""Number of words before the cursor that identify the place of the quote."""

LONGEST_CLAIM: Final = 4_000  # characters, as of /v1/evidence
LONGEST_BEFORE: Final = 20_000
COMMAND: Final = re.compile(r"\s*\(--[^)]*\)")
"""Match advice in a remark that applies to the command line only."""


@dataclass(frozen=True, slots=True)
class ShownSentence:
    """Hold a sentence for or against a claim as the page Write shows it.

    `words` are the sentence without the transcript's markup. `strength` is "supports", "contradicts" or
    "related".
    """

    sentence: EvidenceSentence
    words: str
    who: str
    where: str
    strength: str
    permalink: str
    source: str | None


@dataclass(frozen=True, slots=True)
class SentenceGroup:
    """Hold the sentences that the page Write shows under one heading.

    If they answer a statement (counter-voices), `name` is "own" for sentences of the statement's speaker, or
    "others". If they are evidence for a claim, `name` is "".
    """

    name: str
    sentences: Sequence[ShownSentence]


@dataclass(frozen=True, slots=True)
class ShownLine:
    """Hold a well-known quote as the page Write shows it.

    `permalink` is the address of the quote in a speech of this archive, or `None` if no speech has it.
    """

    quote: FamousQuote
    permalink: str | None


@dataclass(frozen=True, slots=True)
class Results:
    """Hold the results of a search, and remarks on them, for the page Write.

    If there are no results because of a mistake, `problem` explains it. `find` says what was searched for,
    such as "evidence". `claim` is the claim or statement for which sentences were searched. `speaker` is the
    person whose words the claim reports, such as Lincoln for "Lincoln said that ...". `fit` is the
    probability that the first card fits the draft, or `None` if the ranker was skipped.
    """

    find: str = ""
    cards: Sequence[Card] = ()
    groups: Sequence[SentenceGroup] = ()
    lines: Sequence[ShownLine] = ()
    claim: str = ""
    speaker: str | None = None
    fit: float | None = None
    degraded: Sequence[str] = ()
    remarks: Sequence[str] = ()
    after: str = ""
    speakers: Sequence[Choice] = ()
    collections: Sequence[Choice] = ()
    decades: Sequence[Choice] = ()
    is_answered: bool = False
    problem: str | None = None

    @property
    def is_empty(self) -> bool:
        """Return whether the search found nothing: no quote, no sentence and no well-known quote."""
        return not (self.cards or self.lines or any(group.sentences for group in self.groups))

    @property
    def is_unlikely(self) -> bool:
        """Return whether quotes were found, but even the best one is unlikely to fit the draft."""
        return bool(self.cards) and self.fit is not None and self.fit < LIKELY


def find_results(fields: DraftFields, assembly: Assembly, *, typing: bool) -> Results:
    """Return what the form of the page Write asks for: quotes, evidence, counter-voices or well-known quotes.

    Errors that a person can correct are returned as `problem`. If `typing` is true, fewer paragraphs are
    ranked, for a faster answer.

    Raises:
        StoreError, TaskError, ModelError: the archive or the models cannot be used.
    """
    if fields.is_blank and not fields.like:
        return Results()
    service = assembly.service
    try:
        if fields.find == "evidence":
            return _find_evidence(fields, service)
        if fields.find == "counter":
            return _find_counter_voices(fields, service)
        if fields.find == "famous":
            return _find_lines(fields, service)
        draft = read_like(fields, service) if fields.like else fields.read_draft()
        return _recommend(draft, fields, assembly, typing=typing)
    except BadInput as error:
        return Results(fields.find, problem=str(error))


def read_like(fields: DraftFields, service: Service) -> Draft:
    """Build a draft from the paragraph that the field `like` of the form names, to find similar paragraphs.

    Raises:
        BadInput: there is no such paragraph.
    """
    document_id, ordinal = read_place(fields.like)
    document, paragraph = read_paragraph(service, document_id, ordinal)
    return Draft(document.title, paragraph.text)


def read_paragraph(service: Service, document_id: str, ordinal: int) -> tuple[Document, Paragraph]:
    """Return a paragraph with its document.

    Raises:
        BadInput: there is no such paragraph.
    """
    stored = service.store.get(document_id)
    if stored is None or ordinal >= len(stored[1]):
        raise BadInput("this paragraph is no longer in the archive", field="place")
    return stored[0], stored[1][ordinal]


def _recommend(draft: Draft, fields: DraftFields, assembly: Assembly, *, typing: bool) -> Results:
    service = assembly.service
    most = TYPING_CANDIDATES + len(fields.hidden)  # dismissed paragraphs take no place from others
    answer = service.recommend(
        draft,
        filter=fields.read_filter(),
        limit=SHOWN + len(fields.hidden) + 1,
        candidates=min(most, service.settings.candidates) if typing else None,
        around=trace_stage,
    )
    assembly.metrics.count_answer(answer)
    estimate = partial(estimate_fit, weights=service.models.fusion.fit, is_query=is_query(draft))
    cards = make_cards(answer, estimate)
    shown = [card for card in cards if card.place not in (*fields.hidden, fields.like)][:SHOWN]
    return Results(
        cards=shown,
        fit=shown[0].fit if shown and answer.fit is not None else None,
        degraded=answer.degraded,
        remarks=[COMMAND.sub("", remark) for remark in answer.remarks if not remark.startswith(UNLIKELY)],
        after="" if fields.like else " ".join(draft.left.split()[-PLACE_WORDS:]),
        speakers=count_choices(shown, read_speaker),
        collections=count_choices(shown, read_collection),
        decades=count_choices(shown, read_decade),
        is_answered=True,
    )


def _find_evidence(fields: DraftFields, service: Service) -> Results:
    """Return the sentences that support or contradict the claim in the form, for the page Write."""
    claim = _read_claim(fields)
    answer = service.evidence(claim, filter=fields.read_filter(), limit=SHOWN)
    return Results(
        fields.find,
        groups=[SentenceGroup("", [_show_sentence(item) for item in answer.sentences])],
        claim=claim.text,
        speaker=answer.speaker,
        degraded=answer.degraded,
        is_answered=True,
    )


def _find_counter_voices(fields: DraftFields, service: Service) -> Results:
    """Find counter-voices: sentences on the same point as the statement in the form, contradictions first.

    Sentences of the statement's own speaker and those of others form two groups.
    """
    statement = _read_statement(fields, service)
    voices = service.counter(statement, filter=fields.read_filter(), limit=SHOWN // 2)
    groups = [
        SentenceGroup(name, [_show_sentence(item) for item in sentences])
        for name, sentences in (("own", voices.own), ("others", voices.others))
        if sentences
    ]
    return Results(
        fields.find, groups=groups, claim=statement.text, degraded=voices.degraded, is_answered=True
    )


def _read_statement(fields: DraftFields, service: Service) -> Statement:
    """Return the statement for which counter-voices are searched.

    If the form names words of a paragraph (`against`), return these words with their speaker. Otherwise
    return the claim that `_read_claim` finds, without a speaker.
    """
    if not fields.against:
        return Statement(_read_claim(fields).text)
    document_id, ordinal, start_char, end_char = read_span(fields.against)
    _, paragraph = read_paragraph(service, document_id, ordinal)
    [info] = service.store.documents([document_id])
    words = paragraph.text[start_char:end_char]
    return Statement(words[:LONGEST_CLAIM], info.find_holder(paragraph), document_id, ordinal)


def _read_claim(fields: DraftFields) -> Claim:
    """Return the claim for which evidence is searched.

    It is the words that the writer selected, or else the sentence before the cursor.
    """
    if fields.claim.strip():
        return Claim(fields.claim.strip()[:LONGEST_CLAIM], fields.title)
    left = fields.read_draft().left.rstrip() or fields.title
    bounds = split_sentences(left)
    start = bounds[-1][0] if bounds else 0
    return Claim(left[start:][-LONGEST_CLAIM:], fields.title, left[:start][-LONGEST_BEFORE:])


def _find_lines(fields: DraftFields, service: Service) -> Results:
    draft = fields.read_draft()
    answer = service.famous(draft.left or draft.title, draft.right, limit=SHOWN)
    lines = _show_lines([item.quote for item in answer.quotes], service)
    after = " ".join(draft.left.split()[-PLACE_WORDS:])
    return Results(fields.find, lines=lines, after=after, is_answered=True)


def _show_lines(quotes: Sequence[FamousQuote], service: Service) -> list[ShownLine]:
    """Return well-known quotes as the page Write shows them.

    Each has the address of its speech, if this archive has the speech.
    """
    ids = sorted({quote.document for quote in quotes if quote.document})
    here = {info.id for info in service.store.documents(ids)} if ids else set()
    return [
        ShownLine(quote, link_document(quote.document, quote.paragraph) if quote.document in here else None)
        for quote in quotes
    ]


def _show_sentence(item: EvidenceSentence) -> ShownSentence:
    info = DocumentInfo(item.document, item.title, item.speaker, item.spoken_on)
    return ShownSentence(
        item,
        remove_markup(item.text),
        *split_attribution(info, start_s=item.start_s),
        _name_support(item.stance, item.score),
        link_place(item.document, item.paragraph, item.start_char, item.end_char),
        link_words(item.url, item.text),
    )


def _name_support(stance: Stance, score: float | None) -> str:
    """Return the word by which the page says how a sentence relates to a claim.

    The word is the sentence's stance ("supports" or "contradicts"), or "related" if the stance is neutral or
    the model did not read the sentence, so that it has no score.

    >>> _name_support("supports", 0.9), _name_support("contradicts", 0.1), _name_support("neutral", None)
    ('supports', 'contradicts', 'related')
    """
    return "related" if stance == "neutral" or score is None else stance
