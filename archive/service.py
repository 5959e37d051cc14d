"""Provide all jobs of one archive (recommend, verify, search, refresh and more) in one object.

The object has the store, the runner of model code, and the models chosen for the archive.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import asdict

from archive.history import record_deletion
from archive.preview import preview
from archive.quote_lists import QuoteLists
from archive.refresh import Hashes, Observer, Preparation, RefreshOptions, refresh
from archive.withdraw import withdraw
from indexer.paragraphs import SPLITTER, split
from jobs.evidence.counter import Statement, find_counter_voices
from jobs.evidence.finder import EvidenceFinder
from jobs.evidence.job import Ranker
from jobs.evidence.passages import SentenceCache
from jobs.famous.job import ANY, GapContext, normalise_gap, rank_quotes
from jobs.famous.quote_list import QuoteList
from jobs.filters import check_speakers
from jobs.recommend.draft_notes import list_skipped
from jobs.recommend.job import Recommender, check_draft, prepare_draft
from jobs.recommend.queries import build_document_query, build_paragraph_query, normalise_draft, prune_query
from jobs.recommend.timings import Around
from jobs.repeats.job import find_repeats, sort_repeats
from jobs.search.job import Order, SearchPage, search_words
from jobs.verify.job import Verifier
from jobs.verify.speakers import RosterCache
from reranker.models.batches import split_batches
from reranker.models.loaded import Models
from rostrum_core.companions import ARTICLES, CounterVoices, Repeat, RepeatAnswer
from rostrum_core.errors import BadInput
from rostrum_core.evidence import Claim, EvidenceAnswer
from rostrum_core.famous_quotes import FamousAnswer, QuoteFilter
from rostrum_core.ports import ParagraphStore, Runner
from rostrum_core.quote_checks import QuoteRow, Verification
from rostrum_core.refresh_jobs import Report
from rostrum_core.settings import Settings
from rostrum_core.types import Answer, Document, Draft, Encoding, Explanation, Filter, Paragraph
from workers.runner.payloads import read_encodings

ENCODE_TIMEOUT_S = 3600.0
EVIDENCE_PARTS = ("encoder", "tokenizer", "evidence", "evidence_early", "calibration")
ENCODE_CHARACTERS = 32_768  # of texts of similar length in one task: a second or two of encoding


class Service:
    """Run jobs over one archive, such as recommending paragraphs for a draft.

    During a refresh, up to `depth` batches are encoded ahead of writing. `open_named` opens another archive
    by name, such as the archive of printed articles; without it, there are no articles.
    """

    def __init__(
        self,
        settings: Settings,
        store: ParagraphStore,
        runner: Runner,
        models: Models,
        *,
        depth: int = 0,
        open_named: Callable[[str], ParagraphStore] | None = None,
    ) -> None:
        self.settings, self.store, self.runner, self.models = settings, store, runner, models
        self.depth, self._open_named = depth, open_named
        self._articles: ParagraphStore | None = None
        self._rosters, self._sentences = RosterCache(), SentenceCache()
        self.lists = QuoteLists(settings, runner, models.hashes)

    def recommend(
        self,
        draft: Draft,
        *,
        filter: Filter | None = None,
        limit: int = 10,
        candidates: int | None = None,
        timeout_s: float | None = None,
        ranked: bool = True,
        printed: bool = True,
        names: bool = True,
        around: Around = nullcontext,
    ) -> Answer:
        """Return the paragraphs of the archive that fit a draft best, ranked by the models.

        If `ranked` is false, only the first stage runs, which finds paragraphs by words and vectors.
        `candidates`, the number of paragraphs to rank, and `timeout_s` default to the settings. `around` is
        called with the name of each stage, and returns a context manager inside which the stage runs. If
        `names` is true, speakers whom the draft names get a bonus.

        Raises:
            BadInput: the draft is empty, or a name of the filter matches no speaker of the archive.
            StoreError: there is no archive, or it cannot be searched.
            ModelError: the models cannot be run in this process.
        """
        hashes = self.models.hashes
        recommender = Recommender(
            self.store,
            self.runner,
            self.models.fusion,
            encoder=hashes["encoder"],
            tokenizer=hashes["tokenizer"],
            models=dict(hashes),
            batch_tokens=self.models.engine.rank_tokens,
            early="early" in hashes,
            vocabulary=self._get_vocabulary,
            around=around,
        )
        chosen = filter or Filter()
        answer = recommender.recommend(
            normalise_draft(draft),
            filter=chosen,
            limit=limit,
            candidates=self.settings.candidates if candidates is None else candidates,
            timeout_s=self.settings.timeout_s if timeout_s is None else timeout_s,
            ranked=ranked,
            printed=printed,
            names=names,
        )
        if not answer.candidates and not list_skipped(answer):
            check_speakers(self.store.documents() if chosen.speakers else (), chosen)
        return answer

    def verify(
        self, rows: Sequence[QuoteRow], *, progress: Callable[[int], None] = lambda done: None
    ) -> Verification:
        """Check each quotation in `rows` against the archive: see `jobs.verify.job`.

        Raises:
            StoreError: there is no archive, or it cannot be searched.
        """
        return self.build_verifier().verify(rows, progress=progress)

    def verify_draft(self, draft: Draft) -> Verification:
        """Find the quotations in a draft, and check each of them against the archive.

        Raises:
            StoreError: there is no archive, or it cannot be searched.
        """
        verifier = self.build_verifier()
        return verifier.verify_draft(draft)

    def build_verifier(self) -> Verifier:
        """Return an object that checks quotations against the published generation of the archive."""
        models = {part: self.models.hashes[part] for part in ("encoder", "tokenizer")}
        return Verifier(
            self.store, self.runner, encoder=models["encoder"], models=models, rosters=self._rosters
        )

    def evidence(
        self,
        claim: Claim,
        *,
        documents: Sequence[str] = (),
        filter: Filter | None = None,
        limit: int = 10,
        heat: bool = False,
        names: bool = True,
        timeout_s: float | None = None,
    ) -> EvidenceAnswer:
        """Find the sentences that support a claim or contradict it: see `jobs.evidence.finder`.

        Raises:
            BadInput: the claim is blank, a document is unknown, or a name of the filter matches no speaker.
            StoreError: there is no archive, or it cannot be searched.
            ModelError: the models cannot be run in this process, or have no part for evidence.
        """
        return self._make_finder().find(
            claim,
            documents=documents,
            filter=filter or Filter(),
            limit=limit,
            heat=heat,
            names=names,
            timeout_s=self.settings.timeout_s if timeout_s is None else timeout_s,
        )

    def counter(
        self,
        statement: Statement,
        *,
        filter: Filter | None = None,
        limit: int = 3,
        timeout_s: float | None = None,
    ) -> CounterVoices:
        """Find counter-voices to a statement: sentences on the same point, by its speaker and by others.

        See `jobs.evidence.counter`.

        Raises:
            BadInput, StoreError, ModelError: as `evidence`.
        """
        most_s = self.settings.timeout_s if timeout_s is None else timeout_s
        return find_counter_voices(
            statement, self._make_finder(), filter=filter or Filter(), limit=limit, timeout_s=most_s
        )

    def repeats(self, text: str, *, document: str | None = None) -> RepeatAnswer:
        """Find the paragraphs of speeches and printed articles that share a run of words with a text.

        `document` is the id of the document from which the text comes; it is not searched.

        Raises:
            BadInput: the text is blank or too long.
            StoreError: an archive cannot be read.
        """
        spoken = find_repeats(text, self.store, except_document=document)
        return RepeatAnswer(
            tuple(sort_repeats([*spoken, *self.find_printed(text)])),
            ("", ARTICLES) if self.has_articles() else ("",),
        )

    def find_printed(self, text: str) -> list[Repeat]:
        """Return the paragraphs of printed articles that share a run of words with a text, oldest first.

        Return an empty list if there is no archive of articles.

        Raises:
            BadInput: the text is blank or too long.
            StoreError: the archive cannot be read.
        """
        articles = self._open_articles()
        return [] if articles is None else find_repeats(text, articles, archive=ARTICLES)

    def has_articles(self) -> bool:
        """Return whether there is an archive of printed articles."""
        articles = self._open_articles()
        return articles is not None and articles.published() is not None

    def require_articles(self) -> None:
        """Raise `BadInput` unless there is an archive of printed articles."""
        if not self.has_articles():
            raise BadInput(f"there are no articles: index them with --as {ARTICLES}", field="printed")

    def _open_articles(self) -> ParagraphStore | None:
        if self._articles is None and self._open_named is not None:
            self._articles = self._open_named(ARTICLES)
        return self._articles

    def make_sentence_ranker(self) -> Ranker:
        """Return the ranker that scores sentences as evidence for or against a claim.

        Raises:
            ModelError: the models have no part for evidence.
        """
        self.models.require_part("evidence")
        early = "evidence_early" in self.models.hashes
        return Ranker(self.runner, self.models.calibration, self.models.engine.batch_tokens, early)

    def _make_finder(self) -> EvidenceFinder:
        hashes = self.models.hashes
        return EvidenceFinder(
            self.store,
            self._search,
            self.make_sentence_ranker(),
            self._sentences,
            self._rosters,
            {part: hashes[part] for part in EVIDENCE_PARTS if part in hashes},
        )

    def _search(self, draft: Draft, filter: Filter, most: int) -> Answer:
        return self.recommend(draft, filter=filter, limit=most, candidates=most, ranked=False)

    def search_words(
        self,
        query: str,
        *,
        filter: Filter | None = None,
        order: Order = "fit",
        offset: int = 0,
        limit: int = 20,
        around: Around = nullcontext,
    ) -> SearchPage:
        """Search the archive for words and phrases: see `jobs.search.job`.

        Raises:
            BadInput: the query has no word, or a name of the filter matches no speaker.
            StoreError: there is no archive, or it cannot be searched.
            ModelError: the models cannot be run in this process.
        """

        def find(depth: int) -> Answer:
            draft = Draft(left=query)
            return self.recommend(
                draft, filter=filter, limit=depth, candidates=depth, ranked=False, around=around
            )

        return search_words(query, find, self.store, order=order, offset=offset, limit=limit)

    def famous(
        self,
        left: str,
        right: str = "",
        *,
        list_name: str | None = None,
        filter: QuoteFilter = ANY,
        limit: int = 10,
        timeout_s: float | None = None,
    ) -> FamousAnswer:
        """Return the well-known quotes that fit between two texts, one of which may be empty.

        If `right` is empty, `left` may mark the gap with `[quote]`. `list_name` names a list made with
        `rostrum famous index`; by default, quotes come from the shipped list.

        Raises:
            BadInput: there is no text, or no such list.
            TaskError: the models did not answer in time.
            StoreError, ModelError: the list is damaged, or other models encoded it.
        """
        gap = GapContext("", left, right)
        (answer,) = self.famous_many(
            [gap], list_name=list_name, filter=filter, limit=limit, timeout_s=timeout_s
        )
        return answer

    def famous_many(
        self,
        gaps: Sequence[GapContext],
        *,
        list_name: str | None = None,
        listed: QuoteList | None = None,
        filter: QuoteFilter = ANY,
        limit: int = 10,
        timeout_s: float | None = None,
    ) -> list[FamousAnswer]:
        """Return, for each gap between two texts, the well-known quotes that fit best.

        `listed` is a list of quotes that is already open. If it is `None`, the list named `list_name` is
        opened, by default the shipped list. `timeout_s` is the time to open the list and to encode one batch
        of gaps (see `rank_quotes`). Errors are those of `famous`.
        """
        started = time.monotonic()
        timeout_s = self.settings.timeout_s if timeout_s is None else timeout_s
        encoder = self.lists.encoder
        if listed is None:
            listed = self.lists.open(list_name, timeout_s=timeout_s)
        left_s = timeout_s - (time.monotonic() - started)
        contexts = [normalise_gap(gap) for gap in gaps]
        rankings = rank_quotes(contexts, listed, encoder, limit=limit, filter=filter, timeout_s=left_s)
        elapsed_s = time.monotonic() - started
        return [
            FamousAnswer(quotes, listed.name, len(listed.quotes), encoder.hashes, elapsed_s)
            for quotes in rankings
        ]

    def explain(self, draft: Draft) -> Explanation:
        """Return the queries that the first stage sends to the archive for a draft, and the weights with
        which the scores of all stages are combined.

        Raises:
            BadInput: the draft is empty.
            StoreError: there is no archive, or it cannot be read.
        """
        check_draft(draft)
        draft, _ = prepare_draft(normalise_draft(draft), self.store, self._get_vocabulary)
        queries = {
            "paragraphs": prune_query(build_paragraph_query(draft), self.store),
            "documents": build_document_query(draft),
        }
        return Explanation(queries, asdict(self.models.fusion))

    def refresh(
        self,
        documents: Iterable[Document],
        options: RefreshOptions = RefreshOptions(),  # noqa: B008  frozen
        observer: Observer = Observer(),  # noqa: B008  frozen
    ) -> Report:
        """Update the archive from `documents`: see `archive.refresh.refresh`."""
        preparation = Preparation(self._split, self._encode, self._get_hashes(), self.depth)
        return refresh(documents, self.store.writer(), preparation, options, observer)

    def preview(
        self,
        documents: Iterable[Document],
        options: RefreshOptions = RefreshOptions(),  # noqa: B008  frozen
        observer: Observer = Observer(),  # noqa: B008  frozen
    ) -> Report:
        """Report what a refresh with `documents` would do: see `archive.preview`."""
        return preview(documents, self.store.writer(), self._split, self._get_hashes(), options, observer)

    def view(self, generation: str) -> Service:
        """Return a service like this one that reads the complete generation of this name, published or not.

        Raises:
            NoSuchGeneration: no complete generation has this name.
        """
        return Service(self.settings, self.store.view(generation), self.runner, self.models)

    def open_writer(self) -> Service:
        """Return a second service over the same archive, which counts as another writer.

        While one of the two services writes, the other cannot begin to write. The returned service never
        reads a cached state of the archive.
        """
        return Service(self.settings, self.store.writer(), self.runner, self.models, depth=self.depth)

    def withdraw(self, document_ids: Sequence[str], *, base: str | None = None) -> str:
        """Delete documents from the archive: see `archive.withdraw.withdraw`."""
        generation = withdraw(document_ids, self.store.writer(), base=base)
        record_deletion(self.settings.archive, document_ids, generation)
        return generation

    def has_fitting_models(self) -> bool:
        """Return whether a refresh can reuse all encodings of the archive.

        This is so if the models of this service made them, or if the archive is empty.
        """
        published = self.store.published()
        return published is None or not published.documents or self._get_hashes().has_made(published)

    def _get_vocabulary(self) -> Collection[str]:
        return self.models.wordpieces.whole_words

    def _get_hashes(self) -> Hashes:
        return Hashes(self.models.hashes["encoder"], self.models.hashes["tokenizer"], SPLITTER)

    def _encode(self, texts: Sequence[str]) -> list[Encoding]:
        cuts = split_batches([len(text) for text in texts], ENCODE_CHARACTERS)
        payloads = [{"texts": [texts[i] for i in cut]} for cut in cuts]
        answers = self.runner.run("encode", payloads, timeout_s=ENCODE_TIMEOUT_S)
        encoded = (encoding for answer in answers for encoding in read_encodings(answer))
        by_number = dict(zip((i for cut in cuts for i in cut), encoded, strict=True))
        return [by_number[i] for i in range(len(texts))]

    def _split(self, document: Document) -> tuple[Paragraph, ...]:
        return split(document, count_tokens=self._count_tokens)

    def _count_tokens(self, text: str) -> int:
        return len(self.models.wordpieces.tokenise([text])[0])
