"""Assemble the parts of Rostrum as the settings say.

Only this module decides whether the archive is in a folder or in OpenSearch, and whether models run in this
process or on Celery workers.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from archive.model_registry import locate_weights
from archive.service import Service
from embedded.site import FolderSite
from embedded.store import EmbeddedStore
from reranker.models.engines import resolve_engine
from reranker.models.loaded import Models
from rostrum_core.archive_names import choose_archive
from rostrum_core.errors import BadInput
from rostrum_core.extras import install_command
from rostrum_core.ports import ParagraphStore, Runner
from rostrum_core.refresh_jobs import RefreshRequest
from rostrum_core.settings import OPENSEARCH_URL, REDIS_URL, REFRESH_SCHEDULE, SOURCES, Settings
from rostrum_core.site import Site
from workers.runner.inline import InlineRunner

if TYPE_CHECKING:
    from archive.local_jobs import LocalJobs
    from opensearch import OpenSearchStore
    from opensearch.pipeline.installation import Installation
    from workers.background.beat import Beat
    from workers.background.jobs import Jobs
    from workers.background.queue_status import Queues
    from workers.background.refreshing import RefreshWorker
    from workers.runner.worker import Worker

ENCODED_AHEAD = 3
"""Batches of a refresh that are encoded while another is written: some thirty tasks at a time."""


def open_store(settings: Settings) -> ParagraphStore:
    """Open the store of the archive, for work that needs no models.

    The archive is in OpenSearch if the settings name an OpenSearch, or else in a folder.

    Raises:
        BadInput: the OpenSearch settings are invalid.
        ImportError: the extra `cluster` is not installed.
        StoreError: the archive's folder cannot be used.
    """
    return (
        EmbeddedStore(settings.archive) if settings.opensearch_url is None else _open_cluster_store(settings)
    )


def open_site(settings: Settings) -> Site:
    """Return an object that reports where the archive is stored, its size and its health.

    Raises:
        BadInput, ImportError: as `open_store`.
    """
    if settings.opensearch_url is None:
        return FolderSite(settings.archive)
    store = _open_cluster_store(settings)
    from opensearch.site import ClusterSite

    return ClusterSite(store)


def open_pipeline(settings: Settings, *, highlighter: bool = False, **plan: Any) -> Installation:
    """Return an installer that makes the OpenSearch named in the settings use our reranker or highlighter.

    OpenSearch then reranks or highlights the results of its own searches. `plan` are the options of the
    installation: the fields of `opensearch.pipeline.plan.Plan`, or of `HighlighterPlan` if `highlighter` is
    true.

    Raises:
        BadInput: the settings name no OpenSearch, or the plan is invalid.
        ImportError: the extra `cluster` is not installed.
    """
    if settings.opensearch_url is None:
        raise BadInput(f"name the OpenSearch: set {OPENSEARCH_URL}", field="opensearch_url")
    server = _open_cluster_store(settings).server
    from opensearch.pipeline.highlighter import HighlighterPlan
    from opensearch.pipeline.installation import Installation
    from opensearch.pipeline.plan import Plan

    return Installation(server, HighlighterPlan(**plan) if highlighter else Plan(**plan))


def assemble(settings: Settings) -> Service:
    """Assemble the service that the settings describe. Models are loaded on first use.

    Raises:
        ModelError: the weights are missing, damaged or made for other models.
        StoreError: the archive's folder cannot be used.
    """
    models = open_models(settings, threads=settings.threads)
    depth = 0 if settings.redis_url is None else ENCODED_AHEAD
    return Service(
        settings,
        open_store(settings),
        open_runner(settings, models),
        models,
        depth=depth,
        open_named=lambda name: open_store(choose_archive(settings, name)),
    )


def open_models(settings: Settings, *, threads: int) -> Models:
    """Open the models that the settings name, without loading them; `threads` 0 means one per core.

    Raises:
        ModelError: the weights are missing, damaged or made for other models.
    """
    engine = resolve_engine(settings.device, settings.engine, settings.precision, threads)
    return Models(locate_weights(settings), engine)


def open_runner(settings: Settings, models: Models) -> Runner:
    """Return the object that runs the models: on Celery workers if the settings name a Redis, or else in this
    process.

    Raises:
        ModelError: this process cannot run models on the device that the settings name.
        ImportError: the extra `cluster` is not installed, or the extra that the engine needs.
    """
    if settings.redis_url is None:
        models.engine.check()
        return InlineRunner(lambda: models)
    with require_cluster():
        from workers.app import make_app
        from workers.runner.celery_runner import CeleryRunner
    return CeleryRunner(make_app(settings.redis_url), settings.device, models.hashes)


def open_worker(
    settings: Settings, redis_url: str, *, queues: Sequence[str] | None, concurrency: int
) -> Worker:
    """Return a worker that runs model code in `concurrency` processes, for tasks from the Redis at
    `redis_url`.

    `queues` are the queues from which the worker takes tasks. By default, these are the reranking queue of
    its device (such as `rerank.cpu`) and the queue `encode`. Unless the settings name a number of threads,
    the processes together run one thread per core.

    Raises:
        ModelError: the weights cannot be used, or this process cannot run them on the device that the
            settings name.
        ImportError: the extra `cluster` is not installed, or the extra that the engine needs.
    """
    threads = settings.threads or max(1, (os.cpu_count() or 1) // concurrency)
    models = open_models(settings, threads=threads)
    models.engine.check()
    with require_cluster():
        from workers.app import ENCODE, RERANK, make_app
        from workers.runner.worker import Worker
    return Worker(
        make_app(redis_url),
        models,
        queues=queues or (RERANK[settings.device], ENCODE),
        concurrency=concurrency,
    )


def open_refresh_worker(settings: Settings, redis_url: str) -> RefreshWorker:
    """Return a worker that takes refresh jobs from the Redis at `redis_url`.

    A refresh job updates the archive from transcripts, which the worker reads in the folder `sources` of the
    settings.

    Raises:
        BadInput: the setting `sources` names no folder.
        ModelError: the weights are missing, damaged or made for other models.
        ImportError: the extra `cluster` is not installed.
    """
    if settings.sources is None:
        raise BadInput(f"name the folder of the transcripts: set {SOURCES}", field="sources")
    if not settings.sources.is_dir():
        raise BadInput(f"{SOURCES}={settings.sources} is not a folder", field="sources")
    with require_cluster():
        from workers.app import make_app
        from workers.background.refreshing import RefreshWorker
    from archive.refresh_sources import refresh_sources

    service = assemble(replace(settings, redis_url=redis_url))
    refresh = partial(refresh_sources, service, Path(os.path.abspath(settings.sources)))
    return RefreshWorker(make_app(redis_url), refresh)


def open_jobs(settings: Settings) -> Jobs:
    """Return the object that submits, lists and cancels refresh jobs in the Redis that the settings name.

    A refresh job is an update of the archive from transcripts, by a worker.

    Raises:
        BadInput: the settings name no Redis.
        ImportError: the extra `cluster` is not installed.
    """
    if settings.redis_url is None:
        raise BadInput(f"refresh jobs need a Redis: set {REDIS_URL}", field="redis_url")
    with require_cluster():
        from workers.app import make_app
        from workers.background.jobs import Jobs
    return Jobs(make_app(settings.redis_url))


def open_service_jobs(service: Service) -> Jobs | LocalJobs | None:
    """Return the object that submits, lists and cancels a service's refresh jobs (updates of the archive).

    The jobs are run by workers if the settings name a Redis, or else in the service's own process. Return
    `None` if the settings name neither a Redis nor a folder of transcripts (`sources`).

    Raises:
        ImportError: the extra `cluster` is not installed.
    """
    settings = service.settings
    if settings.redis_url is not None:
        return open_jobs(settings)
    if settings.sources is None:
        return None
    from archive.local_jobs import LocalJobs

    return LocalJobs(service, settings.sources)


def open_queues(settings: Settings) -> Queues | None:
    """Return an object that reports the state of the queues in the Redis that the settings name.

    Return `None` if the settings name no Redis.

    Raises:
        ImportError: the extra `cluster` is not installed.
    """
    if settings.redis_url is None:
        return None
    with require_cluster():
        from workers.app import make_app
        from workers.background.queue_status import Queues
    return Queues(make_app(settings.redis_url))


def open_beat(settings: Settings, request: RefreshRequest) -> Beat:
    """Open the scheduler that requests an update of the archive at the times of the setting
    `refresh_schedule`.

    Raises:
        BadInput: the settings name no Redis or no schedule, or the schedule is invalid.
        ImportError: the extra `cluster` is not installed.
    """
    if settings.redis_url is None:
        raise BadInput(f"a schedule needs a Redis: set {REDIS_URL}", field="redis_url")
    if settings.refresh_schedule is None:
        raise BadInput(f"there is no schedule: set {REFRESH_SCHEDULE}", field="refresh_schedule")
    with require_cluster():
        from workers.app import make_app
        from workers.background.beat import Beat
    return Beat(make_app(settings.redis_url), settings.refresh_schedule, request)


def _open_cluster_store(settings: Settings) -> OpenSearchStore:
    with require_cluster():
        from opensearch import Connection, Layout, OpenSearchStore
    connection = Connection(
        settings.opensearch_url or "",
        user=settings.opensearch_user,
        password=settings.opensearch_password,
        ca=settings.opensearch_ca,
        certificate=settings.opensearch_certificate,
        key=settings.opensearch_key,
        prefix=settings.opensearch_prefix,
        timeout_s=settings.opensearch_timeout_s,
        connections=settings.opensearch_connections,
    )
    layout = Layout(settings.opensearch_engine, settings.opensearch_shards)
    return OpenSearchStore(connection, layout, age_s=1.0)


@contextmanager
def require_cluster() -> Iterator[None]:
    """Convert an ImportError raised inside the context into one that names the extra `cluster`."""
    try:
        yield
    except ImportError as error:
        raise ImportError(f"{error}; a cluster needs more: {install_command('cluster')}") from error
