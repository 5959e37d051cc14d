"""What is asked of the service and how its answers are read: the same for both clients, without I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from rostrum_core.errors import BadInput
from rostrum_core.quote_checks import QuoteRow, Verification
from rostrum_core.refresh_jobs import Job, RefreshRequest, Report
from rostrum_core.types import Answer, Document, DocumentInfo, Draft, Explanation, Filter, Paragraph

T = TypeVar("T")
JSON, JSON_LINES = "application/json", "application/x-ndjson"
DOCUMENTS = "/v1/documents"
JOBS = "/v1/jobs"


@dataclass(frozen=True, slots=True)
class Call(Generic[T]):
    """One request and the type of its answer.

    `safe`: it changes nothing, and may be asked again whatever became of it. `timed`: the service is told how
    long it has, so that an answer without the ranker comes in place of none. `patient`: where the service is
    not ready the call waits for it.
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
    """As much of an explained answer as only it has."""

    explanation: Explanation


@dataclass(frozen=True, slots=True)
class Page:
    """A page of documents; `next` is the id that the following one begins after."""

    documents: tuple[DocumentInfo, ...]
    next: str | None


@dataclass(frozen=True, slots=True)
class Speech:
    """A document with its paragraphs in order."""

    document: Document
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class RefusedLine:
    """What was not taken, and why: a row, by its line from 1, or a document that the archive refused.

    Of a row that was passed over only a field was not taken.
    """

    line: int | None
    reason: str
    document: str | None = None


@dataclass(frozen=True, slots=True)
class BulkReport:
    """What a refresh did, and the first rows that were not read, or of which a field was not."""

    report: Report
    refused: tuple[RefusedLine, ...]
    passed_over: tuple[RefusedLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """The generation that is published without a document."""

    generation: str


@dataclass(frozen=True, slots=True)
class Health:
    """The process lives."""

    status: str


@dataclass(frozen=True, slots=True)
class Readiness:
    """The generation that is published, and what it holds; `None` for a client that has no key."""

    generation: str | None = None
    documents: int | None = None
    paragraphs: int | None = None


@dataclass(frozen=True, slots=True)
class RankedText:
    """A text by its index in the call; `score` is between 0 and 1, and orders the texts of one query.

    `span` are the words worth quoting, in code points of the text; `None` where it has no words.
    """

    index: int
    relevance_score: float
    span: TextSpan | None = None


@dataclass(frozen=True, slots=True)
class TextSpan:
    """Words of a text, half-open."""

    start_char: int
    end_char: int


@dataclass(frozen=True, slots=True)
class Ranking:
    """Texts in the order of merit."""

    results: tuple[RankedText, ...]


@dataclass(frozen=True, slots=True)
class JobList:
    """The jobs of the last week, the newest first."""

    jobs: tuple[Job, ...]


def recommend(
    draft: Draft | str, chosen: Filter | None, limit: int, candidates: int | None, names: bool = True
) -> Call[Answer]:
    """Ranked paragraphs for a draft; text alone is that before the quote, here as below."""
    form = _form(draft, chosen, candidates) | {"limit": limit} | ({} if names else {"names": False})
    return Call("POST", "/v1/recommend", Answer, form=form, timed=True)


def explain(draft: Draft | str) -> Call[Explained]:
    """What a draft asks of the archive; one candidate is enough to be told."""
    form = _form(draft, None, 1) | {"limit": 1, "explain": True}
    return Call("POST", "/v1/recommend", Explained, form=form, timed=True)


def search(
    draft: Draft | str, chosen: Filter | None, limit: int, offset: int, candidates: int | None
) -> Call[Answer]:
    """A page of the first stage."""
    form = _form(draft, chosen, candidates) | {"limit": limit, "offset": offset}
    return Call("POST", "/v1/search", Answer, form=form, timed=True)


def verify(draft: Draft | str | None, rows: Sequence[QuoteRow]) -> Call[Verification]:
    """Check the quotations of a draft, or rows."""
    form: dict[str, Any] = {"quotes": [_quote_form(row) for row in rows]}
    if draft is not None:
        whole = asdict(Draft(left=draft) if isinstance(draft, str) else draft)
        form |= {name: value for name, value in whole.items() if value is not None}
    return Call("POST", "/v1/verify", Verification, form=form, timed=True)


def _quote_form(row: QuoteRow) -> dict[str, Any]:
    form = {"id": row.id, "parts": list(row.parts), "speaker": row.speaker, "date": row.said_on}
    return {name: value for name, value in form.items() if value is not None}


def rerank(draft: Draft | str, texts: Sequence[str], limit: int | None) -> Call[Ranking]:
    """Order texts that are in no archive."""
    query = draft if isinstance(draft, str) else f"{draft.title}\n{draft.left}"
    form = {"query": query, "documents": list(texts), "top_n": limit}
    return Call("POST", "/v2/rerank", Ranking, form=form, timed=True)


def submit_job(request: RefreshRequest) -> Call[Job]:
    """Ask a worker for a refresh."""
    return Call("POST", JOBS, Job, safe=False, form=asdict(request))


def list_jobs() -> Call[JobList]:
    """List the refresh jobs."""
    return Call("GET", JOBS, JobList)


def get_job(job_id: str) -> Call[Job]:
    """Look at a refresh job."""
    return Call("GET", f"{JOBS}/{quote(job_id, safe='')}", Job)


def cancel_job(job_id: str) -> Call[Job]:
    """End a refresh job."""
    return Call("DELETE", f"{JOBS}/{quote(job_id, safe='')}", Job, safe=False)


def page(after: str, limit: int) -> Call[Page]:
    """The documents whose ids follow `after`."""
    return Call("GET", DOCUMENTS, Page, params={"after": after, "limit": limit})


def get(document_id: str) -> Call[Speech]:
    """A document."""
    return Call("GET", _address(document_id), Speech)


def delete(document_id: str) -> Call[Withdrawal]:
    """Takes a document away."""
    return Call("DELETE", _address(document_id), Withdrawal, safe=False)


def upsert(lines: bytes) -> Call[BulkReport]:
    """Adds documents, JSON lines."""
    return Call("POST", DOCUMENTS, BulkReport, safe=False, lines=lines)


def health() -> Call[Health]:
    """Whether the process lives."""
    return Call("GET", "/health", Health, patient=False)


def ready() -> Call[Readiness]:
    """Whether it can do its work."""
    return Call("GET", "/ready", Readiness, patient=False)


def _form(draft: Draft | str, chosen: Filter | None, candidates: int | None) -> dict[str, Any]:
    told = asdict(Draft(left=draft) if isinstance(draft, str) else draft)
    if told["written_on"] is None:
        del told["written_on"]  # which a service of before drafts had days does not know
    return told | {"filter": asdict(chosen or Filter()), "candidates": candidates}


def _address(document_id: str) -> str:
    if document_id in {".", ".."}:  # folders, in an address
        raise BadInput(f"no document has the id {document_id!r}", field="document_id")
    try:
        return f"{DOCUMENTS}/{quote(document_id, safe='')}"
    except UnicodeEncodeError as error:  # another letter in its place would name another document
        raise BadInput(f"no document has the id {document_id!r}", field="document_id") from error
