"""Count requests for Prometheus, by route and status, with their durations.

The stages of an answer, such as "draft" and "rank", are timed too, and skipped stages are counted.
"""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from rostrum_core.types import Answer

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
BUCKETS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """Collect the metrics of one application for Prometheus.

    Labels are routes and stage names, never text from a client.
    """

    def __init__(self, taken: Callable[[], int]) -> None:
        self._registry = CollectorRegistry()
        self._requests = Histogram(
            "rostrum_request_seconds",
            "Requests and how long they took",
            ("method", "route", "status"),
            registry=self._registry,
            buckets=BUCKETS_S,
        )
        self._stages = Histogram(
            "rostrum_stage_seconds",
            "How long the stages of answers took",
            ("stage",),
            registry=self._registry,
            buckets=BUCKETS_S,
        )
        self._degraded = Counter(
            "rostrum_degraded", "Stages of answers that were skipped", ("stage",), registry=self._registry
        )
        self._lookups = Counter(
            "rostrum_answer_lookups", "Looks for a kept answer", ("found",), registry=self._registry
        )
        self._shared = Counter(
            "rostrum_shared_answers",
            "Answers taken from the same request of another client",
            registry=self._registry,
        )
        self._failed_keys = Counter(
            "rostrum_failed_keys", "Requests without a valid key", ("reason",), registry=self._registry
        )
        places = Gauge("rostrum_requests_in_progress", "Requests worked on", registry=self._registry)
        places.set_function(taken)

    def count_request(self, method: str, route: str | None, status: int | None, elapsed_s: float) -> None:
        """Count a finished request, and record its duration.

        Requests without a known route are counted together, and so are requests with an unknown method.
        """
        label = method if method in METHODS else "other"
        self._requests.labels(label, route or "none", status or 0).observe(elapsed_s)

    def count_lookup(self, *, is_hit: bool) -> None:
        """Count a search for an answer in the cache; `is_hit` says whether the answer was there."""
        self._lookups.labels("yes" if is_hit else "no").inc()

    def count_failed_key(self, reason: str) -> None:
        """Count a request that was refused because its key was "missing" or "unknown"."""
        self._failed_keys.labels(reason).inc()

    def render(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self._registry)

    def count_answer(self, answer: Answer, *, shared: bool = False) -> None:
        """Record the seconds of each stage of an answer, and count the stages that were skipped.

        If the answer is `shared`, another request with the same content computed it and recorded the stages.
        Then only the number of shared answers increases.
        """
        if shared:
            self._shared.inc()
            return
        for stage, elapsed_s in answer.timings_s.items():
            self._stages.labels(stage).observe(elapsed_s)
        for reason in answer.degraded:
            self._degraded.labels(reason.partition(":")[0]).inc()
