"""What is taken out of spans before they are sent; needs the extra `otel`."""

from __future__ import annotations

from opentelemetry.context import Context
from opentelemetry.sdk.trace import Span, SpanProcessor

QUERY = "url.query"


class WithoutQueries(SpanProcessor):
    """Takes the words of a query out of the span of a request: they may be somebody's draft."""

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Says only that there was a query."""
        if QUERY in (span.attributes or {}):
            span.set_attribute(QUERY, "REDACTED")
