"""Build the HTTP application of one Rostrum service: routes, pages, limits and error handling."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from importlib.metadata import version
from types import ModuleType
from typing import Any

from anyio.to_thread import current_default_thread_limiter
from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.middleware.cors import CORSMiddleware
from fastapi.routing import APIRoute

from archive.cleaning_rules import load_boilerplate
from archive.quoted_by import Quotings
from archive.service import Service
from rostrum.api.edge.access_log import REQUEST_ID, AccessLog
from rostrum.api.edge.auth import Authentication
from rostrum.api.edge.body_limits import BodyLimits, Limits
from rostrum.api.edge.capacity import Capacity
from rostrum.api.edge.error_shapes import Error
from rostrum.api.edge.errors import Unforeseen, answer_errors
from rostrum.api.edge.foreign_pages import ForeignPages
from rostrum.api.edge.framing import Framing
from rostrum.api.edge.json_bounds import FreeBounds, JsonLinesBounds
from rostrum.api.edge.keys import Keys
from rostrum.api.edge.metrics import Metrics
from rostrum.api.edge.page_requests import is_open
from rostrum.api.edge.proxies import Proxies
from rostrum.api.edge.rate_limits import RateLimits
from rostrum.api.edge.readiness import Readiness
from rostrum.api.edge.sessions import Sessions
from rostrum.api.edge.traces import TELEMETRY, flush_at_end
from rostrum.api.edge.variants import Compression, Head, Slashes
from rostrum.api.openapi import install_openapi, name_operation
from rostrum.api.overview import Overviews
from rostrum.api.page import assets, check, login, read, write
from rostrum.api.page import operate as operate_page
from rostrum.api.page import search as search_page
from rostrum.api.page.login import SignIn
from rostrum.api.routes import (
    bulk,
    canary,
    companions,
    dead_letters,
    documents,
    evidence,
    famous,
    health,
    highlight,
    jobs,
    language_tool,
    models,
    operate,
    publications,
    quoted_by,
    recommend,
    reference,
    search,
    search_words,
    selection,
    uploads,
    verify,
)
from rostrum.api.routes.cache import Answers
from rostrum.api.routes.dependencies import Assembly, Places
from rostrum.api.routes.rerank import cohere, hits, others, tei
from rostrum.api.uploads import UploadQueue
from rostrum.assemble import open_service_jobs

BODY = Limits(4 << 20, 30.0)
"""Limits for a request with a draft: twice the size of the longest draft with every character escaped."""

BULK = Limits(64 << 20, 600.0, JsonLinesBounds, together_bytes=512 << 20)
"""Limits for a bulk upload, such as a file of speeches. It is spooled to disk and has its own budget."""

FORM = Limits(16 << 20, 60.0, FreeBounds)
"""Limits for the form of a page: a draft, perhaps as a Word file."""

TEXTS = Limits(16 << 20, 30.0)
"""Limits for a thousand texts to rerank, each as long as a search may return."""

READING_PLACES = 2
"""Reading places for each ranking place; a read takes only milliseconds."""

WAITING = 4
"""Number of requests that may wait for each place."""

WAIT_S = 2.0
"""Seconds after which a waiting request is refused."""

COMPRESSED_BYTES = 1000
COMPRESSION = 5
"""Compression level.

Higher levels make responses hardly smaller, and small responses are not worth the time.
"""

WRITERS_WAITING = 8
WRITER_WAIT_S = 60.0
"""Seconds after which a writer that waits for another is refused.

