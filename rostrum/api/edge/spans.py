"""Remove drafts from trace spans (timed steps of requests) before they are sent; needs the extra `otel`."""

from __future__ import annotations

from opentelemetry.context import Context
from opentelemetry.sdk.trace import Span, SpanProcessor

QUERY = "url.query"


class WithoutQueries(SpanProcessor):
    """Remove the query string from the trace span of a request, because it may contain somebody's draft."""

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Replace the query string in a new span by "REDACTED", which shows that there was one."""
        if QUERY in (span.attributes or {}):
            span.set_attribute(QUERY, "REDACTED")
