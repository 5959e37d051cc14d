"""Build requests and parse responses of the service, without I/O; both clients use this."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from rostrum_core.companions import CounterVoices, Freshness, PrintedAnswer, RepeatAnswer
from rostrum_core.errors import BadInput
from rostrum_core.evidence import Claim, EvidenceAnswer
from rostrum_core.famous_quotes import FamousAnswer, QuoteFilter
from rostrum_core.quote_checks import QuoteRow, Verification
from rostrum_core.refresh_jobs import Job, RefreshRequest
from rostrum_core.types import Answer, Document, DocumentInfo, Draft, Explanation, Filter, Paragraph
from rostrum_core.uploads import BulkReport, Upload

T = TypeVar("T")
JSON, JSON_LINES = "application/json", "application/x-ndjson"
DOCUMENTS = "/v1/documents"
JOBS = "/v1/jobs"
UPLOADS = "/v1/uploads"


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """Hold one request and the type of its response.

    - `safe`: the call changes nothing, so it may be retried after any failure.
    - `timed`: the timeout is sent to the service, so that it can skip the ranker to answer in time.
    - `patient`: the call waits while the service is not ready.
    """

    method: str
    path: str
    answer: type[T]
    safe: bool = True
    params: Mapping[str, Any] = field(default_factory=dict)
    form: Mapping[str, Any] | None = None
    lines: bytes | None = None
    timed: bool = False
    patient: bool = True


@dataclass(frozen=True, slots=True)
class Explained:
    """The explanation in an answer that has one."""

    explanation: Explanation


@dataclass(frozen=True, slots=True)
class Page:
    """A page of documents; the next page begins after the id `next`."""

    documents: tuple[DocumentInfo, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Speech:
    """A document with its paragraphs in order."""

    document: Document
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The generation that is published without a document."""

    generation: str


@dataclass(frozen=True, slots=True)
class Health:
    """The process is alive."""

    status: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """The published generation and its contents; `None` for a client without a key."""

    generation: str | None = None
    documents: int | None = None
    paragraphs: int | None = None


