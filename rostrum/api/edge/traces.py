"""Trace requests and their stages, and export the spans if OpenTelemetry's environment variables say so.

FastAPI creates the span of a request. The query string is removed from it, because it may contain somebody's
draft.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.concurrency import run_in_threadpool
from fastapi.telemetry import TelemetryConfig
from opentelemetry import trace

from rostrum_core.extras import install_command

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
TELEMETRY: TelemetryConfig = {
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""Telemetry of FastAPI, for spans only: Prometheus has the metrics and `AccessLog` the logs."""


def trace_stage(stage: str) -> AbstractContextManager[trace.Span]:
    """Return a context manager that records a stage of a request, such as "rank", as a trace span.

    It records nothing if tracing is off.
    """
    return trace.get_tracer("rostrum").start_as_current_span(stage, record_exception=False)


def get_current_ids() -> dict[str, str]:
    """Return the ids of the current trace and span for the log; empty if no span is open."""
    context = trace.get_current_span().get_span_context()
    if not context.is_valid:
        return {}
    return {
        "trace_id": trace.format_trace_id(context.trace_id),
        "span_id": trace.format_span_id(context.span_id),
    }


def trace_to(environment: Mapping[str, str]) -> None:
    """Make this process send its trace spans to the endpoint that the environment variables name, if any.

    Raises:
        ImportError: an endpoint is named and the extra `otel` is not installed.
    """
    if is_enabled(environment):
        trace.set_tracer_provider(_build_provider(environment))


@asynccontextmanager
async def flush_at_end(_: FastAPI) -> AsyncIterator[None]:
    """Send all remaining trace spans when the application shuts down, before the process ends."""
    yield
    flush: Callable[[], object] | None = getattr(trace.get_tracer_provider(), "force_flush", None)
    if flush is not None:
        await run_in_threadpool(flush)


def is_enabled(environment: Mapping[str, str]) -> bool:
    """Return whether environment variables name an endpoint for traces and do not disable tracing.

    >>> is_enabled({}), is_enabled({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"})
    (False, True)
    """
    forbidden = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    exporter = environment.get("OTEL_TRACES_EXPORTER", "otlp")
    return exporter == "otlp" and not forbidden and any(environment.get(name) for name in ENDPOINTS)


def _build_provider(environment: Mapping[str, str]) -> TracerProvider:
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor

        from rostrum.api.edge.spans import WithoutQueries
    except ImportError as error:
        raise ImportError(f"{error}; traces need more: {install_command('otel')}") from error
    name = {} if "OTEL_SERVICE_NAME" in environment else {"service.name": "rostrum"}
    provider = TracerProvider(resource=Resource.create(name), shutdown_on_exit=False)
    provider.add_span_processor(WithoutQueries())
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
