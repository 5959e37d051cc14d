"""Spans of `rostrum serve`, as a collector on loopback gets them."""

import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx2
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from rostrum.api.edge.traces import trace_to

from .conftest import MOON

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
SECRET = "nobody knows this sentence"


class Collector:
    """Takes what is exported by OTLP over HTTP."""

    def __init__(self) -> None:
        received = self.received = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                received.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        Thread(target=self.server.serve_forever, daemon=True).start()

    def spans(self) -> list[tuple[str, dict]]:
        """The spans of all exports, each with its resource's attributes."""
        found = []
        for path, data in self.received:
            assert path == "/v1/traces"
            for of in ExportTraceServiceRequest.FromString(data).resource_spans:
                resource = {each.key: each.value.string_value for each in of.resource.attributes}
                found += [(span, resource) for scope in of.scope_spans for span in scope.spans]
        return found


@pytest.fixture
def collector(monkeypatch) -> Iterator[Collector]:
    """A collector that a service started from here sends its spans to."""
    made = Collector()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", made.url)
    yield made
    made.server.shutdown()
    made.server.server_close()


def test_a_request_has_a_span_with_one_for_each_stage_and_the_log_names_them(
    served, sample_archive, collector
) -> None:
    process = served("--archive", sample_archive, timeout_s="280", candidates="4")
    headers = {"traceparent": PARENT}
    with httpx2.Client(base_url=process.url, headers=headers, timeout=300) as client:
        assert client.post("/v1/recommend", json=MOON).status_code == 200
        assert client.get("/v1/search", params={"q": SECRET}).status_code == 200
        assert client.get("/v1/documents/none").status_code == 404
    process.stop()
    spans = {span.name: (span, resource) for span, resource in collector.spans()}
    request, resource = spans["POST /v1/recommend"]
    assert resource["service.name"] == "rostrum"
    assert request.trace_id.hex() == PARENT.split("-")[1]
    assert request.parent_span_id.hex() == PARENT.split("-")[2]
    by_key = {each.key: each.value for each in request.attributes}
    assert by_key["http.route"].string_value == "/v1/recommend"
    assert by_key["http.response.status_code"].int_value == 200
    stages = [span for span, _ in collector.spans() if span.parent_span_id == request.span_id]
    assert sorted(span.name for span in stages) == ["candidates", "draft", "merge", "print", "rank"]
    assert all(request.start_time_unix_nano <= span.start_time_unix_nano for span in stages)
    assert all(span.end_time_unix_nano <= request.end_time_unix_nano for span in stages)
    [line] = [each for each in process.read_lines() if each.get("route") == "/v1/recommend"]
    assert (line["trace_id"], line["span_id"]) == (request.trace_id.hex(), request.span_id.hex())
    sent = b"".join(data for _, data in collector.received)
    assert b"REDACTED" in sent
    assert SECRET.split()[0].encode() not in sent
    assert b"Houston" not in sent


def test_an_endpoint_without_the_extra_is_told(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    with pytest.raises(ImportError, match=r"\[otel\]"):
        trace_to({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"})


@pytest.mark.parametrize("off", [{"OTEL_SDK_DISABLED": "true"}, {"OTEL_TRACES_EXPORTER": "none"}])
def test_nothing_is_sent_where_it_is_forbidden(served, tmp_path, collector, monkeypatch, off) -> None:
    for name, value in off.items():
        monkeypatch.setenv(name, value)
    process = served("--archive", tmp_path)
    assert httpx2.get(f"{process.url}/health").status_code == 200
    process.stop()
    assert collector.received == []
    assert all("trace_id" not in line for line in process.read_lines())
