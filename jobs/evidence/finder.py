"""Find evidence for a claim in an archive.

The steps are: choose paragraphs, rank their sentences, and decide whether each sentence supports or
contradicts the claim.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from indexer.characters import normalise, normalise_line
from jobs.evidence.claimed_speaker import find_speakers, read_claimed_speaker, weigh_speakers
from jobs.evidence.job import RankedSentence, Ranker, check_claim, rank_by_words, write_claim
from jobs.evidence.passages import Passage, SentenceCache
from jobs.verify.speakers import RosterCache
from quotations.printing.greetings import is_greeting
from quotations.text.words import split_keys
from rostrum_core.deadline import get_left_s, limit_time
from rostrum_core.errors import BadInput, TaskError
from rostrum_core.evidence import Claim, EvidenceAnswer, EvidenceSentence, SentenceHeat
from rostrum_core.ports import ParagraphStore
from rostrum_core.types import Answer, DocumentInfo, Draft, Filter

PARAGRAPHS = 40
"""Number of paragraphs of an archive that are read for a claim; the first stage of `recommend` chooses
them.
"""

OWN_PARAGRAPHS = 20
"""Of these, the paragraphs by the person to whom the claim ascribes its words."""

MOST_PARAGRAPHS = 400
"""Most paragraphs of named documents that are read for a claim.

