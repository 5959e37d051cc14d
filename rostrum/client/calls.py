"""Define the calls of both clients, without I/O; a call is one request to the service.

A function in this module returns one `Call`, or is a generator that yields several calls, receives their
answers and returns the combined result (`Steps`). `Client` and `AsyncClient` have a method for each function,
with the same parameters and docstring. If a draft is a string, it is the text before the quote. `timeout_s`
is the timeout of one call.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from rostrum.client.batches import BATCH_BYTES, Upserted, split_bodies, split_forms
from rostrum.client.errors import ServiceError
from rostrum.client.responses import DraftAnswer, Page, RankedText, Readiness, Speech
from rostrum_core.companions import CounterVoices, Freshness, PrintedAnswer, RepeatAnswer
from rostrum_core.errors import BadInput
from rostrum_core.evidence import Claim, EvidenceAnswer
from rostrum_core.famous_quotes import FamousAnswer, QuoteFilter
from rostrum_core.quote_checks import QuoteRow, Verification, join_verifications
from rostrum_core.refresh_jobs import Job, RefreshRequest
from rostrum_core.types import Answer, Draft, Explanation, Filter
from rostrum_core.uploads import BulkReport, Upload

T = TypeVar("T")
DOCUMENTS = "/v1/documents"
JOBS = "/v1/jobs"
UPLOADS = "/v1/uploads"
PUBLISH_TIMEOUT_S = 600.0
"""Timeout of a request that publishes a generation, which builds the indexes of all paragraphs."""

PAGE = 500
DRAFTS_TOGETHER = 16
"""Most drafts in one request."""

QUOTES_TOGETHER = 200
"""Most quotations in one request."""


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """Hold one request to the service, and say how to read its answer and when to retry it.

    - `answer`: the type of the answer.
    - `part`: the field of the response that is the answer; if it is `None`, the whole response is the answer.
    - `safe`: the call changes nothing, so it may be retried after any failure.
    - `timed`: the timeout is sent to the service, so that it can skip the ranker to answer in time.
    - `patient`: the call is retried while the service is not ready.
    """

    method: str
    path: str
    answer: type[T]
    part: str | None = None
    safe: bool = True
    params: Mapping[str, Any] = field(default_factory=dict)
    form: Mapping[str, Any] | None = None
    lines: bytes | None = None
    timed: bool = False
    patient: bool = True
    timeout_s: float | None = None


Steps = Generator[Call[Any], Any, T]
"""Calls one after the other; the answer to each is sent back, or its error is raised at the `yield`."""


def recommend(
    draft: Draft | str,
    *,
    filter: Filter | None = None,
    limit: int = 10,
    candidates: int | None = None,
    names: bool = True,
    timeout_s: float | None = None,
) -> Call[Answer]:
    """Return ranked paragraphs for a draft.

    If time is short, the ranker is skipped and the answer marked as degraded.
    """
    form = _build_recommend_form(draft, filter, limit, candidates, names)
    return Call("POST", "/v1/recommend", Answer, form=form, timed=True, timeout_s=timeout_s)


def recommend_printed(
    draft: Draft | str,
    printed: Freshness = "show",
    *,
    filter: Filter | None = None,
    limit: int = 10,
    candidates: int | None = None,
    names: bool = True,
    timeout_s: float | None = None,
) -> Call[PrintedAnswer]:
    """Return ranked paragraphs for a draft, and the articles in which their words were already printed.

    `printed` says what to do with paragraphs whose words were already printed: show where ("show"), put them
    last ("last"), or leave them out ("leave-out"). The service needs an archive of articles.
    """
    form = _build_recommend_form(draft, filter, limit, candidates, names) | {"printed": printed}
    return Call("POST", "/v1/recommend", PrintedAnswer, form=form, timed=True, timeout_s=timeout_s)


def recommend_many(
    drafts: Sequence[Draft | str],
    *,
    filter: Filter | None = None,
    limit: int = 10,
    candidates: int | None = None,
    names: bool = True,
    timeout_s: float | None = None,
) -> Steps[tuple[DraftAnswer, ...]]:
    """Return an answer or an error for each draft, in the order of the drafts.

    Drafts are sent in batches.
    """
    answers: list[DraftAnswer] = []
    forms = [_build_recommend_form(draft, filter, limit, candidates, names) for draft in drafts]
    for batch in split_forms(forms, DRAFTS_TOGETHER):
        answers += yield Call(
            "POST",
            "/v1/recommend/batch",
            tuple[DraftAnswer, ...],
            "answers",
            form={"drafts": batch},
            timed=True,
            timeout_s=timeout_s,
        )
    return tuple(answers)


def explain(draft: Draft | str) -> Call[Explanation]:
    """Return how a draft is searched: the query texts made from it, and the weights of the scores."""
    form = _build_form(draft, None, 1) | {"limit": 1, "explain": True}  # one candidate is enough
    return Call("POST", "/v1/recommend", Explanation, "explanation", form=form, timed=True)


def search(
    draft: Draft | str,
    *,
    filter: Filter | None = None,
    limit: int = 10,
    offset: int = 0,
    candidates: int | None = None,
    timeout_s: float | None = None,
) -> Call[Answer]:
    """Return paragraphs for a draft, ranked by the first stage only: faster than `recommend`, and less exact.

    The result is the page of `limit` paragraphs after the first `offset`. Pages fit together if they have the
    same `candidates` and come from the same generation of the archive.
    """
    form = _build_form(draft, filter, candidates) | {"limit": limit, "offset": offset}
    return Call("POST", "/v1/search", Answer, form=form, timed=True, timeout_s=timeout_s)


def verify(
    rows: Sequence[QuoteRow],
    *,
    progress: Callable[[int], None] = lambda done: None,
    timeout_s: float | None = None,
) -> Steps[Verification]:
    """Check whether quotations are what was said, and by whom.

    Quotations are sent in batches. After each batch, `progress` gets the number of quotations checked so far.
    """
    checked: list[Verification] = []
    done = 0
    for batch in split_forms(list(map(_build_quote, rows)), QUOTES_TOGETHER):
        checked.append((yield _verify({"quotes": batch}, timeout_s)))
        done += len(batch)
        progress(done)
    return join_verifications(checked)


def verify_draft(draft: Draft | str, *, timeout_s: float | None = None) -> Call[Verification]:
    """Check whether each quotation in a draft is what was said, and by whom."""
    return _verify({"quotes": [], **_drop_missing(asdict(_make_draft(draft)))}, timeout_s)


def find_evidence(
    claim: Claim | str,
    *,
    documents: Sequence[str] = (),
    filter: Filter | None = None,
    limit: int = 10,
    heat: bool = False,
    names: bool = True,
    timeout_s: float | None = None,
) -> Call[EvidenceAnswer]:
    """Find sentences that support or contradict a claim, in `documents` (ids) or by default in all documents.

    If `claim` is a string, it is a statement without context. With `heat`, the answer also rates every
    sentence of the documents from 0 to 1, for a heat map.
    """
    whole = Claim(claim) if isinstance(claim, str) else claim
    form = {
        "claim": whole.text,
        "title": whole.title,
        "before": whole.before,
        "documents": list(documents),
        "filter": asdict(filter or Filter()),
        "limit": limit,
        "heat": heat,
    } | ({} if names else {"names": False})
    return Call("POST", "/v1/evidence", EvidenceAnswer, form=form, timed=True, timeout_s=timeout_s)


def find_famous(
    left: str,
    right: str = "",
    *,
    list_name: str | None = None,
    filter: QuoteFilter | None = None,
    limit: int = 10,
    timeout_s: float | None = None,
) -> Call[FamousAnswer]:
    """Return the well-known quotes that fit between two texts, one of which may be empty.

    If `right` is empty, `left` may mark the gap with `[quote]`. `list_name` names a list of the service;
    by default, quotes come from the shipped list.
    """
    form: dict[str, Any] = {"left": left, "right": right, "list": list_name, "limit": limit}
    if filter is not None:
        form["filter"] = asdict(filter)
    return Call("POST", "/v1/famous", FamousAnswer, form=form, timed=True, timeout_s=timeout_s)


def find_counter(
    text: str,
    *,
    speaker: str | None = None,
    document: str | None = None,
    paragraph: int | None = None,
    limit: int = 3,
    timeout_s: float | None = None,
) -> Call[CounterVoices]:
    """Find counter-voices to a statement: sentences on the same point, by the same speaker and by others."""
    form = {"text": text, "speaker": speaker, "document": document, "paragraph": paragraph, "limit": limit}
    return Call("POST", "/v1/counter", CounterVoices, form=form, timed=True, timeout_s=timeout_s)


def find_repeats(
    text: str = "", *, document: str | None = None, paragraph: int | None = None
) -> Call[RepeatAnswer]:
    """Find paragraphs that repeat words of a text, or of a paragraph in the archive.

    For a paragraph, `document` is the id of its document, and `paragraph` its number there, from 0.
    """
    form = {"text": text, "document": document, "paragraph": paragraph}
    return Call("POST", "/v1/repeats", RepeatAnswer, form=form)


def rerank(
    draft: Draft | str,
    texts: Sequence[str],
    *,
    limit: int | None = None,
    timeout_s: float | None = None,
) -> Call[tuple[RankedText, ...]]:
    """Rank texts that are not in an archive by how well they fit a draft; return the best `limit`."""
    whole = _make_draft(draft)
    # The service reads the first line as the title, even an empty one.
    form = {"query": f"{whole.title}\n{whole.left}", "documents": list(texts), "top_n": limit}
    answer = tuple[RankedText, ...]
    return Call("POST", "/v2/rerank", answer, "results", form=form, timed=True, timeout_s=timeout_s)


def submit_job(request: RefreshRequest) -> Call[Job]:
    """Submit a refresh job: the service or its worker updates the archive from transcripts on its machine."""
    return Call("POST", JOBS, Job, safe=False, form=asdict(request))


def list_jobs() -> Call[tuple[Job, ...]]:
    """List the refresh jobs of the last week, newest first."""
    return Call("GET", JOBS, tuple[Job, ...], "jobs")


def get_job(job_id: str) -> Call[Job]:
    """Return the current state of a refresh job."""
    return Call("GET", f"{JOBS}/{quote(job_id, safe='')}", Job)


def cancel_job(job_id: str) -> Call[Job]:
    """Cancel a refresh job; what the job has already published stays."""
    return Call("DELETE", f"{JOBS}/{quote(job_id, safe='')}", Job, safe=False)


def request_page(after: str) -> Call[Page]:
    """Return one page of the list of documents: those whose ids follow `after`."""
    return Call("GET", DOCUMENTS, Page, params={"after": after, "limit": PAGE})


def get(document_id: str) -> Call[Speech]:
    """Return a document and its paragraphs."""
    return Call("GET", _build_address(document_id), Speech)


def delete(document_id: str, *, timeout_s: float = PUBLISH_TIMEOUT_S) -> Call[str]:
    """Delete a document.

    Return the name of the generation (state of the archive) that is published without the document.
    """
    return Call("DELETE", _build_address(document_id), str, "generation", safe=False, timeout_s=timeout_s)


def upsert(
    rows: Iterable[Mapping[str, Any]],
    *,
    timeout_s: float = PUBLISH_TIMEOUT_S,
    batch_bytes: int = BATCH_BYTES,
) -> Steps[Upserted]:
    """Add speeches, replacing those with the same `id`; `rows` are like the objects of a JSON-lines file.

    Rows are sent in requests of at most `batch_bytes`, while `rows` is still being read. Each request has the
    timeout `timeout_s` and publishes its rows. If a request fails, the attribute `upserted` of the error
    reports the rows that earlier requests published.

    Raises:
        BadInput: a row holds a value that JSON cannot hold; dates are converted.
    """
    done, lines = Upserted(), 0
    for body, count in split_bodies(rows, batch_bytes):
        try:
            report = yield Call("POST", DOCUMENTS, BulkReport, safe=False, lines=body, timeout_s=timeout_s)
        except ServiceError as error:
            error.upserted = done
            raise
        done = done.add_report(report, lines)
        lines += count
    return done


def submit_upload(rows: Iterable[Mapping[str, Any]]) -> Call[Upload]:
    """Send speeches, at most 64 MiB, which the service adds to the archive after its response.

    The method `upload` returns the state of such an upload.
    """
    lines = b"".join(body for body, _ in split_bodies(rows, BATCH_BYTES))
    return Call("POST", UPLOADS, Upload, safe=False, lines=lines)


def list_uploads() -> Call[tuple[Upload, ...]]:
    """List the uploads of the last week, newest first."""
    return Call("GET", UPLOADS, tuple[Upload, ...], "uploads")


def get_upload(upload_id: str) -> Call[Upload]:
    """Return the state of an upload, with its result when it is done."""
    return Call("GET", f"{UPLOADS}/{quote(upload_id, safe='')}", Upload)


def cancel_upload(upload_id: str) -> Call[Upload]:
    """Cancel an upload; published speeches stay."""
    return Call("DELETE", f"{UPLOADS}/{quote(upload_id, safe='')}", Upload, safe=False)


def check_health() -> Steps[None]:
    """Check that the service's process is alive."""
    yield Call("GET", "/health", str, "status", patient=False)


