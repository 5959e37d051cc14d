"""Define the client for threads; `rostrum.client.asynchronous` has the one for asyncio."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2

from rostrum.client import calls
from rostrum.client.batches import BATCH_BYTES, Upserted, split_bodies
from rostrum.client.calls import Call, DraftAnswer, RankedText, Readiness, Speech
from rostrum.client.errors import DeadlineExceeded, ServiceError
from rostrum.client.retries import Attempts
from rostrum.client.wire import (
    build_headers,
    build_request,
    parse_response,
    parse_url,
    refuse_unknown_proxies,
    translate_errors,
)
from rostrum_core.companions import CounterVoices, Freshness, PrintedAnswer, RepeatAnswer
from rostrum_core.evidence import Claim, EvidenceAnswer
from rostrum_core.famous_quotes import FamousAnswer, QuoteFilter
from rostrum_core.quote_checks import QuoteRow, Verification, join_verifications
from rostrum_core.refresh_jobs import Job, RefreshRequest
from rostrum_core.types import Answer, DocumentInfo, Draft, Explanation, Filter
from rostrum_core.uploads import Upload

T = TypeVar("T")
TIMEOUT_S = 60.0
PUBLISH_TIMEOUT_S = 600.0
"""Timeout of a request that publishes a generation, which builds the indexes of all paragraphs."""
PAGE = 500
DRAFTS_TOGETHER = 16
"""Number of drafts in one request."""

QUOTES_TOGETHER = 200
"""Number of quotations in one request."""


class Client:
    """Call the Rostrum service at `url`, with `key` if it needs one. Threads may share a client.

    `timeout_s` is the default timeout of a call with all its attempts. `delete` and each request of `upsert`
    publish a generation, and have ten minutes by default. The timeout applies to each step of an attempt:
    connecting, sending, waiting for the response header. So a call with several slow steps may take longer
    than `timeout_s`, unlike with `AsyncClient`. Every call may raise `ServiceError`: see
    `rostrum.client.errors`.
    """

    def __init__(self, url: str, *, key: str | None = None, timeout_s: float = TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        with refuse_unknown_proxies():
            self._http = httpx2.Client(base_url=parse_url(url), headers=build_headers(key))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def recommend(
        self,
        draft: Draft | str,
        *,
        filter: Filter | None = None,
        limit: int = 10,
        candidates: int | None = None,
        names: bool = True,
        timeout_s: float | None = None,
    ) -> Answer:
        """Return ranked paragraphs for a draft.

        If time is short, the ranker is skipped and the answer marked as degraded. If `draft` is a string, it
        is the text before the quote; this applies to the calls below, too.
        """
        return self._ask(calls.recommend(draft, filter, limit, candidates, names), timeout_s)

    def recommend_printed(
        self,
        draft: Draft | str,
        printed: Freshness = "show",
        *,
        filter: Filter | None = None,
        limit: int = 10,
        candidates: int | None = None,
        names: bool = True,
        timeout_s: float | None = None,
    ) -> PrintedAnswer:
        """Return ranked paragraphs for a draft, with where their words were already printed.

        `printed` says what to do with those words: show where, put them last, or leave them out. The service
        needs an archive of articles.
        """
        call = calls.recommend_printed(draft, printed, filter, limit, candidates, names)
        return self._ask(call, timeout_s)

    def recommend_many(
        self,
        drafts: Sequence[Draft | str],
        *,
        filter: Filter | None = None,
        limit: int = 10,
        candidates: int | None = None,
        names: bool = True,
        timeout_s: float | None = None,
    ) -> tuple[DraftAnswer, ...]:
        """Return an answer or an error for each draft, in their order.

        Drafts are sent in batches, each of which has `timeout_s`.
        """
        answers: list[DraftAnswer] = []
        for first in range(0, len(drafts), DRAFTS_TOGETHER):
            batch = drafts[first : first + DRAFTS_TOGETHER]
            call = calls.recommend_batch(batch, filter, limit, candidates, names)
            answers += (self._ask(call, timeout_s)).answers
        return tuple(answers)

    def explain(self, draft: Draft | str) -> Explanation:
        """Explain the queries for a draft, and the weights of the stages."""
        return self._ask(calls.explain(draft)).explanation

    def search(
        self,
        draft: Draft | str,
        *,
        filter: Filter | None = None,
        limit: int = 10,
        offset: int = 0,
        candidates: int | None = None,
        timeout_s: float | None = None,
    ) -> Answer:
        """Return a page of results of the first stage.

        Pages with the same `candidates` and generation are consistent.
        """
        return self._ask(calls.search(draft, filter, limit, offset, candidates), timeout_s)

    def verify(
        self,
        rows: Sequence[QuoteRow],
        *,
        progress: Callable[[int], None] = lambda done: None,
        timeout_s: float | None = None,
    ) -> Verification:
        """Check quotations; they are sent in batches, each with its own `timeout_s`."""
        checked: list[Verification] = []
        for first in range(0, len(rows), QUOTES_TOGETHER):
            batch = rows[first : first + QUOTES_TOGETHER]
            checked.append(self._ask(calls.verify(None, batch), timeout_s))
            progress(first + len(batch))
        return join_verifications(checked)

    def verify_draft(self, draft: Draft | str, *, timeout_s: float | None = None) -> Verification:
        """Check every quotation of a draft."""
        return self._ask(calls.verify(draft, ()), timeout_s)

    def evidence(
        self,
        claim: Claim | str,
        *,
        documents: Sequence[str] = (),
        filter: Filter | None = None,
        limit: int = 10,
        heat: bool = False,
        names: bool = True,
        timeout_s: float | None = None,
    ) -> EvidenceAnswer:
        """Find sentences that support or contradict a claim, in some documents or in all.

        If `claim` is a string, it is a statement without context. With `heat`, the answer has a heat (0 to 1)
        for every sentence of the documents.
        """
        return self._ask(calls.request_evidence(claim, documents, filter, limit, heat, names), timeout_s)

    def famous(
        self,
        left: str,
        right: str = "",
        *,
        list_name: str | None = None,
        filter: QuoteFilter | None = None,
        limit: int = 10,
        timeout_s: float | None = None,
    ) -> FamousAnswer:
        """Return the well-known quotes that fit between two texts, one of which may be empty.

        If `right` is empty, `left` may mark the gap with `[quote]`. `list_name` names a list of the service;
        by default, quotes come from the shipped list.
        """
        return self._ask(calls.request_famous(left, right, list_name, filter, limit), timeout_s)

    def counter(
        self,
        text: str,
        *,
        speaker: str | None = None,
        document: str | None = None,
        paragraph: int | None = None,
        limit: int = 3,
        timeout_s: float | None = None,
    ) -> CounterVoices:
        """Find counter-voices: sentences of the same speaker and of others on the point of a statement."""
        return self._ask(calls.request_counter(text, speaker, document, paragraph, limit), timeout_s)

    def repeats(
        self, text: str = "", *, document: str | None = None, paragraph: int | None = None
    ) -> RepeatAnswer:
        """Find paragraphs that repeat a text, or paragraph `paragraph` (from 0) of a document."""
        return self._ask(calls.request_repeats(text, document, paragraph))

    def documents(self) -> Iterator[DocumentInfo]:
        """Yield the metadata of the documents, ordered by id; they are requested page by page."""
        after: str | None = ""
        while after is not None:
            page = self._ask(calls.request_page(after, PAGE))
            yield from page.documents
            after = page.next

    def rerank(
        self,
        draft: Draft | str,
        texts: Sequence[str],
        *,
        limit: int | None = None,
        timeout_s: float | None = None,
    ) -> tuple[RankedText, ...]:
        """Rank texts that are not in an archive by how well they fit a draft; return the best `limit`."""
        return (self._ask(calls.rerank(draft, texts, limit), timeout_s)).results

    def submit_job(self, request: RefreshRequest) -> Job:
        """Ask a worker of the service to update the archive from its transcripts."""
        return self._ask(calls.submit_job(request))

    def jobs(self) -> tuple[Job, ...]:
        """List the refresh jobs of the last week, newest first."""
        return (self._ask(calls.list_jobs())).jobs

    def job(self, job_id: str) -> Job:
        """Return the current state of a refresh job."""
        return self._ask(calls.get_job(job_id))

    def cancel_job(self, job_id: str) -> Job:
        """Cancel a refresh job; published generations stay."""
        return self._ask(calls.cancel_job(job_id))

    def get(self, document_id: str) -> Speech:
        """Return a document and its paragraphs."""
        return self._ask(calls.get(document_id))

    def delete(self, document_id: str, *, timeout_s: float = PUBLISH_TIMEOUT_S) -> str:
        """Delete a document, and return the generation that is published without it."""
        return self._ask(calls.delete(document_id), timeout_s).generation

    def upsert(
        self,
        rows: Iterable[Mapping[str, Any]],
        *,
        timeout_s: float = PUBLISH_TIMEOUT_S,
        batch_bytes: int = BATCH_BYTES,
    ) -> Upserted:
        """Add speeches, replacing those with the same `id`; `rows` are like the objects of a JSON-lines file.

        Rows are sent in requests of `batch_bytes`, while `rows` is still being read. Each request has
        `timeout_s` and publishes its rows. If one fails, `upserted` of the error reports the rows published
        before.
        """
        done, lines = Upserted(), 0
        for body, count in split_bodies(rows, batch_bytes):
            try:
                done = done.add_report(self._ask(calls.upsert(body), timeout_s), lines)
            except ServiceError as error:
                error.upserted = done
                raise
            lines += count
        return done

    def submit_upload(self, rows: Iterable[Mapping[str, Any]]) -> Upload:
        """Send speeches, at most 64 MiB, that the service adds after its response; see `upload`."""
        lines = b"".join(body for body, _ in split_bodies(rows, BATCH_BYTES))
        return self._ask(calls.submit_upload(lines))

    def uploads(self) -> tuple[Upload, ...]:
        """List the uploads of the last week, newest first."""
        return (self._ask(calls.list_uploads())).uploads

    def upload(self, upload_id: str) -> Upload:
        """Return the state of an upload, with its result when it is done."""
        return self._ask(calls.get_upload(upload_id))

    def cancel_upload(self, upload_id: str) -> Upload:
        """Cancel an upload; published speeches stay."""
        return self._ask(calls.cancel_upload(upload_id))

    def health(self) -> None:
        """Check that the service's process is alive."""
        self._ask(calls.request_health())

    def ready(self) -> Readiness:
        """Return the published generation; raise `Unavailable` if the service is not ready."""
        return self._ask(calls.request_readiness())

    def _ask(self, call: Call[T], timeout_s: float | None = None) -> T:
        attempts = Attempts(call, self._timeout_s if timeout_s is None else timeout_s)
        while True:
            try:
                return self._try(call, attempts)
            except ServiceError as error:
                time.sleep(attempts.compute_wait_s(error))

    def _try(self, call: Call[T], attempts: Attempts) -> T:
        with (
            translate_errors(call),
            self._http.stream(**build_request(call, attempts.count_left_s())) as response,
        ):
            pieces = []
            for piece in response.iter_bytes():
                pieces.append(piece)
                if not attempts.count_left_s():  # a body that trickles in keeps every single read in time
                    raise DeadlineExceeded(f"{call.method} {call.path} was not answered in time")
            return parse_response(call, response, b"".join(pieces))
