"""Spans of requests and of their stages, sent where OpenTelemetry's own variables say; by default nowhere.

FastAPI makes the span of a request. What it holds of a query is taken out: that may be somebody's draft.
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
"""What FastAPI does of its own: spans alone, as metrics are told to Prometheus and logs by `AccessLog`."""


def stage_span(stage: str) -> AbstractContextManager[trace.Span]:
    """The span of a stage, within that of the request; none where nothing is traced."""
    return trace.get_tracer("rostrum").start_as_current_span(stage, record_exception=False)


def current_ids() -> dict[str, str]:
    """Names of the span that is current and of its trace, as logs have them; empty where there is none."""
    context = trace.get_current_span().get_span_context()
    if not context.is_valid:
        return {}
    return {
        "trace_id": trace.format_trace_id(context.trace_id),
        "span_id": trace.format_span_id(context.span_id),
    }


def trace_to(environment: Mapping[str, str]) -> None:
    """Has the spans of this process sent to the endpoint that the environment names, if it names one.

    Raises:
        ImportError: an endpoint is named and the extra `otel` is not installed.
    """
    if wanted(environment):
        trace.set_tracer_provider(_provider(environment))


@asynccontextmanager
async def sent_at_the_end(_: FastAPI) -> AsyncIterator[None]:
    """The life of an application, after which no span is left unsent: a signal may end the process next."""
    yield
    flush: Callable[[], object] | None = getattr(trace.get_tracer_provider(), "force_flush", None)
    if flush is not None:
        await run_in_threadpool(flush)


def wanted(environment: Mapping[str, str]) -> bool:
    """Whether an endpoint is named and nothing forbids to use it.

    >>> wanted({}), wanted({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"})
    (False, True)
    """
    forbidden = environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    exporter = environment.get("OTEL_TRACES_EXPORTER", "otlp")
    return exporter == "otlp" and not forbidden and any(environment.get(name) for name in ENDPOINTS)


def _provider(environment: Mapping[str, str]) -> TracerProvider:
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