Publishing a few speeches takes some seconds.
"""

SPARE_THREADS = 8
"""Threads in addition to one per running request: for health, metrics, and waits for a disk."""

RERANK = (cohere, tei, hits, others)
PARTS = (
    health,
    recommend,
    search,
    search_words,
    verify,
    evidence,
    famous,
    highlight,
    companions,
    language_tool,
    documents,
    selection,
    quoted_by,
    bulk,
    uploads,
    jobs,
    publications,
    dead_letters,
    canary,
    operate,
    models,
    reference,
    *RERANK,
)
PAGES = (assets, login, write, check, search_page, read, operate_page)
"""Pages for people; `docs/page.md` describes them."""


def list_routes(parts: Iterable[ModuleType]) -> list[APIRoute]:
    """Return all routes of the modules `parts`; each module has its routes in its `router`."""
    return [route for part in parts for route in part.router.routes if isinstance(route, APIRoute)]


RERANK_PATHS = [route.path for route in list_routes(RERANK)]
FORM_PATHS = [route.path.rstrip("/") for route in list_routes(PAGES) if "POST" in (route.methods or ())]
"""Paths that accept a form, without a trailing slash, as `BodyLimits` needs them."""

HIGHLIGHT_PATH = "/v1/highlight/opensearch"
OWN_LIMITS = (
    {bulk.router.prefix: BULK, uploads.router.prefix: BULK}
    | dict.fromkeys([*RERANK_PATHS, HIGHLIGHT_PATH], TEXTS)
    | dict.fromkeys(FORM_PATHS, FORM)
)

CORS: dict[str, Any] = {
    "allow_methods": ("GET", "POST", "DELETE"),
    "allow_headers": ("Authorization", "Content-Type", "If-Match", "If-None-Match", REQUEST_ID),
    "expose_headers": ("ETag", "Retry-After", REQUEST_ID),
}
"""Request headers that pages of allowed origins may send, and response headers that they may read."""


def make_app(service: Service) -> FastAPI:
    """Build the HTTP application of a service, with all its routes and pages.

    The pages load no scripts from other sites. `/openapi.json` describes the routes for programs.

    Raises:
        BadInput: the setting `rules` names invalid rules for removing boilerplate from transcripts.
    """
    load_boilerplate(service.settings.rules)
    app = FastAPI(
        title="Rostrum",
        version=version("rostrum-quotes"),
        description="Finds the quote a writer needs: ranked paragraphs with the words worth quoting marked.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=name_operation,
        telemetry=TELEMETRY,
        lifespan=lambda app: _run_lifespan(app, service.settings.api_concurrency),
        responses={"4XX": {"model": Error}, "5XX": {"model": Error}},
    )
    places = make_places(service.settings.api_concurrency)
    metrics = Metrics(places.count_taken)
    answers = Answers(service.settings.api_cache_bytes)
    app.state.assembly = Assembly(service, places, metrics, answers, Readiness(service))
    app.state.uploads = uploads.make_queue(service)
    refresh_jobs: jobs.Jobs | None = open_service_jobs(service)
    app.state.jobs = refresh_jobs
    app.state.quotings = Quotings(service.settings.archive)
    app.state.overview = Overviews(service, refresh_jobs, places.count_taken)
    rate_limits = RateLimits(service.settings.api_requests_per_minute)
    proxies, keys = Proxies(service.settings.api_trusted_proxies), service.settings.api_keys
    known_keys = None if keys is None else Keys(keys)
    sessions = None if known_keys is None else Sessions(known_keys)
    app.state.page_paths = frozenset(route.path for route in list_routes(PAGES))
    app.state.sign_in = SignIn(sessions, rate_limits, proxies)
    for part in (*PARTS, *PAGES):
        app.include_router(part.router)
    install_openapi(app)
    answer_errors(app)
    origins = service.settings.api_origins
    app.add_middleware(BodyLimits, limits=BODY, own=OWN_LIMITS)
    app.add_middleware(
        Authentication,
        keys=known_keys,
        sessions=sessions,
        rate_limits=rate_limits,
        proxies=proxies,
        failed=metrics.count_failed_key,
    )
    app.add_middleware(ForeignPages, origins=origins, is_open=is_open)
    app.add_middleware(Framing)
    app.add_middleware(Slashes, paths=RERANK_PATHS)
    app.add_middleware(Unforeseen)
    if origins:
        app.add_middleware(CORSMiddleware, allow_origins=origins, **CORS)
    app.add_middleware(Compression, minimum_size=COMPRESSED_BYTES, compresslevel=COMPRESSION)
    app.add_middleware(Head)
    app.add_middleware(AccessLog, ended=metrics.count_request)
    return app


def make_places(concurrency: int) -> Places:
    """Return the limits on how many requests run at the same time, by kind of work.

    `concurrency` requests may rank, `READING_PLACES` times as many may read, and one may write.
    """
    reading = concurrency * READING_PLACES
    return Places(
        ranking=Capacity(
            concurrency, "requests that rank", most_waiting=WAITING * concurrency, wait_s=WAIT_S
        ),
        reading=Capacity(reading, "requests that read", most_waiting=WAITING * reading, wait_s=WAIT_S),
        writing=Capacity(1, "writers", most_waiting=WRITERS_WAITING, wait_s=WRITER_WAIT_S),
    )


@asynccontextmanager
async def _run_lifespan(app: FastAPI, concurrency: int) -> AsyncIterator[None]:
    """Run the start and the shutdown of the application; in between, it serves requests.

    At the start, allow one thread for each request that can run at once, and resume unfinished uploads. At
    shutdown, send the remaining trace spans, and stop the thread that processes uploads.
    """
    limiter = current_default_thread_limiter()
    limiter.total_tokens = max(limiter.total_tokens, concurrency * (1 + READING_PLACES) + 1 + SPARE_THREADS)
    queue: UploadQueue = app.state.uploads
    if await run_in_threadpool(queue.has_unfinished):
        queue.start()
    async with flush_at_end(app):
        yield
    await run_in_threadpool(queue.stop)