def check_ready() -> Call[Readiness]:
    """Return the published generation, that is, the state of the archive that is searched.

    Raise `Unavailable` if the service is not ready.
    """
    return Call("GET", "/ready", Readiness, patient=False)


def _build_recommend_form(
    draft: Draft | str, filter: Filter | None, limit: int, candidates: int | None, names: bool
) -> dict[str, Any]:
    return _build_form(draft, filter, candidates) | {"limit": limit} | ({} if names else {"names": False})


def _build_form(draft: Draft | str, filter: Filter | None, candidates: int | None) -> dict[str, Any]:
    values = _drop_missing(asdict(_make_draft(draft)))  # a service may be older than `written_on`
    return values | {"filter": asdict(filter or Filter()), "candidates": candidates}


def _verify(form: dict[str, Any], timeout_s: float | None) -> Call[Verification]:
    return Call("POST", "/v1/verify", Verification, form=form, timed=True, timeout_s=timeout_s)


def _build_quote(row: QuoteRow) -> dict[str, Any]:
    return _drop_missing(
        {"id": row.id, "parts": list(row.parts), "speaker": row.speaker, "date": row.said_on}
    )


def _make_draft(draft: Draft | str) -> Draft:
    return Draft(left=draft) if isinstance(draft, str) else draft


def _drop_missing(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _build_address(document_id: str) -> str:
    if document_id in {".", ".."}:  # folders, in an address
        raise BadInput(f"no document has the id {document_id!r}", field="document_id")
    try:
        return f"{DOCUMENTS}/{quote(document_id, safe='')}"
    except UnicodeEncodeError as error:  # another letter in its place would name another document
        raise BadInput(f"no document has the id {document_id!r}", field="document_id") from error