If there are more, the first stage chooses the best.
"""

ABOUT_GREETING = re.compile(r"\b(?:thank|greet|welcom|bless|congratulat|salut|address)", re.IGNORECASE)
"""Match claims for which thanks and greetings are evidence."""

RANK_SHARE = 0.9  # of what is left of the time, for the model

Search = Callable[[Draft, Filter, int], Answer]
"""Run the first stage for a draft under a filter, and return at most the given number of paragraphs."""


@dataclass
class _Reading:
    """Hold the passages to read for a claim, and the metadata of their documents by id.

    `content` is the claim as the model reads it, without words such as "Kennedy said that". `speaker` is the
    person to whom the claim ascribes its words, and `names` are the names of this person in the archive.
    `degraded` has the stages that were skipped, with reasons.
    """

    passages: list[Passage]
    infos: Mapping[str, DocumentInfo]
    content: Claim
    speaker: str | None = None
    names: tuple[str, ...] = ()
    degraded: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class EvidenceFinder:
    """Find evidence for claims in one archive with one set of models; `models` has their hashes by name.

    `sentences` and `rosters` are caches.
    """

    store: ParagraphStore
    search: Search
    ranker: Ranker
    sentences: SentenceCache
    rosters: RosterCache
    models: dict[str, str]

    def find(
        self,
        claim: Claim,
        *,
        documents: Sequence[str] = (),
        filter: Filter = Filter(),
        limit: int,
        heat: bool = False,
        names: bool = True,
        timeout_s: float,
    ) -> EvidenceAnswer:
        """Return the best `limit` sentences as evidence for a claim.

        The sentences are from `documents`, or from the whole archive if `documents` is empty. The sentences
        of several documents are ranked together. Sentences that only greet, thank or address are not listed,
        unless the claim is about thanks or greetings.

        With `heat`, the answer has a heat (0 to 1, for a heat map) for every sentence of the documents; see
        `measure_heat`. In long documents, only the best passages run through all layers of the model. The
        heat of other sentences is an estimate, and these sentences are not listed.

        If the model does not answer in time, sentences are ordered by the words that they share with the
        claim. In this case they have no scores, and the answer is marked as degraded.

        If the claim ascribes its words to a person who speaks in the archive ("Kennedy said that ..."),
        sentences by others count for less (see `weigh_speakers`). This rule does not apply if `names` is
        false, or if the request names documents or speakers.

        Raises:
            BadInput: the claim is blank, a document is unknown, `limit` is below 1, `heat` is asked for
                without documents, or both documents and a filter are passed.
            StoreError: there is no archive, or it cannot be searched.
            ModelError: the models cannot be run in this process, or have no part for evidence.
        """
        claim = normalise_claim(claim)
        _check(claim, documents, limit, heat)
        if documents and filter != Filter():
            raise BadInput("name documents or a filter, not both", field="documents")
        with limit_time(timeout_s):
            began = time.monotonic()
            published = self.store.published()
            reading = self._read(claim, list(dict.fromkeys(documents)), filter, names)
            read_at = time.monotonic()
            ranked = self._rank(reading, limit)
            whole = (sentence for sentence in ranked if not sentence.is_estimated)
            listed = drop_repeats(drop_greetings(claim, whole))
            timings_s = {"candidates": read_at - began, "rank": time.monotonic() - read_at}
        return EvidenceAnswer(
            tuple(
                describe_sentence(rank, sentence, reading.infos)
                for rank, sentence in enumerate(islice(listed, limit), 1)
            ),
            sum(len(passage.spans) for passage in reading.passages),
            tuple(measure_heat(reading.passages, ranked)) if heat else (),
            tuple(reading.degraded),
            timings_s,
            self.models,
            published.name if published else None,
            reading.speaker,
        )

    def _read(self, claim: Claim, documents: list[str], filter: Filter, names: bool) -> _Reading:
        if not documents:
            reading = self._read_best(claim, filter, PARAGRAPHS)
            return self._read_own(reading, filter) if names and not filter.speakers else reading
        infos = {info.id: info for info in self.store.documents(documents)}
        for document in documents:
            if document not in infos:
                raise BadInput(f"there is no speech {document}", field="documents")
        count = sum(info.paragraphs for info in infos.values())
        if count > MOST_PARAGRAPHS:
            reading = self._read_best(claim, Filter(documents=tuple(documents)), MOST_PARAGRAPHS)
            sort_passages(reading.passages, documents)
            reading.degraded.append(f"documents: the best {MOST_PARAGRAPHS} of {count} paragraphs were read")
            return reading
        speeches = [self.store.get(document) for document in documents]
        passages = [
            self.sentences.make_passage(paragraph)
            for speech in speeches
            if speech is not None
            for paragraph in speech[1]
        ]
        return _Reading(passages, infos, claim)

    def _read_best(self, claim: Claim, filter: Filter, most: int) -> _Reading:
        answer = self.search(Draft(title=claim.title, left=write_claim(claim)), filter, most)
        passages = [self.sentences.make_passage(place.paragraph) for place in answer.recommendations]
        infos = {place.document.id: place.document for place in answer.recommendations}
        return _Reading(passages, infos, claim, degraded=list(answer.degraded))

    def _read_own(self, reading: _Reading, filter: Filter) -> _Reading:
        """Add passages by the person to whom the claim ascribes its words ("Kennedy said that ...").

        If the claim names no such person, or the archive has no words by that person, return `reading`
        unchanged. If it has, but none pass the filter, no passages are added, but `speaker` is set.
        """
        claimed = read_claimed_speaker(reading.content.text)
        names = self.find_speakers(claimed.name) if claimed else ()
        if claimed is None or not names:
            return reading
        content = replace(reading.content, text=claimed.content)
        own = self._read_best(content, replace(filter, speakers=names), OWN_PARAGRAPHS)
        first = {item.paragraph.id: item for item in own.passages if item.paragraph is not None}
        rest = [item for item in reading.passages if item.paragraph and item.paragraph.id not in first]
        passages = [*own.passages, *rest[: PARAGRAPHS - len(own.passages)]]
        degraded = list(dict.fromkeys([*reading.degraded, *own.degraded]))
        return _Reading(passages, {**reading.infos, **own.infos}, content, claimed.name, names, degraded)

    def find_speakers(self, name: str) -> tuple[str, ...]:
        """Return the names of the archive's speakers who may be the person called `name`; see
        `find_speakers`.
        """
        return find_speakers(name, self.rosters.read(self.store).infos.values())

    def _rank(self, reading: _Reading, limit: int) -> list[RankedSentence]:
        timeout_s = RANK_SHARE * get_left_s()
        texts = [(one.document, one.text[start:end]) for one in reading.passages for start, end in one.spans]
        # No repeat or greeting is listed. Whatever a speaker's weight may bring to the top is read whole.
        unlisted = len(texts) - len({list_words(*text) for text in texts if not is_greeting(text[1])})
        wanted = limit + unlisted if reading.speaker is None else len(texts)
        try:
            ranked = self.ranker.rank(reading.content, reading.passages, limit=wanted, timeout_s=timeout_s)
        except TaskError as error:
            reading.degraded.append(f"evidence: {error}")
            ranked = rank_by_words(reading.content, reading.passages)
        if reading.speaker is None:
            return ranked
        return weigh_speakers(ranked, reading.infos, reading.speaker, reading.names)


def normalise_claim(claim: Claim) -> Claim:
    r"""Return a claim with its characters normalised like those of speeches, and its spaces collapsed.

    >>> normalise_claim(Claim(" Kennedy\u00a0said  that we go.")).text
    'Kennedy said that we go.'
    """
    return Claim(normalise_line(claim.text), normalise_line(claim.title), normalise(claim.before))


def sort_passages(passages: list[Passage], documents: Sequence[str]) -> None:
    """Sort passages in place: in the order of `documents`, and as they stand in each document."""
    numbers = {document: number for number, document in enumerate(documents)}
    passages.sort(key=lambda one: (numbers[one.document], one.paragraph.ordinal if one.paragraph else 0))


def drop_greetings(claim: Claim, ranked: Iterable[RankedSentence]) -> Iterator[RankedSentence]:
    """Yield ranked sentences without those that only greet, thank or address.

    If the claim is about thanks or greetings, all sentences are yielded.
    """
    is_about = ABOUT_GREETING.search(claim.text) is not None
    return (sentence for sentence in ranked if is_about or not is_greeting(sentence.text))


def drop_repeats(ranked: Iterable[RankedSentence]) -> Iterator[RankedSentence]:
    """Yield ranked sentences without repetitions.

    If several sentences of one document have the same words, only the first, best one is yielded.
    """
    seen: set[tuple[str, ...]] = set()
    for sentence in ranked:
        words = list_words(sentence.passage.document, sentence.text)
        if words not in seen:
            seen.add(words)
            yield sentence


def list_words(document: str, text: str) -> tuple[str, ...]:
    """Return the words of a sentence after the id of its document: a key that repetitions share.

    >>> list_words("d", "Yes, we can!") == list_words("d", "Yes -- we can.")
    True
    """
    return (document, *split_keys(text))


def describe_sentence(
    rank: int, sentence: RankedSentence, infos: Mapping[str, DocumentInfo]
) -> EvidenceSentence:
    """Convert a ranked sentence of an archive to an `EvidenceSentence`, with its attribution.

    Raises:
        BadInput: the sentence is from a file and not from an archive.
    """
    paragraph = sentence.passage.paragraph
    if paragraph is None:
        raise BadInput("a sentence of a file has no paragraph")
    info = infos.get(paragraph.document_id) or DocumentInfo(paragraph.document_id, paragraph.document_id)
    return EvidenceSentence(
        rank,
        info.id,
        paragraph.ordinal,
        paragraph.id,
        sentence.start_char,
        sentence.end_char,
        sentence.text,
        None if sentence.score is None else round(sentence.score, 6),
        sentence.stance,
        sentence.share,
        info.title,
        info.find_holder(paragraph),
        info.spoken_on,
        info.url,
        paragraph.start_s,
    )


def measure_heat(passages: Sequence[Passage], ranked: Sequence[RankedSentence]) -> list[SentenceHeat]:
    """Return the heat of each sentence, in order: its score divided by the best score, from 0 to 1.

    The best score is the highest one among the sentences that ran through all layers of the model. Other
    sentences have a score that the first layers estimate. If this is higher than the best score, the heat is
    1. A sentence that was not ranked has a heat of 0.
    """
    best = max((sentence.score or 0.0 for sentence in ranked if not sentence.is_estimated), default=0.0)
    scores = {
        (id(sentence.passage), sentence.start_char): min(sentence.score or 0.0, best) for sentence in ranked
    }
    best = best or 1.0
    return [
        SentenceHeat(
            passage.document,
            passage.paragraph.ordinal,
            start_char,
            end_char,
            round(scores.get((id(passage), start_char), 0.0) / best, 4),
        )
        for passage in passages
        if passage.paragraph is not None
        for start_char, end_char in passage.spans
    ]


def _check(claim: Claim, documents: Sequence[str], limit: int, heat: bool) -> None:
    check_claim(claim)
    if limit < 1:
        raise BadInput(f"limit must be at least 1, not {limit}", field="limit")
    if heat and not documents:
        raise BadInput("heat is measured over documents: name them", field="heat")
