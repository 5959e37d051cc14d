"""Define the client for asyncio; `rostrum.client.client` documents each call in full."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2

from rostrum.client import calls
from rostrum.client.batches import BATCH_BYTES, Upserted, split_bodies
from rostrum.client.calls import Call, DraftAnswer, RankedText, Readiness, Speech
from rostrum.client.client import DRAFTS_TOGETHER, PAGE, PUBLISH_TIMEOUT_S, QUOTES_TOGETHER, TIMEOUT_S
from rostrum.client.errors import ServiceError
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


class AsyncClient:
    """Call a Rostrum service as `Client` does, with asyncio."""

    def __init__(self, url: str, *, key: str | None = None, timeout_s: float = TIMEOUT_S) -> None:
        self._timeout_s = timeout_s
        with refuse_unknown_proxies():
            self._http = httpx2.AsyncClient(base_url=parse_url(url), headers=build_headers(key))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def recommend(
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
        return await self._ask(calls.recommend(draft, filter, limit, candidates, names), timeout_s)

    async def recommend_printed(
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
        return await self._ask(call, timeout_s)

    async def recommend_many(
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
            answers += (await self._ask(call, timeout_s)).answers
        return tuple(answers)

    async def explain(self, draft: Draft | str) -> Explanation:
        """Explain the queries for a draft, and the weights of the stages."""
        return (await self._ask(calls.explain(draft))).explanation

    async def search(
        self,
        draft: Draft | str,
        *,
        filter: Filter | None = None,
        limit: int = 10,
        offset: int = 0,
        candidates: int | None = None,
        timeout_s: float | None = None,
    ) -> Answer:
        """Return a page of results of the first stage, without the ranker."""
        return await self._ask(calls.search(draft, filter, limit, offset, candidates), timeout_s)

    async def verify(
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
            checked.append(await self._ask(calls.verify(None, batch), timeout_s))
            progress(first + len(batch))
        return join_verifications(checked)

    async def verify_draft(self, draft: Draft | str, *, timeout_s: float | None = None) -> Verification:
        """Check every quotation of a draft."""
        return await self._ask(calls.verify(draft, ()), timeout_s)

    async def evidence(
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
        """Find sentences that support or contradict a claim, in some documents or in all."""
        return await self._ask(
            calls.request_evidence(claim, documents, filter, limit, heat, names), timeout_s
        )

    async def famous(
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
        return await self._ask(calls.request_famous(left, right, list_name, filter, limit), timeout_s)

    async def counter(
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
        return await self._ask(calls.request_counter(text, speaker, document, paragraph, limit), timeout_s)

    async def repeats(
        self, text: str = "", *, document: str | None = None, paragraph: int | None = None
    ) -> RepeatAnswer:
        """Find paragraphs that repeat a text, or paragraph `paragraph` (from 0) of a document."""
        return await self._ask(calls.request_repeats(text, document, paragraph))

    async def documents(self) -> AsyncIterator[DocumentInfo]:
        """Yield the metadata of the documents, ordered by id."""
        after: str | None = ""
        while after is not None:
            page = await self._ask(calls.request_page(after, PAGE))
            for document in page.documents:
                yield document
            after = page.next

    async def rerank(
        self,
        draft: Draft | str,
        texts: Sequence[str],
        *,
        limit: int | None = None,
        timeout_s: float | None = None,
    ) -> tuple[RankedText, ...]:
        """Rank texts that are not in an archive by how well they fit a draft; return the best `limit`."""
        return (await self._ask(calls.rerank(draft, texts, limit), timeout_s)).results

    async def submit_job(self, request: RefreshRequest) -> Job:
        """Ask a worker of the service to update the archive from its transcripts."""
        return await self._ask(calls.submit_job(request))

    async def jobs(self) -> tuple[Job, ...]:
        """List the refresh jobs of the last week, newest first."""
        return (await self._ask(calls.list_jobs())).jobs

    async def job(self, job_id: str) -> Job:
        """Return the current state of a refresh job."""
        return await self._ask(calls.get_job(job_id))

    async def cancel_job(self, job_id: str) -> Job:
        """Cancel a refresh job; published generations stay."""
        return await self._ask(calls.cancel_job(job_id))

    async def get(self, document_id: str) -> Speech:
        """Return a document and its paragraphs."""
        return await self._ask(calls.get(document_id))

    async def delete(self, document_id: str, *, timeout_s: float = PUBLISH_TIMEOUT_S) -> str:
        """Delete a document, and return the generation that is published without it."""
        return (await self._ask(calls.delete(document_id), timeout_s)).generation

    async def upsert(
        self,
        rows: Iterable[Mapping[str, Any]],
        *,
        timeout_s: float = PUBLISH_TIMEOUT_S,
        batch_bytes: int = BATCH_BYTES,
    ) -> Upserted:
        """Add speeches, replacing those with the same `id`."""
        done, lines = Upserted(), 0
        for body, count in split_bodies(rows, batch_bytes):
            try:
                done = done.add_report(await self._ask(calls.upsert(body), timeout_s), lines)
            except ServiceError as error:
                error.upserted = done
                raise
            lines += count
        return done

    async def submit_upload(self, rows: Iterable[Mapping[str, Any]]) -> Upload:
        """Send speeches, at most 64 MiB, that the service adds after its response; see `upload`."""
        lines = b"".join(body for body, _ in split_bodies(rows, BATCH_BYTES))
        return await self._ask(calls.submit_upload(lines))

    async def uploads(self) -> tuple[Upload, ...]:
        """List the uploads of the last week, newest first."""
        return (await self._ask(calls.list_uploads())).uploads

    async def upload(self, upload_id: str) -> Upload:
        """Return the state of an upload, with its result when it is done."""
        return await self._ask(calls.get_upload(upload_id))

    async def cancel_upload(self, upload_id: str) -> Upload:
        """Cancel an upload; published speeches stay."""
        return await self._ask(calls.cancel_upload(upload_id))

    async def health(self) -> None:
        """Check that the service's process is alive."""
        await self._ask(calls.request_health())

    async def ready(self) -> Readiness:
        """Return the published generation; raise `Unavailable` if the service is not ready."""
        return await self._ask(calls.request_readiness())

    async def _ask(self, call: Call[T], timeout_s: float | None = None) -> T:
        attempts = Attempts(call, self._timeout_s if timeout_s is None else timeout_s)
        while True:
            try:
                return await self._try(call, attempts)
            except ServiceError as error:
                wait_s = attempts.compute_wait_s(error)
            await asyncio.sleep(wait_s)

    async def _try(self, call: Call[T], attempts: Attempts) -> T:
        left_s = attempts.count_left_s()
        with translate_errors(call):
            async with asyncio.timeout(left_s), self._http.stream(**build_request(call, left_s)) as response:
                return parse_response(call, response, await response.aread())