@dataclass(frozen=True, slots=True)
class RankedText:
    """A text by its index in the call; `score` is between 0 and 1, and orders the texts of one query.

    `span` has the words worth quoting, in code points of the text; `None` if it has no words.
    """

    index: int
    relevance_score: float
    span: TextSpan | None = None


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Words of a text, as a half-open range in code points."""

    start_char: int
    end_char: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """Texts, best first."""

    results: tuple[RankedText, ...]


@dataclass(frozen=True, slots=True)
class DraftError:
    """Error of one draft in a batch."""

    code: str
    message: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class DraftAnswer:
    """The outcome of one draft in a batch: `answer` or `error`."""

    answer: Answer | None = None
    error: DraftError | None = None


@dataclass(frozen=True, slots=True)
class DraftAnswers:
    """The outcomes of the drafts in a batch, in order."""

    answers: tuple[DraftAnswer, ...]


@dataclass(frozen=True, slots=True)
class JobList:
    """The jobs of the last week, newest first."""

    jobs: tuple[Job, ...]


@dataclass(frozen=True, slots=True)
class UploadList:
    """The uploads of the last week, newest first."""

    uploads: tuple[Upload, ...]


def recommend(
    draft: Draft | str, chosen: Filter | None, limit: int, candidates: int | None, names: bool = True
) -> Call[Answer]:
    """Request ranked paragraphs for a draft.

    If `draft` is a string, here and below, it is the text before the quote.
    """
    form = _build_form(draft, chosen, candidates) | {"limit": limit} | ({} if names else {"names": False})
    return Call("POST", "/v1/recommend", Answer, form=form, timed=True)


def recommend_printed(
    draft: Draft | str,
    printed: Freshness,
    chosen: Filter | None,
    limit: int,
    candidates: int | None,
    names: bool,
) -> Call[PrintedAnswer]:
    """Request ranked paragraphs for a draft, with where their words were printed."""
    form = recommend(draft, chosen, limit, candidates, names).form or {}
    return Call("POST", "/v1/recommend", PrintedAnswer, form={**form, "printed": printed}, timed=True)


def recommend_batch(
    drafts: Sequence[Draft | str], chosen: Filter | None, limit: int, candidates: int | None, names: bool
) -> Call[DraftAnswers]:
    """Request ranked paragraphs for several drafts."""
    forms = [recommend(draft, chosen, limit, candidates, names).form for draft in drafts]
    return Call("POST", "/v1/recommend/batch", DraftAnswers, form={"drafts": forms}, timed=True)


def explain(draft: Draft | str) -> Call[Explained]:
    """Request the queries for a draft; one candidate is enough for the explanation."""
    form = _build_form(draft, None, 1) | {"limit": 1, "explain": True}
    return Call("POST", "/v1/recommend", Explained, form=form, timed=True)


def search(
    draft: Draft | str, chosen: Filter | None, limit: int, offset: int, candidates: int | None
) -> Call[Answer]:
    """Request a page of results of the first stage."""
    form = _build_form(draft, chosen, candidates) | {"limit": limit, "offset": offset}
    return Call("POST", "/v1/search", Answer, form=form, timed=True)


def verify(draft: Draft | str | None, rows: Sequence[QuoteRow]) -> Call[Verification]:
    """Request checks of the quotations of a draft, or of rows."""
    form: dict[str, Any] = {"quotes": [_quote_form(row) for row in rows]}
    if draft is not None:
        whole = asdict(Draft(left=draft) if isinstance(draft, str) else draft)
        form |= {name: value for name, value in whole.items() if value is not None}
    return Call("POST", "/v1/verify", Verification, form=form, timed=True)


def request_famous(
    left: str, right: str, list_name: str | None, chosen: QuoteFilter | None, limit: int
) -> Call[FamousAnswer]:
    """Request the well-known quotes that fit between two texts."""
    form: dict[str, Any] = {"left": left, "right": right, "list": list_name, "limit": limit}
    if chosen is not None:
        form["filter"] = asdict(chosen)
    return Call("POST", "/v1/famous", FamousAnswer, form=form, timed=True)


def _quote_form(row: QuoteRow) -> dict[str, Any]:
    form = {"id": row.id, "parts": list(row.parts), "speaker": row.speaker, "date": row.said_on}
    return {name: value for name, value in form.items() if value is not None}


def request_evidence(
    claim: Claim | str,
    documents: Sequence[str],
    chosen: Filter | None,
    limit: int,
    heat: bool,
    names: bool = True,
) -> Call[EvidenceAnswer]:
    """Request sentences that support or contradict a claim."""
    whole = Claim(claim) if isinstance(claim, str) else claim
    form = {
        "claim": whole.text,
        "title": whole.title,
        "before": whole.before,
        "documents": list(documents),
        "filter": asdict(chosen or Filter()),
        "limit": limit,
        "heat": heat,
    } | ({} if names else {"names": False})
    return Call("POST", "/v1/evidence", EvidenceAnswer, form=form, timed=True)


def request_counter(
    text: str, speaker: str | None, document: str | None, paragraph: int | None, limit: int
) -> Call[CounterVoices]:
    """Request counter-voices to a statement."""
    form = {"text": text, "speaker": speaker, "document": document, "paragraph": paragraph, "limit": limit}
    return Call("POST", "/v1/counter", CounterVoices, form=form, timed=True)


def request_repeats(text: str, document: str | None, paragraph: int | None) -> Call[RepeatAnswer]:
    """Request repeats of a text, or of a paragraph of a document."""
    form = {"text": text, "document": document, "paragraph": paragraph}
    return Call("POST", "/v1/repeats", RepeatAnswer, form=form)


def rerank(draft: Draft | str, texts: Sequence[str], limit: int | None) -> Call[Ranking]:
    """Request a ranking of texts that are not in an archive."""
    query = draft if isinstance(draft, str) else f"{draft.title}\n{draft.left}"
    form = {"query": query, "documents": list(texts), "top_n": limit}
    return Call("POST", "/v2/rerank", Ranking, form=form, timed=True)


def submit_job(request: RefreshRequest) -> Call[Job]:
    """Request a refresh by a worker."""
    return Call("POST", JOBS, Job, safe=False, form=asdict(request))


def list_jobs() -> Call[JobList]:
    """Request the list of refresh jobs."""
    return Call("GET", JOBS, JobList)


def get_job(job_id: str) -> Call[Job]:
    """Request the state of a refresh job."""
    return Call("GET", f"{JOBS}/{quote(job_id, safe='')}", Job)


def cancel_job(job_id: str) -> Call[Job]:
    """Request that a refresh job is cancelled."""
    return Call("DELETE", f"{JOBS}/{quote(job_id, safe='')}", Job, safe=False)


def request_page(after: str, limit: int) -> Call[Page]:
    """Request the documents whose ids follow `after`."""
    return Call("GET", DOCUMENTS, Page, params={"after": after, "limit": limit})


def get(document_id: str) -> Call[Speech]:
    """Request a document."""
    return Call("GET", _build_address(document_id), Speech)


def delete(document_id: str) -> Call[Withdrawal]:
    """Request that a document is deleted."""
    return Call("DELETE", _build_address(document_id), Withdrawal, safe=False)


def upsert(lines: bytes) -> Call[BulkReport]:
    """Request that documents are added, as JSON lines."""
    return Call("POST", DOCUMENTS, BulkReport, safe=False, lines=lines)


def submit_upload(lines: bytes) -> Call[Upload]:
    """Send documents, as JSON lines, that are added after the response."""
    return Call("POST", UPLOADS, Upload, safe=False, lines=lines)


def list_uploads() -> Call[UploadList]:
    """Request the list of uploads."""
    return Call("GET", UPLOADS, UploadList)


def get_upload(upload_id: str) -> Call[Upload]:
    """Request the state of an upload."""
    return Call("GET", f"{UPLOADS}/{quote(upload_id, safe='')}", Upload)


def cancel_upload(upload_id: str) -> Call[Upload]:
    """Request that an upload is cancelled."""
    return Call("DELETE", f"{UPLOADS}/{quote(upload_id, safe='')}", Upload, safe=False)


def request_health() -> Call[Health]:
    """Request the health of the process."""
    return Call("GET", "/health", Health, patient=False)


def request_readiness() -> Call[Readiness]:
    """Request the readiness of the service."""
    return Call("GET", "/ready", Readiness, patient=False)


def _build_form(draft: Draft | str, chosen: Filter | None, candidates: int | None) -> dict[str, Any]:
    values = asdict(Draft(left=draft) if isinstance(draft, str) else draft)
    if values["written_on"] is None:
        del values["written_on"]  # unknown to a service older than this field
    return values | {"filter": asdict(chosen or Filter()), "candidates": candidates}


def _build_address(document_id: str) -> str:
    if document_id in {".", ".."}:  # folders, in an address
        raise BadInput(f"no document has the id {document_id!r}", field="document_id")
    try:
        return f"{DOCUMENTS}/{quote(document_id, safe='')}"
    except UnicodeEncodeError as error:  # another letter in its place would name another document
        raise BadInput(f"no document has the id {document_id!r}", field="document_id") from error
