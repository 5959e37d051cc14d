"""Find evidence in an archive: choose paragraphs for a claim, rank their sentences, and locate them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from jobs.evidence.job import RankedSentence, Ranker, check_claim, rank_by_words, write_claim
from jobs.evidence.passages import Passage, SentenceCache
from rostrum_core.deadline import get_left_s, limit_time
from rostrum_core.errors import BadInput, TaskError
from rostrum_core.evidence import Claim, EvidenceAnswer, EvidenceSentence, SentenceHeat
from rostrum_core.ports import ParagraphStore
from rostrum_core.types import Answer, DocumentInfo, Draft, Filter

PARAGRAPHS = 40
"""Paragraphs of an archive that are read for a claim, from the first stage of `recommend`."""

MOST_PARAGRAPHS = 400
"""Paragraphs of named documents that are read for a claim; of more, the best ones by the first stage."""

RANK_SHARE = 0.9  # of what is left of the time, for the model

Search = Callable[[Draft, Filter, int], Answer]
"""Return the first stage for a draft under a filter: so many paragraphs at most."""


@dataclass
class _Reading:
    """Passages to read for a claim, and the metadata of their documents."""

    passages: list[Passage]
    infos: Mapping[str, DocumentInfo]
    degraded: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class EvidenceFinder:
    """Answer claims over one archive with one set of models. `models` are the hashes of the parts used."""

    store: ParagraphStore
    search: Search
    ranker: Ranker
    sentences: SentenceCache
    models: dict[str, str]

    def find(
        self,
        claim: Claim,
        *,
        documents: Sequence[str] = (),
        filter: Filter = Filter(),
        limit: int,
        heat: bool = False,
        timeout_s: float,
    ) -> EvidenceAnswer:
        """Return the best `limit` sentences of the documents, or of the whole archive without any.

        With several documents, their sentences compete. With `heat`, all sentences of the documents have a
        heat. If the model does not answer in time, sentences are ordered by the words that they share with
        the claim, have no scores, and the answer says so.

        Raises:
            BadInput: the claim is blank, a document is unknown, `limit` is below 1, `heat` is wanted of no
                document, or documents are named and a filter, too.
            StoreError: there is no archive, or it cannot be searched.
            ModelError: the models cannot be run in this process, or have no part for evidence.
        """
        _check(claim, documents, limit, heat)
        if documents and filter != Filter():
            raise BadInput("name documents or a filter, not both", field="documents")
        with limit_time(timeout_s):
            began = time.monotonic()
            published = self.store.published()
            reading = self._read(claim, list(dict.fromkeys(documents)), filter)
            read_at = time.monotonic()
            ranked = self._rank(claim, reading)
            timings_s = {"candidates": read_at - began, "rank": time.monotonic() - read_at}
        return EvidenceAnswer(
            tuple(
                describe_sentence(rank, sentence, reading.infos)
                for rank, sentence in enumerate(ranked[:limit], 1)
            ),
            sum(len(passage.spans) for passage in reading.passages),
            tuple(measure_heat(reading.passages, ranked)) if heat else (),
            tuple(reading.degraded),
            timings_s,
            self.models,
            published.name if published else None,
        )

    def _read(self, claim: Claim, documents: list[str], filter: Filter) -> _Reading:
        if not documents:
            return self._read_best(claim, filter, PARAGRAPHS)
        infos = {info.id: info for info in self.store.documents(documents)}
        for document in documents:
            if document not in infos:
                raise BadInput(f"there is no speech {document}", field="documents")
        count = sum(info.paragraphs for info in infos.values())
        if count > MOST_PARAGRAPHS:
            reading = self._read_best(claim, Filter(documents=tuple(documents)), MOST_PARAGRAPHS)
            reading.degraded.append(f"documents: the best {MOST_PARAGRAPHS} of {count} paragraphs were read")
            return reading
        speeches = [self.store.get(document) for document in documents]
        passages = [
            self.sentences.make_passage(paragraph)
            for speech in speeches
            if speech is not None
            for paragraph in speech[1]
        ]
        return _Reading(passages, infos)

    def _read_best(self, claim: Claim, filter: Filter, most: int) -> _Reading:
        answer = self.search(Draft(title=claim.title, left=write_claim(claim)), filter, most)
        passages = [self.sentences.make_passage(place.paragraph) for place in answer.recommendations]
        infos = {place.document.id: place.document for place in answer.recommendations}
        return _Reading(passages, infos, list(answer.degraded))

    def _rank(self, claim: Claim, reading: _Reading) -> list[RankedSentence]:
        try:
            return self.ranker.rank(claim, reading.passages, timeout_s=RANK_SHARE * get_left_s())
        except TaskError as error:
            reading.degraded.append(f"evidence: {error}")
            return rank_by_words(claim, reading.passages)


def describe_sentence(
    rank: int, sentence: RankedSentence, infos: Mapping[str, DocumentInfo]
) -> EvidenceSentence:
    """Return a sentence of an archive with its attribution.

    Raises:
        BadInput: it is a sentence of a file.
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
    """Return the heat of each sentence of an archive, in order: its score as a share of the best one.

    A sentence that was not ranked has a heat of 0.
    """
    scores = {(id(sentence.passage), sentence.start_char): sentence.score or 0.0 for sentence in ranked}
    best = max(scores.values(), default=0.0) or 1.0
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
