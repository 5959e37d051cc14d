"""Serve the HTTP application on a socket until the process is stopped."""

from __future__ import annotations

import errno
import gc
import logging
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from archive.service import Service
from jobs.rerank.job import rerank
from rostrum.api.app import make_app
from rostrum.api.edge.auth import is_loopback
from rostrum.api.edge.errors import Refused
from rostrum.api.edge.header_timeout import HeaderTimeoutProtocol
from rostrum.api.edge.keys import Keys
from rostrum.api.edge.logs import log_as_json
from rostrum.api.edge.readiness import check_readiness
from rostrum.api.edge.traces import trace_to
from rostrum_core.errors import BadInput, RostrumError
from rostrum_core.settings import API_KEYS
from rostrum_core.types import Draft

LOG = logging.getLogger("rostrum.api")
BACKLOG = 128
STOP_TIMEOUT_S = 30
WARM_UP_S = 5.0


def serve(service: Service, host: str, port: int, *, at_start: Callable[[str], None] | None = None) -> None:
    """Serve the HTTP application until SIGTERM or Ctrl-C, then finish running requests.

    `port` 0 means any free port. Models are loaded before connections are accepted. Then `at_start` is called
    with the address. If a part such as the archive is unavailable, this is logged, and each request tries to
    use the part again.

    Raises:
        BadInput: the address is invalid, it is not loopback and no keys are set, or the keys cannot be
            read.
        OSError: the address cannot be bound.
        ImportError: traces are enabled, and the extra `otel` is not installed.
    """
    _check(host, service.settings.api_keys)
    trace_to(os.environ)
    with _listen(host, port) as listener:
        log_as_json()
        _warm_up(service)
        server = uvicorn.Server(make_config(make_app(service)))
        LOG.info("serving", extra={"url": _format_url(listener)})
        if at_start is not None:
            at_start(_format_url(listener))
        with _freeze_memory():
            server.run(sockets=[listener])


def make_config(app: FastAPI) -> uvicorn.Config:
    """Return uvicorn's configuration: only HTTP/1.1, and no log but our own."""
    return uvicorn.Config(
        app,
        http=HeaderTimeoutProtocol,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=STOP_TIMEOUT_S,
    )


def _check(host: str, keys: Path | None) -> None:
    if keys is not None:
        Keys(keys).list_keys()
    elif not is_loopback(host):
        message = (
            f"{host} can be reached from elsewhere, and no keys are set: rostrum key add NAME, and {API_KEYS}"
        )
        raise BadInput(message, field="host")


def _warm_up(service: Service) -> None:
    """Load the models by ranking a one-word text and by a readiness check.

    So the first client does not have to wait for the models, even if there is no archive yet.
    """
    try:
        service.runner.run("draft", [{"title": "ready", "left": ""}], timeout_s=WARM_UP_S)
        rerank(
            Draft(left="ready"), ["ready"], runner=service.runner, models=service.models, timeout_s=WARM_UP_S
        )
        check_readiness(service)
    except (RostrumError, Refused) as error:
        LOG.warning("not ready", extra={"reason": str(error)})


@contextmanager
def _freeze_memory() -> Iterator[None]:
    """Exclude all objects that are loaded already from garbage collection while the `with` block runs.

    Otherwise, one of twenty answers waits 50 ms or more, while the garbage collector visits models and word
    lists.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def _listen(host: str, port: int) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=BACKLOG)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        message = (
            f"port {port} of {host} is in use already: end what listens there, or name another with --port"
        )
        raise BadInput(message, field="port") from error
    with listener:
        yield listener


def _format_url(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"
